#!/usr/bin/env python3
"""reproducible.py PROGRAM: the same input gives the same bytes, and another seed other numbers.

Vectors and realisations must not depend on their number. If two runs use one folder at the same time, one is refused.
"""
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
import driver  # noqa: E402
from driver import check, number  # noqa: E402

FILES = (Path("moments.dat"), Path("dos.dat"))


def disordered(vectors, nvec=3, nreal=2, seed=5):
    return f"""disordered
 $lattice lx = 11, ly = 9, lz = 7, bcz = 'open' $end
 $site onsite = 'gaussian', strength = 2.0 $end
 $kpm nmom = 40, nvec = {nvec}, nreal = {nreal}, vectors = '{vectors}', seed = {seed} $end
 $bounds method = 'given', lowest = -16.0, highest = 16.0 $end
"""


def compute(program, text):
    """The files of a run, which are removed."""
    driver.succeed(program, text)
    return taken()


def taken():
    contents = [file.read_bytes() for file in FILES]
    for file in FILES:
        file.unlink()
    return contents


def numbers(files):
    """The rows of the file of moments."""
    return [list(map(number, line.split())) for line in files[0].decode().splitlines() if not line.startswith("#")]


def check_vectors(program, vectors):
    driver.label = vectors
    first, again = (compute(program, disordered(vectors)) for _ in range(2))
    check(again == first, "other bytes when run again")
    check(numbers(compute(program, disordered(vectors, seed=6))) != numbers(first), "another seed, the same moments")
    # The mean of two samples is (a + b) / 2, and its error |a - b| / 2. The first sample is therefore mean + error or
    # mean - error.
    one = numbers(compute(program, disordered(vectors, 1, 1)))
    for name, nvec, nreal in ("vectors", 2, 1), ("realisations", 1, 2):
        two = numbers(compute(program, disordered(vectors, nvec, nreal)))
        check(len(one) == len(two) == 40 and all(abs(abs(a[1] - b[1]) - b[2]) < 1e-14 for a, b in zip(one, two))
              and all(row[2] > 0 for row in two[2:]), f"the first of two {name} is not the same alone")


def check_two_at_once(program):
    """Both would write the same files."""
    driver.label = "two runs at once"
    alone = compute(program, disordered("sign", 16000, 1))
    jobs = [subprocess.Popen([program, "run.inp"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            for _ in range(2)]
    messages = "".join(job.communicate()[1] for job in jobs)
    statuses = sorted(job.returncode for job in jobs)
    check(statuses == [0, 1], f"exit statuses {statuses}")
    refusal = "kpmdos: moments.dat.part: another run is writing it"
    check(messages.splitlines().count(refusal) == 1, messages)
    check(taken() == alone, "other results")
    check(not list(Path().glob("*.part")), "files are left behind")


def main():
    program, = driver.start(1, "PROGRAM")
    for vectors in "sign", "gaussian", "uniform":
        check_vectors(program, vectors)
    check_two_at_once(program)
    driver.end("reproducible")


if __name__ == "__main__":
    main()
