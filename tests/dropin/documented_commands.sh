#!/usr/bin/env bash
# documented_commands.sh CMAKE BUILD: installs BUILD into a scratch prefix and runs the commands of docs/relinking.md
# with this prefix. The programs that they build must use Legato.
set -eu
. "$(dirname "$(realpath "$0")")/common.sh"
root=$here/../..
cmake=$1 build=$2
"$cmake" --install "$build" --prefix "$scratch/prefix" > "$scratch/log" || { cat "$scratch/log"; fail "cmake --install failed"; }
libraries=$(dirname "$(find "$scratch/prefix" -name liblegato.so)")

# Prints the indented lines between a heading and the next one.
commands() {
  awk -v heading="$1" '/^##/ { inside = index($0, heading) > 0 } inside && sub(/^    /, "")' "$root/docs/relinking.md" |
    sed "s|/opt/legato/lib\b|$libraries|g; s|/opt/legato|$scratch/prefix|g"
}

# run HEADING PATTERN [ARGUMENT]: runs the commands below the heading in a copy of the program. After each command that
# links the program, the program is run, and its log must have a line that matches PATTERN.
run() {
  local heading=$1 pattern=$2 line linked=0
  shift 2
  while read -r line; do
    echo "$line"
    eval "$line" || fail "$line"
    [ -e program ] || continue
    linked=$((linked + 1))
    LEGATO_LOG=info ./program "$@" > out 2> err || fail "$heading: $(cat err)"
    grep -E "^legato info: $pattern" err || fail "$heading: Legato has not run"
    rm program
  done < <(commands "$heading")
  [ $linked -gt 0 ] || fail "$heading: no program"
}

eval "$(commands '## The ways')"
mkdir "$scratch"/{a,b,c,d,e} "$scratch/dfr" "$scratch/kpm" "$scratch/vmc" "$scratch/ising"
common=$root/legacy_drivers/common
cp "$root"/legacy_drivers/tmm/*.f90 "$common"/*.{f90,c} "$scratch/a"; cd "$scratch/a"
cp "$root/legacy_drivers/tmm/inputs/2d_periodic.inp" tmseXd.inp
run '(a)' 'Legato .* [1-9][0-9]* tmmult2d'
for way in b c d; do
  cp "$here"/relink/{main,routines}.f90 "$scratch/$way"; cd "$scratch/$way"
  [ $way != d ] || make_module_program
  run "($way)" 'Legato .* [1-9][0-9]* renorm'
done
cp "$here"/relink/adaptive_main.f90 "$scratch/e/main.f90"
cp "$here"/relink/adaptive_routines.f90 "$scratch/e/routines.f90"; cd "$scratch/e"
run '(e)' 'Legato .* [1-9][0-9]* renorm'
grep -q 'n_ortho 8$' out || fail "(e): nothing was adapted"
cp "$root"/legacy_drivers/dfr/{*.f90,inputs/ne.inp} "$common"/*.{f90,c} "$scratch/dfr"; cd "$scratch/dfr"
run 'Linking dfratom' 'dfr steps: backend' ne.inp
grep -q '^ Total energy  *-128.691968' out || fail "dfratom: $(grep energy out)"
cp "$root"/legacy_drivers/kpm/{*.f90,inputs/ring.inp} "$common"/*.{f90,c} "$scratch/kpm"; cd "$scratch/kpm"
run 'Linking kpmdos' 'kpm: backend' ring.inp
awk '!/^#/ && $1 == 64 && $2 > 0.999999999999 && $2 < 1.000000000001 { good = 1 } END { exit !good }' moments.dat ||
  fail "kpmdos: $(cat moments.dat)"
cp "$root"/legacy_drivers/vmc/{*.f90,inputs/small.inp} "$common"/*.{f90,c} "$scratch/vmc"; cd "$scratch/vmc"
run 'Linking vmcrvb' 'vmc: backend' small.inp
awk '/^energy / { d = ($2 + 0.480060581975) / $3; good = d < 5 && d > -5 } END { exit !good }' vmc_averages.dat ||
  fail "vmcrvb: $(cat vmc_averages.dat)"
cp "$root"/legacy_drivers/ising/{*.f90,inputs/small.inp} "$common"/*.{f90,c} "$scratch/ising"; cd "$scratch/ising"
run 'Linking ising_mc' 'ising: backend' small.inp
awk '$1 == 0.3 { d = ($8 + 0.844054074) / $9; good = d < 5 && d > -5 } END { exit !good }' small_table.dat ||
  fail "ising_mc: $(cat small_table.dat)"
