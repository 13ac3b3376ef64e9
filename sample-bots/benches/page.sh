#!/bin/sh
# Measures the Rust bots and writes the results into STRENGTH.md, below the commands: sh sample-bots/benches/page.sh [PAIRS [BLOCK…]]
#
# PAIRS is for `strong` against `montecarlo`. Other bots that search play a quarter as many, bots that do not search five times as
# many. If blocks are named, only those are measured again, and the others stay as they are; a block is named in the comment above it.
# PAGE=FILE writes another page; `PAGE=/tmp/page.md sh sample-bots/benches/page.sh 4` shows that everything works.
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

Figures, each below the command that prints it; `sh sample-bots/benches/page.sh` measures all of them again and writes this page, or
only the blocks that are named. Matches to 100 points between the bots of this crate, in one process. A pair is one match's deals
played once from every side, so that luck with the tiles affects both alike. A line gives the first bot's share of the matches (a
draw is half a win) with its 95 % interval over pairs; the same without luck ([how](../arena/luck/README.md)), an estimate of the
same number that varies less; its average lead in points; and the processor time of each side per decision. The same seed gives
the same shares again, however busy the machine is, because no clock is involved. None of these deals was used to tune anything. A
block of four pairs shows only that its command works.

## `strong`

Against `montecarlo` with as much time: about 10 ms a decision on an idle machine, which is the default of `strong`. A playout is less
work for `montecarlo`, so it makes more of them.

TEXT
for rules in $all; do
    strength "$rules" --pairs "$pairs" --rules "$rules" strong "montecarlo --playouts 10500"
done
text <<'TEXT'
With more seats one `strong` plays against several `montecarlo`: three seats (an even share is 33.3 %), four (25 %), and three with the
double-nine set. All have about as much time, though less than the default.

TEXT
strength three-seats --pairs "$pairs" --rules matador --seats 3 "strong --playouts 3000" "montecarlo --playouts 6400"
strength four-seats --pairs "$pairs" --rules matador --seats 4 "strong --playouts 3000" "montecarlo --playouts 6400"
strength double-nine --pairs "$pairs" --rules matador --seats 3 --set 9 "strong --playouts 3000" \
    "montecarlo --playouts 6400"
text <<'TEXT'
What its ideas are worth: against itself without one of them, with 1,000 playouts a decision each, so the same number of playouts rather
than the same time. In `matador`, where nobody draws who can play, there is no drawing ahead, and nothing to correct.

TEXT
for idea in belief plays draws-ahead bias; do
    strength "$idea" --pairs "$pairs" --rules leyden "strong --playouts 1000" "strong --playouts 1000 --without $idea"
done
for idea in belief plays; do
    strength "matador-$idea" --pairs "$pairs" --rules matador "strong --playouts 1000" \
        "strong --playouts 1000 --without $idea"
done
text <<'TEXT'
What playouts get wrong on average, in points: for an optional draw, as a multiple of the curve in [`bias`](strong/bias.rs) (1.0 is
corrected in `leyden`, nothing in `matador`), for a lead, and for a matador. Draws and leads are corrected.

TEXT
for rules in leyden matador; do
    block "bias-$rules" cargo run -q --release -p leyden-sample-bots --example bias_of_strong -- "$rules" $((40 * few))
done
text <<'TEXT'
Simple responses, each with one trick and the trained policy for the rest; none may reach 45 %.

TEXT
bench responses responses --pairs "$few"
text <<'TEXT'
## The ladder

Each level has one idea more than the one below; [THINKING.md](THINKING.md) explains them in order. All are rated in one field, in which
each plays the next two above it; 100 points more mean 64 % of the matches. The 95 % interval is in brackets.

TEXT
bench ladder ladder --pairs "$few"
text <<'TEXT'
## The other bots

TEXT
strength greedy --pairs "$many" greedy random
strength careful --pairs "$many" careful greedy
strength montecarlo --pairs "$few" montecarlo careful
text <<'TEXT'
Opponents that are weaker by degrees, for testing statistics: `careful --blunder N` gives N random answers in a hundred.

TEXT
for blunder in 10 25 50; do
    strength "blunder-$blunder" --pairs "$many" --rules leyden "careful --blunder $blunder" careful
done
text <<'TEXT'
The speed of `montecarlo`, including inference and dealing, in processor time on one core of a virtual machine whose speed varies by
half from day to day:

TEXT
bench playouts playouts
text <<'TEXT'
## What was tried

Single measurements, which this page does not repeat. Shares are without luck unless stated otherwise.

- *Weights.* [`train_strong`](examples/train_strong.rs) makes the same bytes each time; it takes a quarter of a minute of processor
  time for a rule set, about a minute for each larger table. Against the previous weights, with 300 playouts each: 49.3 % ± 5.6 in
  `leyden`, 51.6 ± 5.2 in `leyden-cross` (120 pairs each), 51.0 ± 6.1 in `leiden`, 56.1 ± 5.9 in `senst`, 53.1 ± 4.8 in `leyden-free`
  (100 each; seed 6003), 49.9 ± 2.4 in `matador` (270; 6003 and 6005). With the previous weights, at about 10 ms each, `strong` scored
  against `montecarlo`: 75.2 % ± 3.0 in `leyden` (335 pairs), 69.2 ± 3.4 in `leyden-cross` (300), 72.2 ± 3.8 in `leiden`, 75.6 ± 3.7 in
  `senst`, 71.3 ± 3.5 in `leyden-free` (250 each), all as played.
- *Ideas of `strong`*, with the previous weights, 1,000 playouts each, as played. In `leyden` the whole bot scored 58.0 % ± 5.0
  against itself without drawing ahead (8.3 ± 5.0 points a match), 54.0 ± 5.5 without correcting playouts, 49.8 ± 5.3 without reading
  plays (150 pairs each), and 52.5 ± 6.3 without any belief (120). In `matador`, with 1,500 playouts, it scored 57.8 ± 3.3 without
  reading plays and 61.7 ± 3.3 without any belief (300 each).
- *What playouts get wrong* is based on 9,000 comparisons in `leyden` and 4,500 in each other rule set. Draws: 2.3 ± 0.9 points in
  `leyden`, 1.2 ± 1.2 in `leyden-cross`, 2.8 ± 2.9 in `leiden`, 0.7 ± 1.0 in `leyden-free`; most with three to five tiles to draw (3.7,
  2.7, 8.0 and 2.5), nothing with twelve or more. Leads, compared with drawing first: 2.1 ± 1.9, 1.4 ± 2.8 and 7.0 ± 5.2. Later, from
  4,000 comparisons, the factor of the curve was 0.73 ± 0.35 in `leyden` and 0.76 ± 0.85 in `leiden`, and leads were −0.4 ± 2.5 and
  4.3 ± 4.0: the draws of `leyden` are certain, the leads are not.
- *A better policy without search is not a better one for playouts.* Twelve kinds of position instead of six, two more features (the
  last matador; both seats stuck) and ten times as much evolution gain 0.2 points a round in `matador` and in `leyden`, and nothing in
  the search: 48.5 % ± 3.3 and 47.4 % ± 5.2 against the bot without them (150 pairs each).
- *`matador`*, where the aim was 60 %. Before endgames were searched, `strong` reached 57.1 % ± 2.9 (400 pairs, as played); after,
  58.5 % ± 4.9 as played and 55.7 % ± 2.7 without luck (130 pairs, seed 7001). The aim is not met. Judged by `strong`, the choices of
  `montecarlo` cost 2.6 ‰ of a match each (10.7 ‰ in `leyden`): the two choose nearly the same. Once all tiles are drawn, at 4 % of the
  decisions, playouts cost 1.1 % of a match, so [`endgame`](strong/endgame.rs) searches those. Searching the endgames of playouts as
  well, or those with two or four tiles left to draw as if their order were known, gained nothing measurable (49.9, 49.4 and
  50.3 % ± 3.1 against the bot without any, 150 pairs each). The value of a lead in the match is off by 0.7 % (root mean square) from
  the tables of `arena/luck`. Beliefs about the other hand have a mean log score of −8.92 with uniform deals, −8.18 with draws and
  passes, −7.93 with plays, too (529 decisions); a model of twelve kinds, fitted to three times as many choices or more confident,
  reaches −7.93 to −7.94.
- *Larger tables.* One `strong` with 350 playouts against several `montecarlo` with 750, as played, 200 deals of seed 7102 unless
  stated otherwise. With the double-six weights: 33.3 % ± 3.6 (even: 33.3) for three seats with double-nine, but 28.3 ± 3.3 on seed
  7101, 30.8 ± 3.2 for three seats and 20.4 ± 2.5 (even: 25) for four with double-six; on seed 7101 13.3 ± 1.9 (even: 16.7) for six
  with double-nine, 27.3 ± 3.7 (33.3) and 16.3 ± 2.0 (16.7) for three and six with double-twelve. With weights of their own: 33.0 ± 3.5
  for three seats with double-nine, 22.5 ± 2.9 for four with double-six, 13.8 ± 1.8 and 15.3 ± 2.1 for six with double-nine and with
  double-twelve. With weights set by hand: 33.3 ± 3.4 (three, double-nine) and 23.6 ± 2.8 (four, double-six); with the playouts of
  `montecarlo`, 32.2 ± 3.5 (three, double-nine). So it is not the policy. Part of it is that few playouts make much noise at tables
  where `strong` makes half as many in the same time: `montecarlo` itself scores 24.2 ± 2.8 and 14.6 ± 1.7 (four, double-six; six,
  double-nine) with 350 playouts against 750. Reading plays costs 25 % of the time there and gains little: without it 24.1 ± 2.7 (four,
  double-six) and 14.2 ± 1.8 (six, double-nine). With more work it is different: 3,000 playouts against 6,400 score 38.9 ± 6.0 (three
  seats, double-nine) and 28.7 ± 5.2 (four, double-six; 60 deals, double-six weights). Softening the weights of deals until half of them
  count, or keeping twice as many, gained nothing (20.8 ± 2.6 and 19.6 ± 2.5 for four seats). Between two seats with double-nine, the
  weights set by hand score 56.7 ± 3.2 without luck, those trained for that set 51.0 ± 3.2 and the double-six ones 50.6 ± 3.0.
- *Playouts.* More matter little: 2,000 are 1.1 ‰ of a match a decision from what 40,000 would choose, 6,600 are 0.4 ‰. No gain from
  searching the first reply as well, in the same time (71.0 ± 4.6 in `leyden`, where playouts alone scored 75.5 on the same deals), nor
  from both seats drawing when a trained policy says so (50.2 ± 6.4).
- *Belief and candidates.* No gain: four times as many deals weighed, other temperatures, 2 % of random plays instead of 5 %, more ways
  to draw ahead (45.8 ± 7.8). Assuming that needless draws are rarer than they are makes the belief worse than none
  ([`belief`](strong/belief.rs)).

A whole run with 100 pairs takes more than an hour of processor time, one with 4 pairs a few minutes.
TEXT
cp "$new" "$page"
