# A bot in POSIX shell, without a fork once it runs.
#
# Strategy: roll a die. It plays (or leads) any tile it may, all with the same
# chance, and never draws or refuses while it can put a tile down. The die is
# seeded with bot_seed, so the same match is played the same way twice.

set -f # no file names from unquoted words
bracket='[][{}]*'

# Does $1, cut off at a quote, end in a backslash that escapes that quote?
quote_is_escaped() {
    backslashes=${1##*[!\\]}
    [ $((${#backslashes} % 2)) -eq 1 ]
}

# Sets $number to the first number in $1.
find_number() {
    number=${1#"${1%%[0-9]*}"}
    number=${number%%[!0-9]*}
}

# Adds to $depth the brackets that $1 opens, less those that it closes.
count_brackets() {
    rest=$1
    while :; do
        rest=${rest#"${rest%%$bracket}"}
        case $rest in
        '') break ;;
        '['* | '{'*) depth=$((depth + 1)) ;;
        *) depth=$((depth - 1)) ;;
        esac
        rest=${rest#?}
    done
}

# Reads one JSON object into $type, $id, $bot_seed and $legal (words). The line
# is cut at its quotes, so that what stands between strings (where the brackets
# and the numbers are) alternates with the strings themselves.
parse() {
    type='' legal='' depth=0 key='' string=''
    IFS='"'
    set -- $1
    IFS=' '
    while [ $# -gt 0 ]; do
        between=${1#"${1%%[! 	]*}"}
        shift
        case $depth$between in
        1:*) key=$string ;; # a colon in the outermost object: it has just named a field
        1*) key='' ;;
        esac
        case $depth$key in
        1id)
            find_number "$between"
            id=$number
            ;;
        1bot_seed)
            find_number "$between"
            bot_seed=$number
            ;;
        esac
        count_brackets "$between"

        [ $# -gt 0 ] || break
        string=$1
        shift
        while quote_is_escaped "$string" && [ $# -gt 0 ]; do
            string=$string\"$1
            shift
        done
        case $depth$key in
        1type) type=$string ;;
        2legal) legal="$legal $string" ;;
        esac
    done
}

# Sets $roll to one of the words given; the die is a Lehmer generator.
roll_one_of() {
    die=$((die * 48271 % 2147483647))
    shift $((die % $#))
    roll=$1
}

choose() {
    tiles='' refusal=''
    for action in $legal; do
        case $action in
        *:*) tiles="$tiles $action" ;;
        refuse) refusal=refuse ;;
        esac
    done
    roll_one_of ${tiles:-${refusal:-draw}}
}

while IFS= read -r line; do
    parse "$line"
    case $type in
    hello) echo '{"type":"ready","protocol":"1.0","name":"sh-dice","version":"1"}' ;;
    match_start) die=$((bot_seed % 2147483646 + 1)) ;;
    turn)
        choose
        echo "{\"type\":\"action\",\"id\":$id,\"action\":\"$roll\"}"
        ;;
    esac
done
