/* The conversation with the arena, and types for its messages. You don't need to change anything here. */
#ifndef LEYDEN_H
#define LEYDEN_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { SEATS = 8, ARMS = 4, TILES = 91, MOST_ACTIONS = 1024, MOST_HISTORY = 1024 };
enum arm { N, E, S, W, NO_ARM };
enum kind { LEAD, PLAY, DRAW, REFUSE, PASS };

struct tile {
    int low, high; /* low half first */
};

/* What an arm shows: nothing, one number, or the two of a matador that lies across. */
struct end {
    int count, pips[2];
};

/* What a player does. The arena reads its text. */
struct action {
    char text[16];
    enum kind kind;
    enum arm arm; /* for a play */
    bool has_tile, across;
    struct tile tile; /* the tile that is led, played or drawn */
    int touching;     /* for a play in line: the half that touches; else -1 */
    struct end ends;  /* the end that a play leaves */
};

struct entry {
    int seat;
    struct action action;
};

struct turn {
    int id;         /* counts your decisions in this match, from 1 */
    char rules[24]; /* the rule set */
    int top;        /* the highest pip of the set: touching halves add up to one more */
    int target;     /* the score that ends the match */
    int round, redeal;
    bool is_lead; /* a tile is to be led, else played */
    int seat, seats;
    int hand_count;
    struct tile hand[TILES];
    struct end ends[ARMS];
    int boneyard, drawable; /* tiles in it, and how many of them may still be drawn */
    int counts[SEATS], scores[SEATS];
    int history_count; /* of this round; draws of other players show no tile */
    struct entry history[MOST_HISTORY];
    int legal_count;
    struct action legal[MOST_ACTIONS];
    int turn_ms, bank_ms; /* your time for this decision, and extra time for the rest of the match */
};

/* Returns a random number from 0 to bound - 1, determined by the seed of the match. */
int random_below(int bound);

/* Sends a short text with the action, for yourself, as printf writes it: leyden replay shows it beside the move. */
void note(const char *format, ...);

/* Answers the arena until it closes standard input. */
int play(const char *name, const struct action *(*choose)(const struct turn *));

#endif
