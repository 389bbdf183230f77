#!/usr/bin/env bash
# same_spins.sh SERIAL LEGATO: checks that both programs have bitwise identical spins and measurements with the random
# numbers of the library. All files must have the same bytes.
set -eu
. "$(dirname "$(realpath "$0")")/../../driver.sh"
find_both "$@"
cd "$scratch"
runs=0 spins=0
# both LATTICE MODEL RUN: runs both programs and compares the files.
both() {
  local name kind
  for name in serial legato; do
    mkdir -p $name
    cat > run.inp <<INPUT
The same run
 \$lattice $1 \$end
 \$model $2 \$end
 \$run generator = 'philox', $3 \$end
 \$output configurations = T \$end
INPUT
    (cd $name && "${!name}" ../run.inp > out 2> err) || { echo "  both $*: $name: $(cat $name/err)"; bad=$((bad + 1)); return 0; }
  done
  if grep -q Philox legato/err; then echo "  both $*: $(cat legato/err)"; bad=$((bad + 1)); fi
  runs=$((runs + 1))
  spins=$((spins + $(grep -v '^#\|^beta' serial/ising_spins.dat | tr -cd '+-' | wc -c)))
  for kind in table series spins; do
    cmp -s serial/ising_$kind.dat legato/ising_$kind.dat || { echo "  both $*: $kind"; bad=$((bad + 1)); }
  done
}
short='thermalisation = 7, sweeps_per_measurement = 3, measurements_per_bin = 4, bins = 5'
both 'extents = 34, 62' 'betas = 0.44068679350977151' "seed = 1, $short"
both 'extents = 34, 62' 'betas = 0.1, 0.44068679350977151, 0.9' "seed = 2147483646, start = 'random', replicas = 3, $short"
both "extents = 66, 6, boundary = 'antiperiodic', 'periodic'" 'betas = 0.5, 0.4' "start = 'random', $short"
both "extents = 64, 10, boundary = 'periodic', 'antiperiodic'" 'betas = 0.5' "start = 'random', $short"
both "extents = 130, 4, boundary = 'antiperiodic', 'antiperiodic'" 'betas = 0.2, 0.6' "replicas = 2, $short"
both 'extents = 34, 62' 'betas = 0.3, 0.5, field = 0.3' "start = 'random', $short"
both 'extents = 4, 6' 'betas = 0.4, field = -1.7' "start = 'random', replicas = 5, $short"
both 'extents = 2, 2' 'betas = 0.4' "start = 'random', replicas = 5, $short"
both 'extents = 8, 8' 'betas = -0.4, 0.3' "start = 'random', $short"
both 'extents = 12, 8' 'betas = 1000.0, 1e-9, 1e-17' "start = 'random', $short"
both 'dimensions = 3, extents = 34, 6, 10' 'betas = 0.22165462, 0.3' "start = 'random', replicas = 2, $short"
both "dimensions = 3, extents = 8, 4, 6, boundary = 'antiperiodic', 'periodic', 'antiperiodic'" 'betas = 0.25' \
  "start = 'random', replicas = 4, $short"
both "dimensions = 3, extents = 66, 8, 4, boundary = 2*'periodic', 'antiperiodic'" 'betas = 0.2, field = 0.1' "$short"
both 'extents = 64, 64' 'betas = 0.3, 0.44, 0.6' 'start = '"'random'"', thermalisation = 0, measurements_per_bin = 100, bins = 10'
both 'extents = 256, 254' 'betas = 0.44' 'thermalisation = 100, sweeps_per_measurement = 20, measurements_per_bin = 2, bins = 5'
# If the input names another generator, the library says which random numbers it uses.
sed "s/'philox'/'park_miller'/" run.inp > other.inp
warned() { grep -cx 'legato warning: .* Philox, not .* generator = park_miller' err || true; }
"$legato" other.inp > out 2> err && [ "$(warned)" -eq 1 ] || wrong "another generator: $(cat err)"
LEGATO_LOG=error "$legato" other.inp > out 2> err && [ ! -s err ] || wrong "another generator, silently: $(cat err)"
"$serial" other.inp > out 2> err && [ ! -s err ] || wrong "another generator, serial: $(cat err)"
echo "same_spins: $runs runs, $spins spins at their ends, $bad files differ"
[ "$bad" -eq 0 ] && [ "$runs" -eq 15 ] && [ "$spins" -gt 100000 ]
