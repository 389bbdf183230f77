#!/usr/bin/env python3
"""tools/benchmark_table.py makes the tables of benchmarks/results/README.md, and leaves out what was not measured."""
import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
RESULTS = ROOT / "benchmarks/results"
sys.path.insert(0, str(ROOT / "tools"))
import benchmark_table  # noqa: E402

ROW = {"method": "a", "problem": "p", "quantity": "sweep", "unit": "us", "serial": 3000.4, "one_thread": 0,
       "all_threads": 2.5,
       "all_threads_floor": 0, "all_threads_reached": 0.0995, "gpu": 0, "gpu_floor": 0, "gpu_reached": 0.5, "peer": 0,
       "peer_name": ""}


class BenchmarkTable(unittest.TestCase):
    def run_tool(self, *arguments):
        return subprocess.run([sys.executable, ROOT / "tools/benchmark_table.py", *arguments], capture_output=True,
                              text=True, check=False)

    def test_tables_of_the_readme(self):
        readme = (RESULTS / "README.md").read_text()
        for place in ("gpu", "cpu"):
            made = self.run_tool(place, RESULTS / "2026-11-22-h200-all.json").stdout
            self.assertIn(made[made.index("\n| method, unit"):], readme)

    def test_not_measured(self):
        lines = list(benchmark_table.table({"measurements": [ROW, ROW]}, "cpu"))
        self.assertEqual(lines[1:], ["| a: us for a sweep | p | 3000 |  |  | 2.5 | 1200 |  | 10 % |",
                                     "|  | p | 3000 |  |  | 2.5 | 1200 |  | 10 % |"])
        self.assertEqual(list(benchmark_table.table({"measurements": [ROW]}, "gpu")), [])
        with_peer = ROW | {"serial": 0, "gpu": 0.5, "gpu_reached": 0.0994, "peer": 12, "peer_name": "b"}
        self.assertEqual(list(benchmark_table.table({"measurements": [with_peer]}, "gpu"))[1:],
                         ["| a: us for a sweep | p |  | 0.5 |  |  | 9.9 % | 12 (b) |"])

    def test_refuses_other_files(self):
        for name in ("2026-11-21-h200-kpm.json", "README.md", "no such file"):
            run = self.run_tool("cpu", RESULTS / name)
            self.assertEqual((run.returncode, run.stdout), (1, ""))
            self.assertRegex(run.stderr, f"^benchmark_table: .*{name} is not a record")


if __name__ == "__main__":
    unittest.main()
