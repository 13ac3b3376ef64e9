/* Your bot. Change choose(); leyden.c beside it talks to the arena. */

#include "leyden.h"

/* ======================= change this function =======================
 * Returns one of turn->legal.
 *
 * turn->hand, turn->hand_count        your tiles: each with .low and .high
 * turn->ends[N], [E], [S], [W]        what each arm shows: .count numbers in .pips; two mean that either fits
 * turn->history, turn->history_count  what has happened in this round: entries with .seat and .action
 * turn->legal, turn->legal_count      what you may do: actions with .kind (LEAD, PLAY, DRAW, REFUSE), .arm, .tile, .ends
 * turn->counts, scores, boneyard, seat, top (the highest pip of the set) and more: see leyden.h
 * random_below(n)                     a random number from the seed of the match
 * note("why")                         is kept with the move: leyden replay shows it
 */
static int pips(const struct action *action)
{
    return action->has_tile ? action->tile.low + action->tile.high : -1; /* draw and refuse have no tile */
}

static const struct action *choose(const struct turn *turn)
{
    const struct action *best = &turn->legal[0];
    for (int i = 1; i < turn->legal_count; i++)
        if (pips(&turn->legal[i]) > pips(best))
            best = &turn->legal[i];
    fprintf(stderr, "turn %d plays %s\n", turn->id, best->text); /* standard output belongs to the arena */
    return best;
}
/* ==================================================================== */

int main(void)
{
    return play("my-bot", choose);
}
