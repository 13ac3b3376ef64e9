// Your bot. Change Choose; Leyden.cs beside it talks to the arena.

using System;
using System.Linq;

public static class Bot
{
    // ======================= change this function =======================
    /// <summary>
    /// Returns one of turn.Legal.
    ///
    /// turn.Hand      your tiles: each with Low and High
    /// turn.Ends      what each arm shows: {N: [6], S: [3, 4]}; two numbers mean that either fits
    /// turn.History   what has happened in this round: entries with Seat and Action
    /// turn.Legal     what you may do: actions with Kind (Lead, Play, Draw, Refuse), Arm, Tile, Ends, Across
    /// turn.Counts, Scores, Boneyard, Seat, Top (the highest pip of the set) and more: see Leyden.cs
    /// Leyden.Note("why") is kept with the move: leyden replay shows it
    /// </summary>
    static Leyden.Action Choose(Leyden.Turn turn, Random random)
    {
        // draw and refuse have no tile
        var best = turn.Legal.MaxBy(action => action.Tile is { } tile ? tile.Low + tile.High : -1)!;
        Leyden.Log($"turn {turn.Id} plays {best.Text}"); // goes to standard error
        return best;
    }
    // ====================================================================

    public static void Main() => Leyden.Play("my-bot", Choose);
}
