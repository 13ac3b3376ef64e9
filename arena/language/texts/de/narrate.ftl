### Eine Partie in Worten. Die Wörter des Spiels stehen am Anfang von rules.ftl.

lead = { $tile } ausspielen

lay = { $touching }-{ $end } { $on-arm }

lay-across = { $tile } quer { $on-arm }

draw = einen Stein ziehen

pass = passen

refuse = auf das Ausspiel verzichten

arm =
    { $arm ->
        [N] oberer Arm
        [E] rechter Arm
        [S] unterer Arm
       *[W] linker Arm
    }

the-arm =
    { $arm ->
        [N] der obere Arm
        [E] der rechte Arm
        [S] der untere Arm
       *[W] der linke Arm
    }

side =
    { $arm ->
        [N] oben
        [E] rechts
        [S] unten
       *[W] links
    }

on-arm =
    { $arm ->
        [N] am oberen Arm
        [E] am rechten Arm
        [S] am unteren Arm
       *[W] am linken Arm
    }

end =
    { $end ->
        [0] leer
       *[other] { $end }
    }

pips = eine { $pips }

matador-only = nur einen Matador

set =
    { $set ->
        [6] Doppel-Sechs
        [9] Doppel-Neun
       *[12] Doppel-Zwölf
    }

aim =
    { $wins ->
        [lower] der niedrigere Punktestand gewinnt
       *[higher] der höhere Punktestand gewinnt
    }

## Was Anfänger hören müssen, wenn sie dran sind.

hint-lead = Du spielst aus: Lege einen Pasch, aber nicht 0-0.

hint-may-draw-first = Vorher darfst du ziehen.

hint-may-refuse = Du darfst auch verzichten und es den anderen überlassen.

hint = Hälften, die sich berühren, ergeben zusammen { $sum }: { $takes }.

takes = { $arm } nimmt { $taken }

waiting =
    { $number ->
        [one] Bis die Eröffnung vorbei ist, muss { $arms } warten.
       *[other] Bis die Eröffnung vorbei ist, müssen { $arms } warten.
    }

hint-draw = Nichts passt: Ziehe einen Stein.

hint-may-draw = Du darfst auch ziehen, so oft du willst.

## Was geschah. Wer am Tisch sitzt, ist „du“.

you = Du

act-led =
    { $own ->
        [yes] Du spielst { $tile } aus
       *[no] { $name } spielt { $tile } aus
    }

act-played =
    { $own ->
        [yes] Du legst { $tile }
       *[no] { $name } legt { $tile }
    }

act-drew =
    { $own ->
        [yes] Du ziehst { $tile }
       *[no] { $name } zieht { $tile }
    }

act-drew-hidden =
    { $own ->
        [yes] Du ziehst einen Stein
       *[no] { $name } zieht einen Stein
    }

act-passed =
    { $own ->
        [yes] Du passt
       *[no] { $name } passt
    }

act-refused =
    { $own ->
        [yes] Du verzichtest auf das Ausspiel
       *[no] { $name } verzichtet auf das Ausspiel
    }

played =
    { $own ->
        [yes] Du legst { $tile } { $on-arm }: { $why }. { $now }
       *[no] { $name } legt { $tile } { $on-arm }: { $why }. { $now }
    }

played-across =
    { $own ->
        [yes] Du legst { $tile } quer { $on-arm }: { $why }. { $now }
       *[no] { $name } legt { $tile } quer { $on-arm }: { $why }. { $now }
    }

now-shows =
    { $end ->
        [0] Sein Ende ist jetzt leer.
       *[other] Er zeigt jetzt { $end }.
    }

why-matador = ein Matador passt an jedes Ende

strike-against =
    { $own ->
        [yes] Eine Verwarnung für dich: { $code }. Gespielt wurde stattdessen die erste mögliche Aktion.
       *[no] Eine Verwarnung für { $name }: { $code }. Gespielt wurde stattdessen die erste mögliche Aktion.
    }

dealt = Runde { $round } wird gegeben.

dealt-again = Runde { $round } wird neu gegeben.

out =
    { $own ->
        [yes] Du hast Domino gemacht: Die Runde ist vorbei.
       *[no] { $name } hat Domino gemacht: Die Runde ist vorbei.
    }

blocked =
    { $fits ->
        [nothing] Die Runde ist gesperrt: Kein übriger Stein passt. { $lightest }
       *[unknown] Die Runde ist gesperrt: Niemand kann legen oder ziehen. { $lightest }
    }

lightest =
    { $own ->
        [yes] Du hast die leichteste Hand.
       *[no] { $name } hat die leichteste Hand.
    }

lightest-equal = Die leichtesten Hände sind gleich schwer.

nobody-leads = Niemand spielt aus: Die Runde wird neu gegeben.

no-double = Niemand hat einen Pasch zum Ausspielen: Die Runde wird neu gegeben.

cut-short = Hier wurde die Partie abgebrochen.

ending =
    { $end ->
        [dominoed] Domino
        [blocked] gesperrt
        [refused] niemand spielt aus
        [no-double] kein Pasch zum Ausspielen: neu gegeben
       *[unfinished] abgebrochen
    }

left-in-hand = Noch auf der Hand: { $hands }.

no-tile-of = { $name }: kein Stein

tiles-of =
    { $pips ->
        [one] { $name }: { $tiles } ({ $pips } Auge)
       *[other] { $name }: { $tiles } ({ $pips } Augen)
    }

points = Punkte: { $points }. Punktestände: { $scores }.

lost-by-fault =
    { $own ->
        [yes] Du hast durch einen Verstoß verloren: { $code }
       *[no] { $name } hat durch einen Verstoß verloren: { $code }
    }

wins =
    { $own ->
        [yes] Du gewinnst die Partie
       *[no] { $name } gewinnt die Partie
    }

nobody-wins = Niemand gewinnt

drawn = Unentschieden: Niemand gewinnt

match-over = { $winner }. Endstand: { $scores }.

round-limit = Mehr Runden werden nicht gespielt.

beat = { $bot } schlug { $others }

lost-by-fault-to = { $bot } verlor durch einen Verstoß gegen { $others }

drew-with = { $bot } unentschieden gegen { $others }

## Eine Partie oder ein Augenblick daraus für ein Terminal.

match-title = Partie { $id } · Block { $block }, Spiel { $leg } · Turnier { $tournament }

moment-title = Partie { $id } · { $turn-ref } · { $rules } mit { $set }

rules-title = { $rules } mit { $set }, bis { $target } Punkte: { $aim }

seats-label = Plätze:

seen-from = gesehen von Platz { $seat }

round-title =
    { $redeal ->
        [0] Runde { $round } · Punktestände { $scores }
       *[other] Runde { $round }, neu gegeben ({ $redeal }) · Punktestände { $scores }
    }

end-title = Ende · Punktestände { $scores }

to-act = am Zug: { $name }

to-act-turn = am Zug: { $name } (Zug { $turn } dieses Platzes)

to-act-unasked = am Zug: { $name } (es gab keine Wahl, also wurde niemand gefragt)

ends-label = Enden

boneyard-label = Talon

reserve-label = Reserve

history-label = Verlauf

legal-label = möglich

legal-list = möglich:

tiles =
    { $count ->
        [one] { $count } Stein
       *[other] { $count } Steine
    }

boneyard = Talon { $boneyard }, davon { $drawable } zu ziehen

boneyard-tiles = { $boneyard }: { $tiles }

no-answer = hier endete die Partie, ohne Antwort

answered = geantwortet nach { $time }

either-half = quer: passen muss nur eine der Hälften

last-tile = der letzte Stein: Domino

strike = Verwarnung: { $code }; gespielt wurde stattdessen die erste mögliche Aktion

forced = ohne Wahl

did-led = spielt { $tile } aus

did-play = { $action }, Ende { $end }

did-play-across = { $action } quer, Ende { $end }

did-draw = zieht { $tile }

did-draw-hidden = zieht einen Stein

did-pass = passt

did-refuse = verzichtet auf das Ausspiel

no-tile-left = kein Stein übrig

settled = { $pips } Augen { $points } Punkte  Stand { $score }

cut-short-at = Die Partie wurde bei { $turn-ref } abgebrochen.

turn-of = Am Zug war { $name }.

off-turn =
    { $stopped ->
        [yes] { $name } hat { $time } gerechnet, ohne am Zug zu sein, und wurde dann angehalten
       *[no] { $name } hat { $time } gerechnet, ohne am Zug zu sein
    }

last-lines = die letzten Zeilen, die { $name } auf die Standardfehlerausgabe schrieb:

## Beschriftungen an einem Tisch, auf Seiten und im Terminal.

round = Runde { $round }

score = Punktestand

the-table = Der Tisch

on-the-table = Die Steine auf dem Tisch

nothing-laid = noch liegt nichts
