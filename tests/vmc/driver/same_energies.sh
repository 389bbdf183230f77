#!/usr/bin/env bash
# same_energies.sh SERIAL LEGATO: compares the same main on both, with different seeds. Averages must agree to 4
# standard errors of their difference, and errors and acceptances to a few percent.
set -eu
. "$(dirname "$(realpath "$0")")/../../driver.sh"
find_both "$@"
cd "$scratch"
runs=0
# both L X NEIFRAC GAP SWEEPS [MORE]: runs both programs and compares them.
both() {
  local name seed=1
  for name in serial legato; do
    seed=$((seed + 1))
    cat > $name.inp <<INPUT
$*
 \$model L = $1, x = $2, ${6:-} \$end
 \$state gap = '$4' \$end
 \$sampling nMarkov = 8, iseedseed = $seed, neqlsweeps = 100, nsweeps = $5, nbins = 50, neifrac = $3 \$end
 \$output plotname = '$name' \$end
INPUT
    "${!name}" $name.inp > $name.out
  done
  runs=$((runs + 1))
  paste <(grep -v '^#' serial_averages.dat) <(grep -v '^#' legato_averages.dat) | awk -v label="$*" "$number"'
    { s = sqrt($3^2 + $7^2); d = $2 - $6; if (d < 0) d = -d; n++
      if (!(number($2) && number($6) && d <= 4 * s)) { print "  " label ": " $1 " differs by " d / s " errors"; bad = 1 }
      if ($3 > 0 && !($7 / $3 < 1.6 && $7 / $3 > 0.6)) { print "  " label ": errors of " $1 ": " $3 ", " $7; bad = 1 } }
    END { exit bad || n != 4 }' || bad=$((bad + 1))
  paste <(sed -n '/^ Attempts/,/^$/p' serial.out) <(sed -n '/^ Attempts/,/^$/p' legato.out) | awk -v label="$*" '
    /null|accepted/ { for (i = 2; i <= 3; i++) if ($(i) > 3000) { r = $(i + 3) / $(i); n++
      if (!(r < 1.1 && r > 0.9)) { print "  " label ": " $1 ": " $(i) ", " $(i + 3); bad = 1 } } }
    END { exit bad || !n }' || bad=$((bad + 1))
}
both 3 0.2 0.3 B 20000
both 5 0.1 0.0 A 10000
both 5 0.3 0.5 A 10000 'tp = -0.3, tpp = 0.1, Jex = 0.5'
both 9 0.1 0.5 A 3000
echo "same_energies: $runs problems, $bad differ"
[ "$bad" -eq 0 ]
