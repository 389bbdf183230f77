#!/usr/bin/env bash
# tmm.sh BUILD INPUT: runs the transfer-matrix program on an input of one width. The default of demo.sh is a strip of
# width 8 with 45 energies across its band. The runs use the serial Fortran routines, the same main linked with Legato,
# and a batch of the whole sweep. The script prints a table and writes BUILD/demo-tmm.png. demo.sh calls it after
# building the programs.
set -euo pipefail
. "$(dirname "$(realpath "$0")")/common.sh"
input=$2

# points RUN: prints a line for each point of the output: energy, disorder, localisation length and relative error of
# the smallest exponent, cycles, and 0 if it has converged. An exponent of 0 has the length "inf". "nan" is not a
# number.
points() {
  [ "$(find "$work/$1" -name 'Avg-*.raw' | wc -l)" -eq 1 ] || fail "tmsexd_$1 left not exactly one output file"
  awk "$number"'
    function length_of(x) { return !number(x) ? "nan" : x + 0 == 0 ? "inf" : sprintf("%.15g", 1 / x) }
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
      printf "%.6g %.6g %s %s %s %s\n", $3, $2, length_of($4), number($5) ? sprintf("%.15g", $5) : "nan",
        (point in cycles ? cycles[point] : "-"), $6
    }' "$work/$1/stdout" "$work/$1"/Avg-*.raw > "$work/$1/points"
  [ -s "$work/$1/points" ] || fail "no points in the output of tmsexd_$1"
}

for name in serial legato batch; do
  mkdir -p "$work/$name"
  cp "$input" "$work/$name/tmseXd.inp"
  run "tmsexd_$name" "$name"
  points "$name"
done

# Each row has a point of the serial run and of each run with Legato. Runs agree at a point if their lengths agree
# within rounding (1e-7) or five standard errors. The number of points that do not agree, or have no number, goes to
# $work/wrong.
echo
paste -d' ' "$work"/{serial,legato,batch}/points | awk -v names="legato batch" -v out="$work/wrong" "$number"'
  function abs(x) { return x < 0 ? -x : x }
  # Returns the length and its error, or the text that is not a number.
  function pair(x, error) {
    if (!number(x) || !number(error)) return sprintf("%10s %7s", number(x) ? sprintf("%.3f", x) : x, number(error) ? "-" : error)
    return sprintf("%10.3f %7.3f", x, x * error)
  }
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
    line = sprintf("%7.3f %8.3f  %s", $1, $2, pair($3, $4))
    note = $6 != 0 ? ", not converged" : ""
    differ = ""
    no_number = 0
    for (r = 1; r <= runs; ++r) {
      at = 6 * r
      if (NF != 6 * (runs + 1) || $(at + 1) != $1 || $(at + 2) != $2) {
        print "the runs have different points"
        wrong = 1
        exit
      }
      if ($3 == "nan" || $4 == "nan" || $(at + 3) == "nan" || $(at + 4) == "nan") {
        no_number = 1
        deviation = "-"
      } else if ($3 == "inf" || $(at + 3) == "inf") {
        parted = $3 "" != $(at + 3) ""
        deviation = parted ? "-" : 0
        disagree += parted
      } else {
        difference = abs($(at + 3) - $3)
        deviation = abs($3) > 0 ? difference / abs($3) : difference
        if (deviation > worst[r]) worst[r] = deviation
        # Lengths of different trajectories are compared in units of their combined error.
        both = sqrt(($3 * $4)^2 + ($(at + 3) * $(at + 4))^2)
        sigma = both > 0 ? difference / both : 0
        if (sigma > worst_sigma[r]) worst_sigma[r] = sigma
        disagree += !(deviation <= 1e-7 || both > 0 && sigma < 5)
      }
      if ($(at + 5) == $5) ++same[r]; else differ = differ " and " $(at + 5)
      if ($(at + 6) != $6) note = ", converged in one run only"
      line = line sprintf("   %s %9s", pair($(at + 3), $(at + 4)), deviation == "-" ? "-" : sprintf("%.1e", deviation))
    }
    unknown += no_number
    print line "   " $5 differ note
  }
  END {
    if (wrong || !NR) exit 1
    print ""
    for (r = 1; r <= runs; ++r) {
      printf "%s: cycles as in the serial run at %d of %d points, lengths to %.1e, which is %.1e standard errors\n",
        title[name[r]], same[r], NR, worst[r], worst_sigma[r]
    }
    print disagree + 0, unknown + 0 > out
  }'

echo
speed "same main" serial -- legato
speed "whole sweep at once" serial -- batch
backends
# The records have only the inputs of the repository.
if [ "$input" -ef "$inputs/$(basename "$input")" ]; then gpu_would "$(basename "$input" .inp)"; fi

x=1 axis='energy E'
if awk 'NR == 1 { e = $1; d = $2 } $1 != e { exit 1 } $2 != d { moved = 1 } END { exit !moved }' "$work/serial/points"; then
  x=2 axis='disorder W'
fi
series="'$work/serial/points' using $x:3:(\$3*\$4) with yerrorbars pointtype 7 pointsize 0.7 linecolor rgb '#222222' title 'serial Fortran'"
deviations="'$work/serial/points' using $x:4 with lines linecolor rgb '#222222' title 'standard error'"
marks=("pointtype 6 pointsize 1.4 linecolor rgb '#cc3311'" "pointtype 4 pointsize 1.9 linecolor rgb '#0077bb'")
for name in legato batch; do
  title='same main on Legato' mark=${marks[0]}
  [ "$name" = legato ] || title='whole sweep on Legato' mark=${marks[1]}
  series+=", '$work/$name/points' using $x:3 with points $mark title '$title'"
  deviations+=", '< paste -d\" \" $work/serial/points $work/$name/points' using $x:(abs(\$9/\$3-1)+1e-16) with points $mark title '$title'"
done
draw "$build/demo-tmm.png" <<GNUPLOT
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

read -r disagree unknown < "$work/wrong"
[ "$unknown" -eq 0 ] || fail "the result is not a number at $unknown points"
[ "$disagree" -eq 0 ] || fail "the runs disagree"
