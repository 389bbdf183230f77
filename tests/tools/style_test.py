#!/usr/bin/env python3
"""tools/style.py takes the version that counts, and reports what the tools say, which are small scripts here."""
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOOL = Path(__file__).resolve().parent.parent.parent / "tools/style.py"
FORMAT = """#!/bin/sh
if [ "$1" = --version ]; then echo "clang-format version {version}.0.6"; exit; fi
echo "cpp/b.cpp:1:2: error: code should be clang-formatted" >&2
echo "  int  b;" >&2
echo "cpp/a.cpp:3:4: error: code should be clang-formatted" >&2
echo "cpp/b.cpp:7:2: error: code should be clang-formatted" >&2
exit 1
"""
TIDY = """#!/bin/sh
if [ "$1" = --version ]; then echo "LLVM version 14.0.6"; exit; fi
for file; do :; done
echo "$file"
case $file in */memory.cpp) {command} ;; esac
"""


class Style(unittest.TestCase):
    def run_tool(self, *arguments, **scripts):
        """The run with these commands alone, whose names have _ for -, and the compiler."""
        with tempfile.TemporaryDirectory() as folder:
            for name, text in scripts.items():
                path = Path(folder, name.replace("_", "-"))
                path.write_text(text)
                path.chmod(0o755)
            for command in ("g++", "sh"):
                found = subprocess.run(["sh", "-c", f"command -v {command}"], capture_output=True, text=True,
                                       check=True).stdout.strip()
                Path(folder, command).symlink_to(found)
            return subprocess.run([sys.executable, TOOL, *arguments, *([folder] if "tidy" in arguments else [])],
                                  capture_output=True, text=True,
                                  check=False, env=os.environ | {"PATH": f"{folder}"})

    def test_format(self):
        said = ("places that differ from what {0} makes of them, and the file (repair: {0} -i FILE):\n"
                "      1 cpp/a.cpp\n      2 cpp/b.cpp\n")
        for scripts, tool in (({"clang_format": FORMAT.format(version=14)}, "clang-format"),
                              ({"clang_format": FORMAT.format(version=15),
                                "clang_format_14": FORMAT.format(version=14)}, "clang-format-14")):
            run = self.run_tool("format", **scripts)
            self.assertEqual((run.returncode, run.stdout, run.stderr), (1, said.format(tool), ""))
        good = FORMAT.format(version=14).replace("echo \"cpp", ": \"").replace("exit 1", "exit 0")
        run = self.run_tool("format", clang_format=good)
        self.assertEqual((run.returncode, run.stdout), (0, ""))
        run = self.run_tool("format", clang_format=good.replace("exit 0", "exit 3"))
        self.assertEqual(run.returncode, 1)

    def test_another_version_is_skipped(self):
        run = self.run_tool("format", clang_format=FORMAT.format(version=15))
        self.assertEqual((run.returncode, run.stdout), (77, "clang-format 14 is not installed\n"))
        self.assertEqual(self.run_tool("tidy").returncode, 77)

    def test_tidy(self):
        run = self.run_tool("tidy", clang_tidy=TIDY.format(command="exit 0"))
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertIn("/cpp/core/memory.cpp\n", run.stdout)
        self.assertNotIn("device_none", run.stdout)
        self.assertEqual(self.run_tool("tidy", clang_tidy=TIDY.format(command="exit 1")).returncode, 1)


if __name__ == "__main__":
    unittest.main()
