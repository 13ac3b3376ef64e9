### The page of `leyden likeness`: what bots have in common, for the teacher.

title = Likeness
headline = What these bots have in common
measure = A measure, not a verdict: read the passages. Names, numbers, texts, comments and layout make no difference. What comes from a starter or from a sample bot, and what many have, is not counted. For the teacher alone: the page shows everybody’s source text.
groups = Groups: half or more of the shorter text in common
none = None.
unread = Too little text of their own to compare: { $bots }
pairs =
    { $pairs ->
        [one] { $pairs } pair
       *[other] { $pairs } pairs
    }
nothing = Nothing in common.
from-samples = Made from a sample bot
of-sample =
    { $lines ->
        [one] { $bot }: { $percent } % of it is the sample bot { $sample }; { $lines } line is its own
       *[other] { $bot }: { $percent } % of it is the sample bot { $sample }; { $lines } lines are its own
    }
more = and more
pair = { $percent } % · { $first } ({ $of-first } % of it) and { $second } ({ $of-second } % of it)
lines = { $file }, lines { $from }–{ $to }
