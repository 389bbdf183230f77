# Options of the build, and flags of all targets.
include(CheckLanguage)
include(CMakeDependentOption)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, Release, RelWithDebInfo" FORCE)
endif()

# CMake 3.25 asks nvcc for an architecture that CUDA 13 no longer has, unless one is named first.
set(CMAKE_CUDA_ARCHITECTURES "80;90;100" CACHE STRING "CUDA compute capabilities to compile for")
check_language(CUDA)
check_language(Fortran)
string(COMPARE NOTEQUAL "${CMAKE_CUDA_COMPILER}" "" LEGATO_HAS_NVCC)
if(CMAKE_CUDA_COMPILER MATCHES "NOTFOUND$")
  set(LEGATO_HAS_NVCC OFF)
endif()
if(CMAKE_Fortran_COMPILER AND NOT CMAKE_Fortran_COMPILER MATCHES "NOTFOUND$")
  set(LEGATO_HAS_FORTRAN ON)
else()
  set(LEGATO_HAS_FORTRAN OFF)
endif()

find_package(MPI QUIET COMPONENTS C)

option(LEGATO_CUDA "CUDA engines (found automatically)" ${LEGATO_HAS_NVCC})
option(LEGATO_FORTRAN "Fortran modules, drop-ins and legacy drivers (found automatically)" ${LEGATO_HAS_FORTRAN})
option(LEGATO_MPI "liblegato_mpi (found automatically)" ${MPI_C_FOUND})
option(LEGATO_TESTS "Tests" ${PROJECT_IS_TOP_LEVEL})
option(LEGATO_BENCHMARKS "Benchmarks" ${PROJECT_IS_TOP_LEVEL})
option(LEGATO_EXAMPLES "Examples" ${PROJECT_IS_TOP_LEVEL})
option(LEGATO_FUZZ "libFuzzer targets (needs clang)" OFF)
set(LEGATO_SANITIZE OFF CACHE STRING "ON: AddressSanitizer and UndefinedBehaviorSanitizer; thread: ThreadSanitizer")
option(LEGATO_COVERAGE "Count which lines the tests execute (scripts/coverage.sh)" OFF)
option(LEGATO_WERROR "Warnings are errors" OFF)

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 99)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(LEGATO_CUDA)
  enable_language(CUDA)
  if(NOT DEFINED CMAKE_CUDA20_STANDARD_COMPILE_OPTION)  # CMake 3.25 does not know how to ask nvcc for C++20
    set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
    set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20)
  endif()
  set(CMAKE_CUDA_VISIBILITY_PRESET hidden)
  set(CMAKE_CUDA_RUNTIME_LIBRARY Static)
endif()
if(LEGATO_FORTRAN)
  enable_language(Fortran)
endif()

# The library has the same bytes wherever the sources and the build are. Run-time errors name Fortran files; their names
# come from the preprocessed source.
set(CMAKE_BUILD_RPATH_USE_ORIGIN ON)
set(prefix_maps -ffile-prefix-map=${PROJECT_SOURCE_DIR}/= -ffile-prefix-map=${PROJECT_BINARY_DIR}/=build/)
foreach(map IN LISTS prefix_maps)
  add_compile_options($<$<COMPILE_LANGUAGE:C,CXX,Fortran>:${map}> $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=${map}>)
endforeach()
if(CMAKE_Fortran_COMPILER_ID STREQUAL GNU)
  string(APPEND CMAKE_Fortran_PREPROCESS_SOURCE " && sed -i s,${PROJECT_SOURCE_DIR}/,, <PREPROCESSED_SOURCE>")
  add_compile_options($<$<COMPILE_LANGUAGE:Fortran>:-Wno-missing-include-dirs>)     # the mapped folder does not exist
endif()

add_library(legato_warnings INTERFACE)
target_compile_options(legato_warnings INTERFACE
  $<$<COMPILE_LANGUAGE:C,CXX>:-Wall -Wextra -Wpedantic -Wconversion -Wshadow $<$<BOOL:${LEGATO_WERROR}>:-Werror>>
  $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra $<$<BOOL:${LEGATO_WERROR}>:-Werror=all-warnings>>
  $<$<COMPILE_LANGUAGE:Fortran>:-Wall -Wextra $<$<BOOL:${LEGATO_WERROR}>:-Werror>>)
if(LEGATO_SANITIZE STREQUAL thread)
  add_compile_options($<$<COMPILE_LANGUAGE:C,CXX,Fortran>:-fsanitize=thread>)
  add_link_options(-fsanitize=thread)
elseif(LEGATO_SANITIZE)
  # With the check for uses after return, GCC 13.2 aligns vectors of 64 bytes wrongly on the stack (GCC bug 110027).
  add_compile_options($<$<COMPILE_LANG_AND_ID:CXX,GNU>:--param=asan-use-after-return=0>)
  add_compile_options($<$<COMPILE_LANGUAGE:C,CXX,Fortran>:-fsanitize=address,undefined>
                      $<$<COMPILE_LANGUAGE:C,CXX,Fortran>:-fno-sanitize-recover=all>
                      $<$<COMPILE_LANGUAGE:CXX>:-D_GLIBCXX_ASSERTIONS>
                      # The address sanitizer finds accesses through null pointers and beyond objects, too. GCC takes
                      # half as long again for these checks. In Fortran an absent array that is passed on as an optional
                      # argument would count as a null pointer.
                      $<$<COMPILE_LANGUAGE:C,CXX,Fortran>:-fno-sanitize=null,object-size>
                      $<$<COMPILE_LANGUAGE:Fortran>:-fcheck=bounds,do,mem,pointer>)
  add_link_options(-fsanitize=address,undefined)
endif()
if(LEGATO_COVERAGE)
  add_compile_options($<$<COMPILE_LANGUAGE:C,CXX,Fortran>:--coverage> $<$<COMPILE_LANGUAGE:C,CXX>:-fprofile-update=atomic>)
  add_link_options(--coverage)
endif()
if(LEGATO_FUZZ)
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-Wno-pass-failed>)  # instrumented loops are not vectorised
  add_compile_options($<$<COMPILE_LANGUAGE:C,CXX>:-fsanitize=fuzzer-no-link,address,undefined>
                      $<$<COMPILE_LANGUAGE:C,CXX>:-fno-sanitize-recover=all> -g1)
endif()
