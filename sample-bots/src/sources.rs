//! The source text of the sample bots, so that a copy of one can be recognised.

/// Each bot's name, and its file with the text.
pub const SOURCES: [(&str, &str, &str); 15] = [
    ("c-starver", "bot.c", include_str!("../c-starver/bot.c")),
    ("careful", "strategy.rs", include_str!("../careful/strategy.rs")),
    ("cpp-endgame", "bot.cpp", include_str!("../cpp-endgame/bot.cpp")),
    ("greedy", "strategy.rs", include_str!("../greedy/strategy.rs")),
    ("java-planner", "Bot.java", include_str!("../java-planner/Bot.java")),
    ("js-mobility", "bot.js", include_str!("../js-mobility/bot.js")),
    ("ladder", "strategy.rs", include_str!("../ladder/strategy.rs")),
    ("montecarlo", "strategy.rs", include_str!("../montecarlo/strategy.rs")),
    ("perl-hoarder", "bot.pl", include_str!("../perl-hoarder/bot.pl")),
    ("python-counter", "bot.py", include_str!("../python-counter/bot.py")),
    ("python-first", "bot.py", include_str!("../python-first/bot.py")),
    ("python-montecarlo", "bot.py", include_str!("../python-montecarlo/bot.py")),
    ("random", "strategy.rs", include_str!("../random/strategy.rs")),
    ("sh-dice", "bot.sh", include_str!("../sh-dice/bot.sh")),
    ("strong", "strategy.rs", include_str!("../strong/strategy.rs")),
];
