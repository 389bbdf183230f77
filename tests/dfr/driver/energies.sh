#!/usr/bin/env bash
# energies.sh PROGRAM [SERIAL]: checks the total energies of energies.dat to 1e-10. A second program, the serial one,
# must have the same energy to 1e-10, the same orbital energies to 1e-8, and the same number of iterations within one.
set -eu
. "$(dirname "$(realpath "$0")")/../../driver.sh"
find_program "$1"
serial=${2:+$(realpath "$2")}
cd "$scratch"

energy_in() { awk '/^ Total energy / { print $3 }' "$1"; }
iterations_in() { awk '/^ Converged after / { print $3 }' "$1"; }
orbitals_in() { awk '/^ Spinor / { on = 1; next } on && $1 ~ /^[0-9]+[a-z]/ { print $1, $3 }' "$1"; }

# close A B RELATIVE: succeeds if both are numbers and agree.
close() {
  awk -v a="$1" -v b="$2" -v most="$3" 'BEGIN {
    number = "^-?[0-9]+[.][0-9]+$"
    if (a !~ number || b !~ number) exit 1
    d = a > b ? a - b : b - a; scale = b < 0 ? -b : b
    exit !(d <= most * scale) }'
}

compare_orbitals() {
  orbitals_in serial > a
  orbitals_in out > b
  [ -s a ] || { wrong "$name: no orbital energies"; return 0; }
  paste -d ' ' a b | awk "$number"'
    $1 != $3 || !number($2) || !number($4) { bad = 1 }
    { d = $2 - $4; if (d < 0) d = -d; if (!(d <= 1e-8 + 1e-11 * ($2 < 0 ? -$2 : $2))) bad = 1 }
    END { exit bad }' || wrong "$name: other orbital energies"
}

while read -r name expected; do
  case $name in \#* | '') continue ;; esac
  case $expected in -[0-9]*) ;; *) continue ;; esac
  cases=$((cases + 1))
  "$program" "$inputs/$name.inp" > out || { wrong "$name: exit status $?"; continue; }
  close "$(energy_in out)" "$expected" 1e-10 || wrong "$name: $(energy_in out), expected $expected"
  [ -n "$serial" ] || continue
  "$serial" "$inputs/$name.inp" > serial || { wrong "$name: serial: exit status $?"; continue; }
  close "$(energy_in out)" "$(energy_in serial)" 1e-10 || wrong "$name: another energy than the serial one"
  more=$(($(iterations_in out) - $(iterations_in serial)))
  [ "${more#-}" -le 1 ] || wrong "$name: $more iterations more than the serial program"
  compare_orbitals
done < "$here/energies.dat"
echo "energies: $cases atoms, $bad wrong"
[ "$cases" -eq 9 ] && [ "$bad" -eq 0 ]
