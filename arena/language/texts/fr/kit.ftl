### Ce que la feuille d’un kit dit du bot et des points. La feuille elle-même est dans arena/templates/kit.

needs =
    { $lang ->
        [python] Python 3.8 ou plus récent
        [javascript] node 16 ou plus récent
        [typescript] node 22.18 ou plus récent, qui exécute TypeScript tel quel
        [java] un JDK, Java 17 ou plus récent
        [c] un compilateur C nommé cc
        [cpp] un compilateur C++17 nommé c++
        [rust] Rust 1.70 ou plus récent (rustc seul : aucune crate)
        [go] Go 1.21 ou plus récent
       *[csharp] .NET 8 ou plus récent
    }

it-needs = Il faut : { $needs }.

for-check = - { $points } points pour ce que trouve `leyden check` : tous si rien n’échoue, sinon en proportion.

for-scores = - { $points } points pour les résultats contre `{ $bot }` : tous à partir de { $full } %, aucun jusqu’à { $none } %, en proportion entre les deux.
