#!/usr/bin/env python3
"""reproducible.py PROGRAM: the same input gives the same bytes, and another seed other numbers.

Vectors and realisations must not depend on their number. If two runs use one folder at the same time, one is refused.
"""
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
import driver  # noqa: E402
from driver import check, lines, rows  # noqa: E402

FILES = (Path("moments.dat"), Path("dos.dat"))


def disordered(vectors, nvec=3, nreal=2, seed=5):
    return f"""disordered
 $lattice lx = 11, ly = 9, lz = 7, bcz = 'open' $end
 $site onsite = 'gaussian', strength = 2.0 $end
 $kpm nmom = 40, nvec = {nvec}, nreal = {nreal}, vectors = '{vectors}', seed = {seed} $end
 $bounds method = 'given', lowest = -16.0, highest = 16.0 $end
"""


def compute(program, text):
    driver.succeed(program, text)
    return [file.read_bytes() for file in FILES]


def check_vectors(program, vectors):
    driver.label = vectors
    first, again = (compute(program, disordered(vectors)) for _ in range(2))
    check(again == first, "other bytes when run again")
    before = lines("moments.dat")
    compute(program, disordered(vectors, seed=6))
    check(lines("moments.dat") != before, "another seed, the same moments")
    # The mean of two samples is (a + b) / 2, and its error |a - b| / 2. The first sample is therefore mean + error or
    # mean - error.
    compute(program, disordered(vectors, 1, 1))
    one = rows("moments.dat")
    for name, nvec, nreal in ("vectors", 2, 1), ("realisations", 1, 2):
        compute(program, disordered(vectors, nvec, nreal))
        two = rows("moments.dat")
        check(len(one) == len(two) == 40 and all(abs(abs(a[1] - b[1]) - b[2]) < 1e-14 for a, b in zip(one, two))
              and all(row[2] > 0 for row in two[2:]), f"the first of two {name} is not the same alone")


def check_two_at_once(program):
    """Both would write the same files."""
    driver.label = "two runs at once"
    alone = compute(program, disordered("sign", 16000, 1))
    jobs = [subprocess.Popen([program, "run.inp"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            for _ in range(2)]
    messages = "".join(job.communicate()[1] for job in jobs)
    good = sum(job.returncode == 0 for job in jobs)
    check(good == 1, f"{good} succeeded")
    refusal = "kpmdos: moments.dat.part: another run is writing it"
    check(messages.splitlines().count(refusal) == 1, messages)
    check([file.read_bytes() for file in FILES] == alone, "other results")
    check(not list(Path().glob("*.part")), "files are left behind")


def main():
    program, = driver.start(1, "PROGRAM")
    for vectors in "sign", "gaussian", "uniform":
        check_vectors(program, vectors)
    check_two_at_once(program)
    driver.end("reproducible")


if __name__ == "__main__":
    main()
