//! The texts that the script of a replay shows. It puts values where their names stand in braces.

use std::collections::BTreeMap;

use leyden_language::{Language, text::replay as text};

macro_rules! texts {
    ($language:ident; $($name:literal: $text:ident $({ $($value:ident),* })?),* $(,)?) => {
        [$(($name, $language.say(text::$text $({ $($value: concat!("{", stringify!($value), "}")),* })?))),*]
    };
}

/// Returns the texts by the names that the script knows them by.
pub(super) fn script_texts(language: Language) -> BTreeMap<&'static str, String> {
    let texts = texts! { language;
        "noFault": NoFault,
        "nothingMattered": NothingMattered,
        "notAnalysed": NotAnalysed,
        "nothingLaid": NothingLaid,
        "oneTile": OneTile,
        "tiles": Tiles { count },
        "noTileLeft": NoTileLeft,
        "withOnePip": WithOnePip { tiles },
        "withPips": WithPips { tiles, pips },
        "score": Score,
        "roundShort": RoundShort { round },
        "roundShortAgain": RoundShortAgain { round },
        "round": Round { round },
        "roundAgain": RoundAgain { round, redeal },
        "aFault": AFault,
        "fault": Fault,
        "blunder": BlunderTag,
        "forced": TagForced,
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
        "gaveAway": GaveAway { chance, points },
        "gaveAwayBy": GaveAwayBy { chance, points, blunder },
        "byEvaluation": ByEvaluation,
        "boneyard": Boneyard,
        "inDrawingOrder": InDrawingOrder { tiles, round },
        "faultsAndStrikes": FaultsAndStrikes,
        "none": None,
        "notes": Notes,
        "noNotes": NoNotes,
        "standardErrorOf": StandardErrorOf { name },
        "standardErrorPart": StandardErrorPart { name },
        "computed": Computed { time },
        "computedStopped": ComputedStopped { time },
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
    // The decimal sign is the only one whose place the script knows.
    let point = language.number("0.5").replace(['0', '5'], "");
    texts.into_iter().chain([("point", point)]).collect()
}
