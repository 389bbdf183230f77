#!/usr/bin/env bash
# compare_runs.sh [-k COUNT] [-r RELATIVE] [-a ABSOLUTE] A B: compares two runs of tmsexd, given by two output files
# (Avg-*.raw), or two files of printed lines, or two directories that hold these under the same names.
# Exponents and errors may differ by RELATIVE (1e-10) or ABSOLUTE (1e-11). Iteration counts may differ by COUNT (default
# 0), if the error is close to epsilon. The two runs have then ended at different cycles, and the numbers of the point
# are not compared. Parameters, points and their order must be the same, and the same points must have converged.
set -eu
count=0 relative=1e-10 absolute=1e-11 grazing=${grazing:-/dev/null}
while getopts k:r:a: option; do
  case $option in k) count=$OPTARG ;; r) relative=$OPTARG ;; a) absolute=$OPTARG ;; *) exit 2 ;; esac
done
shift $((OPTIND - 1))
[ $# -eq 2 ] || { echo "usage: compare_runs.sh [-k COUNT] [-r RELATIVE] [-a ABSOLUTE] A B" >&2; exit 2; }

if [ -d "$1" ]; then
  shopt -s nullglob
  bad=0 files=0
  # The printed lines come first. Only they have the iteration counts, and show at which points the error is close to
  # epsilon.
  grazing=$(mktemp)
  export grazing
  trap 'rm -f "$grazing"' EXIT
  for a in "$1"/stdout* "$1"/Avg-*.raw; do
    files=$((files + 1))
    "$0" -k "$count" -r "$relative" -a "$absolute" "$a" "$2/${a##*/}" || bad=$((bad + 1))
  done
  echo "compare_runs: $files files, $bad differ, $(sort -u "$grazing" | wc -l) points graze epsilon"
  [ "$files" -gt 0 ] && [ "$bad" -eq 0 ]
  exit
fi
[ -r "$1" ] && [ -r "$2" ] || { echo "compare_runs: cannot read $1 or $2" >&2; exit 1; }

awk -v count="$count" -v relative="$relative" -v absolute="$absolute" -v grazing="$grazing" '
  function size(x) { return x < 0 ? -x : x }
  function number(x) { return x ~ /^[-+]?[0-9.]+([eE][-+]?[0-9]+)?$/ }
  BEGIN { while ((getline key < grazing) > 0) grazes[key] }
  # Splits a line into a key, which must be the same in both files, and the numbers that may differ.
  function take(file) {
    if (/^[ ,] \{/) {
      gsub(/[{},]/, " ")
      if (!((width " " $2 " " $3) in grazes))
        store(file, "row " $1 " disorder " $2 " energy " $3 " flag " $6, "", $4, $5)
    } else if ($1 == "end:") {
      outcome = $NF; if ($(NF - 1) == "not") outcome = "not " outcome
      point[file, n[file] + 1] = $4 " " $10 " " $13
      store(file, "width " $4 " disorder " $10 " energy " $13 " " outcome, $7, $16, $19)
    } else if (/ = .*;$/) {
      if ($1 == "Width") width = $3 + 0
      store(file, $0, "", "", "")
    }
  }
  function store(file, key, k, exponent, error) {
    n[file]++
    line[file, n[file]] = key; counts[file, n[file]] = k; exponents[file, n[file]] = exponent; errors[file, n[file]] = error
  }
  function compare(what, a, b) {
    if (a == "" && b == "") return
    values++
    # NaN and Infinity are compared as text, because in mawk NaN is equal to every number.
    if (!number(a) || !number(b)) { if (a "" != b "") different(what ": " a " and " b); return }
    d = size(a - b); s = size(b)
    if (d > worst_absolute) worst_absolute = d
    if (s > 0 && d / s > worst_relative) { worst_relative = d / s; worst_at = what }
    if (!(d <= absolute || d <= relative * s)) different(what ": " a " and " b)
  }
  function different(text) { if (++bad <= 10) print "  " text }
  FNR == 1 { file++ }
  { take(file) }
  END {
    if (n[1] != n[2]) different("the first has " n[1] + 0 " lines of data, the second " n[2] + 0)
    for (i = 1; i <= n[1] && i <= n[2]; i++) {
      if (line[1, i] != line[2, i]) different(line[1, i] " and " line[2, i])
      k = size(counts[1, i] - counts[2, i])
      if (k > worst_count) worst_count = k
      if (k > count) different(line[1, i] ": k = " counts[1, i] " and " counts[2, i])
      else if (k > 0) { print point[1, i] >> grazing; continue }
      compare(line[1, i] ": exponent", exponents[1, i], exponents[2, i])
      compare(line[1, i] ": error", errors[1, i], errors[2, i])
    }
    printf "compare_runs: %d numbers, largest deviation %.3g absolute, %.3g relative", values, worst_absolute, worst_relative
    if (worst_at != "") printf " (%s)", worst_at
    printf "; iteration counts off by %d at most; %d differences\n", worst_count, bad
    exit bad > 0 || n[1] == 0
  }' "$1" "$2"
