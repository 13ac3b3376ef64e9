### The stage of an event: what an audience and an organiser see. The words of tournaments are at the head of tournament.ftl.

## What the audience sees.

title = Stage

stage-of = The stage of { $name }

without-scripts = Without scripts, this page shows what was on the stage when it was loaded.

block = Block { $block }

round = Round { $round }

round-of-stage = Stage { $stage }, round { $round }

further-pairs = { $round }, further pairs of level meetings

the-end = The end

match-of = { $round } · match { $at } of { $of }

match-of-so-far = { $round } · { $points } so far · match { $at } of { $of }

its-round = { $caption }, its round { $round }

its-round-as-seen = { $caption }, its round { $round } · as { $name } saw it

thought-for = Thought for { $time }.

holds-tiles =
    { $count ->
        [one] holds { $count } tile
       *[other] holds { $count } tiles
    }

chance-to-win = Chance to win

what-is-shown = On screen

by-margin = { $scores }, by { $margin }

by-fault = { $scores }: { $fault }

begins =
    { $now ->
        [yes] { $round } begins now
       *[no] { $round } begins in
    }

and-more = and { $more } more

## Who won, and when that was decided.

nobody-won = Nobody has won

the-winner-is =
    { $shared ->
        [yes] The first place is shared by
       *[no] The winner is
    }

won-against = { $own } : { $other } against { $rival }

won-by-points =
    { $count ->
        [one] { $own } of { $count } point, { $ahead } ahead of { $second }
       *[other] { $own } of { $count } points, { $ahead } ahead of { $second }
    }

ahead-since-match = Ahead for good since match { $since } of { $of }.

ahead-since-block = Ahead of all others since block { $since } of { $of }.

by-score-alone = By the score alone: ahead for good since round { $since } of { $of }.

never-below = The winner's chance was never below one half.

no-answer = no answer

decided-by = It was decided in round { $round } by { $name }: { $act }. The winner's chance went from { $before } to { $after } %, and never fell below one half again.

## What the organiser sees.

organiser = Organiser

for-organiser = The stage of { $name }: for the organiser

the-token = The token that leyden printed

open = Open

no-server = The server cannot be reached.

the-match = The match

round-beginning = Beginning of the round

step = Step

round-over = End of the round

moment-of = moment { $at } of { $last }

moment-of-then =
    { $count ->
        [one] moment { $at } of { $last }, then { $count } match
       *[other] moment { $at } of { $last }, then { $count } matches
    }

how-shown = How it is shown

hands = Hands

all-hands = all

moment-takes = A moment takes

show = Show

name = Title

standings = Standings

winner = Winner

countdown = Countdown

what-is-revealed = Reveal results

reveal = Reveal { $round }

all-revealed = All results so far are revealed.

matches = Matches

round-state =
    { $state ->
        [revealed] revealed
        [played] only you see these results
       *[unplayed] not played to its end
    }

closest = Closest by points

latest = Decided latest

ahead-since = ahead since round { $since } of { $of }

revealed = revealed

more-of-meeting = … and { $more } more
