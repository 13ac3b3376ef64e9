### Was jemand in einer Liga über den eigenen Bot liest. Die Wörter von Turnieren stehen am Anfang von tournament.ftl. Angeredet wird mit du.

your-bot = Dein Bot

token = Der Schlüssel, den du vom Veranstalter bekommen hast

show = Anzeigen

unknown-token = Dieser Schlüssel ist nicht bekannt: Vielleicht gibt es einen neueren.

sign-out = Abmelden

new-version = Eine neue Version abgeben

archive = Ein Zip-Archiv vom Ordner deines Bots mit seiner bot.toml, oder eine einzelne Datei wie bot.py

hand-in = Abgeben

handed-in = Abgegeben

number = Nr.

when = Wann

what-became = Was daraus wurde

being-checked = wird geprüft

plays-as = spielt als { $version }

refused = abgelehnt

waits = wartet

lost = verloren

known = bekannt

replaced = ersetzt

is-lost = Die Arena wurde beendet, bevor es vollständig war: Gib es noch einmal ab.

is-known = Das ist { $version }, die schon da war.

is-copy = Ein anderer Bot hat dieselben Dateien, die einmal zählen.

is-replaced = Ein späteres kam, bevor es geprüft war.

withdrawn = zurückgezogen

plays-no-more = { $version } spielt nicht mehr; was gespielt wurde, zählt.

comes-back = { $version } kommt zurück

plays = { $version } spielt.

rests = { $version } hat seine Zeit für diesen Tag aufgebraucht und ruht bis zum nächsten (UTC).

set-aside = { $version } ließ sich { $failures } Mal hintereinander nicht starten und ist beiseitegelegt, damit er nicht ungespielt verliert. Behebe, was hier steht; dann gib ihn noch einmal ab oder hol ihn zurück.

called-in-public = Auf öffentlichen Seiten und für andere Autoren heißt dein Bot { $name }.
may-withdraw = Du kannst ihn zurückziehen: Dann spielt er nicht mehr, und was er gespielt hat, zählt. Er kommt zurück, wenn du ihn noch einmal abgibst.

withdraw = { $version } zurückziehen

you-withdrew = Du hast { $version } zurückgezogen; nichts von dir spielt.

bring-back = { $version } zurückholen

goes-on = Was vorher spielte, spielt weiter.

nothing-played = Es wurde noch nichts gespielt.

versions = Versionen

version = Version

none-plays = Noch spielt keine.

your-faults = Deine Verstöße

only-you = die letzten; nur du siehst die Meldungen

its-standard-error = das Ende seiner Fehlerausgabe

your-matches = Deine letzten Partien

as-seen = wie dein Bot sie sah

match = Partie

result = Ergebnis

end =
    { $end ->
        [won] gewonnen
        [drawn] unentschieden
       *[lost] verloren
    }

bots-and-scores = Bots und Punkte, nach Plätzen

fault = Verstoß

challenge = Einen Bot herausfordern

counts-for-nothing = Deine Version, die spielt, trifft jetzt auf ihn, in einem Paar mit eigenen Steinen. Es zählt für nichts.

challenges-left =
    { $left ->
        [one] Heute noch einmal.
       *[other] Heute noch { $left } Mal.
    }

opponent = Gegner

play-now = Jetzt spielen

not-played = nicht gespielt

download = Alle Entscheidungen deines Bots herunterladen, wie er sie sah (JSON Lines)
