#!/usr/bin/env bash
# reproducible.sh PROGRAM: checks that the same input gives the same bytes, and another seed other numbers. A chain must
# not depend on the number of chains, nor on whether they are counted as chains or as seeds. Files must have the given
# name. selfrac has no effect.
set -eu
. "$(dirname "$(realpath "$0")")/../../driver.sh"
find_program "$@"
cd "$scratch"
# input NAME NMARKOV NAVESEEDS SEED [SELFRAC]: writes an input.
input() {
  cat > "$1.inp" <<INPUT
Two holes
 \$model L = 5 \$end
 &sampling nMarkov = $2, naveseeds = $3, iseedseed = $4, neqlsweeps = 20, nsweeps = 300, nbins = 6, neifrac = 0.3,
    selfrac = ${5:-0.75} &end
 \$output plotname = '$1' /
INPUT
  "$program" "$1.inp" > "$1.out"
}

input first 3 2 5
input again 3 2 5
input six 6 1 5
input select 3 2 5 0.1
input other 3 2 6
input one 1 1 5
for kind in energy averages chains; do
  sed 's/again/first/' again_$kind.dat | cmp -s - first_$kind.dat || wrong "$kind: other bytes when run again"
  for name in six select; do
    cmp -s <(numbers first_$kind.dat) <(numbers ${name}_$kind.dat) || wrong "$kind: other numbers in $name"
  done
  if cmp -s <(numbers first_$kind.dat) <(numbers other_$kind.dat); then wrong "$kind: another seed, the same numbers"; fi
done
cmp -s <(numbers first_chains.dat | head -1) <(numbers one_chains.dat) || wrong "the first of six chains is not the same alone"
[ "$(numbers first_chains.dat | awk '{ print $2 }' | sort -u | wc -l)" -eq 6 ] || wrong "two chains are the same"
[ "$(numbers first_energy.dat | wc -l)" -eq 6 ] || wrong "$(numbers first_energy.dat | wc -l) bins"
# The mean up to the last bin must be that of the averages, with its error.
paste <(numbers first_energy.dat | tail -1) <(numbers first_averages.dat | head -1) | awk '
  { d = $4 - $7; e = $5 / $8 - 1; exit !(d < 1e-13 && d > -1e-13 && e < 1e-9 && e > -1e-9) }' || wrong "the running mean"
# Every electron must have a site of its own.
numbers first_chains.dat | awk 'NF != 27 { bad = 1 } { split("", on); for (i = 4; i <= NF; i++) {
  if ($i < 0 || $i > 25 || $i in on) bad = 1; on[$i] = 1 } } END { exit bad }' || wrong "electrons where none can be"
# All numbers that an input can cause must fit into the output.
cat > large.inp <<INPUT
The largest energies
 \$model L = 3, x = 0.2, t = -1.0e6, Jex = 1.0e6 \$end
 \$sampling nMarkov = 1, neqlsweeps = 5, nsweeps = 20, nbins = 1 \$end
INPUT
"$program" large.inp > large.out
if grep -F '*' large.out; then wrong 'asterisks for numbers'; fi
for name in energy kinetic exchange; do
  paste <(grep "^   $name " large.out) <(grep "^$name " vmc_averages.dat) | awk "$number"'
    { d = $2 / $6 - 1; exit !(number($2) && number($6) && ($6 > 9999 || $6 < -9999) && d < 1e-12 && d > -1e-12 && $3 == "unknown") }' ||
    wrong "$name: $(grep "^   $name " large.out)"
done
grep -q 'autocorrelation time unknown$' large.out || wrong "$(grep autocorrelation large.out)"
grep -Eq 'autocorrelation time [0-9.]+ sweeps$' first.out || wrong "$(grep autocorrelation first.out)"
echo "reproducible: $bad wrong"
[ "$bad" -eq 0 ]
