#!/usr/bin/env bash
# relink.sh WAY LIBRARY FORTRAN [OPTION]...: each way of docs/relinking.md on a small program in which one
# file holds renorm and a routine that must stay; its multiplication is its own. Legato's counter and its last line tell who
# has run; the numbers are the same, whatever LEGATO_DROPIN asks for.
set -eu
. "$(dirname "$(realpath "$0")")/../driver.sh"
way=$1 library=$(realpath "$2") objcopy=${OBJCOPY:-objcopy}
shift 2
fortran=("$@")
cp "$here"/relink/*.f90 "$scratch"; cd "$scratch"
"${fortran[@]}" -O2 -c main.f90 routines.f90 only_report.f90
rpath=-Wl,-rpath,$(dirname "$library")

# The program as it was: its own renorm, although the library stands behind it.
"${fortran[@]}" main.o routines.o "$library" "$rpath" -o before
case $way in
  replaced) "${fortran[@]}" main.o only_report.o "$library" "$rpath" -o after ;;
  renamed)
    "$objcopy" --redefine-sym renorm_=old_renorm_ routines.o kept.o
    "${fortran[@]}" main.o kept.o "$library" "$rpath" -o after ;;
  wrapped) "${fortran[@]}" main.o routines.o -Wl,--wrap=renorm_ "$library" "$rpath" -o after ;;
  weakened)   # does not work, which is why relinking.md warns of it
    "$objcopy" --weaken-symbol=renorm_ routines.o weak.o
    "${fortran[@]}" main.o weak.o "$library" "$rpath" -o after ;;
  *) fail "no way $way" ;;
esac
LEGATO_LOG=info ./before > before.out 2> before.err
grep -q 'calls 0$' before.out || fail "the old program has called Legato: $(cat before.out)"
if grep 'legato info' before.err; then fail "the old program has run Legato"; fi
expected=3
[ "$way" != weakened ] || expected=0
for setting in at_once deferred auto ""; do
  LEGATO_DROPIN=$setting LEGATO_LOG=info ./after > after.out 2> after.err || fail "LEGATO_DROPIN=$setting: $(cat after.err)"
  cat before.out after.out after.err
  grep -q "calls $expected\$" after.out
  [ "$expected" -eq 0 ] || grep -q 'ran 3 renorm' after.err
  # The same numbers from both, and the routine that had to stay.
  awk '/^sum/ { sum[++sums] = $2; digits += $2 ~ /^-?[0-9.]+E[-+][0-9]+$/ }
       END { off = sum[1] - sum[2]; exit !(sums == 2 && digits == 2 && off < 1e-12 && off > -1e-12) }' before.out after.out ||
    fail "LEGATO_DROPIN=$setting: other numbers"
  grep -q '^report: kept' after.out
done
