### Ce que les pages et la ligne de commande disent d’un tournoi : formules, phases, changements, circonstances.
###
### standings classement · place rang · rating cote · round-robin toutes rondes · Swiss système suisse · knockout élimination directe
### stage phase · meeting rencontre · bye exempt · seed (hasard) graine · seed (tableau) tête de série · pair paire · pairing confrontation
### score score · margin avance · fault faute · strike avertissement · tie-break départage · gate test d’admission

## Les formules et les phases en peu de mots.

round-robin = un tournoi toutes rondes

single-match = une seule partie

gauntlet = { $names } contre tous les autres

tables-in-balance =
    { $tables ->
        [one] { $tables } table équilibrée
       *[other] { $tables } tables équilibrées
    }

swiss =
    { $rounds ->
        [one] un système suisse en { $rounds } ronde
       *[other] un système suisse en { $rounds } rondes
    }

groups =
    { $groups ->
        [one] { $groups } poule
       *[other] { $groups } poules
    }

knockout =
    { $third-place ->
        [yes] une élimination directe avec petite finale
       *[no] une élimination directe
    }

double-elimination = une double élimination

league = une ligue

league-of = une ligue en { $batches } étapes

stage-then = { $stage }, dont les { $best } meilleurs vont ensuite dans { $next }

balance = chaque bot est à { $tables } des tables, aussi souvent à chaque place, et deux bots se rencontrent à { $meetings }

from-to = { $from } à { $to }

## Les tableaux de points et d’élimination.

tie-break =
    { $tie ->
        [direct] directe
        [cut] BH-C1
        [buchholz] BH
        [sonneborn] SB
        [wins] victoires
       *[margin] avance
    }

round-column = R{ $round }

line-column = c. { $line }

bye-points = exempt { $points }

goes-on = qualifié

better-wins =
    { $pairs ->
        [one] Un bot qui gagne 55 % de ses parties contre un autre gagne une rencontre de { $pairs } paire dans { $first } % des cas ; avec 60 % dans { $second } %, avec 70 % dans { $third } %.
       *[other] Un bot qui gagne 55 % de ses parties contre un autre gagne une rencontre de { $pairs } paires dans { $first } % des cas ; avec 60 % dans { $second } %, avec 70 % dans { $third } %.
    }

final = Finale

semi-finals = Demi-finales

quarter-finals = Quarts de finale

bracket-round = Tour { $round }

losers-round = Second tableau, tour { $round }

for-third-place = Petite finale

grand-final =
    { $second ->
        [yes] Grande finale, seconde rencontre
       *[no] Grande finale
    }

## Ce qui a changé après la première partie.

change =
    { $known ->
        [yes] { $after ->
            [one] après { $after } partie, quand tout était joué et la graine publique : { $what }
           *[other] après { $after } parties, quand tout était joué et la graine publique : { $what }
        }
       *[no] { $after ->
            [one] après { $after } partie : { $what }
           *[other] après { $after } parties : { $what }
        }
    }

joined = { $bot } est arrivé

replaced = { $bot } a été remplacé par une autre version, et ses parties ont été rejouées

withdrawn =
    { $matches ->
        [0] { $bot } a été retiré, sans avoir joué
        [1] { $bot } a été retiré, et sa partie a été supprimée
       *[other] { $bot } a été retiré, et ses { $matches } parties ont été supprimées
    }

left-before = { $bot } est parti avant la ronde { $round }

blocks-changed = le nombre de blocs est passé de { $from } à { $to }

## Où un bot joue mieux ou moins bien.

against = contre { $rival }

in-seat = à la place { $seat }

in-game = dans { $game }

lead =
    { $own ->
        [yes] avec la première entame
       *[no] sans la première entame
    }

## Les titres de colonnes, qui commencent par une majuscule sur les pages.

place = rang

bot = bot

rating = cote

score = score

margin = avance

faults = fautes

points = points

where = où

matches = parties

by-rating = d’après sa cote

difference = différence, 95 %
