#!/usr/bin/env bash
# limits.sh SERIAL LEGATO BATCH: tests that energies below the limit energy and electrons that are not bound are not
# accepted as results, and that the three programs have the same ranges and count the same functions.
# shellcheck disable=SC2094 # "serial" is the program, serial its output
set -eu
. "$(dirname "$(realpath "$0")")/../../driver.sh"
serial=$(realpath "$1") legato=$(realpath "$2") batch=$(realpath "$3")
cd "$scratch"
export OPENBLAS_NUM_THREADS=1 OMP_WAIT_POLICY=passive

# run EXPECTED PROGRAM ARGUMENT...
run() {
  local expected=$1 status=0
  shift
  cases=$((cases + 1))
  timeout 300 "$@" > out 2> err < /dev/null || status=$?
  [ "$status" -eq "$expected" ] || wrong "exit status $status: $(head -c 300 err)"
}
has() { grep -Eq -- "$1" "${2:-err}" || wrong "no \"$1\" in ${2:-err}: $(head -c 300 "${2:-err}")"; }
energy() { awk '/^ Total energy/ { print $3 }' out; }

# atom TITLE JOBTYPE ZNUC PARAMETERS NBS ECONFIG
atom() {
  cat << END
$1
 \$contrl jobtype = '$2' \$end
 \$nuc znuc = $3 \$end
 \$bas nsym = $(tr ',' '\n' <<< "$5" | wc -l), bastype = 'wtbs' \$end
 \$wtbs wtbspara = $4
       nbs = $5 \$end
 \$newuoa rhobeg = 0.1, rhoend = 1.0e-3 \$end
 \$econfig $6
 \$scf ixtrp = 1 \$end
END
}
one_p=$'nopen = 0, 1, freeel = 1, nconf = 1 $end\n1.0'
neon='nclose = 2, 1, 1 $end'
atom '2p1/2 without diffuse functions' energy 86 '30.0, 2.0, 4.5, 0.5' '1, 24' "$one_p" > collapsed.inp
atom '2p1/2 optimised from there' bsopt 86 '30.0, 2.0, 4.5, 0.5' '1, 24' "$one_p" > start.inp
atom '2p1/2 in a small basis' bsopt 86 '40.0, 3.0, 4.5, 1.0' '1, 12' "$one_p" > small.inp
atom 'Helium with ten electrons' energy 2 '0.15, 2.2, 4.5, 1.5' '12, 8, 8' "$neon" > ten.inp
atom 'Nearly dependent functions' energy 10 '0.02, 1.2, 4.5, 0.0' '80, 60, 60' "$neon" > dependent.inp

# -1070.0952476 by Dirac's formula.
for program in "$serial" "$legato"; do
  name=$(basename "$program")
  label="$name: collapsed"
  run 1 "$program" collapsed.inp
  has '^dfratom: the energy -1070\.10[0-9]+ is below the limit energy -1070\.09524[0-9]+: .* diffuse functions'
  has '^ COLLAPSED, below the limit energy' out; has '^ Total energy +-1070\.10' out
  if grep -q ' Converged' out; then wrong 'Converged'; fi
  label="$name: not bound"
  run 1 "$program" ten.inp
  has '^dfratom: the energy of an occupied spinor is positive'; has '^ NOT BOUND' out
  label="$name: no good start"
  run 1 "$program" start.inp
  has 'the energy -1070\.10[0-9]+ is below the limit energy -1070\.09524'
  label="$name: optimised"
  run 0 "$program" small.inp
  awk -v e="$(energy)" 'BEGIN { exit !(e >= -1070.0952477 && e < -1070) }' || wrong "$(energy)"
done
label='batch: collapsed'; run 1 "$batch" -v collapsed.inp
has '^dfratom_batch: collapsed: the energy -1070\.10[0-9]+ is below the limit energy -1070\.09524'
has '^ COLLAPSED' out; has '^ collapsed +-1070\.10.* below the limit$' out
label='batch: not bound'; run 1 "$batch" ten.inp; has 'ten: the energy of an occupied spinor is positive'; has '^ ten .* not bound$' out
label='batch: no good start'; run 1 "$batch" start.inp
has 'start: the optimisation has failed: the energy of its start -1070\.10[0-9]+ is below the limit energy -1070\.09524'
if grep -q ' 0\.000000000' out; then wrong 'an energy of 0'; fi
label='batch: optimised'; run 0 "$batch" -v small.inp
awk -v e="$(energy)" 'BEGIN { exit !(e >= -1070.0952477 && e < -1070) }' || wrong "$(energy)"

label='the same counts'
"$serial" dependent.inp > serial 2> err || true
"$batch" -v dependent.inp > out 2> err || true
grep 'left out' serial > a || wrong 'nothing left out'
grep 'left out' out > b || wrong 'nothing left out in batch'
diff a b || wrong 'other counts'

label='the same ranges'
for charge in 150 0.5 137.5; do
  sed "s/znuc = 10/znuc = $charge, nucmdl = 3, alpha = 1.0e8/" dependent.inp > range.inp
  for program in "$serial" "$legato" "$batch"; do run 1 "$program" range.inp; has "znuc = ${charge/./\\.}.*1\\.0\\.\\.137"; done
done
for c in 2e5 1e8; do
  sed "s/'energy'/'energy', c = $c/" dependent.inp > range.inp
  for program in "$serial" "$legato" "$batch"; do run 1 "$program" range.inp; has ': c = '; done
done
echo "limits: $cases cases, $bad complaints"
[ "$bad" -eq 0 ] && [ "$cases" -ge 27 ]
