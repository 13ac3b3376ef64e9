### Die Bühne einer Veranstaltung: was Publikum und Turnierleitung sehen. Die Wörter für Turniere stehen am Anfang von tournament.ftl.

## Was das Publikum sieht.

title = Bühne

stage-of = Die Bühne von { $name }

without-scripts = Ohne Skripte zeigt diese Seite, was beim Laden auf der Bühne war.

block = Block { $block }

round = Runde { $round }

round-of-stage = Stufe { $stage }, Runde { $round }

further-pairs = { $round }, weitere Paare unentschiedener Begegnungen

the-end = Das Ende

match-of = { $round } · Partie { $at } von { $of }

match-of-so-far = { $round } · bisher { $points } · Partie { $at } von { $of }

its-round = { $caption }, ihre Runde { $round }

its-round-as-seen = { $caption }, ihre Runde { $round } · wie { $name } sie sah

thought-for = Überlegte { $time }.

holds-tiles =
    { $count ->
        [one] hat { $count } Stein
       *[other] hat { $count } Steine
    }

chance-to-win = Siegchance

what-is-shown = Was zu sehen ist

by-margin = { $scores }, mit { $margin } Vorsprung

by-fault = { $scores }: { $fault }

begins =
    { $now ->
        [yes] { $round } beginnt jetzt
       *[no] { $round } beginnt in
    }

and-more = und { $more } weitere

## Wer gewonnen hat und wann es entschieden war.

nobody-won = Niemand hat gewonnen

the-winner-is =
    { $shared ->
        [yes] Den ersten Rang teilen sich
       *[no] Gewonnen hat
    }

won-against = { $own } : { $other } gegen { $rival }

won-by-points =
    { $count ->
        [one] { $own } von { $count } Punkt, { $ahead } vor { $second }
       *[other] { $own } von { $count } Punkten, { $ahead } vor { $second }
    }

ahead-since-match = Endgültig vorn seit Partie { $since } von { $of }.

ahead-since-block = Vor allen anderen seit Block { $since } von { $of }.

by-score-alone = Allein nach dem Punktestand: endgültig vorn seit Runde { $since } von { $of }.

never-below = Die Siegchance des Gewinners lag nie unter der Hälfte.

no-answer = keine Antwort

decided-by = Entschieden hat es in Runde { $round } { $name }: { $act }. Die Siegchance des Gewinners stieg von { $before } auf { $after } % und fiel nie wieder unter die Hälfte.

## Was die Turnierleitung sieht.

organiser = Turnierleitung

for-organiser = Die Bühne von { $name }: für die Turnierleitung

the-token = Der Schlüssel, den leyden ausgegeben hat

open = Öffnen

no-server = Der Server ist nicht zu erreichen.

the-match = Die Partie

round-beginning = Anfang der Runde

step = Schritt

round-over = Ende der Runde

moment-of = Augenblick { $at } von { $last }

moment-of-then =
    { $count ->
        [one] Augenblick { $at } von { $last }, dann { $count } Partie
       *[other] Augenblick { $at } von { $last }, dann { $count } Partien
    }

how-shown = Wie sie zu sehen ist

hands = Hände

all-hands = alle

moment-takes = Ein Augenblick dauert

show = Zeigen

name = Titel

standings = Rangliste

winner = Gewinner

countdown = Countdown

what-is-revealed = Ergebnisse enthüllen

reveal = { $round } enthüllen

all-revealed = Alles Gespielte ist enthüllt.

matches = Partien

round-state =
    { $state ->
        [revealed] enthüllt
        [played] diese Ergebnisse sind nur hier zu sehen
       *[unplayed] nicht zu Ende gespielt
    }

closest = Knappste nach Punkten

latest = Zuletzt entschieden

ahead-since = vorn seit Runde { $since } von { $of }

revealed = enthüllt

more-of-meeting = … und { $more } weitere
