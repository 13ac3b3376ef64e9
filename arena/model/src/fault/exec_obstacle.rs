//! Why a file is not run as a program.

use leyden_protocol::worded;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

const BUILD: &str =
    "build it here, by the bot's own build command, and do not hand in a program that was built elsewhere";
const NAME: &str =
    "begin it with a line such as #!/usr/bin/env python3, or name the program that runs it before it";

worded! {
    /// Why the system does not run a program. As text it also says what to do.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    pub enum ExecObstacle {
        Folder { program: String } => "{program} is a folder: name the program in it";
        NotExecutable { program: String } => "{program} is not executable: make it so (chmod +x), or name the program \
            that runs it, such as python3, before it";
        OtherProcessor { program: String, built_for: String, here: String } =>
            "{program} was built for {built_for}, and this machine is {here}: {BUILD}";
        OtherSystem { program: String, built_for: String } => "{program} was built for {built_for}: {BUILD}";
        ByteOrderMark { program: String } => "{program} begins with a byte order mark, which hides its #! line: save \
            it as UTF-8 without one";
        NoFirstLine { program: String } => "{program} does not say in its first line what runs it (#!): {NAME}";
        WindowsLines { program: String } => "the lines of {program} end in \\r\\n, as Windows writes them, so the \
            system looks for a program whose name ends in \\r: save it with Unix line endings (sed -i 's/\\r$//')";
        NoInterpreter { program: String } => "the first line of {program} names no program: {NAME}";
        MissingInterpreter { program: String, interpreter: String } =>
            "{interpreter}, which {program} names in its first line, does not exist: {NAME}";
        NotInstalled { program: String, interpreter: String } =>
            "{interpreter}, which {program} names in its first line, is not installed";
        /// Bots may not enter a folder in its path, because they run as another user if root runs the arena.
        ClosedFolder { folder: String } => "only root can enter {folder}, and if root runs the arena a bot is another \
            user: let others in (chmod o+rx {folder}), or put the bot elsewhere";
    }
}
