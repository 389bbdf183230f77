# Shared by the parts of the demo, which source it. A part has the name of its method and is called as PART.sh BUILD.
# shellcheck shell=bash

export LC_ALL=C
# At this level the library reports its backend.
export LEGATO_LOG=${LEGATO_LOG:-info}
# Parallel sections are short. Waiting threads must not take the processors from other programs, and the matrices are
# too small for threads of BLAS.
export OMP_WAIT_POLICY=${OMP_WAIT_POLICY:-passive} OPENBLAS_NUM_THREADS=${OPENBLAS_NUM_THREADS:-1}

# The parts of the demo use these variables.
method=$(basename "$0" .sh)
build=${1:-}
work=$build/demo/$method
inputs=$PWD/legacy_drivers/$method/inputs

# For awk programs: in mawk NaN is equal to every number, so this function checks that a text is a number.
number='function number(x) { return x ~ /^[-+]?[0-9.]+([eE][-+]?[0-9]+)?$/ }'

fail() { echo "demo: $*" >&2; exit 1; }

# run PROGRAM RUN [ARGUMENT...]: runs the program in the folder $work/RUN, and writes the files stdout, stderr and
# seconds (wall time) there.
run() {
  local program=$1 name=$2 folder=$work/$2 path=$build/legacy_drivers/$method/$1 began
  shift 2
  [ -x "$path" ] || path=$build/programs/$method/$program
  [ -x "$path" ] || fail "$program is not part of this build"
  mkdir -p "$folder"
  [ "$program" = "${running:-}" ] || echo "demo: running $program"
  running=$program
  began=${EPOCHREALTIME/,/.}
  if ! (cd "$folder" && "$path" "$@" > stdout 2> stderr); then
    tail -q -n 5 "$folder/stderr" "$folder/stdout"
    fail "$program failed"
  fi
  awk -v a="$began" -v b="${EPOCHREALTIME/,/.}" 'BEGIN { printf "%.3f\n", b - a }' > "$folder/seconds"
}

# speed TITLE SERIAL-RUN... -- RUN...: compares the total times of the serial runs and of the other runs.
speed() {
  local title=$1 serial=() others=()
  shift
  while [ "$1" != -- ]; do serial+=("$work/$1/seconds"); shift; done
  shift
  while [ $# -gt 0 ]; do others+=("$work/$1/seconds"); shift; done
  awk -v title="$title" -v serial="$(cat "${serial[@]}" | tr '\n' ' ')" '
    BEGIN { n = split(serial, part); for (i = 1; i <= n; ++i) a += part[i] }
    { b += $1 }
    END { printf "%-24s serial Fortran on one core %8.2f s, Legato %8.2f s: %6.2f times its speed\n", title, a, b, a / b }' \
    "${others[@]}"
}

# Prints the library's lines about the backend, each different line once.
backends() {
  cat "$work"/*/stderr | { grep -h 'backend' || true; } | sort | uniq -c | sort -rn | head -3 | sed 's/^ *\([0-9]*\) /    \1 x  /'
}

# Prints the speed-up by a GPU, if there is none that the build can use.
gpu_would() {
  "$(dirname "$(realpath "$0")")/gpu_would.py" "$build" "$method" "$@" || echo "demo: no record of a GPU can be read"
}

# draw FILE: makes a PNG from the gnuplot commands on standard input, with two panels. A missing plot is not a failure.
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
    echo "demo: no plot, gnuplot failed"     # it fails if no value is finite
  fi
}
