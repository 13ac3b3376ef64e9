### Ce que les pages disent de la chance, des tests d’admission et de la vérification d’un tournoi. Les mots des tournois sont au début de tournament.ftl.

## Sans la chance.

without-luck = Sans la chance

luck-removed =
    { $any-time ->
        [yes] ± 95 % à tout moment, sans l’effet des donnes et de la pioche ; les scores bruts restent officiels
       *[no] ± 95 %, sans l’effet des donnes et de la pioche ; les scores bruts restent officiels
    }

pairing-without-luck = { $one } contre { $other } : score { $raw } · sans la chance { $adjusted } (comme { $low } à { $high } fois plus de parties)

gain-less =
    { $count ->
        [one] { $number } autre confrontation gagne moins.
       *[other] { $number } autres confrontations gagnent moins.
    }

ratings-without-luck = Cotes sans la chance :

rating-without-luck = { $bot } { $raw } · sans la chance { $adjusted }

gate-without-luck = Score sans la chance { $score } (95 %, à tout moment : { $low } à { $high })

## Un test d’admission.

verdict =
    { $verdict ->
        [accepted] ✓ accepté
        [rejected] ✖ refusé
        [faulted] ✖ refusé pour ses fautes
        [case-failed] ✖ refusé : un cas échoue
        [no-opponent] pas de réponse : l’ancienne version fait des fautes
        [mirror] indécis : les deux ont joué la même chose jusqu’ici
        [same] indécis : les deux sont le même bot
        [undecided] indécis après le nombre maximal de paires
       *[unfinished] pas encore décidé
    }

is-stronger = { $new } est-il plus fort que { $old } ?

hypotheses =
    { $scale ->
        [normalised] { $low } ou { $high } Elo normalisé
       *[logistic] { $low } ou { $high } Elo logistique
    }

ratio =
    { $count ->
        [one] Log-rapport de vraisemblance { $ratio } entre { $low } (refuser) et { $high } (accepter), après { $number } paire
       *[other] Log-rapport de vraisemblance { $ratio } entre { $low } (refuser) et { $high } (accepter), après { $number } paires
    }

ratio-without-luck =
    { $count ->
        [one] Log-rapport de vraisemblance { $ratio } entre { $low } (refuser) et { $high } (accepter), après { $number } paire, jugé sans la chance
       *[other] Log-rapport de vraisemblance { $ratio } entre { $low } (refuser) et { $high } (accepter), après { $number } paires, jugé sans la chance
    }

score-as-played = Score tel que joué { $score } (95 %, quelle que soit la raison de l’arrêt du test : { $interval })

score-and-test = Score tel que joué { $score } (95 %, quelle que soit la raison de l’arrêt du test : { $interval } ; intervalle du test, { $level } : { $tested })

## Comment vérifier un tournoi.

verify = Vérifier

verify-yourself = Vérifier soi-même

from-one-text = Chaque donne de ce tournoi découle d’un seul texte, sa graine. Avant la première partie, seul l’engagement de la graine était publié, le SHA-256 de son SHA-256. Ainsi personne n’a pu changer la graine ensuite, et aucun bot présent dès le début n’a pu connaître une donne. Cela ne prouve pas que l’on n’a pas essayé plusieurs graines pour en garder une : pour cela, la graine doit contenir quelque chose que personne n’a pu choisir, comme les numéros du loto d’un jour annoncé à l’avance.

tournament = Tournoi

commitment = Engagement

seed = Graine

seed-later = publiée quand tout est joué

played = Joué

seed-was-promised = La graine est celle qui était promise

prints-commitment = avec le texte de la graine à la place de SEED affiche l’engagement.

seed-is-quoted = Cette graine contient des caractères invisibles, elle est donc montrée dans la notation du shell : elle remplace 'SEED', guillemets compris.

deals-follow = Chaque donne en découle, et chaque action découle des règles

records-have = { $file } contient chaque partie, un objet JSON par ligne. Ceci les rejoue toutes, redistribue chaque donne, et recalcule la graine de chaque partie d’après le texte de la graine, qui remplace SEED :

standings-from-records = Le classement est calculé d’après les mêmes enregistrements :

records-later = Les enregistrements de toutes les parties sont publiés avec le rapport quand tout est joué.

no-names = Ce rapport n’a pas de noms : les bots s’appellent d’après leurs rangs. Chaque donne découle de la graine et des noms des bots ; la graine et les enregistrements révéleraient donc les noms et ne sont pas inclus. Avec le fichier de résultats du tournoi, tout peut être rejoué :
