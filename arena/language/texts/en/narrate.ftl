### A match in words: what happens at a table in sentences, and what its parts are called.

lead = lead { $tile }

lay = { $touching }-{ $end } { $on-arm }

lay-across = { $tile } across { $on-arm }

draw = draw a tile

pass = pass

refuse = refuse to lead

arm =
    { $arm ->
        [N] top arm
        [E] right arm
        [S] bottom arm
       *[W] left arm
    }

the-arm =
    { $arm ->
        [N] the top arm
        [E] the right arm
        [S] the bottom arm
       *[W] the left arm
    }

side =
    { $arm ->
        [N] top
        [E] right
        [S] bottom
       *[W] left
    }

on-arm =
    { $arm ->
        [N] on the top arm
        [E] on the right arm
        [S] on the bottom arm
       *[W] on the left arm
    }

end =
    { $end ->
        [0] blank
       *[other] { $end }
    }

pips =
    { $pips ->
        [8] an 8
        [11] an 11
       *[other] a { $pips }
    }

matador-only = a matador only

set =
    { $set ->
        [6] double-six
        [9] double-nine
       *[12] double-twelve
    }

aim =
    { $wins ->
        [lower] the lower score wins
       *[higher] the higher score wins
    }

## What a beginner needs to hear at a turn.

hint-lead = You have the lead: lay a double, but not 0-0.

hint-may-draw-first = You may draw first.

hint-may-refuse = You may refuse, and leave it to the others.

hint = Touching halves add up to { $sum }: { $takes }.

takes = { $arm } takes { $taken }

waiting =
    { $number ->
        [one] Until the opening is over, { $arms } has to wait.
       *[other] Until the opening is over, { $arms } have to wait.
    }

hint-draw = Nothing fits: draw.

hint-may-draw = You may also draw, as often as you like.

## What happened. To the person at the table, "you" are that person.

you = You

act-led =
    { $own ->
        [yes] You lead { $tile }
       *[no] { $name } leads { $tile }
    }

act-played =
    { $own ->
        [yes] You play { $tile }
       *[no] { $name } plays { $tile }
    }

act-drew =
    { $own ->
        [yes] You draw { $tile }
       *[no] { $name } draws { $tile }
    }

act-drew-hidden =
    { $own ->
        [yes] You draw a tile
       *[no] { $name } draws a tile
    }

act-passed =
    { $own ->
        [yes] You pass
       *[no] { $name } passes
    }

act-refused =
    { $own ->
        [yes] You refuse to lead
       *[no] { $name } refuses to lead
    }

played =
    { $own ->
        [yes] You play { $tile } { $on-arm }: { $why }. { $now }
       *[no] { $name } plays { $tile } { $on-arm }: { $why }. { $now }
    }

played-across =
    { $own ->
        [yes] You play { $tile } across { $on-arm }: { $why }. { $now }
       *[no] { $name } plays { $tile } across { $on-arm }: { $why }. { $now }
    }

now-shows =
    { $end ->
        [0] It now shows blank.
       *[other] It now shows { $end }.
    }

why-matador = a matador fits any end

strike-against =
    { $own ->
        [yes] A strike against you: { $code }. The first legal action was played instead.
       *[no] A strike against { $name }: { $code }. The first legal action was played instead.
    }

dealt = Round { $round } is dealt.

dealt-again = Round { $round } is dealt again.

out =
    { $own ->
        [yes] You are out: the round is over.
       *[no] { $name } is out: the round is over.
    }

blocked =
    { $fits ->
        [nothing] The round is blocked: no remaining tile fits. { $lightest }
       *[unknown] The round is blocked: nobody can play or draw. { $lightest }
    }

lightest =
    { $own ->
        [yes] You have the lightest hand.
       *[no] { $name } has the lightest hand.
    }

lightest-equal = The lightest hands are equal.

nobody-leads = Nobody leads: the round is dealt again.

no-double = There is no double to lead: the round is dealt again.

cut-short = The match was cut short here.

ending =
    { $end ->
        [dominoed] dominoed
        [blocked] blocked
        [refused] nobody leads
        [no-double] no double to lead: dealt again
       *[unfinished] cut short
    }

left-in-hand = Left in hand: { $hands }.

no-tile-of = { $name }: no tile

tiles-of =
    { $pips ->
        [one] { $name }: { $tiles } ({ $pips } pip)
       *[other] { $name }: { $tiles } ({ $pips } pips)
    }

points = Points: { $points }. Scores: { $scores }.

lost-by-fault =
    { $own ->
        [yes] You lost by a fault: { $code }
       *[no] { $name } lost by a fault: { $code }
    }

wins =
    { $own ->
        [yes] You win the match
       *[no] { $name } wins the match
    }

nobody-wins = Nobody wins

drawn = A draw: nobody wins

match-over = { $winner }. Final scores: { $scores }.

round-limit = The round limit is reached.

beat = { $bot } beat { $others }

lost-by-fault-to = { $bot } lost by a fault to { $others }

drew-with = { $bot } drew with { $others }

## A match, or one moment of it, for a terminal.

match-title = match { $id } · block { $block }, leg { $leg } · tournament { $tournament }

moment-title = match { $id } · { $turn-ref } · { $rules } with { $set }

rules-title = { $rules } with { $set }, to { $target } points: { $aim }

seats-label = seats:

seen-from = as seen from seat { $seat }

round-title =
    { $redeal ->
        [0] round { $round } · scores { $scores }
       *[other] round { $round }, dealt again ({ $redeal }) · scores { $scores }
    }

end-title = end · scores { $scores }

to-act = to act: { $name }

to-act-turn = to act: { $name } (turn { $turn } of that seat)

to-act-unasked = to act: { $name } (there was no choice, so nobody was asked)

ends-label = ends

boneyard-label = boneyard

reserve-label = reserve

history-label = history

legal-label = legal

legal-list = legal:

tiles =
    { $count ->
        [one] { $count } tile
       *[other] { $count } tiles
    }

boneyard = boneyard { $boneyard }, of which { $drawable } may be drawn

boneyard-tiles = { $boneyard }: { $tiles }

no-answer = the match ended here, with no answer

answered = answered after { $time }

either-half = across: either half may be met

last-tile = the last tile: goes out

strike = strike: { $code }; the first legal action was played instead

forced = forced

did-led = leads { $tile }

did-play = { $action }, end { $end }

did-play-across = { $action } across, end { $end }

did-draw = draws { $tile }

did-draw-hidden = draws a tile

did-pass = passes

did-refuse = refuses to lead

no-tile-left = no tile left

settled = { $pips } pips { $points } points  score { $score }

cut-short-at = The match was cut short at { $turn-ref }.

turn-of = It was the turn of { $name }.

off-turn =
    { $stopped ->
        [yes] { $name } computed for { $time } while it was not its turn, and was stopped then
       *[no] { $name } computed for { $time } while it was not its turn
    }

last-lines = the last lines that { $name } wrote to its standard error:

## Labels at a table, on pages and in the terminal.

round = Round { $round }

score = score

the-table = The table

on-the-table = The tiles on the table

nothing-laid = no tile is laid yet
