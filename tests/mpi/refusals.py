#!/usr/bin/env python3
"""refusals.py BUILD: what cannot be done is refused on every rank, with a message that says why. No rank waits for another."""
import re

import launch
from launch import check, driver

INVALID, MEMORY, NO_DEVICE, COMMUNICATION = 1, 2, 3, 11
# The case of tests/mpi/refusals.c, the status, and the message of every rank.
CASES = (
    ("freed", INVALID, r"legato_mpi_join: .*has been freed"),
    ("nonsense", INVALID, r"legato_mpi_join: this is not the Fortran handle of a communicator"),
    ("null", INVALID, r"legato_mpi_join: the communicator is MPI_COMM_NULL"),
    ("uninitialised", INVALID, r"legato_mpi_join: MPI is not initialised; call MPI_Init"),
    ("finalised", INVALID, r"legato_mpi_join: MPI is finalised"),
    ("twice", INVALID, r"context\.communicator: the context has a communicator already"),
    ("late", INVALID, r"rank 3 of 4: context\.communicator: set it before the first handle"),
    ("intercommunicator", INVALID, r"legato_mpi_join: an intercommunicator cannot be joined"),
    ("parameter", INVALID, r"vmc\.params\.delta: the ranks of the communicator differ: 1\.5 on rank 0, 0\.75 on rank 1"),
    ("call", INVALID, r"the ranks of the communicator do different work: rank 0 is at .*, rank 1 at "),
    ("failure", COMMUNICATION, r"vmc\.save: the communicator of this context has failed in an earlier call"),
    ("device", NO_DEVICE, r".*device: .*(CUDA|no NVIDIA driver)"),
    ("memory", MEMORY, r"rank 1 of 4: .*bytes"),
)


def test(mpi, program, case, status, message):
    driver.label = f"{mpi.name}, {case}"
    driver.cases += 1
    ended = mpi.run(4, program, case, timeout=60)
    check(driver.is_refusal(ended) or case == "finalised", f"exit status {ended.returncode}: {ended.stderr[-300:]}")
    said = dict(re.findall(r"^rank ([0-3]): status (.*)$", ended.stdout, re.M))
    check(len(said) == 4, f"only the ranks {sorted(said)} have a message: {ended.stdout} {ended.stderr[-300:]}")
    if status == COMMUNICATION:
        for rank in range(4):
            driver.has(f"legato_mpi: rank {rank} of 4: MPI_Allgather: .", ended.stderr)
    for rank, text in said.items():
        check(re.match(f"{status}: {message}", text), f"rank {rank}: {text}")


def main():
    mpis, wanted = launch.begin("refusals.py BUILD [CASE]...")
    for mpi in mpis:
        program = mpi.program("refusals")
        for case in CASES:
            if not wanted or case[0] in wanted:
                test(mpi, program, *case)
    launch.end("mpi refusals", mpis)


if __name__ == "__main__":
    main()
