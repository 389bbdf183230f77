#!/usr/bin/env bash
# not_a_number.sh PROGRAM TEST SED-COMMAND FILE...: TEST compares two programs on the same inputs. This test checks that
# NaN in place of a number counts as a difference. SED-COMMAND changes the inputs so that PROGRAM is quick. It must
# agree with itself, but not if one of the two runs has NaN after the first column of a FILE. % in a name stands for the
# name of the input.
set -eu
. "$(dirname "$(realpath "$0")")/driver.sh"
find_program "$@"
test=$(realpath "$2") quicker=$3
shift 3
cd "$scratch"

# program_of NAME FILE: makes ./NAME, the quick program with NaN in FILE.
program_of() {
  cat > "$1" <<END
#!/bin/sh
sed -i -E '$quicker' "\$1"
"$program" "\$1" || exit
file=$2
[ -z "\$file" ] || { awk '!/^#/ { for (i = 2; i <= NF; i++) \$i = "NaN" } 1' "\$file" > spoilt && mv spoilt "\$file"; }
END
  chmod +x "$1"
}

program_of sound ''
"$test" ./sound ./sound > out || fail "$(basename "$test") differs from itself: $(cat out)"
for file in "$@"; do
  program_of spoiling "${file/\%/\$\{1%.inp\}}"
  for pair in "./sound ./spoiling" "./spoiling ./sound"; do
    label="$(basename "$test") of $pair, $file"
    # shellcheck disable=SC2086 # two words
    if "$test" $pair > out; then wrong "is content"; fi
    sed -nE 's/^[a-z_]+: ([0-9]+) .* ([0-9]+) (runs )?differ.*/\1 \2/p' out | awk '{ bad = $1 != $2 } END { exit bad || NR != 1 }' ||
      wrong "takes NaN for a number: $(tail -n 1 out)"
  done
done
[ "$bad" -eq 0 ]
