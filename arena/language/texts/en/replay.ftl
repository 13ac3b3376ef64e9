### The page that replays a match.

title = { $names } · match { $id }

replay-of = Replay of match { $id }

needs-scripts = A replay needs scripts; this file contains its own and makes no requests.

one-file = replay · one file, works offline

light-or-dark = Light or dark

rounds = Rounds

match-line = match { $id } · to { $target } points, { $aim }

needs-number = needs this number

closed-end = closed: matadors only

in-boneyard = in the boneyard

last-stay = the last { $reserve } stay

moment-of-round = Moment of the round

to-beginning = Beginning of the match

step-back = Step back

play = Play

pause = Pause

step = Step

to-end = End of the match

speed = Speed

hands = Hands

as-seen = as { $name } saw it

all-open = all open

numbers-on-tiles = 123 on tiles

copy-link = Copy link

copy-link-title = Copy a link to this moment

key-step = step

key-match = match

key-play = play

key-round = round

key-fault = next fault

key-mattered = next turn that mattered

key-hands = hands

key-numbers = numbers

key-link = copy link

key-help = all keys

space-key = space

all-step = one moment back or forward

all-same = the same

all-match = the beginning and the end of the match

all-play = play or pause

all-round-back = the beginning of this round, then of the previous one

all-round-on = the next round

all-fault = the next fault or strike

all-mattered = the next turn that mattered: a blunder, or a swing of the chance to win (in an analysed match)

all-hands = whose hands are shown: all, or one seat's view

all-numbers = numbers instead of pips

all-link = copy a link to this moment

all-help = this list

keys = Keys

close = Close

what-was-said = Turns, log and facts

what-is-listed = What the list shows

list = List

tab-turns = Turns

tab-log = Bot log

tab-facts = Facts

messages-and-answers = Messages and answers

fact-match = match

fact-tournament = tournament

fact-deals = deals

fact-block = block { $block }, leg { $leg }

fact-rules = rules

fact-hands = hands

fact-tiles = { $hand } tiles each, { $reserve } tiles stay in the boneyard

fact-seat = seat { $seat }

lines-are-rebuilt = Lines are rebuilt from the record: a bot's messages are complete except for the clock, and an answer is written in its shortest form. { $command } checks every deal and action.

## Moments, in few words.

dealt = dealt

## What the script shows.

no-fault = There is no fault in this match.

nothing-mattered = No turn of this match mattered much.

not-analysed = Nobody has analysed this match: leyden analyse does that.

with-pips =
    { $count ->
        [one] { $tiles } · { $pips } pip
       *[other] { $tiles } · { $pips } pips
    }

round-short = R{ $round }

round-short-again = R{ $round } again

round-again = Round { $round }, dealt again { $redeal }

a-fault = a fault

fault = fault

blunder-tag = blunder

tag-across = across

tag-matador = matador

chance-becomes = the chance becomes { $chance }

who-blundered = { $name } { $blunder }

wins-with = wins with { $chance }

what-else = What else was possible

wins-column = wins, %

points-column = points

is-taken = taken

is-best = best

gave-away = gave away { $chance } % of the match, { $points } points

gave-away-by = gave away { $chance } % of the match, { $points } points: it { $blunder }

by-evaluation = By the evaluation of strong, from what this seat knew; ± is one standard error.

in-drawing-order = { $tiles } ({ $round }, in drawing order)

faults-and-strikes = Faults and strikes

none = none

notes = Notes

no-notes = No bot wrote a note that is visible here.

message-not-shown = the message for its author is not shown here

standard-error-of = Standard error of { $name }

standard-error-part = Standard error of { $name } (the recorded part)

nothing-recorded = nothing recorded

recorded-only-if = The arena records the end of standard error only if something went wrong.

nobody-asked = No one was asked here.

seat-not-asked = This seat was not asked here.

not-asked = Not asked: there was only one legal action.

copy = Copy

line-copied = Line copied.

message-to = The message to { $name }

turn = turn { $turn }

legal-actions = { $number } legal actions

legal-actions-marked = { $number } legal actions, the one taken marked

answered = It answered

answered-after = It answered after { $time }

no-answer = No valid answer

no-answer-after = No valid answer after { $time }

its-note = Its note

link-copied = Link to this moment copied.

## What a bot did wrong: after its name, or after "it".

blunder =
    { $kind ->
        [drew-needlessly] drew needlessly
        [did-not-draw] should have drawn
        [wasted-matador] wasted a matador
        [kept-heavy-double] kept a heavy double
        [opened-for-starved] opened an arm for a starved opponent
        [wrong-lead] led the wrong double
       *[other-choice] chose the wrong tile or arm
    }
