//! Guesses from the output of a failed build what went wrong.

use super::content;

/// What compilers and linkers print if a folder is missing.
const NO_FOLDER: [&str; 3] = ["No such file or directory", "cannot open output file", "can't create"];

/// Returns a hint for a build that writes into a folder that does not exist: files that a build makes are left out of a submission,
/// and with them the folders that contain nothing else.
pub(super) fn missing_folder(words: &str, printed: &str, exists: impl Fn(&str) -> bool) -> Option<String> {
    let is_path = |word: &&str| word.contains('/');
    let starts = words.split([' ', '\'', '"', '=']).filter(is_path).filter_map(|word| {
        let word = word.trim_start_matches("-o").trim_start_matches("./");
        word.split_once('/').map(|(folder, _)| folder)
    });
    let folder = starts.into_iter().find(|folder| content::is_built(folder.as_ref()) && !exists(folder))?;
    let reports_it = printed.lines().any(|line| {
        line.contains(&format!("{folder}/")) && NO_FOLDER.iter().any(|message| line.contains(message))
    });
    let makes_it = words.contains("mkdir");
    (reports_it && !makes_it).then(|| {
        format!(
            "\nlikely cause: the folder {folder} does not exist during the build, because it is not handed in: create it first, \
             as in build = [\"sh\", \"-c\", \"mkdir -p {folder} && …\"]"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn build_into_a_missing_folder_gets_a_hint() {
        let ld = "/usr/bin/ld: cannot open output file build/bot: No such file or directory\ncollect2: error: ld returned 1";
        let none = |_: &str| false;
        let said = missing_folder("cc -O2 -o build/bot bot.c", ld, none).unwrap();
        assert!(said.contains("mkdir -p build && "), "{said}");
        assert!(missing_folder("cc -obuild/bot bot.c", ld, none).is_some());
        assert!(missing_folder("sh -c 'cc -o build/bot bot.c'", ld, none).is_some());
        assert_eq!(missing_folder("cc -o build/bot bot.c", ld, |_| true), None);
        assert_eq!(
            missing_folder("cc -o bot bot.c", "bot.c:1: stdioo.h: No such file or directory", none),
            None
        );
        assert_eq!(missing_folder("cc -o build/bot bot.c", "bot.c:1: error: expected ';'", none), None);
        assert_eq!(missing_folder("sh -c 'mkdir build && cc -o build/bot x.c'", ld, none), None);
    }
}
