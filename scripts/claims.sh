#!/usr/bin/env bash
# claims.sh [names] BUILD: what the README and docs/ claim, held against BUILD, in which everything has been built.
#
#   1. Every test, case, file, section and place in the architecture that they name is there. With `names` that is all: a second or two.
#   2. Every fenced block marked `claim` is run by bash in a scratch folder with the repository's folders in it and
#      the programs of BUILD on the PATH. Its lines of output must be as the lines at its end that begin with "= " say:
#      "= 87" that text, "= 0.69 +- 1e-10" a number within so much, "= > 1" a number above. `claim slow` takes minutes.
#   3. All tests that they name are run.
#
# What needs a GPU, or is not in this build, is counted as skipped. On two cores the blocks take a minute and the tests ten
# to twenty; LEGATO_CLAIMS_SLOW=1 adds the slow ones, an hour.
set -euo pipefail
only_names=0
if [ "${1:-}" = names ]; then only_names=1; shift; fi
[ $# -eq 1 ] && [ -f "$1/CTestTestfile.cmake" ] || { echo "usage: scripts/claims.sh [names] BUILD, a folder that has been built with tests" >&2; exit 2; }
build=$(realpath "$1")
root=$(dirname "$(dirname "$(realpath "$0")")")
cd "$root"
documents=(README.md CONTRIBUTING.md docs/*.md)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
passed=0 failed=0 skipped=0
pass() { passed=$((passed + 1)); }
wrong() { failed=$((failed + 1)); echo "FAILED  $*"; }
skip() { skipped=$((skipped + 1)); }

ctest --test-dir "$build" -N | sed -n 's/^ *Test *#[0-9]*: //p' > "$scratch/tests"

# Document, line and word of all that stands between single backticks or in a command of ctest; of a command with arguments its
# script.
words() {
  awk '/^```/ { fenced = !fenced } fenced { next }
    /^    .*ctest .*-R / { line = $0; sub(/.*-R /, "", line); sub(/ .*/, "", line); print FILENAME, FNR, line; next }
    /^    / { next }
    { n = split($0, part, "`")
      for (i = 2; i <= n; i += 2) {
        m = split(part[i], word, " ")
        for (j = 1; j <= m; ++j) if (m == 1 || word[j] ~ /\.sh$/) print FILENAME, FNR, word[j]
      } }' "${documents[@]}"
}

# A test, or TEST/CASE of Boost.Test: there, elsewhere (in builds of another kind) or nowhere.
look_up() {
  local test=${1%%/*} name=${1#*/}
  if [ "$name" != "$1" ] && ! grep -rqE "^[A-Z_]*TEST[A-Z_]*\($name\b" tests; then echo nowhere
  elif grep -qx "$test" "$scratch/tests"; then echo there
  elif grep -rqE "\b$test\b" tests --include=CMakeLists.txt; then echo elsewhere
  else echo nowhere; fi
}

check_names() {
  local document line word begins=$failed
  words > "$scratch/words"
  while read -r document line word; do
    case $word in
      *[*{}\<\>]* | *ROOM* | *METHOD* | *NAME*) ;;
      capi/*.* | cpp/*.* | cuda/*.* | fortran/*.* | legacy_drivers/*.* | programs/*.* | tests/*.* | benchmarks/*.* | examples/*.* | docs/*.* | scripts/*.* | cmake/*.*)
        if [ -e "$word" ]; then pass; else wrong "$document:$line: there is no $word"; fi ;;
      *.sh)
        if [ -n "$(find tests scripts -name "$word")" ]; then pass; else wrong "$document:$line: there is no script $word"; fi ;;
      *.* | *-* | /*) ;;
      *_test | *_test/* | *_client | *_numbers | *_inputs | *_restart | *_driver_* | *_dropin_* | batch_* | dropin_* | example_* | failures_* | fortran_* | abi | install | reference)
        case $(look_up "$word") in
          there) pass; echo "${word%%/*}" >> "$scratch/named" ;;
          elsewhere) skip ;;
          *) wrong "$document:$line: there is no test $word" ;;
        esac ;;
    esac
  done < "$scratch/words"
  # Links, and the sections that they lead to.
  awk '{ line = $0; while (match(line, /\]\([^)]*\)/)) { print FILENAME, FNR, substr(line, RSTART + 2, RLENGTH - 3); line = substr(line, RSTART + RLENGTH) } }' \
    "${documents[@]}" | grep -v 'https*://' > "$scratch/links"
  while read -r document line word; do
    local file=${word%%#*} section=
    case $word in *'#'*) section=${word#*#} ;; esac
    if [ -n "$file" ]; then file=$(dirname "$document")/$file; else file=$document; fi
    if [ ! -e "$file" ]; then wrong "$document:$line: there is no $file"
    elif [ -n "$section" ] && ! sed -n 's/^##* //p' "$file" | tr '[:upper:] ' '[:lower:]-' | tr -cd 'a-z0-9_\n-' | grep -qx -- "$section"; then
      wrong "$document:$line: $file has no section $section"
    else pass; fi
  done < "$scratch/links"
  echo "names: $((failed - begins)) wrong"
}

# In the tables of the architecture what stands behind a file is to be found in it; a file without a folder is in that of the
# one before.
check_places() {
  local begins=$failed line file name
  awk -F '|' '/^\|/ { for (c = 2; c < NF; c++) { folder = file = ""; n = split($c, part, "`")
      for (i = 2; i <= n; i += 2) {
        if (part[i] ~ /\.[a-z]+$/) {
          file = part[i] ~ /\// ? part[i] : folder part[i]
          folder = file; sub(/[^\/]*$/, "", folder)
          print FNR, file, "-"
        } else if (file != "" && part[i] ~ /^[a-zA-Z_]+$/) print FNR, file, part[i]
      } } }' docs/architecture.md > "$scratch/places"
  while read -r line file name; do
    if [ ! -e "$file" ]; then wrong "docs/architecture.md:$line: there is no $file"
    elif [ "$name" != - ] && ! grep -qw "$name" "$file"; then wrong "docs/architecture.md:$line: $file has no $name"
    else pass; fi
  done < "$scratch/places"
  for name in $(find cpp -mindepth 1 -maxdepth 1 -type d ! -name core ! -name random ! -name statistics -printf '%f '); do
    if grep -q "cpp/$name/" docs/architecture.md; then pass; else wrong "docs/architecture.md: cpp/$name has no places"; fi
  done
  echo "places: $((failed - begins)) wrong"
}

# as_said OUTPUT EXPECTED: line by line.
as_said() {
  [ "$(wc -l < "$1")" -eq "$(wc -l < "$2")" ] || return 1
  paste "$1" "$2" | awk -F '\t' '
    function number(text) { return text ~ /^ *[-+]?[0-9.]+([eE][-+]?[0-9]+)? *$/ }
    { split($2, part, " \\+- "); said = substr($2, 3)
      if (said ~ /^> /) { if (!number($1) || !($1 + 0 > substr(said, 3) + 0)) bad = 1 }
      else if (said ~ / \+- /) { d = $1 - substr(part[1], 3); if (!number($1) || d > part[2] + 0 || -d > part[2] + 0) bad = 1 }
      else if ($1 != said) bad = 1 }
    END { exit bad || NR == 0 }'
}

# Writes each block into a folder of its own: script, expected, where.
blocks() {
  awk -v scratch="$scratch" '
    /^```claim/ { n++; file = sprintf("%s/block%03d", scratch, n); print FILENAME ":" FNR, $2 > (file ".where"); inside = 1; next }
    /^```/ { if (inside) { close(file ".script"); close(file ".expected"); close(file ".where") } inside = 0 }
    inside && /^= / { print > (file ".expected"); next }
    inside { print > (file ".script") }' "${documents[@]}"
}

run_blocks() {
  local block where kind entry
  blocks
  PATH=$(find "$build/legacy_drivers" "$build/programs" "$build/examples" "$build/benchmarks" -maxdepth 1 -type d -printf '%p:')$PATH
  for block in "$scratch"/block*.script; do
    block=${block%.script}
    read -r where kind < "$block.where" || true
    if [ "$kind" = slow ] && [ "${LEGATO_CLAIMS_SLOW:-0}" = 0 ]; then skip; continue; fi
    mkdir "$block"
    for entry in "$root"/*/; do ln -s "$entry" "$block/$(basename "$entry")"; done
    if (cd "$block" && bash -euo pipefail "$block.script") > "$block.output" 2> "$block.errors" && as_said "$block.output" "$block.expected"; then
      pass
      echo "passed  $where: $(tr '\n' ' ' < "$block.output")"
    else
      wrong "$where"
      paste "$block.output" "$block.expected"
      tail -3 "$block.errors"
    fi
  done
}

run_tests() {
  local slow=(-LE slow) pattern
  [ "${LEGATO_CLAIMS_SLOW:-0}" = 0 ] || slow=()
  pattern=$(sort -u "$scratch/named" | paste -sd '|')
  if ctest --test-dir "$build" --no-label-summary --output-on-failure -j 2 "${slow[@]}" -R "^($pattern)\$"; then pass; else wrong "tests"; fi
}

touch "$scratch/named"
check_names
check_places
if [ $only_names -eq 0 ]; then
  run_blocks
  run_tests
fi
echo "claims: $passed hold, $failed do not, $skipped skipped (slow, a GPU or another build); $SECONDS s"
[ $failed -eq 0 ]
