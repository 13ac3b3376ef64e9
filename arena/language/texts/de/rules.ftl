### Wörter des Spiels, hier und in allen deutschen Texten. Angeredet wird mit du.
###
### tile Stein · half Hälfte · pips Augen · blank leer, eine leere Hälfte · double Pasch · matador Matador · set Satz
### hand Hand · boneyard Talon · reserve Reserve · seat Platz · table Tisch · layout Auslage · arm Arm · end Ende · spinner Spinner
### lead Ausspiel, ausspielen · opening Eröffnung · play legen · in line längs · across quer · draw ziehen · pass passen
### refuse auf das Ausspiel verzichten · deal geben · round Runde · match Partie · go out den letzten Stein legen, Domino machen
### blocked gesperrt · score Punktestand · points Punkte · target Zielpunktzahl

rule-sets =
    # Regelwerke

    { $sets }

    Eines davon lernen oder etwas nachschlagen:

    $ leyden rules leyden
    $ leyden rules matador --seats 4 --set 9

summary =
    { $name ->
        [leyden] Celkos Spiel, das übliche: Punkte sind schlecht, und die ersten zwei Steine kommen an N und S
        [leyden-cross] das Spiel „last to 100“: Punkte sind schlecht, und zuerst wird ein Kreuz gelegt
        [leiden] das Spiel „first to 100“: Punkte sind gut, und wer eine Runde gewinnt, bekommt sie alle
        [senst] Sensts Spielart von Celkos Spiel: Punkte sind gut, und nie liegen zwei Matadore hintereinander quer
        [leyden-free] ein Spiel ohne Eröffnung: Punkte sind schlecht, und in jeder Runde wird der niedrigste Pasch ausgespielt
       *[matador] russisches Domino in einer Reihe, zu zweit bis zu acht und mit größeren Sätzen: Punkte sind gut
    }

start =
    # { $name }

    Das ist { $summary }. Hier wird es für { $seats } Spieler mit dem { $top ->
        [6] Doppel-Sechs-Satz
        [9] Doppel-Neun-Satz
       *[12] Doppel-Zwölf-Satz
    } erklärt.

    # Ziel des Spiels

    { $seats ->
        [2] Werde deine Steine vor dem anderen Spieler los.
       *[other] Werde deine Steine vor den anderen Spielern los.
    }
    { $scoring ->
        [own-hand] Am Ende einer Runde schreiben sich alle die Augen auf, die sie noch auf der Hand haben.
        [all-hands] Wer eine Runde gewinnt, bekommt die Augen aller Hände als Punkte.
       *[difference] Wer eine Runde gewinnt, bekommt die Augen { $seats ->
            [2] der anderen Hand
           *[other] der anderen Hände
        } als Punkte.
    }
    { $wins ->
        [lower] Punkte sind schlecht: Sobald jemand { $target } oder mehr hat, ist die Partie vorbei, und { $seats ->
            [2] der niedrigere Punktestand
           *[other] der niedrigste Punktestand
        } gewinnt.
       *[higher] Punkte sind gut: Sobald jemand { $target } oder mehr hat, ist die Partie vorbei, und { $seats ->
            [2] der höhere Punktestand
           *[other] der höchste Punktestand
        } gewinnt.
    }

    # Steine

    Ein Stein hat zwei Hälften. Jede Hälfte zeigt 0 bis { $top } Punkte, die Augen heißen; eine Hälfte ohne Augen ist leer. 2-5 ist der
    Stein mit einer 2 und einer 5: Die kleinere Zahl steht vorn. Ein Pasch hat zwei gleiche Hälften, zum Beispiel 3-3. Der { $top ->
        [6] Doppel-Sechs-Satz
        [9] Doppel-Neun-Satz
       *[12] Doppel-Zwölf-Satz
    } hat { $size } Steine, und keine zwei sind gleich.

    Die Matadore sind die Joker des Spiels: 0-0 und alle Steine, deren Hälften zusammen { $sum } ergeben. In diesem Satz sind das
    { $matadors }.

    # Geben

    Mische die Steine verdeckt. Alle nehmen sich { $hand } davon. Das ist ihre Hand, und niemand sonst darf sie sehen. Die anderen
    { $boneyard } sind der Talon, aus dem gezogen wird.
    { $reserve ->
        [0] {""}
        [1] Der letzte davon ist die Reserve, die niemand ziehen darf.
       *[other] Die letzten { $reserve } davon sind die Reserve, die niemand ziehen darf.
    }

    Jeder Spieler hat einen Platz. Die Plätze haben die Nummern { $seats ->
        [2] 0 und 1
       *[other] 0 bis { $last-seat }
    }, und in dieser Reihenfolge kommen die Spieler reihum dran.

    # Ausspiel

    Der erste Stein einer Runde ist das Ausspiel. Es ist immer ein Pasch.

    { $leading }

    { $refusing ->
        [yes] Wenn du verzichtest, hat der andere Spieler dieselbe Wahl; gezogene Steine bleiben, wo sie sind. Verzichtet ihr beide, so
            bekommt niemand Punkte. Die Steine werden gemischt und neu gegeben, und du wirst wieder zuerst gefragt. Nach
            { $refused-deals } solchen Gaben hintereinander darf nicht verzichten, wer ausspielen oder ziehen kann.
       *[no] {""}
    }

    Nach dem Ausspiel legt der nächste Platz.

leading =
    { $when ->
        [every] In jeder Runde
        [first] In der ersten Runde
       *[later] In jeder späteren Runde
    } { $rule ->
        [lowest] wird der niedrigste Pasch ausgespielt, von dem, der ihn hat; 0-0 zählt nicht. Niemand zieht vorher, und zu wählen
            gibt es nichts. Hat niemand einen Pasch außer 0-0, so wird gemischt und neu gegeben.
        [highest] wird der höchste Pasch ausgespielt, von dem, der ihn hat, auch wenn es 0-0 ist. Niemand zieht vorher, und zu wählen
            gibt es nichts. Hat niemand einen Pasch, so wird gemischt und neu gegeben.
        [highest-holder] beginnt, wer den höchsten Pasch hat; 0-0 zählt nicht. Bist du das, so darfst du vorher beliebig viele Steine
            ziehen{ $reserve ->
                [yes] , nur nicht die Reserve
               *[no] {""}
            }. Dann spielst du irgendeinen deiner Pasche aus, nur nicht 0-0: Es muss nicht der höchste sein. Hat niemand einen Pasch
            außer 0-0, so wird gemischt und neu gegeben.
       *[loser] darf ausspielen, wer die Runde davor verloren hat. Bist du das, so darfst du vorher beliebig viele Steine
            ziehen{ $reserve ->
                [yes] , nur nicht die Reserve
               *[no] {""}
            }. Dann spielst du irgendeinen deiner Pasche aus, nur nicht 0-0, oder du verzichtest auf das Ausspiel.
    }

layout =
    # Auslage

    { $shape ->
        [spinner] Der ausgespielte Stein liegt waagerecht in der Mitte. Er heißt hier Spinner, denn aus ihm wachsen vier Arme: N nach oben
            und S nach unten von seinen langen Seiten, E nach rechts und W nach links von seinen kurzen.
       *[line] Der ausgespielte Stein liegt waagerecht in der Mitte, in einer Reihe mit den Steinen, die folgen. Aus seinen kurzen
            Seiten wachsen zwei Arme, die eine Reihe bilden: E nach rechts, W nach links.
    } Wo ein Arm aufhört, ist sein Ende. Solange ein Arm keinen Stein hat, zeigt sein Ende die Augen des ausgespielten.

    { $opening ->
        [sides] Die Runde hat eine Eröffnung. Der erste Stein nach dem Ausspiel kommt an N oder S, der zweite an den anderen der beiden.
            Bis beide liegen, sind E und W geschlossen. Von da an sind alle vier Arme offen.
        [cross] Die Runde hat eine Eröffnung. Von den ersten vier Steinen nach dem Ausspiel kommt je einer an jeden Arm, in beliebiger
            Reihenfolge. Ein Arm, der seinen Stein hat, ist geschlossen, bis die anderen ihren haben. Von da an sind alle vier Arme
            offen.
       *[none] Alle Arme sind von Anfang an offen.
    }

    Angenommen, 3-3 wird ausgespielt. Buchstaben stehen, wo jetzt ein Stein liegen darf:

    { $drawing }

joining =
    # Was wo passt

    Zwei Hälften, die sich berühren, müssen zusammen { $sum } ergeben: { $pairs }. Die andere Hälfte deines Steins ist das neue Ende. Zu
    einer leeren Hälfte ergibt nichts { $sum }, also passen an ein leeres Ende nur Matadore.

    Ein Matador passt an jeden offenen Arm, was immer sein Ende zeigt: neben das Ausspiel, an eine leere Hälfte, an einen anderen
    Matador. Du kannst ihn auf zwei Arten legen:

    - Längs. Eine der Hälften berührt das Ende, welche, ist gleich, und die andere ist das neue Ende.
    - Quer. Dann sind beide Hälften das Ende, und der nächste Stein muss nur zu einer davon passen.

    { $doubles-number ->
        [1] { $doubles } liegt nur längs, und ebenso jeder Stein, der kein Matador ist: Ein Pasch hat als solcher keine Vorrechte.
       *[other] { $doubles } liegen nur längs, und ebenso jeder Stein, der kein Matador ist: Ein Pasch hat als solcher keine Vorrechte.
    }
    { $across-on-across ->
        [yes] Ein Matador darf sogar quer an einem Matador liegen, der quer liegt.
       *[no] An einem Matador, der quer liegt, darf der nächste Matador nur längs liegen.
    }

    Hier sind zwei Züge nach dem Ausspiel von 3-3. Geschrieben wird jeder als Arm, Hälfte, die berührt, und neues Ende. Ein Strich
    zwischen den Hälften sagt, dass der Stein quer liegt.

    { $first-turns }

    { $first-drawing }

    Das Ende von { $across-arm } ist jetzt { $low } oder { $high }. Also darf { $high } daran liegen, denn { $high } + { $low } = { $sum }, und { $low } darf
    daran liegen, denn { $low } + { $high } = { $sum }.

    { $opening ->
        [none] {""}
        [open] Das war die Eröffnung: Jetzt sind alle vier Arme offen.
       *[closed] Die Eröffnung ist noch nicht vorbei: Nur { $open-arms } sind offen.
    }

    Ein paar Züge später:

    { $later-turns }

    { $later-drawing }

    Außer Matadoren passt jetzt:

    { $fitting }

pair =
    { $which ->
        [first] { $low } passt zu { $high }
       *[later] { $low } zu { $high }
    }

fits = | { $arm } zeigt { $shown } | jeder Stein mit { $partners }

pips = einer { $pips }

turn =
    # Dein Zug

    { $drawing ->
        [any] Du legst einen Stein. Vorher darfst du beliebig viele Steine aus dem Talon ziehen, { $reserve ->
            [yes] bis nur die Reserve übrig ist
           *[no] bis er leer ist
        }. Mit dem Ziehen endet dein Zug nicht: Wenn dann einer deiner Steine passt, musst du einen legen.

            Passt keiner deiner Steine, so musst du ziehen, bis einer passt. Du passt nur, wenn kein Stein passt und keiner mehr zu
            ziehen ist.
       *[one] Wenn einer deiner Steine passt, musst du einen legen und darfst nicht ziehen. Passt keiner, so musst du einen Stein ziehen:
            Passt dieser, so legst du ihn gleich, sonst passt du. Wenn { $reserve ->
            [yes] nur noch die Reserve übrig ist
           *[no] der Talon leer ist
        }, passt du, ohne zu ziehen.
    }

    # Ende einer Runde

    Eine Runde endet sofort, wenn eines davon geschehen ist:

    - Jemand hat den letzten Stein seiner Hand gelegt, also Domino gemacht.
    - Von allen Steinen, die noch auf einer Hand oder im Talon sind{ $reserve ->
        [yes] , auch in der Reserve
       *[no] {""}
    }, passt keiner an einen Arm, der jetzt offen ist. Die Runde ist gesperrt.
    - Niemand hat einen Stein, der passt, und niemand kann mehr ziehen. Auch dann ist die Runde gesperrt.

    Ein Beispiel: Alle Arme sind offen, und ihre Enden sind { $shape ->
        [spinner] 3, 3, 0 und 3
       *[line] 3 und 0
    }. Alle Matadore liegen auf dem Tisch und auch alle Steine mit einer { $partner }. Dann ist die Runde gesperrt, selbst wenn noch Steine
    zu ziehen sind. Solange auch nur ein Stein mit einer { $partner } auf einer Hand oder im Talon ist{ $reserve ->
        [yes] , auch in der Reserve
       *[no] {""}
    }, endet die Runde dadurch nicht: Wo dieser Stein ist, kann nur wissen, wer ihn hat.

    Danach zieht und passt niemand mehr. Alle zeigen ihre Hände, und die Augen darauf werden gezählt.

    # Wer die Runde gewinnt

    Wer Domino macht, gewinnt die Runde, auch wenn eine andere Hand nur noch 0-0 hält. In einer gesperrten Runde gewinnt die Hand mit den
    wenigsten Augen.
    { $refusing ->
        [yes] Der andere Spieler hat verloren und darf die nächste Runde ausspielen. Haben beide Hände gleich viele Augen, so gewinnt
            niemand, und wer diese Runde ausgespielt hat, darf auch die nächste ausspielen.
       *[no] { $seats ->
            [2] Haben beide Hände gleich viele Augen, so gewinnt niemand.
           *[other] Haben mehrere Hände gleich wenige Augen, so gewinnt niemand.
        }
    }

scores =
    # Punkte

    { $scoring ->
        [own-hand] Nach jeder Runde schreiben sich alle die Augen ihrer eigenen Hand als Punkte auf, auch wenn niemand gewinnt.
        [all-hands] Nach jeder Runde bekommt, wer gewinnt, die Augen aller Hände als Punkte, auch die der eigenen. Gewinnt niemand die
            Runde, so bekommt niemand etwas.
       *[difference] Nach jeder Runde bekommt, wer gewinnt, die Augen { $seats ->
            [2] der anderen Hand
           *[other] aller anderen Hände
        } als Punkte, abzüglich der Augen der eigenen. Gewinnt niemand die Runde, so bekommt niemand etwas.
    }

    - Platz 0 macht Domino, und auf den Händen sind { $out-pips } Augen: { $out-added }.
    - Die Runde ist gesperrt, und auf den Händen sind { $blocked-pips } Augen: { $blocked-added }.
    - Die Runde ist gesperrt, und auf den Händen sind { $shared-pips } Augen: { $shared-added }.

    # Ende der Partie

    Spielt Runde um Runde, bis nach einer davon jemand { $target } oder mehr hat. Dann gewinnt { $wins ->
        [lower] { $seats ->
            [2] der niedrigere Punktestand
           *[other] der niedrigste Punktestand
        }
       *[higher] { $seats ->
            [2] der höhere Punktestand
           *[other] der höchste Punktestand
        }
    }. Haben mehrere diesen Punktestand, so ist die Partie unentschieden, und niemand gewinnt. Eine Partie, die nach { $limit } Runden nicht
    vorbei ist, endet dort, und die Punktestände gelten, wie sie sind.

    Angenommen, die Punktestände sind { $before }:

    { $last-rounds }

seat = Platz{"\u00a0"}{ $seat }

seat-first = Platz{"\u00a0"}{ $seat }

adds = { $seat } bekommt { $points }

adds-sum = { $seat } bekommt { $points }, das ist { $sum }

adds-nothing = niemand bekommt etwas, weil mehrere Hände am leichtesten sind

last-round =
    { $drawn ->
        [yes] - Eine Runde ist gesperrt, mit { $pips } Augen: Die Punktestände sind { $scores }, und die Partie ist unentschieden.
       *[no] - Eine Runde ist gesperrt, mit { $pips } Augen: Die Punktestände sind { $scores }, und { $winner } gewinnt die Partie.
    }

first-example =
    # Eine Runde zum Mitspielen

    Lege die Steine aus und spiele mit. Es ist eine erste Runde, und gegeben werden diese Hände:

blocked-example =
    # Eine gesperrte Runde zum Mitspielen

    Das ist eine spätere Runde.
    { $refusing ->
        [yes] Platz 0 hat die Runde davor verloren, wird also zuerst gefragt, ob er ausspielt, und verzichtet.
       *[no] {""}
    }
    Gegeben werden diese Hände:

example =
    { $dealt }

    Nun wird gespielt. Jeder Zug beginnt mit der Nummer des Platzes:

    { $first-turns }

    { $skipped ->
        [0] {""}
       *[other] { $skipped } Züge später:
    }

    { $last-turns }

    Das ergibt diese Auslage:

    { $drawing }

    { $over } Die Hände werden gezeigt:

    { $left }

    Auf den Händen sind { $pips } Augen: { $added }.

hand =
    { $empty ->
        [yes] | Platz { $seat } | kein Stein
       *[no] | Platz { $seat } | { $tiles }
    }

led =
    { $rule ->
        [lowest] das Ausspiel: der niedrigste Pasch außer 0-0
        [highest] das Ausspiel: der höchste Pasch
        [highest-holder] das Ausspiel: irgendein Pasch dessen, der den höchsten hat
       *[loser] das Ausspiel: irgendein Pasch dieser Hand außer 0-0
    }

laid-by-the-sum =
    { $end ->
        [0] { $touching } + { $met } = { $sum }; das neue Ende ist 0, also leer
       *[other] { $touching } + { $met } = { $sum }; das neue Ende ist { $end }
    }

laid-matador =
    { $end ->
        [0] ein Matador, längs an { $met }; das neue Ende ist 0, also leer
       *[other] ein Matador, längs an { $met }; das neue Ende ist { $end }
    }

laid-across = ein Matador, quer an { $met }; das neue Ende ist { $end }

drawn = kein Stein passt, also wird einer gezogen

passed = kein Stein passt, und keiner darf mehr gezogen werden: gepasst

refused = kein Ausspiel; der andere Spieler wird gefragt

further =
    # Wie es geschrieben wird

    Bots und Aufzeichnungen schreiben alles, was ein Spieler tun kann, so:

    | lead:3-3 | 3-3 wird ausgespielt
    | { $in-line } | längs an einen Arm: die Hälfte, die berührt, dann das neue Ende
    | { $across } | quer an einen Arm: die kleinere Hälfte zuerst
    | draw | ein Stein wird gezogen; draw:0-6 sagt, welcher
    | pass | kein Stein wird gelegt
    { $refusing ->
        [yes] | refuse | kein Pasch wird ausgespielt
       *[no] {""}
    }

    # Wie es weitergeht

    Selbst spielen, im Browser oder mit --text im Terminal:

    $ { $play-command }

    Bots eine Partie spielen lassen und sie Zug um Zug ansehen, aus der Datei, die zu Beginn genannt wird:

    $ { $match-command }
    $ leyden replay FILE

    { $larger ->
        [no] {""}
       *[yes] Dasselbe Spiel für mehr Spieler oder mit einem größeren Satz lernen:

            { $larger-table }
    }

    Den eigenen Bot spielen lassen, sehen, was es sonst gibt, die anderen Regelwerke ansehen:

    $ leyden help match
    $ leyden help
    $ leyden rules
