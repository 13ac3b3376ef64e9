### Les mots du jeu, ici et dans tous les textes français. On tutoie.
###
### tile domino · half moitié · pips points · blank blanc · double double · matador matador · set jeu (double-six)
### hand main · boneyard talon · reserve réserve · seat place · table table · layout chaîne · arm branche · end bout · spinner spinner
### lead entame, entamer · opening ouverture · play poser · in line en ligne · across en travers · draw piocher · pass passer
### refuse refuser l’entame · deal distribuer, donne · round manche · match partie · go out faire domino · blocked bloquée
### score score · points points · target objectif

rule-sets =
    # Règles

    { $sets }

    Pour en apprendre une, ou pour vérifier un point :

    $ leyden rules leyden
    $ leyden rules matador --seats 4 --set 9

summary =
    { $name ->
        [leyden] le jeu de Celko, celui par défaut : les points sont mauvais, et les deux premiers dominos vont en N et en S
        [leyden-cross] le jeu « last to 100 » : les points sont mauvais, et on forme d’abord une croix
        [leiden] le jeu « first to 100 » : les points sont bons, et qui gagne une manche les prend tous
        [senst] la variante de Senst du jeu de Celko : les points sont bons, et jamais deux matadors de suite en travers
        [leyden-free] un jeu sans ouverture : les points sont mauvais, et le plus petit double entame chaque manche
       *[matador] le domino russe, en ligne, de 2 à 8 joueurs et avec de plus grands jeux : les points sont bons
    }

start =
    # { $name }

    C’est { $summary }. Il est expliqué ici pour { $seats } joueurs avec le jeu { $top ->
        [6] double-six
        [9] double-neuf
       *[12] double-douze
    }.

    # But du jeu

    { $seats ->
        [2] Débarrasse-toi de tes dominos avant l’autre joueur.
       *[other] Débarrasse-toi de tes dominos avant les autres.
    }
    { $scoring ->
        [own-hand] À la fin d’une manche, chacun ajoute à son score les points restés dans sa main.
        [all-hands] Qui gagne une manche ajoute à son score les points restés dans toutes les mains.
       *[difference] Qui gagne une manche ajoute à son score les points restés dans { $seats ->
            [2] l’autre main
           *[other] les autres mains
        }.
    }
    { $wins ->
        [lower] Les points sont mauvais : dès qu’un joueur a { $target } ou plus, la partie est finie, et { $seats ->
            [2] le score le plus bas des deux
           *[other] le score le plus bas
        } gagne.
       *[higher] Les points sont bons : dès qu’un joueur a { $target } ou plus, la partie est finie, et { $seats ->
            [2] le score le plus haut des deux
           *[other] le score le plus haut
        } gagne.
    }

    # Dominos

    Un domino a deux moitiés. Chaque moitié porte de 0 à { $top } points ; une moitié sans point est un blanc. 2-5 est le domino qui porte
    un 2 et un 5 : on écrit le plus petit nombre d’abord. Un double a deux moitiés égales, comme 3-3. Le jeu { $top ->
        [6] double-six
        [9] double-neuf
       *[12] double-douze
    } compte { $size } dominos, tous différents.

    Les matadors sont les jokers du jeu : 0-0, et tous les dominos dont les moitiés font { $sum } ensemble. Dans ce jeu, ce sont
    { $matadors }.

    # Donne

    Mélange les dominos, faces cachées. Chacun en prend { $hand }. C’est sa main, que personne d’autre ne doit voir. Les { $boneyard } autres
    forment le talon, où l’on pioche.
    { $reserve ->
        [0] {""}
        [1] Le dernier est la réserve, que personne ne peut piocher.
       *[other] Les { $reserve } derniers sont la réserve, que personne ne peut piocher.
    }

    Chaque joueur a une place. Les places portent les numéros { $seats ->
        [2] 0 et 1
       *[other] 0 à { $last-seat }
    }, et les joueurs jouent à tour de rôle dans cet ordre.

    # Entame

    Le premier domino d’une manche est l’entame. C’est toujours un double.

    { $leading }

    { $refusing ->
        [yes] Si tu refuses, l’autre joueur a le même choix ; les dominos piochés restent où ils sont. Si vous refusez tous les deux,
            personne ne marque. On mélange et on redistribue, et c’est encore à toi de choisir d’abord. Après { $refused-deals } donnes de
            suite refusées ainsi, qui peut entamer ou piocher n’a plus le droit de refuser.
       *[no] {""}
    }

    Après l’entame, c’est à la place suivante de jouer.

leading =
    { $when ->
        [every] À chaque manche
        [first] À la première manche
       *[later] Dans les manches suivantes
    }, { $rule ->
        [lowest] celui qui tient le plus petit double l’entame ; 0-0 ne compte pas. Personne ne pioche avant, et il n’y a rien à choisir. Si
            personne n’a de double autre que 0-0, on mélange et on redistribue.
        [highest] celui qui tient le plus grand double l’entame, même si c’est 0-0. Personne ne pioche avant, et il n’y a rien à choisir. Si
            personne n’a de double, on mélange et on redistribue.
        [highest-holder] celui qui tient le plus grand double commence ; 0-0 ne compte pas. Si c’est toi, tu peux d’abord piocher autant de
            dominos que tu veux{ $reserve ->
                [yes] , sauf la réserve
               *[no] {""}
            }. Puis tu entames avec l’un de tes doubles, sauf 0-0 : ce n’est pas forcément le plus grand. Si personne n’a de double autre
            que 0-0, on mélange et on redistribue.
       *[loser] celui qui a perdu la manche précédente peut entamer. Si c’est toi, tu peux d’abord piocher autant de dominos que tu
            veux{ $reserve ->
                [yes] , sauf la réserve
               *[no] {""}
            }. Puis tu entames avec l’un de tes doubles, sauf 0-0, ou tu refuses l’entame.
    }

layout =
    # Chaîne

    { $shape ->
        [spinner] L’entame est posée à plat au milieu. On l’appelle ici le spinner, car quatre branches en partent : N vers le haut et S vers
            le bas depuis ses longs côtés, E vers la droite et W vers la gauche depuis ses petits côtés.
       *[line] L’entame est posée à plat au milieu, dans l’alignement des dominos à venir. Deux branches partent de ses petits côtés et ne
            font qu’une ligne : E va vers la droite, W vers la gauche.
    } L’endroit où une branche s’arrête est son bout. Tant qu’une branche n’a pas de domino, son bout montre les points de l’entame.

    { $opening ->
        [sides] La manche a une ouverture. Le premier domino après l’entame va en N ou en S, et le deuxième de l’autre côté. Tant que les deux
            n’y sont pas, E et W sont fermées. Ensuite, les quatre branches sont ouvertes.
        [cross] La manche a une ouverture. Les quatre premiers dominos après l’entame vont chacun sur une branche, dans n’importe quel ordre.
            Une branche qui a son domino est fermée tant que les autres n’ont pas le leur. Ensuite, les quatre branches sont ouvertes.
       *[none] Toutes les branches sont ouvertes dès le début.
    }

    Supposons que 3-3 soit entamé. Les lettres marquent où l’on peut poser maintenant :

    { $drawing }

joining =
    # Ce qui va où

    Deux moitiés qui se touchent doivent faire { $sum } ensemble : { $pairs }. L’autre moitié de ton domino est le nouveau bout. Rien ne fait
    { $sum } avec un blanc : un bout blanc n’accepte donc que les matadors.

    Un matador va sur toute branche ouverte, quel que soit son bout : à côté de l’entame, sur un blanc, sur un autre matador. On peut le poser
    de deux façons :

    - En ligne. N’importe laquelle de ses moitiés touche, et l’autre est le nouveau bout.
    - En travers. Les deux moitiés sont alors le bout, et le domino suivant peut aller avec l’une ou l’autre.

    { $doubles-number ->
        [1] { $doubles } se pose seulement en ligne, comme tout domino qui n’est pas un matador : les doubles n’ont pas de pouvoir propre.
       *[other] { $doubles } se posent seulement en ligne, comme tout domino qui n’est pas un matador : les doubles n’ont pas de pouvoir
            propre.
    }
    { $across-on-across ->
        [yes] Un matador peut même être posé en travers sur un matador déjà en travers.
       *[no] Sur un matador posé en travers, le matador suivant se pose seulement en ligne.
    }

    Voici deux coups après l’entame 3-3. Chacun s’écrit ainsi : la branche, la moitié qui touche, le nouveau bout. Une barre entre les moitiés
    signale un domino en travers.

    { $first-turns }

    { $first-drawing }

    Le bout de { $across-arm } est maintenant { $low } ou { $high }. On peut y poser { $high }, car { $high } + { $low } = { $sum }, et on peut y poser { $low }, car
    { $low } + { $high } = { $sum }.

    { $opening ->
        [none] {""}
        [open] C’était l’ouverture : maintenant, les quatre branches sont ouvertes.
       *[closed] L’ouverture n’est pas finie : seules { $open-arms } sont ouvertes.
    }

    Quelques coups plus tard :

    { $later-turns }

    { $later-drawing }

    Matadors mis à part, voici ce qui va maintenant :

    { $fitting }

pair =
    { $which ->
        [first] { $low } va avec { $high }
       *[later] { $low } avec { $high }
    }

fits = | { $arm } montre { $shown } | tout domino avec { $partners }

pips = un { $pips }

turn =
    # Ton tour

    { $drawing ->
        [any] Tu poses un domino. Avant, tu peux piocher autant de dominos que tu veux, { $reserve ->
            [yes] jusqu’à la réserve
           *[no] jusqu’à ce que le talon soit vide
        }. Piocher ne met pas fin à ton tour : si l’un de tes dominos va alors, tu dois en poser un.

            Si aucun de tes dominos ne va, tu dois piocher jusqu’à en avoir un qui va. Tu ne passes que si aucun ne va et qu’il n’y a plus
            rien à piocher.
       *[one] Si l’un de tes dominos va, tu dois en poser un, sans piocher. Si aucun ne va, tu dois en piocher un : s’il va, tu le poses
            aussitôt ; sinon, tu passes. Quand { $reserve ->
            [yes] il ne reste que la réserve
           *[no] le talon est vide
        }, tu passes sans piocher.
    }

    # Fin d’une manche

    Une manche finit dès que l’une de ces choses arrive :

    - Un joueur a posé le dernier domino de sa main : il a fait domino.
    - De tous les dominos encore dans une main ou dans le talon{ $reserve ->
        [yes] , même dans la réserve
       *[no] {""}
    }, aucun ne va sur une branche ouverte. La manche est bloquée.
    - Personne n’a de domino qui va, et personne ne peut plus piocher. La manche est bloquée aussi.

    Par exemple, toutes les branches sont ouvertes et leurs bouts sont { $shape ->
        [spinner] 3, 3, 0 et 3
       *[line] 3 et 0
    }. Tous les matadors sont sur la table, comme tous les dominos avec un { $partner }. La manche est alors bloquée, même s’il reste des dominos
    à piocher. Mais tant qu’un seul domino avec un { $partner } est dans une main ou dans le talon{ $reserve ->
        [yes] , même dans la réserve
       *[no] {""}
    }, la manche ne finit pas ainsi : où il se trouve, seul celui qui le tient peut le savoir.

    Après cela, personne ne pioche ni ne passe. Chacun montre sa main, et on compte les points qui y restent.

    # Qui gagne la manche

    Qui fait domino gagne la manche, même si une autre main ne contient plus que 0-0. Dans une manche bloquée, la main qui a le moins de points
    gagne.
    { $refusing ->
        [yes] L’autre joueur a perdu et peut entamer la manche suivante. Si les deux mains ont autant de points, personne ne gagne, et
            celui qui a entamé cette manche peut entamer aussi la suivante.
       *[no] { $seats ->
            [2] Si les deux mains ont autant de points, personne ne gagne.
           *[other] Si plusieurs mains ont aussi peu de points, personne ne gagne.
        }
    }

scores =
    # Scores

    { $scoring ->
        [own-hand] Après chaque manche, chacun ajoute à son score les points de sa propre main, même si personne ne gagne.
        [all-hands] Après chaque manche, le gagnant ajoute à son score les points de toutes les mains, la sienne comprise. Si personne ne gagne
            la manche, personne n’ajoute rien.
       *[difference] Après chaque manche, le gagnant ajoute à son score les points { $seats ->
            [2] de l’autre main
           *[other] de toutes les autres mains
        }, moins ceux de la sienne. Si personne ne gagne la manche, personne n’ajoute rien.
    }

    - La place 0 fait domino, et il reste { $out-pips } points dans les mains : { $out-added }.
    - La manche est bloquée, et il reste { $blocked-pips } points dans les mains : { $blocked-added }.
    - La manche est bloquée, et il reste { $shared-pips } points dans les mains : { $shared-added }.

    # Fin de la partie

    Jouez manche après manche, jusqu’à ce que l’une d’elles finisse avec un joueur à { $target } ou plus. Alors, { $wins ->
        [lower] { $seats ->
            [2] le score le plus bas des deux
           *[other] le score le plus bas
        }
       *[higher] { $seats ->
            [2] le score le plus haut des deux
           *[other] le score le plus haut
        }
    } gagne. Si plusieurs joueurs ont ce score, la partie est nulle et personne ne gagne. Une partie qui n’est pas finie après { $limit } manches
    s’arrête là, avec les scores du moment.

    Supposons que les scores soient { $before } :

    { $last-rounds }

seat = la place{"\u00a0"}{ $seat }

seat-first = La place{"\u00a0"}{ $seat }

adds = { $seat } ajoute { $points }

adds-sum = { $seat } ajoute { $points }, c’est-à-dire { $sum }

adds-nothing = personne n’ajoute rien, car plusieurs mains sont les plus légères

last-round =
    { $drawn ->
        [yes] - Une manche est bloquée avec { $pips } points : les scores sont { $scores }, et la partie est nulle.
       *[no] - Une manche est bloquée avec { $pips } points : les scores sont { $scores }, et { $winner } gagne la partie.
    }

first-example =
    # Une manche à suivre

    Pose les dominos et joue en même temps. C’est une première manche, et voici les mains distribuées :

blocked-example =
    # Une manche bloquée à suivre

    C’est l’une des manches suivantes.
    { $refusing ->
        [yes] La place 0 a perdu la manche précédente : on lui demande donc d’abord si elle entame, et elle refuse.
       *[no] {""}
    }
    Voici les mains distribuées :

example =
    { $dealt }

    Maintenant, on joue. Chaque coup commence par le numéro de la place :

    { $first-turns }

    { $skipped ->
        [0] {""}
       *[other] { $skipped } coups plus tard :
    }

    { $last-turns }

    Cela donne cette chaîne :

    { $drawing }

    { $over } On montre les mains :

    { $left }

    Il reste { $pips } points dans les mains : { $added }.

hand =
    { $empty ->
        [yes] | place { $seat } | aucun domino
       *[no] | place { $seat } | { $tiles }
    }

led =
    { $rule ->
        [lowest] l’entame : le plus petit double, sauf 0-0
        [highest] l’entame : le plus grand double
        [highest-holder] l’entame : un double au choix de celui qui tient le plus grand
       *[loser] l’entame : un double au choix de cette main, sauf 0-0
    }

laid-by-the-sum =
    { $end ->
        [0] { $touching } + { $met } = { $sum } ; le nouveau bout est 0, un blanc
       *[other] { $touching } + { $met } = { $sum } ; le nouveau bout est { $end }
    }

laid-matador =
    { $end ->
        [0] un matador, en ligne sur { $met } ; le nouveau bout est 0, un blanc
       *[other] un matador, en ligne sur { $met } ; le nouveau bout est { $end }
    }

laid-across = un matador, en travers sur { $met } ; le nouveau bout est { $end }

drawn = aucun domino ne va : on en pioche un

passed = aucun domino ne va, et on ne peut plus piocher : on passe

refused = pas d’entame ; c’est à l’autre joueur de choisir

further =
    # Comment cela s’écrit

    Les bots et les enregistrements écrivent ainsi tout ce qu’un joueur peut faire :

    | lead:3-3 | 3-3 est entamé
    | { $in-line } | en ligne sur une branche : la moitié qui touche, puis le nouveau bout
    | { $across } | en travers sur une branche : la plus petite moitié d’abord
    | draw | un domino est pioché ; draw:0-6 dit lequel
    | pass | aucun domino n’est posé
    { $refusing ->
        [yes] | refuse | aucun double n’est entamé
       *[no] {""}
    }

    # Pour continuer

    Jouer soi-même, dans le navigateur ou avec --text dans le terminal :

    $ { $play-command }

    Faire jouer une partie à des bots, et la voir coup par coup à partir du fichier nommé au début :

    $ { $match-command }
    $ leyden replay FILE

    { $larger ->
        [no] {""}
       *[yes] Apprendre le même jeu à plus de joueurs, ou avec un plus grand jeu :

            { $larger-table }
    }

    Faire jouer son propre bot, voir ce qu’il y a d’autre, voir les autres règles :

    $ leyden help match
    $ leyden help
    $ leyden rules
