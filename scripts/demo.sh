#!/usr/bin/env bash
# Runs the serial Fortran programs and the same programs on Legato, and compares them in tables and plots. Without a GPU
# it also prints what a GPU would gain. It fails if two programs disagree. Each method has a script in scripts/demo.
# Environment variables are the options:
#     LEGATO_DEMO_BUILD      build folder (default: build-demo in the repository)
#     LEGATO_DEMO_INPUT      another input for the transfer-matrix program, with a single width
#     LEGATO_DEMO_ONLY       a single method: tmm, dfr, kpm, vmc or ising
#     LEGATO_DEMO_CMAKE_ARGS further arguments for CMake
# LEGATO_BACKEND and LEGATO_NUM_THREADS have their usual meaning (docs/building.md). Relative names refer to the current
# folder.
set -euo pipefail
. "$(dirname "$(realpath "$0")")/demo/common.sh"
build=${LEGATO_DEMO_BUILD:+$(realpath -m -- "$LEGATO_DEMO_BUILD")}
input=${LEGATO_DEMO_INPUT:+$(realpath -m -- "$LEGATO_DEMO_INPUT")}
cd "$(dirname "$(realpath "$0")")/.."

build=${build:-$PWD/build-demo}
input=${input:-$PWD/legacy_drivers/tmm/inputs/demo.inp}
if ! [ -f "$input" ] || ! [ -r "$input" ]; then fail "LEGATO_DEMO_INPUT: $input is not a file that can be read"; fi
case ${LEGATO_DEMO_ONLY:-} in
  '') methods="tmm dfr kpm vmc ising" ;;
  tmm | dfr | kpm | vmc | ising) methods=$LEGATO_DEMO_ONLY ;;
  *) fail "LEGATO_DEMO_ONLY: $LEGATO_DEMO_ONLY is not one of tmm, dfr, kpm, vmc, ising" ;;
esac
scripts/setup.sh

mkdir -p "$build"
log=$build/demo-build.log

# CUDA is compiled only if there is a device, and only for that device.
cuda=(-DLEGATO_CUDA=OFF)
capability=$(scripts/compute_capability.sh)
if [ -n "$capability" ] && command -v "${CUDACXX:-nvcc}" > /dev/null; then
  cuda=(-DLEGATO_CUDA=ON "-DCMAKE_CUDA_ARCHITECTURES=$capability")
fi
echo "demo: building (log: ${log#"$PWD"/})"
began=$SECONDS
# Only the programs of the demo are built.
declare -A programs=([tmm]="tmsexd_serial tmsexd_legato tmsexd_batch"
                     [dfr]="dfratom_serial dfratom_legato dfratom_batch dfr_density_f"
                     [kpm]="kpmdos_serial kpmdos_legato"
                     [vmc]="vmcrvb_serial vmcrvb_legato vmc_optimise_f"
                     [ising]="ising_mc_serial ising_mc_legato")
targets=()
for method in $methods; do
  # shellcheck disable=SC2206 # words
  targets+=(${programs[$method]})
done
# shellcheck disable=SC2086
if ! { cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DLEGATO_TESTS=OFF -DLEGATO_BENCHMARKS=OFF \
         -DLEGATO_EXAMPLES=ON "${cuda[@]}" ${LEGATO_DEMO_CMAKE_ARGS:-} &&
       cmake --build "$build" -j "$(nproc)" --target "${targets[@]}"; } > "$log" 2>&1; then
  tail -30 "$log"
  fail "the build failed"
fi
echo "demo: built in $((SECONDS - began)) s"

failed=()
for method in $methods; do
  rm -rf "$build/demo/$method"
  mkdir -p "$build/demo/$method"
  echo
  began=$SECONDS
  "scripts/demo/$method.sh" "$build" "$input" || failed+=("$method")
  echo "demo: $method in $((SECONDS - began)) s"
done
[ ${#failed[@]} -eq 0 ] || fail "failed: ${failed[*]}"
echo "demo: done"
