### Les notes : ce qui a été vu, et ce que lit l’élève, que l’on tutoie.

## Ce qui a été vu d’une partie de la note : les éléments d’une liste.

cannot-run = il ne peut pas être lancé

nothing-checked = rien n’a pu être vérifié

findings-good = { $good } vérifications réussies sur { $all }

not-tried = { $count } non essayés : { $names }

scores = score { $score } % en { $matches } parties

scores-without-luck = score { $score } % sans la chance, { $played } % tel que joué, en { $matches } parties

full-from = tous les points à partir de { $full } %

all-lost = chaque partie a été perdue par { $code }, donc les { $rest } autres n’ont pas été jouées

time-was-up = les { $rest } autres n’ont pas été jouées parce que le temps était écoulé

matches-void =
    { $count ->
        [one] { $count } partie était nulle et non avenue, et sa paire est omise, parce que la machine était trop occupée : noter à nouveau
       *[other] { $count } parties étaient nulles et non avenues, et leurs paires sont omises, parce que la machine était trop occupée : noter à nouveau
    }

and-also = { $first } ; { $second }

## Les tableaux et les titres.

part = partie

points = points

of = sur

another-seed-column = autre graine (95 %)

seen = constaté

check = vérification

against = contre { $bot }

heading =
    { $graded ->
        [yes] { $bot } : { $points } sur { $most }, note { $grade }
       *[no] { $bot } : { $points } sur { $most }
    }

title =
    { $graded ->
        [yes] { $bot } : { $points } points sur { $most }, note { $grade }
       *[no] { $bot } : { $points } points sur { $most }
    }

another-seed =
    { $graded ->
        [yes] une autre graine donne { $points } points (95 %), et une autre note dans { $share } % des cas
       *[no] une autre graine donne { $points } points (95 %)
    }

in-all = En tout, { $another-seed }.

other-deals =
    { $graded ->
        [yes] Une autre graine, avec d’autres donnes, donne { $points } points en tout (95 %), et une autre note dans { $share } % des cas.
       *[no] Une autre graine, avec d’autres donnes, donne { $points } points en tout (95 %).
    }

## Pour l’élève.

to-correct = À corriger

matches-to-see = Des parties à parcourir, telles que ton bot les a vues

lost-by = perdue par { $code }

largest-loss =
    { $by ->
        [one] perdue de { $by } point, la plus large défaite ici
       *[other] perdue de { $by } points, la plus large défaite ici
    }

correct-first = Il n’a pas pu être lancé : corrige d’abord cela, et regarde avec `leyden check .` s’il tourne.

correct-listed = Corrige d’abord ce qui est listé ; `leyden check .` dans le dossier du bot dit si c’est réparé.

most-left = Aucune faute n’a été trouvée. C’est dans la partie « { $part } » qu’il manque le plus de points : parcours les parties qu’il a le plus largement perdues, et demande-toi à chaque tour ce que ferait `leyden play` avec l’entraîneur (k).

none-left = Aucune faute n’a été trouvée, et aucun point ne manque. Joue contre des bots plus forts : `leyden match . builtin:strong`.

called = Sur les pages publiques, ton bot s’appelle « { $name } ».
