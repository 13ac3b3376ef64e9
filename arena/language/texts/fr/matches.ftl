### Les parties sur les pages : leur liste, l’une d’elles, et celles d’un bot. Les mots des tournois sont au début de tournament.ftl.

## La liste des parties.

match = Partie

bots-and-scores = Bots et scores, par place

rounds = Manches

actions = Actions

upset = Surprise

upset-title = de combien la cote du perdant était plus haute

longest-decision = Décision la plus longue

end = Fin

fault-of = ✖ { $code } de { $name }

drawn = nulle

ended =
    { $by ->
        [limit] limite de manches
       *[play] normale
    }

shown-when-complete =
    { $count ->
        [one] { $number } partie, montrée dès que sa paire est complète
       *[other] { $number } parties, chacune montrée dès que sa paire est complète
    }

search-hint = nom d’un bot, ou identifiant d’une partie

which = lesquelles

order = ordre

only =
    { $only ->
        [all] toutes
        [faults] fautes
       *[draws] nulles
    }

sorted =
    { $by ->
        [latest] les dernières d’abord
        [schedule] dans l’ordre du programme
        [closest] les plus serrées d’abord
        [upset] les plus grandes surprises d’abord
        [clearest] les plus nettes d’abord
        [longest] le plus d’actions d’abord
       *[slowest] la plus longue décision d’abord
    }

show = Montrer

of-these = { $bot } contre { $rival } · { $all }

of-this = { $bot } · { $all }

all-bots = tous les bots

pages-of-list = Pages de la liste

before = ← avant

next = suite →

page-of = page { $page } sur { $pages }

latest-without-scripts = {" "}: les dernières. { $all } en tableau ; chercher demande JavaScript.

all-of-them = Toutes

## Une partie qui n’est pas encore finie pour les spectateurs.

match-title = partie { $id }

match-facts = partie { $id } · bloc { $block }, match { $leg }

against = contre

points-and-score = points { $points } · score { $scores }

nothing-was-laid = Rien n’a été posé.

layout-at-end = la chaîne à la fin de la manche { $round }

actions-of-round = les actions de la manche { $round }

## La page d’un bot.

stands = rang { $place } sur { $bots } · cote { $rating } · { $record }

record =
    { $count ->
        [one] { $record } en { $number } partie
       *[other] { $record } en { $number } parties
    }

against-all = Contre chaque adversaire

won-drawn-lost = Gagnées–nulles–perdues

score-as-bar = Score en barre

against-rating = Par rapport à sa cote

strays =
    { $to ->
        [worse] moins bien
       *[better] mieux
    }

for-all-lines = Les 95 % valent pour toutes les lignes à la fois ; les intervalles sont montrés à partir de 10 blocs.

latest-matches = Dernières parties

margins = Avances

thinking-times = Temps de réflexion

decisions =
    { $count ->
        [one] { $number } décision
       *[other] { $number } décisions
    }

within = la moitié en { $half }, 99 % en { $most }

form =
    { $count ->
        [one] La dernière { $number } partie
       *[other] Les { $number } dernières parties
    }

form-letter =
    { $result ->
        [won] V
        [drawn] N
       *[lost] D
    }

faults = Fautes

matches-lost =
    { $count ->
        [one] { $number } partie perdue
       *[other] { $number } parties perdues
    }

details-later = Les messages pour son auteur et sa sortie d’erreur sont montrés quand tout est joué.

standard-error =
    { $cut ->
        [yes] sortie d’erreur, la fin
       *[no] sortie d’erreur
    }
