### What the author of a bot reads in a league. The words of tournaments are at the head of tournament.ftl.

your-bot = Your bot

token = The token that the organiser has sent you

show = Show

unknown-token = The league does not know this token: perhaps there is a newer one.

sign-out = Sign out

new-version = Hand in a new version

archive = A zip archive of your bot’s folder with its bot.toml, or a single file such as bot.py

hand-in = Hand in

handed-in = Handed in

number = No.

when = When

what-became = Status

being-checked = is being checked

plays-as = plays as { $version }

refused = refused

waits = waits

lost = lost

known = known

replaced = replaced

is-lost = The arena stopped before it had all of your bot: hand it in again.

is-known = This is { $version }, which the league already has.

is-copy = Another bot has the same files: the league counts them once.

is-replaced = You handed in a later one before this one was checked.

withdrawn = withdrawn

plays-no-more = { $version } no longer plays; its matches count.

comes-back = { $version } comes back

plays = { $version } plays.

rests = { $version } has used up its time for today and rests until tomorrow (UTC).

set-aside = { $version } could not be started { $failures } times in a row. It is set aside, so that it does not lose matches without playing them. Fix the cause shown here, then hand your bot in again or bring it back.

called-in-public = On public pages, and for other authors, your bot is called { $name }.
may-withdraw = You can withdraw it: then it no longer plays, and its matches count. It comes back if you hand it in again.

withdraw = Withdraw { $version }

you-withdrew = You have withdrawn { $version }: its matches count, and none of your versions plays.

bring-back = Bring back { $version }

goes-on = Your previous version plays on.

nothing-played = No match has been played yet.

versions = Versions

version = Version

none-plays = No version plays yet.

your-faults = Your faults

only-you = the latest; only you see the messages

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

counts-for-nothing = Your current version meets it now, in one pair on a deal of its own. It counts for nothing.

challenges-left =
    { $left ->
        [one] One more today.
       *[other] { $left } more today.
    }

opponent = Opponent

play-now = Play now

not-played = not played

download = Download every decision of your bot, as it saw it (JSON Lines)
