#!/usr/bin/env bash
# wide.sh LAYOUT BACKEND PROGRAM: tests a program with its own multiplication. Wide arrays are orthonormalised by the
# engine and copied back. The numbers are those of the immediate call on the CPU. BACKEND, cpu or cuda, is the backend
# that must be used.
set -eu
. "$(dirname "$(realpath "$0")")/../driver.sh"
layout=$1 backend=$2
shift 2
find_program "$@"
cd "$scratch"

# same SETTINGS N BACKEND WAY: checks that the numbers are those of the immediate call on the CPU.
same() {
  env LEGATO_BACKEND=cpu LEGATO_DROPIN=at_once "$program" "$layout" "$2" > at_once.out
  # shellcheck disable=SC2086 # words
  env LEGATO_LOG=info $1 "$program" "$layout" "$2" > other.out 2> other.err || fail "$1, N = $2: $(cat other.err)"
  cat at_once.out other.out
  sed -n 3p other.out | grep -qx '0 0 0' || fail "$1, N = $2: vectors that vanish"
  grep -q "ran 5 renorm, .*; backend $3, $4, psi" other.err || fail "$1, N = $2: $(cat other.err)"
  paste at_once.out other.out | awk "$number"'
    NF != 6 { bad = 1 }
    { for (i = 1; i <= 3; ++i) {
        if (!number($i) || !number($(i + 3))) { bad = 1; continue }
        d = $(i + 3) - $i; size = $i < 0 ? -$i : $i
        if (d > 1e-9 * (1 + size) || -d > 1e-9 * (1 + size)) bad = 1 } }
    END { exit bad || NR != 4 }' || fail "$1, N = $2: other numbers"
}

if [ "$backend" = cpu ]; then
  for n in 1 5 48 256; do same "LEGATO_BACKEND=cpu LEGATO_DROPIN=deferred" $n cpu 'there and back'; done
  same "LEGATO_BACKEND=cpu LEGATO_DROPIN=auto" 256 cpu 'at once'
else
  for n in 256 384; do same "LEGATO_DROPIN=auto" $n cuda 'there and back'; done
  same "LEGATO_DROPIN=auto" 40 cpu 'at once'     # too narrow
  same "LEGATO_BACKEND=cuda" 40 cuda 'there and back'   # unless the GPU is asked for by name
  same "LEGATO_DROPIN=at_once" 256 cpu 'at once'
fi
