#!/usr/bin/env bash
# dropin_setting.sh PROGRAM: tests the values of LEGATO_DROPIN, and the last line of the drop-in.
set -eu
. "$(dirname "$(realpath "$0")")/common.sh"
find_program "$@"
cd "$scratch"
write_input NOfOrtho=3
LEGATO_LOG=info "$program" > out 2> err
grep -Eq '^legato info: Legato [0-9.]+ ran [1-9][0-9]* renorm, [1-9][0-9]* tmmult2d, 0 tmmult3d, [1-9][0-9]* swap; backend cpu' err ||
  fail "no last line: $(cat err)"
if LEGATO_DROPIN=sometimes "$program" > out 2> err; then fail "LEGATO_DROPIN=sometimes was accepted"; fi
grep -q '^legato: LEGATO_DROPIN: "sometimes" is not one of auto, at_once, deferred$' err || fail "LEGATO_DROPIN: $(cat err)"
LEGATO_BACKEND=cpu LEGATO_DROPIN='' "$program" > out 2> err || fail "empty LEGATO_DROPIN: $(cat err)"
[ ! -s err ] || fail "not silent: $(cat err)"
