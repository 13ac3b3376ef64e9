// The conversation with the arena, and types for its messages. You don't need to change anything here.

using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;
using System.Text.Json;

public static class Leyden
{
    public enum Kind { Lead, Play, Draw, Refuse, Pass }

    /// <summary>Low half first.</summary>
    public record Tile(int Low, int High);

    /// <summary>What a player does. The arena reads its text.</summary>
    /// <param name="Arm">for a play: N, E, S or W</param>
    /// <param name="Tile">the tile that is led, played or drawn</param>
    /// <param name="Touching">for a play in line: the half that touches</param>
    /// <param name="Ends">the end that a play leaves: one number, or both halves if it lies across</param>
    public record Action(string Text, Kind Kind, string? Arm, Tile? Tile, int? Touching, int[] Ends, bool Across);

    /// <summary>What a seat did.</summary>
    public record Entry(int Seat, Action Action);

    /// <summary>A decision to make.</summary>
    public record Turn(
        int Id, // counts your decisions in this match, from 1
        string Rules,
        int Top, // the highest pip of the set: touching halves add up to one more
        int Target,
        int Round,
        int Redeal,
        string Phase, // "lead" or "play"
        int Seat, // yours
        Tile[] Hand,
        Dictionary<string, int[]> Ends, // what each arm shows
        int Boneyard,
        int Drawable, // how many of its tiles may still be drawn
        int[] Counts, // tiles of each seat
        int[] Scores,
        Entry[] History, // of this round; draws of other players show no tile
        Action[] Legal,
        int TurnMs, // your time for this decision
        int BankMs); // and extra time for the rest of the match

    /// <summary>Prints to standard error, because standard output belongs to the arena.</summary>
    public static void Log(object what) => Console.Error.WriteLine(what);

    static string? noted;

    /// <summary>Sends a short text with the action, for yourself: leyden replay shows it beside the move.</summary>
    public static void Note(object what) => noted = noted is null ? $"{what}" : $"{noted}; {what}";

    /// <summary>Answers the arena until it closes standard input.</summary>
    public static void Play(string name, Func<Turn, Random, Action> choose)
    {
        using var input = new StreamReader(Console.OpenStandardInput(), new UTF8Encoding(false));
        using var output = new StreamWriter(Console.OpenStandardOutput(), new UTF8Encoding(false)) { AutoFlush = true, NewLine = "\n" };
        Console.SetOut(Console.Error); // stray prints do no harm
        var top = 6;
        var random = new Random(0);
        while (input.ReadLine() is { } text)
        {
            using var document = JsonDocument.Parse(text);
            var line = document.RootElement;
            switch (line.GetProperty("type").GetString())
            {
                case "hello":
                    top = line.GetProperty("rules").GetProperty("set").GetInt32();
                    output.WriteLine(JsonSerializer.Serialize(new { type = "ready", protocol = "1.0", name }));
                    break;
                case "match_start":
                    var seed = line.GetProperty("bot_seed").GetInt64();
                    random = new Random((int)(seed ^ (seed >> 32)));
                    break;
                case "turn":
                    var turn = ReadTurn(line, top);
                    var chosen = choose(turn, random)
                        ?? throw new InvalidOperationException("choose() returned null: it must always return one of turn.Legal");
                    var action = chosen.Text;
                    output.WriteLine(noted is null
                        ? JsonSerializer.Serialize(new { type = "action", id = turn.Id, action })
                        : JsonSerializer.Serialize(new { type = "action", id = turn.Id, action, note = noted }));
                    noted = null;
                    break;
                case "error":
                    Log("the arena says: " + line.GetProperty("message").GetString());
                    break;
            }
        }
    }

    static Action ReadAction(string text)
    {
        var words = text.Split(':');
        var kind = words[0] switch
        {
            "lead" => Kind.Lead,
            "draw" => Kind.Draw,
            "refuse" => Kind.Refuse,
            "pass" => Kind.Pass,
            _ => Kind.Play,
        };
        if (words.Length == 1) return new Action(text, kind, null, null, null, Array.Empty<int>(), false);
        var halves = words[1].Split('-', '|').Select(int.Parse).ToArray();
        var (first, second) = (halves[0], halves[1]);
        var tile = new Tile(Math.Min(first, second), Math.Max(first, second));
        if (kind == Kind.Lead) return new Action(text, kind, null, tile, null, new[] { first }, false);
        if (kind == Kind.Draw) return new Action(text, kind, null, tile, null, Array.Empty<int>(), false);
        return words[1].Contains('|')
            ? new Action(text, kind, words[0], tile, null, halves, true)
            : new Action(text, kind, words[0], tile, first, new[] { second }, false);
    }

    static Entry ReadEntry(string text)
    {
        var words = text.Split(' ', 2);
        return new Entry(int.Parse(words[0]), ReadAction(words[1]));
    }

    static Turn ReadTurn(JsonElement line, int top)
    {
        int Number(string name) => line.GetProperty(name).GetInt32();
        int[] Numbers(JsonElement list) => list.EnumerateArray().Select(item => item.GetInt32()).ToArray();
        T[] Each<T>(string name, Func<string, T> read) =>
            line.GetProperty(name).EnumerateArray().Select(item => read(item.GetString()!)).ToArray();
        var clock = line.GetProperty("clock");
        return new Turn(
            Number("id"), line.GetProperty("rules").GetString()!, top, Number("target"), Number("round"), Number("redeal"),
            line.GetProperty("phase").GetString()!, Number("seat"), Each("hand", tile => ReadAction("draw:" + tile).Tile!),
            line.GetProperty("arms").EnumerateObject().ToDictionary(arm => arm.Name, arm => Numbers(arm.Value)),
            Number("boneyard"), Number("drawable"), Numbers(line.GetProperty("counts")),
            Numbers(line.GetProperty("scores")), Each("history", ReadEntry), Each("legal", ReadAction),
            clock.GetProperty("turn_ms").GetInt32(), clock.GetProperty("bank_ms").GetInt32());
    }
}
