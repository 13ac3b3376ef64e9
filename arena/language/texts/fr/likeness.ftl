### La page de `leyden likeness` : ce que des bots ont en commun, pour l’enseignant.

title = Ressemblance
headline = Ce que ces bots ont en commun
measure = Une mesure, pas un verdict : lisez les passages. Noms, nombres, textes, commentaires et mise en page ne font pas de différence. Ce qui vient d’un modèle ou d’un bot d’exemple, et ce que beaucoup ont, ne compte pas. Pour l’enseignant seul : la page montre le code source de tous.
groups = Groupes : au moins la moitié du texte le plus court en commun
none = Aucun.
unread = Trop peu de texte à eux pour comparer : { $bots }
pairs =
    { $pairs ->
        [one] { $pairs } paire
       *[other] { $pairs } paires
    }
nothing = Rien en commun.
from-samples = Faits à partir d’un bot d’exemple
of-sample =
    { $lines ->
        [one] { $bot } : { $percent } % vient du bot d’exemple { $sample } ; { $lines } ligne lui est propre
       *[other] { $bot } : { $percent } % vient du bot d’exemple { $sample } ; { $lines } lignes lui sont propres
    }
more = et plus
pair = { $percent } % · { $first } (dont { $of-first } %) et { $second } (dont { $of-second } %)
lines = { $file }, lignes { $from } à { $to }
