### Die Seite, die eine Partie noch einmal zeigt. Die Wörter des Spiels stehen am Anfang von rules.ftl.

title = { $names } · Partie { $id }

replay-of = Verlauf der Partie { $id }

needs-scripts = Diese Seite braucht Skripte; sie enthält ihre eigenen und ruft nichts ab.

one-file = Verlauf · eine Datei, auch ohne Netz

light-or-dark = Hell oder dunkel

rounds = Runden

match-line = Partie { $id } · bis { $target } Punkte, { $aim }

needs-number = braucht diese Zahl

closed-end = zu: nur Matadore

in-boneyard = im Talon

last-stay = die letzten { $reserve } bleiben

moment-of-round = Augenblick der Runde

to-beginning = Anfang der Partie

step-back = Schritt zurück

play = Abspielen

pause = Pause

step = Schritt

to-end = Ende der Partie

speed = Tempo

hands = Hände

as-seen = wie { $name } sie sah

all-open = alle offen

numbers-on-tiles = 123 auf Steinen

copy-link = Link kopieren

copy-link-title = Einen Link zu diesem Augenblick kopieren

key-step = Schritt

key-match = Partie

key-play = abspielen

key-round = Runde

key-fault = nächster Verstoß

key-mattered = nächster wichtiger Zug

key-hands = Hände

key-numbers = Zahlen

key-link = Link kopieren

key-help = alle Tasten

space-key = Leertaste

all-step = einen Augenblick zurück oder weiter

all-same = dasselbe

all-match = Anfang und Ende der Partie

all-play = abspielen oder anhalten

all-round-back = Anfang dieser Runde, dann der vorigen

all-round-on = die nächste Runde

all-fault = der nächste Verstoß oder die nächste Verwarnung

all-mattered = der nächste Zug, auf den es ankam: ein Patzer oder ein Umschwung der Siegchance (in einer ausgewerteten Partie)

all-hands = wessen Hände zu sehen sind: alle oder die Sicht eines Platzes

all-numbers = Zahlen statt Augen

all-link = einen Link zu diesem Augenblick kopieren

all-help = diese Liste

keys = Tasten

close = Schließen

what-was-said = Züge, Protokoll und Angaben

what-is-listed = Was die Liste zeigt

list = Liste

tab-turns = Züge

tab-log = Protokoll

tab-facts = Angaben

messages-and-answers = Nachrichten und Antworten

fact-match = Partie

fact-tournament = Turnier

fact-deals = Verteilung

fact-block = Block { $block }, Spiel { $leg }

fact-rules = Regeln

fact-hands = Hände

fact-tiles = je { $hand } Steine, { $reserve } Steine bleiben im Talon

fact-seat = Platz { $seat }

lines-are-rebuilt = Die Zeilen sind aus der Aufzeichnung wiederhergestellt: Die Nachrichten an einen Bot sind bis auf die Uhr vollständig, und eine Antwort steht in ihrer kürzesten Form. { $command } prüft jede Verteilung und jede Aktion.

## Augenblicke in wenigen Worten.

dealt = gegeben

## Was das Skript zeigt.

no-fault = In dieser Partie gibt es keinen Verstoß.

nothing-mattered = Auf keinen Zug dieser Partie kam es sehr an.

not-analysed = Diese Partie ist nicht ausgewertet: Das tut leyden analyse.

with-pips =
    { $count ->
        [one] { $tiles } · { $pips } Auge
       *[other] { $tiles } · { $pips } Augen
    }

round-short = R{ $round }

round-short-again = R{ $round } neu

round-again = Runde { $round }, neu gegeben { $redeal }

a-fault = ein Verstoß

fault = Verstoß

blunder-tag = Patzer

tag-across = quer

tag-matador = Matador

chance-becomes = die Chance wird { $chance }

who-blundered = { $name } { $blunder }

wins-with = gewinnt mit { $chance }

what-else = Was sonst möglich war

wins-column = Siege, %

points-column = Punkte

is-taken = gewählt

is-best = am besten

gave-away = { $chance } % der Partie und { $points } Punkte verschenkt

gave-away-by = { $chance } % der Partie und { $points } Punkte verschenkt: Der Bot { $blunder }

by-evaluation = Nach der Bewertung von strong, aus dem, was dieser Platz wusste; ± ist ein Standardfehler.

in-drawing-order = { $tiles } ({ $round }, in der Reihenfolge des Ziehens)

faults-and-strikes = Verstöße und Verwarnungen

none = keine

notes = Notizen

no-notes = Kein Bot hat eine Notiz geschrieben, die hier zu sehen ist.

message-not-shown = die Meldung für den Autor ist hier nicht zu sehen

standard-error-of = Fehlerausgabe von { $name }

standard-error-part = Fehlerausgabe von { $name } (der aufgezeichnete Teil)

nothing-recorded = nichts wurde aufgezeichnet

recorded-only-if = Das Ende der Fehlerausgabe wird nur aufgezeichnet, wenn etwas schiefging.

nobody-asked = Hier wurde niemand gefragt.

seat-not-asked = Dieser Platz wurde hier nicht gefragt.

not-asked = Nicht gefragt: Nur eine Aktion war möglich.

copy = Kopieren

line-copied = Zeile kopiert.

message-to = Die Nachricht an { $name }

turn = Zug { $turn }

legal-actions = { $number } mögliche Aktionen

legal-actions-marked = { $number } mögliche Aktionen, die gewählte markiert

answered = Die Antwort

answered-after = Die Antwort nach { $time }

no-answer = Keine gültige Antwort

no-answer-after = Keine gültige Antwort nach { $time }

its-note = Die Notiz dazu

link-copied = Link zu diesem Augenblick kopiert.

## Was ein Bot falsch gemacht hat: nach seinem Namen oder nach „Der Bot“.

blunder =
    { $kind ->
        [drew-needlessly] hat unnötig gezogen
        [did-not-draw] hätte ziehen sollen
        [wasted-matador] hat einen Matador vergeudet
        [kept-heavy-double] hat einen schweren Pasch behalten
        [opened-for-starved] hat einem ausgehungerten Gegner einen Arm geöffnet
        [wrong-lead] hat den falschen Pasch ausgespielt
       *[other-choice] hat den falschen Stein oder Arm gewählt
    }
