# Every dependency is a package of the distribution; scripts/setup.sh installs them.
find_package(OpenMP REQUIRED COMPONENTS CXX)
set(HDF5_PREFER_PARALLEL OFF)
find_package(HDF5 REQUIRED COMPONENTS C)
# The shared library opens HDF5 by this name when it needs it. If HDF5 is static, there is no such name, and HDF5 is
# linked.
set(LEGATO_HDF5_SONAME "")
foreach(library IN LISTS HDF5_C_LIBRARIES)
  if(library MATCHES "/libhdf5[^/]*\\.so[0-9.]*$")
    execute_process(COMMAND ${CMAKE_READELF} -d ${library} OUTPUT_VARIABLE dynamic ERROR_QUIET)
    if(dynamic MATCHES "SONAME[^\n]*\\[(libhdf5[^]\n]*)\\]")
      set(LEGATO_HDF5_SONAME ${CMAKE_MATCH_1})
      get_filename_component(LEGATO_HDF5_FOLDER ${library} DIRECTORY)
    endif()
  endif()
endforeach()
message(STATUS "HDF5 is opened when needed: ${LEGATO_HDF5_SONAME}")
find_package(LAPACK REQUIRED)
find_package(NLopt CONFIG REQUIRED)
find_package(Boost REQUIRED)  # headers
find_package(nlohmann_json REQUIRED)  # headers
find_library(CMINPACK_LIBRARY cminpack REQUIRED)
find_path(CMINPACK_INCLUDE_DIR cminpack.h PATH_SUFFIXES cminpack-1 REQUIRED)
if(LEGATO_CUDA)
  find_package(CUDAToolkit REQUIRED)
endif()
find_path(RANDOM123_INCLUDE_DIR Random123/philox.h REQUIRED)
find_path(KISSFFT_INCLUDE_DIR kissfft/kissfft.hh REQUIRED)  # for double it is a template, without a library
