#!/usr/bin/env bash
# adaptive.sh LAYOUT DROPIN LEGATO FORTRAN [OPTION]...: tests a program whose ReNorm adapts its sixth argument. With
# renorm_adaptive_ every cycle has the same number of multiplications as before. With renorm_ the number stays constant,
# and a warning says so.
set -eu
. "$(dirname "$(realpath "$0")")/common.sh"
layout=$1
shift
take_arguments "$@"
cp "$here"/relink/adaptive*.f90 "$scratch"; cd "$scratch"
"${fortran[@]}" -O2 -c adaptive_main.f90 adaptive_routines.f90
"$objcopy" --redefine-sym renorm_=renorm_adaptive_ adaptive_main.o caller.o
link adaptive_main.o adaptive_routines.o -o before
link caller.o adaptive_routines.o -o after
link adaptive_main.o -o wrong

./before > before.out
for setting in at_once deferred ""; do
  LEGATO_DROPIN=$setting LEGATO_LOG=info ./after "$layout" > after.out 2> after.err || fail "$(cat after.err)"
  cat before.out after.out after.err
  grep -q 'ran 12 renorm' after.err || fail "Legato has not run"
  diff <(grep n_ortho before.out) <(grep n_ortho after.out) || fail "LEGATO_DROPIN=$setting: another number of multiplications"
  # In a cycle the last sum has rounding errors of 1e-16 / quot, and quot is once 4e-13.
  awk '/^sums/ { for (i = 2; i <= 5; ++i) { numbers += $i ~ /^[0-9.]+E[-+][0-9]+$/; off[i] = $i - off[i] } }
       END { for (i = 2; i <= 5; ++i) if (off[i] > (i < 5 ? 1e-6 : 1e-2) || -off[i] > (i < 5 ? 1e-6 : 1e-2)) bad = 1
             exit bad || numbers != 8 }' before.out after.out || fail "LEGATO_DROPIN=$setting: other numbers"
done
[ "$(grep -c 'n_ortho 8$' before.out)" -gt 0 ] && [ "$(grep -c 'n_ortho 10$' before.out)" -gt 0 ] || fail "the old program does not adapt"

./wrong "$layout" > wrong.out 2> wrong.err || fail "$(cat wrong.err)"
[ "$(grep -c 'n_ortho 10$' wrong.out)" -eq 12 ] || fail "renorm_ has changed the sixth argument: $(cat wrong.out)"
grep -q '^legato warning: .* renorm_adaptive_' wrong.err || fail "no warning: $(cat wrong.err)"
