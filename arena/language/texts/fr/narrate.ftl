### Une partie en mots. Les mots du jeu sont au début de rules.ftl.

lead = entamer { $tile }

lay = { $touching }-{ $end } { $on-arm }

lay-across = { $tile } en travers { $on-arm }

draw = piocher un domino

pass = passer

refuse = refuser l’entame

arm =
    { $arm ->
        [N] branche du haut
        [E] branche de droite
        [S] branche du bas
       *[W] branche de gauche
    }

the-arm =
    { $arm ->
        [N] la branche du haut
        [E] la branche de droite
        [S] la branche du bas
       *[W] la branche de gauche
    }

side =
    { $arm ->
        [N] haut
        [E] droite
        [S] bas
       *[W] gauche
    }

on-arm =
    { $arm ->
        [N] sur la branche du haut
        [E] sur la branche de droite
        [S] sur la branche du bas
       *[W] sur la branche de gauche
    }

end =
    { $end ->
        [0] blanc
       *[other] { $end }
    }

pips = un { $pips }

matador-only = seulement un matador

set =
    { $set ->
        [6] double-six
        [9] double-neuf
       *[12] double-douze
    }

aim =
    { $wins ->
        [lower] le score le plus bas gagne
       *[higher] le score le plus haut gagne
    }

## Ce qu’un débutant doit savoir à son tour.

hint-lead = À toi l’entame : pose un double, mais pas 0-0.

hint-may-draw-first = Tu peux piocher avant.

hint-may-refuse = Tu peux aussi refuser, et la laisser aux autres.

hint = Les moitiés qui se touchent font { $sum } ensemble : { $takes }.

takes = { $arm } prend { $taken }

waiting =
    { $number ->
        [one] Jusqu’à la fin de l’ouverture, { $arms } doit attendre.
       *[other] Jusqu’à la fin de l’ouverture, { $arms } doivent attendre.
    }

hint-draw = Rien ne va : pioche.

hint-may-draw = Tu peux aussi piocher, autant que tu veux.

## Ce qui s’est passé. Celui qui est à la table est « tu ».

you = Toi

act-led =
    { $own ->
        [yes] Tu entames avec { $tile }
       *[no] { $name } entame avec { $tile }
    }

act-played =
    { $own ->
        [yes] Tu poses { $tile }
       *[no] { $name } pose { $tile }
    }

act-drew =
    { $own ->
        [yes] Tu pioches { $tile }
       *[no] { $name } pioche { $tile }
    }

act-drew-hidden =
    { $own ->
        [yes] Tu pioches un domino
       *[no] { $name } pioche un domino
    }

act-passed =
    { $own ->
        [yes] Tu passes
       *[no] { $name } passe
    }

act-refused =
    { $own ->
        [yes] Tu refuses l’entame
       *[no] { $name } refuse l’entame
    }

played =
    { $own ->
        [yes] Tu poses { $tile } { $on-arm } : { $why }. { $now }
       *[no] { $name } pose { $tile } { $on-arm } : { $why }. { $now }
    }

played-across =
    { $own ->
        [yes] Tu poses { $tile } en travers { $on-arm } : { $why }. { $now }
       *[no] { $name } pose { $tile } en travers { $on-arm } : { $why }. { $now }
    }

now-shows =
    { $end ->
        [0] Elle montre maintenant un blanc.
       *[other] Elle montre maintenant { $end }.
    }

why-matador = un matador va sur tout bout

strike-against =
    { $own ->
        [yes] Un avertissement pour toi : { $code }. La première action possible a été jouée à la place.
       *[no] Un avertissement pour { $name } : { $code }. La première action possible a été jouée à la place.
    }

dealt = Manche { $round } : on distribue.

dealt-again = Manche { $round } : on redistribue.

out =
    { $own ->
        [yes] Tu as fait domino : la manche est finie.
       *[no] { $name } a fait domino : la manche est finie.
    }

blocked =
    { $fits ->
        [nothing] La manche est bloquée : aucun domino restant ne va. { $lightest }
       *[unknown] La manche est bloquée : personne ne peut poser ni piocher. { $lightest }
    }

lightest =
    { $own ->
        [yes] Tu as la main la plus légère.
       *[no] { $name } a la main la plus légère.
    }

lightest-equal = Les mains les plus légères sont à égalité.

nobody-leads = Personne n’entame : on redistribue la manche.

no-double = Il n’y a pas de double pour entamer : on redistribue la manche.

cut-short = La partie a été interrompue ici.

ending =
    { $end ->
        [dominoed] domino
        [blocked] bloquée
        [refused] personne n’entame
        [no-double] aucun double à entamer : redistribuée
       *[unfinished] interrompue
    }

left-in-hand = Restent en main : { $hands }.

no-tile-of = { $name } : aucun domino

tiles-of =
    { $pips ->
        [one] { $name } : { $tiles } ({ $pips } point)
       *[other] { $name } : { $tiles } ({ $pips } points)
    }

points = Points : { $points }. Scores : { $scores }.

lost-by-fault =
    { $own ->
        [yes] Tu as perdu par une faute : { $code }
       *[no] { $name } a perdu par une faute : { $code }
    }

wins =
    { $own ->
        [yes] Tu gagnes la partie
       *[no] { $name } gagne la partie
    }

nobody-wins = Personne ne gagne

drawn = Partie nulle : personne ne gagne

match-over = { $winner }. Scores finaux : { $scores }.

round-limit = La limite de manches est atteinte.

beat = { $bot } a battu { $others }

lost-by-fault-to = { $bot } a perdu par une faute contre { $others }

drew-with = { $bot } a fait nulle avec { $others }

## Une partie, ou un moment d’une partie, pour un terminal.

match-title = partie { $id } · bloc { $block }, match { $leg } · tournoi { $tournament }

moment-title = partie { $id } · { $turn-ref } · { $rules } avec { $set }

rules-title = { $rules } avec { $set }, en { $target } points : { $aim }

seats-label = places :

seen-from = vu de la place { $seat }

round-title =
    { $redeal ->
        [0] manche { $round } · scores { $scores }
       *[other] manche { $round }, redistribuée ({ $redeal }) · scores { $scores }
    }

end-title = fin · scores { $scores }

to-act = à jouer : { $name }

to-act-turn = à jouer : { $name } (tour { $turn } de cette place)

to-act-unasked = à jouer : { $name } (il n’y avait pas de choix, personne n’a été interrogé)

ends-label = bouts

boneyard-label = talon

reserve-label = réserve

history-label = coups

legal-label = possible

legal-list = possible :

tiles =
    { $count ->
        [one] { $count } domino
       *[other] { $count } dominos
    }

boneyard = talon { $boneyard }, dont { $drawable } à piocher

boneyard-tiles = { $boneyard } : { $tiles }

no-answer = la partie a fini ici, sans réponse

answered = réponse après { $time }

either-half = en travers : l’une ou l’autre moitié convient

last-tile = le dernier domino : domino !

strike = avertissement : { $code } ; la première action possible a été jouée à la place

forced = sans choix

did-led = entame avec { $tile }

did-play = { $action }, bout { $end }

did-play-across = { $action } en travers, bout { $end }

did-draw = pioche { $tile }

did-draw-hidden = pioche un domino

did-pass = passe

did-refuse = refuse l’entame

no-tile-left = plus de domino

settled = { $pips } points en main { $points } marqués  score { $score }

cut-short-at = La partie a été interrompue en { $turn-ref }.

turn-of = C’était le tour de { $name }.

off-turn =
    { $stopped ->
        [yes] { $name } a calculé pendant { $time } hors de son tour, et a été arrêté ensuite
       *[no] { $name } a calculé pendant { $time } hors de son tour
    }

last-lines = les dernières lignes que { $name } a écrites sur sa sortie d’erreur :

## Ce qui est écrit à une table, sur les pages et dans le terminal.

round = Manche { $round }

score = score

the-table = La table

on-the-table = Les dominos sur la table

nothing-laid = rien n’est encore posé
