# `cmake --install` installs programs, headers, libraries, Fortran modules, a CMake package and a pkg-config file. They find one
# another by relative paths, so that the installed tree can be moved.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

if(PROJECT_IS_TOP_LEVEL)
  set(LEGATO_INSTALL_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/legato)
  set(LEGATO_INSTALL_MODULE_DIR ${CMAKE_INSTALL_INCLUDEDIR}/legato/modules)
  set(installed_targets legato legato_static)

  install(DIRECTORY ${PROJECT_SOURCE_DIR}/capi/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")

  # liblegato finds these basis sets by their place relative to its own (cpp/CMakeLists.txt).
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/data/basis/ DESTINATION ${CMAKE_INSTALL_DATADIR}/legato/basis FILES_MATCHING PATTERN "*.json")

  # Programs get liblegato_mpi for the MPI that was found here. Those for another MPI compile the sources.
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/mpi/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
  install(FILES ${PROJECT_SOURCE_DIR}/mpi/legato_mpi.c ${PROJECT_SOURCE_DIR}/mpi/legato_mpi.f90
          DESTINATION ${CMAKE_INSTALL_DATADIR}/legato/mpi)
  if(TARGET legato_mpi)
    list(APPEND installed_targets legato_mpi)
    set_target_properties(legato_mpi PROPERTIES INSTALL_RPATH $ORIGIN)     # liblegato.so is beside it
  endif()

  # Fortran programs get the modules. Old programs get the drop-ins as libraries and as sources.
  set(fortran_targets)
  foreach(target IN ITEMS legato_fortran legato_tmm_site_first legato_tmm_state_first legato_tmm_site_first_static
          legato_tmm_state_first_static)
    if(TARGET ${target})
      string(REGEX MATCH "_static$" static "${target}")
      set(library legato${static})
      list(APPEND fortran_targets ${target})
      # Programs that link the library do not need what it was built with.
      set_target_properties(${target} PROPERTIES
        INTERFACE_INCLUDE_DIRECTORIES
          "$<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/fortran/modules>;$<INSTALL_INTERFACE:${LEGATO_INSTALL_MODULE_DIR}>"
        INTERFACE_LINK_LIBRARIES ${library})
    endif()
  endforeach()
  if(TARGET legato_mpi_fortran)
    list(APPEND fortran_targets legato_mpi_fortran)
    set_target_properties(legato_mpi_fortran PROPERTIES
      INTERFACE_INCLUDE_DIRECTORIES
        "$<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/mpi/modules>;$<INSTALL_INTERFACE:${LEGATO_INSTALL_MODULE_DIR}/mpi>"
      INTERFACE_LINK_LIBRARIES "legato_fortran;legato_mpi")
    install(DIRECTORY ${PROJECT_BINARY_DIR}/mpi/modules/ DESTINATION ${LEGATO_INSTALL_MODULE_DIR}/mpi
            FILES_MATCHING PATTERN "*.mod")
  endif()
  if(fortran_targets)
    install(DIRECTORY ${PROJECT_BINARY_DIR}/fortran/modules/ DESTINATION ${LEGATO_INSTALL_MODULE_DIR}
            FILES_MATCHING PATTERN "*.mod")
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/fortran/dropin DESTINATION ${CMAKE_INSTALL_DATADIR}/legato
            FILES_MATCHING PATTERN "*.f90")
    install(FILES ${PROJECT_SOURCE_DIR}/legacy_drivers/common/random.f90 DESTINATION ${CMAKE_INSTALL_DATADIR}/legato/dropin
            RENAME random_dropin.f90)

    # Ready-made inputs of kpm_spectra.
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/data/lattices/ DESTINATION ${CMAKE_INSTALL_DATADIR}/legato/lattices
            FILES_MATCHING PATTERN "*.inp")
    file(RELATIVE_PATH libraries_from_programs ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
    set_target_properties(dfr_basis dfr_limits dfratom_batch kpm_spectra tmm_lengths tmm_scaling tmsexd_batch PROPERTIES INSTALL_RPATH $ORIGIN/${libraries_from_programs})
    install(TARGETS dfr_basis dfr_limits dfratom_batch kpm_spectra tmm_lengths tmm_scaling tmsexd_batch RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  endif()

  install(TARGETS ${installed_targets} ${fortran_targets} EXPORT legatoTargets
          LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
          INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(EXPORT legatoTargets NAMESPACE legato:: DESTINATION ${LEGATO_INSTALL_PACKAGE_DIR})

  configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/legatoConfig.cmake.in legatoConfig.cmake
    INSTALL_DESTINATION ${LEGATO_INSTALL_PACKAGE_DIR})
  # Before 1.0 a minor version may break the ABI. From 1.0 on, only a major version may.
  write_basic_package_version_file(legatoConfigVersion.cmake COMPATIBILITY SameMinorVersion)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/legatoConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/legatoConfigVersion.cmake
          DESTINATION ${LEGATO_INSTALL_PACKAGE_DIR})

  # pkg-config has one line for C and Fortran. With --as-needed a C program does not depend on the Fortran library.
  set(pc_cflags "-I\${includedir}")
  set(pc_libs "-L\${libdir}")
  if(TARGET legato_fortran)
    string(APPEND pc_cflags " -I\${includedir}/legato/modules")
    string(APPEND pc_libs " -Wl,--push-state,--as-needed -llegato_fortran -Wl,--pop-state")
  endif()
  string(APPEND pc_libs " -llegato")
  # `pkg-config --static` uses these libraries, if liblegato.a is linked.
  set(pc_private)
  foreach(library IN LISTS HDF5_C_LIBRARIES)
    if(library MATCHES "/lib([^/]+)\\.(so|a)[0-9.]*$")
      list(APPEND pc_private -l${CMAKE_MATCH_1})
      get_filename_component(directory ${library} DIRECTORY)
      if(NOT directory IN_LIST CMAKE_C_IMPLICIT_LINK_DIRECTORIES)
        list(APPEND pc_private -L${directory})
      endif()
    elseif(library MATCHES "^-")
      list(APPEND pc_private ${library})
    endif()
  endforeach()
  list(APPEND pc_private -llapack -lblas -lnlopt -lcminpack -lgomp -lstdc++ -lm -lpthread)
  if(LEGATO_CUDA)
    list(APPEND pc_private -L${CUDAToolkit_LIBRARY_DIR} -lcudart_static -ldl -lrt)
  endif()
  list(REMOVE_DUPLICATES pc_private)
  list(JOIN pc_private " " pc_private)
  # The prefix is given relative to the folder of the file.
  set(pc_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
  string(REGEX REPLACE "[^/]+" ".." pc_up ${pc_dir})
  configure_file(${CMAKE_CURRENT_LIST_DIR}/legato.pc.in legato.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/legato.pc DESTINATION ${pc_dir})
  if(TARGET legato_mpi)
    set(pc_mpi_cflags)
    set(pc_mpi_libs -llegato_mpi)
    if(TARGET legato_mpi_fortran)
      set(pc_mpi_cflags "-I\${includedir}/legato/modules/mpi")
      set(pc_mpi_libs "-llegato_mpi_fortran -Wl,--push-state,--as-needed -llegato_fortran -Wl,--pop-state ${pc_mpi_libs}")
    endif()
    configure_file(${CMAKE_CURRENT_LIST_DIR}/legato_mpi.pc.in legato_mpi.pc @ONLY)
    install(FILES ${CMAKE_CURRENT_BINARY_DIR}/legato_mpi.pc DESTINATION ${pc_dir})
  endif()
endif()
