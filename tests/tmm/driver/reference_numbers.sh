#!/usr/bin/env bash
# reference_numbers.sh PROGRAM [LIST]: runs PROGRAM on every point of LIST (default: reference_numbers.dat) and compares
# the iteration count exactly, exponents and errors to 1e-10 relative or 1e-11 absolute; LEGATO_TEST_RELATIVE sets another
# relative bound, such as 1e-9 with LEGATO_BACKEND=cuda.
set -eu
. "$(dirname "$(realpath "$0")")/common.sh"
find_program "$@"
list=$(realpath "${2:-$here/reference_numbers.dat}")
cd "$scratch"

points=0
while read -r d boundary M W E k; do
  case $boundary in hard) bc=0 ;; periodic) bc=1 ;; antiperiodic) bc=2 ;; *) fail "boundary $boundary in $list" ;; esac
  write_input NOfIter=1000000000 IDimenFlag="$d" IBCFlag="$bc" Width0="$M" Width1="$M" IFluxFlag=1 \
    DiagDis0="$W" DiagDis1="$W" Energy0="$E" Energy1="$E" Epsilon=0.5E-2
  points=$((points + 1))
  "$program" > out || fail "$program failed at d=$d $boundary M=$M W=$W E=$E"
  awk -v relative="${LEGATO_TEST_RELATIVE:-1e-10}" -v point="$d $boundary $M $W $E $k" '
    # In mawk NaN is equal to every number, so a text that is not a number counts as a deviation.
    function off(a, b) {
      if (a !~ /^[-+]?[0-9.]+([eE][-+]?[0-9]+)?$/) return 1
      d = a - b; if (d < 0) d = -d; s = b < 0 ? -b : b; return !(d <= relative * s || d <= 1e-11)
    }
    FILENAME == "out" { if ($1 == "end:") k = $7; next }
    FILENAME ~ /raw$/ { if (/^[ ,] \{/) { gsub(/[{},]/, " "); exponent[$1] = $4; error[$1] = $5; flag[$1] = $6 }; next }
    /^#/ || $1 " " $2 " " $3 " " $4 " " $5 " " $6 != point { next }
    k + 0 != $6 + 0 { print "  " $0 ": k = " k; bad = 1 }
    off(exponent[$7], $8) { print "  " $0 ": exponent " exponent[$7]; bad = 1 }
    off(error[$7], $9) { print "  " $0 ": error " error[$7]; bad = 1 }
    flag[$7] != "0" { print "  " $0 ": flag " flag[$7]; bad = 1 }
    { rows++ }
    END { exit bad || rows == 0 }' out Avg-*.raw "$list" || bad=$((bad + 1))
  rm -f Avg-*.raw
done < <(awk '!/^#/ { print $1, $2, $3, $4, $5, $6 }' "$list" | uniq)

echo "reference_numbers: $points points, $bad wrong"
[ "$points" -gt 0 ] && [ "$bad" -eq 0 ]
