### Partien auf Seiten: ihre Liste, eine von ihnen und die eines Bots. Die Wörter für Turniere stehen am Anfang von tournament.ftl.

## Die Liste der Partien.

match = Partie

bots-and-scores = Bots und Stände, nach Plätzen

rounds = Runden

actions = Aktionen

upset = Überraschung

upset-title = um wie viel höher der Verlierer gewertet war

longest-decision = Längste Zeit

end = Ende

fault-of = ✖ { $code } von { $name }

drawn = unentschieden

ended =
    { $by ->
        [limit] Rundengrenze
       *[play] regulär
    }

shown-when-complete =
    { $count ->
        [one] { $number } Partie, jede zu sehen, sobald ihr Paar vollständig ist
       *[other] { $number } Partien, jede zu sehen, sobald ihr Paar vollständig ist
    }

search-hint = Name eines Bots oder Kennung einer Partie

which = welche

order = Reihenfolge

only =
    { $only ->
        [all] alle
        [faults] Verstöße
       *[draws] Unentschieden
    }

sorted =
    { $by ->
        [latest] neueste zuerst
        [schedule] nach dem Spielplan
        [closest] knappste zuerst
        [upset] größte Überraschung zuerst
        [clearest] klarste zuerst
        [longest] meiste Aktionen zuerst
       *[slowest] längste Entscheidung zuerst
    }

show = Zeigen

of-these = { $bot } gegen { $rival } · { $all }

of-this = { $bot } · { $all }

all-bots = alle Bots

pages-of-list = Seiten der Liste

before = ← zurück

next = weiter →

page-of = Seite { $page } von { $pages }

latest-without-scripts = : die neuesten. { $all } als Tabelle; Suchen braucht JavaScript.

all-of-them = Alle

## Eine Partie, die für Zuschauer noch nicht vorbei ist.

match-title = Partie { $id }

match-facts = Partie { $id } · Block { $block }, Spiel { $leg }

against = gegen

points-and-score = Punkte { $points } · Stand { $scores }

nothing-was-laid = Nichts wurde gelegt.

layout-at-end = die Auslage am Ende von Runde { $round }

actions-of-round = die Aktionen von Runde { $round }

## Die Seite eines Bots.

stands = Rang { $place } von { $bots } · Wertung { $rating } · { $record }

record =
    { $count ->
        [one] { $record } in { $number } Partie
       *[other] { $record } in { $number } Partien
    }

against-all = Gegen jeden Gegner

won-drawn-lost = Gewonnen–unentschieden–verloren

score-as-bar = Quote als Balken

against-rating = Gegenüber seiner Wertung

strays =
    { $to ->
        [worse] schlechter
       *[better] besser
    }

for-all-lines = Die 95 % gelten für alle Zeilen zugleich; Intervalle stehen ab 10 Blöcken da.

latest-matches = Neueste Partien

margins = Vorsprünge

thinking-times = Bedenkzeiten

decisions =
    { $count ->
        [one] { $number } Entscheidung
       *[other] { $number } Entscheidungen
    }

within = die Hälfte innerhalb von { $half }, 99 % innerhalb von { $most }

form =
    { $count ->
        [one] Die letzte { $number } Partie
       *[other] Die letzten { $number } Partien
    }

form-letter =
    { $result ->
        [won] S
        [drawn] U
       *[lost] N
    }

faults = Verstöße

matches-lost =
    { $count ->
        [one] { $number } Partie verloren
       *[other] { $number } Partien verloren
    }

details-later = Die Meldungen für den Autor und die Fehlerausgabe sind zu sehen, sobald alles gespielt ist.

standard-error =
    { $cut ->
        [yes] Fehlerausgabe, ihr Ende
       *[no] Fehlerausgabe
    }
