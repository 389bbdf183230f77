#!/usr/bin/env bash
# Reproduces the Anderson transition in three dimensions with uniform disorder at E = 0: the critical disorder W_c, the
# exponent nu of the localisation length, and the critical value of Lambda, with their errors, beside published values.
# It computes localisation lengths of bars (tmm_lengths), fits finite-size scaling (tmm_scaling), and plots the fits if
# gnuplot is there.
#
#     anderson3d.sh [FOLDER]     folder of all files (default: anderson3d in the current folder)
#
# The same command goes on where an earlier one has ended, also after kill -9. Environment variables are the options:
#     LEGATO_REPRODUCE_PROGRAMS  folder of the programs (default: those on PATH)
#     LEGATO_REPRODUCE_SIZE      cpu: M = 4 to 14, errors of 0.5 to 0.8 %, about ten minutes on two cores; gpu: M = 4 to
#                                24, errors of 0.1 to 0.2 %, 22 minutes on an H200; test: seconds (default:
#                                gpu if LEGATO_BACKEND is cuda, otherwise cpu)
#     LEGATO_REPRODUCE_MINUTES   stop after so many minutes, with exit status 2 (default: no limit)
# LEGATO_BACKEND, LEGATO_DEVICE and LEGATO_NUM_THREADS have their usual meaning (docs/building.md).
set -euo pipefail
export LC_ALL=C

fail() { echo "anderson3d: $*" >&2; exit 1; }

case ${1-anderson3d} in
  -h | --help) sed -n '2,/^set/ { s/^# \{0,1\}//p }' "$0"; exit ;;
  '' | -*) fail "the argument \"$1\" is neither a folder nor --help" ;;
esac
[ $# -le 1 ] || fail "too many arguments; the only one is the folder of the results"
folder=${1-anderson3d}
if [ -n "${LEGATO_REPRODUCE_PROGRAMS:-}" ]; then PATH=$(realpath -- "$LEGATO_REPRODUCE_PROGRAMS"):$PATH; fi
for program in tmm_lengths tmm_scaling; do
  command -v "$program" > /dev/null || fail "$program is not on PATH; set LEGATO_REPRODUCE_PROGRAMS to its folder"
done
size=cpu
[ "${LEGATO_BACKEND:-}" != cuda ] || size=gpu
size=${LEGATO_REPRODUCE_SIZE:-$size}
# Tables as "WIDTHS EPSILON REPLICAS", and fits as "WIDTHS ORDERS". Replicas let 13 disorders use a whole GPU.
case $size in
  cpu) tables=("4:10 0.005 1" "12,14 0.008 1") fits=("6: 3,0,2,0" "8: 3,0,2,0") ;;
  gpu) tables=("4:12 0.001 10" "14:20:2 0.0015 10" "24 0.002 10") fits=("8: 3,0,2,0" "12: 3,0,2,0" "4: 3,1,2,0" "5: 3,1,2,0") ;;
  test) tables=("4:5 0.02 1" "6 0.02 1") fits=("4: 2,0,1,0" "4: 1,0,1,0") ;;
  *) fail "LEGATO_REPRODUCE_SIZE: $size is not one of cpu, gpu, test" ;;
esac
limit=${LEGATO_REPRODUCE_MINUTES:-}
[[ $limit =~ ^([0-9]+\.?[0-9]*|\.[0-9]+)?$ ]] || fail "LEGATO_REPRODUCE_MINUTES: $limit is not a number of minutes, such as 30 or 0.5"
[ ${#limit} -le 6 ] || fail "LEGATO_REPRODUCE_MINUTES: $limit has more than six characters"
began=$SECONDS
mkdir -p -- "$folder"
cd -- "$folder"

# table NUMBER WIDTHS EPSILON REPLICAS: writes the file lambda-SIZE-NUMBER.dat, whole or not at all.
table() {
  local name=lambda-$size-$1 status=0 minutes=()
  if [ -n "$limit" ]; then
    minutes=(--minutes "$(awk -v limit="$limit" -v used=$((SECONDS - began)) \
                          'BEGIN { left = limit - used / 60; print (left > 0 ? left : 0) }')")
  fi
  tmm_lengths --widths "$2" --disorder 15:18:0.25 --epsilon "$3" --replicas "$4" --state "bars-$size" "${minutes[@]}" \
    > "$name.part" || status=$?
  [ $status != 1 ] || fail "tmm_lengths has failed; what it has computed is in $folder/$name.part"
  [ $status = 0 ] || exit $status
  mv "$name.part" "$name.dat"
}

number=0 files=()
for words in "${tables[@]}"; do
  number=$((number + 1))
  # shellcheck disable=SC2086 # words
  table $number $words
  files+=("lambda-$size-$number.dat")
done

# fit WIDTHS ORDERS: prints a line of results, and writes fit-NAME.txt and files for the plot.
fit() {
  local name=fit-$size-from-${1%:}-orders-${2//,/}
  tmm_scaling --widths "$1" --orders "$2" --output "$name" "${files[@]}" > "$name.txt" ||
    { echo "M >= ${1%:} with orders $2: no fit, see $folder/$name.txt"; failed=1; return; }
  awk -v from="${1%:}" -v orders="$2" 'NF >= 16 && $1 != "#" {
    printf "M >= %-3s %-9s %6.1f %5.2f   %7.3f +- %5.3f  %6.3f +- %5.3f   %6.4f +- %6.4f\n", from, orders, $6, $7, $8, $9, $10,
      $11, $14, $15
  }' "$name.txt"
  if command -v gnuplot > /dev/null; then
    gnuplot "$name.gp" > gnuplot.log 2>&1 || fail "gnuplot has failed, see $folder/gnuplot.log"
  fi
}

failed=0
echo "data     orders      chi2     Q       W_c               nu                Lambda_c"
for words in "${fits[@]}"; do
  # shellcheck disable=SC2086 # words
  fit $words
done
echo "published (1)                     16.54  +- 0.01     1.571 +- 0.004    0.576 +- 0.002"
echo "(1) K. Slevin and T. Ohtsuki: nu from New J. Phys. 16, 015012 (2014), the others from Phys. Rev. Lett. 82, 382 (1999)."
echo "    Orders 3,1,2,0 have an irrelevant field, the correction to scaling. Without it W_c of narrow bars is too small."
exit $failed
