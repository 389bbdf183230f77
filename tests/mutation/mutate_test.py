#!/usr/bin/env python3
"""Tests of mutate.py: its lists, its bookkeeping, and a whole run over a project of one function."""

import argparse
import contextlib
import io
import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

os.environ["LEGATO_MUTATION_SECONDS"] = "5"
import mutate  # noqa: E402  (the time limit is read at import)

PROJECT = {
    "CMakeLists.txt": """
cmake_minimum_required(VERSION 3.25)
project(one_function C)
add_executable(area_test area_test.c)
enable_testing()
add_test(NAME area_test COMMAND area_test)
""",
    "area_test.c": """
static int area(int width, int height) {
    int sum = 0;
    for (int i = 0; i < height; ++i) sum += width;
    return sum;
}
int main(void) {
    return area(3, 4) == 12 ? 0 : 1;
}
""",
}


def fault(name, find, replace, **more):
    return {"name": name, "file": "area_test.c", "find": find, "replace": replace, "wrong": "-",
            "tests": "^area_test$", **more}


FAULTS = [
    fault("one_row_less", "i = 0;", "i = 1;"),
    fault("never_ends", "++i", "i += 0"),
    fault("equivalent", "int sum = 0;", "int sum = 0 * width;", survives="The sum begins at 0 either way."),
    fault("no_program", "return sum;", "return sun;"),
]


class Lists(unittest.TestCase):
    def read(self, text):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "list.toml").write_text(text)
            return mutate.read_faults(folder)

    def test_default_of_tests(self):
        text = "tests = 'a'\n[[fault]]\nname='x'\nfile='f'\nfind='1'\nreplace='2'\nwrong='w'\n"
        self.assertEqual(self.read(text)[0]["tests"], "a")

    def test_refusals(self):
        whole = "[[fault]]\nname='x'\nfile='f'\nfind='1'\nreplace='2'\nwrong='w'\ntests='t'\n"
        for text in (whole.replace("wrong='w'\n", ""), whole + "wrog='w'\n", whole.replace("tests='t'\n", ""),
                     whole + whole):
            with self.assertRaises(mutate.ListError):
                self.read(text)

    def test_place_must_be_found_once(self):
        for text in ("", "i = 0; i = 0;"):
            with self.assertRaises(mutate.ListError):
                mutate.planted(text, FAULTS[0])
        self.assertEqual(mutate.planted("i = 0;", FAULTS[0]), "i = 1;")

    def test_a_fault_must_change_something(self):
        with self.assertRaises(mutate.ListError):
            mutate.planted("a", fault("same", "a", "a"))

    def test_shards_cover_all(self):
        shards = [mutate.chosen_faults(FAULTS, "", f"{i}/3") for i in (1, 2, 3)]
        self.assertEqual(sorted(f["name"] for shard in shards for f in shard), sorted(f["name"] for f in FAULTS))

    def test_the_lists_fit_the_sources(self):
        self.assertEqual(mutate.stale(mutate.read_faults(mutate.HERE / "faults"), mutate.ROOT), [])


class WholeRun(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root, self.work = Path(self.folder.name) / "project", Path(self.folder.name) / "work"
        self.root.mkdir()
        for name, text in PROJECT.items():
            (self.root / name).write_text(text)
        subprocess.run(["git", "init", "-q", self.root], check=True)

    def run_over(self, faults):
        arguments = argparse.Namespace(folder=str(self.work), results=None, anew=False, jobs=1)
        with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(out):
            good = mutate.run(arguments, faults, self.root)
        results = json.loads((self.work / "results.json").read_text()) if (self.work / "results.json").exists() else {}
        return good, {name: result["verdict"] for name, result in results.items()}, out.getvalue()

    def test_verdicts(self):
        good, verdicts, out = self.run_over(FAULTS)
        self.assertEqual(verdicts, {"one_row_less": "caught", "never_ends": "caught", "equivalent": "survived",
                                    "no_program": "does not build"})
        self.assertFalse(good)
        self.assertIn("4 of 4 faults judged: 2 caught, 1 survived, 1 do not build", out)
        copy = (self.work / "source" / "area_test.c").read_text()
        self.assertEqual(copy, PROJECT["area_test.c"])

    def test_good_run_goes_on_where_it_was(self):
        self.assertTrue(self.run_over(FAULTS[:1])[0])
        good, verdicts, out = self.run_over(FAULTS[:2])
        self.assertTrue(good)
        self.assertEqual(len(verdicts), 2)
        self.assertIn("1/1 never_ends", out)

    def test_survivor_without_reason(self):
        survivor = {key: value for key, value in FAULTS[2].items() if key != "survives"}
        good, _, out = self.run_over([survivor])
        self.assertFalse(good)
        self.assertIn("NOT EXPLAINED", out)

    def test_tests_that_fail_without_a_fault(self):
        (self.root / "area_test.c").write_text(PROJECT["area_test.c"].replace("== 12", "== 13"))
        good, verdicts, out = self.run_over(FAULTS[:1])
        self.assertFalse(good)
        self.assertEqual(verdicts, {})
        self.assertIn("area_test fails without a fault", out)


if __name__ == "__main__":
    unittest.main()
