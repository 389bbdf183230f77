#!/usr/bin/env python3
"""gpu_would.py: the speed-up by a GPU that the demo prints is that of the same inputs and calls, or nothing."""
import json
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import driver  # noqa: E402
from driver import check  # noqa: E402

COMMAND = (sys.executable, str(Path(__file__).resolve().parents[2] / "scripts/demo/gpu_would.py"), ".", "vmc")


def says(*problems):
    return driver.expect(0, *COMMAND, *problems, LEGATO_DEMO_RECORDS=".")[0]


def record(name, gpu, *rows):
    keys = ("room", "problem", "backend", "ratio")
    Path(f"{name}-relinked-demo.json").write_text(
        json.dumps({"date": name[:10], "gpu": gpu, "rows": [dict(zip(keys, row)) for row in rows]}))


def main():
    driver.start(0, "")
    Path("nvidia-smi").write_text("#!/bin/sh\nexit 1\n")     # no GPU, whatever the machine has
    Path("nvidia-smi").chmod(0o755)
    os.environ["PATH"] = f"{Path.cwd()}:{os.environ['PATH']}"
    check(says("demo_9") == "", "something without a record")
    record("2026-01-01-old", "NVIDIA OLD", ("vmc", "demo_9.inp", "cuda", 1.5))
    record("2026-02-02-new", "NVIDIA NEW", ("kpm", "demo_9.inp", "cuda", 99.0), ("vmc", "small.inp", "cpu", 98.0),
           ("vmc", "demo_9.inp", "cuda", 12.3456), ("vmc", "demo_15.inp", "cuda", 97.0))
    output = says("small", "demo_9")
    driver.has(r"^    no GPU here: .*NVIDIA NEW .* 12\.3 .*\(demo_9, 2026-02-02\)$", output)
    check(output.count("\n") == 1, f"not one line: {output}")
    check(says("other") == "", "another problem")
    driver.end("gpu_would")


if __name__ == "__main__":
    main()
