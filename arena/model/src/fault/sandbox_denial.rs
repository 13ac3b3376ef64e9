//! What the sandbox keeps from a bot.

use leyden_protocol::worded;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a bot sees that has a folder of its own, and what another one does.
const OWN_FOLDER: &str = "its own folder and the system's programs";
const NAMED_FILES: &str = "the files it names, and the system's programs";

/// What a bot sees of modules, before what to do.
const MODULES: &str = "a bot in a sandbox sees what is installed for all users under /usr, and its own folder; it does \
    not see what is installed for one user, or beside the folder. Put it into the bot's folder: there, run";

worded! {
    /// What the sandbox keeps from a bot. As text it also says what to do.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    pub enum SandboxDenial {
        /// The bot would see the rest of its folder if no other bot were in it.
        Crowded { file: String, folder: String } => "this bot sees {file}, which its command line names, and nothing \
            else in {folder}, because another bot is in that folder, too, or it is a home folder or shared: put the \
            bot into a folder of its own (leyden new makes one)";
        /// A file; whether the bot has a folder of its own.
        File { path: String, has_folder: bool } => "a bot in a sandbox sees {}, and {path} is not part of that: put \
            what it needs into its folder, or let its bot.toml ask for it (read = [\"…\"]) and the organiser \
            allow it (--allow-read)", if *has_folder { OWN_FOLDER } else { NAMED_FILES };
        Tasks { most: u64 } => "a bot in a sandbox may have {most} processes and threads at once, including ended ones \
            that nothing has waited for";
        Session => "in a sandbox everything a bot starts stays in its own group and session: start it without setsid, \
            start_new_session or detached";
        Writing => "in a sandbox a bot can write only to /tmp, which is its own and is removed with it";
        WritingMuch { most_mb: u64 } => "in a sandbox a bot can write {most_mb} MB in all, only to /tmp, which is its \
            own and is removed with it";
        SharedTmp => "in a sandbox /tmp is the bot's own, and empty when it starts: it does not see the files in the \
            /tmp outside";
        Network => "a bot in a sandbox has no network, not even to this machine: everything it needs must be in its \
            folder, unless its bot.toml asks for the network (network = true) and the organiser allows it to this bot \
            (--allow-network NAME)";
        PythonModule { package: String } => "{MODULES}\n  pip install --target lib {package}\nand before it is \
            imported, write\n  import sys; sys.path.insert(0, \"lib\")";
        NodeModule { package: String } => "{MODULES}\n  npm install {package}";
        /// A sentence, in records of earlier versions.
        #[serde(untagged)]
        Other(denial: EarlierDenial) => "{}", denial.reason;
    }
}

impl SandboxDenial {
    /// Whether the bot saw less of its folder than it would without other bots in it.
    pub(super) fn is_crowded(&self) -> bool {
        match self {
            Self::Crowded { .. } => true,
            Self::Other(denial) => denial.is_crowded,
            Self::File { .. }
            | Self::Tasks { .. }
            | Self::Session
            | Self::Writing
            | Self::WritingMuch { .. }
            | Self::SharedTmp
            | Self::Network
            | Self::PythonModule { .. }
            | Self::NodeModule { .. } => false,
        }
    }
}

/// A sentence, as records of earlier versions have it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct EarlierDenial {
    pub reason: String,
    /// Whether it is [`SandboxDenial::Crowded`].
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_crowded: bool,
}
