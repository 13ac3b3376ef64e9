### Die Seite von `leyden likeness`: was Bots gemeinsam haben, für die Lehrperson.

title = Ähnlichkeit
headline = Was diese Bots gemeinsam haben
measure = Ein Maß, kein Urteil: Lesen Sie die Stellen. Namen, Zahlen, Texte, Kommentare und Anordnung machen keinen Unterschied. Was aus einer Vorlage oder einem Beispielbot stammt und was viele haben, zählt nicht. Nur für die Lehrperson: Die Seite zeigt den Quelltext von allen.
groups = Gruppen: mindestens die Hälfte des kürzeren Texts gemeinsam
none = Keine.
unread = Zu wenig eigener Text zum Vergleichen: { $bots }
pairs =
    { $pairs ->
        [one] { $pairs } Paar
       *[other] { $pairs } Paare
    }
nothing = Nichts gemeinsam.
from-samples = Aus einem Beispielbot gemacht
of-sample =
    { $lines ->
        [one] { $bot }: { $percent } % davon sind der Beispielbot { $sample }; { $lines } Zeile ist eigen
       *[other] { $bot }: { $percent } % davon sind der Beispielbot { $sample }; { $lines } Zeilen sind eigen
    }
more = und mehr
pair = { $percent } % · { $first } ({ $of-first } % davon) und { $second } ({ $of-second } % davon)
lines = { $file }, Zeilen { $from }–{ $to }
