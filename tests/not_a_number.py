#!/usr/bin/env python3
"""not_a_number.py PROGRAM TEST FIELDS VALUE FILE...: NaN in place of a number counts as a difference.

TEST compares two programs on the same inputs. PROGRAM is quick if FIELDS, separated by |, have this VALUE in the
inputs. It must agree with itself, but in no run if one of the two has NaN after the first column of a FILE. % in a name
stands for the name of the input.
"""
import re
import sys
from pathlib import Path

import driver
from driver import check

# The program with other inputs, and with NaN in a file.
QUICK = """#!{python} -IS
import re, subprocess, sys
from pathlib import Path
text = Path(sys.argv[1]).read_text()
Path(sys.argv[1]).write_text(re.sub(r"({fields}) = \\d*", r"\\1 = {value}", text))
status = subprocess.run(["{program}", sys.argv[1]]).returncode
file = Path("{file}".replace("%", sys.argv[1].removesuffix(".inp")))
if not status and file.is_file():
    lines = [line if line[:1] == "#" else " ".join(line.split()[:1] + ["NaN"] * (len(line.split()) - 1))
             for line in file.read_text().splitlines()]
    file.write_text("\\n".join(lines) + "\\n")
sys.exit(status)
"""


def write(name, **values):
    Path(name).write_text(QUICK.format(python=sys.executable, **values))
    Path(name).chmod(0o755)


def main():
    program, test, fields, value, *files = driver.start(2, "PROGRAM TEST FIELDS VALUE FILE...")
    values = {"program": program, "fields": fields, "value": value}
    write("sound", file="", **values)
    ended = driver.run(sys.executable, test, "sound", "sound")
    check(ended.returncode == 0, f"differs from itself: {ended.stdout}{ended.stderr}")
    for file in files:
        write("spoiling", file=file, **values)
        for pair in ("sound", "spoiling"), ("spoiling", "sound"):
            driver.label = f"{pair[0]} and {pair[1]}, {file}"
            ended = driver.run(sys.executable, test, *pair)
            runs = re.search(r": (\d+) runs, (?:.*, )?(\d+) differ$", ended.stdout)
            check(ended.returncode == 1 and runs and runs[1] == runs[2],
                  f"takes NaN for a number: {ended.stdout[-300:]}{ended.stderr}")
    driver.end("not_a_number")


if __name__ == "__main__":
    main()
