### Was Seiten von Glück, Zulassungsprüfungen und dem Nachprüfen eines Turniers sagen. Die Wörter für Turniere stehen am Anfang von tournament.ftl.

## Ohne Glück.

without-luck = Ohne Glück

luck-removed =
    { $any-time ->
        [yes] ± 95 % zu jeder Zeit, ohne die Wirkung von Verteilung und Ziehen; es gelten die rohen Quoten
       *[no] ± 95 %, ohne die Wirkung von Verteilung und Ziehen; es gelten die rohen Quoten
    }

pairing-without-luck = { $one } gegen { $other }: Quote { $raw } · ohne Glück { $adjusted } (so gut wie { $low }- bis { $high }-mal so viele Partien)

gain-less =
    { $count ->
        [one] { $number } weitere Paarung gewinnt weniger.
       *[other] { $number } weitere Paarungen gewinnen weniger.
    }

ratings-without-luck = Wertungen ohne Glück:

rating-without-luck = { $bot } { $raw } · ohne Glück { $adjusted }

gate-without-luck = Quote ohne Glück { $score } (95 %, zu jeder Zeit: { $low } bis { $high })

## Eine Zulassungsprüfung.

verdict =
    { $verdict ->
        [accepted] ✓ angenommen
        [rejected] ✖ abgelehnt
        [faulted] ✖ abgelehnt wegen seiner Verstöße
        [case-failed] ✖ abgelehnt: ein Fall schlägt fehl
        [no-opponent] keine Antwort: die alte Version begeht Verstöße
        [mirror] offen: beide haben bisher dasselbe gespielt
        [same] offen: beide sind derselbe Bot
        [undecided] offen nach der Höchstzahl von Paaren
       *[unfinished] noch nicht entschieden
    }

is-stronger = Ist { $new } stärker als { $old }?

hypotheses =
    { $scale ->
        [normalised] { $low } oder { $high } normiertes Elo
       *[logistic] { $low } oder { $high } logistisches Elo
    }

ratio =
    { $count ->
        [one] Log-Likelihood-Quotient { $ratio } zwischen { $low } (ablehnen) und { $high } (annehmen), nach { $number } Paar
       *[other] Log-Likelihood-Quotient { $ratio } zwischen { $low } (ablehnen) und { $high } (annehmen), nach { $number } Paaren
    }

ratio-without-luck =
    { $count ->
        [one] Log-Likelihood-Quotient { $ratio } zwischen { $low } (ablehnen) und { $high } (annehmen), nach { $number } Paar, beurteilt ohne Glück
       *[other] Log-Likelihood-Quotient { $ratio } zwischen { $low } (ablehnen) und { $high } (annehmen), nach { $number } Paaren, beurteilt ohne Glück
    }

score-as-played = Quote wie gespielt { $score } (95 %, gleich, warum die Prüfung endete: { $interval })

score-and-test = Quote wie gespielt { $score } (95 %, gleich, warum die Prüfung endete: { $interval }; Intervall der Prüfung, { $level }: { $tested })

## Wie sich ein Turnier nachprüfen lässt.

verify = Nachprüfen

verify-yourself = Selbst nachprüfen

from-one-text = Jede Verteilung dieses Turniers folgt aus einem Text, seinem Startwert. Vor der ersten Partie war nur dessen Festlegung veröffentlicht, der SHA-256 seines SHA-256. So konnte niemand den Startwert nachträglich ändern, und kein Bot, der von Anfang an dabei war, konnte eine Verteilung kennen. Das beweist nicht, dass nicht mehrere Startwerte probiert wurden und einer behalten: Dafür muss der Startwert etwas enthalten, das niemand wählen konnte, zum Beispiel die Lottozahlen eines vorher genannten Tages.

tournament = Turnier

commitment = Festlegung

seed = Startwert

seed-later = wird veröffentlicht, wenn alles gespielt ist

played = Gespielt

seed-was-promised = Der Startwert ist der versprochene

prints-commitment = mit dem Text des Startwerts anstelle von SEED gibt die Festlegung aus.

seed-is-quoted = Dieser Startwert enthält unsichtbare Zeichen und steht deshalb in der Schreibweise der Shell: Er ersetzt 'SEED' samt den Anführungszeichen.

deals-follow = Jede Verteilung folgt aus ihm und jede Aktion aus den Regeln

records-have = { $file } enthält jede Partie, ein JSON-Objekt je Zeile. Dies spielt sie alle nach, gibt jede Verteilung neu und berechnet den Startwert jeder Partie aus dem Text des Startwerts, der SEED ersetzt:

standings-from-records = Die Rangliste wird aus denselben Aufzeichnungen berechnet:

records-later = Die Aufzeichnungen aller Partien werden mit dem Bericht veröffentlicht, sobald alles gespielt ist.

no-names = Dieser Bericht hat keine Namen: Die Bots heißen nach ihren Rängen. Jede Verteilung folgt aus dem Startwert und den Namen der Bots; Startwert und Aufzeichnungen würden also die Namen verraten und fehlen deshalb. Wer die Ergebnisdatei des Turniers bekommt, kann sie nachspielen:
