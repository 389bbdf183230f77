#!/usr/bin/env python3
"""restart.py BUILD [KILLS]: saved runs go on with another number of ranks and another MPI, also after a rank was killed.

Their results are bitwise identical to those of an undisturbed run. When one rank is killed, all end within 10 seconds,
the program does not succeed, and no process is left.
"""
import os
import random
import signal
import subprocess
import time
from pathlib import Path

import launch
from launch import check, driver

STATE = Path("state.h5")
SECONDS = 10


class Kind:
    """Runs of vmc or ising by the programs of the MPIs."""

    def __init__(self, kind, mpis, programs):
        self.kind, self.mpis, self.programs = kind, mpis, programs
        self.whole = self.finish(mpis[0], 1)
        began = time.monotonic()
        self.finish(mpis[0], 3)
        self.seconds = time.monotonic() - began

    def command(self, mpi, ranks, *bins):
        return mpi.command(ranks, self.programs[mpi.name], self.kind, STATE, "result", *bins)

    def finish(self, mpi, ranks):
        """The result of the run, which begins anew if there is no state file."""
        was_saved = STATE.exists()
        ended = driver.run(*self.command(mpi, ranks), timeout=200)
        check(ended.returncode == 0, f"exit status {ended.returncode}: {ended.stdout} {ended.stderr[-300:]}")
        check(("computed 150 bins" in ended.stdout) != was_saved, f"it was saved: {was_saved}; {ended.stdout}")
        STATE.unlink(missing_ok=True)
        return launch.results("result", ranks)

    def resume(self, first, ranks, other, other_ranks):
        driver.label = f"{self.kind}: {ranks} ranks of {first.name}, then {other_ranks} of {other.name}"
        driver.cases += 1
        ended = driver.run(*self.command(first, ranks, 40), timeout=200)
        check(ended.returncode == 0 and STATE.exists(), f"exit status {ended.returncode}: {ended.stdout} {ended.stderr[-300:]}")
        check("computed 40 bins" in ended.stdout, ended.stdout)
        check(self.finish(other, other_ranks) == self.whole, "the result is not the same")

    def kill(self, mpi, ranks, other_ranks, chance):
        """Kills one rank after the first save. False if this rank has written its result or ended before."""
        driver.label = f"{self.kind}: one of {ranks} ranks of {mpi.name} killed, then {other_ranks} ranks"
        for path in Path().glob("pid.*"):
            path.unlink()
        with subprocess.Popen(self.command(mpi, ranks), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, start_new_session=True) as job:
            try:
                was_killed = self.kill_one_rank(job, ranks, chance)
            finally:
                if job.poll() is None:
                    os.killpg(job.pid, signal.SIGKILL)
        check(self.finish(mpi, other_ranks) == self.whole, "the result is not the same")
        launch.results("result", ranks)
        return was_killed

    def kill_one_rank(self, job, ranks, chance):
        while job.poll() is None and not STATE.exists():
            time.sleep(0.001)
        time.sleep(chance.uniform(0, 0.7 * self.seconds))
        pids = [int(Path(f"pid.{rank}").read_text()) for rank in range(ranks)]
        rank = chance.randrange(ranks)
        was_there = job.poll() is None and kill(pids[rank])
        last = time.monotonic() + SECONDS
        while time.monotonic() < last and (job.poll() is None or any(map(is_alive, pids))):
            time.sleep(0.01)
        check(job.poll() is not None, f"mpirun has not ended within {SECONDS} seconds")
        check(not any(map(is_alive, pids)), f"ranks are left after {SECONDS} seconds")
        if not was_there or Path(f"result.{rank}").exists():
            return False
        check(job.poll() != 0, "mpirun has succeeded")
        return True


def kill(pid):
    """Whether the process was there to be killed."""
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return False
    return True


def is_alive(pid):
    """Whether the process exists, and is not only waiting to be collected."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


def main():
    mpis, rest = launch.begin("restart.py BUILD [KILLS]")
    kills = int(rest[0]) if rest else 2
    programs = {mpi.name: mpi.program("steps") for mpi in mpis}
    kinds = [Kind(kind, mpis, programs) for kind in ("vmc", "ising")]
    for kind in kinds:
        for first, other in (mpis[0], mpis[-1]), (mpis[-1], mpis[0]):
            kind.resume(first, 4, other, 1)
            kind.resume(first, 4, other, 3)
    seed = random.randrange(1 << 30)
    print(f"  the moments of the kills have the seed {seed}")
    chance = random.Random(seed)
    for mpi in mpis:
        done = 0
        for number in range(3 * kills):
            if done < kills:
                done += kinds[number % 2].kill(mpi, *chance.choice(((4, 1), (3, 2), (2, 4))), chance)
        driver.label = mpi.name
        driver.cases += done
        check(done == kills, f"only {done} of {kills} kills have hit a running program")
    launch.end("mpi restart", mpis)


if __name__ == "__main__":
    main()
