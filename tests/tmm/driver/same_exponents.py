#!/usr/bin/env python3
"""same_exponents.py KIND SERIAL LEGATO: the serial program and one on the library, on the same inputs.

KIND is one of
tight: short runs. Iteration counts must be the same, and numbers agree to 1e-10 relative or 1e-11 absolute.
ill_conditioned: bars whose columns grow far apart between two orthonormalisations. Rounding alone changes the smallest
exponents (2e-10 was measured), and the two serial layouts differ, too. The bound is 1e-8 relative or 1e-10 absolute.
table: every boundary and disorder, 2D up to M = 16 and 3D up to M = 6, until the points have converged. The bounds are
those of tight. Points whose error is close to epsilon may end one iteration apart.
LEGATO_TEST_RELATIVE sets another relative bound than 1e-10, such as 1e-9 with LEGATO_BACKEND=cuda.
"""
import itertools
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
import driver  # noqa: E402
from runs import Comparison, changed, results  # noqa: E402

FLAT, BARS = "Width0=2 Width1=16", "IDimenFlag=3 Width0=2 Width1=6"
LONG = "Energy0=-1.0 Energy1=2.0 dEnergy=1.5 NOfIter=100000000 Epsilon=0.01"


def inputs(kind):
    for boundary, disorder in itertools.product(range(3), range(3)):
        flags = f"IBCFlag={boundary} IRNGFlag={disorder}"
        if kind == "tight":
            yield f"{flags} {FLAT} DiagDis0=2.0 NOfIter=2000 NOfOrtho=5"
            yield f"{flags} {BARS} DiagDis0=2.0 NOfIter=600 NOfOrtho=3"
        elif kind == "ill_conditioned":
            yield f"{flags} {BARS} Width0=4 DiagDis0=6.0 Energy1=0.0 NOfIter=2000 NOfOrtho=8"
        else:     # the second and third disorder are named by their standard deviation
            yield f"{flags} {FLAT} DiagDis0={1 if disorder else 4} NOfOrtho=5 {LONG}"
            yield f"{flags} {BARS} DiagDis0={4 if disorder else 15} NOfOrtho=3 {LONG}"
    if kind == "tight":
        yield "IDimenFlag=1 IBCFlag=0 Width0=1 Width1=1 DiagDis0=2.0 NOfOrtho=7"


def main():
    kind = sys.argv.pop(1)
    programs = driver.start(2, "tight|ill_conditioned|table SERIAL LEGATO")
    relative = float(os.environ.get("LEGATO_TEST_RELATIVE", "1e-10"))
    comparison = {"tight": Comparison(relative), "ill_conditioned": Comparison(1e-8, 1e-10),
                  "table": Comparison(relative, count=1)}[kind]
    for runs, driver.label in enumerate(inputs(kind), 1):
        comparison.compare(*(results(program, changed(driver.label))[0] for program in programs))
    driver.end_of_runs(f"same_exponents {kind}", runs, f"{comparison.points} points, of which {comparison.grazing} "
                       f"graze epsilon, largest deviation {comparison.worst:.2e} relative, ")


if __name__ == "__main__":
    main()
