"""Grades one submission of Classroom 50, whose runner calls this in the student's checkout.

The program leyden and rubric.toml are in the same folder. An exit code other than 0 is an error of the grading, not a grade. The
seed, from which all deals follow, is the same for everybody: keep it secret from the students.
"""

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
leyden = HERE / "leyden"
leyden.chmod(0o755)
graded = subprocess.run(
    [leyden, "grade", ".", "--rubric", HERE / "rubric.toml", "--seed", "@SEED@", "--format", "classroom50=result.json"],
    check=False,
)
sys.exit(graded.returncode)
