#!/usr/bin/env python3
"""tools/structure.py finds what it looks for, in small trees, and nothing in a sound one."""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOOL = Path(__file__).resolve().parent.parent.parent / "tools/structure.py"
SOUND = {
    "cpp/core/error.hpp": "#include <string>\n",
    "cpp/aaa/solver.hpp": "#include \"core/error.hpp\"\n#include \"aaa/engine.hpp\"\n",
    "cpp/aaa/engine.hpp": "\n", "cpp/bbb/engine.hpp": "\n",
    "cuda/aaa/engine.cu": "#include <cuda_runtime.h>\n#include \"aaa/engine.hpp\"\n",
    "capi/include/legato/aaa.h": "\n", "capi/include/legato/legato.h": "#include <legato/aaa.h>\n",
    "capi/aaa.cpp": "#include \"legato/aaa.h\"\n#include \"aaa/solver.hpp\"\n",
    "fortran/aaa.c": "#include <legato/aaa.h>\n",
}
ROWS = "".join(f"    x += {i};\n" for i in range(10))


def function(lines):
    return "int f(int x) {\n" + "    ++x;\n" * (lines - 2) + "}\n"


class Structure(unittest.TestCase):
    def findings(self, **changes):
        """The output for the sound tree with other contents of files, whose names have __ for / and _dot_ for a dot."""
        files = SOUND | {name.replace("__", "/").replace("_dot_", "."): text for name, text in changes.items()}
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                path = Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            run = subprocess.run([sys.executable, TOOL, folder], capture_output=True, text=True, check=False)
        self.assertEqual((run.returncode, run.stderr), (1 if run.stdout else 0, ""))
        return run.stdout.splitlines()

    def test_sound(self):
        self.assertEqual(self.findings(), [])

    def test_includes(self):
        for name, line, what in (
                ("cpp__aaa__solver_dot_hpp", "#include \"bbb/engine.hpp\"", "that is bbb"),
                ("cpp__core__error_dot_hpp", "# include \"aaa/engine.hpp\"", "that is aaa"),
                ("cpp__aaa__solver_dot_hpp", "#include <cuda_runtime.h>", "that is CUDA"),
                ("capi__aaa_dot_cpp", "#include <cub/cub.cuh>", "that is CUDA"),
                ("cuda__aaa__engine_dot_cu", "#include \"legato/aaa.h\"", "that is the C interface"),
                ("fortran__aaa_dot_c", "#include \"aaa/engine.hpp\"", "that is behind the C interface")):
            with self.subTest(what):
                path = name.replace("__", "/").replace("_dot_", ".")
                found = self.findings(**{name: SOUND[path] + line + "\n"})
                self.assertEqual(len(found), 1)
                self.assertTrue(found[0].startswith(f"{path}:{SOUND[path].count(chr(10)) + 1}: ") and found[0].endswith(what), found)

    def test_circles(self):
        self.assertEqual(self.findings(cpp__aaa__engine_dot_hpp="#include \"solver.hpp\"\n"),
                         ["cpp/aaa/engine.hpp:1: includes solver.hpp: a circle, cpp/aaa/solver.hpp cpp/aaa/engine.hpp"])
        self.assertEqual(self.findings(tests__a_dot_hpp="\n#include \"../tests/a.hpp\"\n"),
                         ["tests/a.hpp:2: includes ../tests/a.hpp: a circle, tests/a.hpp"])

    def test_long_files(self):
        self.assertEqual(self.findings(cpp__core__error_dot_hpp="\n" * 700), [])
        self.assertEqual(self.findings(cpp__core__error_dot_hpp="\n" * 701),
                         ["cpp/core/error.hpp:701: the file has 701 lines, more than 700"])

    def test_long_functions(self):
        for name in ("cpp__core__a_dot_cpp", "cuda__aaa__a_dot_cuh", "fortran__a_dot_c"):
            with self.subTest(name):
                self.assertEqual(self.findings(**{name: function(80)}), [])
                path = name.replace("__", "/").replace("_dot_", ".")
                self.assertEqual(self.findings(**{name: "\n" + function(81)}), [f"{path}:2: a function has 81 lines, more than 80"])
        kernel = "template <int N>\n__global__ void __launch_bounds__(N) f(int x) {\n" + "    ++x;\n" * 80 + "}\n"
        self.assertEqual(len(self.findings(cuda__aaa__a_dot_cuh=kernel)), 1)
        fortran = "subroutine a\n" + "   x = 'end subroutine'\n" * 79 + "end subroutine a\n"
        self.assertEqual(self.findings(fortran__a_dot_f90=fortran), ["fortran/a.f90:1: a function has 81 lines, more than 80"])
        self.assertEqual(self.findings(legacy_drivers__aaa__a_dot_f90=fortran), [])
        self.assertEqual(len(self.findings(programs__aaa__a_dot_f90=fortran)), 1)
        shell = "a() {\n" + "  :\n" * 79 + "}\n"
        self.assertEqual(self.findings(scripts__a_dot_sh=shell), ["scripts/a.sh:1: a function has 81 lines, more than 80"])
        python = "def a():\n" + "    b = 1\n" * 80
        self.assertEqual(self.findings(tools__a_dot_py=python), ["tools/a.py:1: a function has 81 lines, more than 80"])

    def test_repeats(self):
        block = "void f(int x) {\n" + ROWS + "}\n"
        self.assertEqual(self.findings(cpp__aaa__a_dot_cpp=block, cpp__aaa__b_dot_cpp=block), [])
        self.assertEqual(self.findings(cpp__aaa__a_dot_cpp=block, cpp__bbb__a_dot_cpp=block.replace("x += 5", "x -= 5")), [])
        commented = block.replace("    x += 3;\n", "    // why\n\n      x  +=  3;\n")
        self.assertEqual(self.findings(cpp__aaa__a_dot_cpp=block, cpp__bbb__a_dot_cpp="\n" + commented + "int y;\n"),
                         ["cpp/bbb/a.cpp:2: 11 lines as in cpp/aaa/a.cpp:1"])


if __name__ == "__main__":
    unittest.main()
