// Your bot. Change choose; leyden.go beside it talks to the arena.
package main

import "math/rand"

// ======================= change this function =======================

// choose returns one of turn.Legal.
//
//	turn.Hand      your tiles: each with Low and High
//	turn.Ends      what each arm shows: map[N:[6] S:[3 4]]; two numbers mean that either fits
//	turn.History   what has happened in this round: entries with Seat and Action
//	turn.Legal     what you may do: actions with Kind ("lead", "play", "draw", "refuse"), Arm, Tile, Ends, Across
//	turn.Counts, Scores, Boneyard, Seat, Top (the highest pip of the set) and more: see leyden.go
//	note("why")    is kept with the move: leyden replay shows it
func choose(turn Turn, random *rand.Rand) Action {
	best := turn.Legal[0]
	for _, action := range turn.Legal {
		if pips(action) > pips(best) {
			best = action
		}
	}
	log("turn", turn.ID, "plays", best.Text) // goes to standard error
	return best
}

func pips(action Action) int {
	if action.Tile == nil {
		return -1 // draw and refuse have no tile
	}
	return action.Tile.Low + action.Tile.High
}

// ====================================================================

func main() {
	play("my-bot", choose)
}
