# Shared by the parts of the demo: sourced, not run.
# shellcheck shell=bash

export LC_ALL=C

fail() { echo "demo: $*" >&2; exit 1; }

now() { echo "${EPOCHREALTIME/,/.}"; }

# seconds_since BEGAN
seconds_since() { awk -v a="$1" -v b="$(now)" 'BEGIN { printf "%.3f\n", b - a }'; }

# draw FILE: the gnuplot commands on standard input, two panels, as a PNG. The numbers count, so a missing plot is no failure.
draw() {
  local commands
  commands=$(cat)
  if ! command -v gnuplot > /dev/null; then
    echo "demo: no plot, gnuplot is not installed"
  elif gnuplot <<< "set terminal png size 1000,900
set output '$1'
$commands"; then
    echo "demo: plot in ${1#"$PWD"/}"
  else
    echo "demo: no plot, gnuplot failed"     # as it does where no value is finite
  fi
}
