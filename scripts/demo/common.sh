# Shared by the parts of the demo: sourced, not run. A part is called as PART.sh BUILD, for the method that it is named after.
# shellcheck shell=bash

export LC_ALL=C
# Which backend was taken is told.
export LEGATO_LOG=${LEGATO_LOG:-info}
# Many short stretches of work: threads that wait must not take the processors from those of other programs, and BLAS has
# matrices too small for threads of its own.
export OMP_WAIT_POLICY=${OMP_WAIT_POLICY:-passive} OPENBLAS_NUM_THREADS=${OPENBLAS_NUM_THREADS:-1}

# Set for the parts of the demo.
method=$(basename "$0" .sh)
build=${1:-}
work=$build/demo/$method
inputs=$PWD/legacy_drivers/$method/inputs

# For the programs of awk: to mawk NaN is equal to every number, so that what is compared must look like one.
number='function number(x) { return x ~ /^[-+]?[0-9.]+([eE][-+]?[0-9]+)?$/ }'

fail() { echo "demo: $*" >&2; exit 1; }

# run PROGRAM RUN [ARGUMENT...]: in the folder $work/RUN, to which the files stdout, stderr and seconds, of wall time, come.
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

# speed TITLE SERIAL-RUN... -- RUN...: what the runs took in all, the second ones beside the first ones.
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

# Which backend was taken, and why, in the library's own words: each different line once.
backends() {
  cat "$work"/*/stderr | { grep -h 'backend' || true; } | sort | uniq -c | sort -rn | head -3 | sed 's/^ *\([0-9]*\) /    \1 x  /'
}

# gpu_would PROBLEM...: what a GPU would add, where there is none or none that the build can use. Quoted is what the newest record of
# relinked programs on a GPU has for these inputs (names without .inp), each with the same two mains; nothing where it has none.
gpu_would() {
  local why='no GPU here' records record
  if nvidia-smi -L > /dev/null 2>&1; then
    if grep -q '^LEGATO_CUDA:BOOL=ON' "$build/CMakeCache.txt"; then return; fi
    why='a GPU is here, but no CUDA in this build (nvcc compiles it)'
  fi
  records=("${LEGATO_DEMO_RECORDS:-benchmarks/results}"/*-relinked-demo.json)
  record=${records[-1]}
  [ -e "$record" ] || return 0
  awk -v method="$method" -v why="$why" -v wanted=" $* " '
    function of(name) {
      if (!match($0, "\"" name "\": (\"[^\"]*\"|[^,}]*)")) return ""
      name = substr($0, RSTART + length(name) + 4, RLENGTH - length(name) - 4)
      gsub("\"", "", name)
      return name
    }
    /"rows": \[/ { gpu = of("gpu"); date = of("date") }
    gpu != "" && of("room") == method && of("backend") == "cuda" {
      problem = of("problem"); sub(/\.inp$/, "", problem)
      if (index(wanted, " " problem " "))
        printf "    %s: with an %s the same main on Legato was %.3g times as fast as the serial program on one core of its host (%s, %s)\n", \
          why, gpu, of("ratio"), problem, date
    }' "$record"
}

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
