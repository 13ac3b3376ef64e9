### `leyden rules`: the game for people with only a terminal. Each text is a part of the page. A line that begins with # is a
### heading, with - an item, with $ a command; a line `| label | text` is a row. Other lines are paragraphs, with an empty line
### between them.

rule-sets =
    # Rule sets

    { $sets }

    To learn one of them, or to look something up:

    $ leyden rules leyden
    $ leyden rules matador --seats 4 --set 9

summary =
    { $name ->
        [leyden] Celko's game, the default: points are bad, and the first two tiles go on N and S
        [leyden-cross] the game "last to 100": points are bad, and a cross is filled first
        [leiden] the game "first to 100": points are good, and the winner of a round gets all of them
        [senst] Senst's variant of Celko's game: points are good, and no two matadors lie across one after the other
        [leyden-free] a game without an opening: points are bad, and the lowest double leads every round
       *[matador] Russian dominoes, on a line, for 2 to 8 players and with larger sets: points are good
    }

start =
    # { $name }

    This is { $summary }. It is explained here for { $seats } players with the { $top ->
        [6] double-six
        [9] double-nine
       *[12] double-twelve
    } set.

    # Aim

    { $seats ->
        [2] Get rid of your tiles before the other player does.
       *[other] Get rid of your tiles before the others do.
    }
    { $scoring ->
        [own-hand] When a round ends, all players add the pips left in their hands to their scores.
        [all-hands] The winner of a round adds the pips left in all hands to their score.
       *[difference] The winner of a round adds the pips left in the other { $seats ->
            [2] hand
           *[other] hands
        } to their score.
    }
    { $wins ->
        [lower] Points are bad: once a player has { $target } or more, the match is over, and { $seats ->
            [2] the lower score
           *[other] the lowest score
        } wins.
       *[higher] Points are good: once a player has { $target } or more, the match is over, and { $seats ->
            [2] the higher score
           *[other] the highest score
        } wins.
    }

    # Tiles

    A tile has two halves. Each half shows 0 to { $top } dots, called pips; a half without any is a blank. 2-5 is the tile with a 2
    and a 5: the smaller number is written first. A double has two equal halves, such as 3-3. The { $top ->
        [6] double-six
        [9] double-nine
       *[12] double-twelve
    } set has { $size } tiles, and no two are alike.

    The matadors are the wild tiles: 0-0, and every tile whose halves add up to { $sum }. In this set they are { $matadors }.

    # Deal

    Shuffle the tiles face down. Every player takes { $hand } of them. They are the player's hand, and nobody else may see them. The
    other { $boneyard } are the boneyard, from which tiles are drawn.
    { $reserve ->
        [0] {""}
        [1] The last of them is the reserve, which nobody may draw.
       *[other] The last { $reserve } of them are the reserve, which nobody may draw.
    }

    Every player has a seat. The seats are numbered { $seats ->
        [2] 0 and 1
       *[other] 0 to { $last-seat }
    }, and the players take their turns in that order, round and round.

    # Lead

    The first tile of a round is the lead. It is always a double.

    { $leading }

    { $refusing ->
        [yes] If you refuse, the other player has the same choice; drawn tiles stay where they are. If you both refuse, nobody
            scores. The tiles are shuffled and dealt again, and you are asked first again. After { $refused-deals } such deals in a
            row, nobody who can lead or draw may refuse.
       *[no] {""}
    }

    After the lead, the next seat plays.

leading =
    { $when ->
        [every] In every round
        [first] In the first round
       *[later] In every later round
    }, { $rule ->
        [lowest] the player who holds the lowest double leads it; 0-0 does not count. Nobody draws first, and there is nothing to
            choose. If nobody holds a double other than 0-0, the tiles are shuffled and dealt again.
        [highest] the player who holds the highest double leads it, even if it is 0-0. Nobody draws first, and there is nothing to
            choose. If nobody holds a double, the tiles are shuffled and dealt again.
        [highest-holder] the player who holds the highest double begins; 0-0 does not count. If that is you, you may first draw as
            many tiles as you like{ $reserve ->
                [yes] , but not the reserve
               *[no] {""}
            }. Then you lead any double you hold, except 0-0: it need not be the highest. If nobody holds a double other than 0-0,
            the tiles are shuffled and dealt again.
       *[loser] the loser of the round before may lead. If that is you, you may first draw as many tiles as you like{ $reserve ->
                [yes] , but not the reserve
               *[no] {""}
            }. Then you lead any double you hold, except 0-0, or you refuse to lead.
    }

layout =
    # Layout

    { $shape ->
        [spinner] The lead is laid flat in the middle. It is called the spinner here, because four arms grow from it: N up and S down
            from its two long sides, E to the right and W to the left from its two short ends.
       *[line] The lead is laid flat in the middle, in line with the tiles to come. Two arms grow from its short ends and make one
            line: E goes to the right, W to the left.
    } Where an arm stops is its end. As long as an arm has no tile, its end shows the pips of the lead.

    { $opening ->
        [sides] The round has an opening. The first tile after the lead goes on N or S, and the second on the other of the two. Until
            both lie there, E and W are closed. From then on all four arms are open.
        [cross] The round has an opening. The first four tiles after the lead go one on each arm, in any order. An arm that has its
            tile is closed until the others have theirs. From then on all four arms are open.
       *[none] All arms are open from the start.
    }

    Say 3-3 is led. Letters stand where a tile may be laid now:

    { $drawing }

joining =
    # What goes where

    Two halves that touch must add up to { $sum }: { $pairs }. The other half of your tile is the new end. Nothing can be added to a
    blank to make { $sum }, so a blank end takes matadors only.

    A matador goes on every arm that is open, whatever its end shows: beside the lead, on a blank, on another matador. There are two
    ways to lay it:

    - In line. Either half may touch, and the other half is the new end.
    - Across. Then both halves are the end, and the next tile may match either of them.

    { $doubles-number ->
        [1] { $doubles } lies in line only, and so does every tile that is not a matador: doubles have no power of their own.
       *[other] { $doubles } lie in line only, and so does every tile that is not a matador: doubles have no power of their own.
    }
    { $across-on-across ->
        [yes] A matador may even lie across on a matador that lies across.
       *[no] On a matador that lies across, the next matador may lie in line only.
    }

    Here are two turns after the lead 3-3. Each is written as the arm, the half that touches, and the new end. A bar between the
    halves says that the tile lies across.

    { $first-turns }

    { $first-drawing }

    The end of { $across-arm } is { $low } or { $high } now. So { $high } may touch it, because { $high } + { $low } = { $sum }, and { $low } may
    touch it, because { $low } + { $high } = { $sum }.

    { $opening ->
        [none] {""}
        [open] That was the opening: now all four arms are open.
       *[closed] The opening is not over yet: only { $open-arms } are open.
    }

    A few turns later:

    { $later-turns }

    { $later-drawing }

    Apart from matadors, this is what fits now:

    { $fitting }

pair =
    { $which ->
        [first] { $low } goes with { $high }
       *[later] { $low } with { $high }
    }

fits = | { $arm } shows { $shown } | any tile with { $partners }

pips =
    { $pips ->
        [8] an 8
        [11] an 11
       *[other] a { $pips }
    }

turn =
    # Your turn

    { $drawing ->
        [any] You lay one tile. Before that you may draw as many tiles from the boneyard as you like, { $reserve ->
            [yes] down to the reserve
           *[no] until the boneyard is empty
        }. Drawing does not end your turn: if a tile of yours fits then, you must lay one.

            If no tile of yours fits, you must draw until one does. You pass only when no tile fits and there is none left to draw.
       *[one] If a tile of yours fits, you must lay one, and you may not draw. If none fits, you must draw one tile: if it fits, you
            lay it at once, and if not, you pass. When { $reserve ->
            [yes] only the reserve is left
           *[no] the boneyard is empty
        }, you pass without drawing.
    }

    # End of a round

    A round ends at once when one of these things has happened:

    - A player has laid the last tile of their hand: they have gone out. The round is dominoed.
    - Of all the tiles that are still in a hand or in the boneyard{ $reserve ->
        [yes] , even in the reserve
       *[no] {""}
    }, none fits an arm that is open now. The round is blocked.
    - Nobody holds a tile that fits, and nobody can draw any more. The round is also blocked.

    For example, all arms are open and their ends are { $shape ->
        [spinner] 3, 3, 0 and 3
       *[line] 3 and 0
    }. All matadors lie on the table, and so does every tile with a { $partner }. Then the round is blocked, even if there are tiles
    left to draw. While just one tile with a { $partner } is in a hand or in the boneyard{ $reserve ->
        [yes] , even in the reserve
       *[no] {""}
    }, this does not end the round: nobody but its holder can know where that tile is.

    Nobody draws or passes after that. All players show their hands, and the pips in them are counted.

    # Who wins the round

    The player who goes out wins the round, even if another hand holds nothing but 0-0. In a blocked round the hand with the fewest pips
    wins.
    { $refusing ->
        [yes] The other player is the loser, who may lead the next round. If both hands hold equally many, nobody wins, and the
            player who led this round may lead the next one, too.
       *[no] { $seats ->
            [2] If both hands hold equally many, nobody wins.
           *[other] If two or more hands share the fewest, nobody wins.
        }
    }

scores =
    # Scores

    { $scoring ->
        [own-hand] After each round, all players add the pips in their own hands to their scores, even when nobody wins.
        [all-hands] After each round, the winner adds the pips of all hands, the winner's own included. When nobody wins the round,
            nobody adds anything.
       *[difference] After each round, the winner adds the pips of { $seats ->
            [2] the other hand
           *[other] all other hands
        }, minus the pips of the winner's own hand. When nobody wins the round, nobody adds anything.
    }

    - Seat 0 goes out, and the hands hold { $out-pips } pips: { $out-added }.
    - The round is blocked, and the hands hold { $blocked-pips } pips: { $blocked-added }.
    - The round is blocked, and the hands hold { $shared-pips } pips: { $shared-added }.

    # End of the match

    Play round after round until one ends with a player at { $target } or more. Then { $wins ->
        [lower] { $seats ->
            [2] the lower score
           *[other] the lowest score
        }
       *[higher] { $seats ->
            [2] the higher score
           *[other] the highest score
        }
    } wins. If that score is shared, the match is drawn and nobody wins. A match that is not over after { $limit } rounds ends there,
    with the scores as they are.

    Say that the scores are { $before }:

    { $last-rounds }

seat = seat{"\u00a0"}{ $seat }

seat-first = Seat{"\u00a0"}{ $seat }

adds = { $seat } adds { $points }

adds-sum = { $seat } adds { $points }, which is { $sum }

adds-nothing = nobody adds anything, because the fewest pips are shared

last-round =
    { $drawn ->
        [yes] - A round is blocked with { $pips } pips: the scores are { $scores }, and the match is drawn.
       *[no] - A round is blocked with { $pips } pips: the scores are { $scores }, and { $winner } wins the match.
    }

first-example =
    # A round to follow

    Lay it out and play along. It is a first round, and these hands are dealt:

blocked-example =
    # A blocked round to follow

    This is a later round.
    { $refusing ->
        [yes] Seat 0 lost the round before, so it is asked first whether it leads, and refuses.
       *[no] {""}
    }
    These hands are dealt:

example =
    { $dealt }

    Now they play. Each turn starts with the number of the seat:

    { $first-turns }

    { $skipped ->
        [0] {""}
       *[other] { $skipped } turns later:
    }

    { $last-turns }

    That makes this layout:

    { $drawing }

    { $over } The hands are shown:

    { $left }

    The hands hold { $pips } pips: { $added }.

hand =
    { $empty ->
        [yes] | seat { $seat } | no tile
       *[no] | seat { $seat } | { $tiles }
    }

led =
    { $rule ->
        [lowest] the lead: the lowest double except 0-0
        [highest] the lead: the highest double
        [highest-holder] the lead: any double of the player who holds the highest
       *[loser] the lead: any double of that hand except 0-0
    }

laid-by-the-sum =
    { $end ->
        [0] { $touching } + { $met } = { $sum }; the new end is 0, a blank
       *[other] { $touching } + { $met } = { $sum }; the new end is { $end }
    }

laid-matador =
    { $end ->
        [0] a matador, in line on { $met }; the new end is 0, a blank
       *[other] a matador, in line on { $met }; the new end is { $end }
    }

laid-across = a matador, across on { $met }; the new end is { $end }

drawn = no tile fits, so one is drawn

passed = no tile fits, and no more may be drawn: a pass

refused = no lead; the other player is asked

further =
    # How it is written

    Bots and records write everything that a player can do like this:

    | lead:3-3 | 3-3 is led
    | { $in-line } | in line on an arm: the half that touches, then the new end
    | { $across } | across on an arm: the smaller half first
    | draw | a tile is drawn; draw:0-6 says which
    | pass | no tile is laid
    { $refusing ->
        [yes] | refuse | no double is led
       *[no] {""}
    }

    # Where to read on

    Play yourself, in the browser or with --text in the terminal:

    $ { $play-command }

    Let bots play a match, and see it turn by turn from the file that it names at the start:

    $ { $match-command }
    $ leyden replay FILE

    { $larger ->
        [no] {""}
       *[yes] Learn the same game for more players, or with a larger set:

            { $larger-table }
    }

    Let your own bot play, see what else there is, see the other rule sets:

    $ leyden help match
    $ leyden help
    $ leyden rules
