### Der Tisch eines Menschen: im Terminal und als Seite. Die Wörter des Spiels stehen am Anfang von rules.ftl.

## Die Gegner.

level-name =
    { $level ->
        [1] erste Schritte
        [2] Anfänger
        [3] leicht
        [4] mittel
        [5] schwer
        [6] sehr schwer
        [7] Experte
       *[8] Meister
    }

level-plays =
    { $level ->
        [1] tut irgendetwas, das erlaubt ist
        [2] legt irgendeinen Stein, der passt
        [3] legt seinen schwersten Stein
        [4] behält Matadore und was als Nächstes passt
        [5] lässt dir wenig, das passt
        [6] probiert seine Steine an verdeckten Verteilungen aus
        [7] schließt aus deinem Ziehen auf deine Steine
       *[8] errät deine Steine aus allem, was du getan hast
    }

## Der Trainer.

only-deal = der einzigen Verteilung, die zu dem passt, was du gesehen hast

deals = { $deals } Verteilungen, die zu dem passen, was du gesehen hast

equally-good = Hier ist jeder Zug gleich gut.

wins-more = Mit „{ $one }“ gewinnst du die Runde bei { $first } von 100 solchen Verteilungen, mit „{ $two }“ bei { $second }.

leaves-less = „{ $one }“ lässt dir im Mittel { $first } Augen, „{ $two }“ { $second }.

scores-more = „{ $one }“ bringt im Mittel { $more } Punkte mehr als „{ $two }“.

draw-then-decide = Nach dem Ziehen entscheidest du mit dem neuen Stein noch einmal; das ist mehr wert, als diese Verteilungen zeigen.

alike = „{ $one }“ und „{ $two }“ sind bei diesen Verteilungen gleich gut.

keeps = Außerdem bleibt dir { $tile }, ein Matador, für ein Ende, an das sonst nichts passt.

## Im Terminal.

you-play =
    Du spielst gegen { $others }: { $game }.
    ? zeigt die Befehle.

you-watch =
    { $names }: { $game }.
    Die Eingabetaste führt weiter, q beendet.

game = { $rules } mit { $set }, bis { $target } Punkte, { $aim }

commands =
    Tippe die Nummer einer Aktion oder die Aktion selbst, zum Beispiel N:4-1, S:2|5 oder draw. Die Arme sind N (oben), E (rechts), S (unten), W (links); N:4-1 legt 1-4 so, dass die 4 berührt, S:2|5 legt 2-5 quer.
    {"  "}d  ziehen    r  auf das Ausspiel verzichten    l  Auslage zeichnen    h  was wo passt    k  Trainer fragen
    {"  "}u  letzte Entscheidung zurücknehmen: Von da an ist es Übung, und nichts wird gespeichert
    {"  "}resign  aufgeben: Nichts wird gespeichert    ?  diese Liste    `leyden rules` erklärt das Spiel

back-to-decision = Zurück zu deiner letzten Entscheidung. Jetzt ist es Übung: Nichts wird gespeichert.

machine-busy = Der Rechner war überlastet; die Partie geht da weiter, wo sie war.

your-move = Dein Zug:

no-advice = Der Trainer hat nichts zu sagen.

arm-takes = { $letter } { $arm }: zeigt { $end }, nimmt { $taken }

arm-waits = { $letter } { $arm }: zeigt { $end }, wartet

holds = { $name } hat { $count }

held = { $others }; { $boneyard } im Talon, { $drawable } zu ziehen

your-hand-is =
    { $pips ->
        [one] Deine Hand: { $hand } ({ $pips } Auge)
       *[other] Deine Hand: { $hand } ({ $pips } Augen)
    }

hint-line = Hinweis: { $hint }

kept-in = Gespeichert in { $path }: leyden replay { $path } { $id }

practised = Das war Übung: Nichts wird gespeichert.

resigned = Du hast aufgegeben: Nichts wird gespeichert.

actions-range = Es gibt die Aktionen 1 bis { $last }.

not-a-command = { $typed } ist kein Befehl: Tippe eine Nummer, eine Aktion wie N:4-1 oder ? für die Befehle.

not-possible =
    { $number ->
        [one] { $action } ist jetzt nicht möglich: Tippe die Aktion oben.
       *[other] { $action } ist jetzt nicht möglich: Tippe eine der { $number } Aktionen oben.
    }

coach-says = Der Trainer, nach { $deals } (er sieht nicht mehr als du):

coach-ahead = { $win } %, die Partie zu gewinnen; nach dieser Runde liegst du { $points } Punkte vorn { $action }

coach-behind = { $win } %, die Partie zu gewinnen; nach dieser Runde liegst du { $points } Punkte zurück { $action }

table-empty = Der Tisch ist leer.

nothing-to-take-back = Es gibt nichts zurückzunehmen.

## Auf der Seite.

title = Spielen · Leyden Arena

rules-and-keys = Hilfe

needs-scripts = Der Tisch braucht Skripte; mit `leyden play --text` spielst du im Terminal.

a-table = Ein Tisch

your-hand = Deine Hand

scores = Punktestände

coach = Trainer

what-happened = Was geschah

match-by-rules = Eine Partie { $rules }

opponents = Gegner

who-against = Gegen wen möchtest du spielen?

rules = Regeln

five-pictures = Das Spiel in fünf Bildern

no = Nein

yes = Ja

key-tile = einen Stein wählen

key-end = ein Ende wählen; beim Zusehen: ein Schritt

key-lay = den Stein dort anlegen

key-matador = ein Matador: kleine Hälfte berührt, große Hälfte berührt, quer

key-coach = der Trainer

key-hints = Hinweise an oder aus; anfangs sind sie in der ersten Runde an

key-undo = die letzte Entscheidung zurücknehmen; von da an ist es Übung

key-nothing = nichts wählen

key-help = diese Seite

looking-on = du siehst zu

match-counts = die Partie zählt

practice = Übung: Nichts wird gespeichert

end-shows = { $arm }: zeigt { $end }, nimmt { $taken }

draw-a-tile = Einen Stein ziehen

in-boneyard = { $boneyard } im Talon,

can-be-drawn = { $drawable } zu ziehen

your-turn = Du bist dran.

press-step = Drücke „Schritt“.

tiles-and-pips =
    { $count ->
        [one] { $count } Stein
       *[other] { $count } Steine
    } · { $pips ->
        [one] { $pips } Auge
       *[other] { $pips } Augen
    }

no-fit = passt nicht

any-end = jedes Ende

as-lead = Ausspiel

choose-a-tile = Wähle einen Stein.

at-which-end = { $tile }: an welches Ende?

how-to-lie = { $tile } ist ein Matador: Wie soll er liegen?

press-enter = { $tile }: Die Eingabetaste legt ihn an.

in-line-so = { $arm }: { $touching } berührt, { $end } ist außen

across-so = { $arm }: quer, { $low } und { $high } sind außen

refuse-to-lead = Auf das Ausspiel verzichten

you-lead = Du spielst aus.

step = Schritt

to-target = bis { $target }, { $aim }

who = wer

total = Summe

action = Aktion

wins = Siege

points = Punkte

and-more = und { $number } weitere

how-often = Wie oft du die Partie gewinnst und wie viele Punkte dich diese Runde nach vorn bringt, nach { $deals }. Verdeckte Steine sieht er nie an.

coach-waits = Er rät dir, wenn du dran bist.

hints = Hinweise

on = an

off = aus

so-far = Bisher

undo = Zurück

latest-first = Was geschah, das Neueste zuerst

resign = Aufgeben

match-is-over = Die Partie ist vorbei

stored-where = Sie ist gespeichert; das Terminal zeigt, wo.

replay = Ansehen

another-match = Noch eine Partie

leave = Den Tisch verlassen

gave-up = Du hast die Partie aufgegeben: Nichts wird gespeichert.

not-stored = Sie konnte nicht gespeichert werden: { $why }

cannot-continue = Die Partie kann nicht weitergehen: { $why }. Nichts wird gespeichert.

no-answer = Der Tisch antwortet nicht: leyden ist beendet oder angehalten.

take-back-really = Zurücknehmen? Von da an ist es Übung, und nichts wird gespeichert.

give-up-really = Die Partie aufgeben? Nichts wird gespeichert.

## Die Regeln in fünf Bildern.

halves-add-up = Hälften, die sich berühren, ergeben zusammen { $sum }: 3 und { $partner }.

matadors-fit = { $matadors } sind Matadore und passen an jedes Ende. Alle außer 0-0 dürfen auch quer liegen: Dann darf jede der Hälften berührt werden.

blank-takes = Eine leere Hälfte kann nur ein Matador berühren.

opening =
    { $shape ->
        [line] Ein Pasch wird ausgespielt und liegt in der Reihe; sie wächst an beiden Enden.
       *[spinner] Ein Pasch wird ausgespielt und liegt waagerecht. { $opening ->
            [sides] Die ersten zwei Steine kommen an seine langen Seiten, oben und unten; dann sind auch die kurzen Seiten offen.
            [cross] Von den ersten vier Steinen kommt je einer an seine langen und kurzen Seiten; dann sind alle vier offen.
           *[none] Seine langen und kurzen Seiten sind sofort offen.
        }
    }

drawing =
    { $drawing ->
        [any] Du darfst ziehen, so oft du willst, und musst ziehen, solange nichts passt; die letzten { $reserve } Steine bleiben.
       *[one] Wenn nichts passt, ziehe einen Stein, und passe, wenn auch er nicht passt.
    }

round-end =
    { $scoring ->
        [own-hand] Ist eine Hand leer oder kann niemand legen, so schreibt sich jeder die Augen seiner Hand auf.
        [all-hands] Ist eine Hand leer oder kann niemand legen, so bekommt die leichtere Hand die Augen aller.
       *[difference] Ist eine Hand leer oder kann niemand legen, so bekommt die leichteste Hand die Augen der anderen, weniger ihre eigenen.
    }

match-end = Bis { $target }: { $aim }.
