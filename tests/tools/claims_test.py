#!/usr/bin/env python3
"""tools/claims.py finds wrong names, links, places and outputs in a small repository."""
import os
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent / "tools"))
import claims  # noqa: E402

KNOWN = claims.Known({"check.sh"}, {"long_chains"}, {"vmc_test"}, {"kpm_test"})
README = """# One section: a + b
`cpp/a.cpp`, `cpp/b.cpp`, `check.sh --all`, `gone.sh`, `vmc_test/long_chains`, `vmc_test/short_chains`, `dfr_test`
`kpm_test`, `METHOD_test`, `cpp/*.hpp`, `a.b` [a](#one-section-a--b), [b](docs/a.md#none), [c](https://a/b), [](lost.md)

    ctest -R lost_test -V
```
`also_lost_test`
```
"""
BLOCKS = """
```claim
echo 1.05; echo abc
= 1 +- 0.1
= abc
```
```claim slow
= > 1
```
"""


class Claims(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.write("README.md", README)
        self.write("CONTRIBUTING.md", BLOCKS)
        self.write("docs/a.md", "# Some\n")
        self.write("cpp/a.cpp", "int multiply(int);\n")

    def write(self, name, text):
        (self.root / name).parent.mkdir(parents=True, exist_ok=True)
        (self.root / name).write_text(text)

    def test_names(self):
        results = list(claims.check_names(self.root, KNOWN))
        self.assertEqual((results.count(""), results.count(claims.SKIPPED)), (4, 1))
        self.assertEqual([result for result in results if result], [
            "README.md:2: there is no cpp/b.cpp", "README.md:2: there is no script gone.sh",
            "README.md:2: there is no test vmc_test/short_chains",
            "README.md:2: there is no test dfr_test", "README.md:5: there is no test lost_test",
            "README.md:3: a.md has no section none",
            "README.md:3: there is no lost.md"])

    def test_places(self):
        for name in ("core", "b"):
            (self.root / "cpp" / name).mkdir()
        self.write("cpp/b/x.cpp", "work()")
        self.write("docs/architecture.md", "| `cpp/a.cpp` (`multiply`, `divide`) | `cpp/b/x.cpp` (`work`), `y.cpp` |\n")
        self.assertEqual([result for result in claims.check_places(self.root) if result],
                         ["docs/architecture.md:1: cpp/a.cpp has no divide",
                          "docs/architecture.md:1: there is no cpp/b/y.cpp"])
        self.write("docs/architecture.md", "`cpp/b`\n")
        self.assertEqual(list(claims.check_places(self.root)), ["docs/architecture.md: cpp/b has no places"])

    def test_blocks(self):
        first, slow = claims.blocks(self.root)
        self.assertEqual(first, claims.Block("CONTRIBUTING.md:2", False, "echo 1.05; echo abc\n", ["1 +- 0.1", "abc"]))
        self.assertEqual(slow, claims.Block("CONTRIBUTING.md:7", True, "\n", ["> 1"]))
        self.assertEqual(claims.run_block(self.root, first, os.environ), "")
        for script in ("echo 1.2; echo abc", "echo 1.05", "echo 1.05; echo abc; echo", "echo 1.05; echo abc; false",
                       "ls cppp"):
            self.assertRegex(claims.run_block(self.root, first._replace(script=script), os.environ),
                             "^CONTRIBUTING.md:2\n")
        self.assertNotEqual(claims.run_block(self.root, first._replace(script="", expected=[]), os.environ), "")
        in_tree = first._replace(script="cat cpp/a.cpp", expected=["int multiply(int);"])
        self.assertEqual(claims.run_block(self.root, in_tree, os.environ), "")

    def test_as_said(self):
        for shown, said, holds in (("87", "87", True), ("87.0", "87", False), ("0.69", "0.7 +- 0.011", True),
                                   ("-0.69", "0.7 +- 0.02", False),
                                   ("nan", "0.7 +- 9", False), ("x", "> 1", False), ("1", "> 1", False),
                                   ("1.5e0", "> 1", True)):
            self.assertEqual(claims.as_said(shown, said), holds, (shown, said))


if __name__ == "__main__":
    unittest.main()
