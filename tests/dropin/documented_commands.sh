#!/usr/bin/env bash
# documented_commands.sh CMAKE BUILD: installs BUILD into a scratch prefix and runs the commands of docs/relinking.md as they
# stand there, but for the prefix; what they build must have run Legato.
set -eu
here=$(dirname "$(realpath "$0")")
root=$here/../..
cmake=$1 build=$2
. "$root/tests/tmm/driver/common.sh"
"$cmake" --install "$build" --prefix "$scratch/prefix" > "$scratch/log" || { cat "$scratch/log"; fail "cmake --install failed"; }
libraries=$(dirname "$(find "$scratch/prefix" -name liblegato.so)")

# The indented lines below a heading, up to the next one.
commands() {
  awk -v heading="$1" '/^##/ { inside = index($0, heading) > 0 } inside && sub(/^    /, "")' "$root/docs/relinking.md" |
    sed "s|/opt/legato/lib\b|$libraries|g; s|/opt/legato|$scratch/prefix|g"
}

# run HEADING ROUTINE: its commands line by line in a copy of the program; the program is run after each that links it.
run() {
  local heading=$1 routine=$2 line linked=0
  while read -r line; do
    echo "$line"
    eval "$line" || fail "$line"
    [ -e program ] || continue
    linked=$((linked + 1))
    LEGATO_LOG=info ./program > out 2> err || fail "$heading: $(cat err)"
    grep -E "^legato info: Legato .* [1-9][0-9]* $routine" err || fail "$heading: Legato has not run"
    rm program
  done < <(commands "$heading")
  [ $linked -gt 0 ] || fail "$heading: no program"
}

eval "$(commands '## The ways')"
mkdir "$scratch/a" "$scratch/b" "$scratch/c"
cp "$root"/legacy_drivers/tmm/*.f90 "$root"/legacy_drivers/common/{c_streams,random}.f90 "$scratch/a"; cd "$scratch/a"
write_input
run '(a)' tmmult2d
for way in b c; do
  cp "$here"/relink/{main,routines}.f90 "$scratch/$way"; cd "$scratch/$way"
  run "($way)" renorm
done
