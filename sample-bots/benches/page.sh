#!/bin/sh
# Measures the bots in Rust and writes STRENGTH.md anew: sh sample-bots/benches/page.sh [PAIRS]
#
# PAIRS is for the bots that search; those that judge at a glance play twenty times as many. With 100 it takes some hours of
# one core.
set -eu
cd "$(dirname "$0")/../.."
pairs=${1:-100}
many=$((20 * pairs))
page=sample-bots/STRENGTH.md
new=$(mktemp)
trap 'rm -f "$new"' EXIT

bench() {
    name=$1
    shift
    echo '```text' >>"$new"
    cargo bench --quiet -p leyden-sample-bots --bench "$name" -- "$@" | tee -a "$new"
    echo '```' >>"$new"
}

cat >"$new" <<'TEXT'
# How strong the Rust bots are

Written by `sh sample-bots/benches/page.sh`, which measures everything anew. Matches to 100 points between the bots of this
crate, in one process. Each pair is one match's deals played once from every side, so that luck with the tiles falls on both.
Given is the first bot's share of the matches (a drawn match is half a win) with its 95 % interval over pairs, by how many points
it was ahead, and how long each side thought about a decision, by the clock.

## The ladder

TEXT
cargo bench --quiet -p leyden-sample-bots --bench ladder -- --pairs "$pairs" | tee -a "$new"
printf '\n## At a glance\n\n' >>"$new"
bench strength --pairs "$many" --seed 2026 --jobs 1 greedy random
bench strength --pairs "$many" --seed 2026 --jobs 1 careful greedy
printf '\n## By search\n\n' >>"$new"
bench strength --pairs "$pairs" --seed 2026 --jobs 1 montecarlo careful
# About the same time for each.
bench strength --pairs "$pairs" --seed 2026 --jobs 1 strong "montecarlo --playouts 10500"
printf '\n## What the ideas of `strong` are worth\n\nAgainst itself without one of them.\n\n' >>"$new"
for idea in belief plays draws-ahead bias; do
    bench strength --pairs "$pairs" --seed 2026 --jobs 1 --rules leyden "strong --playouts 1000" \
        "strong --playouts 1000 --without $idea"
done
printf '\n## More seats\n\nOne bot among copies of the other.\n\n' >>"$new"
for seats in 3 4; do
    bench strength --pairs "$pairs" --seed 2026 --jobs 1 --rules matador --seats "$seats" strong montecarlo
done
printf '\n## Simple responses to `strong`\n\nNone may reach 45 %%.\n\n' >>"$new"
bench responses --pairs "$pairs"
printf '\n## Speed of `montecarlo`\n\n' >>"$new"
bench playouts
cp "$new" "$page"
