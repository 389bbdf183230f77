#!/usr/bin/env bash
# same_decisions.sh SERIAL LEGATO: checks that a chain of the same seed takes the same decisions in both programs for
# thousands of attempts. Both must propose and accept the same numbers of moves, and have the electrons on the same
# sites at the end. The energies of all bins must agree to 1e-9.
set -eu
. "$(dirname "$(realpath "$0")")/../../driver.sh"
find_both "$@"
cd "$scratch"
runs=0 attempts=0 largest=0
# both L X NEIFRAC SWEEPS SEED [MORE]: runs both programs and compares them.
both() {
  local name wrong=''
  for name in serial legato; do
    cat > $name.inp <<INPUT
One chain
 \$model L = $1, x = $2, ${6:-} \$end
 \$sampling nMarkov = 1, iseedseed = $5, neqlsweeps = 10, nsweeps = $4, nbins = 10, neifrac = $3 \$end
 \$output plotname = '$name' \$end
INPUT
    "${!name}" $name.inp > $name.out
    sed -n '/^ Attempts/,/^ Chains/p' $name.out | grep -v Chains > $name.moves
    grep -v '^#' ${name}_chains.dat | cut -d ' ' -f 4- | sed 's/.*E[-+][0-9]* //' > $name.sites
  done
  runs=$((runs + 1))
  attempts=$((attempts + $(awk '$1 == "all" { print $2 + $3 }' serial.moves)))
  [ "$(wc -l < serial.moves)" -ge 7 ] || wrong="$wrong moves are not told;"
  cmp -s serial.moves legato.moves || wrong="$wrong other moves;"
  [ "$(wc -w < serial.sites)" -ge 8 ] || wrong="$wrong sites are not told;"
  cmp -s serial.sites legato.sites || wrong="$wrong other sites;"
  difference=$(paste <(grep -v '^#' serial_energy.dat) <(grep -v '^#' legato_energy.dat) | awk "$number"'
    { d = $2 - $7; if (d < 0) d = -d; if (d > most) most = d; n += number($2) && number($7) } END { printf "%.2e", n == 10 ? most : 1 }')
  largest=$(awk -v a="$largest" -v b="$difference" 'BEGIN { print (a > b ? a : b) }')
  awk -v d="$difference" 'BEGIN { exit !(d < 1e-9) }' || wrong="$wrong energies differ by $difference"
  [ -n "$wrong" ] || return 0
  bad=$((bad + 1)); echo "  both $*:$wrong"
}
for seed in 1 13213 2147483647; do
  for share in 0.0 0.5 1.0; do
    both 3 0.2 $share 500 $seed
    both 5 0.1 $share 400 $seed
    both 9 0.1 $share 100 $seed
  done
  both 15 0.1 0.2 40 $seed
done
both 5 0.0 0.5 400 7                           # half filling: only exchanges
both 5 0.3 0.5 400 7 'tp = -0.3, tpp = 0.1'
both 5 0.1 0.5 400 7 'tp = 2.0'                # infinite amplitudes at both (0, 0) and (pi, pi)
both 5 0.1 0.5 400 7 't = -1.0'                # only at (pi, pi)
both 9 0.9 0.5 400 7
both 15 0.1 0.0 200 99                         # 40800 attempts and more
echo "same_decisions: $runs chains, $attempts attempts, $bad differ; energies of bins within $largest"
[ "$bad" -eq 0 ]
