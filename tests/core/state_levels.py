#!/usr/bin/env python3
"""state_levels.py PROGRAM: states that are saved with one instruction set and resumed with another.

The results have the same bytes at all levels with fused multiply-adds. Those of ising, kpm and kpm_correlation also
have them at the baseline. The other methods warn that last digits may differ.
"""
import itertools
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import driver  # noqa: E402
from driver import check, expect, has  # noqa: E402

FUSED = ("v3", "v4")
SAME, ROUNDED = ("ising", "kpm", "kpm_correlation"), ("tmm", "vmc", "vmc_optimiser", "dfr_optimiser", "dfr_pruner", "dfr_reducer")


def saves(program, level):
    """False if the processor does not have the level."""
    Path(level).mkdir()
    ended = driver.run(program, "save", level, LEGATO_CPU_LEVEL=level)
    if ended.returncode:
        has(f'LEGATO_CPU_LEVEL: "{level}" is not one of', ended.stderr)
    return ended.returncode == 0


def check_same(level, other, kinds):
    for kind in kinds:
        check(Path(level, kind).read_bytes() == Path(other, kind).read_bytes(), f"{kind}: another state with {level}")


def main():
    program, = driver.start(1, "PROGRAM")
    levels = [level for level in ("baseline", *FUSED) if saves(program, level)]
    if len(levels) < 2 and not driver.complaints:
        print("state_levels: skipped, this processor has one level")
        sys.exit(77)
    for saved, level in itertools.product(levels, levels):
        driver.label = f"saved with {saved}, resumed with {level}"
        check_same("baseline", saved, SAME)
        if saved in FUSED:
            check_same("v3", saved, ROUNDED)
        _, messages = expect(0, program, "resume", saved, LEGATO_CPU_LEVEL=level)
        warnings = re.findall("the state was saved with .* and the run goes on with .*: last digits may differ",
                              messages)
        check(len(warnings) == (0 if (saved in FUSED) == (level in FUSED) else len(ROUNDED)),
              f"{len(warnings)} warnings: {messages}")
    driver.label = ""
    driver.end("state_levels", f"{len(levels)} levels, ")


if __name__ == "__main__":
    main()
