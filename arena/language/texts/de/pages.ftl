### Die Seiten eines Turniers: Rahmen, Rangliste, Stufen, Tische. Die Wörter für Turniere stehen am Anfang von tournament.ftl.

## Der Rahmen aller Seiten.

skip = Zum Inhalt

navigation = Seiten

events = Veranstaltungen

stage = Bühne

standings = Rangliste

matches = Partien

pairings = Paarungen

tables =
    { $live ->
        [yes] Jetzt
       *[no] Tische
    }

verify = Nachprüfen

light-or-dark = hell oder dunkel

unfinished = unvollständig

being-played = wird gespielt

is-final = abgeschlossen

nameless = Turnier

## Anzahlen.

count-bots =
    { $count ->
        [one] { $number } Bot
       *[other] { $number } Bots
    }

count-matches =
    { $count ->
        [one] { $number } Partie
       *[other] { $number } Partien
    }

count-rounds =
    { $count ->
        [one] { $number } Runde
       *[other] { $number } Runden
    }

count-tiles =
    { $count ->
        [one] { $number } Stein
       *[other] { $number } Steine
    }

count-faults =
    { $count ->
        [one] ✖ { $number } Verstoß
       *[other] ✖ { $number } Verstöße
    }

count-strikes =
    { $count ->
        [one] { $number } Verwarnung
       *[other] { $number } Verwarnungen
    }

count-days =
    { $count ->
        [one] { $number } Tag
       *[other] { $number } Tage
    }

done-of =
    { $count ->
        [one] { $done } von { $number } Partie
       *[other] { $done } von { $number } Partien
    }

## Das Turnier in einer Zeile, und wie weit es ist.

gate = Zulassungsprüfung

gate-not-judged = Zulassungsprüfung ({ $why })

pairs-a-table =
    { $count ->
        [one] { $number } Paar von Partien je Tisch
       *[other] { $number } Paare von Partien je Tisch
    }

same-deals =
    { $seats ->
        [2] jedes Paar mit denselben Verteilungen und getauschten Händen
       *[other] jedes Paar mit denselben Verteilungen, einmal in jeder Sitzordnung
    }

game = { $rules } bis { $target } mit { $set }, { $better }

better =
    { $wins ->
        [lower] weniger Punkte sind besser
       *[higher] mehr Punkte sind besser
    }

with-seed = Startwert { $seed }

progress = Fortschritt

matches-a-second = { $rate } Partien/s

about-left = noch etwa { $time }

percent-played = { $percent } Prozent gespielt

no-ranking = noch keine Rangfolge

too-few-pairs = zu wenige Paare für Intervalle

first-decided = ✓ der erste Rang steht fest

top-separated = ✓ die ersten { $top } sind von den übrigen getrennt

ranks-open = Ränge 1–{ $worst } noch nicht entschieden

## Die Rangliste.

projector = Leinwand

place-title = Darunter: die Ränge, die er haben kann; mit 95 % ist kein Rang der Tabelle falsch

interval =
    { $any-time ->
        [yes] Wertung, 95-%-Intervall zu jeder Zeit
       *[no] Wertung, 95-%-Intervall
    }

won-lost = Siege–Niederlagen

decisions-99 = 99 % der Entscheidungen

decisions-99-title = 99 % seiner Entscheidungen brauchten nicht länger

no-faults = keine

places-note =
    { $by ->
        [format] Die Ränge folgen aus den Regeln des Formats, zuerst aus denen der letzten Stufe. ≈ heißt, dass die Wertungen einen Bot nicht vom nächsten unterscheiden können, ⇅, dass sie das Gegenteil sagen.
       *[ratings] Die Ränge folgen den Wertungen; gleiche Wertungen teilen sich einen.
    }

ranges-note =
    { $unit ->
        [pairs] Ein Bereich wie 1–2 unter einem Rang heißt, dass er nicht entschieden ist: Der Bot kann jeden dieser Ränge haben, und nach wenigen Blöcken ist vieles nicht entschieden. Wertungen sind in Elo, 0 ist das Mittel des Feldes; berechnet werden sie aus vollständigen Paaren. Der Vorsprung ist der mittlere in Punkten der Partie; positiv ist gut. Nur Partien vollständiger Paare zählen.
       *[blocks] Ein Bereich wie 1–2 unter einem Rang heißt, dass er nicht entschieden ist: Der Bot kann jeden dieser Ränge haben, und nach wenigen Blöcken ist vieles nicht entschieden. Wertungen sind in Elo, 0 ist das Mittel des Feldes; berechnet werden sie aus vollständigen Blöcken. Der Vorsprung ist der mittlere in Punkten der Partie; positiv ist gut. Nur Partien vollständiger Paare zählen.
    }

forecast = Diese Zahl von Blöcken unterscheidet Nachbarn, die { $low } bis { $high } Elo oder mehr trennen, in 80 % der Fälle.

place-once = Rang { $place }, wenn Kopien einmal zählen

like-bot = wie { $bot }

like-a-better-one = wie ein besserer

copies-note = Wenn Kopien einmal zählen, haben Bots, die einander gleichen, zusammen einen Rang unter den Versionen, die spielen, und zählen in den Wertungen wie ein einziger: solche, die mindestens die Hälfte des kürzeren Quelltexts gemeinsam haben, solche, die aus demselben Beispielbot gemacht sind, und solche, die kaum mehr als eine Vorlage sind. Das ist ein Maß, kein Urteil.

left-out = Nicht dabei

changed-since = Seit dem Beginn geändert

part-of = { $first }–{ $last } von { $all } Bots

## Was auffällt.

needs-a-look = Auffälliges

all-of-them = alle { $number } →

nothing-so-far = Bisher nichts: Keine Partie ging durch einen Verstoß verloren.

later-legs = { $bot } ist in späteren Spielen eines Paars besser als in früheren mit denselben Verteilungen, um { $better-by } Punkte je Partie über { $pairs } Paare: Es ist zu prüfen, ob er die Verteilungen wiedererkennt

circle = Ein Kreis, jeder Schritt signifikant bei 5 % über alle Paarungen zusammen: { $circle }

beats = schlägt

unfitting = Eine Wertung je Bot beschreibt dieses Feld nicht: Die Ergebnisse weichen um etwa { $elo } Elo von den Wertungen ab

level = { $one } und { $other } lassen sich durch ihre Partien gegeneinander nicht unterscheiden { $score }

level-score = ({ $score } %, { $low }–{ $high })

## Partien und Verstöße, wo immer sie stehen.

last-matches = Letzte Partien

just-finished = Gerade beendet

shown-once-over = Eine Partie ist zu sehen, sobald alle Partien ihres Paars vorbei sind.

round-and-action = Runde { $round }, Aktion { $action }

before-first-deal = vor dem ersten Geben

moment-against = { $moment }, gegen { $rivals }

open-at-turn = diesen Zug ansehen →

## Diagramme und Kennzahlen.

head-to-head = Direkte Begegnungen

row-percent = Anteil der Zeile an den Punkten gegen die Spalte, in Prozent

row-share = Anteil der Zeile an den Punkten gegen die Spalte

heat-percent = direkte Begegnungen: Quote der Zeile gegen die Spalte, in Prozent

heat = direkte Begegnungen: Quote der Zeile gegen die Spalte

heat-cell = { $row } gegen { $column }: { $score } %

loses = verliert

even = gleich

wins = gewinnt

margins-of =
    { $count ->
        [one] Vorsprünge, { $number } Partie
       *[other] Vorsprünge, { $number } Partien
    }

no-clean-match = Noch keine Partie, die ohne Verstoß endete.

lost-by = um { $edge } verloren

won-by = um { $edge } gewonnen

margins-chart = Vorsprünge: wie viele Partien wie hoch verloren und gewonnen wurden

no-decision = Noch keine Entscheidung.

thinking-chart = Bedenkzeiten: wie viele Entscheidungen wie lange brauchten

of-the-points = der Punkte

mean-margin = mittlerer Vorsprung

pips-left = übrige Augen je Runde

rounds-gone-out = Runden mit Domino

bots-both-ways = { $number } Bots vom besten bis zum letzten, in beiden Richtungen. Die Zahlen stehen auf der Seite eines Bots.

row-against-column = { $row } gegen { $column }

## Die Stufen eines Wettbewerbs.

stage-title = Stufe { $number }: { $play }

not-over = nicht zu Ende

in-a-block = In einem Block gilt: { $balance }.

group = Gruppe { $group }

bye = Freilos

points-note = = kennzeichnet einen geteilten Rang. Punkte zählen Partien: 1 für einen Sieg, ½ für ein Unentschieden. Bots mit gleichen Punkten werden nach den nächsten Spalten gereiht, in dieser Folge: BH ist Buchholz, C1 ohne den niedrigsten Wert, SB ist Sonneborn–Berger.

bracket-note = Die Zahl links vom Namen ist der Setzplatz. Punkte zählen Partien. Eine unentschiedene Begegnung geht Paar um Paar weiter, bis zu acht; dann entscheiden die Punkte der Partien (g), dann der bessere Setzplatz (s).

## Die Tische.

everything-played = Alles ist gespielt: { $standings }.

the-standings = die Rangliste

on-the-tables = An den Tischen

all-tables = alle →

no-table = Noch kein Tisch.

drawing-needs-scripts = Sie zu zeichnen braucht JavaScript.

tables-shown =
    { $when ->
        [pair] Ein Tisch ist, in seinem eigenen Tempo, erst zu sehen, wenn alle Partien seines Paars vorbei sind: Bis dahin werden seine Verteilungen noch einmal gespielt.
        [played] Die Tische sind zu sehen, wie sie gespielt werden, mit allen Händen.
       *[stage] Ergebnisse sind zu sehen, sobald sie auf der Bühne enthüllt sind.
    }

## Was das Skript aller Seiten zeigt.

live-updated = Jetzt · vor { $seconds } s erneuert

no-connection = keine Verbindung

unreadable = die Ergebnisse sind gerade nicht zu lesen

over = vorbei

## Die Liste mehrerer Veranstaltungen.

event-number = Veranstaltung { $number }

being-read = wird gelesen
