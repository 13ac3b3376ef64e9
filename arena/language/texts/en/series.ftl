### The page of several tournaments in a row: `leyden compare --html`.

title = From { $first } to { $last }
headline =
    { $tournaments ->
        [one] { $tournaments } tournament
       *[other] { $tournaments } tournaments, one after the other
    }
ratings = Ratings
ratings-of-it = Its ratings, one after the other
last-change = Last change ± 95 %
scale = In each column a bot’s rating, and its place in brackets. Ratings are on the scale of the last tournament: those of each earlier one are all shifted by the same amount, so that the bots that stayed unchanged until the next have the same mean in both. If no bot stayed unchanged, there is no common scale, and the earlier ratings are left out.
moved =
    { $any-time ->
        [yes] A bot has moved if the last change is larger than its ±; with 95 % confidence this is true of all bots of the step together, at any time. Vertical lines in the drawings are the 95 % of each rating in its own tournament.
       *[no] A bot has moved if the last change is larger than its ±; with 95 % confidence this is true of all bots of the step together. Vertical lines in the drawings are the 95 % of each rating in its own tournament.
    }
change =
    { $change ->
        [joined] joined
        [changed] changed
       *[gone] left
    }
