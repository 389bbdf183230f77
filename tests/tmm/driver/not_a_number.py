#!/usr/bin/env python3
"""not_a_number.py PROGRAM: NaN in place of a number counts as a difference in the comparisons of other tests."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
import driver  # noqa: E402
from driver import check  # noqa: E402
from runs import Comparison, changed, results  # noqa: E402

HERE = Path(__file__).resolve().parent
# The program with NaN for every exponent.
SPOILING = r"""#!{python} -IS
import pathlib, re, subprocess, sys
status = subprocess.run(["{program}"]).returncode
for path in pathlib.Path().glob("Avg-*.raw"):
    path.write_text(re.sub(r", *[^,]*(,[^,]*, [01] }})", r", NaN\1", path.read_text()))
sys.exit(status)
"""


def agree(a, b):
    before = len(driver.complaints)
    Comparison().compare(a, b)
    agreed = len(driver.complaints) == before
    del driver.complaints[before:]
    return agreed


def main():
    program, = driver.start(1, "PROGRAM")
    spoiling = Path("spoiling").resolve()
    spoiling.write_text(SPOILING.format(python=sys.executable, program=program))
    spoiling.chmod(0o755)
    known = (HERE / "reference_numbers.dat").read_text().splitlines()
    Path("list").write_text(next(line for line in known if not line.startswith("#")) + "\n")
    for path, status in (program, 0), (str(spoiling), 1):
        ended = driver.run(sys.executable, str(HERE / "reference_numbers.py"), path, str(Path("list").resolve()))
        check(ended.returncode == status and "reference_numbers: 1 runs" in ended.stdout,
              f"reference_numbers.py of {path}: {ended.stdout}{ended.stderr}")
    sound, spoilt = (results(path, changed())[0] for path in (program, spoiling))
    check(agree(sound, sound) and agree(spoilt, spoilt), "a run differs from itself")
    check(not agree(sound, spoilt) and not agree(spoilt, sound), "NaN is taken for a number")
    driver.end("not_a_number")


if __name__ == "__main__":
    main()
