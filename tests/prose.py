#!/usr/bin/env python3
"""Checks the wording of pages, comments, messages, English texts and names of tests: proselint's rules that fit them, and our own.

Needs the package proselint, which `tests/run` installs in target/prose. Prints FILE:LINE: what is wrong, and fails if anything is.
"""
import io
import re
import subprocess
import sys
import tokenize
from pathlib import Path

from proselint.checks import __register__ as ALL
from proselint.registry.checks import Check, types
from proselint.registry.checks.engine import Fancy

# The groups of proselint's own rules that are right about technical prose.
KEPT = ("cliches", "malapropisms", "mondegreens", "nonwords", "oxymorons", "psychology", "redundancy")

# Each pattern with what a native speaker would write.
OURS = {
    r"\b(?:is|are|was|were|be)\s+(?:\w+\s+)?told\b": "say who sends, shows or prints it",
    r"\b(?:is|are|was|were|be)\s+(?:\w+\s+)?said\b": "say who says, prints, reports or describes it",
    r"\b(?:became|becomes|become)\s+of\b": "name it: the status, the verdict, the outcome",
    r"\bas\s+far\s+as\b": "name the part: 'the known part', 'if known'",
    r"\bbesides\b": "'apart from', 'except' or 'also'",
    r"\bwhoever\b": "name them: 'the player who', 'no matter who'",
    r"\bwhatever\b": "name it: 'anything that', 'all that', 'for any', 'no matter what'",
    r"\b(?:hence|thereby)\b": "'so', 'by that'",
    r"\bmeanwhile\b": "say until when: 'during that time', 'at the same time'",
    r"\b(?:by|through)\s+nobody(?:'s)?\b": "name what acts",
    r"\bin\s+peace\b": "'gracefully'",
    r"\bcalled\s+(?:like|after)\b": "'has the name of', 'is named after'",
    r"\b(?-i:Not counted|Read)\s+(?:is|are)\b": "begin with the subject",
    r"\bit\s+left\s+not\b": "'it did not leave'",
    r"\b(?-i:With)\s+95\s+%(?!\s+confidence)": "'with 95 % confidence'",
    r"\bfrom\s+before\b": "'earlier', 'older than'",
    r"\bfrom\s+[\d.]*\s*%\s+on\b": "'from 60 %'",
    r"\b(?:the|an)\s+own\b": "say whose: 'their own', 'the bot's'",
    r"\bc(?:ame|omes?)\s+of\b": "name it: the result, the outcome, what followed",
    r"\bif\s+that\s+is\s+meant\b": "'to allow it', 'if you want that'",
    r"\bas\s+it\s+was\s+typed\b": "'as typed', 'as you typed it'",
    r"\bso\s+(?:many|much)\b(?!\s+(?:as|that|time))": "'this many', or name the number",
    r"\bwhichever\b": "'no matter which', 'any'",
    r"\bif\s+somebody\s+may\b": "'if anyone could have'",
    r"(?:^|\n *\n) *(?-i:Those) of\b": "name them: 'The columns of …', 'Returns the challenges of …'",
}
OWN = [
    Check(
        check_type=types.ExistenceSimple(pattern=pattern),
        engine=Fancy(),
        path="leyden",
        message=f"write it otherwise: {advice}",
    )
    for pattern, advice in OURS.items()
]
CHECKS = OWN + [check for check in ALL if check.path.startswith(KEPT)]

# A test says `subject_does_what_when`.
TEST = re.compile(r"(?:#\[(?:tokio::)?test\b[^\]]*\]\s*(?:#\[[^\]]*\]\s*)*(?:async )?fn |def test_)(\w+)")
# A macro that makes tests, and what names one in a row of it.
MACRO = re.compile(r"^macro_rules! (\w+) \{(?:(?!^\}).)*?#\[test\]\s*fn \$", re.M | re.S)
ROW = re.compile(r"^    (?:\w+ )?(\w+): ", re.M)
FEWEST_WORDS, MOST_WORDS = 3, 8

# What the rules above would wrongly report.
RIGHT = ("told apart", "terminate called after", "two equal halves", "whatever its end shows")

# These pages name the words that we avoid, or quote others.
LEFT_OUT = {"CONTRIBUTING.md", "tests/prose.py"}


def names_of_tests(source):
    """What matches the name of each test, as its group 1."""
    yield from TEST.finditer(source)
    for macro in MACRO.findall(source):
        for rows in re.finditer(rf"^{macro}! \{{$.*?^\}}", source, re.M | re.S):
            yield from ROW.finditer(source, *rows.span())


def blank(match):
    """The same number of spaces; lines stay where they are."""
    return re.sub(r"[^\n]", " ", match.group())


def python_prose(text):
    """The comments and strings of Python source."""
    lines = text.splitlines()
    kept = [[" "] * len(line) for line in lines]
    words = {tokenize.COMMENT, tokenize.STRING, getattr(tokenize, "FSTRING_MIDDLE", None)}
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in words:
            continue
        (first, begin), (last, end) = token.start, token.end
        for number in range(first - 1, last):
            line = lines[number]
            part = slice(begin if number == first - 1 else 0, end if number == last - 1 else len(line))
            kept[number][part] = line[part]
    return "\n".join(re.sub(r"`[^`]*`|[\"#]+", blank, "".join(line)) for line in kept)


# A comment, a raw string, a string or a character of Rust.
RUST = re.compile(r"""//[/!]?([^\n]*)|r(#*)"(.*?)"\2|"((?:[^"\\]|\\.)*)"|'(?:[^'\\\n]|\\[^'\n]+)'""", re.S)


def rust_prose(text):
    """The comments and strings of Rust source."""
    kept, end = [], 0
    for token in RUST.finditer(text):
        group = next((group for group in (1, 3, 4) if token.group(group) is not None), None)
        if group is None:
            continue
        start, stop = token.span(group)
        kept += [re.sub(r"[^\n]", " ", text[end:start]), re.sub(r"`[^`]*`|\\.", blank, text[start:stop], flags=re.S)]
        end = stop
    return "".join(kept) + re.sub(r"[^\n]", " ", text[end:])


def fluent_prose(text):
    """The texts of a Fluent file, without placeables."""
    text = re.sub(r"^#.*|^[\w-]+ =", blank, text, flags=re.M)
    text = re.sub(r"\{[^{}\n]*(?:->|\})", blank, text)
    return re.sub(r"`[^`\n]*`|^\s*\*?\[[\w-]+\]|[{}]", blank, text, flags=re.M)


def prose(path, text):
    """The text of a file with everything blanked that is not prose; lines stay where they are."""
    if path.endswith(".py"):
        return python_prose(text)
    if path.endswith(".rs"):
        return rust_prose(text)
    if path.endswith(".ftl"):
        return fluent_prose(text)
    if path.endswith(".md"):
        text = re.sub(r"^```.*?^```", blank, text, flags=re.S | re.M)
        return re.sub(r"`[^`\n]*`|\]\([^)]*\)|^\|.*$", lambda m: m.group() if m.group()[0] == "|" else blank(m), text, flags=re.M)
    lines = []
    for line in text.split("\n"):
        comment = re.search(r"//[/!]? ?(.*)|# (.*)", line)
        strings = " ".join(re.findall(r'"((?:[^"\\]|\\.)*)', line))
        words = (comment.group(1) or comment.group(2) or "") if comment else strings
        lines.append(re.sub(r"`[^`]*`", " ", words))
    return "\n".join(lines)


def main():
    root = Path(__file__).parent.parent
    kinds = ["*.md", "*.rs", "*.toml", "*.py", "*.pyi", "*.yml", "tests/run", "arena/language/texts/en/*.ftl"]
    kinds += [f"*.{ending}" for ending in ("js", "mjs", "ts", "java", "c", "h", "cpp", "hpp", "cs", "go", "sh", "pl")]
    listed = subprocess.run(["git", "ls-files", *kinds], cwd=root, capture_output=True, text=True, check=True)
    found = []
    for name in listed.stdout.split():
        if name in LEFT_OUT or "/golden/" in name:
            continue
        source = (root / name).read_text(encoding="utf-8")
        for test in names_of_tests(source):
            words, line = test.group(1).split("_"), source.count("\n", 0, test.start(1)) + 1
            for check in OWN:
                if any(check.check_with_flags(" ".join(words))):
                    found.append((name, line, f"{name}:{line}: “{test.group(1)}”: {check.message}"))
            if not FEWEST_WORDS <= len(words) <= MOST_WORDS:
                found.append((name, line, f"{name}:{line}: “{test.group(1)}”: not {FEWEST_WORDS} to {MOST_WORDS} words"))
        text = prose(name, source)
        for right in RIGHT:
            text = text.replace(right, " " * len(right))
        for check in CHECKS:
            for result in check.check_with_flags(text):
                start, end = max(result.span[0], 0), result.span[1]
                start = end - len(text[start:end].lstrip())
                line = text.count("\n", 0, start) + 1
                words = " ".join(text[start:end].split())
                found.append((name, line, f"{name}:{line}: “{words}”: {result.message}"))
    for _, _, message in sorted(set(found)):
        print(message)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
