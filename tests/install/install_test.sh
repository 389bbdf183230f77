#!/usr/bin/env bash
# install_test.sh CMAKE GENERATOR BUILD [FORTRAN]: installs BUILD into a scratch prefix, compiles every header by
# itself, and checks that every module exists. CMake builds the examples and a C program that calls a function of each
# header. pkg-config alone serves to build C and Fortran programs, programs for MPI, and one with the static drop-in. The code in
# README.md is built by the command below it. All these programs and the installed programs are run.
set -eu
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1     # a program without mpirun is a single rank
here=$(dirname "$(realpath "$0")")
root=$here/../..
cmake=$1 generator=$2 build=$3 fortran=${4:-}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fail() { echo "install_test: $*" >&2; exit 1; }

"$cmake" --install "$build" --prefix "$scratch/first" > "$scratch/install.log" || { cat "$scratch/install.log"; fail "cmake --install failed"; }
# The installed tree must work in any folder.
prefix=$scratch/prefix
mv "$scratch/first" "$prefix"
library=$(find "$prefix" -name liblegato.so)
mpi=$(find "$prefix" -name liblegato_mpi.so)     # empty if Legato was built without MPI
[ -n "$library" ] || fail "no liblegato.so below the prefix"
libraries=$(dirname "$library")
version=$(sed -n 's/^project(.* VERSION \([0-9]*\.[0-9]*\).*/\1/p' "$root/CMakeLists.txt")
readelf -d "$library" | grep -q "SONAME.*\[liblegato\.so\.$version\]" || fail "the SONAME of liblegato.so is not liblegato.so.$version"
if [ -n "$fortran" ] && ! [ -x "$prefix/bin/dfratom_batch" ]; then fail "no programs in bin"; fi
for program in "$prefix"/bin/*; do
  ! readelf -d "$program" | grep -i 'R.*PATH.*\[' | grep -v '\[\$ORIGIN[^:]*\]' || fail "$program has a search path that is not relative to it"
done
! grep -rl "$build" "$prefix" --include='*.cmake' --include='*.pc' --include='*.h' || fail "installed files name the build folder"

echo "-- every header by itself, as C99 and C++17"
headers=$( (cd "$root/capi/include" && find . -name '*.h'; cd "$root/mpi/include" && find . -name '*.h') | sort)
[ "$headers" = "$(cd "$prefix/include" && find . -name '*.h' | sort)" ] || fail "the installed headers are not those of capi/include and mpi/include"
for header in $headers; do
  "${CC:-cc}" -std=c99 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -I"$prefix/include" -x c "$prefix/include/$header"
  "${CXX:-c++}" -std=c++17 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -I"$prefix/include" -x c++ "$prefix/include/$header"
done
if [ -n "$fortran" ]; then
  echo "-- every module"
  for module in $(sed -n 's/^module \([a-z_]*\).*/\1/p' "$root"/fortran/*.f90); do
    [ -f "$prefix/include/legato/modules/$module.mod" ] || fail "the module $module is not installed"
  done
fi

echo "-- C by CMake"
"$cmake" -G "$generator" -S "$here/consumer" -B "$scratch/consumer" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_BUILD_TYPE=Release > "$scratch/cmake.log" 2>&1 &&
  "$cmake" --build "$scratch/consumer" >> "$scratch/cmake.log" 2>&1 || { cat "$scratch/cmake.log"; fail "the C consumer does not build"; }
"$scratch/consumer/consumer_shared"
# This program contains the library and is outside the prefix, which has been moved.
LEGATO_BASIS_PATH=$(find "$prefix" -path '*/share/legato/basis') "$scratch/consumer/consumer_static"

echo "-- the examples by CMake"
"$cmake" -G "$generator" -S "$root/examples" -B "$scratch/examples" -DCMAKE_PREFIX_PATH="$prefix" > "$scratch/cmake.log" 2>&1 &&
  "$cmake" --build "$scratch/examples" >> "$scratch/cmake.log" 2>&1 || { cat "$scratch/cmake.log"; fail "the examples do not build"; }
for source in "$root"/examples/*.c "$root"/examples/*.f90; do
  example=$scratch/examples/$(basename "${source%.*}")_$(case $source in *.c) echo c ;; *) echo f ;; esac)
  if [ "${example%_f}" != "$example" ] && [ -z "$fortran" ]; then continue; fi
  if [ "${example%_mpi_?}" != "$example" ] && ! [ -x "$example" ] && [ -z "$mpi" ]; then continue; fi
  # It runs a minute, and example_vmc_optimise runs it from the build.
  if [ "${example%vmc_optimise_f}" != "$example" ] && [ -x "$example" ]; then continue; fi
  "$example" > "$scratch/table" 2> "$scratch/progress" || { cat "$scratch/progress"; fail "$example failed"; }
  name=$(basename "$example")
  name=${name%_?}
  "$here/../examples/good_table.py" "${name%_mpi}" "$scratch/table" || fail "$example: not its table"
  tail -1 "$scratch/table"
done

if [ -n "$fortran" ]; then
  echo "-- the programs"
  cd "$scratch"
  "$prefix/bin/dfratom_batch" --elements He || fail "dfratom_batch failed"
  "$prefix/bin/dfratom_batch" --elements He --basis hennessey || fail "dfratom_batch does not find the installed basis sets"
  cp "$root/legacy_drivers/tmm/inputs/1d.inp" tmseXd.inp
  "$prefix/bin/tmsexd_batch" || fail "tmsexd_batch failed"
  "$prefix/bin/kpm_spectra" --set L=16 "$prefix/share/legato/lattices/haldane.inp" && [ -s haldane-dos.dat ] || fail "kpm_spectra failed"
  "$prefix/bin/tmm_scaling" --help || fail "tmm_scaling failed"
fi

command -v pkg-config > /dev/null || fail "pkg-config is missing"
export PKG_CONFIG_PATH=$libraries/pkgconfig LD_LIBRARY_PATH=$libraries
read -ra flags <<< "$(pkg-config --cflags legato)"
read -ra links <<< "$(pkg-config --libs legato)"

echo "-- C by pkg-config"
"${CC:-cc}" "${flags[@]}" "$here/consumer/consumer.c" "${links[@]}" -o "$scratch/by_pkg_config"
"$scratch/by_pkg_config"
readelf -d "$scratch/by_pkg_config" > "$scratch/needed"
! grep -i fortran "$scratch/needed" || fail "the C program needs a Fortran library"

if [ -n "$fortran" ]; then
  echo "-- Fortran by pkg-config"
  cd "$scratch"
  "$fortran" "${flags[@]}" "$here/consumer/consumer.f90" "${links[@]}" -o by_pkg_config_fortran
  ./by_pkg_config_fortran

  echo "-- an old program and the static drop-in"
  links=$(pkg-config --static --libs legato | sed 's/-llegato\b/-l:liblegato.a/')
  # shellcheck disable=SC2086 # many options
  "$fortran" "$here"/../dropin/relink/{main,only_report}.f90 -l:liblegato_tmm_site_first.a $links -o old_program
  ./old_program > old_program.out || fail "the old program failed"
  grep -q 'calls 3$' old_program.out || fail "the static drop-in did not run"
fi

if [ -n "$mpi" ]; then
  echo "-- MPI by pkg-config, and the sources for another MPI"
  cd "$scratch"
  read -ra flags <<< "$(pkg-config --cflags legato_mpi)"
  read -ra links <<< "$(pkg-config --libs legato_mpi)"
  sources=$prefix/share/legato/mpi
  mpicc "${flags[@]}" "$root/examples/vmc_energy_mpi.c" "${links[@]}" -o by_pkg_config_mpi
  ./by_pkg_config_mpi > table 2> progress || { cat progress; fail "the MPI program failed"; }
  "$here/../examples/good_table.py" vmc_energy table
  read -ra flags <<< "$(pkg-config --cflags legato)"
  read -ra links <<< "$(pkg-config --libs legato)"
  mpicc "${flags[@]}" "$root/examples/vmc_energy_mpi.c" "$sources/legato_mpi.c" "${links[@]}" -o from_sources
  if [ -n "$fortran" ]; then
    read -ra flags <<< "$(pkg-config --cflags legato_mpi)"
    read -ra links <<< "$(pkg-config --libs legato_mpi)"
    mpif90 "${flags[@]}" "$root/examples/tmm_sweep_mpi.f90" "${links[@]}" -o by_pkg_config_mpi_fortran
    ./by_pkg_config_mpi_fortran > table 2> progress || { cat progress; fail "the Fortran MPI program failed"; }
    "$here/../examples/good_table.py" tmm_sweep table
    mpicc -c "${flags[@]}" "$sources/legato_mpi.c"
    read -ra flags <<< "$(pkg-config --cflags legato)"
    read -ra links <<< "$(pkg-config --libs legato)"
    mpif90 "${flags[@]}" "$sources/legato_mpi.f90" "$root/examples/tmm_sweep_mpi.f90" legato_mpi.o "${links[@]}" -o from_sources_fortran
  fi
fi

# Builds the programs `strip` of the README by its commands.
readme() {
  local language=$1 source=$2 command
  echo "-- README, $language"
  mkdir -p "$scratch/readme" && cd "$scratch/readme"
  sed -n "/^\`\`\`$language\$/,/^\`\`\`\$/p" "$root/README.md" | sed '/^```/d' > "$source"
  command=$(grep -E "^    [a-z]+ $source " "$root/README.md")
  eval "$command" || fail "README: $command"
  ./strip > strip.out || fail "README: strip failed"
  cat strip.out
  [ "$(grep -c '^E = .*length .*+-' strip.out)" -eq 3 ] || fail "README: three lines were expected"
}
readme c strip.c
if [ -n "$fortran" ]; then readme fortran strip.f90; fi     # "||" would disable set -e in the function
