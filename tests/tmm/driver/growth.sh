#!/usr/bin/env bash
# growth.sh SERIAL LEGATO: tests bars at strong disorder with more and more multiplications between two
# orthonormalisations. The columns grow apart by a factor of up to about 1e13. If the library prints no warning, the
# program has the iteration counts of the serial program, and its exponents within 1e-6. If precision is lost, the
# library prints one warning. Both cases must occur. WIDTHS are the widths of the bars (7 8).
set -eu
. "$(dirname "$(realpath "$0")")/common.sh"
find_both "$@"
cd "$scratch"
quiet=0 warned=0
for M in ${WIDTHS:-7 8}; do
  for W in 8.5 16.5; do
    for n_ortho in 4 10 16 20; do
      write_input IDimenFlag=3 Width0=$M Width1=$M DiagDis0=$W DiagDis1=$W Energy1=0.0 NOfOrtho=$n_ortho Epsilon=0.04
      "$serial" > serial.txt
      mv Avg-3D-W*.raw serial.raw
      "$legato" > legato.txt 2> legato.err || fail "M = $M, W = $W, $n_ortho multiplications: $(cat legato.err)"
      mv Avg-3D-W*.raw legato.raw
      if [ -s legato.err ]; then
        warned=$((warned + 1))
        grep -q 'legato warning: .*NOfOrtho' legato.err || fail "M = $M, W = $W, $n_ortho multiplications: $(cat legato.err)"
        [ "$(wc -l < legato.err)" -eq 1 ] || fail "more than one warning: $(cat legato.err)"
        [ $n_ortho -gt 10 ] || fail "M = $M, W = $W: a false alarm at $n_ortho multiplications"
      else
        quiet=$((quiet + 1))
        for kind in txt raw; do
          "$here/compare_runs.sh" -r 1e-6 -a 1e-6 serial.$kind legato.$kind > comparison ||
            { echo "M = $M, W = $W, $n_ortho multiplications:"; cat comparison; bad=$((bad + 1)); }
        done
      fi
    done
  done
done
echo "growth: $quiet inputs as the serial program, $warned with the warning, $bad differ"
[ $bad -eq 0 ] && [ $quiet -gt 0 ] && [ $warned -gt 0 ]
