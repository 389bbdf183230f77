#!/usr/bin/env python3
"""reference_numbers.py PROGRAM [slow]: moments and densities that are known exactly or to their errors.

"slow" adds the cubic lattice of 128^3 sites.
"""
import itertools
import re
import sys
from math import acos, cos, pi, sin, sinh, sqrt
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
import driver  # noqa: E402
from driver import check, number, rows  # noqa: E402

INPUTS = driver.INPUTS / "kpm/inputs"
KERNELS = ("jackson", "lorentz", "fejer", "dirichlet")
BOX = """Box disorder: <E^2> = 6 + W^2 / 12, <E^4> = 90 + 24 W^2 / 12 + W^4 / 80
 $lattice lx = 10, ly = 10, lz = 10 $end
 $site onsite = 'box', strength = 16.5 $end
 $kpm nmom = 64, nvec = 4, nreal = 200, seed = 3 $end
"""
TRACE = """Errors
 $lattice lx = 8, ly = 7, lz = 6, bcx = 'open' $end
 $kpm nmom = 12, vectors = 'sites' $end
"""
# Extents, boundaries, hopping, energy.
LATTICES = (((13, 1, 1), "ppp", 1.0, 0.0), ((1, 17, 1), "ooo", 1.0, 0.4), ((1, 1, 2), "ppp", -1.3, 0.0),
            ((2, 1, 1), "ooo", 1.0, -2.0),
            ((2, 2, 2), "pop", 1.0, 0.0), ((7, 5, 1), "poo", 1.0, 0.0), ((5, 3, 4), "opp", 0.5, 1.0),
            ((6, 6, 6), "ppp", 1.0, 0.0))


def compute(program, text):
    """The output, and the moments by their numbers."""
    return driver.succeed(program, text), {int(n): value for n, value, *_ in rows("moments.dat")}


def interval():
    """Centre and half width."""
    found = re.search(r"centre *= *(\S+), half_width *= *(\S+)", Path("moments.dat").read_text())
    return float(found[1]), float(found[2])


def check_power(output, k, expected, errors=0, most=0):
    """<E^k> differs by less than so many of its errors, or by less than `most`."""
    value, error = map(number, re.search(rf"^ *<E\^{k}> *(\S+) *(\S+)", output, re.M).groups())
    check(error > 0 and abs(value - expected) < errors * error or abs(value - expected) < most,
          f"<E^{k}> is {value} +- {error}, not {expected}")


def check_integral(output):
    integral = float(re.search(r"^ Integral .* (\S+)$", output, re.M)[1])
    check(abs(integral - 1) < 1e-10, f"the density integrates to {integral}")


def check_ring_and_chain(program):
    _, moments = compute(program, (INPUTS / "ring.inp").read_text())
    check(len(moments) == 66 and all(abs(value - (n in (0, 64))) < 1e-12 for n, value in moments.items()),
          "ring of 64 sites: moments that are not 0, but for mu_0 = mu_64 = 1")
    for kernel in KERNELS:
        compute(program, (INPUTS / "chain.inp").read_text() + f" $dos kernel = '{kernel}' $end\n")
        density = rows("dos.dat")
        check(len(density) == 512 and all(abs(rho * pi * sqrt(4 - e**2) - 1) < 1e-9 for e, rho, *_ in density),
              f"infinite chain, {kernel}: not 1 / (pi sqrt(4 - E^2))")


def factor(kernel, n, size):
    """The factors of Rev. Mod. Phys. 78, 275, section II.C."""
    q = pi / (size + 1)
    return {"jackson": ((size - n + 1) * cos(q * n) + sin(q * n) * cos(q) / sin(q)) / (size + 1),
            "lorentz": sinh(3.5 * (1 - n / size)) / sinh(3.5), "fejer": 1 - n / size, "dirichlet": 1}[kernel]


def check_kernels(program):
    """The density is the sum over the moments."""
    for kernel in KERNELS:
        _, moments = compute(program, f"""Kernels
 $lattice lx = 5, ly = 4, lz = 3, bcx = 'open' $end
 $site onsite = 'box', energy = 1.0, strength = 3.0 $end
 $kpm nmom = 21, nvec = 30 $end
 $dos kernel = '{kernel}', lambda = 3.5, nenergy = 40 $end
""")
        centre, half_width = interval()

        def expected(energy):
            angle = acos((energy - centre) / half_width)
            terms = [factor(kernel, n, 21) * mu * cos(n * angle) * (2 if n else 1) for n, mu in moments.items()]
            return sum(terms) / (pi * sqrt(half_width**2 - (energy - centre)**2))

        density = rows("dos.dat")
        check(len(density) == 40 and len(moments) == 21 and all(abs(rho - expected(energy)) < 1e-12 for energy, rho,
                                                                *_ in density),
              f"kernels, {kernel}: another density")


def levels(hopping, extent, boundary):
    if extent == 1:
        return [0.0]
    angles = [2 * pi * k / extent if boundary == "p" else pi * (k + 1) / (extent + 1) for k in range(extent)]
    return [-2 * hopping * cos(angle) for angle in angles]


def check_clean_lattice(program, extents, boundaries, hopping, energy):
    """All moments are those of its levels. Returns the output."""
    size = ", ".join(f"l{axis} = {extent}" for axis, extent in zip("xyz", extents))
    ends = ", ".join(f"bc{axis} = '{'periodic' if boundary == 'p' else 'open'}'" for axis,
                     boundary in zip("xyz", boundaries))
    output, moments = compute(program, f"Clean\n $lattice {size}, {ends}, hopping = {hopping} $end\n"
                              f" $site energy = {energy} $end\n $kpm nmom = 100, vectors = 'sites' $end\n")
    centre, half_width = interval()
    of_axes = [levels(hopping, extent, boundary) for extent, boundary in zip(extents, boundaries)]
    angles = [acos((energy + sum(each) - centre) / half_width) for each in itertools.product(*of_axes)]
    exact = {n: sum(cos(n * angle) for angle in angles) / len(angles) for n in range(100)}
    check(moments.keys() == exact.keys() and all(abs(moments[n] - exact[n]) < 1e-12 for n in exact),
          f"clean lattice {size}, {ends}: moments that are not those of its levels")
    check_integral(output)
    return output


def density_at_centre():
    return next(rho for energy, rho, *_ in rows("dos.dat") if abs(energy) < 1e-9)


def check_cubic(program, text, most):
    output, _ = compute(program, text)
    check_power(output, 2, 6, errors=3)
    check_power(output, 4, 90, errors=3)
    check_integral(output)
    centre = density_at_centre()
    print(f"  density at the centre of the cubic lattice: {centre}")
    check(abs(centre - 0.14267) < most, f"the density at the centre of the cubic lattice is {centre}")


def check_disorder(program):
    output, _ = compute(program, BOX)
    for k, expected in (1, 0), (2, 28.6875), (4, 90 + 2 * 16.5**2 + 16.5**4 / 80):
        check_power(output, k, expected, errors=3)
    check_integral(output)
    # The density is symmetric in the mean, as far as neighbouring energies, of which some are independent, tell.
    density = rows("dos.dat")
    pairs = list(zip(density, reversed(density)))[:len(density) // 2]
    chi = sum((a[1] - b[1])**2 / (a[2]**2 + b[2]**2) for a, b in pairs) / len(pairs)
    check(chi < 2, f"box disorder: the density is not symmetric, chi-square {chi}")
    output, _ = compute(program, BOX.replace("'box', strength = 16.5", "'gaussian', energy = 0.5, strength = 2.0"))
    check_power(output, 1, 0.5, errors=3)
    check_power(output, 2, 10.25, errors=3)


def check_errors(program):
    """Errors of random vectors are those of their means: chi-square against the exact trace, from 40 seeds."""
    _, exact = compute(program, TRACE)
    for vectors in ("sign", "gaussian", "uniform"):
        terms = []
        for seed in range(1, 41):
            compute(program, TRACE.replace("vectors = 'sites'", f"nvec = 50, vectors = '{vectors}', seed = {seed}"))
            terms += [((value - exact[n]) / error)**2 for n, value, error in rows("moments.dat") if n > 0]
        chi = sum(terms) / len(terms)
        print(f"  {vectors}: chi-square per degree of freedom {chi:.3f}")
        check(len(terms) == 440 and 0.7 < chi < 1.4, f"{vectors}: chi-square {chi}, {len(terms)} moments")


def main():
    program, *slow = driver.start(1, "PROGRAM [slow]")
    check_ring_and_chain(program)
    check_kernels(program)
    for lattice in LATTICES:
        output = check_clean_lattice(program, *lattice)
    check_power(output, 2, 6, most=1e-9)
    check_power(output, 4, 90, most=1e-8)
    cubic = (INPUTS / "cubic.inp").read_text()
    check_cubic(program, cubic, 0.0014)
    check_disorder(program)
    check_errors(program)
    if slow == ["slow"]:
        large = cubic.replace("32, ly = 32, lz = 32", "128, ly = 128, lz = 128").replace("nmom = 64, nvec = 32",
                                                                                         "nmom = 256, nvec = 16")
        check_cubic(program, large.replace("129", "513"), 0.00043)
    driver.end("reference_numbers")


if __name__ == "__main__":
    main()
