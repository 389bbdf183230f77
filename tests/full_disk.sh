#!/usr/bin/env bash
# full_disk.sh BUILD: tests the serial programs and dfratom_batch of BUILD on a full disk. Each must exit with status 1 and name the
# file that it could not write. An earlier result must remain. The test is skipped if nothing can be mounted.
set -eu
build=$(realpath "$1") source=$(realpath "$(dirname "$(realpath "$0")")/..") disk=$(mktemp -d)
trap 'rmdir "$disk"' EXIT
unshare -m mount -t tmpfs tmpfs "$disk" 2> /dev/null || { echo "full_disk: skipped, nothing can be mounted"; exit 77; }

# on_full_disk DISK OLD-RESULT TMSEXD-INPUT PROGRAM...: runs the tests in a mount namespace.
on_full_disk() {
  mount -t tmpfs -o size=64k tmpfs "$1"
  cd "$1"
  echo old > "$2"
  cp "$3" tmseXd.inp
  local old=$2 status=0
  shift 3
  dd if=/dev/zero of=filler bs=1k 2> /dev/null || true
  { "$@" > /dev/null; } 2>&1 || status=$?
  echo "status $status, $(cat "$old") result"
}
export -f on_full_disk

bad=0
# check FILE OLD-RESULT PROGRAM...: checks a program that cannot write FILE.
check() {
  local file=$1 old=$2 said
  shift 2
  said=$(unshare -m bash -c 'on_full_disk "$@"' on_full_disk "$disk" "$old" "$source/legacy_drivers/tmm/inputs/1d.inp" "$@" 2>&1) || true
  grep -q "$file: No space left on device" <<< "$said" && grep -q '^status 1, old result$' <<< "$said" && return
  bad=$((bad + 1))
  echo "$*: $said"
}

inputs=$source/legacy_drivers serial=$build/legacy_drivers
check Avg-1D-W0001.raw before "$serial/tmm/tmsexd_serial"
check small_table.dat.part small_table.dat "$serial/ising/ising_mc_serial" "$inputs/ising/inputs/small.inp"
check moments.dat.part moments.dat "$serial/kpm/kpmdos_serial" "$inputs/kpm/inputs/chain.inp"
check vmc_energy.dat.part vmc_energy.dat "$serial/vmc/vmcrvb_serial" "$inputs/vmc/inputs/small.inp"
check he.out.part he.out "$build/programs/dfr/dfratom_batch" -o . "$inputs/dfr/inputs/he.inp"
[ $bad -eq 0 ] || exit 1
