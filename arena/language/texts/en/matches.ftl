### Matches on pages: their list, one of them, and those of a bot. The words of tournaments are at the head of tournament.ftl.

## The list of matches.

match = Match

bots-and-scores = Bots and scores, by seat

rounds = Rounds

actions = Actions

upset = Upset

upset-title = how much higher the loser was rated

longest-decision = Longest decision

end = End

fault-of = ✖ { $code } of { $name }

drawn = drawn

ended =
    { $by ->
        [limit] round limit
       *[play] played out
    }

shown-when-complete =
    { $count ->
        [one] { $number } match, each shown once its pair is complete
       *[other] { $number } matches, each shown once its pair is complete
    }

search-hint = a bot's name, or a match's id

which = which

order = order

only =
    { $only ->
        [all] all
        [faults] faults
       *[draws] draws
    }

sorted =
    { $by ->
        [latest] latest first
        [schedule] in schedule order
        [closest] closest first
        [upset] biggest upset first
        [clearest] clearest first
        [longest] most actions first
       *[slowest] longest decision first
    }

show = Show

of-these = { $bot } against { $rival } · { $all }

of-this = { $bot } · { $all }

all-bots = all bots

pages-of-list = Pages of the list

before = ← before

next = next →

page-of = page { $page } of { $pages }

latest-without-scripts = : the latest. { $all } as a table; searching needs JavaScript.

all-of-them = All of them

## A match that is not over for spectators.

match-title = match { $id }

match-facts = match { $id } · block { $block }, leg { $leg }

against = against

points-and-score = points { $points } · score { $scores }

nothing-was-laid = No tile was laid.

layout-at-end = the layout at the end of round { $round }

actions-of-round = the actions of round { $round }

## The page of a bot.

stands = place { $place } of { $bots } · rating { $rating } · { $record }

record =
    { $count ->
        [one] { $record } in { $number } match
       *[other] { $record } in { $number } matches
    }

against-all = Against every opponent

won-drawn-lost = Won–drawn–lost

score-as-bar = Score as a bar

against-rating = Against its rating

strays =
    { $to ->
        [worse] worse
       *[better] better
    }

for-all-lines = The 95 % hold for all lines at once; intervals are shown from 10 blocks on.

latest-matches = Latest matches

margins = Margins

thinking-times = Thinking times

decisions =
    { $count ->
        [one] { $number } decision
       *[other] { $number } decisions
    }

within = half of them within { $half }, 99 % within { $most }

form =
    { $count ->
        [one] The last { $number } match
       *[other] The last { $number } matches
    }

form-letter =
    { $result ->
        [won] W
        [drawn] D
       *[lost] L
    }

faults = Faults

matches-lost =
    { $count ->
        [one] { $number } match lost
       *[other] { $number } matches lost
    }

details-later = The messages for its author, and its standard error, appear here once all matches are over.

standard-error =
    { $cut ->
        [yes] standard error, its end
       *[no] standard error
    }
