### The pages of a tournament: their frame, standings, stages, tables. The words of tournaments are at the head of tournament.ftl.

## The frame of all pages.

skip = Skip to content

navigation = Pages

events = Events

stage = Stage

standings = Standings

matches = Matches

pairings = Pairings

tables =
    { $live ->
        [yes] Live
       *[no] Tables
    }

verify = Verify

light-or-dark = light or dark

unfinished = unfinished

being-played = being played

is-final = final

nameless = Tournament

## Numbers of things.

count-bots =
    { $count ->
        [one] { $number } bot
       *[other] { $number } bots
    }

count-matches =
    { $count ->
        [one] { $number } match
       *[other] { $number } matches
    }

count-rounds =
    { $count ->
        [one] { $number } round
       *[other] { $number } rounds
    }

count-tiles =
    { $count ->
        [one] { $number } tile
       *[other] { $number } tiles
    }

count-faults =
    { $count ->
        [one] ✖ { $number } fault
       *[other] ✖ { $number } faults
    }

count-strikes =
    { $count ->
        [one] { $number } strike
       *[other] { $number } strikes
    }

count-days =
    { $count ->
        [one] { $number } day
       *[other] { $number } days
    }

done-of =
    { $count ->
        [one] { $done } of { $number } match
       *[other] { $done } of { $number } matches
    }

## The tournament in one line, and its progress.

gate = a gate

gate-not-judged = gate ({ $why })

pairs-a-table =
    { $count ->
        [one] { $number } pair of matches a table
       *[other] { $number } pairs of matches a table
    }

same-deals =
    { $seats ->
        [2] each pair on the same deals with the hands swapped
       *[other] each pair on the same deals once in every seating
    }

game = { $rules } to { $target } with { $set }, { $better }

better =
    { $wins ->
        [lower] fewer points are better
       *[higher] more points are better
    }

with-seed = seed { $seed }

progress = Progress

matches-a-second = { $rate } matches/s

about-left = about { $time } left

percent-played = { $percent } percent played

no-ranking = no ranking yet

too-few-pairs = too few pairs for intervals

first-decided = ✓ first place is decided

top-separated = ✓ top { $top } separated from the rest

ranks-open = ranks 1–{ $worst } not yet decided

## The standings.

projector = Projector

place-title = Below it: the places that the bot may hold; with 95 % confidence no place in the table is wrong

interval =
    { $any-time ->
        [yes] Rating, 95 % interval at any time
       *[no] Rating, 95 % interval
    }

won-lost = Won–lost

decisions-99 = 99 % of decisions

decisions-99-title = 99 % of its decisions took no longer

no-faults = none

places-note =
    { $by ->
        [format] Places follow from the rules of the format: those of its last stage first. ≈ means that the ratings cannot tell a bot from the next one, ⇅ that they say the opposite.
       *[ratings] Places follow the ratings, and equal ratings share one.
    }

ranges-note =
    { $unit ->
        [pairs] A range like 1–2 below a place means that it is not decided: the bot may hold any of these places, and after few blocks much is undecided. Ratings are in Elo, 0 is the mean of the field; they are computed from complete pairs. Margin is the mean lead in game points; positive is good. Only matches of complete pairs count.
       *[blocks] A range like 1–2 below a place means that it is not decided: the bot may hold any of these places, and after few blocks much is undecided. Ratings are in Elo, 0 is the mean of the field; they are computed from complete blocks. Margin is the mean lead in game points; positive is good. Only matches of complete pairs count.
    }

forecast = This many blocks separate neighbours that differ by { $low } to { $high } Elo or more, in 80 % of cases.

place-once = place { $place } if copies count once

like-bot = like { $bot }

like-a-better-one = like a better one

copies-note = If copies count once, bots that are alike share one place among the versions that play, and weigh as one bot in ratings: those with half or more of the shorter source text in common, those made from the same sample bot, and those that are hardly more than a starter. That is a measure, not a verdict.

left-out = Left out

changed-since = Changed since the start

part-of = { $first }–{ $last } of { $all } bots

## What needs a look.

needs-a-look = Needs a look

all-of-them = all { $number } →

nothing-so-far = Nothing so far: no match was lost by a fault.

later-legs = { $bot } does better in later legs of a pair than in earlier ones, with the same deals, by { $better-by } points a match over { $pairs } pairs: check whether it recognises the deals

circle = A circle, each step significant at 5 % over all pairings together: { $circle }

beats = beats

unfitting = One rating per bot does not describe this field: results differ from the ratings by about { $elo } Elo

level = The matches between { $one } and { $other } do not show which is stronger { $score }

level-score = ({ $score } %, { $low }–{ $high })

## Matches and faults, wherever they are listed.

last-matches = Last matches

just-finished = Just finished

shown-once-over = A match appears once all matches of its pair are over.

round-and-action = round { $round }, action { $action }

before-first-deal = before the first deal

moment-against = { $moment }, against { $rivals }

open-at-turn = open at that turn →

## Charts and key figures.

head-to-head = Head to head

row-percent = the row's share of the points against the column, in percent

row-share = the row's share of the points against the column

heat-percent = head to head: the row's score against the column, in percent

heat = head to head: the row's score against the column

heat-cell = { $row } against { $column }: { $score } %

loses = loses

even = even

wins = wins

margins-of =
    { $count ->
        [one] margins, { $number } match
       *[other] margins, { $number } matches
    }

no-clean-match = No match yet that ended without a fault.

lost-by = lost by { $edge }

won-by = won by { $edge }

margins-chart = margins: matches by the margin of their loss or win

no-decision = No decision yet.

thinking-chart = thinking times: decisions by the time they took

of-the-points = of the points

mean-margin = mean margin

pips-left = pips left per round

rounds-gone-out = rounds gone out

bots-both-ways = { $number } bots from the best to the last, in both directions. A bot's page has the numbers.

row-against-column = { $row } against { $column }

## The stages of a competition.

stage-title = Stage { $number }: { $play }

not-over = not over

in-a-block = In a block { $balance }.

group = Group { $group }

bye = bye

points-note = = marks a shared place. Points count matches: 1 for a win, ½ for a draw. Bots with the same points are placed by the next columns, in this order: BH is Buchholz, C1 without the lowest, SB is Sonneborn–Berger.

bracket-note = The number left of a name is its seed. Points count matches. A level meeting goes on pair by pair, up to eight; then game points decide (g), then the better seed (s).

## The tables.

everything-played = All matches are over: { $standings }.

the-standings = the standings

on-the-tables = On the tables

all-tables = all →

no-table = No table yet.

drawing-needs-scripts = Drawing them needs JavaScript.

tables-shown =
    { $when ->
        [pair] A table is shown, at its own pace, only once all matches of its pair are over: until then, its deals are still to be played again.
        [played] Tables appear as they are played, with all hands.
       *[stage] Results appear as the organiser reveals them on the stage.
    }

## What the script of all pages shows.

live-updated = Live · updated { $seconds } s ago

no-connection = no connection

unreadable = the results cannot be read now

over = over

## The list of several events.

event-number = Event { $number }

being-read = being read
