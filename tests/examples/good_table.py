#!/usr/bin/env python3
"""good_table.py EXAMPLE TABLE: checks that the output of an example is complete and as expected."""
import itertools
import math
import re
import sys
from pathlib import Path


def rows(text):
    """The lines that have numbers only."""
    found = []
    for line in text.splitlines():
        try:
            found.append(list(map(float, line.split())))
        except ValueError:
            pass
    return [row for row in found if row]


def after(text, pattern):
    """The numbers that a pattern finds. None if it finds nothing."""
    found = re.search(pattern.replace("NUMBER", r" *([-+]?[0-9.]+(?:E[-+]?[0-9]+)?)"), text, re.M)
    return found and list(map(float, found.groups()))


def near(value, error, known, times, more=0.0):
    return (value - known)**2 < times**2 * error**2 + more**2


def tmm_sweep(text):
    """11 points with an error of a hundredth or less."""
    table = rows(text)
    return (len(table) == 11
            and all(0 < length and 0 < error <= 0.0101 * length + 0.0005 for _, length, error, _ in table))


def dfr_atoms(text):
    """Energies within 5e-9 of the limit energies of dfr_limits, which are accurate to all these digits but one."""
    limits = {"He": -2.861813323, "Ne": -128.691930526, "Ar": -528.683762533, "Kr": -2788.860617832, "Xe": -7446.895404929,
              "Rn": -23602.103919152}
    table = {name: list(map(float, words)) for name, *words in map(str.split, text.splitlines()[1:])}
    return table.keys() == limits.keys() and all(
        -1e-8 < e - limits[name] < 5e-9 * -limits[name] + 1e-8 and 0.9999 < virial < 1.0003 and 3 < iterations < 50
        for name, (e, virial, iterations) in table.items())


def dfr_density(text):
    """The densities make up all electrons, and so do the shells."""
    before, *blocks = re.split("^#.*\n", text, flags=re.M)
    density = [[0.0, 0.0, 0.0], *rows(blocks[0])]
    good = len(blocks) == 3 and before == ""
    for z, block, column in zip((54, 86), blocks[1:], (1, 2)):
        electrons = sum((a[column] + b[column]) / 2 * (b[0] - a[0]) for a, b in itertools.pairwise(density))
        shells = [list(map(float, words[1:])) for words in map(str.split, block.splitlines()) if len(words) == 4]
        in_shells = sum(number for number, energy, radius in shells if energy < 0 < radius)
        good = good and abs(electrons / z - 1) < 1e-4 and abs(in_shells / z - 1) < 1e-6
    return good


def dfr_optimise(text):
    """The known limit. Energies fall from 1e-3 above it to 1.3e-5, which ends by itself."""
    limit, table = after(text, "^limit NUMBER"), rows(text)
    falling = all(b[1] <= a[1] and b[2] <= a[2] for a, b in itertools.pairwise(table))
    return (near(*limit, 0, -128.691969489, 0, 1e-7) and falling and len(table) > 8 and table[0][2] > 1000
            and 12.8 < table[-1][2] < 12.9 and after(text, "^alpha NUMBER +beta NUMBER +delta NUMBER +gamma NUMBER$")
            and not re.search("^not", text, re.M))


def ising_binder(text):
    """Cumulants fall with the extent where it is hot, rise where it is cold, and agree at the critical point."""
    table = rows(text)
    u = {(length, beta): (cumulant, error) for length, beta, cumulant, error, *_ in table}

    def less(a, b, beta):
        return u[a, beta][0] + 5 * (u[a, beta][1] + u[b, beta][1]) < u[b, beta][0]

    return (len(u) == len(table) == 15
            and all(len(row) == 8 and 0 < row[3] < 0.006 and row[6] > 0 and row[7] > 0.5 for row in table)
            and less(8, 4, 0.2116) and less(12, 8, 0.2116) and less(4, 8, 0.2316) and less(8, 12, 0.2316)
            and abs(u[12, 0.2216][0] - u[8, 0.2216][0]) < 0.02)


def ising_magnetisation(text):
    """That of the infinite lattice, from where this lattice is much longer than correlations."""
    table = rows(text)
    heat = {beta: near(c, error, 1.2536903, 5) for beta, _, _, _, c, error in table}
    return (len(table) == 8 and all(0 < row[2] < 0.01 and row[5] > 0 for row in table)
            and near(table[0][1], 0, table[0][3], 0, 0.03) and heat[0.46]
            and all(beta >= 0.46 and near(m, error, infinite, 5) for beta, m, error, infinite, *_ in table[1:]))


def ising_reweighting(text):
    """Specific heats of 32 x 32 sites by B. Kaufman, Phys. Rev. 76, 1232 (1949). Cumulants cross near the critical point."""
    exact = [1.411179, 1.622155, 1.809835, 1.902081, 1.861522, 1.721862, 1.548767, 1.387452, 1.252833]
    table = rows(text)
    numbers = "beta NUMBER \\+- NUMBER, value NUMBER \\+- NUMBER$"
    largest, crossing = (after(text, f"^{what}: {numbers}") for what in ("maximum of the specific heat", "crossing of the cumulants"))
    return (len(table) == 9
            and all(0 < row[2] < 0.02 and near(row[1], row[2], c, 5) for row, c in zip(table, exact))
            and all(0 < row[4] < 0.002 and 0 < row[6] < 0.004 and row[7] > 50000 for row in table)
            and all((large < small) == (beta < 0.442) for beta, _, _, small, _, large, *_ in table)
            and near(largest[0], largest[1], 0.435933, 5) and near(largest[2], largest[3], 1.904506, 5)
            and 0 < largest[1] < 0.001 and near(crossing[0], crossing[1], 0.4406868, 5, 0.0005)
            and 0 < crossing[1] < 0.001 and near(crossing[2], crossing[3], 0.6107, 5, 0.002))


def ising_scaling(text):
    """Cumulants cross at the critical point, but for what lattices this small are off. gamma / nu is 7/4."""
    table = rows(text)
    fits = [float(chi) for chi in re.findall(r"^# chi\^2 of .*: +(\S+) of 5$", text, re.M)]
    crossings = re.findall(r"^# crossing of .*: beta +(\S+) \+- +(\S+), cumulant +(\S+)$", text, re.M)
    exponent, error = after(text, r"^# gamma / nu: NUMBER \+- NUMBER$")
    return (len(table) == 36 and all(len(row) == 6 and 0 < row[3] < 0.01 and row[5] > 0 for row in table)
            and len(fits) == 4 and all(0 < chi < 25 for chi in fits) and len(crossings) == 2
            and all(0 < e < 0.002 and near(beta, e, 0.4406868, 5, 0.0015) and near(u, 0, 0.611, 0, 0.01)
                    for beta, e, u in (map(float, words) for words in crossings))
            and 0 < error < 0.03 and near(exponent, error, 1.75, 5, 0.02))


def kpm_dos(text):
    """Even in the energy within 4 errors, of integral 1. A third filling is below the middle."""
    table = rows(text)
    potential, error = after(text, "^chemical potential NUMBER NUMBER$")
    return (len(table) == 9 and all(d >= 0 and 0 <= e < 0.05 * d + 1e-5 and site > -1e-6 for _, d, e, site in table)
            and all(a[0] == -b[0] and near(a[1], math.hypot(a[2], b[2]), b[1], 4, 2e-6)
                    for a, b in zip(table, table[::-1]))
            and 0.98 < sum(2 * row[1] for row in table) < 1.02 and -2.2 < potential < -1.4 and 0 < error < 0.1)


def graphene_density(energy):
    """States per site, from a complete elliptic integral by the arithmetic-geometric mean."""
    e = abs(energy)
    a, b = sorted(((1 + e)**2 - (e * e - 1)**2 / 4, 4 * e), reverse=True)
    x, y = 1.0, math.sqrt(1 - b / a)
    for _ in range(20):
        x, y = (x + y) / 2, math.sqrt(x * y)
    return e / math.pi**2 / math.sqrt(a) * math.pi / (2 * x)


def kpm_graphene(text):
    """The clean density is even, 0 outside the band, and the exact one where it varies slowly. That of the alloy has
    integral 1."""
    table = rows(text)
    clean = {row[0]: row[1] for row in table}
    return (len(table) == 9 and all(clean[e] == clean[-e] for e in clean) and clean[4] < 1e-6
            and abs(clean[2] - graphene_density(2)) < 1e-3
            and all(alloy >= 0 and 0 <= error < 0.1 * alloy + 1e-5 for _, _, alloy, error in table)
            and 0.9 < sum(row[2] for row in table) < 1.1)


def kpm_hall(text):
    """In the gap the Hall conductivity is -1 and the longitudinal one 0. In the bands the first is smaller and even, and
    the second positive."""
    table = [[float(x) for x in line.replace("+-", "").split()] for line in text.splitlines() if "+-" in line]
    gap = [row for row in table if row[0] == 0]
    return (len(table) == 7 and len(gap) == 1 and near(gap[0][1], gap[0][2], -1, 3, 0.01) and abs(gap[0][3]) < 1e-3
            and all(abs(a[1] - b[1]) < 1e-3 for a, b in zip(table, reversed(table)))
            and all(-0.9 < row[1] < 1e-3 and row[3] > 10 * row[4] > 0 for row in table if row[0] != 0))


def kpm_spectral(text):
    """Each spectral function is largest at the energies of its band, 3, 2, 0 and 1, and the imaginary part of a Green's
    function between neighbours has the sign of the energy."""
    table = rows(text)
    peaks = [max(table, key=lambda row: row[k])[0] for k in (1, 2, 3, 4)]
    return (len(table) == 7 and [abs(e) for e in peaks] == [3, 2, 0, 1]
            and all(a >= -1e-6 for row in table for a in row[1:]) and all(0 < row[5] < 0.1 * row[4] for row in table)
            and len(re.findall(r"G\([12], 0; 0\.5\) +0\.[0-9]+ +0\.[0-9]+", text)) == 2)


def kpm_wave_packet(text):
    """The particle spreads, but less than without disorder, where the mean square distance is 4 t^2."""
    table = rows(text)
    return (len(table) == 6 and [row[0] for row in table] == [4, 8, 12, 16, 20, 24]
            and all(0 < square < 4 * time**2 and 0 < start < 1 for time, square, start in table)
            and table[-1][1] > table[0][1] > 9)


def vmc_energy(text):
    """Half filling has no kinetic energy, and 74 electrons have the known energy. Holes lower it.

    S(q) is largest at (pi, pi).
    """
    table = rows(text.replace("(3.1416, 3.1416)", ""))
    known = {electrons: near(energy, error, -0.506139, 5) for electrons, _, energy, error, *_ in table}
    return (len(table) == text.count("(3.1416,") == 6 and known[74]
            and all(0 < error < 0.002 and abs(kinetic + exchange - energy) < 3.16e-6 and spins < 0 and largest > 0.3
                    for _, _, energy, error, kinetic, exchange, spins, largest in table)
            and table[0][:2] == [82, 0] and table[0][4] == 0
            and all(b[2] <= a[2] for a, b in itertools.pairwise(table)))


def vmc_optimise(text):
    """From the start's energy to the known one, by three stages. The optimum is that of other starts within errors."""
    steps = re.findall(r"^ +\d+ (\w+) +(.*)$", text, re.M)
    stages = [stage for stage, _ in steps]
    table = rows("\n".join(words for _, words in steps))
    delta, its_error, mu, error = after(text, r"^delta NUMBER \+- NUMBER, mu NUMBER \+- NUMBER$")
    correlation, first, _, third, gain = after(
        text, "^correlation of the errors NUMBER, curvature NUMBER NUMBER NUMBER, to be gained NUMBER$")
    energy, of_energy = after(text, r"^energy there NUMBER \+- NUMBER$")
    return (len(table) == len(steps) > 6 and all(len(row) == 8 and 0 < row[3] < 0.002 and row[5] > 0 and row[7] > 0
                                                 for row in table)
            and stages.count("descent") and stages.count("survey") >= 4 and stages.count("refinement") >= 3
            and table[0][2] > -0.476 and 0 < its_error < 0.1 and 0 < error < 0.1
            and near(delta, math.hypot(its_error, 0.013), 0.585, 4) and near(mu, math.hypot(error, 0.013), 0.725, 4)
            and -1 < correlation < 1 and first > 0 and third > 0 and gain < 0.001
            and 0 < of_energy < 0.001 and near(energy, of_energy, -0.48109, 4))


def main():
    example, path = sys.argv[1:]
    text = Path(path).read_text()
    if "nan" in text.lower() or not globals()[example](text):
        sys.exit(f"{text}good_table: not the table of {example}")


if __name__ == "__main__":
    main()
