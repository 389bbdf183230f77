#!/usr/bin/env bash
# same_by_ranks.sh MPIRUN PROGRAM MPI_PROGRAM: checks that three ranks print the table of a single process.
set -eu
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 PRTE_ALLOW_RUN_AS_ROOT=1 PRTE_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 LEGATO_BACKEND=cpu LEGATO_NUM_THREADS=1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$2" > "$scratch/1" 2> "$scratch/progress"
"$1" -n 3 "$3" > "$scratch/2" 2> "$scratch/progress" || { cat "$scratch/progress"; exit 1; }
cat "$scratch/1"
diff "$scratch/1" "$scratch/2"
# An error stops the program with its message, also if all ranks have it.
if LEGATO_BACKEND=none "$1" -n 3 "$3" > "$scratch/2" 2> "$scratch/err"; then echo "same_by_ranks: an error goes unnoticed" >&2; exit 1; fi
grep -q LEGATO_BACKEND "$scratch/err" || { cat "$scratch/err"; exit 1; }
