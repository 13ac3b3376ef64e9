//! The texts that the script of a replay shows. It puts values where their names stand in braces, and chooses between
//! texts about one thing and about several, as the language does.

use std::collections::BTreeMap;

use leyden_language::Language;
use leyden_language::text::{narrate, pages::CountTiles, replay};

macro_rules! texts {
    ($topic:ident, $language:ident; $($name:literal: $text:ident $({ $($value:ident),* })?),* $(,)?) => {
        [$(($name, $language.say($topic::$text $({ $($value: concat!("{", stringify!($value), "}")),* })?))),*]
    };
}

/// Returns the texts by the names that the script knows them by.
pub(super) fn script_texts(language: Language) -> BTreeMap<&'static str, String> {
    let game = texts! { narrate, language;
        "nothingLaid": NothingLaid,
        "noTileLeft": NoTileLeft,
        "score": Score,
        "round": Round { round },
        "forced": Forced,
        "boneyard": BoneyardLabel,
    };
    let texts = texts! { replay, language;
        "noFault": NoFault,
        "nothingMattered": NothingMattered,
        "notAnalysed": NotAnalysed,
        "roundShort": RoundShort { round },
        "roundShortAgain": RoundShortAgain { round },
        "roundAgain": RoundAgain { round, redeal },
        "aFault": AFault,
        "fault": Fault,
        "blunder": BlunderTag,
        "across": TagAcross,
        "matador": TagMatador,
        "chanceBecomes": ChanceBecomes { chance },
        "whoBlundered": WhoBlundered { name, blunder },
        "winsWith": WinsWith { chance },
        "whatElse": WhatElse,
        "winsColumn": WinsColumn,
        "pointsColumn": PointsColumn,
        "isTaken": IsTaken,
        "isBest": IsBest,
        "byEvaluation": ByEvaluation,
        "inDrawingOrder": InDrawingOrder { tiles, round },
        "faultsAndStrikes": FaultsAndStrikes,
        "none": None,
        "notes": Notes,
        "noNotes": NoNotes,
        "standardErrorOf": StandardErrorOf { name },
        "standardErrorPart": StandardErrorPart { name },
        "nothingRecorded": NothingRecorded,
        "recordedOnlyIf": RecordedOnlyIf,
        "nobodyAsked": NobodyAsked,
        "seatNotAsked": SeatNotAsked,
        "notAsked": NotAsked,
        "copy": Copy,
        "lineCopied": LineCopied,
        "messageTo": MessageTo { name },
        "turn": Turn { turn },
        "legalActions": LegalActions { number },
        "legalActionsMarked": LegalActionsMarked { number },
        "answered": Answered,
        "answeredAfter": AnsweredAfter { time },
        "noAnswer": NoAnswer,
        "noAnswerAfter": NoAnswerAfter { time },
        "itsNote": ItsNote,
        "linkCopied": LinkCopied,
        "play": Play,
        "pause": Pause,
    };
    let tiles = |count: u8| language.say(CountTiles { count, number: "{count}" });
    let with_pips = |count: u8| language.say(replay::WithPips { count, tiles: "{tiles}", pips: "{count}" });
    let counted = [
        ("oneTile", tiles(1)),
        ("tiles", tiles(2)),
        ("withOnePip", with_pips(1)),
        ("withPips", with_pips(2)),
    ];
    // For the numbers in notes: the decimal sign is the only one that the script knows where to put.
    let point = language.number("0.5").replace(['0', '5'], "");
    texts.into_iter().chain(game).chain(counted).chain([("point", point)]).collect()
}
