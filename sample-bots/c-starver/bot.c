/*
 * Strategy: starve the next player. A seat that drew or passed had, most
 * likely, nothing that fitted the ends then open, and certainly no matador. So
 * the history tells which tiles it is unlikely to hold; the bot leaves the ends
 * that those tiles, and few others, could be played on, and so makes that seat
 * draw once more. Until then it keeps its matadors and sheds pips.
 *
 * The file reads from the bottom up: main, the choice, what is known of the next
 * hand, the layout, and a reader of JSON.
 */
#define _POSIX_C_SOURCE 200809L
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ARMS = 4, MAX_PIPS = 13, TEXT = 64 };

static const double STUCK_WORTH = 20;  /* in pips: that the next player cannot play */
static const double MATADOR_WORTH = 6; /* in pips: a matador kept */
static const double FOLLOWER_WORTH = 3; /* in pips: a tile in the hand that follows a lead */

static int top = 6; /* the highest pip of the set */

/* ---- JSON: a value is a pointer to its first character in a valid line ---- */

static const char *skip_space(const char *p)
{
    return p + strspn(p, " \t\r\n");
}

/* Copies the string at `p`, cut to `size`, and returns what follows it. An escape
 * beyond ASCII becomes a question mark: nothing in the protocol needs one. */
static const char *read_string(const char *p, char *out, size_t size)
{
    size_t length = 0;
    for (p++; *p != '"'; p++) {
        char c = *p;
        if (c == '\\') {
            static const char plain[] = "bfnrt", meant[] = "\b\f\n\r\t";
            c = *++p;
            if (c == 'u') {
                unsigned code = 0;
                sscanf(p + 1, "%4x", &code);
                c = code < 128 ? (char)code : '?';
                p += 4;
            } else if (strchr(plain, c)) {
                c = meant[strchr(plain, c) - plain];
            }
        }
        if (length + 1 < size)
            out[length++] = c;
    }
    out[length] = '\0';
    return p + 1;
}

static const char *skip_value(const char *p)
{
    char ignored[1];
    int depth = 0;
    do {
        if (*p == '"') {
            p = read_string(p, ignored, sizeof ignored);
        } else if (strchr("[{", *p)) {
            depth++;
            p++;
        } else if (strchr("]}", *p)) {
            depth--;
            p++;
        } else {
            p += strcspn(p, depth ? "\"[]{}" : ",]} \t\r\n");
        }
    } while (depth > 0);
    return skip_space(p);
}

/* The first element of an array or the first name of an object; NULL when empty. */
static const char *first(const char *p)
{
    p = skip_space(p + 1);
    return strchr("]}", *p) ? NULL : p;
}

/* What comes after `p`, behind a comma; NULL when `p` was the last. */
static const char *next(const char *p)
{
    p = skip_value(p);
    return *p == ',' ? skip_space(p + 1) : NULL;
}

/* The value of that name in an object; NULL when there is none. */
static const char *member(const char *object, const char *name)
{
    char found[TEXT];
    for (const char *p = first(object); p; p = next(p)) {
        p = skip_space(read_string(p, found, sizeof found));
        p = skip_space(p + 1);
        if (strcmp(found, name) == 0)
            return p;
    }
    return NULL;
}

static int element_int(const char *array, int index)
{
    const char *p = first(array);
    while (index-- > 0)
        p = next(p);
    return atoi(p);
}

static int member_int(const char *object, const char *name)
{
    return atoi(member(object, name));
}

static void member_string(const char *object, const char *name, char *out, size_t size)
{
    read_string(member(object, name), out, size);
}

/* ---- Tiles and the layout ---- */

typedef struct {
    int touching, other;
} Tile;

typedef struct {
    bool shown[ARMS][MAX_PIPS]; /* the pips that an arm shows */
    bool started[ARMS];
} Layout;

/* The tile in "2-5", "draw:2-5", "lead:3-3", "N:4-1" or "N:2|5". */
static Tile tile_of(const char *text)
{
    Tile tile = {0, 0};
    const char *colon = strchr(text, ':');
    sscanf(colon ? colon + 1 : text, "%d%*c%d", &tile.touching, &tile.other);
    return tile;
}

static bool is_matador(Tile tile)
{
    int sum = tile.touching + tile.other;
    return sum == 0 || sum == top + 1;
}

static bool is_play(const char *action)
{
    return action[1] == ':';
}

static bool is_lead(const char *action)
{
    return strncmp(action, "lead:", 5) == 0;
}

/* Puts a lead or a play on the layout; anything else leaves it as it is. */
static void lay(Layout *layout, const char *action)
{
    static const char arms[] = "NESW";
    Tile tile = tile_of(action);
    if (is_lead(action)) {
        memset(layout, 0, sizeof *layout);
        for (int arm = 0; arm < ARMS; arm++)
            layout->shown[arm][tile.other] = true;
    } else if (is_play(action)) {
        int arm = (int)(strchr(arms, action[0]) - arms);
        memset(layout->shown[arm], 0, sizeof layout->shown[arm]);
        layout->shown[arm][tile.other] = true;
        if (strchr(action, '|'))
            layout->shown[arm][tile.touching] = true;
        layout->started[arm] = true;
    }
}

/* Collects in `pips` what is shown where tiles may be played now. Which arms are
 * open during the opening depends on the rules; in a line there are only E and W. */
static void open_pips(const Layout *layout, const char *rules, bool pips[MAX_PIPS])
{
    bool line = strcmp(rules, "matador") == 0;
    bool none = line || strcmp(rules, "leyden-free") == 0;
    bool pair = strcmp(rules, "leyden") == 0;
    bool opening = false;
    for (int arm = 0; arm < ARMS; arm++)
        opening |= !none && !layout->started[arm] && !(pair && arm % 2);

    memset(pips, 0, MAX_PIPS * sizeof *pips);
    for (int arm = line ? 1 : 0; arm < ARMS; arm += line ? 2 : 1) {
        if (opening && (layout->started[arm] || (pair && arm % 2)))
            continue;
        for (int pip = 0; pip <= top; pip++)
            pips[pip] |= layout->shown[arm][pip];
    }
}

static bool fits(Tile tile, const bool pips[MAX_PIPS])
{
    int needed[] = {top + 1 - tile.touching, top + 1 - tile.other};
    return is_matador(tile) || (needed[0] <= top && pips[needed[0]]) || (needed[1] <= top && pips[needed[1]]);
}

/* ---- What is known of the next hand ---- */

typedef struct {
    bool seen[MAX_PIPS][MAX_PIPS];       /* in the own hand or on the layout */
    bool missed[MAX_PIPS][MAX_PIPS];     /* was not in the next hand once, as it seems */
    int drawn_since[MAX_PIPS][MAX_PIPS]; /* tiles which that hand has drawn since then */
    int count;                           /* tiles in the next hand */
    Layout layout;
    char rules[TEXT];
} Knowledge;

static void see(Knowledge *known, Tile tile)
{
    known->seen[tile.touching][tile.other] = known->seen[tile.other][tile.touching] = true;
}

/* The next seat drew or passed. Should the tile drawn fit, it is played at once,
 * so that nothing in the hand fits afterwards either. */
static void note_stuck(Knowledge *known, bool drew)
{
    bool pips[MAX_PIPS];
    open_pips(&known->layout, known->rules, pips);
    for (int low = 0; low <= top; low++) {
        for (int high = low; high <= top; high++) {
            known->drawn_since[low][high] += drew;
            if (fits((Tile){low, high}, pips)) {
                known->missed[low][high] = true;
                known->drawn_since[low][high] = 0;
            }
        }
    }
}

static Knowledge read_knowledge(const char *turn)
{
    Knowledge known = {0};
    char entry[TEXT];
    const char *counts = member(turn, "counts");
    int seats = 0;
    for (const char *p = first(counts); p; p = next(p))
        seats++;
    int next_seat = (member_int(turn, "seat") + 1) % seats;
    known.count = element_int(counts, next_seat);
    member_string(turn, "rules", known.rules, sizeof known.rules);

    for (const char *p = first(member(turn, "hand")); p; p = next(p)) {
        read_string(p, entry, sizeof entry);
        see(&known, tile_of(entry));
    }
    bool led = false;
    for (const char *p = first(member(turn, "history")); p; p = next(p)) {
        read_string(p, entry, sizeof entry);
        const char *action = strchr(entry, ' ') + 1;
        if (is_lead(action) || is_play(action)) {
            led = true;
            see(&known, tile_of(action));
            lay(&known.layout, action);
        } else if (led && atoi(entry) == next_seat) {
            note_stuck(&known, strcmp(action, "draw") == 0);
        }
    }
    return known;
}

/* How likely the next hand is to hold a tile, compared with one that nothing is known of. */
static double weight(const Knowledge *known, int low, int high)
{
    if (known->seen[low][high])
        return 0;
    if (!known->missed[low][high] || known->drawn_since[low][high] >= known->count)
        return 1;
    return (double)known->drawn_since[low][high] / known->count;
}

/* The chance that the next hand holds nothing that fits these pips. */
static double chance_stuck(const Knowledge *known, const bool pips[MAX_PIPS])
{
    double total = 0, chance = 1;
    for (int low = 0; low <= top; low++)
        for (int high = low; high <= top; high++)
            total += weight(known, low, high);
    for (int low = 0; low <= top; low++) {
        for (int high = low; high <= top; high++) {
            double held = total > 0 ? known->count * weight(known, low, high) / total : 0;
            if (fits((Tile){low, high}, pips))
                chance *= held < 1 ? 1 - held : 0;
        }
    }
    return chance;
}

/* ---- The choice ---- */

static double followers(const char *turn, const bool pips[MAX_PIPS])
{
    char text[TEXT];
    int count = 0;
    for (const char *p = first(member(turn, "hand")); p; p = next(p)) {
        read_string(p, text, sizeof text);
        count += fits(tile_of(text), pips);
    }
    return count;
}

/* The larger, the better: draws and refusals are left for when there is nothing else. */
static double value(const char *turn, const Knowledge *known, const char *action)
{
    if (!is_play(action) && !is_lead(action))
        return strcmp(action, "refuse") == 0 ? -1000 : -2000;

    bool pips[MAX_PIPS];
    Tile tile = tile_of(action);
    Layout after = known->layout;
    lay(&after, action);
    open_pips(&after, known->rules, pips);
    double worth = tile.touching + tile.other + STUCK_WORTH * chance_stuck(known, pips);
    if (is_lead(action))
        worth += FOLLOWER_WORTH * followers(turn, pips);
    else if (is_matador(tile))
        worth -= MATADOR_WORTH;
    return worth;
}

static void choose(const char *turn, char best[TEXT])
{
    Knowledge known = read_knowledge(turn);
    char action[TEXT];
    double highest = 0;
    best[0] = '\0';
    for (const char *p = first(member(turn, "legal")); p; p = next(p)) {
        read_string(p, action, sizeof action);
        double worth = value(turn, &known, action);
        if (!best[0] || worth > highest) {
            highest = worth;
            strcpy(best, action);
        }
    }
}

int main(void)
{
    char *line = NULL;
    size_t capacity = 0;
    while (getline(&line, &capacity, stdin) > 0) {
        const char *message = skip_space(line);
        char type[TEXT], action[TEXT];
        member_string(message, "type", type, sizeof type);
        if (strcmp(type, "hello") == 0) {
            top = member_int(member(message, "rules"), "set");
            puts("{\"type\":\"ready\",\"protocol\":\"1.0\",\"name\":\"c-starver\",\"version\":\"1\"}");
        } else if (strcmp(type, "turn") == 0) {
            choose(message, action);
            printf("{\"type\":\"action\",\"id\":%d,\"action\":\"%s\"}\n", member_int(message, "id"), action);
        }
        fflush(stdout);
    }
    free(line);
    return 0;
}
