#!/usr/bin/env bash
# state_levels.sh PROGRAM: tests states that are saved with one instruction set and resumed with another. The results
# have the same bytes at all levels with fused multiply-adds. Those of ising and kpm also have them at the baseline. The
# other methods warn that last digits may differ.
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

fused() { [ "$1" != baseline ]; }
same() { cmp "$folder/$1/$3" "$folder/$2/$3" || fail "$3: another state with $1 than with $2"; }
for saved in "${levels[@]}"; do
  for kind in ising kpm; do same baseline "$saved" $kind; done
  for kind in tmm vmc vmc_optimiser dfr_optimiser dfr_reducer; do
    ! fused "$saved" || same v3 "$saved" $kind
  done
  for level in "${levels[@]}"; do
    LEGATO_CPU_LEVEL=$level "$program" resume "$folder/$saved" 2> "$folder/log" || fail "$saved, $level: $(cat "$folder/log")"
    warnings=$(grep -c "the state was saved with .* and the run goes on with .*: last digits may differ" "$folder/log" || true)
    expected=$([ "$(fused "$saved"; echo $?)" = "$(fused "$level"; echo $?)" ] && echo 0 || echo 5)
    [ "$warnings" = "$expected" ] || fail "$saved, $level: $warnings warnings, expected $expected: $(cat "$folder/log")"
  done
done
