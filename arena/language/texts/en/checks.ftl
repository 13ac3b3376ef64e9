### What pages say of luck, gates and the proof of a tournament. The words of tournaments are at the head of tournament.ftl.

## Without luck.

without-luck = Without luck

luck-removed =
    { $any-time ->
        [yes] ± 95 % at any time, the effect of deals and draws removed; the raw scores remain official
       *[no] ± 95 %, the effect of deals and draws removed; the raw scores remain official
    }

pairing-without-luck = { $one } against { $other }: score { $raw } · without luck { $adjusted } (as good as { $low } to { $high } times the matches)

gain-less =
    { $count ->
        [one] { $number } more pairing gain less.
       *[other] { $number } more pairings gain less.
    }

ratings-without-luck = Ratings without luck:

rating-without-luck = { $bot } { $raw } · without luck { $adjusted }

gate-without-luck = Score without luck { $score } (95 %, at any time: { $low } to { $high })

## A gate.

verdict =
    { $verdict ->
        [accepted] ✓ accepted
        [rejected] ✖ rejected
        [faulted] ✖ rejected for its faults
        [case-failed] ✖ rejected: a case fails
        [no-opponent] no answer: the old version faults
        [mirror] undecided: both have played alike so far
        [same] undecided: both are the same bot
        [undecided] undecided after the maximum number of pairs
       *[unfinished] not decided yet
    }

is-stronger = Is { $new } stronger than { $old }?

hypotheses =
    { $scale ->
        [normalised] { $low } or { $high } normalised Elo
       *[logistic] { $low } or { $high } logistic Elo
    }

ratio =
    { $count ->
        [one] Log-likelihood ratio { $ratio } between { $low } (reject) and { $high } (accept), after { $number } pair
       *[other] Log-likelihood ratio { $ratio } between { $low } (reject) and { $high } (accept), after { $number } pairs
    }

ratio-without-luck =
    { $count ->
        [one] Log-likelihood ratio { $ratio } between { $low } (reject) and { $high } (accept), after { $number } pair, judged after removing luck
       *[other] Log-likelihood ratio { $ratio } between { $low } (reject) and { $high } (accept), after { $number } pairs, judged after removing luck
    }

score-as-played = Score as played { $score } (95 %, no matter why the test stopped: { $interval })

score-and-test = Score as played { $score } (95 %, no matter why the test stopped: { $interval }; interval of the test, { $level }: { $tested })

## How to check a tournament.

verify = Verify

verify-yourself = Verify it yourself

from-one-text = Every deal of this tournament follows from one text, its seed. Before the first match only the seed's commitment was published, the SHA-256 of its SHA-256. So nobody could change the seed afterwards, and no bot that was there from the beginning could know a deal. It does not prove that the organiser did not try several seeds and keep one: for that, the seed has to contain something that nobody could choose, such as the lottery numbers of a day that was named in advance.

tournament = Tournament

commitment = Commitment

seed = Seed

seed-later = published when everything is played

played = Played

seed-was-promised = The seed is the one that was promised

prints-commitment = with the seed's text in place of SEED prints the commitment.

seed-is-quoted = This seed contains invisible characters, so it is shown in the shell's notation: replace 'SEED' with it, including its quotes.

deals-follow = Every deal follows from it, and every action from the rules

records-have = { $file } has every match, one JSON object per line. This replays all of them, deals every deal again, and recomputes every match's seed from the seed's text, which replaces SEED:

standings-from-records = The standings are computed from the same records:

records-later = The records of all matches are published with the report once everything is played.

no-names = This report has no names: bots are called by their places. Every deal follows from the seed and the bots' names, so the seed and the records would reveal the names, and are not included. The organiser has them, and anyone who gets the results file can replay it:
