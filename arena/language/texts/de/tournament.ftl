### Was Seiten und Kommandozeile von einem Turnier sagen: Formate, Stufen, Änderungen, Umstände.
###
### standings Rangliste · place Rang · rating Wertung · round-robin jeder gegen jeden · Swiss Schweizer System · knockout K.-o.-System
### stage Stufe · meeting Begegnung · bye Freilos · seed (Zufall) Startwert · seed (Setzliste) Setzplatz · pair Paar · pairing Paarung
### score Quote · margin Vorsprung · fault Verstoß · strike Verwarnung · tie-break Feinwertung · gate Zulassungsprüfung

## Formate und Stufen in wenigen Worten.

round-robin = jeder gegen jeden

single-match = eine einzelne Partie

gauntlet = { $names } gegen alle anderen

tables-in-balance =
    { $tables ->
        [one] { $tables } ausgewogener Tisch
       *[other] { $tables } ausgewogene Tische
    }

swiss =
    { $rounds ->
        [one] Schweizer System mit { $rounds } Runde
       *[other] Schweizer System mit { $rounds } Runden
    }

groups =
    { $groups ->
        [one] { $groups } Gruppe
       *[other] { $groups } Gruppen
    }

knockout =
    { $third-place ->
        [yes] K.-o.-System mit Spiel um den dritten Rang
       *[no] K.-o.-System
    }

double-elimination = Doppel-K.-o.-System

league = Liga

league-of = Liga mit { $batches } Etappen

stage-then = { $stage }, daraus kommen die besten { $best } weiter, dann { $next }

balance = jeder Bot sitzt an { $tables } der Tische, gleich oft auf jedem Platz, und je zwei Bots treffen sich an { $meetings }

from-to = { $from } bis { $to }

## Punktetabellen und K.-o.-Bäume.

tie-break =
    { $tie ->
        [direct] direkt
        [cut] BH-C1
        [buchholz] BH
        [sonneborn] SB
        [wins] Siege
       *[margin] Vorsprung
    }

round-column = R{ $round }

line-column = g. { $line }

bye-points = Freilos { $points }

goes-on = weiter

better-wins =
    { $pairs ->
        [one] Ein Bot, der 55 % seiner Partien gegen einen anderen gewinnt, gewinnt eine Begegnung aus { $pairs } Paar in { $first } % der Fälle, mit 60 % in { $second } %, mit 70 % in { $third } %.
       *[other] Ein Bot, der 55 % seiner Partien gegen einen anderen gewinnt, gewinnt eine Begegnung aus { $pairs } Paaren in { $first } % der Fälle, mit 60 % in { $second } %, mit 70 % in { $third } %.
    }

final = Finale

semi-finals = Halbfinale

quarter-finals = Viertelfinale

bracket-round = { $round }. Runde

losers-round = Zweiter Baum, { $round }. Runde

for-third-place = Spiel um den dritten Rang

grand-final =
    { $second ->
        [yes] Endspiel, zweite Begegnung
       *[no] Endspiel
    }

## Was sich nach der ersten Partie geändert hat.

change =
    { $known ->
        [yes] { $after ->
            [one] nach { $after } Partie, als alles gespielt und der Startwert öffentlich war: { $what }
           *[other] nach { $after } Partien, als alles gespielt und der Startwert öffentlich war: { $what }
        }
       *[no] { $after ->
            [one] nach { $after } Partie: { $what }
           *[other] nach { $after } Partien: { $what }
        }
    }

joined = { $bot } kam dazu

replaced = { $bot } wurde durch eine andere Version ersetzt, und seine Partien wurden neu gespielt

withdrawn =
    { $matches ->
        [0] { $bot } wurde zurückgezogen und hatte nicht gespielt
        [1] { $bot } wurde zurückgezogen und seine Partie entfernt
       *[other] { $bot } wurde zurückgezogen, und seine { $matches } Partien wurden entfernt
    }

left-before = { $bot } schied vor Runde { $round } aus

blocks-changed = die Zahl der Blöcke wurde von { $from } auf { $to } geändert

## Wo ein Bot besser oder schlechter spielt.

against = gegen { $rival }

in-seat = auf Platz { $seat }

in-game = in { $game }

lead =
    { $own ->
        [yes] mit dem ersten Ausspiel
       *[no] ohne das erste Ausspiel
    }

## Die Überschriften von Spalten, die auf Seiten groß beginnen.

place = Rang

bot = Bot

rating = Wertung

score = Quote

margin = Vorsprung

faults = Verstöße

points = Punkte

where = wo

matches = Partien

by-rating = nach seiner Wertung

difference = Unterschied, 95 %
