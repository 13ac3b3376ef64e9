/* The conversation with the arena, and a small JSON reader. You don't need to change anything here. */
#define _POSIX_C_SOURCE 200809L
#include "leyden.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ---- JSON: a value is a pointer to its first character in a valid line ---- */

static const char *skip_space(const char *p)
{
    return p + strspn(p, " \t\r\n");
}

/* Copies the text at `p`, cut to `size`, and returns what follows it. Characters beyond ASCII become question
 * marks: the protocol does not need them. */
static const char *read_text(const char *p, char *out, size_t size)
{
    size_t length = 0;
    for (p++; *p && *p != '"'; p++) {
        char c = *p;
        if (c == '\\') {
            static const char plain[] = "bfnrt", meant[] = "\b\f\n\r\t";
            c = *++p;
            if (c == 'u') {
                unsigned code = 0;
                sscanf(p + 1, "%4x", &code);
                c = code < 128 ? (char)code : '?';
                p += 4;
            } else if (c && strchr(plain, c)) {
                c = meant[strchr(plain, c) - plain];
            }
        }
        if (length + 1 < size)
            out[length++] = c;
    }
    out[length] = '\0';
    return *p ? p + 1 : p;
}

static const char *skip_value(const char *p)
{
    char ignored[1];
    int depth = 0;
    do {
        if (*p == '"') {
            p = read_text(p, ignored, sizeof ignored);
        } else if (*p == '[' || *p == '{') {
            depth++;
            p++;
        } else if (*p == ']' || *p == '}') {
            depth--;
            p++;
        } else {
            p += strcspn(p, depth ? "\"[]{}" : ",]} \t\r\n");
        }
    } while (depth > 0 && *p);
    return skip_space(p);
}

/* The first item of a list, or the first name of an object; NULL if it is empty. */
static const char *first(const char *p)
{
    p = skip_space(p + 1);
    return *p == ']' || *p == '}' ? NULL : p;
}

/* The item after the one at `p`; NULL if that was the last. */
static const char *next(const char *p)
{
    p = skip_value(p);
    return *p == ',' ? skip_space(p + 1) : NULL;
}

/* The value with this name in an object; "0" if there is none. */
static const char *field(const char *object, const char *name)
{
    char found[32];
    for (const char *p = first(object); p; p = next(p)) {
        p = skip_space(read_text(p, found, sizeof found));
        p = skip_space(p + 1);
        if (strcmp(found, name) == 0)
            return p;
    }
    return "0";
}

static int number(const char *object, const char *name)
{
    return atoi(field(object, name));
}

/* ---- messages from the arena ---- */

static struct end end_of(int count, int one, int other)
{
    struct end end = {count, {one, other}};
    return end;
}

static struct action read_action(const char *text)
{
    struct action action = {.kind = PASS, .arm = NO_ARM, .touching = -1};
    static const char arms[] = "NESW";
    const char *colon = strchr(text, ':');
    int one = 0, other = 0;
    snprintf(action.text, sizeof action.text, "%s", text);
    if (strncmp(text, "lead", 4) == 0)
        action.kind = LEAD;
    else if (strncmp(text, "draw", 4) == 0)
        action.kind = DRAW;
    else if (strcmp(text, "refuse") == 0)
        action.kind = REFUSE;
    else if (colon)
        action.kind = PLAY;
    if (!colon || sscanf(colon + 1, "%d%*c%d", &one, &other) != 2)
        return action;
    action.has_tile = true;
    action.tile.low = one < other ? one : other;
    action.tile.high = one < other ? other : one;
    if (action.kind == LEAD)
        action.ends = end_of(1, one, 0);
    if (action.kind != PLAY)
        return action;
    action.arm = (enum arm)(strchr(arms, text[0]) ? strchr(arms, text[0]) - arms : NO_ARM);
    action.across = strchr(colon, '|') != NULL;
    action.touching = action.across ? -1 : one;
    action.ends = action.across ? end_of(2, one, other) : end_of(1, other, 0);
    return action;
}

static void read_numbers(const char *list, int *numbers, int most)
{
    int count = 0;
    for (const char *p = first(list); p && count < most; p = next(p))
        numbers[count++] = atoi(p);
}

static void read_turn(const char *line, int top, struct turn *turn)
{
    char text[32];
    memset(turn, 0, sizeof *turn);
    turn->id = number(line, "id");
    read_text(field(line, "rules"), turn->rules, sizeof turn->rules);
    turn->top = top;
    turn->target = number(line, "target");
    turn->round = number(line, "round");
    turn->redeal = number(line, "redeal");
    read_text(field(line, "phase"), text, sizeof text);
    turn->is_lead = strcmp(text, "lead") == 0;
    turn->seat = number(line, "seat");
    for (const char *p = first(field(line, "hand")); p && turn->hand_count < TILES; p = next(p)) {
        struct tile *tile = &turn->hand[turn->hand_count++];
        read_text(p, text, sizeof text);
        sscanf(text, "%d-%d", &tile->low, &tile->high);
    }
    for (const char *p = first(field(line, "arms")); p; p = next(p)) {
        static const char arms[] = "NESW";
        p = skip_space(read_text(p, text, sizeof text));
        p = skip_space(p + 1);
        if (text[0] && strchr(arms, text[0])) {
            struct end *end = &turn->ends[strchr(arms, text[0]) - arms];
            for (const char *pip = first(p); pip && end->count < 2; pip = next(pip))
                end->pips[end->count++] = atoi(pip);
        }
    }
    turn->boneyard = number(line, "boneyard");
    turn->drawable = number(line, "drawable");
    for (const char *p = first(field(line, "counts")); p; p = next(p))
        turn->seats++;
    read_numbers(field(line, "counts"), turn->counts, SEATS);
    read_numbers(field(line, "scores"), turn->scores, SEATS);
    for (const char *p = first(field(line, "history")); p && turn->history_count < MOST_HISTORY; p = next(p)) {
        struct entry *entry = &turn->history[turn->history_count++];
        read_text(p, text, sizeof text);
        entry->seat = atoi(text);
        entry->action = read_action(strchr(text, ' ') ? strchr(text, ' ') + 1 : text);
    }
    for (const char *p = first(field(line, "legal")); p && turn->legal_count < MOST_ACTIONS; p = next(p)) {
        read_text(p, text, sizeof text);
        turn->legal[turn->legal_count++] = read_action(text);
    }
    turn->turn_ms = number(field(line, "clock"), "turn_ms");
    turn->bank_ms = number(field(line, "clock"), "bank_ms");
}

/* ---- random numbers (SplitMix64) ---- */

static uint64_t state;

int random_below(int bound)
{
    uint64_t mixed = state += 0x9e3779b97f4a7c15u;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
    mixed ^= mixed >> 31;
    return bound > 0 ? (int)(mixed % (uint64_t)bound) : 0;
}

/* ---- the conversation ---- */

static char noted[256];

void note(const char *format, ...)
{
    va_list words;
    va_start(words, format);
    vsnprintf(noted, sizeof noted, format, words);
    va_end(words);
}

/* Writes the note as a field of the answer, in plain characters that need no escapes in JSON. */
static void print_note(void)
{
    if (noted[0] == '\0')
        return;
    for (char *p = noted; *p; p++) {
        if (*p == '"' || *p == '\\')
            *p = '\'';
        else if (*p < ' ' || *p > '~')
            *p = *p == '\n' || *p == '\t' ? ' ' : '?';
    }
    printf(",\"note\":\"%s\"", noted);
    noted[0] = '\0';
}

int play(const char *name, const struct action *(*choose)(const struct turn *))
{
    static struct turn turn;
    char *line = NULL, type[32], said[512];
    size_t size = 0;
    int top = 6;
    while (getline(&line, &size, stdin) > 0) {
        const char *object = skip_space(line);
        read_text(field(object, "type"), type, sizeof type);
        if (strcmp(type, "hello") == 0) {
            top = number(field(object, "rules"), "set");
            printf("{\"type\":\"ready\",\"protocol\":\"1.0\",\"name\":\"%s\"}\n", name);
        } else if (strcmp(type, "match_start") == 0) {
            state = strtoull(field(object, "bot_seed"), NULL, 10);
        } else if (strcmp(type, "turn") == 0) {
            read_turn(object, top, &turn);
            const struct action *action = choose(&turn);
            if (action == NULL) {
                fprintf(stderr, "choose() returned NULL: it must always return one of turn->legal\n");
                return 1;
            }
            printf("{\"type\":\"action\",\"id\":%d,\"action\":\"%s\"", turn.id, action->text);
            print_note();
            printf("}\n");
        } else if (strcmp(type, "error") == 0) {
            read_text(field(object, "message"), said, sizeof said);
            fprintf(stderr, "the arena says: %s\n", said);
        }
        fflush(stdout);
    }
    free(line);
    return 0;
}
