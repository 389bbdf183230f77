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
    tail -q -n 5 "$work/$name/stderr" "$work/$name/stdout"
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

# One row a point: the serial run, and beside it each run with Legato; the worst deviation, in standard errors, goes to
# $work/worst.
programs=() points=("$work/serial/points")
for name in legato batch; do
  [ -e "$work/$name/points" ] || continue
  programs+=("$name")
  points+=("$work/$name/points")
done
if [ ${#programs[@]} -eq 0 ]; then
  echo "demo: this build has no program linked with Legato: only the serial one ran" >&2
  exit 1
fi
echo
paste -d' ' "${points[@]}" | awk -v names="${programs[*]}" -v out="$work/worst" '
  function abs(x) { return x < 0 ? -x : x }
  BEGIN {
    runs = split(names, name)
    title["legato"] = "same main on Legato"
    title["batch"] = "whole sweep on Legato"
    over = sprintf("%36s", "serial Fortran")
    below = sprintf("%7s %8s  %10s %7s", "energy", "disorder", "length", "error")
    for (r = 1; r <= runs; ++r) {
      over = over sprintf("   %28s", title[name[r]])
      below = below sprintf("   %10s %7s %9s", "length", "error", "deviation")
    }
    print over
    print below "   cycles"
  }
  {
    line = sprintf("%7.3f %8.3f  %10.3f %7.3f", $1, $2, $3, $3 * $4)
    note = $6 != 0 ? ", not converged" : ""
    differ = ""
    for (r = 1; r <= runs; ++r) {
      at = 6 * r
      if (NF != 6 * (runs + 1) || $(at + 1) != $1 || $(at + 2) != $2) {
        print "the runs have different points"
        wrong = 1
        exit
      }
      length_ = $(at + 3)
      error = length_ * $(at + 4)
      deviation = abs(length_ / $3 - 1)
      if (deviation > worst[r]) worst[r] = deviation
      # In units of both errors together, for where the trajectories part.
      sigma = abs(length_ - $3) / sqrt(($3 * $4)^2 + error^2)
      if (sigma > worst_sigma[r]) worst_sigma[r] = sigma
      if ($(at + 5) == $5) ++same[r]; else differ = differ " and " $(at + 5)
      if ($(at + 6) != $6) note = ", converged in one run only"
      line = line sprintf("   %10.3f %7.3f %9.1e", length_, error, deviation)
    }
    print line "   " $5 differ note
  }
  END {
    if (wrong || !NR) exit 1
    print ""
    for (r = 1; r <= runs; ++r) {
      printf "%s: cycles as in the serial run at %d of %d points, lengths to %.1e, which is %.1e standard errors\n",
        title[name[r]], same[r], NR, worst[r], worst_sigma[r]
      if (worst_sigma[r] > most) most = worst_sigma[r]
    }
    print most + 0 > out
  }'

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
x=1 axis='energy E'
if awk 'NR == 1 { e = $1; d = $2 } $1 != e { exit 1 } $2 != d { moved = 1 } END { exit !moved }' "$work/serial/points"; then
  x=2 axis='disorder W'
fi
series="'$work/serial/points' using $x:3:(\$3*\$4) with yerrorbars pointtype 7 pointsize 0.7 linecolor rgb '#222222' title 'serial Fortran'"
deviations="'$work/serial/points' using $x:4 with lines linecolor rgb '#222222' title 'standard error'"
marks=("pointtype 6 pointsize 1.4 linecolor rgb '#cc3311'" "pointtype 4 pointsize 1.9 linecolor rgb '#0077bb'")
for name in "${programs[@]}"; do
  title='same main on Legato' mark=${marks[0]}
  [ $name = legato ] || title='whole sweep on Legato' mark=${marks[1]}
  series+=", '$work/$name/points' using $x:3 with points $mark title '$title'"
  deviations+=", '< paste -d\" \" $work/serial/points $work/$name/points' using $x:(abs(\$9/\$3-1)+1e-16) with points $mark title '$title'"
done
echo
if command -v gnuplot > /dev/null; then
  gnuplot <<GNUPLOT
set terminal png size 1000,900
set output '$plot'
set multiplot layout 2,1 title 'Anderson model, $(basename "$input")' noenhanced
set xlabel '$axis'
set logscale y
set format y '10^{%L}'
set grid
set lmargin 10
set ylabel 'localisation length'
set key bottom center
plot $series
set ylabel 'relative deviation from serial'
set yrange [5e-17:1]
set key top center horizontal
plot $deviations
GNUPLOT
  echo "demo: plot in ${plot#"$PWD"/}"
else
  echo "demo: no plot, gnuplot is not installed"
fi

awk '{ exit !($1 < 5) }' "$work/worst" || { echo "demo: the runs disagree" >&2; exit 1; }
echo "demo: done"
