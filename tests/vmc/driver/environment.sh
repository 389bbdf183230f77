#!/usr/bin/env bash
# environment.sh PROGRAM: what the environment asks of the program on the library, and what that says.
set -eu
program=$(realpath "$1")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
fail() { echo "environment: $*" >&2; exit 1; }
cat > run.inp <<'INPUT'
Two holes
 $model L = 5 $end
 $sampling nMarkov = 4, neqlsweeps = 20, nsweeps = 200, nbins = 4 $end
INPUT
LEGATO_LOG=info "$program" run.inp > out 2> err || fail "$(cat err)"
grep -q '^legato info: vmc: backend' err || fail "the backend is not told: $(cat err)"
LEGATO_BACKEND=cpu LEGATO_NUM_THREADS=1 "$program" run.inp > out 2> err || fail "$(cat err)"
[ ! -s err ] || fail "not silent: $(cat err)"
cp vmc_averages.dat first
LEGATO_BACKEND=cpu LEGATO_NUM_THREADS=2 "$program" run.inp > out || fail "two threads"
cmp -s vmc_averages.dat first || fail "other numbers with two threads"
refused="LEGATO_BACKEND=gpu LEGATO_NUM_THREADS=many LEGATO_LOG=loud LEGATO_DEVICE=first"
[ -e /dev/nvidia0 ] || refused="$refused LEGATO_BACKEND=cuda"
for setting in $refused; do
  if env "$setting" "$program" run.inp > out 2> err; then fail "$setting was accepted"; fi
  [ "$(wc -l < err)" -eq 1 ] && grep -q '^legato: ' err || fail "$setting: $(cat err)"
  cmp -s vmc_averages.dat first || fail "$setting: the files of the run before are touched"
done
