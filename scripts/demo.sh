#!/usr/bin/env bash
# The main job, side by side: the transfer-matrix program on legacy_drivers/tmm/inputs/demo.inp (a strip of width 8, 45
# energies across its band) by the serial Fortran routines, by the same main linked with Legato, and with the whole sweep
# handed to Legato at once. Prints a table, writes a plot. Options by environment:
#     LEGATO_DEMO_BUILD      build folder (build-demo)
#     LEGATO_DEMO_INPUT      another input, of one width
#     LEGATO_DEMO_CMAKE_ARGS further arguments for CMake
# and LEGATO_BACKEND, LEGATO_NUM_THREADS as for every program (README.md).
set -euo pipefail
cd "$(dirname "$(realpath "$0")")/.."
export LC_ALL=C

build=${LEGATO_DEMO_BUILD:-build-demo}
input=$(realpath "${LEGATO_DEMO_INPUT:-legacy_drivers/tmm/inputs/demo.inp}")
scripts/setup.sh

mkdir -p "$build"
build=$(realpath "$build")
work=$build/demo
log=$build/demo-build.log

# CUDA is compiled only where there is a device to run it on, and for that device.
cuda=(-DLEGATO_CUDA=OFF)
if command -v "${CUDACXX:-nvcc}" > /dev/null && command -v nvidia-smi > /dev/null; then
  capability=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2> /dev/null | head -1 | tr -d '. ' || true)
  [[ "$capability" =~ ^[0-9]+$ ]] && cuda=(-DLEGATO_CUDA=ON "-DCMAKE_CUDA_ARCHITECTURES=$capability")
fi
echo "demo: building (log: ${log#"$PWD"/})"
# shellcheck disable=SC2086
if ! { cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DLEGATO_TESTS=OFF -DLEGATO_BENCHMARKS=OFF \
         -DLEGATO_EXAMPLES=OFF "${cuda[@]}" ${LEGATO_DEMO_CMAKE_ARGS:-} &&
       cmake --build "$build" -j "$(nproc)"; } > "$log" 2>&1; then
  tail -30 "$log"
  echo "demo: the build failed" >&2
  exit 1
fi

now() { echo "${EPOCHREALTIME/,/.}"; }

# run NAME: runs tmsexd_NAME in a folder of its own; its wall time goes to $work/NAME/seconds.
run() {
  local name=$1 program=$build/legacy_drivers/tmm/tmsexd_$1 began
  if [ ! -x "$program" ]; then
    echo "demo: tmsexd_$name is not part of this build; going on without it"
    return
  fi
  mkdir "$work/$name"
  cp "$input" "$work/$name/tmseXd.inp"
  echo "demo: running tmsexd_$name"
  began=$(now)
  if ! (cd "$work/$name" && LEGATO_LOG=${LEGATO_LOG:-info} "$program" > stdout 2> stderr); then
    tail -5 "$work/$name/stderr" "$work/$name/stdout"
    echo "demo: tmsexd_$name failed" >&2
    exit 1
  fi
  awk -v a="$began" -v b="$(now)" 'BEGIN { printf "%.3f\n", b - a }' > "$work/$name/seconds"
  [ "$(ls "$work/$name"/Avg-*.raw 2> /dev/null | wc -l)" -eq 1 ] || { echo "demo: tmsexd_$name left not exactly one output file" >&2; exit 1; }
  # energy, disorder, localisation length, relative error, cycles, 0 if converged: the smallest exponent of each point.
  awk '
    FNR == NR {
      if ($1 == "end:") {
        for (i = 2; i < NF; ++i) if ($(i + 1) == "=") field[$i] = $(i + 2)
        cycles[++points] = field["k"]
      }
      next
    }
    /^[ ,]*\{ *1, / {
      gsub(/[{},]/, " ")
      point++
      printf "%.6g %.6g %.15g %.15g %s %s\n", $3, $2, 1 / $4, $5, (point in cycles ? cycles[point] : "-"), $6
    }' "$work/$name/stdout" "$work/$name"/Avg-*.raw > "$work/$name/points"
  [ -s "$work/$name/points" ] || { echo "demo: no points in the output of tmsexd_$name" >&2; exit 1; }
}

rm -rf "$work"
mkdir -p "$work"
run serial
run legato
run batch
[ -e "$work/serial/points" ] || { echo "demo: without the serial program there is nothing to compare with" >&2; exit 1; }

# compare NAME TITLE: table of the serial program and this one; the worst deviation goes to $work/NAME/worst.
compare() {
  local name=$1
  [ -e "$work/$name/points" ] || return 0
  echo; echo "$2"; echo
  paste -d' ' "$work/serial/points" "$work/$name/points" | awk -v out="$work/$name/worst" '
    function abs(x) { return x < 0 ? -x : x }
    BEGIN {
      print "                      serial Fortran               Legato"
      print "  energy  disorder   length    error      length    error    deviation  cycles (serial, Legato)"
    }
    NF != 12 || $1 != $7 || $2 != $8 { print "  the two runs have different points"; wrong = 1; exit }
    {
      deviation = abs($9 / $3 - 1)
      if (deviation > worst) worst = deviation
      # In units of the two errors together, for where the trajectories part.
      sigma = abs($9 - $3) / sqrt(($3 * $4)^2 + ($9 * $10)^2)
      if (sigma > worst_sigma) worst_sigma = sigma
      if ($5 == $11) ++same
      note = ($6 != 0 || $12 != 0) ? "  not converged" : ""
      printf "%8.3f %9.3f %9.3f %8.3f  %10.3f %8.3f  %10.1e  %9s %9s %s%s\n", $1, $2, $3, $3 * $4, $9, $9 * $10, deviation, $5, $11,
        ($5 == $11 ? "same" : "differ"), note
    }
    END {
      if (wrong) exit 1
      printf "%d points; cycles the same at %d; worst deviation of the length %.1e relative, %.2f standard errors\n", NR, same, worst, worst_sigma
      print worst_sigma > out
    }'
}
compare legato "The same main program linked with Legato, point after point:"
compare batch "The whole sweep handed to Legato at once:"

echo
awk '{ printf "serial Fortran, one core        %9.2f s\n", $1 }' "$work/serial/seconds"
for name in legato batch; do
  [ -e "$work/$name/seconds" ] || continue
  title="same main, linked with Legato"
  [ $name = legato ] || title="whole sweep at once"
  paste "$work/serial/seconds" "$work/$name/seconds" |
    awk -v title="$title" '{ printf "%-31s %9.2f s   %.2f times the speed of the serial program\n", title, $2, $1 / $2 }'
  # Which backend was taken, and why, in the library's own words: each different line once.
  { grep 'backend' "$work/$name/stderr" || true; } | sort | uniq -c | sort -rn | head -3 | sed 's/^ *\([0-9]*\) /    \1 x  /'
done

plot=$build/demo.png
series="'$work/serial/points' using 1:3:(\$3*\$4) with yerrorbars pointtype 7 pointsize 0.8 linecolor rgb '#4477aa' title 'serial Fortran'"
[ ! -e "$work/legato/points" ] || series+=", '$work/legato/points' using 1:3 with points pointtype 6 pointsize 1.6 linecolor rgb '#cc3311' title 'Legato, point after point'"
[ ! -e "$work/batch/points" ] || series+=", '$work/batch/points' using 1:3 with points pointtype 8 pointsize 2.2 linecolor rgb '#228833' title 'Legato, whole sweep'"
echo
if command -v gnuplot > /dev/null; then
  gnuplot <<GNUPLOT
set terminal png size 1000,700
set output '$plot'
set title 'Anderson model, $(basename "$input"): localisation length and its standard error' noenhanced
set xlabel 'energy E'
set ylabel 'localisation length'
set logscale y
set format y '10^{%L}'
set key bottom center
set grid
plot $series
GNUPLOT
  echo "demo: plot in ${plot#"$PWD"/}"
else
  echo "demo: no plot, gnuplot is not installed"
fi

for name in legato batch; do
  [ -e "$work/$name/worst" ] || continue
  awk '{ exit !($1 < 5) }' "$work/$name/worst" || { echo "demo: tmsexd_$name disagrees with the serial program" >&2; exit 1; }
done
if [ ! -e "$work/legato/points" ] && [ ! -e "$work/batch/points" ]; then
  echo "demo: this build has no program linked with Legato: only the serial one ran" >&2
  exit 1
fi
echo "demo: done"
