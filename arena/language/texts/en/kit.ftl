### What the handout of a kit says about the bot and the rubric. The handout itself is in arena/templates/kit.

needs =
    { $lang ->
        [python] Python 3.8 or later
        [javascript] node 16 or later
        [typescript] node 22.18 or later, which runs TypeScript as it is
        [java] a JDK, Java 17 or later
        [c] a C compiler, called cc
        [cpp] a C++17 compiler, called c++
        [rust] Rust 1.70 or later (rustc alone: no crates)
        [go] Go 1.21 or later
       *[csharp] .NET 8 or later
    }

it-needs = It needs { $needs }.

for-check = - { $points } points for what `leyden check` finds: all of them if nothing fails, otherwise in proportion.

for-scores = - { $points } points for scores against `{ $bot }`: all of them from { $full } %, none up to { $none } %, in proportion between.
