#!/bin/sh
# Measures the bots in Rust and writes what it finds into STRENGTH.md, below the commands: sh sample-bots/benches/page.sh [PAIRS [BLOCK…]]
#
# PAIRS is for `strong` against `montecarlo`. Other bots that search play a quarter of them, those that judge at a glance five times as
# many. With blocks only those are measured anew, and the others stay as they stand on the page; a block is named by the comment above it.
# With PAGE=FILE another page is written; `PAGE=/tmp/page.md sh sample-bots/benches/page.sh 4` shows that everything works.
set -eu
cd "$(dirname "$0")/../.."
pairs=${1:-100}
[ $# -gt 0 ] && shift
wanted=" $* "
few=$((pairs > 11 ? pairs / 4 : 2))
many=$((5 * pairs))
page=${PAGE:-sample-bots/STRENGTH.md}
new=$(mktemp)
trap 'rm -f "$new"' EXIT

# A block: its name, and the command whose output it is.
block() {
    name=$1
    shift
    kept=$(sed -n "/^<!-- $name -->\$/,/^\`\`\`\$/p" "$page" 2>/dev/null || true)
    case $wanted in
    '  ' | *" $name "*) kept= ;;
    esac
    if [ -n "$kept" ]; then
        printf '%s\n\n' "$kept" >>"$new"
        return
    fi
    command=
    for word; do
        case $word in
        *' '*) command="$command \"$word\"" ;;
        *) command="$command $word" ;;
        esac
    done
    printf '%s\n' "$command" >&2
    # A failure ends everything: there is no page with a hole.
    printed=$("$@")
    printf '%s\n' "$printed" >&2
    printf '<!-- %s -->\n```text\n$%s\n%s\n```\n\n' "$name" "$command" "$printed" >>"$new"
}

bench() {
    name=$1
    bench=$2
    shift 2
    block "$name" cargo bench -q -p leyden-sample-bots --bench "$bench" -- "$@"
}

strength() {
    name=$1
    shift
    bench "$name" strength --jobs 1 --seed 2051 "$@"
}

text() {
    cat >>"$new"
}

all="leyden leyden-cross leiden senst leyden-free matador"

text <<'TEXT'
# How strong the Rust bots are

Figures, each below the command that prints it; `sh sample-bots/benches/page.sh` measures all of them anew and writes this page, or a few if
they are named. Matches to 100 points between the bots of this crate, in one process. A pair is one match's deals played once from
every side, so that luck with the tiles falls on both. Given is the first bot's share of the matches (a drawn one is half a win)
with its 95 % interval over pairs; the same with luck with the tiles taken out ([how](../arena/luck/README.md)), an estimate of
the same number that varies less; by how many points it was ahead; and the processor time of each side for a decision. The same
seed gives the same shares again, however busy the machine is: no clock runs. No deal here had a part in setting anything. A block
of four pairs shows no more than that its command works.

## `strong`

Against `montecarlo` with as much time: about 10 ms a decision on an idle machine, which is what `strong` takes unless it is told otherwise. For
`montecarlo` one playout is less work, so it makes more of them.

TEXT
for rules in $all; do
    strength "$rules" --pairs "$pairs" --rules "$rules" strong "montecarlo --playouts 10500"
done
text <<'TEXT'
With more seats one `strong` sits among `montecarlo`: three seats (even are 33.3 %), four (25 %), and three with the double-nine set. All
have about as much time, less than usual.

TEXT
strength three-seats --pairs "$pairs" --rules matador --seats 3 "strong --playouts 700" "montecarlo --playouts 1500"
strength four-seats --pairs "$pairs" --rules matador --seats 4 "strong --playouts 700" "montecarlo --playouts 1500"
strength double-nine --pairs "$pairs" --rules matador --seats 3 --set 9 "strong --playouts 700" \
    "montecarlo --playouts 1500"
text <<'TEXT'
What its ideas are worth: against itself without one of them, 1,000 playouts a decision each, so the same number of playouts, not the same
time. In `matador`, where nobody draws who can play, there is nothing to draw ahead and nothing to take back.

TEXT
for idea in belief plays draws-ahead bias; do
    strength "$idea" --pairs "$pairs" --rules leyden "strong --playouts 1000" "strong --playouts 1000 --without $idea"
done
for idea in belief plays; do
    strength "matador-$idea" --pairs "$pairs" --rules matador "strong --playouts 1000" \
        "strong --playouts 1000 --without $idea"
done
text <<'TEXT'
What playouts get wrong on average, in points: of a draw where one could play, in terms of the curve in [`bias`](strong/bias.rs) (1.0 is taken
back in `leyden`, nothing in `matador`), of a lead, and of a matador. Draws and leads are taken back.

TEXT
for rules in leyden matador; do
    block "bias-$rules" cargo run -q --release -p leyden-sample-bots --example bias_of_strong -- "$rules" $((40 * few))
done
text <<'TEXT'
Simple responses, each with a trick and the trained policy for the rest; none may reach 45 %.

TEXT
bench responses responses --pairs "$few"
text <<'TEXT'
## The ladder

Each level has one idea more than the one below; [THINKING.md](THINKING.md) tells them in order. All are rated in one field, in which each
plays the next two above it; 100 points more are 64 % of the matches. In brackets is the 95 % interval.

TEXT
bench ladder ladder --pairs "$few"
text <<'TEXT'
## The other bots

TEXT
strength greedy --pairs "$many" greedy random
strength careful --pairs "$many" careful greedy
strength montecarlo --pairs "$few" montecarlo careful
text <<'TEXT'
Weaker opponents by degrees, such as tests of statistics need them: `careful --blunder N` answers N times in a hundred at random.

TEXT
for blunder in 10 25 50; do
    strength "blunder-$blunder" --pairs "$many" --rules leyden "careful --blunder $blunder" careful
done
text <<'TEXT'
The speed of `montecarlo`, inference and dealing counted, by processor time on one core of a virtual machine whose speed changes by
half from day to day:

TEXT
bench playouts playouts
text <<'TEXT'
## What was tried

In single measurements, which this page does not make again. Shares are without luck, where nothing else is said.

- *Weights.* [`train_strong`](examples/train_strong.rs) makes the same bytes each time; it takes a quarter of a minute a rule set. Against
  the weights of before, with 300 playouts each: 49.3 % ± 5.6 in `leyden`, 51.6 ± 5.2 in `leyden-cross` (120 pairs each), 51.0 ± 6.1 in
  `leiden`, 56.1 ± 5.9 in `senst`, 53.1 ± 4.8 in `leyden-free` (100 each; seed 6003), 49.9 ± 2.4 in `matador` (270; 6003 and 6005). With
  those before, and about 10 ms for each, `strong` took of the matches against `montecarlo`: 75.2 % ± 3.0 in `leyden` (335 pairs), 69.2 ± 3.4 in `leyden-cross` (300), 72.2 ± 3.8 in `leiden`, 75.6 ± 3.7 in `senst`,
  71.3 ± 3.5 in `leyden-free` (250 each), all as played.
- *Ideas of `strong`*, with the weights of before, 1,000 playouts each, as played. In `leyden` the whole bot took 58.0 % ± 5.0 of the
  matches against itself without drawing ahead (8.3 ± 5.0 points a match), 54.0 ± 5.5 without what playouts get wrong, 49.8 ± 5.3 without
  reading plays (150 pairs each), and 52.5 ± 6.3 without any belief (120). In `matador`, with 1,500 playouts, it took 57.8 ± 3.3 without
  reading plays and 61.7 ± 3.3 without any belief (300 each).
- *What playouts get wrong* followed from 9,000 comparisons in `leyden` and 4,500 in each other rule set: of a draw 2.3 ± 0.9 points in
  `leyden`, 1.2 ± 1.2 in `leyden-cross`, 2.8 ± 2.9 in `leiden`, 0.7 ± 1.0 in `leyden-free`; most with three to five tiles to draw (3.7, 2.7,
  8.0 and 2.5), nothing with twelve or more; of a lead, against drawing first, 2.1 ± 1.9, 1.4 ± 2.8 and 7.0 ± 5.2. Later, from 4,000
  comparisons, the curve's factor was 0.73 ± 0.35 in `leyden` and 0.76 ± 0.85 in `leiden`, of leads −0.4 ± 2.5 and 4.3 ± 4.0: the draws of
  `leyden` are sure, the leads are not.
- *A better policy at a glance is not a better one for playouts.* Twelve kinds of position in place of six, two features more (the last
  matador; both seats stuck) and ten times the evolution win 0.2 points a round in `matador` and in `leyden`, and in the search nothing:
  48.5 % ± 3.3 and 47.4 % ± 5.2 against the bot without (150 pairs each).
- *`matador`*, where 60 % was the aim and 57.1 % ± 2.9 (400 pairs, as played) were reached before ends were searched. `montecarlo` is 2.6 ‰ of a match a decision off there, by the judgement of `strong` (10.7 ‰ in
  `leyden`): the two choose nearly the same. Once all is drawn, at 4 % of the decisions, playing on at a glance cost 1.1 % of a match, so
  [`endgame`](strong/endgame.rs) searches those. To search the ends of playouts, too, or those with two or four tiles left to draw as if
  their order were known, gained nothing that showed (49.9, 49.4 and 50.3 % ± 3.1 against the bot without any, 150 pairs each). What a
  lead in the match is worth is off by 0.7 % (root of the mean square) from the tables of `arena/luck`. Guesses of the other hand have a
  mean log score of −8.92 with any deal, −8.18 with draws and passes read, −7.93 with plays, too (529 decisions); a model of twelve kinds,
  fitted to three times as many choices or surer of itself, comes to −7.93 to −7.94.
- *Larger sets.* With double-nine and three seats `strong` takes less than its share (above; 26.7 % ± 15.4 on 20 deals of seed 2061), though
  it plays by the rules and has as much time. As played, and with few deals each: weights set by hand in place of the trained ones, which
  were trained with the double-six set, 20.8 % ± 11.0, and without any belief 23.6 % ± 10.8 (24 of the deals above); without reading plays
  27.1 % ± 12.2 (16 deals, seed 2057). So it is neither of these alone. What a lead in the match is worth was fitted with double-six, too, and
  has not been looked at.
- *Playouts.* More matter little: 2,000 are 1.1 ‰ of a match a decision from what 40,000 would choose, 6,600 are 0.4 ‰. No gain: the first
  reply tried out itself, in as much time (71.0 ± 4.6 in `leyden`, where playouts alone took 75.5 on the same deals); both seats drawing
  when a trained policy says so (50.2 ± 6.4).
- *Belief and candidates.* No gain: four times the deals weighed, other temperatures, 2 % of any plays in place of 5 %; more ways to draw
  ahead (45.8 ± 7.8). To take needless draws for rarer than they are makes guesses of the other hand worse than none
  ([`belief`](strong/belief.rs)).

A whole run with 100 pairs takes about 40 minutes of processor time, one with 4 two minutes.
TEXT
cp "$new" "$page"
