#!/usr/bin/env python3
"""tools/coverage_table.py, on small summaries."""
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOOL = Path(__file__).resolve().parent.parent.parent / "tools/coverage_table.py"


def run(*files):
    """The run for files of a name, covered lines and covered branches, of 1000 each."""
    rows = [{"filename": name, "line_covered": lines, "line_total": 1000, "branch_covered": branches,
             "branch_total": 1000}
            for name, lines, branches in files]
    with tempfile.TemporaryDirectory() as folder:
        summary = Path(folder, "summary.json")
        summary.write_text(json.dumps({"files": rows}))
        return subprocess.run([sys.executable, TOOL, summary], capture_output=True, text=True, check=False)


class CoverageTable(unittest.TestCase):
    def test_folders(self):
        ended = run(("cpp/kpm/a.cpp", 1000, 900), ("capi/a.cpp", 970, 850), ("cpp/kpm/b/c.cpp", 1000, 950))
        self.assertEqual((ended.returncode, ended.stderr), (0, ""))
        self.assertEqual(ended.stdout.splitlines(), [
            "capi              97.0 % of   1000 lines   85.0 % of   1000 branches",
            "cpp/kpm          100.0 % of   2000 lines   92.5 % of   2000 branches",
            "all               99.0 % of   3000 lines   90.0 % of   3000 branches"])

    def test_targets(self):
        self.assertEqual(run(("capi/a.cpp", 970, 850)).returncode, 0)
        self.assertEqual(run(("capi/a.cpp", 969, 850)).stderr, "coverage_table: line: 96.9 %, target 97 %\n")
        ended = run(("capi/a.cpp", 0, 849))
        self.assertEqual((ended.returncode, ended.stderr),
                         (1, "coverage_table: line: 0.0 %, target 97 %; branch: 84.9 %, target 85 %\n"))


if __name__ == "__main__":
    unittest.main()
