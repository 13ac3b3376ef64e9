// Your bot. Change choose(); leyden.hpp beside it talks to the arena.

#include "leyden.hpp"

// ======================= change this function =======================
// Returns one of turn.legal.
//
// turn.hand      your tiles: each with .low and .high
// turn.ends      what each arm shows: {'N': {6}, 'S': {3, 4}}; two numbers mean that either fits
// turn.history   what has happened in this round: entries with .seat and .action
// turn.legal     what you may do: actions with .kind (Kind::lead, play, draw, refuse), .arm, .tile, .ends, .across
// turn.counts, turn.scores, turn.boneyard, turn.seat, turn.top (the highest pip of the set) and more: see leyden.hpp
// leyden::note("why") is kept with the move: leyden replay shows it
leyden::Action choose(const leyden::Turn& turn, std::mt19937_64& random) {
    (void)random; // seed any other generator from it, so that matches can be replayed
    auto pips = [](const leyden::Action& action) {
        return action.tile ? action.tile->low + action.tile->high : -1; // draw and refuse have no tile
    };
    leyden::Action best = turn.legal.front();
    for (const leyden::Action& action : turn.legal)
        if (pips(action) > pips(best)) best = action;
    leyden::log("turn " + std::to_string(turn.id) + " plays " + best.text); // goes to standard error
    return best;
}
// ====================================================================

int main() { leyden::play("my-bot", choose); }
