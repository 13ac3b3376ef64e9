#!/usr/bin/env python3
"""Checks the wording of pages, comments, messages and names of tests: proselint's rules that fit them, and our own.

Needs the package proselint, which `tests/run` installs in target/prose. Prints FILE:LINE: what is wrong, and fails if anything is.
"""
import re
import subprocess
import sys
from pathlib import Path

from proselint.checks import __register__ as ALL
from proselint.registry.checks import Check, types

# The groups of proselint's own rules that are right about technical prose.
KEPT = ("cliches", "malapropisms", "mondegreens", "nonwords", "oxymorons", "psychology", "redundancy")

# Each pattern with what a native speaker would write.
OURS = {
    r"\b(?:is|are|was|were|be) told\b": "say who sends, shows or prints it",
    r"\bas far as\b": "name the part: 'the known part', 'if known'",
    r"\bbesides\b": "'apart from', 'except' or 'also'",
    r"\bwhoever\b": "name them: 'the player who', 'no matter who'",
    r"\bmeanwhile\b": "say until when: 'during that time', 'at the same time'",
    r"\b(?:by|through) nobody(?:'s)?\b": "name what acts",
    r"\bin peace\b": "'gracefully'",
}
OWN = [
    Check(check_type=types.ExistenceSimple(pattern=pattern), path="leyden", message=f"write it otherwise: {advice}")
    for pattern, advice in OURS.items()
]
CHECKS = OWN + [check for check in ALL if check.path.startswith(KEPT)]

# A test says `subject_does_what_when`.
TEST = re.compile(r"#\[(?:tokio::)?test\b[^\]]*\]\s*(?:#\[[^\]]*\]\s*)*(?:async )?fn (\w+)")
MOST_WORDS = 8

# These pages name the words that we avoid, or quote others.
LEFT_OUT = {"CONTRIBUTING.md", "tests/prose.py"}


def prose(path, text):
    """The text of a file with everything blanked that is not prose; lines stay where they are."""
    blank = lambda match: re.sub(r"[^\n]", " ", match.group())
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
    listed = subprocess.run(["git", "ls-files", "*.md", "*.rs", "*.js", "*.toml"], cwd=root, capture_output=True, text=True, check=True)
    found = []
    for name in listed.stdout.split():
        if name in LEFT_OUT or "/golden/" in name:
            continue
        source = (root / name).read_text(encoding="utf-8")
        for test in TEST.finditer(source):
            if len(test.group(1).split("_")) > MOST_WORDS:
                line = source.count("\n", 0, test.start(1)) + 1
                found.append((name, line, f"{name}:{line}: “{test.group(1)}”: more than {MOST_WORDS} words"))
        text = prose(name, source).replace("told apart", "distinct  ")
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
