#!/usr/bin/env bash
# Installs the missing packages of Debian 12 or Ubuntu 24.04 that Legato's build, tests and demo need. It changes
# nothing if all are installed. CUDA is optional and is not installed here; the build uses nvcc if it finds it.
# LEGATO_CHECK_WEEKLY=1 adds the packages for fuzzing.
set -eu

packages=(g++ gfortran cmake ninja-build ccache pkg-config libhdf5-dev librandom123-dev libkissfft-dev libboost-dev libboost-test-dev liblapack-dev
          libnlopt-dev libcminpack-dev nlohmann-json3-dev libopenmpi-dev openmpi-bin libmpich-dev mpich abigail-tools gnuplot-nox python3 universal-ctags clang-format-14 clang-tidy-14 doxygen)
[ "${LEGATO_CHECK_WEEKLY:-0}" = 0 ] || packages+=(clang libclang-rt-dev libomp-dev)

# Returns whether a package is installed. Its commands may also come from elsewhere, for instance from a larger package.
provided() {
  case $1 in
    g++ | gfortran | cmake | pkg-config | python3 | clang | clang-format-14 | clang-tidy-14 | doxygen) command -v "$1" > /dev/null ;;
    ninja-build) command -v ninja > /dev/null ;;
    abigail-tools) command -v abidiff > /dev/null ;;
    gnuplot-nox) command -v gnuplot > /dev/null ;;
    *) [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2> /dev/null)" = installed ] ;;
  esac
}

if ! command -v apt-get > /dev/null || ! command -v dpkg-query > /dev/null; then
  # Without a Debian package database only the commands are checked. CMake will look for the libraries.
  for command in g++ gfortran cmake ninja pkg-config; do
    command -v "$command" > /dev/null && continue
    echo "setup: '$command' is missing, and this system has no apt-get. Install by hand what these packages of" >&2
    echo "Debian 12 or Ubuntu 24.04 hold: ${packages[*]}" >&2
    exit 1
  done
  echo "setup: no apt-get here; compilers, CMake and Ninja are there, CMake will look for the libraries"
  exit 0
fi

missing=()
for package in "${packages[@]}"; do provided "$package" || missing+=("$package"); done
if [ ${#missing[@]} -eq 0 ]; then
  echo "setup: everything is installed"
  exit 0
fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo > /dev/null; then
    echo "setup: not root, and there is no sudo. As root: apt-get install ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi

"${as_root[@]}" apt-get update -q
wanted=()
for package in "${missing[@]}"; do
  if [[ $package = clang-*-14 ]] && ! apt-cache show "$package" > /dev/null 2>&1; then
    echo "setup: this distribution has no $package; the check will skip what needs it"
  else wanted+=("$package"); fi
done
[ ${#wanted[@]} -gt 0 ] || exit 0
echo "setup: installing ${wanted[*]}"
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${wanted[@]}"
for package in "${wanted[@]}"; do
  provided "$package" || { echo "setup: '$package' is still missing after its installation" >&2; exit 1; }
done
echo "setup: done"
