### Noten: was zu sehen war und was Lernende lesen. Angeredet wird mit du.

## Was von einem Teil der Note zu sehen war: Glieder einer Aufzählung.

cannot-run = er lässt sich nicht ausführen

nothing-checked = nichts ließ sich prüfen

findings-good = { $good } von { $all } Prüfungen bestanden

not-tried = { $count } nicht versucht: { $names }

scores = Quote { $score } % in { $matches } Partien

scores-without-luck = Quote { $score } % ohne Glück, { $played } % wie gespielt, in { $matches } Partien

full-from = alle Punkte ab { $full } %

all-lost = jede Partie ging durch { $code } verloren, also wurden die übrigen { $rest } nicht gespielt

time-was-up = die übrigen { $rest } wurden nicht gespielt, weil die Zeit um war

matches-void =
    { $count ->
        [one] { $count } Partie war ungültig, und ihr Paar fehlt, weil der Rechner überlastet war: noch einmal bewerten
       *[other] { $count } Partien waren ungültig, und ihre Paare fehlen, weil der Rechner überlastet war: noch einmal bewerten
    }

and-also = { $first }; { $second }

## Tabellen und Überschriften.

part = Teil

points = Punkte

of = von

another-seed-column = anderer Startwert (95 %)

seen = Befund

check = Prüfung

against = gegen { $bot }

heading =
    { $graded ->
        [yes] { $bot }: { $points } von { $most }, Note { $grade }
       *[no] { $bot }: { $points } von { $most }
    }

title =
    { $graded ->
        [yes] { $bot }: { $points } von { $most } Punkten, Note { $grade }
       *[no] { $bot }: { $points } von { $most } Punkten
    }

another-seed =
    { $graded ->
        [yes] ein anderer Startwert gibt { $points } Punkte (95 %) und in { $share } % der Fälle eine andere Note
       *[no] ein anderer Startwert gibt { $points } Punkte (95 %)
    }

in-all = Insgesamt gilt: { $another-seed }.

other-deals =
    { $graded ->
        [yes] Ein anderer Startwert mit anderen Verteilungen gibt insgesamt { $points } Punkte (95 %) und in { $share } % der Fälle eine andere Note.
       *[no] Ein anderer Startwert mit anderen Verteilungen gibt insgesamt { $points } Punkte (95 %).
    }

## Für Lernende.

to-correct = Zu berichtigen

matches-to-see = Partien zum Durchgehen, wie dein Bot sie sah

lost-by = verloren durch { $code }

largest-loss =
    { $by ->
        [one] mit { $by } Punkt Abstand verloren, höher als jede andere hier
       *[other] mit { $by } Punkten Abstand verloren, höher als jede andere hier
    }

correct-first = Er ließ sich nicht ausführen: Berichtige das zuerst und sieh mit `leyden check .` nach, ob er läuft.

correct-listed = Berichtige zuerst, was hier steht; `leyden check .` im Ordner des Bots sagt, ob es behoben ist.

most-left = Kein Verstoß wurde gefunden. Die meisten Punkte fehlen im Teil „{ $part }“: Geh die Partien durch, die er am höchsten verlor, und frage dich bei jedem Zug, was `leyden play` mit dem Trainer (k) tun würde.

none-left = Kein Verstoß wurde gefunden, und kein Punkt fehlt. Spiel gegen stärkere Bots: `leyden match . builtin:strong`.

called = Auf öffentlichen Seiten heißt dein Bot „{ $name }“.
