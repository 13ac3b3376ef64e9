### Was das Blatt eines Kits über den Bot und die Punkte sagt. Das Blatt selbst ist in arena/templates/kit.

needs =
    { $lang ->
        [python] Python 3.8 oder neuer
        [javascript] node 16 oder neuer
        [typescript] node 22.18 oder neuer, das TypeScript ausführt, wie es ist
        [java] ein JDK, Java 17 oder neuer
        [c] ein C-Compiler namens cc
        [cpp] ein C++17-Compiler namens c++
        [rust] Rust 1.70 oder neuer (nur rustc: keine Crates)
        [go] Go 1.21 oder neuer
       *[csharp] .NET 8 oder neuer
    }

it-needs = Nötig ist: { $needs }.

for-check = - { $points } Punkte für das, was `leyden check` findet: alle, wenn nichts durchfällt, sonst anteilig.

for-scores = - { $points } Punkte für das Abschneiden gegen `{ $bot }`: alle ab { $full } %, keine bis { $none } %, dazwischen anteilig.
