// Strategy: search the endgame. When a hand is small, or nothing is left to draw, the
// bot deals the tiles it has not seen a number of times at random, searches each deal
// with alpha-beta as if all hands lay open, and makes the play that is best on
// average. A fixed number of positions limits the search, so that the answer depends
// on bot_seed and not on the machine.
//
// Until then, and with more than two seats, it keeps its matadors, and makes the play
// that sheds the most pips and most likely leaves the next player without an answer.

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace {

constexpr int stuck_worth = 20;           // in pips: leaving the next player stuck
constexpr int matador_worth = 6;          // in pips: a matador kept
constexpr std::size_t small_hand = 3;     // tiles in the smaller hand when the endgame begins
constexpr int deal_count = 20;            // deals of the unseen tiles per decision
constexpr int position_limit = 10'000;    // positions per decision, over all deals

// ---- JSON ----

struct Json {
    std::string text;  // of a string, or of a number, true, false or null
    std::vector<Json> items;
    std::map<std::string, Json> members;

    const Json& operator[](const std::string& name) const { return members.at(name); }
    int number() const { return std::stoi(text); }
};

// Reads one value from a valid text.
class Reader {
public:
    explicit Reader(const std::string& text) : at(text.c_str()) {}

    Json value() {
        Json json;
        if (skip('{')) {
            while (!skip('}')) {
                std::string name = string();
                skip(':');
                json.members[name] = value();
                skip(',');
            }
        } else if (skip('[')) {
            while (!skip(']')) {
                json.items.push_back(value());
                skip(',');
            }
        } else if (*at == '"') {
            json.text = string();
        } else {
            while (*at && !std::strchr(",]} \t\r\n", *at)) json.text += *at++;
        }
        space();
        return json;
    }

private:
    void space() {
        while (std::isspace(static_cast<unsigned char>(*at))) at++;
    }

    bool skip(char expected) {
        space();
        if (*at != expected) return false;
        at++;
        space();
        return true;
    }

    // An escape beyond ASCII becomes a question mark: nothing in the protocol needs one.
    std::string string() {
        static const std::map<char, char> escapes = {{'b', '\b'}, {'f', '\f'}, {'n', '\n'}, {'r', '\r'}, {'t', '\t'}};
        std::string result;
        for (at++; *at != '"'; at++) {
            if (*at != '\\') {
                result += *at;
            } else if (*++at == 'u') {
                long code = std::strtol(std::string(at + 1, 4).c_str(), nullptr, 16);
                result += code < 128 ? static_cast<char>(code) : '?';
                at += 4;
            } else {
                auto escape = escapes.find(*at);
                result += escape == escapes.end() ? *at : escape->second;
            }
        }
        at++;
        return result;
    }

    const char* at;
};

// ---- Tiles, the layout and the rules ----

struct Tile {
    int low, high;
    int pips() const { return low + high; }
    bool operator==(const Tile& other) const { return low == other.low && high == other.high; }
    bool operator<(const Tile& other) const { return low != other.low ? low < other.low : high < other.high; }
};

using Hand = std::vector<Tile>;

constexpr int closed = -1;

// An arm's end: both pips are the same unless a matador lies across; `closed` where there is no arm.
struct End {
    int one = closed, other = closed;
    bool across() const { return one != other; }
};

struct Play {
    int arm;
    Tile tile;
    End end;
};

struct Layout {
    std::array<End, 4> ends;  // N, E, S, W
    std::array<bool, 4> started{};
};

struct Rules {
    std::string name;
    int top = 6;  // the highest pip of the set

    bool matador(Tile tile) const { return tile.pips() == 0 || tile.pips() == top + 1; }
    bool across_on_across() const { return name != "leyden" && name != "senst"; }
    bool draws_one() const { return name == "matador"; }
    bool winner_takes_both_hands() const { return name == "leiden" || name == "senst"; }

    // Whether the arm belongs to the opening: until all of these are started, only they are open.
    bool opens_with(int arm) const {
        if (name == "leyden") return arm % 2 == 0;
        return name == "leyden-cross" || name == "leiden" || name == "senst";
    }

    std::vector<int> open_arms(const Layout& layout) const {
        std::vector<int> all, unstarted;
        for (int arm = 0; arm < 4; arm++) {
            if (layout.ends[arm].one == closed) continue;
            all.push_back(arm);
            if (opens_with(arm) && !layout.started[arm]) unstarted.push_back(arm);
        }
        return unstarted.empty() ? all : unstarted;
    }

    bool joins(int pip, End end) const { return pip + end.one == top + 1 || pip + end.other == top + 1; }

    bool fits(Tile tile, End end) const { return matador(tile) || joins(tile.low, end) || joins(tile.high, end); }

    bool can_play(const Hand& hand, const Layout& layout) const {
        for (int arm : open_arms(layout))
            for (Tile tile : hand)
                if (fits(tile, layout.ends[arm])) return true;
        return false;
    }

    std::vector<Play> plays(const Hand& hand, const Layout& layout) const {
        std::vector<Play> plays;
        for (int arm : open_arms(layout)) {
            End end = layout.ends[arm];
            for (Tile tile : hand) {
                bool wild = matador(tile), is_double = tile.low == tile.high;
                if (wild || joins(tile.low, end)) plays.push_back({arm, tile, {tile.high, tile.high}});
                if (!is_double && (wild || joins(tile.high, end))) plays.push_back({arm, tile, {tile.low, tile.low}});
                if (!is_double && wild && (across_on_across() || !end.across()))
                    plays.push_back({arm, tile, {tile.low, tile.high}});
            }
        }
        return plays;
    }
};

int pips(const Hand& hand) {
    int total = 0;
    for (Tile tile : hand) total += tile.pips();
    return total;
}

void lay(Layout& layout, const Play& play) {
    layout.ends[play.arm] = play.end;
    layout.started[play.arm] = true;
}

Hand without(Hand hand, Tile tile) {
    hand.erase(std::find(hand.begin(), hand.end(), tile));
    return hand;
}

// ---- The endgame: all tiles known ----

struct Deal {
    Hand theirs;
    Hand boneyard;         // in the order of drawing
    std::size_t drawable;  // how many of these, from the front, may be drawn
};

class Search {
public:
    explicit Search(const Rules& rules) : rules(rules) {}

    bool exhausted() const { return positions > position_limit; }

    // What `play` is worth, in points, to its player, who holds `mine`, looking `depth` plays further.
    int worth(const Play& play, const Hand& mine, const Deal& deal, Layout layout, int depth) {
        boneyard = &deal.boneyard;
        drawable = deal.drawable;
        lay(layout, play);
        return -worth_to_mover(deal.theirs, without(mine, play.tile), layout, {}, depth, -bound, bound);
    }

private:
    static constexpr int bound = 10'000;

    struct Draws {
        std::size_t count = 0;      // in all
        bool in_this_turn = false;
    };

    int score(const Hand& mine, const Hand& theirs) const {
        int difference = pips(theirs) - pips(mine);
        if (!rules.winner_takes_both_hands()) return difference;
        int both = pips(theirs) + pips(mine);
        return difference > 0 ? both : difference < 0 ? -both : 0;
    }

    // Whether the round is over when one player cannot play: the other cannot either, and nothing can be drawn or, as
    // both know, nothing that is left fits.
    bool is_blocked(const Hand& theirs, const Layout& layout, std::size_t drawn) const {
        if (rules.can_play(theirs, layout)) return false;
        return drawn == drawable || !rules.can_play({boneyard->begin() + drawn, boneyard->end()}, layout);
    }

    // The worth of the position to the player of `mine`, who is to play, and draws only when forced to.
    int worth_to_mover(Hand mine, const Hand& theirs, const Layout& layout, Draws draws, int depth, int alpha, int beta) {
        positions++;
        if (theirs.empty() || depth == 0 || exhausted()) return score(mine, theirs);
        std::vector<Play> plays = rules.plays(mine, layout);
        while (plays.empty() && draws.count < drawable && !is_blocked(theirs, layout, draws.count) &&
               !(draws.in_this_turn && rules.draws_one())) {
            mine.push_back((*boneyard)[draws.count]);
            draws = {draws.count + 1, true};
            plays = rules.plays(mine, layout);
        }
        draws.in_this_turn = false;
        if (plays.empty()) {
            if (is_blocked(theirs, layout, draws.count)) return score(mine, theirs);
            return -worth_to_mover(theirs, mine, layout, draws, depth - 1, -beta, -alpha);
        }
        std::stable_sort(plays.begin(), plays.end(),
                         [](const Play& a, const Play& b) { return a.tile.pips() > b.tile.pips(); });
        for (const Play& play : plays) {
            Layout next = layout;
            lay(next, play);
            Hand rest = without(mine, play.tile);
            alpha = std::max(alpha, -worth_to_mover(theirs, rest, next, draws, depth - 1, -beta, -alpha));
            if (alpha >= beta) break;
        }
        return alpha;
    }

    const Rules& rules;
    const Hand* boneyard = nullptr;
    std::size_t drawable = 0;
    int positions = 0;
};

// ---- The turn ----

struct Turn {
    Rules rules;
    Layout layout;
    Hand hand, unseen;
    std::vector<int> counts;
    int seat, drawable;
    bool lead;
    std::vector<std::string> legal;
};

// The two numbers in "2-5", "lead:3-3", "N:4-1" or "N:2|5", in their order.
std::array<int, 2> numbers(const std::string& text) {
    std::size_t start = text.find_first_of("0123456789"), joint = text.find_first_of("-|", start);
    return {std::stoi(text.substr(start)), std::stoi(text.substr(joint + 1))};
}

Tile read_tile(const std::string& text) {
    auto [one, other] = numbers(text);
    return {std::min(one, other), std::max(one, other)};
}

int read_arm(char name) { return static_cast<int>(std::string("NESW").find(name)); }

bool is_play(const std::string& action) { return action[1] == ':'; }

bool is_lead(const std::string& action) { return action.rfind("lead:", 0) == 0; }

Play read_play(const std::string& action) {
    auto [touching, other] = numbers(action);
    bool across = action.find('|') != std::string::npos;
    return {read_arm(action[0]), read_tile(action), {across ? touching : other, other}};
}

Turn read_turn(const Json& message, int top) {
    Turn turn;
    turn.rules = {message["rules"].text, top};
    turn.seat = message["seat"].number();
    turn.drawable = message["drawable"].number();
    turn.lead = message["phase"].text == "lead";
    for (const Json& tile : message["hand"].items) turn.hand.push_back(read_tile(tile.text));
    for (const Json& count : message["counts"].items) turn.counts.push_back(count.number());
    for (const Json& action : message["legal"].items) turn.legal.push_back(action.text);
    for (const auto& [name, end] : message["arms"].members)
        turn.layout.ends[read_arm(name[0])] = {end.items.front().number(), end.items.back().number()};

    Hand seen = turn.hand;
    for (const Json& entry : message["history"].items) {
        std::string action = entry.text.substr(entry.text.find(' ') + 1);
        if (is_play(action)) turn.layout.started[read_arm(action[0])] = true;
        if (is_play(action) || is_lead(action)) seen.push_back(read_tile(action));
    }
    for (int low = 0; low <= top; low++)
        for (int high = low; high <= top; high++)
            if (std::find(seen.begin(), seen.end(), Tile{low, high}) == seen.end()) turn.unseen.push_back({low, high});
    return turn;
}

// ---- The choice ----

double chance_next_is_stuck(const Turn& turn, const Layout& layout) {
    double total = turn.unseen.size(), misfits = 0, chance = 1;
    for (Tile tile : turn.unseen) misfits += !turn.rules.can_play({tile}, layout);
    int count = turn.counts[(turn.seat + 1) % turn.counts.size()];
    for (int i = 0; i < count && chance > 0; i++) chance *= (misfits - i) / (total - i);
    return chance;
}

double quick_worth(const Turn& turn, const std::string& action) {
    Layout layout = turn.layout;
    Play play = read_play(action);
    lay(layout, play);
    int matador = turn.rules.matador(play.tile) ? matador_worth : 0;
    return play.tile.pips() - matador + stuck_worth * chance_next_is_stuck(turn, layout);
}

// The double that most of the hand can follow, the heaviest of these.
int lead_worth(const Turn& turn, const std::string& lead) {
    int pip = read_tile(lead).low, followers = 0;
    for (Tile tile : turn.hand) followers += turn.rules.fits(tile, {pip, pip});
    return 100 * followers + pip;
}

template <class Worth>
std::string best(const std::vector<std::string>& actions, Worth worth) {
    std::string chosen = actions.front();
    auto highest = worth(chosen);
    for (const std::string& action : actions) {
        auto value = worth(action);
        if (value > highest) {
            highest = value;
            chosen = action;
        }
    }
    return chosen;
}

std::vector<Deal> random_deals(const Turn& turn, std::mt19937& random) {
    std::vector<Deal> result;
    Hand tiles = turn.unseen;
    for (int i = 0; i < deal_count; i++) {
        for (std::size_t last = tiles.size() - 1; last > 0; last--) std::swap(tiles[last], tiles[random() % (last + 1)]);
        auto drawn = tiles.begin() + turn.counts[1 - turn.seat];
        result.push_back({{tiles.begin(), drawn}, {drawn, tiles.end()}, std::size_t(turn.drawable)});
    }
    return result;
}

bool is_endgame(const Turn& turn) {
    if (turn.counts.size() != 2) return false;
    std::size_t smaller = std::min(turn.counts[0], turn.counts[1]);
    return smaller <= small_hand || turn.drawable == 0;
}

// Searches one play deeper each time, and uses the last search that finished.
std::string choose_by_search(const Turn& turn, const std::vector<std::string>& plays, std::mt19937& random) {
    std::vector<Deal> deals = random_deals(turn, random);
    int deepest = turn.hand.size() + turn.unseen.size();
    Search search(turn.rules);
    std::string chosen = plays.front();
    for (int depth = 1; depth <= deepest; depth++) {
        auto total = [&](const std::string& action) {
            int sum = 0;
            for (const Deal& deal : deals) sum += search.worth(read_play(action), turn.hand, deal, turn.layout, depth);
            return sum;
        };
        std::string found = best(plays, total);
        if (search.exhausted()) break;
        chosen = found;
    }
    return chosen;
}

std::string choose(const Turn& turn, std::mt19937& random) {
    std::vector<std::string> tiles;
    for (const std::string& action : turn.legal)
        if (is_play(action) || is_lead(action)) tiles.push_back(action);
    if (tiles.empty()) return turn.legal.back();  // no double to lead: refuse, or draw where that is not allowed
    if (turn.lead) return best(tiles, [&](const std::string& action) { return lead_worth(turn, action); });
    if (is_endgame(turn)) return choose_by_search(turn, tiles, random);
    return best(tiles, [&](const std::string& action) { return quick_worth(turn, action); });
}

}  // namespace

int main() {
    int top = 6;
    std::mt19937 random;
    for (std::string line; std::getline(std::cin, line);) {
        Json message = Reader(line).value();
        std::string type = message["type"].text;
        if (type == "hello") {
            top = message["rules"]["set"].number();
            std::cout << R"({"type":"ready","protocol":"1.0","name":"cpp-endgame","version":"1"})" << std::endl;
        } else if (type == "match_start") {
            random.seed(std::stoull(message["bot_seed"].text));
        } else if (type == "turn") {
            std::cout << R"({"type":"action","id":)" << message["id"].text << R"(,"action":")"
                      << choose(read_turn(message, top), random) << "\"}" << std::endl;
        }
    }
}
