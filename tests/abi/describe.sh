#!/usr/bin/env bash
# describe.sh LIBRARY: writes a shared library that has every function of the public headers with an empty body, and a
# variable of every enumeration. It is compiled as C, and contains only what a program sees of Legato. The description
# of the ABI therefore has no internal definitions.
set -eu
include=$(dirname "$(realpath "$0")")/../../capi/include
cc=${CC:-cc}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

(cd "$include" && find legato -name '*.h' | LC_ALL=C sort) | sed 's/.*/#include <&>/' > stub.c
"$cc" -std=gnu11 -I"$include" -fsyntax-only -aux-info prototypes stub.c
grep "extern.*[ *]legato_[a-z0-9_]* (" prototypes | sed 's/.*\*\/ extern \(.*\);.*/\1 { __builtin_trap(); }/' | LC_ALL=C sort > bodies
grep -rhoE 'typedef enum legato_[a-z0-9_]+' "$include" | LC_ALL=C sort |
  sed 's/typedef enum \(.*\)/enum \1 legato_abi_\1;/' > enumerations
cat bodies enumerations >> stub.c
"$cc" -std=gnu2x -g -w -fPIC -shared -I"$include" -Wl,-soname,liblegato.so stub.c -o liblegato.so
mv liblegato.so "$1"
