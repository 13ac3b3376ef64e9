//! What is likely wrong with a build that failed, by what it said.

use super::content;

/// What compilers and linkers say of a folder that is not there.
const NO_FOLDER: [&str; 3] = ["No such file or directory", "cannot open output file", "can't create"];

/// A line for the author whose build writes into a folder that was not handed in: what builds make is left out, and so is
/// the folder that it is in.
pub(super) fn missing_folder(words: &str, said: &str, is_there: impl Fn(&str) -> bool) -> Option<String> {
    let is_path = |word: &&str| word.contains('/');
    let starts = words.split([' ', '\'', '"', '=']).filter(is_path).filter_map(|word| {
        let word = word.trim_start_matches("-o").trim_start_matches("./");
        word.split_once('/').map(|(folder, _)| folder)
    });
    let folder = starts.into_iter().find(|folder| content::is_built(folder.as_ref()) && !is_there(folder))?;
    let is_told = said
        .lines()
        .any(|line| line.contains(&format!("{folder}/")) && NO_FOLDER.iter().any(|told| line.contains(told)));
    let makes_it = words.contains("mkdir");
    (is_told && !makes_it).then(|| {
        format!(
            "\nlikely cause: the folder {folder} is not there when it is built, for it is not handed in: make it first, as in \
             build = [\"sh\", \"-c\", \"mkdir -p {folder} && …\"]"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_build_into_a_folder_that_is_not_there_is_told_to_make_it() {
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
