#!/bin/sh
# Measures the figures of STRENGTH.md again: sh sample-bots/benches/page.sh [BLOCK…]
#
# A block of the page has its name in the comment above it, and holds the command that prints it. Each command is run, and what it
# prints takes the place of what was there. If blocks are named, only those are measured. PAIRS=N plays N pairs in place of as many
# as a command says. PAGE=FILE works on another page: `cp sample-bots/STRENGTH.md /tmp; PAGE=/tmp/STRENGTH.md PAIRS=4 sh
# sample-bots/benches/page.sh` shows that everything works.
set -eu
page=$(realpath "${PAGE:-$(dirname "$0")/../STRENGTH.md}")
cd "$(dirname "$0")/../.."
for name; do
    grep -q "^<!-- $name -->\$" "$page" || {
        printf 'page.sh: there is no block %s; the blocks are: %s\n' \
            "$name" "$(sed -n 's/^<!-- \(.*\) -->$/\1/p' "$page" | tr '\n' ' ')" >&2
        exit 2
    }
done
chosen=" $* "
new=$(mktemp)
trap 'rm -f "$new"' EXIT
name=
is_old=false
while IFS= read -r line; do
    case $line in
    '<!-- '*' -->')
        name=${line#<!-- }
        name=${name% -->}
        ;;
    '$ '*)
        case $chosen in
        '  ' | *" $name "*)
            command=${line#$ }
            [ -z "${PAIRS:-}" ] || command=$(printf '%s\n' "$command" | sed "s/--pairs [0-9]*/--pairs $PAIRS/")
            printf '%s\n' "$command" >&2
            # A failure ends everything: there is no page with a hole.
            printed=$(sh -c "$command" </dev/null)
            printf '%s\n' "$printed" >&2
            printf '$ %s\n%s\n' "$command" "$printed" >>"$new"
            is_old=true
            ;;
        esac
        ;;
    '```') is_old=false ;;
    esac
    $is_old || printf '%s\n' "$line" >>"$new"
done <"$page"
cp "$new" "$page"
