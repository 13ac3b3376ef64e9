import java.util.Random;

/** Your bot. Change choose; Leyden.java beside it talks to the arena. */
public final class Bot {
    // ======================= change this function =======================
    /**
     * Returns one of turn.legal().
     *
     * turn.hand()      your tiles: each with low() and high()
     * turn.ends()      what each arm shows: {N=[6], S=[3, 4]}; two numbers mean that either fits
     * turn.history()   what has happened in this round: entries with seat() and action()
     * turn.legal()     what you may do: actions with kind() (LEAD, PLAY, DRAW, REFUSE), arm(), tile(), ends(), across()
     * turn.counts(), scores(), boneyard(), seat(), top() (the highest pip of the set) and more: see Leyden.java
     * Leyden.note("why") is kept with the move: leyden replay shows it
     */
    static Leyden.Action choose(Leyden.Turn turn, Random random) {
        Leyden.Action best = turn.legal().get(0);
        for (Leyden.Action action : turn.legal()) {
            if (pips(action) > pips(best)) best = action;
        }
        Leyden.log("turn " + turn.id() + " plays " + best); // goes to standard error
        return best;
    }

    static int pips(Leyden.Action action) {
        return action.tile() == null ? -1 : action.tile().low() + action.tile().high(); // draw and refuse have no tile
    }
    // ====================================================================

    public static void main(String[] arguments) throws java.io.IOException {
        Leyden.play("my-bot", Bot::choose);
    }
}
