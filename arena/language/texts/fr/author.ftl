### Ce que l’auteur d’un bot lit dans une ligue. Les mots des tournois sont en tête de tournament.ftl. On dit tu.

your-bot = Ton bot

token = Le jeton que l’organisateur t’a envoyé

show = Afficher

unknown-token = La ligue ne connaît pas ce jeton : il y en a peut-être un plus récent.

sign-out = Se déconnecter

new-version = Rendre une nouvelle version

archive = Une archive zip du dossier de ton bot avec son bot.toml, ou un seul fichier comme bot.py

hand-in = Rendre

handed-in = Rendu

number = Nº

when = Quand

what-became = État

being-checked = en cours de contrôle

plays-as = joue sous le nom { $version }

refused = refusé

waits = en attente

lost = perdu

known = connu

replaced = remplacé

is-lost = L’arène s’est arrêtée avant d’avoir tout reçu : rends-le encore une fois.

is-known = C’est { $version }, que la ligue a déjà.

is-copy = Un autre bot a les mêmes fichiers : la ligue ne les compte qu’une fois.

is-replaced = Tu en as rendu un autre avant le contrôle de celui-ci.

withdrawn = retiré

plays-no-more = { $version } ne joue plus ; ses parties comptent.

comes-back = { $version } revient

plays = { $version } joue.

rests = { $version } a épuisé son temps du jour et se repose jusqu’au lendemain (UTC).

set-aside = { $version } n’a pas pu être lancé { $failures } fois de suite et est mis de côté, pour ne pas perdre de parties sans les jouer. Corrige la cause indiquée ici, puis rends-le de nouveau ou fais-le revenir.

called-in-public = Sur les pages publiques et pour les autres auteurs, ton bot s’appelle { $name }.
may-withdraw = Tu peux le retirer : il ne joue alors plus, et ses parties comptent. Il revient si tu le rends de nouveau.

withdraw = Retirer { $version }

you-withdrew = Tu as retiré { $version } : ses parties comptent, et aucune de tes versions ne joue.

bring-back = Faire revenir { $version }

goes-on = Ta version précédente continue de jouer.

nothing-played = Aucune partie n’a encore été jouée.

versions = Versions

version = Version

none-plays = Aucune ne joue encore.

your-faults = Tes fautes

only-you = les dernières ; toi seul vois les messages

your-matches = Tes dernières parties

as-seen = telles que ton bot les a vues

match = Partie

result = Résultat

end =
    { $end ->
        [won] gagnée
        [drawn] nulle
       *[lost] perdue
    }

bots-and-scores = Bots et points, par place

fault = Faute

challenge = Défier un bot

counts-for-nothing = Ta version qui joue le rencontre maintenant, en une paire sur une donne à elle. Cela ne compte pour rien.

challenges-left =
    { $left ->
        [one] Encore une fois aujourd’hui.
       *[other] Encore { $left } fois aujourd’hui.
    }

opponent = Adversaire

play-now = Jouer maintenant

not-played = pas joué

download = Télécharger toutes les décisions de ton bot, comme il les a vues (JSON Lines)
