### What pages and the command line say of a tournament: formats, stages, changes, circumstances.

## Formats and stages, in a few words.

round-robin = a round-robin

single-match = a single match

gauntlet = a gauntlet of { $names }

tables-in-balance =
    { $tables ->
        [one] { $tables } table in balance
       *[other] { $tables } tables in balance
    }

swiss =
    { $rounds ->
        [one] a Swiss of { $rounds } round
       *[other] a Swiss of { $rounds } rounds
    }

groups =
    { $groups ->
        [one] { $groups } group
       *[other] { $groups } groups
    }

knockout =
    { $third-place ->
        [yes] a knockout with a meeting for third place
       *[no] a knockout
    }

double-elimination = a double elimination

league = a league

league-of = a league of { $batches } batches

stage-then = { $stage }, from which the best { $best } go on to { $next }

balance = each bot sits at { $tables } of the tables, equally often in each seat, and two bots meet at { $meetings }

from-to = { $from } to { $to }

## Tables of points and brackets.

tie-break =
    { $tie ->
        [direct] direct
        [cut] BH-C1
        [buchholz] BH
        [sonneborn] SB
        [wins] wins
       *[margin] margin
    }

round-column = R{ $round }

line-column = v { $line }

bye-points = bye { $points }

goes-on = goes on

better-wins =
    { $pairs ->
        [one] A bot that wins 55 % of its matches against another wins a meeting of { $pairs } pair in { $first } %; with 60 % in { $second } %, with 70 % in { $third } %.
       *[other] A bot that wins 55 % of its matches against another wins a meeting of { $pairs } pairs in { $first } %; with 60 % in { $second } %, with 70 % in { $third } %.
    }

final = Final

semi-finals = Semi-finals

quarter-finals = Quarter-finals

bracket-round = Round { $round }

losers-round = Second bracket, round { $round }

for-third-place = For third place

grand-final =
    { $second ->
        [yes] Grand final, second meeting
       *[no] Grand final
    }

## What changed after the first match.

change =
    { $known ->
        [yes] { $after ->
            [one] after { $after } match, when everything had been played and the seed was public: { $what }
           *[other] after { $after } matches, when everything had been played and the seed was public: { $what }
        }
       *[no] { $after ->
            [one] after { $after } match: { $what }
           *[other] after { $after } matches: { $what }
        }
    }

joined = { $bot } joined

replaced = { $bot } was replaced by another version, and its matches were played again

withdrawn =
    { $matches ->
        [0] { $bot } was withdrawn, and had not played
        [1] { $bot } was withdrawn, and its match was removed
       *[other] { $bot } was withdrawn, and its { $matches } matches were removed
    }

left-before = { $bot } left before round { $round }

blocks-changed = blocks changed from { $from } to { $to }

## Where a bot does better or worse.

against = against { $rival }

in-seat = in seat { $seat }

in-game = in { $game }

lead =
    { $own ->
        [yes] with the first lead
       *[no] without the first lead
    }

## The headings of columns, which begin with a capital on pages.

place = place

bot = bot

rating = rating

score = score

margin = margin

faults = faults

points = points

where = where

matches = matches

by-rating = by its rating

difference = difference, 95 %
