// The conversation with the arena, and types for its messages. You don't need to change anything here.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"strconv"
	"strings"
)

// Tile has its low half first.
type Tile struct{ Low, High int }

// Action is what a player does. The arena reads its text.
type Action struct {
	Text     string
	Kind     string // "lead", "play", "draw", "refuse" or "pass"
	Arm      string // for a play: N, E, S or W
	Tile     *Tile  // the tile that is led, played or drawn
	Touching int    // for a play in line: the half that touches; else -1
	Ends     []int  // the end that a play leaves: one number, or both halves if it lies across
	Across   bool
}

// Entry is what a seat did.
type Entry struct {
	Seat   int
	Action Action
}

// Turn is a decision to make.
type Turn struct {
	ID       int              // counts your decisions in this match, from 1
	Rules    string           // the rule set
	Top      int              // the highest pip of the set: touching halves add up to one more
	Target   int              // the score that ends the match
	Round    int              //
	Redeal   int              //
	Phase    string           // "lead" or "play"
	Seat     int              // yours
	Hand     []Tile           // ascending
	Ends     map[string][]int // what each arm shows
	Boneyard int              // tiles in it
	Drawable int              // how many of them may still be drawn
	Counts   []int            // tiles of each seat
	Scores   []int            //
	History  []Entry          // of this round; draws of other players show no tile
	Legal    []Action         //
	TurnMS   int              // your time for this decision
	BankMS   int              // and extra time for the rest of the match
}

// A line from the arena: the fields that a bot needs.
type line struct {
	Type    string `json:"type"`
	Message string `json:"message"`
	BotSeed int64  `json:"bot_seed"`
	ID      int    `json:"id"`
	// The name of the rule set; in hello, the whole set.
	Rules    json.RawMessage  `json:"rules"`
	Target   int              `json:"target"`
	Round    int              `json:"round"`
	Redeal   int              `json:"redeal"`
	Phase    string           `json:"phase"`
	Seat     int              `json:"seat"`
	Hand     []string         `json:"hand"`
	Arms     map[string][]int `json:"arms"`
	Boneyard int              `json:"boneyard"`
	Drawable int              `json:"drawable"`
	Counts   []int            `json:"counts"`
	Scores   []int            `json:"scores"`
	History  []string         `json:"history"`
	Legal    []string         `json:"legal"`
	Clock    struct {
		TurnMS int `json:"turn_ms"`
		BankMS int `json:"bank_ms"`
	} `json:"clock"`
}

// log prints to standard error, because standard output belongs to the arena.
func log(words ...any) {
	fmt.Fprintln(os.Stderr, words...)
}

var notes []string

// note sends a short text with the action, for yourself: leyden replay shows it beside the move.
func note(words ...any) {
	notes = append(notes, strings.TrimSpace(fmt.Sprintln(words...)))
}

func readAction(text string) Action {
	word, rest, isLong := strings.Cut(text, ":")
	action := Action{Text: text, Kind: word, Touching: -1}
	if !isLong {
		return action
	}
	halves := strings.FieldsFunc(rest, func(r rune) bool { return r == '-' || r == '|' })
	first, _ := strconv.Atoi(halves[0])
	second, _ := strconv.Atoi(halves[1])
	action.Tile = &Tile{Low: first, High: second}
	if first > second {
		action.Tile = &Tile{Low: second, High: first}
	}
	switch {
	case word == "lead":
		action.Ends = []int{first}
	case word == "draw":
	case strings.Contains(rest, "|"):
		action.Kind, action.Arm, action.Ends, action.Across = "play", word, []int{first, second}, true
	default:
		action.Kind, action.Arm, action.Ends, action.Touching = "play", word, []int{second}, first
	}
	return action
}

func readTurn(line line, top int) Turn {
	turn := Turn{
		ID: line.ID, Top: top, Target: line.Target, Round: line.Round, Redeal: line.Redeal, Phase: line.Phase,
		Seat: line.Seat, Ends: line.Arms, Boneyard: line.Boneyard, Drawable: line.Drawable, Counts: line.Counts,
		Scores: line.Scores, TurnMS: line.Clock.TurnMS, BankMS: line.Clock.BankMS,
	}
	_ = json.Unmarshal(line.Rules, &turn.Rules)
	for _, tile := range line.Hand {
		turn.Hand = append(turn.Hand, *readAction("draw:" + tile).Tile)
	}
	for _, entry := range line.History {
		seat, action, _ := strings.Cut(entry, " ")
		number, _ := strconv.Atoi(seat)
		turn.History = append(turn.History, Entry{Seat: number, Action: readAction(action)})
	}
	for _, action := range line.Legal {
		turn.Legal = append(turn.Legal, readAction(action))
	}
	return turn
}

func send(answer map[string]any) {
	text, err := json.Marshal(answer)
	if err != nil {
		panic(err)
	}
	os.Stdout.Write(append(text, '\n')) // not buffered
}

// play answers the arena until it closes standard input.
func play(name string, choose func(Turn, *rand.Rand) Action) {
	top, random := 6, rand.New(rand.NewSource(0))
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(make([]byte, 1<<16), 1<<22)
	for in.Scan() {
		var line line
		if err := json.Unmarshal(in.Bytes(), &line); err != nil {
			log("not understood:", err)
			continue
		}
		switch line.Type {
		case "hello":
			var rules struct {
				Set int `json:"set"`
			}
			_ = json.Unmarshal(line.Rules, &rules)
			top = rules.Set
			send(map[string]any{"type": "ready", "protocol": "1.0", "name": name})
		case "match_start":
			random = rand.New(rand.NewSource(line.BotSeed))
		case "turn":
			action := choose(readTurn(line, top), random)
			if action.Text == "" {
				panic("choose() returned an empty action: it must always return one of turn.Legal")
			}
			answer := map[string]any{"type": "action", "id": line.ID, "action": action.Text}
			if len(notes) > 0 {
				answer["note"], notes = strings.Join(notes, "; "), nil
			}
			send(answer)
		case "error":
			log("the arena says:", line.Message)
		}
	}
}
