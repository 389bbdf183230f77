#!/usr/bin/env bash
# links.sh LIBLEGATO [LIBLEGATO_MPI]: liblegato does not link MPI. liblegato_mpi does, and exports one function.
set -eu
needs_mpi() { readelf -d "$1" | grep -Eq 'NEEDED.*\[lib(mpi|mpich)'; }

if needs_mpi "$1"; then echo "links: $1 needs MPI" >&2; exit 1; fi
[ -n "${2:-}" ] || exit 77
needs_mpi "$2" || { echo "links: $2 needs no MPI" >&2; exit 1; }
exported=$(nm -D --defined-only "$2" | awk '{ print $3 }')
[ "$exported" = legato_mpi_join ] || { echo "links: $2 exports $exported" >&2; exit 1; }
