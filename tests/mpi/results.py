#!/usr/bin/env python3
"""results.py BUILD: results of all methods are bitwise identical for every MPI and number of ranks and threads.

So are those of programs that share a problem among some of their ranks only, and of programs in Fortran.
"""
import itertools
import re

import launch
from launch import check, driver


def run(mpi, ranks, *words, name, **environment):
    """The set of what the ranks have written, and the messages."""
    driver.cases += 1
    driver.label = f"{mpi.name}, {ranks} ranks, {words[0].name} {environment}"
    ended = mpi.run(ranks, *words, **({"LEGATO_LOG": "error"} | environment))
    check(ended.returncode == 0, f"exit status {ended.returncode}: {ended.stdout} {ended.stderr}")
    return launch.results(name, ranks), ended.stderr


def all_methods(mpis):
    """The results of one rank of the first MPI are those of all."""
    programs = {mpi.name: mpi.program("results") for mpi in mpis}
    expected = None
    for mpi, ranks, threads in itertools.product(mpis, (1, 2, 3, 4), ("1", "2")):
        written, messages = run(mpi, ranks, programs[mpi.name], "file", name="file", LEGATO_NUM_THREADS=threads)
        expected = expected or written
        check(written == expected, f"the results differ: {len(written)} texts")
        check("legato" not in messages, messages)
    text = next(iter(expected)).decode()
    check(all(len(re.findall(f"^{method}.* -?0x", text, re.M)) >= 2 for method in ("tmm", "kpm", "vmc", "ising", "dfr")),
          f"a method is missing in: {text[:2000]}")


def parts_of_the_world(mpi):
    """Halves of the ranks, a context that outlives MPI, many pieces of data, and ranks that do not join."""
    whole, pieces = mpi.program("programs"), mpi.program("programs", "-DLEGATO_MPI_CHUNK=61")
    expected, _ = run(mpi, 1, whole, "finalised", name="finalised")
    for ranks, program, case in ((4, whole, "halves"), (3, whole, "halves"), (3, whole, "finalised"), (3, pieces, "chunks")):
        written, _ = run(mpi, ranks, program, case, name=case)
        check(written == expected, f"{case}: the results differ")
    written, messages = run(mpi, 3, whole, "alone", name="alone", LEGATO_LOG="warning")
    check(written == expected, "alone: the results differ")
    check(len(re.findall("^legato warning: .*3 processes.*legato_mpi_join", messages, re.M)) == 1,
          f"not one warning: {messages}")


def fortran(mpi):
    """Both contexts have the same results on all ranks. A second communicator is refused."""
    program = mpi.fortran_program("client")
    expected, _ = run(mpi, 1, program, name="client")
    for ranks in 2, 3:
        check(run(mpi, ranks, program, name="client")[0] == expected, "the results differ")
    first, second, refused = next(iter(expected)).decode().splitlines()
    check(first == second and re.fullmatch(" [0-9A-F]{16} [0-9A-F]{16}", first), f"not twice the same: {first}, {second}")
    check(re.match("1 .*before the first handle", refused), refused)


def main():
    mpis, _ = launch.begin("results.py BUILD")
    all_methods(mpis)
    for mpi in mpis:
        parts_of_the_world(mpi)
        fortran(mpi)
    launch.end("mpi results", mpis)


if __name__ == "__main__":
    main()
