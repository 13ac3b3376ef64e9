#!/bin/bash
# Gradescope runs this once, as root, when the autograder is built. Add what the students' bots need to build and run.
set -eu
apt-get update -qq
apt-get install -y -qq --no-install-recommends @PACKAGES@
leyden=/autograder/source/leyden
chmod +x "$leyden" /autograder/source/run_autograder
if ! "$leyden" --version; then
    echo "The program leyden in this archive does not run here: build it for this system, and put that into the archive." >&2
    exit 1
fi
"$leyden" doctor
