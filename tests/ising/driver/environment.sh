#!/usr/bin/env bash
# environment.sh PROGRAM: what the environment asks of the program on the library, and what that says.
set -eu
program=$(realpath "$1")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
fail() { echo "environment: $*" >&2; exit 1; }
cat > run.inp <<'INPUT'
A few lattices
 $lattice extents = 34, 16 $end
 $model betas = 0.1, 0.2 $end
 $run replicas = 5, thermalisation = 500, measurements_per_bin = 200, bins = 4 $end
INPUT
LEGATO_LOG=info "$program" run.inp > out 2> err || fail "$(cat err)"
grep -q '^legato info: ising: backend' err || fail "the backend is not told: $(cat err)"
LEGATO_BACKEND=cpu LEGATO_NUM_THREADS=1 "$program" run.inp > out 2> err || fail "$(cat err)"
[ ! -s err ] || fail "not silent: $(cat err)"
cp ising_table.dat first
LEGATO_BACKEND=cpu LEGATO_NUM_THREADS=2 "$program" run.inp > out || fail "two threads"
cmp -s ising_table.dat first || fail "other numbers with two threads"
refused="LEGATO_BACKEND=gpu LEGATO_NUM_THREADS=many LEGATO_LOG=loud LEGATO_DEVICE=first"
[ -e /dev/nvidia0 ] || refused="$refused LEGATO_BACKEND=cuda"
for setting in $refused; do
  if env "$setting" "$program" run.inp > out 2> err; then fail "$setting was accepted"; fi
  [ "$(wc -l < err)" -eq 1 ] && grep -q '^legato: ' err || fail "$setting: $(cat err)"
  cmp -s ising_table.dat first || fail "$setting: the files of the run before are touched"
done
