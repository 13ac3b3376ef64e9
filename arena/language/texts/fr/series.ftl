### La page de plusieurs tournois à la suite : `leyden compare --html`.

title = De { $first } à { $last }
headline =
    { $tournaments ->
        [one] { $tournaments } tournoi
       *[other] { $tournaments } tournois à la suite
    }
ratings = Cotes
ratings-of-it = Ses cotes à la suite
last-change = Dernier changement ± 95 %
scale = Dans chaque colonne, la cote d’un bot, et son rang entre parenthèses. Les cotes sont sur l’échelle du dernier tournoi : celles de chaque tournoi précédent sont décalées d’un même nombre, pour que les bots restés inchangés jusqu’au suivant aient la même moyenne dans les deux. Quand aucun n’est resté inchangé, il n’y a pas d’échelle commune, et les cotes précédentes sont omises.
moved =
    { $any-time ->
        [yes] Un bot a bougé si le dernier changement est plus grand que son ± ; à 95 %, cela vaut pour tous les bots de l’étape ensemble, à tout moment. Les traits verticaux des dessins sont les 95 % de chaque cote dans son propre tournoi.
       *[no] Un bot a bougé si le dernier changement est plus grand que son ± ; à 95 %, cela vaut pour tous les bots de l’étape ensemble. Les traits verticaux des dessins sont les 95 % de chaque cote dans son propre tournoi.
    }
change =
    { $change ->
        [joined] nouveau
        [changed] changé
       *[gone] parti
    }
