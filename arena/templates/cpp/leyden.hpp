// The conversation with the arena, types for its messages, and a small JSON reader. You don't need to change anything here.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <map>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace leyden {

struct Tile {
    int low, high; // low half first
};

enum class Kind { lead, play, draw, refuse, pass };

// What a player does. The arena reads its text.
struct Action {
    std::string text;
    Kind kind = Kind::pass;
    char arm = 0;              // for a play: N, E, S or W
    std::optional<Tile> tile;  // the tile that is led, played or drawn
    std::optional<int> touching; // for a play in line: the half that touches
    std::vector<int> ends;     // the end that a play leaves: one number, or both halves if it lies across
    bool across = false;
};

struct Entry {
    int seat;
    Action action;
};

struct Turn {
    int id;            // counts your decisions in this match, from 1
    std::string rules; // the rule set
    int top;           // the highest pip of the set: touching halves add up to one more
    int target;        // the score that ends the match
    int round, redeal;
    std::string phase; // "lead" or "play"
    int seat;          // yours
    std::vector<Tile> hand;
    std::map<char, std::vector<int>> ends; // what each arm shows
    int boneyard, drawable;                // tiles in it, and how many of them may still be drawn
    std::vector<int> counts, scores;       // of each seat
    std::vector<Entry> history;            // of this round; draws of other players show no tile
    std::vector<Action> legal;
    int turn_ms, bank_ms; // your time for this decision, and extra time for the rest of the match
};

// Prints to standard error, because standard output belongs to the arena.
inline void log(const std::string& text) { std::cerr << text << '\n'; }

inline std::string noted;

// Sends a short text with the action, for yourself: leyden replay shows it beside the move.
inline void note(const std::string& text) { noted += (noted.empty() ? "" : "; ") + text; }

// The note as a field of the answer, in plain characters that need no escapes in JSON.
inline std::string take_note() {
    if (noted.empty()) return "";
    std::string text;
    for (const char c : noted) text += c == '"' || c == '\\' ? '\'' : c >= ' ' && c <= '~' ? c : c == '\n' ? ' ' : '?';
    noted.clear();
    return R"(,"note":")" + text + '"';
}

namespace json {

struct Value {
    std::string text; // of a text, a number or a word
    std::vector<Value> items;
    std::vector<std::pair<std::string, Value>> fields;

    const Value& at(const std::string& name) const {
        for (const auto& field : fields)
            if (field.first == name) return field.second;
        throw std::runtime_error("no field " + name);
    }
    std::int64_t number() const { return std::stoll(text); }
    int small() const { return static_cast<int>(number()); }
};

class Reader {
public:
    explicit Reader(const std::string& text) : text(text) {}

    Value value() {
        Value result;
        switch (next()) {
        case '{':
            for (at++; next() != '}'; comma()) {
                next();
                std::string name = string();
                next();
                at++; // the colon
                result.fields.emplace_back(std::move(name), value());
            }
            at++;
            break;
        case '[':
            for (at++; next() != ']'; comma()) result.items.push_back(value());
            at++;
            break;
        case '"': result.text = string(); break;
        default:
            while (at < text.size() && std::string(",]} \t\r\n").find(text[at]) == std::string::npos)
                result.text += text[at++];
        }
        return result;
    }

private:
    const std::string& text;
    std::size_t at = 0;

    char next() {
        while (at < text.size() && std::string(" \t\r\n").find(text[at]) != std::string::npos) at++;
        if (at >= text.size()) throw std::runtime_error("the line ends too early");
        return text[at];
    }

    void comma() {
        if (next() == ',') at++;
    }

    std::string string() {
        static const std::string plain = "bfnrt", meant = "\b\f\n\r\t";
        std::string result;
        for (at++; text.at(at) != '"'; at++) {
            char c = text.at(at);
            if (c == '\\') {
                c = text.at(++at);
                if (c == 'u') {
                    int code = std::stoi(text.substr(at + 1, 4), nullptr, 16);
                    c = code < 128 ? static_cast<char>(code) : '?'; // nothing in the protocol needs more
                    at += 4;
                } else if (plain.find(c) != std::string::npos) {
                    c = meant[plain.find(c)];
                }
            }
            result += c;
        }
        at++;
        return result;
    }
};

} // namespace json

inline Action read_action(const std::string& text) {
    Action action;
    action.text = text;
    const std::size_t colon = text.find(':');
    const std::string word = text.substr(0, colon);
    if (word == "lead") action.kind = Kind::lead;
    else if (word == "draw") action.kind = Kind::draw;
    else if (word == "refuse") action.kind = Kind::refuse;
    else if (colon != std::string::npos) action.kind = Kind::play;
    if (colon == std::string::npos) return action;
    const std::size_t between = text.find_first_of("-|", colon);
    const int first = std::stoi(text.substr(colon + 1)), second = std::stoi(text.substr(between + 1));
    action.tile = Tile{std::min(first, second), std::max(first, second)};
    if (action.kind == Kind::lead) action.ends = {first};
    if (action.kind != Kind::play) return action;
    action.arm = word[0];
    action.across = text[between] == '|';
    if (action.across) {
        action.ends = {first, second};
    } else {
        action.touching = first;
        action.ends = {second};
    }
    return action;
}

inline std::vector<int> read_numbers(const json::Value& list) {
    std::vector<int> numbers;
    for (const json::Value& item : list.items) numbers.push_back(item.small());
    return numbers;
}

inline Turn read_turn(const json::Value& line, int top) {
    Turn turn{};
    turn.id = line.at("id").small();
    turn.rules = line.at("rules").text;
    turn.top = top;
    turn.target = line.at("target").small();
    turn.round = line.at("round").small();
    turn.redeal = line.at("redeal").small();
    turn.phase = line.at("phase").text;
    turn.seat = line.at("seat").small();
    for (const json::Value& tile : line.at("hand").items) turn.hand.push_back(*read_action("draw:" + tile.text).tile);
    for (const auto& arm : line.at("arms").fields) turn.ends[arm.first[0]] = read_numbers(arm.second);
    turn.boneyard = line.at("boneyard").small();
    turn.drawable = line.at("drawable").small();
    turn.counts = read_numbers(line.at("counts"));
    turn.scores = read_numbers(line.at("scores"));
    for (const json::Value& entry : line.at("history").items) {
        const std::size_t blank = entry.text.find(' ');
        turn.history.push_back({std::stoi(entry.text), read_action(entry.text.substr(blank + 1))});
    }
    for (const json::Value& action : line.at("legal").items) turn.legal.push_back(read_action(action.text));
    turn.turn_ms = line.at("clock").at("turn_ms").small();
    turn.bank_ms = line.at("clock").at("bank_ms").small();
    return turn;
}

// Answers the arena until it closes standard input.
template <typename Choose> void play(const std::string& name, Choose choose) {
    int top = 6;
    std::mt19937_64 random(0);
    std::string text;
    while (std::getline(std::cin, text)) {
        const json::Value line = json::Reader(text).value();
        const std::string& type = line.at("type").text;
        if (type == "hello") {
            top = line.at("rules").at("set").small();
            std::cout << R"({"type":"ready","protocol":"1.0","name":")" << name << R"("})" << std::endl;
        } else if (type == "match_start") {
            random.seed(static_cast<std::uint64_t>(line.at("bot_seed").number()));
        } else if (type == "turn") {
            const Action action = choose(read_turn(line, top), random);
            if (action.text.empty()) {
                throw std::logic_error("choose() returned an empty action: it must always return one of turn.legal");
            }
            std::cout << R"({"type":"action","id":)" << line.at("id").text << R"(,"action":")" << action.text << '"'
                      << take_note() << '}' << std::endl; // endl flushes
        } else if (type == "error") {
            log("the arena says: " + line.at("message").text);
        }
    }
}

} // namespace leyden
