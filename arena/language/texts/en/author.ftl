### What the author of a bot reads in a league. The words of tournaments are at the head of tournament.ftl.

your-bot = Your bot

token = The token that the organiser has sent you

show = Show

unknown-token = This token is not known: perhaps there is a newer one.

sign-out = Sign out

new-version = Hand in a new version

archive = A zip archive of your bot’s folder with its bot.toml, or a single file such as bot.py

hand-in = Hand in

handed-in = Handed in

number = No.

when = When

what-became = What became of it

being-checked = is being checked

plays-as = plays as { $version }

refused = refused

waits = waits

lost = lost

known = known

replaced = replaced

is-lost = The arena was ended before it was complete: hand it in again.

is-known = It is { $version }, which was there before.

is-copy = Another bot has the same files, which count once.

is-replaced = A later one came before it was checked.

withdrawn = withdrawn

plays-no-more = { $version } plays no more; what it has played counts.

comes-back = { $version } comes back

plays = { $version } plays.

rests = { $version } has used up its time of this day and rests until the next (UTC).

set-aside = { $version } could not be started { $failures } times in a row and is set aside, so that it does not lose unplayed. Mend what is said here, then hand in again or bring it back.

called-in-public = On public pages, and for other authors, your bot is called { $name }.
may-withdraw = You can take it back: then it plays no more, and what it has played counts. It comes back if you hand it in again.

withdraw = Withdraw { $version }

you-withdrew = You have withdrawn { $version }; nothing of yours plays.

bring-back = Bring back { $version }

goes-on = What played before goes on.

nothing-played = Nothing was played yet.

versions = Versions

version = Version

none-plays = None plays yet.

your-faults = Your faults

only-you = the latest; only you see the messages

its-standard-error = the end of its standard error

your-matches = Your latest matches

as-seen = as your bot saw them

match = Match

result = Result

end =
    { $end ->
        [won] won
        [drawn] drawn
       *[lost] lost
    }

bots-and-scores = Bots and scores, by seat

fault = Fault

challenge = Challenge a bot

counts-for-nothing = Your version that plays meets it now, in one pair on a deal of its own. It counts for nothing.

challenges-left =
    { $left ->
        [one] One more today.
       *[other] { $left } more today.
    }

opponent = Opponent

play-now = Play now

not-played = not played

download = Download every decision of your bot, as it saw it (JSON Lines)
