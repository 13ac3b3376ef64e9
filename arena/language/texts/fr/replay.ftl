### La page qui montre une partie à nouveau. Les mots du jeu sont au début de rules.ftl.

title = { $names } · partie { $id }

replay-of = Déroulement de la partie { $id }

needs-scripts = Cette page a besoin de scripts ; elle contient les siens et ne demande rien au réseau.

one-file = déroulement · un seul fichier, même hors ligne

light-or-dark = Clair ou sombre

rounds = Manches

match-line = partie { $id } · en { $target } points, { $aim }

needs-number = il faut ce nombre

closed-end = fermé : seulement un matador

in-boneyard = au talon

last-stay = les { $reserve } derniers restent

moment-of-round = Moment de la manche

to-beginning = Début de la partie

step-back = Coup précédent

play = Lecture

pause = Pause

step = Coup suivant

to-end = Fin de la partie

speed = Vitesse

hands = Mains

as-seen = vues par { $name }

all-open = toutes ouvertes

numbers-on-tiles = 123 sur les dominos

copy-link = Copier le lien

copy-link-title = Copier un lien vers ce moment

key-step = un coup

key-match = partie

key-play = lecture

key-round = manche

key-fault = faute suivante

key-mattered = coup décisif suivant

key-hands = mains

key-numbers = nombres

key-link = copier le lien

key-help = toutes les touches

space-key = espace

all-step = un moment en arrière ou en avant

all-same = de même

all-match = le début et la fin de la partie

all-play = lecture ou pause

all-round-back = le début de cette manche, puis de la précédente

all-round-on = la manche suivante

all-fault = la faute ou l’avertissement suivant

all-mattered = le coup suivant qui a compté : une gaffe, ou un revirement des chances de gagner (dans une partie analysée)

all-hands = les mains montrées : toutes, ou celles que voit une place

all-numbers = des nombres au lieu des points

all-link = copier un lien vers ce moment

all-help = cette liste

keys = Touches

close = Fermer

what-was-said = Coups, journal et données

what-is-listed = Ce que montre la liste

list = Liste

tab-turns = Coups

tab-log = Journal

tab-facts = Données

messages-and-answers = Messages et réponses

fact-match = partie

fact-tournament = tournoi

fact-deals = donnes

fact-block = bloc { $block }, match { $leg }

fact-rules = règles

fact-hands = mains

fact-tiles = { $hand } dominos chacun, { $reserve } dominos restent au talon

fact-seat = place { $seat }

lines-are-rebuilt = Les lignes sont reconstituées d’après l’enregistrement : les messages à un bot sont complets, à l’horloge près, et une réponse est écrite sous sa forme la plus courte. { $command } vérifie chaque donne et chaque action.

## Les moments en peu de mots.

dealt = donne

## Ce que montre le script.

no-fault = Il n’y a pas de faute dans cette partie.

nothing-mattered = Aucun coup de cette partie n’a beaucoup compté.

not-analysed = Cette partie n’est pas analysée : leyden analyse le fait.

with-pips =
    { $count ->
        [one] { $tiles } · { $pips } point
       *[other] { $tiles } · { $pips } points
    }

round-short = M{ $round }

round-short-again = M{ $round } bis

round-again = Manche { $round }, redistribuée { $redeal }

a-fault = une faute

fault = faute

blunder-tag = gaffe

tag-across = en travers

tag-matador = matador

chance-becomes = la chance devient { $chance }

who-blundered = { $name } { $blunder }

wins-with = gagne avec { $chance }

what-else = Les autres choix

wins-column = gagne, %

points-column = points

is-taken = choisi

is-best = le meilleur

gave-away = { $chance } % de la partie et { $points } points donnés

gave-away-by = { $chance } % de la partie et { $points } points donnés : le bot { $blunder }

by-evaluation = D’après l’évaluation de strong, selon ce que savait cette place ; ± est une erreur type.

in-drawing-order = { $tiles } ({ $round }, dans l’ordre de la pioche)

faults-and-strikes = Fautes et avertissements

none = aucun

notes = Notes

no-notes = Aucun bot n’a écrit de note visible ici.

message-not-shown = le message pour son auteur n’est pas montré ici

standard-error-of = Sortie d’erreur de { $name }

standard-error-part = Sortie d’erreur de { $name } (la partie enregistrée)

nothing-recorded = rien n’a été enregistré

recorded-only-if = La fin de la sortie d’erreur n’est enregistrée que si quelque chose s’est mal passé.

nobody-asked = Personne n’a été interrogé ici.

seat-not-asked = Cette place n’a pas été interrogée ici.

not-asked = Pas interrogé : une seule action était possible.

copy = Copier

line-copied = Ligne copiée.

message-to = Le message à { $name }

turn = tour { $turn }

legal-actions = { $number } actions possibles

legal-actions-marked = { $number } actions possibles, celle choisie est marquée

answered = La réponse

answered-after = La réponse après { $time }

no-answer = Pas de réponse valable

no-answer-after = Pas de réponse valable après { $time }

its-note = Sa note

link-copied = Lien vers ce moment copié.

## Ce qu’un bot a fait de travers : après son nom, ou après « le bot ».

blunder =
    { $kind ->
        [drew-needlessly] a pioché sans nécessité
        [did-not-draw] aurait dû piocher
        [wasted-matador] a gaspillé un matador
        [kept-heavy-double] a gardé un double lourd
        [opened-for-starved] a ouvert une branche à un adversaire bloqué
        [wrong-lead] a entamé avec le mauvais double
       *[other-choice] a choisi le mauvais domino ou la mauvaise branche
    }
