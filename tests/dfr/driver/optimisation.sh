#!/usr/bin/env bash
# optimisation.sh BATCH SERIAL: tests basis sets that dfratom_batch optimises and reduces. It compares them with the
# optimisation of dfratom_serial. A run that is killed and resumed must give the same numbers. State files that do not
# fit are refused.
# shellcheck disable=SC2094 # "serial" is the program, serial its output
set -eu
. "$(dirname "$(realpath "$0")")/../../driver.sh"
batch=$(realpath "$1") serial=$(realpath "$2")
cd "$scratch"
export OPENBLAS_NUM_THREADS=1 OMP_WAIT_POLICY=passive

run() {
  local expected=$1 status=0
  shift
  cases=$((cases + 1))
  timeout 300 "$batch" "$@" > out 2> err < /dev/null || status=$?
  [ "$status" -eq "$expected" ] || wrong "exit status $status: $(head -c 300 err)"
}
has() { grep -Eq -- "$1" "${2:-err}" || wrong "no \"$1\" in ${2:-err}: $(head -c 300 "${2:-err}")"; }
# Prints what is the same in every run: everything but the times.
steady() { sed '/ converged, .* s$/d' "$1"; }

# optimised FILE: prints from the table the energies at the start and at the end, the height above the limit, the number
# of energies, and the status.
optimised() { awk -v name="$1" '/^ Basis set / { on = 1 } on && $1 == name { $1 = ""; print }' out; }

cp "$inputs/he_bsopt.inp" he.inp
# neon TITLE: writes an input with few functions, which is quick.
neon() {
  cat << END
$1
 \$contrl jobtype = 'bsopt' \$end
 \$nuc znuc = 10 \$end
 \$bas nsym = 3, bastype = 'wtbs' \$end
 \$wtbs wtbspara = 0.2, 2.4, 4.5, 1.0
       nbs = 9, 5, 5 \$end
 \$newuoa rhobeg = 0.1, rhoend = 1.0e-4, iprint = 0, maxfun = 400 \$end
 \$econfig nclose = 2, 1, 1 \$end
 \$scf \$end
END
}
neon Neon > ne.inp

label='against dfratom'
run 0 -o . he.inp
"$serial" he.inp > serial
read -r begin end above number status <<< "$(optimised he)"
[ "$status" = converged ] || wrong "$status"
awk -v a="$end" -v b="$(awk '/^ Total energy/ { print $3 }' serial)" -v begin="$begin" -v above="$above" -v number="$number" 'BEGIN {
  exit !(a ~ /^-2[.]8618/ && (a - b)^2 < 4e-18 && begin > a + 1e-5 && above > 1e-6 && above < 1e-5 && number > 50) }' ||
  wrong "$begin $end $above $number"
has '^ newuoa: ended after [0-9]+ energies: converged$' he.out
diff <(sed '/^ newuoa/,$d; /^$/d' serial) <(sed '/^ newuoa/,$d; /^$/d' he.out) || wrong "other options"
diff <(awk '/^ Total energy/' serial) <(awk '/^ Total energy/' he.out) || wrong "another energy"

label='every energy'
sed 's/iprint = 1/iprint = 3/' he.inp > all.inp
run 0 -v all.inp
number=$(optimised all | awk '{ print $4 }')
[ "$(grep -c '^ newuoa: call ' out)" -eq "$number" ] || wrong "$(grep -c '^ newuoa: call ' out) lines for $number energies"

label='beside others'
run 0 he.inp ne.inp "$inputs/he.inp"
cp out together
optimised ne | grep -q ' converged$' || wrong "ne: $(optimised ne)"
run 0 he.inp
diff <(awk '/^ Basis set /, 0' out) <(awk '/^ Basis set /, 0' together | head -n "$(awk '/^ Basis set /, 0' out | wc -l)") ||
  wrong "another basis than alone"

label='maxfun comes first'
sed 's/maxfun = 500/maxfun = 7/' he.inp > short.inp
run 1 short.inp
has 'short: the optimisation has not converged after 7 energies; the best is -2\.8617'
optimised short | grep -q ' 7 not converged$' || wrong "$(optimised short)"
# The output of dfratom, and the parameters so far.
label='maxfun comes first, dfratom'; cases=$((cases + 1))
sed 's/iprint = 1/iprint = 0/' short.inp > silent.inp
for name in short silent; do
  status=0
  "$serial" $name.inp > serial 2> err || status=$?
  [ "$status" -eq 1 ] || wrong "$name: exit status $status"
  [ "$(wc -l < err)" -eq 1 ] || wrong "$name: $(wc -l < err) lines: $(head -c 300 err)"
  has '^dfratom: the optimisation has not converged after 7 energies; the best is -2\.8617'
  grep -A 1 '^ Optimised parameters' serial | grep -q wtbspara || wrong "$name: no parameters"
  [ "$(awk '/^ Total energy/ { print $3 }' serial)" = "$(awk '{ print $NF }' err)" ] || wrong "$name: not the best energy"
done
label='no start'
sed 's/wtbspara = 0.1, 2.0/wtbspara = 1.0e7, 90.0/' he.inp > bad.inp
run 1 bad.inp he.inp
[ "$(grep -c '^dfratom_batch: ' err)" -ge 1 ] || wrong "no complaint"
optimised he | grep -q ' converged$' || wrong "he: $(optimised he)"

label='a list of which none is left'
sed 's/znuc *= *[0-9.]*/znuc = 120/; s/maxitr = [0-9]*/maxitr = 77/' he.inp > light.inp
run 1 light.inp he.inp; has 'light: .*limit: 0, but for a relativistic point nucleus'
optimised he | grep -q ' converged$' || wrong "he: $(optimised he)"
label='an input that the library alone refuses, with a state'
maxitr=$(sed -n 's/.*maxitr = \([0-9]*\).*/\1/p' he.inp); sed "s/maxitr = 77/maxitr = $maxitr/" light.inp > refused.inp
run 1 --state fresh refused.inp he.inp; has 'refused: .*limit: 0'; has 'no optimisation begins'
[ ! -e fresh ] || wrong "a state was written"
label='few iterations'
sed 's/maxitr = [0-9]*/maxitr = 2/' he.inp > hasty.inp
run 1 hasty.inp he.inp; has 'hasty: the optimisation has failed: its start gives no good energy'
optimised he | grep -q ' converged$' || wrong "he: $(optimised he)"
run 1 --reduce hasty.inp; has 'hasty: the reduction has failed: its start gives no good energy'
label='a long name'
long=$(printf 'x%.0s' {1..200})
mkdir -p "$long/$long"; cp short.inp "$long/$long/short.inp"
run 1 "$long/$long/short.inp"; optimised "$long/$long/short" | grep -q ' 7 not converged$' || wrong "$(optimised "$long/$long/short")"

# Nine groups have 36 parameters.
label='many groups'
cat > groups.inp << 'END'
Nine groups
 $contrl jobtype = 'bsopt' $end
 $nuc znuc = 10 $end
 $bas nsym = 9, bastype = 'wtbs', ngroup = 9 $end
 $wtbs wtbspara = 0.15, 2.2, 4.5, 1.5, 0.15, 2.2, 4.5, 1.5, 0.15, 2.2, 4.5, 1.5
                  0.15, 2.2, 4.5, 1.5, 0.15, 2.2, 4.5, 1.5, 0.15, 2.2, 4.5, 1.5
                  0.15, 2.2, 4.5, 1.5, 0.15, 2.2, 4.5, 1.5, 0.15, 2.2, 4.5, 1.5
       nbs = 8, 6, 6, 6*2, groups = 1, 2, 3, 4, 5, 6, 7, 8, 9 $end
 $newuoa rhobeg = 0.1, rhoend = 1.0e-4, iprint = 3, maxfun = 2 $end
 $econfig nclose = 2, 1, 1 $end
 $scf $end
END
run 1 -v groups.inp
[ "$(grep -c '^ newuoa: call ' out)" -eq 2 ] || wrong "$(grep -c '^ newuoa: call ' out) energies"
"$serial" groups.inp > serial 2> err || true
[ "$(grep -c '^ newuoa: call ' serial)" -eq 2 ] || wrong "dfratom: $(grep -c '^ newuoa: call ' serial) energies, $(head -c 300 err)"

# killed_until_done ARGUMENT...: kills the run again and again, each time later, and resumes it.
killed_until_done() {
  local seconds status killed=0
  for seconds in 0.02 0.05 0.1 0.2 0.5 1 2 3 5 10 20 60 120; do
    status=0
    timeout -s KILL $seconds "$batch" "$@" > out 2> err < /dev/null || status=$?
    if [ $status -ne 137 ]; then
      [ $killed -gt 0 ] || wrong "done before it was killed"
      return 0
    fi
    killed=$((killed + 1))
  done
  wrong "never done: $(head -c 300 err)"
}
label='killed and taken up again'
neon 'Neon, slowly' | sed 's/rhoend = 1.0e-4/rhoend = 1.0e-5/; s/maxfun = 400/maxfun = 120/' > slow.inp
sed 's/znuc = 10/znuc = 11/; s/Neon/Sodium ion/' slow.inp > ion.inp
cases=$((cases + 1))
timeout 300 "$batch" slow.inp ion.inp > uninterrupted 2> err || true
killed_until_done --state state slow.inp ion.inp 2> killed
diff <(steady uninterrupted) <(steady out) || wrong "other numbers"
label='a state that is done'; run 1 --state state slow.inp ion.inp; diff <(steady uninterrupted) <(steady out) || wrong "other numbers"

label='state files that do not fit'
cp state before
run 1 --state state slow.inp; has 'more basis sets than there are inputs'
run 1 --state state ion.inp he.inp; has 'must have the same'
run 1 --state state slow.inp ion.inp slow.inp; has 'is not that of slow'
sed 's/nbs = 9, 5, 5/nbs = 9, 6, 6/' slow.inp > other.inp; run 1 --state state other.inp ion.inp; has 'is not that of other'
sed 's/0\.2, 2\.4/0.2, 2.5/' slow.inp > other.inp; run 1 --state state other.inp ion.inp; has 'is not that of other'
sed 's/maxfun = 120/maxfun = 121/' slow.inp > other.inp
sed 's/maxfun = 120/maxfun = 121/' ion.inp > other_ion.inp
run 1 --state state other.inp other_ion.inp; has 'another rhobeg, rhoend or maxfun'
run 1 --nonrelativistic --state state slow.inp ion.inp; has 'nonrelativistic'
cmp -s state before || wrong "the state has changed"
run 1 --state state slow.inp none.inp; has 'no optimisation begins'
run 1 --state new "$inputs/he.inp"; has 'no input has jobtype'
sed 's/znuc = 10/znuc = 12/; s/znuc = 11/znuc = 13/' slow.inp > other.inp
run 1 --state state other.inp ion.inp; has 'is not that of other'
sed 's/nclose = 2, 1, 1/nclose = 2, 1, 0/' slow.inp > other.inp
run 1 --state state other.inp ion.inp; has 'is not that of other'
cmp -s state before || wrong "the state has changed"
head -c 3000 state > part; run 1 --state part slow.inp ion.inp; has 'part'
echo text > text; run 1 --state text slow.inp ion.inp; has 'text'
run 1 --state nowhere/state he.inp; has 'nowhere'
run 1 --state . he.inp; [ -s err ] || wrong "no message"

# Helium from 16 functions.
label=reduction
sed 's/nbs = 10/nbs = 14/; s/rhoend = 1.0e-6/rhoend = 1.0e-4/; s/maxfun = 500/maxfun = 200/' he.inp > reduced.inp
run 0 --reduce --accuracy 1e-6 -o . reduced.inp
has '^ Reduction of reduced$' out
has '^   whole set +-2\.86181[0-9]+ ' out
awk '/^   s to / { ok = $3 >= 8 && $3 < 14 && $5 > 0 && $5 <= 1e-6 } END { exit !ok }' out || wrong "$(grep 's to' out)"
to=$(awk '/^   s to / { print $3 }' out)
has "^   nbs           = $to\$" out
has "^   s1/2   $to functions" reduced.out
cp out uninterrupted
label='reduction, killed and taken up again'; cases=$((cases + 1))
killed_until_done --reduce --accuracy 1e-6 --state reduction reduced.inp 2> killed
diff <(steady uninterrupted) <(steady out) || wrong "other numbers"
run 1 --reduce --accuracy 1e-7 --state reduction reduced.inp; has 'another reduction'
sed 's/znuc *= *2[.0]*/znuc = 3.0/' reduced.inp > other.inp
run 1 --reduce --accuracy 1e-6 --state reduction other.inp; has 'it belongs to another nucleus, configuration or start'
sed 's/wtbspara = 0\.1,/wtbspara = 0.11,/' reduced.inp > other.inp
run 1 --reduce --accuracy 1e-6 --state reduction other.inp; has 'it belongs to another nucleus, configuration or start'
run 1 --state reduction reduced.inp; [ -s err ] || wrong "no message"
run 1 --reduce --state state reduced.inp; [ -s err ] || wrong "no message"
label='reductions that cannot be'
run 1 --reduce --accuracy 1e-12 reduced.inp; has 'not within the accuracy'
run 1 --reduce ne.inp; has 'needs ngroup = 1, and the same nbs'
run 1 --reduce "$inputs/he.inp"; has "needs jobtype"
run 1 --reduce --elements He; has 'need input files'
run 1 --state x --elements He; has 'need input files'
run 1 --accuracy 1e-6 he.inp; has '--accuracy needs --reduce'
run 1 --reduce --accuracy 2 he.inp; has '--accuracy'
run 1 --reduce --state x he.inp reduced.inp; has 'one input file'
echo "optimisation: $cases cases, $bad complaints"
[ "$bad" -eq 0 ] && [ "$cases" -ge 45 ]
