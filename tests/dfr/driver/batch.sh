#!/usr/bin/env bash
# batch.sh BATCH SERIAL: compares dfratom_batch with dfratom_serial on the atoms of energies.dat, and in total energy on
# the elements of the basis library. Also tests atoms that fail beside others that do not, and wrong arguments.
# shellcheck disable=SC2016,SC2094 # $group is the input's; the list of atoms is only read
set -eu
. "$(dirname "$(realpath "$0")")/../../driver.sh"
batch=$(realpath "$1") serial=$(realpath "$2")
cd "$scratch"
export OPENBLAS_NUM_THREADS=1

# run STATUS ARGUMENT...: runs the program, which must exit with STATUS. Its output goes to the files out and err.
run() {
  local expected=$1 status=0
  shift
  cases=$((cases + 1))
  timeout 300 "$batch" "$@" > out 2> err < /dev/null || status=$?
  [ "$status" -eq "$expected" ] || wrong "exit status $status: $(head -c 300 err)"
}
# has PATTERN [FILE]: checks that the file has the pattern.
has() { grep -Eq -- "$1" "${2:-err}" || wrong "no \"$1\" in ${2:-err}: $(head -c 300 "${2:-err}")"; }
# row NAME: prints energy, virial ratio, iterations and status from the table.
row() { awk -v name="$1" '/^ Atom .* Status$/ { table = 1 } table && $1 == name { $1 = ""; print; exit }' out; }
# close A B RELATIVE: succeeds if both are numbers and agree.
close() {
  awk -v a="$1" -v b="$2" -v most="$3" 'BEGIN {
    number = "^-?[0-9]+[.][0-9]+$"
    if (a !~ number || b !~ number) exit 1
    d = a > b ? a - b : b - a; scale = b < 0 ? -b : b
    exit !(d <= most * scale) }'
}
# energy NAME EXPECTED STATUS: checks a row of the table.
energy() {
  local is status
  read -r is _ _ status <<< "$(row "$1")"
  close "$is" "$2" 1e-10 || wrong "$1: energy $is, expected $2"
  [ "$status" = "$3" ] || wrong "$1: $status, expected $3"
}
# Prints the output of dfratom from the results on, without iterations and times, and numbers with fewer digits.
results_of() {
  awk '/^ Total energy / { on = 1 } / s$/ || !NF { next }
    on { for (i = 1; i <= NF; ++i) if ($i ~ /^-?[0-9]+[.][0-9]+$/) $i = sprintf("%.*f", $i > 1e4 || $i < -1e4 ? 5 : 6, $i) + 0; print }' "$1"
}

label='the atoms of energies.dat'
names=() paths=()
while read -r name expected; do
  case $name in \#* | '') continue ;; esac
  case $expected in -[0-9]*) names+=("$name"); paths+=("$inputs/$name.inp") ;; esac
done < "$here/energies.dat"
[ ${#names[@]} -eq 9 ] || wrong "${#names[@]} atoms"
mkdir results
run 0 --output results "${paths[@]}"
has '^ 9 atoms, 9 converged,' out
while read -r name expected; do
  case $name in \#* | '') continue ;; esac
  case $expected in -[0-9]*) ;; *) continue ;; esac
  energy "$inputs/$name" "$expected" converged
  "$serial" "$inputs/$name.inp" > serial < /dev/null
  close "$(row "$inputs/$name" | awk '{ print $1 }')" "$(awk '/^ Total energy / { print $3 }' serial)" 1e-10 ||
    wrong "$name: another energy than the serial one"
  # The texts before the results are identical. The results agree to the digits that both have.
  diff <(sed '/^ Iteration /,$d' serial) <(sed '/^ Converged /,$d' "results/$name.out") || wrong "$name: other options"
  diff <(results_of serial) <(results_of "results/$name.out") || wrong "$name: other results"
done < "$here/energies.dat"

label='verbose'
run 0 -v "$inputs/he.inp" "$inputs/ne.inp"
[ "$(grep -c '^ Total energy ' out)" -eq 2 ] || wrong "not two results"
energy "$inputs/ne" -128.691968097 converged

label='the basis library'
run 0 --elements
has '^ 80 atoms, 80 converged,' out
has '^ Virial ratio: off from 1 by at most [0-9.]+E-0[5-9] \(Rn\)' out
has 'Not in the basis library: Ce Gd Tb Ho Yb$' out
awk '/^ Atom / { on = 1; next } !NF { exit }
  on { ++z; if (z == 1) z = 2; while (z == 58 || z == 64 || z == 65 || z == 67 || z == 70) ++z
    off = $3 - 1; if (off < 0) off = -off
    if ($5 != "converged" || !(off < 2e-5 * (z / 86)^4 + 2e-7) || !($2 < last)) { print; bad = 1 }
    last = $2; ++rows }
  END { exit bad || rows != 80 }' out || wrong "virial ratios or energies"
cp out all
run 0 --elements 2-86
diff <(sed '/ s$/d' all) <(sed '/ s$/d' out) || wrong "not the same as without a list"
run 0 --elements rn,He-ne,18
energy Rn -23610.758853903 converged
energy He -2.861813332 converged
energy Ar -528.684433595 converged
[ "$(awk '/^ Atom / { on = 1; next } !NF { exit } on { printf "%s ", $1 }' out)" = 'Rn He Li Be B C N O F Ne Ar ' ] || wrong "another order"

label='options of the elements'
run 0 --c 137.0359895 --nucmdl 3 --elements Xe
energy Xe -7446.892608307 converged
run 0 --nonrelativistic --elements Cr,79
energy Cr -1043.141750435 converged
energy Au -17865.399993887 converged
has '^ Virial ratio: off from 2 by at most' out
run 0 --nonrelativistic -v "$inputs/ne.inp"
energy "$inputs/ne" -128.547097540 converged
has '<p\^2/2>' out
run 0 --c 137.03599976 "$inputs/ne.inp"
energy "$inputs/ne" -128.691968076 converged
run 0 -v --elements 6
has '^   2p1/2 +0\.666667 .* open$' out

# One input of each kind. All that can be computed are computed.
label='bad ones among good ones'
sed 's/maxitr = 50/maxitr = 3/' "$inputs/c.inp" > slow.inp
sed 's/znuc = 6.0/znuc = six/' "$inputs/c.inp" > broken.inp
printf 'T\n $contrl jobtype = "energy" /\n $nuc znuc = 4 /\n $bas nsym = 1, bastype = "rdin" /\n2\n0.5\n0.5\n' > dependent.inp
printf ' $econfig nclose = 2 /\n $scf /\n' >> dependent.inp
printf 'T\n $contrl jobtype = "energy" /\n $nuc znuc = 6' > short.inp
cp "$inputs/ne.inp" "$inputs/he.inp" .
run 1 he.inp slow.inp broken.inp none.inp short.inp dependent.inp ne.inp
energy he -2.861813332 converged
energy ne -128.691968097 converged
[ "$(row slow | awk '{ print $4, $5 }')" = 'not converged' ] || wrong "slow: $(row slow)"
for name in broken none short; do [ "$(row $name)" = ' - - - refused' ] || wrong "$name: $(row $name)"; done
[ "$(row dependent)" = ' - - - failed' ] || wrong "dependent: $(row dependent)"
has 'slow: .*not converged after 3 iterations; last energy -37\.6'
has 'broken\.inp, line 3:.*znuc'
has 'none\.inp'
has 'short\.inp'
has 'dependent: .*failed'
[ "$(grep -c '^dfratom_batch: ' err)" -eq 5 ] || wrong "not five complaints: $(cat err)"
has '^ 7 atoms, 2 converged,' out
if grep -qi nan out; then wrong "NaN in the output"; fi
run 1 --elements Ne,Ce
has 'Ce: .*not in the basis library'
energy Ne -128.691968076 converged
run 1 --c 50 --elements Ne,Xe
has 'Xe: '
[ "$(row Ne | awk '{ print $4 }')" = converged ] || wrong "Ne: $(row Ne)"

# refused PATTERN ARGUMENT...: checks that one line gives the reason, and that nothing is computed.
refused() {
  local pattern=$1
  shift
  label="refused: $*"
  run 1 "$@"
  [ "$(wc -l < err)" -eq 1 ] || wrong "$(wc -l < err) lines: $(head -c 300 err)"
  has "$pattern"
  [ ! -s out ] || wrong "output: $(head -3 out)"
}
refused 'either'
refused 'either' --elements Ne ne.inp
refused 'either' -v
refused 'there is no option "--element"' --element
refused 'there is no option "-x"' -x ne.inp
refused '--c needs a value' ne.inp --c
for c in 0 -1 abc NaN 1e7 '' 1e400 Inf; do refused "--c" --c "$c" ne.inp; done
for model in 0 4 12 x ''; do refused "--nucmdl" --nucmdl "$model" --elements Ne; done
refused '--nucmdl needs --elements' --nucmdl 2 ne.inp
for list in Xx 0 119 -5 9-3 2- 2,,3 '2,' ',' '' 1e3 Hee 2-86-90 '*' 99999999999 '2 3'; do
  label="--elements $list"
  if [ "${list#-}" = "$list" ]; then refused '--elements' --elements "$list"; else refused 'there is no option' --elements "$list"; fi
done
refused 'none of these' --elements 87-118
refused 'needs a value' --elements Ne --output
refused 'two atoms would write' -o . ne.inp "$inputs/ne.inp"
refused 'two atoms would write' -o . --elements Ne,Ne
refused 'nowhere/ne\.out\.part: No such file' -o nowhere ne.inp
mkdir ne.out; refused 'ne\.out: it is a directory' -o . ne.inp; rmdir ne.out
label='a result of an earlier run'
echo old > dependent.out; echo old > ne.out; echo half > ne.out.part
run 1 -o . dependent.inp ne.inp; has 'dependent: there is no result; \./dependent\.out still has that of an earlier run'
[ "$(cat dependent.out)" = old ] || wrong 'dependent.out is touched'
has '^ Total energy +-128\.691968097' ne.out
[ "$(ls ./*.part 2> /dev/null)" = '' ] || wrong "$(ls ./*.part) left behind"
label='no result and none of an earlier run'; rm dependent.out
run 1 -o . dependent.inp; [ "$(wc -l < err)" -eq 2 ] || wrong "$(cat err)"; [ ! -e dependent.out ] || wrong 'there is one'
label='a folder that is full'; echo old > ne.out
printf '#!/bin/bash\nulimit -f 2; exec env --block-signal=XFSZ "%s" "$@"\n' "$batch" > full; chmod +x full
if env --block-signal=XFSZ true; then
  batch=./full run 1 -o . ne.inp; has 'ne\.out\.part: File too large'
  energy ne -128.691968097 converged
  [ "$(cat ne.out)" = old ] && [ ! -e ne.out.part ] || wrong 'ne.out is touched, or its part left behind'
fi
label='a list of which none is left'
sed 's/znuc *= *10.0/znuc = 0.5, nucmdl = 3, alpha = 1.0e9/; s/maxitr = [0-9]*/maxitr = 77/' ne.inp > light.inp
run 1 ne.inp light.inp; has 'light\.inp.*znuc = 0\.5'
energy ne -128.691968097 converged
[ "$(wc -l < err)" -eq 1 ] || wrong "$(wc -l < err) lines: $(head -c 300 err)"
label='a long name'
long=$(printf 'x%.0s' {1..200})
mkdir -p "$long/$long"; cp ne.inp "$long/$long/ne.inp"
run 0 "$long/$long/ne.inp"; energy "$long/$long/ne" -128.691968097 converged
label='a full disk'; cases=$((cases + 1))
if [ -e /dev/full ]; then
  if "$batch" ne.inp > /dev/full 2> err; then wrong "exit status 0"; fi
  has 'standard output: No space left'
fi
label=help; run 0 --help; has '^usage: ' out
label='a name like an option'; cp ne.inp ./-ne.inp; run 0 -- -ne.inp; energy -ne -128.691968097 converged
label='a backend that is none'; cases=$((cases + 1))
if LEGATO_BACKEND=none "$batch" ne.inp > out 2> err; then wrong "exit status 0"; fi
has 'LEGATO_BACKEND'
echo "batch: $cases cases, $bad complaints"
[ "$bad" -eq 0 ] && [ "$cases" -ge 60 ]
