#!/usr/bin/env bash
# documented.sh [FILE...]: every public module, type, procedure and abstract interface of the Fortran modules has a comment before
# it that doxygen takes, `!>`; a type-bound procedure where it is defined. Of enumerators and of C's structs the comment of
# the module names the header. (doxygen 1.9 itself does not find out which type-bound procedures have none.)
set -eu
root=$(dirname "$(dirname "$(dirname "$(realpath "$0")")")")
[ $# -gt 0 ] || set -- "$root"/fortran/legato*.f90
status=0
for source; do
  case $(basename "$source") in legato_c.f90 | legato_c_*.f90 | legato_support.f90) continue ;; esac
  # Twice over the file: for what is public, and for what has no comment.
  awk '
    function publish(names,   i, n, list) {
      n = split(names, list, /[ ,&]+/)
      for (i = 1; i <= n; ++i) public[list[i]] = 1
    }
    function need(name) {
      if (name in public && !documented) { print FILENAME ":" FNR ": " name " has no comment with !>"; missing = 1 }
    }
    { code = tolower($0); sub(/ *!.*/, "", code); name = code; sub(/.*(::|=>) */, "", name) }
    NR == FNR {
      if (code ~ /^module /) publish($2)
      if ((continued || code ~ /^ *public ::/) && !/not handed on/) publish(name)
      continued = continued && code ~ /&$/ || code ~ /^ *public ::.*&$/
      if (code ~ /^ *type[ ,].*::/) bound = name in public
      if (code ~ /^ *end type/) bound = 0
      if (bound && code ~ /^ *(procedure|generic) ::/ && code !~ /assignment/) publish(name)
      next
    }
    code ~ /^(module|   interface) [a-z]/ { need($2) }
    code ~ /^   type[ ,].*::/ { need(name) }
    code ~ /^ [a-z0-9_() ]* (subroutine|function) [a-z]/ && code !~ /^ *end / {
      sub(/.* (subroutine|function) /, "", code); sub(/\(.*/, "", code); need(code)
    }
    { documented = /^ *!>/ || documented && /^ *!!/ }
    END { exit missing }' "$source" "$source" || status=1
done
exit $status
