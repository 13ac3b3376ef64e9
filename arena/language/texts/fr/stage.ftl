### La scène d’un événement : ce que voient le public et l’organisation. Les mots des tournois sont au début de tournament.ftl.

## Ce que voit le public.

title = Scène

stage-of = La scène de { $name }

without-scripts = Sans scripts, cette page montre ce qui était sur la scène lors du chargement.

block = Bloc { $block }

round = Ronde { $round }

round-of-stage = Phase { $stage }, ronde { $round }

further-pairs = { $round }, autres paires des rencontres à égalité

the-end = La fin

match-of = { $round } · partie { $at } sur { $of }

match-of-so-far = { $round } · { $points } jusqu’ici · partie { $at } sur { $of }

its-round = { $caption }, sa manche { $round }

its-round-as-seen = { $caption }, sa manche { $round } · vue par { $name }

thought-for = A réfléchi pendant { $time }.

holds-tiles =
    { $count ->
        [one] a { $count } domino
       *[other] a { $count } dominos
    }

chance-to-win = Chances de gagner

what-is-shown = Ce qui est montré

by-margin = { $scores }, de { $margin }

by-fault = { $scores } : { $fault }

begins =
    { $now ->
        [yes] { $round } commence maintenant
       *[no] { $round } commence dans
    }

and-more = et { $more } autres

## Qui a gagné, et quand cela s’est décidé.

nobody-won = Personne n’a gagné

the-winner-is =
    { $shared ->
        [yes] Le premier rang est partagé par
       *[no] La victoire revient à
    }

won-against = { $own } : { $other } contre { $rival }

won-by-points =
    { $count ->
        [one] { $own } sur { $count } point, { $ahead } d’avance sur { $second }
       *[other] { $own } sur { $count } points, { $ahead } d’avance sur { $second }
    }

ahead-since-match = En tête pour de bon depuis la partie { $since } sur { $of }.

ahead-since-block = Devant tous les autres depuis le bloc { $since } sur { $of }.

by-score-alone = D’après le seul score : en tête pour de bon depuis la manche { $since } sur { $of }.

never-below = Les chances du vainqueur n’ont jamais été sous la moitié.

no-answer = pas de réponse

decided-by = Cela s’est décidé à la manche { $round } par { $name } : { $act }. Les chances du vainqueur sont passées de { $before } à { $after } %, et ne sont plus jamais tombées sous la moitié.

## Ce que voit l’organisation.

organiser = Organisation

for-organiser = La scène de { $name } : pour l’organisation

the-token = Le jeton que leyden a affiché

open = Ouvrir

no-server = Le serveur est injoignable.

the-match = La partie

round-beginning = Début de la manche

step = Coup suivant

round-over = Fin de la manche

moment-of = moment { $at } sur { $last }

moment-of-then =
    { $count ->
        [one] moment { $at } sur { $last }, puis { $count } partie
       *[other] moment { $at } sur { $last }, puis { $count } parties
    }

how-shown = Comment elle est montrée

hands = Mains

all-hands = toutes

moment-takes = Un moment dure

show = Montrer

name = Titre

standings = Classement

winner = Vainqueur

countdown = Compte à rebours

what-is-revealed = Révéler les résultats

reveal = Révéler : { $round }

all-revealed = Tout ce qui a été joué est révélé.

matches = Parties

round-state =
    { $state ->
        [revealed] révélée
        [played] ces résultats ne sont visibles qu’ici
       *[unplayed] pas jouée jusqu’au bout
    }

closest = La plus serrée aux points

latest = Décidée le plus tard

ahead-since = en tête depuis la manche { $since } sur { $of }

revealed = révélée

more-of-meeting = … et { $more } autres
