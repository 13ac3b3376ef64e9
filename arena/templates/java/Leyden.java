import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BiFunction;

/** The conversation with the arena, types for its messages, and a small JSON reader. You don't need to change anything here. */
public final class Leyden {
    private Leyden() {}

    public enum Kind { LEAD, PLAY, DRAW, REFUSE, PASS }

    /** Low half first. */
    public record Tile(int low, int high) {}

    /**
     * What a player does. The arena reads its text.
     *
     * @param arm for a play: N, E, S or W, else null
     * @param tile the tile that is led, played or drawn, or null
     * @param touching for a play in line: the half that touches, else -1
     * @param ends the end that a play leaves: one number, or both halves if it lies across
     */
    public record Action(String text, Kind kind, String arm, Tile tile, int touching, List<Integer> ends, boolean across) {
        static Action read(String text) {
            int colon = text.indexOf(':');
            String word = colon < 0 ? text : text.substring(0, colon);
            if (colon < 0) return new Action(text, Kind.valueOf(word.toUpperCase()), null, null, -1, List.of(), false);
            String[] halves = text.substring(colon + 1).split("[-|]");
            int first = Integer.parseInt(halves[0]), second = Integer.parseInt(halves[1]);
            Tile tile = new Tile(Math.min(first, second), Math.max(first, second));
            if (word.equals("lead")) return new Action(text, Kind.LEAD, null, tile, -1, List.of(first), false);
            if (word.equals("draw")) return new Action(text, Kind.DRAW, null, tile, -1, List.of(), false);
            if (text.indexOf('|') >= 0) return new Action(text, Kind.PLAY, word, tile, -1, List.of(first, second), true);
            return new Action(text, Kind.PLAY, word, tile, first, List.of(second), false);
        }

        @Override
        public String toString() {
            return text;
        }
    }

    /** What a seat did. */
    public record Entry(int seat, Action action) {}

    /**
     * A decision to make.
     *
     * @param id counts your decisions in this match, from 1
     * @param top the highest pip of the set: touching halves add up to one more
     * @param phase lead or play
     * @param seat yours
     * @param ends what each arm shows
     * @param drawable how many tiles of the boneyard may still be drawn
     * @param counts tiles of each seat
     * @param history of this round; draws of other players show no tile
     * @param turnMs your time for this decision
     * @param bankMs and extra time for the rest of the match
     */
    public record Turn(
            int id, String rules, int top, int target, int round, int redeal, String phase, int seat, List<Tile> hand,
            Map<String, List<Integer>> ends, int boneyard, int drawable, List<Integer> counts, List<Integer> scores,
            List<Entry> history, List<Action> legal, int turnMs, int bankMs) {}

    /** Prints to standard error, because standard output belongs to the arena. */
    public static void log(Object what) {
        System.err.println(what);
    }

    private static String note = "";

    /** Sends a short text with the action, for yourself: leyden replay shows it beside the move. */
    public static void note(Object what) {
        note += (note.isEmpty() ? "" : "; ") + what;
    }

    /** Answers the arena until it closes standard input. */
    public static void play(String name, BiFunction<Turn, Random, Action> choose) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintStream out = new PrintStream(System.out, true, "UTF-8");
        System.setOut(System.err); // stray prints do no harm
        int top = 6;
        Random random = new Random(0);
        for (String text = in.readLine(); text != null; text = in.readLine()) {
            Map<String, Object> line = object(new Json(text).value());
            switch ((String) line.get("type")) {
                case "hello" -> {
                    top = number(object(line.get("rules")), "set");
                    out.println("{\"type\":\"ready\",\"protocol\":\"1.0\",\"name\":" + Json.text(name) + "}");
                }
                case "match_start" -> random = new Random(((Number) line.get("bot_seed")).longValue());
                case "turn" -> {
                    Turn turn = read(line, top);
                    Action action = choose.apply(turn, random);
                    if (action == null) {
                        throw new IllegalStateException("choose() returned null: it must always return one of turn.legal()");
                    }
                    String noted = note.isEmpty() ? "" : ",\"note\":" + Json.text(note);
                    note = "";
                    out.println("{\"type\":\"action\",\"id\":" + turn.id() + ",\"action\":" + Json.text(action.text()) + noted + "}");
                }
                case "error" -> log("the arena says: " + line.get("message"));
                default -> { }
            }
        }
    }

    private static Turn read(Map<String, Object> line, int top) {
        List<Tile> hand = new ArrayList<>();
        for (Object tile : array(line.get("hand"))) hand.add(Action.read("draw:" + tile).tile());
        Map<String, List<Integer>> ends = new LinkedHashMap<>();
        object(line.get("arms")).forEach((arm, end) -> ends.put(arm, numbers(end)));
        List<Entry> history = new ArrayList<>();
        for (Object entry : array(line.get("history"))) {
            String[] words = ((String) entry).split(" ", 2);
            history.add(new Entry(Integer.parseInt(words[0]), Action.read(words[1])));
        }
        List<Action> legal = new ArrayList<>();
        for (Object action : array(line.get("legal"))) legal.add(Action.read((String) action));
        Map<String, Object> clock = object(line.get("clock"));
        return new Turn(
                number(line, "id"), (String) line.get("rules"), top, number(line, "target"), number(line, "round"),
                number(line, "redeal"), (String) line.get("phase"), number(line, "seat"), hand, ends,
                number(line, "boneyard"), number(line, "drawable"), numbers(line.get("counts")),
                numbers(line.get("scores")), history, legal, number(clock, "turn_ms"), number(clock, "bank_ms"));
    }

    private static int number(Map<String, Object> object, String name) {
        return ((Number) object.get(name)).intValue();
    }

    private static List<Integer> numbers(Object array) {
        return array(array).stream().map(number -> ((Number) number).intValue()).toList();
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> object(Object value) {
        return (Map<String, Object>) value;
    }

    @SuppressWarnings("unchecked")
    private static List<Object> array(Object value) {
        return (List<Object>) value;
    }

    /** Reads JSON into maps, lists, texts, numbers, booleans and nulls. */
    private static final class Json {
        private final String text;
        private int at;

        Json(String text) {
            this.text = text;
        }

        private char next() {
            while (Character.isWhitespace(text.charAt(at))) at++;
            return text.charAt(at);
        }

        Object value() {
            switch (next()) {
                case '{': {
                    Map<String, Object> object = new LinkedHashMap<>();
                    for (at++; next() != '}'; skipComma()) {
                        String name = string();
                        next();
                        at++; // the colon
                        object.put(name, value());
                    }
                    at++;
                    return object;
                }
                case '[': {
                    List<Object> array = new ArrayList<>();
                    for (at++; next() != ']'; skipComma()) array.add(value());
                    at++;
                    return array;
                }
                case '"':
                    return string();
                default: {
                    int start = at;
                    while (at < text.length() && ",]} \t\r\n".indexOf(text.charAt(at)) < 0) at++;
                    String word = text.substring(start, at);
                    if (word.equals("null")) return null;
                    if (word.equals("true") || word.equals("false")) return Boolean.valueOf(word);
                    if (word.matches("-?\\d+")) return Long.valueOf(word);
                    return Double.valueOf(word);
                }
            }
        }

        private void skipComma() {
            if (next() == ',') at++;
        }

        private String string() {
            StringBuilder said = new StringBuilder();
            next();
            for (at++; text.charAt(at) != '"'; at++) {
                char c = text.charAt(at);
                if (c == '\\') {
                    c = text.charAt(++at);
                    if (c == 'u') {
                        c = (char) Integer.parseInt(text.substring(at + 1, at + 5), 16);
                        at += 4;
                    } else if ("bfnrt".indexOf(c) >= 0) {
                        c = "\b\f\n\r\t".charAt("bfnrt".indexOf(c));
                    }
                }
                said.append(c);
            }
            at++;
            return said.toString();
        }

        static String text(String said) {
            return '"' + said.replace("\\", "\\\\").replace("\"", "\\\"").replaceAll("\\p{Cntrl}", " ") + '"';
        }
    }
}
