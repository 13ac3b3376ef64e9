### Die Seite mehrerer Turniere nacheinander: `leyden compare --html`.

title = Von { $first } bis { $last }
headline =
    { $tournaments ->
        [one] { $tournaments } Turnier
       *[other] { $tournaments } Turniere nacheinander
    }
ratings = Wertungen
ratings-of-it = Seine Wertungen nacheinander
last-change = Letzte Änderung ± 95 %
scale = In jeder Spalte die Wertung eines Bots, in Klammern sein Rang. Die Wertungen stehen auf der Skala des letzten Turniers: Die jedes früheren sind alle um den gleichen Betrag verschoben, so dass die Bots, die bis zum nächsten gleich geblieben sind, in beiden das gleiche Mittel haben. Blieb kein Bot gleich, gibt es keine gemeinsame Skala, und die früheren Wertungen fehlen.
moved =
    { $any-time ->
        [yes] Ein Bot hat sich bewegt, wenn die letzte Änderung größer ist als ihr ±; mit 95 % gilt das für alle Bots des Schritts zusammen, jederzeit. Senkrechte Striche in den Zeichnungen sind die 95 % jeder Wertung in ihrem eigenen Turnier.
       *[no] Ein Bot hat sich bewegt, wenn die letzte Änderung größer ist als ihr ±; mit 95 % gilt das für alle Bots des Schritts zusammen. Senkrechte Striche in den Zeichnungen sind die 95 % jeder Wertung in ihrem eigenen Turnier.
    }
change =
    { $change ->
        [joined] neu dabei
        [changed] geändert
       *[gone] nicht mehr dabei
    }
