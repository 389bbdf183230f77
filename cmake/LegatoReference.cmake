# The reference of the public interface, in HTML: cmake --build --preset release --target reference, then
# reference/html/index.html in the build folder.
find_program(LEGATO_DOXYGEN doxygen)
mark_as_advanced(LEGATO_DOXYGEN)
if(PROJECT_IS_TOP_LEVEL)
  configure_file(${PROJECT_SOURCE_DIR}/docs/reference/Doxyfile.in ${PROJECT_BINARY_DIR}/reference/Doxyfile @ONLY)
  if(LEGATO_DOXYGEN)
    add_custom_target(reference COMMAND ${LEGATO_DOXYGEN} ${PROJECT_BINARY_DIR}/reference/Doxyfile VERBATIM)
  else()
    add_custom_target(reference COMMAND ${CMAKE_COMMAND} -E echo "doxygen is not installed" COMMAND ${CMAKE_COMMAND} -E false)
  endif()
endif()
