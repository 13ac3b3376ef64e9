import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Strategy: plan ahead, alone. For every play the bot computes how many pips it could shed with this play and its
 * next two if the others left the layout unchanged; a tile that gets stranded later costs more than a heavy one
 * kept for a turn. Pips shed later count less, because the others will change the layout. To the plan it adds what
 * the play does to them: the fewer unseen tiles fit afterwards, the better.
 */
public final class Bot {
    private static final int PLAYS_AHEAD = 3;
    private static final double LATER = 0.5; // what a pip shed one turn later is worth
    private static final double CLOSED_WORTH = 20; // in pips: an unseen tile's share that fits nowhere
    private static final double MATADOR_WORTH = 4; // in pips: a matador kept

    private static int top = 6; // the highest pip of the set

    record Tile(int low, int high) {
        int pips() {
            return low + high;
        }

        boolean isMatador() {
            return pips() == 0 || pips() == top + 1;
        }

        boolean fits(Set<Integer> end) {
            return isMatador() || end.contains(top + 1 - low) || end.contains(top + 1 - high);
        }

        /** What the end may show once this tile has been played there. */
        List<Set<Integer>> endsAfter(Set<Integer> end) {
            List<Set<Integer>> after = new ArrayList<>();
            if (isMatador() || end.contains(top + 1 - low)) after.add(Set.of(high));
            if (low != high && (isMatador() || end.contains(top + 1 - high))) after.add(Set.of(low));
            return after;
        }
    }

    /** The two numbers of a tile or of an action such as {@code N:4-1}, in their order. */
    static int[] numbers(String text) {
        String[] halves = text.substring(text.indexOf(':') + 1).split("[-|]");
        return new int[] {Integer.parseInt(halves[0]), Integer.parseInt(halves[1])};
    }

    static Tile tile(String text) {
        int[] numbers = numbers(text);
        Arrays.sort(numbers);
        return new Tile(numbers[0], numbers[1]);
    }

    static boolean isLead(String action) {
        return action.startsWith("lead:");
    }

    static boolean isPlay(String action) {
        return action.charAt(1) == ':';
    }

    /** A question to the bot, as the protocol describes it. */
    record Turn(String phase, List<Tile> hand, Map<String, Set<Integer>> arms, List<String> history, List<String> legal) {
        static Turn read(Map<String, Object> message) {
            Map<String, Set<Integer>> arms = new HashMap<>();
            Json.object(message.get("arms")).forEach((arm, end) -> {
                Set<Integer> pips = new HashSet<>();
                for (Object pip : Json.array(end)) pips.add(((Number) pip).intValue());
                arms.put(arm, pips);
            });
            return new Turn(
                    (String) message.get("phase"),
                    Json.strings(message.get("hand")).stream().map(Bot::tile).toList(),
                    arms,
                    Json.strings(message.get("history")),
                    Json.strings(message.get("legal")));
        }

        List<Tile> unseen() {
            Set<Tile> seen = new HashSet<>(hand);
            for (String entry : history) {
                String action = entry.substring(entry.indexOf(' ') + 1);
                if (isLead(action) || isPlay(action)) seen.add(tile(action));
            }
            List<Tile> unseen = new ArrayList<>();
            for (int low = 0; low <= top; low++) {
                for (int high = low; high <= top; high++) {
                    Tile tile = new Tile(low, high);
                    if (!seen.contains(tile)) unseen.add(tile);
                }
            }
            return unseen;
        }
    }

    /** The most pips, later ones counting less, that the hand can shed in this many plays of its own. */
    static double plan(List<Tile> hand, Map<String, Set<Integer>> arms, int plays) {
        double best = 0;
        if (plays == 0) return best;
        for (String arm : arms.keySet()) {
            for (Tile tile : hand) {
                for (Set<Integer> end : tile.endsAfter(arms.get(arm))) {
                    double later = plan(without(hand, tile), with(arms, arm, end), plays - 1);
                    best = Math.max(best, tile.pips() + LATER * later);
                }
            }
        }
        return best;
    }

    static List<Tile> without(List<Tile> hand, Tile tile) {
        List<Tile> rest = new ArrayList<>(hand);
        rest.remove(tile);
        return rest;
    }

    static Map<String, Set<Integer>> with(Map<String, Set<Integer>> arms, String arm, Set<Integer> end) {
        Map<String, Set<Integer>> changed = new HashMap<>(arms);
        changed.put(arm, end);
        return changed;
    }

    static double playWorth(Turn turn, String action, List<Tile> unseen) {
        Tile tile = tile(action);
        int[] numbers = numbers(action);
        Set<Integer> end = action.contains("|") ? Set.of(numbers[0], numbers[1]) : Set.of(numbers[1]);
        Map<String, Set<Integer>> arms = with(turn.arms, action.substring(0, 1), end);
        long closed = unseen.stream().filter(other -> arms.values().stream().noneMatch(other::fits)).count();
        return tile.pips()
                - (tile.isMatador() ? MATADOR_WORTH : 0)
                + LATER * plan(without(turn.hand, tile), arms, PLAYS_AHEAD - 1)
                + CLOSED_WORTH * closed / unseen.size();
    }

    static double leadWorth(Turn turn, String action) {
        Tile lead = tile(action);
        return lead.pips() + LATER * plan(without(turn.hand, lead), Map.of("E", Set.of(lead.low)), PLAYS_AHEAD - 1);
    }

    static String choose(Turn turn) {
        List<String> tiles = turn.legal.stream().filter(action -> isLead(action) || isPlay(action)).toList();
        if (tiles.isEmpty()) return turn.legal.get(turn.legal.size() - 1); // refuse, or draw where that is not allowed
        List<Tile> unseen = turn.unseen();
        Map<String, Double> worth = tiles.stream().collect(Collectors.toMap(
                action -> action,
                action -> isLead(action) ? leadWorth(turn, action) : playWorth(turn, action, unseen)));
        return tiles.stream().max(Comparator.comparing(worth::get)).orElseThrow();
    }

    public static void main(String[] arguments) throws IOException {
        var input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line; (line = input.readLine()) != null; ) {
            Map<String, Object> message = Json.object(new Json(line).value());
            switch ((String) message.get("type")) {
                case "hello" -> {
                    top = ((Number) Json.object(message.get("rules")).get("set")).intValue();
                    send("{\"type\":\"ready\",\"protocol\":\"1.0\",\"name\":\"java-planner\",\"version\":\"1\"}");
                }
                case "turn" -> {
                    long id = ((Number) message.get("id")).longValue();
                    send("{\"type\":\"action\",\"id\":" + id + ",\"action\":\"" + choose(Turn.read(message)) + "\"}");
                }
                default -> { }
            }
        }
    }

    static void send(String line) {
        System.out.print(line + "\n");
        System.out.flush();
    }

    /** Reads one JSON value into maps, lists, strings, numbers, booleans and null. The text must be valid. */
    static final class Json {
        private final String text;
        private int at;

        Json(String text) {
            this.text = text;
        }

        @SuppressWarnings("unchecked")
        static Map<String, Object> object(Object value) {
            return (Map<String, Object>) value;
        }

        @SuppressWarnings("unchecked")
        static List<Object> array(Object value) {
            return (List<Object>) value;
        }

        static List<String> strings(Object value) {
            return array(value).stream().map(String.class::cast).toList();
        }

        Object value() {
            return switch (peek()) {
                case '{' -> {
                    Map<String, Object> members = new HashMap<>();
                    at++;
                    while (peek() != '}') {
                        String name = string();
                        skip(':');
                        members.put(name, value());
                        skip(',');
                    }
                    at++;
                    yield members;
                }
                case '[' -> {
                    List<Object> elements = new ArrayList<>();
                    at++;
                    while (peek() != ']') {
                        elements.add(value());
                        skip(',');
                    }
                    at++;
                    yield elements;
                }
                case '"' -> string();
                default -> scalar();
            };
        }

        /** The next character that is not white space. */
        private char peek() {
            while (Character.isWhitespace(text.charAt(at))) at++;
            return text.charAt(at);
        }

        private void skip(char expected) {
            if (peek() == expected) at++;
        }

        private String string() {
            StringBuilder result = new StringBuilder();
            for (at++; text.charAt(at) != '"'; at++) {
                char c = text.charAt(at);
                if (c == '\\') {
                    c = text.charAt(++at);
                    switch (c) {
                        case 'b' -> c = '\b';
                        case 'f' -> c = '\f';
                        case 'n' -> c = '\n';
                        case 'r' -> c = '\r';
                        case 't' -> c = '\t';
                        case 'u' -> {
                            c = (char) Integer.parseInt(text.substring(at + 1, at + 5), 16);
                            at += 4;
                        }
                        default -> { }
                    }
                }
                result.append(c);
            }
            at++;
            return result.toString();
        }

        private Object scalar() {
            int start = at;
            while (",]} \t".indexOf(text.charAt(at)) < 0) at++;
            String scalar = text.substring(start, at);
            return switch (scalar) {
                case "true" -> true;
                case "false" -> false;
                case "null" -> null;
                default -> Double.valueOf(scalar);
            };
        }
    }
}
