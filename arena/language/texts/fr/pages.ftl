### Les pages d’un tournoi : cadre, classement, phases, tables. Les mots des tournois sont au début de tournament.ftl.

## Le cadre de toutes les pages.

skip = Aller au contenu

navigation = Pages du site

events = Événements

stage = Scène

standings = Classement

matches = Parties

pairings = Confrontations

tables =
    { $live ->
        [yes] En direct
       *[no] Les tables
    }

verify = Vérifier

light-or-dark = clair ou sombre

unfinished = inachevé

being-played = en cours

is-final = terminé

nameless = Tournoi

## Des nombres de choses.

count-bots =
    { $count ->
        [one] { $number } bot
       *[other] { $number } bots
    }

count-matches =
    { $count ->
        [one] { $number } partie
       *[other] { $number } parties
    }

count-rounds =
    { $count ->
        [one] { $number } manche
       *[other] { $number } manches
    }

count-tiles =
    { $count ->
        [one] { $number } domino
       *[other] { $number } dominos
    }

count-faults =
    { $count ->
        [one] ✖ { $number } faute
       *[other] ✖ { $number } fautes
    }

count-strikes =
    { $count ->
        [one] { $number } avertissement
       *[other] { $number } avertissements
    }

count-days =
    { $count ->
        [one] { $number } jour
       *[other] { $number } jours
    }

done-of =
    { $count ->
        [one] { $done } sur { $number } partie
       *[other] { $done } sur { $number } parties
    }

## Le tournoi en une ligne, et où il en est.

gate = un test d’admission

gate-not-judged = test d’admission ({ $why })

pairs-a-table =
    { $count ->
        [one] { $number } paire de parties par table
       *[other] { $number } paires de parties par table
    }

same-deals =
    { $seats ->
        [2] chaque paire sur les mêmes donnes, mains échangées
       *[other] chaque paire sur les mêmes donnes, une fois à chaque disposition des places
    }

game = { $rules } en { $target } avec { $set }, { $better }

better =
    { $wins ->
        [lower] moins de points, c’est mieux
       *[higher] plus de points, c’est mieux
    }

with-seed = graine { $seed }

progress = Avancement

matches-a-second = { $rate } parties/s

about-left = encore { $time } environ

percent-played = { $percent } pour cent joués

no-ranking = pas encore de rangs

too-few-pairs = trop peu de paires pour des intervalles

first-decided = ✓ le premier rang est décidé

top-separated = ✓ les { $top } premiers sont séparés des autres

ranks-open = rangs 1–{ $worst } pas encore décidés

## Le classement.

projector = Projecteur

place-title = Dessous : les rangs qu’il peut avoir ; à 95 %, aucun rang du tableau n’est faux

interval =
    { $any-time ->
        [yes] Cote, intervalle à 95 % à tout moment
       *[no] Cote, intervalle à 95 %
    }

won-lost = Victoires–défaites

decisions-99 = 99 % des décisions

decisions-99-title = 99 % de ses décisions n’ont pas pris plus

no-faults = aucune

places-note =
    { $by ->
        [format] Les rangs suivent les règles de la formule, d’abord celles de la dernière phase. ≈ signifie que les cotes ne distinguent pas un bot du suivant, ⇅ qu’elles disent le contraire.
       *[ratings] Les rangs suivent les cotes ; des cotes égales partagent un rang.
    }

ranges-note =
    { $unit ->
        [pairs] Une étendue comme 1–2 sous un rang signifie qu’il n’est pas décidé : le bot peut avoir n’importe lequel de ces rangs, et après peu de blocs, beaucoup reste indécis. Les cotes sont en Elo, 0 est la moyenne des bots ; elles sont calculées d’après les paires complètes. L’avance est la moyenne en points de jeu ; une avance positive est bonne. Seules les parties de paires complètes comptent.
       *[blocks] Une étendue comme 1–2 sous un rang signifie qu’il n’est pas décidé : le bot peut avoir n’importe lequel de ces rangs, et après peu de blocs, beaucoup reste indécis. Les cotes sont en Elo, 0 est la moyenne des bots ; elles sont calculées d’après les blocs complets. L’avance est la moyenne en points de jeu ; une avance positive est bonne. Seules les parties de paires complètes comptent.
    }

forecast = Ce nombre de blocs distingue, dans 80 % des cas, des voisins qui diffèrent d’au moins { $low } à { $high } Elo.

place-once = rang { $place } si les copies comptent une fois

like-bot = comme { $bot }

like-a-better-one = comme un meilleur

copies-note = Si les copies comptent une fois, des bots qui se ressemblent ont ensemble un seul rang parmi les versions qui jouent et comptent dans les cotes comme un seul bot : ceux qui ont en commun au moins la moitié du code source le plus court, ceux qui sont faits à partir du même bot d’exemple et ceux qui ne sont guère plus qu’un modèle. C’est une mesure, pas un verdict.

left-out = Laissés de côté

changed-since = Changé depuis le début

part-of = { $first }–{ $last } sur { $all } bots

## Ce qui mérite un regard.

needs-a-look = À regarder

all-of-them = tout ({ $number }) →

nothing-so-far = Rien jusqu’ici : aucune partie n’a été perdue par une faute.

later-legs = { $bot } réussit mieux les matchs suivants d’une paire que les premiers, sur les mêmes donnes, de { $better-by } point par partie sur { $pairs } paires : il faut vérifier s’il reconnaît les donnes

circle = Un cercle, chaque pas significatif à 5 % sur toutes les confrontations ensemble : { $circle }

beats = bat

unfitting = Une cote par bot ne suffit pas à décrire ces bots : les résultats s’écartent des cotes d’environ { $elo } Elo

level = { $one } et { $other } ne se distinguent pas par leurs parties l’un contre l’autre { $score }

level-score = ({ $score } %, { $low }–{ $high })

## Les parties et les fautes, où qu’elles soient.

last-matches = Dernières parties

just-finished = À peine finies

shown-once-over = Une partie est montrée dès que toutes celles de sa paire sont finies.

round-and-action = manche { $round }, action { $action }

before-first-deal = avant la première donne

moment-against = { $moment }, contre { $rivals }

open-at-turn = ouvrir à ce tour →

## Les graphiques et les chiffres clés.

head-to-head = Face à face

row-percent = la part des points de la ligne contre la colonne, en pour cent

row-share = la part des points de la ligne contre la colonne

heat-percent = face à face : le score de la ligne contre la colonne, en pour cent

heat = face à face : le score de la ligne contre la colonne

heat-cell = { $row } contre { $column } : { $score } %

loses = perd

even = à égalité

wins = gagne

margins-of =
    { $count ->
        [one] avances, { $number } partie
       *[other] avances, { $number } parties
    }

no-clean-match = Pas encore de partie finie sans faute.

lost-by = perdu de { $edge }

won-by = gagné de { $edge }

margins-chart = avances : combien de parties ont été perdues et gagnées de combien

no-decision = Pas encore de décision.

thinking-chart = temps de réflexion : combien de décisions ont pris combien de temps

of-the-points = des points

mean-margin = avance moyenne

pips-left = points en main par manche

rounds-gone-out = manches avec domino

bots-both-ways = { $number } bots du meilleur au dernier, dans les deux sens. La page d’un bot a les nombres.

row-against-column = { $row } contre { $column }

## Les phases d’une compétition.

stage-title = Phase { $number } : { $play }

not-over = pas finie

in-a-block = Dans un bloc, { $balance }.

group = Poule { $group }

bye = exempt

points-note = = marque un rang partagé. Les points comptent les parties : 1 pour une victoire, ½ pour une nulle. Les bots à égalité de points sont départagés par les colonnes suivantes, dans cet ordre : BH est Buchholz, C1 sans le plus bas, SB est Sonneborn–Berger.

bracket-note = Le nombre à gauche d’un nom est sa tête de série. Les points comptent les parties. Une rencontre à égalité continue paire par paire, jusqu’à huit ; puis les points de jeu décident (g), puis la meilleure tête de série (s).

## Les tables.

everything-played = Tout est joué : { $standings }.

the-standings = le classement

on-the-tables = Sur les tables

all-tables = toutes →

no-table = Pas encore de table.

drawing-needs-scripts = Les dessiner demande JavaScript.

tables-shown =
    { $when ->
        [pair] Une table n’est montrée, à son propre rythme, que quand toutes les parties de sa paire sont finies : jusque-là, ses donnes sont encore à rejouer.
        [played] Les tables sont montrées telles qu’elles se jouent, avec toutes les mains.
       *[stage] Les résultats sont montrés quand ils sont révélés sur la scène.
    }

## Ce que montre le script de toutes les pages.

live-updated = En direct · mis à jour il y a { $seconds } s

no-connection = pas de connexion

unreadable = les résultats ne peuvent pas être lus maintenant

over = fini

## La liste de plusieurs événements.

event-number = Événement { $number }

being-read = en cours de lecture
