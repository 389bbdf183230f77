#!/usr/bin/env python3
"""tools/call_circles.py finds calls in a circle, also through a third file and through variables, and nothing else."""
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOOL = Path(__file__).resolve().parent.parent.parent / "tools/call_circles.py"
LINE = "int b(void); int a(void) { return b(); }", "extern int c; int b(void) { return c; }", "int c = 1;"


class CallCircles(unittest.TestCase):
    def findings(self, folder, *sources):
        """The output for a build of one target with these sources, a.c, b.c and so on, in a folder of the build."""
        with tempfile.TemporaryDirectory() as build:
            objects = Path(build, folder, "CMakeFiles/x.dir")
            objects.mkdir(parents=True)
            for name, source in zip("abc", sources):
                Path(build, f"{name}.c").write_text(source)
                subprocess.run([os.environ.get("CC", "cc"), "-c", f"{build}/{name}.c", "-o", objects / f"{name}.c.o"], check=True)
            run = subprocess.run([sys.executable, TOOL, build], capture_output=True, text=True, check=False)
        self.assertEqual((run.returncode, run.stderr), (1 if run.stdout else 0, ""))
        return run.stdout.splitlines()

    def test_line(self):
        self.assertEqual(self.findings("cpp", *LINE), [])

    def test_circle_of_two(self):
        found = self.findings("capi", LINE[0], "int a(void); int b(void) { return a(); }")
        self.assertEqual(found, ["liblegato: a circle of capi/a.c, capi/b.c"])

    def test_circle_of_three(self):
        found = self.findings("fortran/dropin", *LINE[:2], "int a(void); int c; int d(void) { return a(); }")
        self.assertEqual(found, ["fortran/dropin: a circle of fortran/dropin/a.c, fortran/dropin/b.c, fortran/dropin/c.c"])

    def test_static_functions(self):
        self.assertEqual(self.findings("cpp", LINE[0], "static int a(void) { return 1; } int b(void) { return a(); }"), [])

    def test_tests_are_not_checked(self):
        with self.assertRaisesRegex(AssertionError, "no object files with symbols"):
            self.findings("tests", LINE[0], "int a(void); int b(void) { return a(); }")


if __name__ == "__main__":
    unittest.main()
