#!/usr/bin/env python3
"""spectra.py SPECTRA GRAPHENE HALL LATTICES: tables of kpm_spectra against closed forms, two C programs, and itself.

GRAPHENE and HALL are kpm_graphene and kpm_hall of examples/. LATTICES is the folder of the ready-made inputs.
"""
import cmath
import math
import sys
from itertools import product
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
import driver  # noqa: E402
from driver import check, has  # noqa: E402


def table(name):
    return driver.rows(f"{name}.dat")


def blocks(name):
    """The rows of each block of a table; two empty lines separate blocks."""
    found = [[]]
    for line in Path(f"{name}.dat").read_text().splitlines():
        if line.startswith("#"):
            continue
        if line.strip():
            found[-1].append([driver.number(word) for word in line.split()])
        elif found[-1]:
            found.append([])
    return found


def jackson(levels, interval, moments, energies):
    """The density of states of these levels with the Jackson kernel, from its formula."""
    low, high = interval
    centre, half = (low + high) / 2, (high - low) / 2
    mu = [0.0] * moments
    for level in levels:
        angle = math.acos((level - centre) / half)
        for n in range(moments):
            mu[n] += math.cos(n * angle) / len(levels)
    q = math.pi / (moments + 1)
    g = [((moments - n + 1) * math.cos(q * n) + math.sin(q * n) / math.tan(q)) / (moments + 1) for n in range(moments)]
    found = []
    for energy in energies:
        x = (energy - centre) / half
        series = g[0] * mu[0] + 2 * sum(g[n] * mu[n] * math.cos(n * math.acos(x)) for n in range(1, moments))
        found.append(series / (math.pi * half * math.sqrt(1 - x * x)))
    return found


def interval_of(name):
    for line in Path(f"{name}.dat").read_text().splitlines():
        if "energy interval" in line:
            low, high = line.split("energy interval ")[1].split(" .. ")
            return float(low), float(high)
    driver.wrong("no energy interval")
    return -1, 1


def waves(size, dimension):
    return product([2 * math.pi * m / size for m in range(size)], repeat=dimension)


def graphene(a, b):
    e = abs(1 + cmath.exp(1j * a) + cmath.exp(1j * b))
    return e, -e


def haldane(a, b, t2=0.1, phi=0.7, mass=0.3):
    """The sum over all k does not depend on the sign of phi."""
    angles = (a, b - a, -b)
    even = -2 * t2 * math.cos(phi) * sum(map(math.cos, angles))
    odd = 2 * t2 * math.sin(phi) * sum(map(math.sin, angles))
    e = math.hypot(graphene(a, b)[0], mass + odd)
    return even + e, even - e


def kagome(a, b):
    root = math.sqrt(max(0, 3 + 2 * (math.cos(a) + math.cos(b) + math.cos(a - b))))
    return 2, -1 + root, -1 - root


def rashba(a, b, s=0.2):
    split = 2 * s * math.hypot(math.sin(a), math.sin(b))
    return -2 * (math.cos(a) + math.cos(b)) + split, -2 * (math.cos(a) + math.cos(b)) - split


def weyl(a, b, c, m=1.7):
    e = math.sqrt(math.sin(a) ** 2 + math.sin(b) ** 2 + (m - math.cos(a) - math.cos(b) - math.cos(c)) ** 2)
    return e, -e


def half_flux(size):
    """Levels of the square lattice with half a flux quantum in each cell: two for each k of the halved zone."""
    levels = []
    for a in (2 * math.pi * m / size for m in range(size)):
        for b in (2 * math.pi * m / size for m in range(size // 2)):
            e = 2 * math.hypot(math.cos(a), math.cos(b))
            levels += [e, -e]
    return levels


def without(text, *sections):
    """The input without these sections."""
    kept, inside = [], False
    for line in text.splitlines():
        if line.startswith("["):
            inside = line.strip("[] ") in sections
        if not inside:
            kept.append(line)
    return "\n".join(kept) + "\n"


def test_lattices():
    """Local densities of all orbitals of a cell, whose mean is the density of states, and random vectors."""
    size = 6
    cases = {
        "graphene": ("A B", 2, [e for k in waves(size, 2) for e in graphene(*k)], ""),
        "kagome": ("A B C", 2, [e for k in waves(size, 2) for e in kagome(*k)], ""),
        "rashba": ("up down", 2, [e for k in waves(size, 2) for e in rashba(*k)], ""),
        "weyl": ("a b", 3, [e for k in waves(size, 3) for e in weyl(*k)], ",m=1.7"),
        "haldane": ("A B", 2, [e for k in waves(size, 2) for e in haldane(*k)], ",phi=0.7,M=0.3"),
        "hofstadter": ("s", 2, half_flux(size), ",flux=1/2"),
    }
    for name, (orbitals, dimension, levels, constants) in cases.items():
        driver.label = name
        text = without((lattices / f"{name}.inp").read_text(), "method")
        cell = " 1" * dimension
        text += "[method]\nmoments = 64\nvectors = 6\nrealisations = 8\n[ldos]\nenergies = -2:2:0.1\n"
        text += "".join(f"site = {orbital}{cell}\n" for orbital in orbitals.split())
        Path("case.inp").write_text(text)
        driver.expect(0, spectra, "case.inp", "--set", f"L={size}{constants}")
        found = blocks("case-ldos")
        check(len(found) == len(orbitals.split()), f"{len(found)} blocks")
        energies = [row[0] for row in found[0]]
        check(energies == [k / 10 for k in range(-20, 21)], f"energies {energies[:3]}")
        expected = jackson(levels, interval_of("case-ldos"), 64, energies)
        mean = [sum(row[1] for row in rows) / len(rows) for rows in zip(*found)]
        worst = max(abs(a - b) for a, b in zip(mean, expected))
        check(worst < 1e-11, f"the local density of states is off by {worst}")
        check(all(row[2] == 0 for block in found for row in block), "an exact result has an error")
        # Random vectors.
        rows = table("case-dos")
        expected = jackson(levels, interval_of("case-dos"), 64, [row[0] for row in rows if abs(row[0]) < 2])
        offs = [(row[1] - value) / row[2] for row, value in zip((row for row in rows if abs(row[0]) < 2), expected)]
        check(max(map(abs, offs)) < 6 and sum(off**2 for off in offs) / len(offs) < 4, f"off by {max(map(abs, offs))} errors")
        check(max(map(abs, offs)) > 0.1, "the errors are far too large")
    driver.label = "anderson"
    driver.expect(0, spectra, str(lattices / "anderson.inp"), "--set", "L=8", "--output", "anderson")
    check(abs(sum(row[1] for row in table("anderson-dos")) * 0.05 - 1) < 1e-3, "the density is not normalised")


def test_library():
    """The same numbers as a C program, with the same seed."""
    driver.label = "the library"
    text = without((lattices / "graphene.inp").read_text(), "method", "dos").replace("box W", "binary 2 0.1")
    text += "[method]\nmoments = 128\nvectors = 4\nrealisations = 4\n[dos]\nenergies = -4:4:1\n"
    text += "[ldos]\nsite = A 0 0\nenergies = -4:4:1\n"
    # The program of the library has the bonds from B to A.
    Path("alloy.inp").write_text(text)
    driver.expect(0, spectra, "alloy.inp")
    output = driver.expect(0, example)[0]
    expected = [[float(word) for word in line.split()] for line in output.splitlines()[1:]]
    found = table("alloy-dos")
    check(len(found) == len(expected) == 9, f"{len(found)} and {len(expected)} rows")
    for row, (energy, _, density, error) in zip(found, expected):
        check(row[0] == energy and abs(row[1] - density) < 1e-6 and abs(row[2] - error) < 1e-6, f"{row}, {density}, {error}")
    # Four realisations have errors, and one has none that are known.
    rows = table("alloy-ldos")
    check(all(row[2] > 0 for row in rows if abs(row[0]) < 4), "errors of local densities")
    Path("alloy.inp").write_text(text.replace("realisations = 4", "realisations = 1"))
    driver.expect(0, spectra, "alloy.inp")
    check(all(line[2] == "NaN" for line in driver.lines("alloy-ldos.dat")), "an unknown error is not NaN")


MATRIX = """[crystal]
matrix = m.mtx
[method]
moments = 32
[ldos]
site = 1
site = 2
energies = nodes 40
"""


def test_matrices():
    """Matrix files: real, complex, general, symmetric and Hermitian ones of the same ring have the same spectrum."""
    size = 8
    levels = [-2 * math.cos(2 * math.pi * m / size) + 0.5 for m in range(size)]
    ring = [(i, (i + 1) % size) for i in range(size)]
    phase = [cmath.exp(0.3j * i * i) for i in range(size)]     # a gauge transformation
    lower = [(max(i, j) + 1, min(i, j) + 1) for i, j in ring]
    diagonal = "".join(f"{i + 1} {i + 1} 0.5\n" for i in range(size))
    complex_diagonal = diagonal.replace("0.5\n", "0.5 0\n")
    gauge = [(-phase[i].conjugate() * phase[j]) for i, j in ring]
    files = {
        "real symmetric": (16, "".join(f"{i} {j} -1\n" for i, j in lower) + "% comment\n" + diagonal),
        "real general": (24, "".join(f"{i} {j}  -1.0e0\n{j}\t{i} -1\r\n" for i, j in lower) + diagonal),
        "integer symmetric": (16, "".join(f"{i} {j} -1\n" for i, j in lower) + "\n" + diagonal),
        "complex general": (24, complex_diagonal + "".join(
            f"{i + 1} {j + 1} {g.real!r} {g.imag!r}\n{j + 1} {i + 1} {g.real!r} {-g.imag!r}\n" for (i, j), g in zip(ring, gauge))),
        "complex hermitian": (16, complex_diagonal + "".join(
            f"{max(i, j) + 1} {min(i, j) + 1} {g.real!r} {(g.imag if i > j else -g.imag)!r}\n" for (i, j), g in zip(ring, gauge))),
    }
    Path("matrix.inp").write_text(MATRIX)
    for kind, (count, entries) in files.items():
        driver.label = kind
        Path("m.mtx").write_text(f"%%MatrixMarket matrix coordinate {kind}\n% comment\n{size} {size} {count}\n{entries}")
        driver.expect(0, spectra, "matrix.inp")
        for block in blocks("matrix-ldos"):
            check(len(block) == 40, f"{len(block)} nodes")
            expected = jackson(levels, interval_of("matrix-ldos"), 32, [row[0] for row in block])
            check(max(abs(row[1] - value) for row, value in zip(block, expected)) < 1e-11, "density")
    driver.label = "pattern"
    Path("m.mtx").write_text("%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n2 1\n")
    driver.expect(0, spectra, "matrix.inp")
    rows = blocks("matrix-ldos")[0]
    expected = jackson([1, -1], interval_of("matrix-ldos"), 32, [row[0] for row in rows])
    check(max(abs(row[1] - value) for row, value in zip(rows, expected)) < 1e-11, "density")


def test_geometry():
    """Walls, twists and expressions: levels of chains."""
    start = "[constants]\nt = 1\n[crystal]\nvector = 1\norbital = s 0\nhopping = s s 1 -t*{amplitude}\ncells = 7\n{more}\n"
    end = "[method]\nmoments = 40\n[ldos]\nsite = s {site}\nenergies = -1.5:1.5:0.25\n"
    ring = [-2 * math.cos(2 * math.pi * m / 7) for m in range(7)]
    twisted = [-2 * math.cos((2 * math.pi * m + 0.9) / 7) for m in range(7)]
    cases = (("1", "", ring), ("exp(i*2*pi/7)", "", ring), ("(2^2-3)*sqrt(4)/2e0", "", ring), ("1", "twist = 0.9", twisted),
             ("exp(i*0.9/7)", "", twisted), ("cos(0)+sin(pi)", "", ring), ("-exp(i*pi)", "", ring))
    for amplitude, more, levels in cases:
        driver.label = f"{amplitude} {more}"
        Path("chain.inp").write_text(start.format(amplitude=amplitude, more=more) + end.format(site=3))
        driver.expect(0, spectra, "chain.inp")
        rows = table("chain-ldos")
        expected = jackson(levels, interval_of("chain-ldos"), 40, [row[0] for row in rows])
        check(max(abs(row[1] - value) for row, value in zip(rows, expected)) < 1e-11, "density")
    driver.label = "walls"
    # The first site of a chain with walls: weights 2 sin^2(q) / (L + 1).
    Path("chain.inp").write_text(start.format(amplitude="1", more="boundary = hard_wall") + end.format(site=0))
    driver.expect(0, spectra, "chain.inp")
    rows = table("chain-ldos")
    states = [(-2 * math.cos(math.pi * m / 8), math.sin(math.pi * m / 8) ** 2 / 4) for m in range(1, 8)]
    for row in rows:
        value = sum(weight * jackson([level], interval_of("chain-ldos"), 40, [row[0]])[0] for level, weight in states)
        check(abs(row[1] - value) < 1e-11, f"density {row[1]}, expected {value}")


def test_vacancies():
    """A ring with a vacancy is a chain with walls; random vacancies have the right concentration."""
    driver.label = "a vacancy"
    text = "[crystal]\nvector = 1\norbital = s 0\nhopping = s s 1 -1\ncells = {size}\n{more}\n[method]\nmoments = 40\nvectors = 40\nrealisations = 8\n"
    Path("v.inp").write_text(text.format(size=8, more="vacancy = s 5") + "[dos]\nenergies = -1.5:1.5:0.25\n[ldos]\nsite = s 6\nenergies = -1.5:1.5:0.25\n")
    driver.expect(0, spectra, "v.inp")
    states = [(-2 * math.cos(math.pi * m / 8), math.sin(math.pi * m / 8) ** 2 / 4) for m in range(1, 8)]
    for row in table("v-ldos"):
        value = sum(weight * jackson([level], interval_of("v-ldos"), 40, [row[0]])[0] for level, weight in states)
        check(abs(row[1] - value) < 1e-11, f"density {row[1]}, expected {value}")
    rows = table("v-dos")
    expected = jackson([level for level, _ in states], interval_of("v-dos"), 40, [row[0] for row in rows])
    check(all(abs(row[1] - value) < 6 * row[2] for row, value in zip(rows, expected)), "density for each remaining site")
    driver.label = "random vacancies"
    # With many vacancies, single sites with E = 0 have the weight 0.9^2 of the remaining sites.
    Path("v.inp").write_text(text.format(size=2000, more="vacancies = s 0.9").replace("moments = 40", "moments = 512") + "[dos]\nenergies = -0.1 0.1\n")
    driver.expect(0, spectra, "v.inp")
    (_, _, _, below, low_error), (_, _, _, above, high_error) = table("v-dos")
    check(abs(above - below - 0.81) < 4 * math.hypot(low_error, high_error) + 0.01 and low_error > 0, f"weight {above - below}")


def test_electrons():
    driver.label = "electrons"
    text = without((lattices / "graphene.inp").read_text(), "dos", "method")
    method = "[method]\nmoments = 256\nvectors = 4\nrealisations = 4\n"
    Path("n.inp").write_text(text + method + "[dos]\nenergies = -1 0.3\n[electrons]\ntemperatures = 0 0.2\npotentials = -1 0 0.3\n")
    driver.expect(0, spectra, "n.inp", "--set", "L=32")
    cold, warm = blocks("n-electrons")
    check([row[:3] for row in cold] == [[0, -1, 0], [0, 0, 0], [0, 0.3, 0]] and warm[2][0] == 0.2, "potentials")
    check(all(abs(block[1][3] - 0.5) < 4 * block[1][4] for block in (cold, warm)), f"not half filled: {cold[1]}, {warm[1]}")
    dos = table("n-dos")
    check(abs(dos[0][3] - cold[0][3]) < 1e-12 and abs(dos[1][3] - cold[2][3]) < 1e-12, "not the integrated density")
    numbers = " ".join(repr(row[3]) for row in warm)
    Path("mu.inp").write_text(text + method + f"[electrons]\ntemperatures = 0.2\nnumbers = {numbers}\n")
    driver.expect(0, spectra, "mu.inp", "--set", "L=32")
    for there, back in zip(warm, blocks("mu-electrons")[0]):
        check(abs(back[1] - there[1]) < 1e-9 and back[3] == there[3] and back[4] == 0 and back[2] > 0, f"{there}, {back}")


def test_spectral():
    """At wave vectors of the crystal the spectral function has peaks of the bands; others between them only shift it."""
    driver.label = "spectral"
    size = 12
    text = without((lattices / "graphene.inp").read_text(), "dos", "method")
    text += "[method]\nmoments = 64\n[spectral]\npoint = G 0 0\npoint = M 1/2 0\npoint = K 2/3 1/3\nsteps = 2\nenergies = -2.5:2.5:0.25\n"
    Path("a.inp").write_text(text)
    driver.expect(0, spectra, "a.inp", "--set", f"L={size}")
    found = [row for row in table("a-spectral") if row]
    check(len(found) == 5 * 21, f"{len(found)} rows")
    # Lengths of the reciprocal vectors: |b| = 4 pi / sqrt(3); G to M is half of it, and M to K is 2 pi / 3.
    half = 2 * math.pi / math.sqrt(3)
    lengths = [0, half / 2, half, half + math.pi / 3, half + 2 * math.pi / 3]
    waves_of_path = [(0, 0), (0.25, 0), (0.5, 0), (7 / 12, 1 / 6), (2 / 3, 1 / 3)]
    for k, ((a, b), length) in enumerate(zip(waves_of_path, lengths)):
        rows = found[21 * k:21 * (k + 1)]
        check(abs(rows[0][0] - length) < 1e-12, f"length {rows[0][0]}, expected {length}")
        expected = jackson(graphene(2 * math.pi * a, 2 * math.pi * b), interval_of("a-spectral"), 64, [row[1] for row in rows])
        check(max(abs(row[2] - value) for row, value in zip(rows, expected)) < 1e-11 and rows[0][3] == 0, f"k = {a}, {b}")
    script = Path("a-spectral.gp").read_text()
    check('"G" 0.0, "M" 3.6' in script and '"K" 5.7' in script, script)
    driver.label = "spectral with disorder"
    Path("a.inp").write_text(text.replace("moments = 64", "moments = 64\nrealisations = 4"))
    driver.expect(0, spectra, "a.inp", "--set", f"L={size},W=2", "--state", "a")
    first = table("a-spectral")
    check(all(row[3] > 0 for row in first if row), "errors")
    driver.expect(0, spectra, "a.inp", "--set", f"L={size},W=2", "--state", "a")
    check(table("a-spectral") == first and len(list(Path().glob("a-spectral-*.h5"))) == 1, "resumed")


HALL = """[constants]
t2 = 0.2*i
[crystal]
vector = 1 0
vector = 1/2 sqrt(3)/2
orbital = A 0 0
orbital = B 1/3 1/3
hopping = B A 0 0 -1
hopping = B A 1 0 -1
hopping = B A 0 1 -1
hopping = A A 1 0 t2
hopping = A A -1 1 t2
hopping = A A 0 -1 t2
hopping = B B 1 0 -t2
hopping = B B -1 1 -t2
hopping = B B 0 -1 -t2
cells = 64 64
[method]
moments = 64
vectors = 8
start_vectors = phase
[conductivity]
moments = 128
current = x
"""


def test_conductivities():
    """The numbers of a C program, quantised Hall conductivities, and sums of them."""
    driver.label = "conductivities"
    expected = [line.replace("+-", "").split() for line in driver.expect(0, hall)[0].splitlines()[1:]]
    check(len(expected) == 7, f"{len(expected)} rows of the example")
    Path("c.inp").write_text(HALL + "field = y\npotentials = -3:3:1\n")
    driver.expect(0, spectra, "c.inp")
    for row, (mu, value, error, _, _) in zip(table("c-conductivity"), expected):
        check(row[1] == float(mu) and abs(row[4] - float(value)) < 1e-4 and abs(row[5] - float(error)) < 1e-4, f"Hall {row}")
        check(abs(row[2] + row[4] - row[6]) < 1e-8, f"the sum {row}")
    Path("c.inp").write_text(HALL + "field = x\npotentials = -3:3:1\nfrequencies = 1 3\n")
    driver.expect(0, spectra, "c.inp", "--state", "c")
    rows = table("c-conductivity")
    for row, (mu, _, _, value, error) in zip(rows, expected):
        check(row[1] == float(mu) and abs(row[2] - float(value)) < 1e-4 and abs(row[3] - float(error)) < 1e-4, f"Greenwood {row}")
    found = blocks("c-optical")
    check(len(found) == 7 and [row[2] for row in found[3]] == [1, 3], "optical")
    # The gap is 2 * 3 sqrt(3) * 0.2 = 2.08.
    check(abs(found[3][0][3]) < 1e-3 and found[3][1][3] > 0.05, f"optical conductivities {found[3]}")
    driver.expect(0, spectra, "c.inp", "--state", "c")
    check(table("c-conductivity") == rows and Path("c-conductivity.h5").exists(), "resumed")
    driver.label = "signs of the spin-orbit hoppings"
    # The Hall conductivity is minus the Chern number: half the layers of k_z have -1 in the Weyl semimetal. With energies of
    # the spins, the lowest band of the Rashba model has nearly 1/2 below the edge of the upper one.
    for name, changes, mu, expected in (("weyl", {}, 0, 0.55), ("rashba", {"up   0 0": "up 0 0 1/2", "down 0 0": "down 0 0 -1/2"}, -4, -0.55)):
        text = (lattices / f"{name}.inp").read_text().split("[dos]")[0].replace("moments = 512", "moments = 64")
        for old, new in changes.items():
            check(old in text, f"{name}.inp has no {old}")
            text = text.replace(old, new)
        Path("c.inp").write_text(f"{text}[conductivity]\ncurrent = x\nfield = y\npotentials = {mu}\n")
        driver.expect(0, spectra, "c.inp", "--set", {"weyl": "L=8", "rashba": "L=24,S=1"}[name])
        row = table("c-conductivity")[0]
        check(abs(row[4] - expected) < 0.25, f"Hall conductivity of {name}: {row[4]}, about {expected} was expected")
    driver.label = "vacancies"
    # If one of two orbitals is missing in every cell, the other one alone has the conductivity of the crystal.
    text = "[crystal]\nvector = 1\norbital = s 0\n{more}hopping = s s 1 -1\ncells = 40\ndisorder = box 3\n{vacancies}[method]\nmoments = 32\n"
    text += "vectors = 4\nrealisations = 50\n[conductivity]\npotentials = 0 1\ntemperatures = 0.5\n"
    both = []
    for more, vacancies in (("", ""), ("orbital = p 1/2\n", "".join(f"vacancy = p {k}\n" for k in range(40)))):
        Path("c.inp").write_text(text.format(more=more, vacancies=vacancies))
        driver.expect(0, spectra, "c.inp")
        both.append(table("c-conductivity"))
    for (_, _, alone, error, *_), (_, _, other, its_error, *_) in zip(*both):
        off = (alone - other) / math.hypot(error, its_error)
        check(abs(off) < 4 and error < 0.05 * alone, f"{alone} and {other} differ by {off} errors")


def bessel(x):
    """J_0(x), by its integral over [0, pi], to which the rule of rectangles converges exponentially."""
    return sum(math.cos(x * math.sin(math.pi * (k + 0.5) / 200)) for k in range(200)) / 200


def packet(size, width, wave, times):
    """The mean squared distance of a Gaussian packet on a ring, by its sum over plane waves."""
    ways = [n - size if n > size / 2 else n for n in range(size)]
    start = [math.exp(-(n**2) / (4 * width**2)) * cmath.exp(2j * math.pi * wave * n) for n in ways]
    found = []
    amplitudes = [sum(a * cmath.exp(-2j * math.pi * m * n / size) for n, a in enumerate(start)) / size for m in range(size)]
    for t in times:
        now = [a * cmath.exp(2j * math.cos(2 * math.pi * m / size) * t) for m, a in enumerate(amplitudes)]
        weights = [abs(sum(a * cmath.exp(2j * math.pi * m * n / size) for m, a in enumerate(now))) ** 2 for n in range(size)]
        found.append(sum(w * n**2 for w, n in zip(weights, ways)) / sum(weights))
    return found


def test_evolution():
    driver.label = "evolution"
    # On a chain <x^2> = 2 t^2 and the amplitude at the start is J_0(2 t). The vectors have the length 2.
    text = "[crystal]\nvector = 0 2\norbital = s 1/2\nhopping = s s 1 -1\ncells = {size}\n{more}\n[method]\nrealisations = {count}\n"
    text += "[evolution]\nsite = s {site}\ntimes = 0:20:4 30\n"
    Path("e.inp").write_text(text.format(size=200, more="", site=3, count=1))
    driver.expect(0, spectra, "e.inp")
    for t, back, error, distance, distance_error, _, _ in table("e-evolution"):
        check(abs(back - bessel(2 * t) ** 2) < 1e-10 and abs(distance - 8 * t * t) < 1e-7, f"t = {t}: {back}, {distance}")
        check(error == distance_error == 0, "an exact result has an error")
    driver.label = "a packet"
    Path("e.inp").write_text(text.format(size=65, more="", site=3, count=1) + "width = 4*2\nwave = 0.2\n")
    driver.expect(0, spectra, "e.inp")
    rows = table("e-evolution")
    for row, expected in zip(rows, packet(65, 4, 0.2, [row[0] for row in rows])):
        check(abs(row[3] - 4 * expected) < 1e-8, f"t = {row[0]}: {row[3]}, expected {4 * expected}")
    driver.label = "disorder"
    Path("e.inp").write_text(text.format(size=400, more="disorder = box 8", site=3, count=8))
    driver.expect(0, spectra, "e.inp")
    rows = table("e-evolution")
    check(rows[0][1:] == [1, 0, 0, 0, 1, 0] and all(error > 0 for row in rows[1:] for error in row[2::2]), "errors")
    check(rows[-1][3] < 400 and rows[-1][5] < 40, "the packet is not localised")
    Path("e.inp").write_text(text.format(size=400, more="disorder = box 8", site=3, count=1))
    driver.expect(0, spectra, "e.inp")
    check(all(line[2] == line[4] == line[6] == "NaN" for line in driver.lines("e-evolution.dat")), "an unknown error is not NaN")
    driver.label = "a matrix"
    ring = "".join(f"{i + 1} {i} -1\n" for i in range(1, 100)) + "100 1 -1\n"
    Path("m.mtx").write_text("%%MatrixMarket matrix coordinate real symmetric\n100 100 100\n" + ring)
    Path("e.inp").write_text("[crystal]\nmatrix = m.mtx\n[evolution]\nsite = 5\ntimes = 0:20:4\n")
    driver.expect(0, spectra, "e.inp")
    for line in driver.lines("e-evolution.dat"):
        check(abs(float(line[1]) - bessel(2 * float(line[0])) ** 2) < 1e-10 and line[3] == "NaN", str(line))


def test_kernels():
    driver.label = "kernels"
    text = without((lattices / "graphene.inp").read_text(), "method")
    found = set()
    for lines in ("kernel = jackson", "kernel = lorentz", "kernel = lorentz 3", "kernel = fejer", "kernel = dirichlet", "seed = 5",
                  "start_vectors = gaussian", "bounds = lanczos 40", "bounds = interval -3.5 3.6", "margin = 0.1", "vectors = 3"):
        Path("k.inp").write_text(text + f"[method]\nmoments = 64\n{lines}\n")
        driver.expect(0, spectra, "k.inp", "--set", "L=16,W=1")
        found.add(tuple(row[1] for row in table("k-dos")))
    check(len(found) == 11, f"{len(found)} different tables")
    driver.label = "no numbers of states"
    Path("k.inp").write_text(text.replace("[dos]", "[dos]\nintegrated = no") + "[method]\nmoments = 16\nprecision = single\nblock_width = 2\n")
    driver.expect(0, spectra, "k.inp", "--backend", "cpu")
    check(all(len(row) == 3 for row in table("k-dos")), "columns")


def test_restarts():
    text = without((lattices / "graphene.inp").read_text(), "method")
    text += "[method]\nmoments = 2000\nvectors = 8\nrealisations = 4\nblock_width = 1\n[ldos]\nsite = A 1 2\nsite = B 3 4\n"
    Path("long.inp").write_text(text)
    long = (spectra, "long.inp", "--set", "L=48,W=1")
    driver.label = "killed"
    driver.expect(0, *long)
    whole = [Path(f"long-{task}.dat").read_bytes() for task in ("dos", "ldos")]
    kills = 0
    for pattern in ("s-dos.h5", "s-ldos-*.h5"):
        kills += driver.killed_when(lambda: any(Path().glob(pattern)), *long, "--state", "s")
    driver.expect(0, *long, "--state", "s")
    check([Path(f"long-{task}.dat").read_bytes() for task in ("dos", "ldos")] == whole, f"other tables after {kills} kills")
    check(kills > 0, "the program was not killed")
    driver.label = "out of time"

    def stopped(ended):
        has(r"^kpm_spectra: the time is over in \[l?dos\]; the same command goes on$", ended.stderr)
        check(not list(Path().glob("*.part")), "an unfinished file is left")

    stops, ended = driver.out_of_time(lambda minutes: driver.run(*long, "--state", "t", "--minutes", minutes), stopped)
    check(stops > 0 and ended.returncode == 0, f"{stops} stops, then {ended.returncode}: {ended.stderr}")
    check([Path(f"long-{task}.dat").read_bytes() for task in ("dos", "ldos")] == whole, f"other tables after {stops} stops")
    driver.label = "other runs"
    for old, new, message in (("moments = 2000", "moments = 1999", "moments 2000 there, 1999 here"), ("vectors = 8", "vectors = 9", "vectors 8 "),
                              ("realisations = 4", "realisations = 5", "realisations 4 there, 5 here"),
                              ("vectors = 8", "vectors = 8\nseed = 2", "seed 1 there, 2 here"), ("vectors = 8", "vectors = 8\nbounds = lanczos", "other parameters"),
                              ("hopping = A B  0  0  -1", "hopping = A B  0  0  -2", "t-dos.h5")):
        Path("other.inp").write_text(text.replace(old, new))
        ended = driver.run(spectra, "other.inp", *long[2:], "--state", "t")
        check(ended.returncode == 1 and "t-dos.h5" in ended.stderr and message in ended.stderr and ended.stderr.count("\n") == 1, ended.stderr)
    # Other sites are another run, with a file of its own.
    Path("other.inp").write_text(without(text, "dos").replace("site = A 1 2", "site = A 2 2").replace("moments = 2000", "moments = 20"))
    driver.expect(0, spectra, "other.inp", *long[2:], "--state", "t")
    check(len(list(Path().glob("t-ldos-*.h5"))) == 2, "state files of sites")


def test_plots():
    driver.label = "plots"
    scripts = sorted(Path().glob("*.gp"))
    check({"case-dos.gp", "case-ldos.gp", "n-electrons.gp"} <= {path.name for path in scripts}, str(scripts))
    for path in scripts:
        check(f'"{path.stem}.dat"' in path.read_text() and "set xlabel" in path.read_text(), path.name)


def test_help():
    driver.label = "help"
    output = driver.expect(0, spectra, "--help")[0]
    check(output.startswith("usage: kpm_spectra"), "help")
    # The example in the help runs.
    lines = output.splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith("  [crystal]"))
    last = next(i for i, line in enumerate(lines) if i > first and not line.strip())
    Path("help.inp").write_text("\n".join(lines[first:last]) + "\n")
    output = driver.expect(0, spectra, "--check", "help.inp")[0]
    check(output == "128 x 128 cells, 2 orbitals (A, B), 3 hoppings\n", output)
    check(not list(Path().glob("help-*")), "--check has written a file")


spectra, example, hall, folder = driver.start(3, "SPECTRA GRAPHENE HALL LATTICES")
lattices = Path(folder)
for test in (test_lattices, test_library, test_matrices, test_geometry, test_vacancies, test_electrons, test_spectral, test_conductivities,
             test_evolution, test_kernels, test_restarts, test_plots, test_help):
    test()
driver.end("kpm_spectra", least=40)
