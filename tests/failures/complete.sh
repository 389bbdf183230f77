#!/usr/bin/env bash
# complete.sh NM LIBRARY EIGENSOLVER: checks that wrapped_*.cpp can make every function of HDF5, NLopt, LAPACK and CUDA
# fail that the static library calls, and every function of cuSOLVER that EIGENSOLVER looks up. Functions that cannot
# fail are exceptions.
set -euo pipefail
nm=$1 library=$2 eigensolver=$3
cannot_fail='H5check_version|H5.*_g|nlopt_destroy|nlopt_result_to_string|dgemm_|cudaGetErrorString'
cannot_fail+='|__cuda(Un)?[Rr]egister.*|__cudaGetKernel|__cudaP(ush|op)CallConfiguration'

linked=$("$nm" -u "$library" | awk '$1 == "U" { print $2 }' | grep -E '^(H5|nlopt_|d[a-z]+_$|cuda|__cuda)')
found=$(sed -nE 's/.*find\(library, "([A-Za-z0-9_]+)".*/\1/p' "$eigensolver")
called=$(printf '%s\n' "$linked" "$found" | grep -vxE "$cannot_fail" | sort -u)
wrapped=$(sed -nE 's/^LEGATO_[A-Z_]+\(([A-Za-z0-9_]+).*/\1/p' "$(dirname "$0")"/wrapped_*.cpp | sort -u)
missing=$(comm -23 <(echo "$called") <(echo "$wrapped"))
[ -z "$missing" ] || { printf 'not wrapped:\n%s\n' "$missing" >&2; exit 1; }
echo "$(echo "$called" | wc -l) functions, all of them wrapped"
