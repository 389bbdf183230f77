# Every dependency is a package of the distribution; scripts/setup.sh installs them.
find_package(OpenMP REQUIRED COMPONENTS CXX)
set(HDF5_PREFER_PARALLEL OFF)
find_package(HDF5 REQUIRED COMPONENTS C)
find_package(LAPACK REQUIRED)
find_package(NLopt CONFIG REQUIRED)
if(LEGATO_CUDA)
  find_package(CUDAToolkit REQUIRED)
endif()
find_path(RANDOM123_INCLUDE_DIR Random123/philox.h REQUIRED)
find_path(KISSFFT_INCLUDE_DIR kissfft/kissfft.hh REQUIRED)  # the template for double: nothing to link
