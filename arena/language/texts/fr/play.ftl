### La table d’une personne : dans le terminal, et comme page. Les mots du jeu sont au début de rules.ftl.

## Les adversaires.

level-name =
    { $level ->
        [1] premiers pas
        [2] débutant
        [3] facile
        [4] moyen
        [5] difficile
        [6] très difficile
        [7] expert
       *[8] maître
    }

level-plays =
    { $level ->
        [1] fait n’importe quoi de permis
        [2] pose n’importe quel domino qui va
        [3] pose son domino le plus lourd
        [4] garde les matadors et ce qu’il pourra poser ensuite
        [5] te laisse peu de possibilités
        [6] essaie ses dominos sur des donnes cachées
        [7] déduit tes dominos de ce que tu as pioché
       *[8] devine tes dominos d’après tout ce que tu as fait
    }

## L’entraîneur.

only-deal = la seule donne compatible avec ce que tu as vu

deals = { $deals } donnes compatibles avec ce que tu as vu

equally-good = Tous les coups se valent ici.

wins-more = Avec « { $one } », tu gagnes la manche dans { $first } de ces donnes sur 100, avec « { $two } » dans { $second }.

leaves-less = « { $one } » te laisse { $first } points en main en moyenne, « { $two } » { $second }.

scores-more = « { $one } » rapporte en moyenne { $more } points de plus que « { $two } ».

draw-then-decide = Après avoir pioché, tu décides à nouveau avec le nouveau domino, ce qui vaut plus que ces donnes ne le montrent.

alike = « { $one } » et « { $two } » se valent sur ces donnes.

keeps = De plus, tu gardes { $tile }, un matador, pour un bout où rien d’autre ne va.

## Dans le terminal.

you-play =
    Tu joues contre { $others } : { $game }.
    Tape ? pour l’aide.

you-watch =
    { $names } : { $game }.
    Entrée continue, q arrête.

game = { $rules } avec { $set }, en { $target } points, { $aim }

commands =
    Tape le numéro d’une action, ou l’action elle-même, comme N:4-1, S:2|5 ou draw. Les branches sont N (haut), E (droite), S (bas), W (gauche) ; N:4-1 pose 1-4 avec le 4 qui touche, S:2|5 pose 2-5 en travers.
    {"  "}d  piocher    r  refuser l’entame    l  dessiner la chaîne    h  ce qui va où    k  demander à l’entraîneur
    {"  "}u  reprendre ta dernière décision : à partir de là, c’est un entraînement, et rien n’est enregistré
    {"  "}resign  abandonner : rien n’est enregistré    ?  cette liste    `leyden rules` explique le jeu

back-to-decision = Retour à ta dernière décision. C’est un entraînement maintenant : rien n’est enregistré.

machine-busy = La machine était trop occupée ; la partie reprend là où elle en était.

your-move = Ton coup :

no-advice = L’entraîneur n’a rien à dire.

arm-takes = { $letter } { $arm } : montre { $end }, prend { $taken }

arm-waits = { $letter } { $arm } : montre { $end }, attend

holds = { $name } en a { $count }

held = { $others } ; { $boneyard } au talon, { $drawable } à piocher

your-hand-is =
    { $pips ->
        [one] Ta main : { $hand } ({ $pips } point)
       *[other] Ta main : { $hand } ({ $pips } points)
    }

hint-line = Conseil : { $hint }

kept-in = Enregistrée dans { $path } : leyden replay { $path } { $id }

practised = C’était un entraînement : rien n’est enregistré.

resigned = Tu as abandonné : rien n’est enregistré.

actions-range = Il y a les actions 1 à { $last }.

not-a-command = { $typed } n’est pas une commande : tape un numéro, une action comme N:4-1, ou ? pour l’aide.

not-possible =
    { $number ->
        [one] { $action } n’est pas possible maintenant : tape l’action ci-dessus.
       *[other] { $action } n’est pas possible maintenant : tape l’une des { $number } actions ci-dessus.
    }

coach-says = L’entraîneur, sur { $deals } (il ne voit rien de plus que toi) :

coach-ahead = { $win } % de gagner la partie ; après cette manche, tu as { $points } points d’avance { $action }

coach-behind = { $win } % de gagner la partie ; après cette manche, tu as { $points } points de retard { $action }

table-empty = La table est vide.

nothing-to-take-back = Il n’y a rien à reprendre.

## Sur la page.

title = Jouer · Leyden Arena

rules-and-keys = Aide

needs-scripts = La table a besoin de scripts ; avec `leyden play --text`, tu joues dans le terminal.

a-table = Une table

your-hand = Ta main

scores = Scores

coach = Entraîneur

what-happened = Ce qui s’est passé

match-by-rules = Une partie de { $rules }

opponents = Adversaires

who-against = Contre qui veux-tu jouer ?

rules = Règles

five-pictures = Le jeu en cinq images

no = Non

yes = Oui

key-tile = choisir un domino

key-end = choisir un bout ; en regardant des bots : un coup

key-lay = poser le domino là

key-matador = un matador : petite moitié qui touche, grande moitié qui touche, en travers

key-coach = l’entraîneur

key-hints = conseils ou non ; au début, il y en a pendant la première manche

key-undo = reprendre ta dernière décision ; ensuite, c’est un entraînement

key-nothing = ne rien choisir

key-help = cette page

looking-on = tu regardes

match-counts = la partie compte

practice = entraînement : rien n’est enregistré

end-shows = { $arm } : montre { $end }, prend { $taken }

draw-a-tile = Piocher un domino

in-boneyard = { $boneyard } au talon,

can-be-drawn = { $drawable } à piocher

your-turn = À toi de jouer.

press-step = Appuie sur « Un coup ».

tiles-and-pips =
    { $count ->
        [one] { $count } domino
       *[other] { $count } dominos
    } · { $pips ->
        [one] { $pips } point
       *[other] { $pips } points
    }

no-fit = ne va pas

any-end = tout bout

as-lead = entame

choose-a-tile = Choisis un domino.

at-which-end = { $tile } : à quel bout ?

how-to-lie = { $tile } est un matador : comment le poser ?

press-enter = { $tile } : Entrée pour le poser.

in-line-so = { $arm } : { $touching } touche, { $end } est au bout

across-so = { $arm } : en travers, { $low } et { $high } sont au bout

refuse-to-lead = Refuser l’entame

you-lead = À toi l’entame.

step = Un coup

to-target = en { $target }, { $aim }

who = qui

total = Total

action = action

wins = gagne

points = points

and-more = et { $number } autres

how-often = À quelle fréquence tu gagnes la partie, et combien de points d’avance cette manche te donne, sur { $deals }. Il ne regarde jamais les dominos cachés.

coach-waits = Il conseille quand c’est à toi de jouer.

hints = Conseils

on = oui

off = non

so-far = Jusqu’ici

undo = Reprendre

latest-first = Ce qui s’est passé, le plus récent d’abord

resign = Abandonner

match-is-over = La partie est finie

stored-where = Elle est enregistrée ; le terminal montre où.

replay = Revoir

another-match = Une autre partie

leave = Quitter la table

gave-up = Tu as abandonné la partie : rien n’est enregistré.

not-stored = Elle n’a pas pu être enregistrée : { $why }

cannot-continue = La partie ne peut pas continuer : { $why }. Rien n’est enregistré.

no-answer = La table ne répond pas : leyden a fini ou a été arrêté.

take-back-really = Reprendre ? À partir de là, c’est un entraînement, et rien n’est enregistré.

give-up-really = Abandonner la partie ? Rien n’est enregistré.

## Les règles en cinq images.

halves-add-up = Les moitiés qui se touchent font { $sum } ensemble : 3 et { $partner }.

matadors-fit = { $matadors } sont des matadors et vont sur tout bout. Tous sauf 0-0 peuvent aussi être en travers : l’une ou l’autre moitié peut alors être touchée.

blank-takes = Seul un matador peut toucher un blanc.

opening =
    { $shape ->
        [line] On entame avec un double, posé dans l’alignement ; la ligne s’allonge aux deux bouts.
       *[spinner] On entame avec un double, posé à plat. { $opening ->
            [sides] Les deux premiers dominos vont sur ses longs côtés, en haut et en bas ; ses petits côtés s’ouvrent ensuite.
            [cross] Les quatre premiers dominos vont un sur chacun de ses côtés, longs et petits ; les quatre sont ensuite ouverts.
           *[none] Ses longs et ses petits côtés sont ouverts tout de suite.
        }
    }

drawing =
    { $drawing ->
        [any] Tu peux piocher autant que tu veux, et tu dois piocher tant que rien ne va ; les { $reserve } derniers dominos restent.
       *[one] Quand rien ne va, pioche un domino, et passe s’il ne va pas non plus.
    }

round-end =
    { $scoring ->
        [own-hand] Quand une main est vide, ou que personne ne peut poser, chacun ajoute les points de sa main.
        [all-hands] Quand une main est vide, ou que personne ne peut poser, la main la plus légère ajoute les points de toutes.
       *[difference] Quand une main est vide, ou que personne ne peut poser, la main la plus légère ajoute les points des autres, moins les siens.
    }

match-end = En { $target } : { $aim }.
