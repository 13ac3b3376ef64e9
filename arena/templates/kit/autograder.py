"""Grades one submission of Classroom 50, whose runner calls this in the student's checkout.

The program leyden and rubric.toml are in the same folder. An exit code other than 0 is an error of the grading, not a grade. The
seed, from which all deals follow, is the same for everybody: keep it secret from the students.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
leyden = HERE / "leyden"
leyden.chmod(0o755)
with tempfile.TemporaryDirectory() as place:
    graded = subprocess.run(
        [leyden, "grade", ".", "--rubric", HERE / "rubric.toml", "--seed", "@SEED@", "--format", f"classroom50={place}/result.json"],
        check=False,
    )
    # A file of this name in the checkout is the student's, and may be a link to any other file.
    result = Path("result.json")
    if result.is_dir() and not result.is_symlink():
        shutil.rmtree(result)
    else:
        result.unlink(missing_ok=True)
    if graded.returncode == 0:
        shutil.copyfile(Path(place, "result.json"), result)
sys.exit(graded.returncode)
