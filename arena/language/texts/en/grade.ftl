### Grades: the findings, and what a student reads. The student is addressed informally.

## The findings for a part of the grade: pieces of a list.

cannot-run = it cannot be run

nothing-checked = nothing could be checked

findings-good = { $good } of { $all } checks passed

not-tried = { $count } not tried: { $names }

scores = scores { $score } % in { $matches } matches

scores-without-luck = scores { $score } % without luck, { $played } % as played, in { $matches } matches

full-from = full points from { $full } %

all-lost = every match was lost by { $code }, so the other { $rest } were not played

time-was-up = the other { $rest } were not played because its time was up

matches-void =
    { $count ->
        [one] { $count } match was void, and its pair is left out, because the machine was too busy: grade again
       *[other] { $count } matches were void, and their pairs are left out, because the machine was too busy: grade again
    }

and-also = { $first }; { $second }

## Tables and headings.

part = part

points = points

of = of

another-seed-column = another seed (95 %)

seen = result

check = check

against = against { $bot }

heading =
    { $graded ->
        [yes] { $bot }: { $points } of { $most }, grade { $grade }
       *[no] { $bot }: { $points } of { $most }
    }

title =
    { $graded ->
        [yes] { $bot }: { $points } of { $most } points, grade { $grade }
       *[no] { $bot }: { $points } of { $most } points
    }

another-seed =
    { $graded ->
        [yes] another seed gives { $points } points (95 %), and another grade in { $share } % of cases
       *[no] another seed gives { $points } points (95 %)
    }

in-all = In all, { $another-seed }.

other-deals =
    { $graded ->
        [yes] Another seed, with other deals, gives { $points } points in all (95 %), and another grade in { $share } % of cases.
       *[no] Another seed, with other deals, gives { $points } points in all (95 %).
    }

## For the student.

to-correct = To correct

matches-to-see = Matches to step through, as your bot saw them

lost-by = lost by { $code }

largest-loss =
    { $by ->
        [one] lost by { $by } point, its largest loss here
       *[other] lost by { $by } points, its largest loss here
    }

correct-first = It could not be run: correct that first, then try `leyden check .` to see whether it runs.

correct-listed = First correct what is listed here, then run `leyden check .` in the bot's folder to see that it is gone.

most-left = The grading found no fault. You can gain most in the part "{ $part }": step through the matches that it lost by most, and ask at each turn what `leyden play` with the coach (k) would do.

none-left = The grading found no fault, and your bot has all points. Play stronger bots: `leyden match . builtin:strong`.

called = On public pages your bot is called "{ $name }".
