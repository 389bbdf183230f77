#!/usr/bin/env python3
"""full_disk.py BUILD: the serial programs and dfratom_batch of BUILD on a full disk.

Each must exit with status 1 and name the file that it could not write. An earlier result must remain. The test is
skipped if nothing can be mounted.
"""
import sys
from pathlib import Path

import driver
from driver import check

# Runs a program in a mount namespace. Arguments: the earlier result, and the program with its arguments.
ON_FULL_DISK = """
mount -t tmpfs -o size=64k tmpfs disk && cp tmseXd.inp disk && cd disk && echo old > "$1" || exit
dd if=/dev/zero of=filler bs=1k 2> /dev/null
old=$1
shift
"$@" > /dev/null
echo "status $?, $(cat "$old") result"
"""
SERIAL = "legacy_drivers"
# The file that cannot be written, the earlier result, and the program with its arguments.
CASES = (("Avg-1D-W0001.raw", "before", f"{SERIAL}/tmm/tmsexd_serial"),
         ("small_table.dat.part", "small_table.dat", f"{SERIAL}/ising/ising_mc_serial", "ising/inputs/small.inp"),
         ("moments.dat.part", "moments.dat", f"{SERIAL}/kpm/kpmdos_serial", "kpm/inputs/chain.inp"),
         ("vmc_energy.dat.part", "vmc_energy.dat", f"{SERIAL}/vmc/vmcrvb_serial", "vmc/inputs/small.inp"),
         ("he.out.part", "he.out", "programs/dfr/dfratom_batch", "-o", ".", "dfr/inputs/he.inp"))


def main():
    build = Path(sys.argv[1]).resolve()
    driver.start(0, "BUILD")
    Path("disk").mkdir()
    if not driver.can_mount("disk"):
        print("full_disk: skipped, nothing can be mounted")
        sys.exit(77)
    Path("tmseXd.inp").write_text((driver.INPUTS / "tmm/inputs/1d.inp").read_text())
    for file, old, program, *arguments in CASES:
        driver.label = program
        arguments = [driver.INPUTS / each if each.endswith(".inp") else each for each in arguments]
        ended = driver.run("unshare", "-m", "sh", "-c", ON_FULL_DISK, "sh", old, build / program, *arguments)
        check(f"{file}: No space left on device" in ended.stderr, f"not named: {ended.stderr}")
        check(ended.stdout == "status 1, old result\n", ended.stdout + ended.stderr)
    driver.label = ""
    driver.end("full_disk")


if __name__ == "__main__":
    main()
