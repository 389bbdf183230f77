#!/usr/bin/env python3
"""reference_numbers.py PROGRAM [slow]: averages against exact ones, in units of the standard error.

Those of 4 x 4 and 2 x 2 sites come from an enumeration of all configurations. "slow" adds 32 x 32 and 64 x 64 sites,
from B. Kaufman, Phys. Rev. 76, 1232 (1949).
"""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
import driver  # noqa: E402
from driver import check, rows  # noqa: E402

# The columns of the table. Each is followed by its error.
NAMES = {"<|m|>": 1, "chi": 3, "U": 5, "e": 7, "c": 9}
# For each beta the averages, each with a number that its error must not reach.
ENUMERATED = {
    0.3: {"<|m|>": (0.520358003, 2e-3), "chi": (1.389989531, 5e-3), "U": (0.412028291, 2e-3),
          "e": (-0.844054074, 3e-3), "c": (0.440992654, 3e-3)},
    0.4406868: {"<|m|>": (0.843860456, 2e-3), "chi": (0.788135280, 1e-2), "U": (0.617199323, 1e-3),
                "e": (-1.565623814, 3e-3), "c": (0.783266813, 6e-3)},
    0.6: {"<|m|>": (0.972867450, 5e-4), "chi": (0.102831716, 4e-3), "U": (0.660753564, 2e-4),
          "e": (-1.908069528, 2e-3), "c": (0.315553797, 7e-3)}}
ENUMERATED_FOUR = {
    0.1: {"<|m|>": (0.487101361, 1e-3), "chi": (0.538232484, 2e-3), "U": (0.311971050, 1e-3),
          "e": (-0.409507459, 3e-3), "c": (0.042627662, 2e-4)},
    0.3: {"<|m|>": (0.760970947, 1e-3), "chi": (0.493848442, 2e-3), "U": (0.555127606, 1e-3),
          "e": (-1.277612005, 3e-3), "c": (0.347521776, 1e-3)}}
# Length, algorithm, generator, replicas, measurements and averages. In a quarter of the states of 2 x 2 sites no flip
# changes the energy. Metropolis leaves these states slowly.
SAMPLES = (*((4, "metropolis", generator, 4, 2000, ENUMERATED)
             for generator in ("marsaglia_zaman", "park_miller", "park_miller_48271", "philox")),
           *((4, algorithm, "marsaglia_zaman", 32, 500, ENUMERATED) for algorithm in ("demon_naive", "demon_binomial")),
           *((2, algorithm, "marsaglia_zaman", 32, 1000, ENUMERATED_FOUR)
             for algorithm in ("demon_naive", "demon_binomial")))
SLOW = ((32, "metropolis", "marsaglia_zaman", 4, 20000,
         {0.40: {"e": (-1.107291661, 5e-4), "c": (0.8858125, 5e-3)},
          0.4406868: {"e": (-1.433658528, 2e-3), "c": (1.8467674, 2e-2)}}),
        (64, "metropolis", "marsaglia_zaman", 4, 5000, {0.46: {"e": (-1.581175865, 5e-4), "c": (1.2536903, 2e-2)}}),
        (32, "demon_binomial", "marsaglia_zaman", 32, 1000,
         {0.40: {"e": (-1.107291661, 1e-3), "c": (0.8858125, 1e-2)}}))


def compare(program, deviations, length, algorithm, generator, replicas, measurements, expected):
    driver.label = f"L = {length}, {algorithm}, {generator}"
    output = driver.succeed(program, f"""{driver.label}
 $lattice extents = {length}, {length} $end
 $model betas = {", ".join(map(str, expected))} $end
 $run algorithm = '{algorithm}', generator = '{generator}', start = 'random', replicas = {replicas},
   thermalisation = 2000, measurements_per_bin = {measurements}, bins = 32 $end
 $output plotname = 'run', time_series = F $end
""")
    check("warning" not in output, output)
    for row, (beta, averages) in zip(rows("run_table.dat"), expected.items(), strict=True):
        check(abs(row[0] - beta) < 1e-9, f"beta is {row[0]}, expected {beta}")
        for name, (known, largest) in averages.items():
            value, error = row[NAMES[name]:NAMES[name] + 2]
            check(0 < error < largest, f"beta = {beta}, {name}: error {error}")
            deviations.add(f"beta = {beta}, {name}", value, known, error)


def check_cold(program, algorithm):
    """exp(beta E) overflows for some or all levels. No demon has energy, and all spins stay up."""
    driver.label = f"cold, {algorithm}"
    driver.succeed(program, f"""{driver.label}
 $lattice extents = 4, 4 $end
 $model betas = 44, 45, 50, 200, 1000 $end
 $run algorithm = '{algorithm}', thermalisation = 100, measurements_per_bin = 10 $end
 $output plotname = 'run', time_series = F $end
""", timeout=20)
    table = rows("run_table.dat")
    check(len(table) == 5 and all((row[1], row[3], row[7], row[9]) == (1, 0, -2, 0) for row in table),
          f"other numbers than those of spins that all are up: {table}")


def main():
    program, *slow = driver.start(1, "PROGRAM [slow]")
    deviations = driver.Deviations()
    for sample in SAMPLES + (SLOW if slow == ["slow"] else ()):
        compare(program, deviations, *sample)
    for algorithm in "metropolis", "demon_naive", "demon_binomial", "demon_microcanonical":
        check_cold(program, algorithm)
    driver.label = ""
    driver.end("reference_numbers", deviations)


if __name__ == "__main__":
    main()
