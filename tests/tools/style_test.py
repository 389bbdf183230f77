#!/usr/bin/env python3
"""tools/style.py takes the version that counts, and reports what the tools say, which are small scripts here."""
import json
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
QUIET_TIDY = """#!/bin/sh
if [ "$1" = --version ]; then echo "LLVM version 14.0.6"; exit; fi
for file; do :; done
echo "$file" >> {read}
case $file in */core/memory.cpp) {command} ;; esac
"""


class Style(unittest.TestCase):
    def run_tool(self, *arguments, build=None, home=None, **scripts):
        """The run with these commands alone, whose names have _ for -, and the compiler. None: the system's command."""
        with tempfile.TemporaryDirectory() as folder:
            for name, text in scripts.items():
                if text is None:
                    continue
                path = Path(folder, name.replace("_", "-"))
                path.write_text(text)
                path.chmod(0o755)
            for command in ("g++", "sh", *(name for name, text in scripts.items() if text is None)):
                found = subprocess.run(["sh", "-c", f"command -v {command}"], capture_output=True, text=True,
                                       check=True).stdout.strip()
                Path(folder, command).symlink_to(found)
            return subprocess.run([sys.executable, TOOL, *arguments, *([build or folder] if "tidy" in arguments else [])],
                                  capture_output=True, text=True, check=False,
                                  env=os.environ | {"PATH": f"{folder}", "XDG_CACHE_HOME": f"{home or folder}"})

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

    def test_tidy_reads_only_what_has_changed(self):
        """The fake ninja says what two sources include, and the fake clang-tidy which sources it reads."""
        with tempfile.TemporaryDirectory() as home:
            build = Path(home, "build")
            build.mkdir()
            Path(build, ".ninja_deps").touch()
            header = Path(home, "header.hpp")
            core, everything = TOOL.parent.parent / "cpp/core", ["memory", "thread", "launcher"]
            sources = [core / "memory.cpp", core / "thread.cpp"]
            deps = "\n\n".join(f"{build}/{source.stem}.o: #deps 2, deps mtime 1 (VALID)\n    {source}\n    {header}"
                               for source in sources)
            Path(build, "deps").write_text(deps + "\n\n")

            def read(header_text="", command="g++ -c", tidy="exit 0", touch=True):
                if header_text is not None:
                    header.write_text(header_text)
                for source in sources if touch else []:
                    Path(build, f"{source.stem}.o").touch()
                Path(build, "compile_commands.json").write_text(json.dumps(
                    [{"file": str(source), "command": command, "directory": str(build)} for source in sources]))
                run = self.run_tool("tidy", build=build, home=home, ninja=f"#!/bin/sh\ncat {build}/deps",
                                    clang_tidy=QUIET_TIDY.format(read=f"{home}/read", command=tidy), cat=None)
                files = Path(home, "read").read_text().split()
                Path(home, "read").unlink()
                return run.returncode, [name for name in everything if f"{core}/{name}.cpp" in files]

            self.assertEqual(read(tidy="exit 1"), (1, everything))
            self.assertEqual(read(), (0, ["memory", "launcher"]))  # the others were clean
            self.assertEqual(read(), (0, ["launcher"]))            # ninja does not know this one
            self.assertEqual(read(header_text="int a;"), (0, everything))
            self.assertEqual(read(header_text="int a;"), (0, ["launcher"]))
            self.assertEqual(read(header_text="int a;", command="g++ -O3 -c"), (0, everything))
            self.assertEqual(read(), (0, ["launcher"]))

            # What is newer than the object file may include other files than Ninja knows.
            os.utime(build / "thread.o", (0, 0))
            self.assertEqual(read(header_text=None, touch=False), (0, ["thread", "launcher"]))
            header.unlink()
            self.assertEqual(read(header_text=None), (0, everything))


if __name__ == "__main__":
    unittest.main()
