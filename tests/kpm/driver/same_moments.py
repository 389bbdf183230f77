#!/usr/bin/env python3
"""same_moments.py SERIAL LEGATO: the same main with two kpm_moments gives the same moments and density.

Moments agree to 1e-12 of mu_0, times |centre| / half_width if that exceeds 1, and densities to 1e-10 of the largest.
There are 30 small lattices with every kind of disorder, boundary, start vector, kernel and bounds, and 4 that are
shifted far from zero.
"""
import random
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
import driver  # noqa: E402
from driver import check, rows  # noqa: E402

SHIFTED = """shifted
 &lattice lx = 64 /
 &site onsite = "box", energy = {}, strength = 1.0 /
 &kpm nmom = 256, nvec = 3 /
"""


def random_input(case):
    pick, among = random.choice, random.randint
    onsite = pick(("constant", "box", "gaussian"))
    vectors = pick(("sign", "gaussian", "uniform", "sites"))
    ends = ", ".join(f'bc{axis} = "{pick(("periodic", "open"))}"' for axis in "xyz")
    return f"""case {case}
 $lattice lx = {among(2, 9)}, ly = {among(1, 8)}, lz = {among(1, 7)}, hopping = {pick((1.0, -0.7, 2.5))},
   {ends} $end
 &site onsite = "{onsite}", energy = {pick((0.0, -1.5, 0.3))},
   strength = {0 if onsite == "constant" else among(1, 99) / 10} &end
 &kpm nmom = {among(2, 150)}, {"" if vectors == "sites" else f"nvec = {among(1, 9)},"} nreal = {among(1, 3)},
   vectors = "{vectors}", seed = {among(1, 30000)} /
 &bounds margin = {pick((0.01, 0.2))} /
 &dos kernel = "{pick(("jackson", "lorentz", "fejer", "dirichlet"))}", nenergy = {among(150, 300)} /
"""


def differences(before, after):
    """Of the numbers of equal rows, of which there must be some. The first numbers must agree."""
    pairs = list(zip(before, after, strict=True))
    check(pairs and all(abs(a[0] - b[0]) < 1e-12 for a, b in pairs), "other rows")
    return [abs(a[1] - b[1]) for a, b in pairs]


def compare(programs, text):
    """Returns the largest difference of moments, for a shift of 1."""
    driver.label = text
    results = []
    for program in programs:
        output = driver.succeed(program, text)
        results.append((rows("moments.dat"), rows("dos.dat")))
        Path("moments.dat").unlink()
        Path("dos.dat").unlink()
    moments, densities = zip(*results)
    centre, half_width = map(float, re.search(r"^ Interval: centre (\S+), half width (\S+)", output, re.M).groups())
    shift = max(1, abs(centre) / half_width)
    top = max(row[1] for row in densities[1])
    of_moments = [d / shift for d in differences(*moments)]
    check(all(d < 1e-12 for d in of_moments), f"times {shift}, moments differ by {max(of_moments)}")
    of_densities = [d / top / shift for d in differences(*densities)]
    check(all(d < 1e-10 for d in of_densities), f"times {shift}, the density differs by {max(of_densities)}")
    return max(of_moments)


def main():
    programs = driver.start(2, "SERIAL LEGATO")
    random.seed(4)
    inputs = [random_input(case) for case in range(30)]
    inputs += [SHIFTED.format(shift) for shift in ("1000", "-1e5", "1e6", "-1e7")]
    largest = max(compare(programs, text) for text in inputs)
    driver.end_of_runs("same_moments", len(inputs), f"largest difference of a moment for a shift of 1 {largest:.2e}, ")


if __name__ == "__main__":
    main()
