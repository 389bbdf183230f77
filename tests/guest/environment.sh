#!/usr/bin/env bash
# environment.sh GUEST: tests environments that a host cannot set for itself: a decimal comma, more threads than
# possible, a small stack of the main thread, and each instruction set. LEGATO_TEST_MEMORY is the address space in kB;
# it is empty if that cannot be limited.
set -euo pipefail
guest=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() { echo "environment: $*" >&2; exit 1; }

OMP_NUM_THREADS=100000 timeout 100 "$guest" by_default || fail "100000 threads of OpenMP"
OMP_PROC_BIND=true OMP_PLACES=cores timeout 100 "$guest" by_default || fail "bound threads"
(ulimit -s 512 && timeout 100 "$guest" by_default) || fail "a small stack"
memory=${LEGATO_TEST_MEMORY-4000000}
[ -z "$memory" ] || (ulimit -v "$memory" && OMP_NUM_THREADS=64 timeout 100 "$guest" by_default) || fail "ulimit -v $memory"

for level in baseline v3 v4; do
  said=$(LEGATO_CPU_LEVEL=$level timeout 100 "$guest" by_default 2>&1) && continue
  grep -q "LEGATO_CPU_LEVEL: \"$level\" is not one of" <<< "$said" || fail "$level: $said"
  echo "environment: this processor has no $level"
done
said=$(LEGATO_CPU_LEVEL=v5 "$guest" by_default 2>&1) && fail "LEGATO_CPU_LEVEL=v5 is taken"
grep -q 'LEGATO_CPU_LEVEL: "v5" is not one of baseline, v3, v4' <<< "$said" || fail "$said"

if ! localedef -i de_DE -f UTF-8 "$folder/de_DE.UTF-8" > "$folder/log" 2>&1 && [ ! -d "$folder/de_DE.UTF-8" ]; then
  echo "environment: skipped in part, there is no German locale to be made"
  exit 77
fi
LOCPATH=$folder LC_ALL=de_DE.UTF-8 timeout 100 "$guest" locale_of_the_environment || fail "a decimal comma"
