#!/usr/bin/env bash
# environment.sh PROGRAM: what the environment asks of the drop-in, and what it says.
set -eu
. "$(dirname "$(realpath "$0")")/../tmm/driver/common.sh"
find_program "$@"
cd "$scratch"
write_input NOfOrtho=3
LEGATO_LOG=info "$program" > out 2> err
grep -Eq '^legato info: Legato [0-9.]+ ran [1-9][0-9]* renorm, [1-9][0-9]* tmmult2d, 0 tmmult3d, [1-9][0-9]* swap; backend cpu' err ||
  fail "no last line: $(cat err)"
refused="LEGATO_BACKEND=gpu LEGATO_NUM_THREADS=many LEGATO_LOG=loud LEGATO_DROPIN=sometimes"
[ -e /dev/nvidia0 ] || refused="$refused LEGATO_BACKEND=cuda"
for setting in $refused; do
  if env "$setting" "$program" > out 2> err; then fail "$setting was accepted"; fi
  [ "$(wc -l < err)" -eq 1 ] && grep -q '^legato: ' err || fail "$setting: $(cat err)"
done
LEGATO_DROPIN=sometimes "$program" > out 2> err || true
grep -q '^legato: LEGATO_DROPIN: "sometimes" is not one of auto, at_once, deferred$' err || fail "LEGATO_DROPIN: $(cat err)"
LEGATO_BACKEND=cpu LEGATO_DROPIN='' "$program" > out 2> err || fail "empty LEGATO_DROPIN: $(cat err)"
[ ! -s err ] || fail "not silent: $(cat err)"
