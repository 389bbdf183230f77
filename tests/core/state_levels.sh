#!/usr/bin/env bash
# state_levels.sh PROGRAM: states that were saved with one instruction set and are resumed with another. ising and kpm have the same
# bytes with all; the others say so.
set -euo pipefail
program=$1 folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() { echo "state_levels: $*" >&2; exit 1; }

levels=()
for level in baseline v3 v4; do
  mkdir "$folder/$level"
  if LEGATO_CPU_LEVEL=$level "$program" save "$folder/$level" 2> "$folder/log"; then levels+=("$level")
  else grep -q "LEGATO_CPU_LEVEL: \"$level\" is not one of" "$folder/log" || fail "$(cat "$folder/log")"; fi
done
[ ${#levels[@]} -gt 1 ] || { echo "state_levels: skipped, this processor has one level"; exit 77; }

for saved in "${levels[@]}"; do
  for kind in ising kpm; do
    cmp "$folder/${levels[0]}/$kind" "$folder/$saved/$kind" || fail "$kind: another state with $saved"
  done
  for level in "${levels[@]}"; do
    LEGATO_CPU_LEVEL=$level "$program" resume "$folder/$saved" 2> "$folder/log" || fail "$saved, $level: $(cat "$folder/log")"
    warnings=$(grep -c "saved with the instruction set $saved, and the run goes on with $level: last digits may differ" "$folder/log" || true)
    expected=$([ "$saved" = "$level" ] && echo 0 || echo 5)
    [ "$warnings" = "$expected" ] || fail "$saved, $level: $warnings warnings, expected $expected: $(cat "$folder/log")"
  done
done
