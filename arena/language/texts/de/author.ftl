### Was jemand in einer Liga über den eigenen Bot liest. Die Wörter von Turnieren stehen am Anfang von tournament.ftl. Angeredet wird mit du.

your-bot = Dein Bot

token = Der Schlüssel, den du vom Veranstalter bekommen hast

show = Anzeigen

unknown-token = Die Liga kennt diesen Schlüssel nicht: Vielleicht gibt es einen neueren.

sign-out = Abmelden

new-version = Eine neue Version abgeben

archive = Ein Zip-Archiv vom Ordner deines Bots mit seiner bot.toml, oder eine einzelne Datei wie bot.py

hand-in = Abgeben

handed-in = Abgegeben

number = Nr.

when = Wann

what-became = Stand

being-checked = wird geprüft

plays-as = spielt als { $version }

refused = abgelehnt

waits = wartet

lost = verloren

known = bekannt

replaced = ersetzt

is-lost = Die Arena endete, bevor dein Bot ganz angekommen war: Gib ihn noch einmal ab.

is-known = Das ist { $version }; die Liga hat diese Version schon.

is-copy = Ein anderer Bot hat dieselben Dateien: Die Liga zählt sie nur einmal.

is-replaced = Du hast etwas Neueres abgegeben, bevor dies geprüft war.

withdrawn = zurückgezogen

plays-no-more = { $version } spielt nicht mehr; die gespielten Partien zählen.

comes-back = { $version } kommt zurück

plays = { $version } spielt.

rests = { $version } hat seine Zeit für heute aufgebraucht und ruht bis morgen (UTC).

set-aside = { $version } ließ sich { $failures } Mal hintereinander nicht starten und ist beiseitegelegt, damit er keine Partien verliert, ohne zu spielen. Behebe die Ursache, die hier steht; dann gib ihn noch einmal ab oder hol ihn zurück.

called-in-public = Auf öffentlichen Seiten und für andere Autoren heißt dein Bot { $name }.
may-withdraw = Du kannst ihn zurückziehen: Dann spielt er nicht mehr, und seine Partien zählen. Er kommt zurück, wenn du ihn noch einmal abgibst.

withdraw = { $version } zurückziehen

you-withdrew = Du hast { $version } zurückgezogen: die gespielten Partien zählen, und keine deiner Versionen spielt.

bring-back = { $version } zurückholen

goes-on = Deine vorige Version spielt weiter.

nothing-played = Noch ist keine Partie gespielt.

versions = Versionen

version = Version

none-plays = Noch spielt keine.

your-faults = Deine Verstöße

only-you = die letzten; nur du siehst die Meldungen

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
