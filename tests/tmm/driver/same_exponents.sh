#!/usr/bin/env bash
# same_exponents.sh tight|ill_conditioned|table SERIAL LEGATO: compares the serial program with one on the library, on
# the same inputs.
#   tight: short runs. Iteration counts must be the same, and numbers agree to 1e-10 relative or 1e-11 absolute.
#   ill_conditioned: bars whose columns grow far apart between two orthonormalisations. Rounding alone changes the
#     smallest exponents (2e-10 was measured), and the two serial layouts differ, too. The bound is 1e-8 relative or
#     1e-10 absolute.
#   table: every boundary and disorder, 2D up to M = 16 and 3D up to M = 6, until the points have converged. The bounds
#     are those of tight. Points whose error is close to epsilon may end one iteration apart.
# LEGATO_TEST_RELATIVE sets another relative bound than 1e-10, such as 1e-9 with LEGATO_BACKEND=cuda.
set -eu
. "$(dirname "$(realpath "$0")")/common.sh"
kind=$1
shift
find_both "$@"

runs=0
# both LABEL "COMPARE_OPTIONS" [NAME=VALUE]...: runs both programs and compares them.
both() {
  local label=$1 options=$2 which
  shift 2
  runs=$((runs + 1))
  for which in serial legato; do
    mkdir -p "$scratch/$label/$which"; cd "$scratch/$label/$which"
    write_input "$@"
    "${!which}" > stdout || fail "$which failed on $label"
  done
  # shellcheck disable=SC2086 # several options
  "$here/compare_runs.sh" $options ../serial ../legato > ../comparison || { echo "$label"; cat ../comparison; bad=$((bad + 1)); }
}

tight="-r ${LEGATO_TEST_RELATIVE:-1e-10} -a 1e-11"
for boundary in 0 1 2; do
  for disorder in 0 1 2; do
    case $kind in
      tight)
        both "2d_boundary${boundary}_disorder$disorder" "$tight" IBCFlag=$boundary IRNGFlag=$disorder \
          Width0=2 Width1=16 DiagDis0=2.0 NOfIter=2000 NOfOrtho=5
        both "3d_boundary${boundary}_disorder$disorder" "$tight" IDimenFlag=3 IBCFlag=$boundary IRNGFlag=$disorder \
          Width0=2 Width1=6 DiagDis0=2.0 NOfIter=600 NOfOrtho=3 ;;
      ill_conditioned)
        both "3d_boundary${boundary}_disorder$disorder" "-r 1e-8 -a 1e-10" IDimenFlag=3 IBCFlag=$boundary \
          IRNGFlag=$disorder Width0=4 Width1=6 DiagDis0=6.0 Energy1=0.0 NOfIter=2000 NOfOrtho=8 ;;
      table)
        # The second and third disorder are named by their standard deviation.
        both "2d_boundary${boundary}_disorder$disorder" "-k 1 $tight" IBCFlag=$boundary IRNGFlag=$disorder \
          Width0=2 Width1=16 DiagDis0=$((disorder ? 1 : 4)) Energy0=-1.0 Energy1=2.0 dEnergy=1.5 \
          NOfIter=100000000 NOfOrtho=5 Epsilon=0.01
        both "3d_boundary${boundary}_disorder$disorder" "-k 1 $tight" IDimenFlag=3 IBCFlag=$boundary IRNGFlag=$disorder \
          Width0=2 Width1=6 DiagDis0=$((disorder ? 4 : 15)) Energy0=-1.0 Energy1=2.0 dEnergy=1.5 \
          NOfIter=100000000 NOfOrtho=3 Epsilon=0.01 ;;
    esac
  done
done
[ "$kind" = tight ] && both 1d "$tight" IDimenFlag=1 IBCFlag=0 Width0=1 Width1=1 DiagDis0=2.0 NOfOrtho=7
echo "same_exponents $kind: $runs inputs, $bad differ; of $(cat "$scratch"/*/legato/stdout | grep -c '^end:') points" \
  "$(cat "$scratch"/*/comparison | awk '/graze/ { n += $(NF - 3) } END { print n + 0 }') graze epsilon; largest deviation" \
  "$(cat "$scratch"/*/comparison | grep -o '[0-9.e+-]* relative' | sort -g | tail -n 1)"
[ "$runs" -gt 0 ] && [ "$bad" -eq 0 ]
