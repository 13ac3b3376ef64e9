### A person's table: in the terminal, and as a page.

## The opponents.

level-name =
    { $level ->
        [1] first steps
        [2] beginner
        [3] easy
        [4] medium
        [5] hard
        [6] very hard
        [7] expert
       *[8] master
    }

level-plays =
    { $level ->
        [1] does anything that is legal
        [2] lays any tile that fits
        [3] lays its heaviest tile
        [4] keeps matadors and what it can lay next
        [5] leaves you little that fits
        [6] tries its tiles on deals it cannot see
        [7] infers your tiles from what you drew
       *[8] guesses your tiles from all that you did
    }

## The coach.

only-deal = the only deal that fits what you have seen

deals = { $deals } deals that fit what you have seen

equally-good = Every move is equally good here.

wins-more = With “{ $one }” you win the round in { $first } of 100 such deals, with “{ $two }” in { $second }.

leaves-less = “{ $one }” leaves you { $first } pips on average, “{ $two }” { $second }.

scores-more = “{ $one }” scores { $more } points more than “{ $two }” on average.

draw-then-decide = After drawing you decide again with the new tile, which is worth more than these deals show.

alike = “{ $one }” and “{ $two }” are equally good on these deals.

keeps = It also keeps { $tile }, a matador, for an end that nothing else fits.

## In the terminal.

you-play =
    You play { $others }: { $game }.
    Type ? for help.

you-watch =
    { $names }: { $game }.
    Enter continues, q ends it.

game = { $rules } with { $set }, to { $target } points, { $aim }

commands =
    Type the number of an action, or the action itself, such as N:4-1, S:2|5 or draw. Arms are N (top), E (right), S (bottom), W (left); N:4-1 lays 1-4 with the 4 touching, S:2|5 lays 2-5 across.
    {"  "}d  draw    r  refuse to lead    l  draw the layout    h  what fits where    k  ask the coach
    {"  "}u  take back your last decision: from then on you only practise, and nothing is stored
    {"  "}resign  give up: nothing is stored    ?  this list    `leyden rules` explains the game

back-to-decision = Back to your last decision. This is practice now: nothing is stored.

machine-busy = The machine was too busy; the match continues from where it was.

your-move = Your move:

no-advice = The coach has nothing to say.

arm-takes = { $letter } { $arm }: shows { $end }, takes { $taken }

arm-waits = { $letter } { $arm }: shows { $end }, waits

holds = { $name } holds { $count }

held = { $others }; { $boneyard } in the boneyard, { $drawable } to draw

your-hand-is =
    { $pips ->
        [one] Your hand: { $hand } ({ $pips } pip)
       *[other] Your hand: { $hand } ({ $pips } pips)
    }

hint-line = Hint: { $hint }

kept-in = Kept in { $path }: leyden replay { $path } { $id }

practised = This was practice: nothing is stored.

resigned = You resigned: nothing is stored.

actions-range = There are actions 1 to { $last }.

not-a-command = { $typed } is not a command: type a number, an action such as N:4-1, or ? for help.

not-possible =
    { $number ->
        [one] { $action } is not possible now: type the action above.
       *[other] { $action } is not possible now: type one of the { $number } actions above.
    }

coach-says = The coach, over { $deals } (it sees no more than you):

coach-ahead = { $win } % to win the match; this round leaves you { $points } points ahead { $action }

coach-behind = { $win } % to win the match; this round leaves you { $points } points behind { $action }

table-empty = The table is empty.

nothing-to-take-back = There is nothing to take back.

## On the page.

title = Play · Leyden Arena

rules-and-keys = Rules and keys

needs-scripts = The table needs scripts; use `leyden play --text` to play in the terminal.

a-table = A table

your-hand = Your hand

scores = Scores

coach = Coach

what-happened = What happened

match-by-rules = A match of { $rules }

opponents = Opponents

who-against = Who do you want to play against?

rules = Rules

five-pictures = The game in five pictures

no = No

yes = Yes

key-tile = choose a tile

key-end = choose an end; when watching bots: step

key-lay = lay the tile there

key-matador = a matador: low half touching, high half touching, across

key-coach = the coach

key-hints = hints on or off; at first they are on in the first round

key-undo = take back your last decision; practice from there

key-nothing = choose nothing

key-help = this page

looking-on = you are watching

match-counts = the match counts

practice = practice: nothing is stored

end-shows = { $arm }: shows { $end }, takes { $taken }

draw-a-tile = Draw a tile

in-boneyard = { $boneyard } in the boneyard,

can-be-drawn = { $drawable } can be drawn

your-turn = Your turn.

press-step = Press Step.

tiles-and-pips =
    { $count ->
        [one] { $count } tile
       *[other] { $count } tiles
    } · { $pips ->
        [one] { $pips } pip
       *[other] { $pips } pips
    }

no-fit = no fit

any-end = any end

as-lead = lead

choose-a-tile = Choose a tile.

at-which-end = { $tile }: at which end?

how-to-lie = { $tile } is a matador: how should it lie?

press-enter = { $tile }: press Enter to lay it.

in-line-so = { $arm }: { $touching } touches, { $end } is out

across-so = { $arm }: across, { $low } and { $high } are out

refuse-to-lead = Refuse to lead

you-lead = You have the lead.

step = Step

to-target = to { $target }, { $aim }

who = who

total = Total

action = action

wins = wins

points = points

and-more = and { $number } more

how-often = How often you win the match, and how many points ahead this round puts you, over { $deals }. It never looks at hidden tiles.

coach-waits = It gives advice when it is your turn.

hints = Hints

on = on

off = off

so-far = So far

undo = Undo

latest-first = What happened, the latest first

resign = Resign

match-is-over = The match is over

stored-where = It is stored; the terminal shows where.

replay = Replay

another-match = Another match

leave = Leave the table

gave-up = You gave up the match: nothing is stored.

not-stored = It could not be stored: { $why }

cannot-continue = The match cannot continue: { $why }. Nothing is stored.

no-answer = The table does not answer: leyden has ended or was stopped.

take-back-really = Take it back? From there on you only practise, and nothing is stored.

give-up-really = Give up the match? Nothing is stored.

## The rules in five pictures.

halves-add-up = Touching halves add up to { $sum }: 3 and { $partner }.

matadors-fit = { $matadors } are matadors, and fit any end. All except 0-0 may also lie across: then either half can be touched.

blank-takes = Only a matador can touch a blank.

opening =
    { $shape ->
        [line] A double is led and lies in line; the line grows at both ends.
       *[spinner] A double is led and lies flat. { $opening ->
            [sides] The first two plays go on its two long sides, above and below; then its two short ends are open, too.
            [cross] The first four plays go on its two long sides and its two short ends, one each; then all four are open.
           *[none] Its two long sides and its two short ends are open at once.
        }
    }

drawing =
    { $drawing ->
        [any] You may draw as often as you like, and must draw while nothing fits; the last { $reserve } tiles stay.
       *[one] When nothing fits, draw one tile, and pass if it does not fit either.
    }

round-end =
    { $scoring ->
        [own-hand] When a hand is empty, or nobody can play, each adds the pips left in hand.
        [all-hands] When a hand is empty, or nobody can play, the lighter hand adds the pips of all.
       *[difference] When a hand is empty, or nobody can play, the lightest hand adds the pips of the others, less its own.
    }

match-end = To { $target }: { $aim }.
