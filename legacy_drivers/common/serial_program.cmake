# What the builds of the serial programs share, each a part of Legato's or a build of its own.
option(LEGATO_NATIVE_SERIAL "Compile the serial reference programs for this machine's processor" ON)

# The routines are optimised in every build type but Debug: a slow reference would flatter the library.
set(serial_fast $<$<NOT:$<CONFIG:Debug>>:-O3>)
if(LEGATO_NATIVE_SERIAL)
  list(APPEND serial_fast -march=native)
endif()

set(serial_common ${CMAKE_CURRENT_LIST_DIR})

# Object libraries: whoever links one takes its objects and no others. Each keeps its module files apart. COMMON: names of
# files here; c_streams needs posix.c.
function(add_serial_objects name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "COMMON;SOURCES;USES;OPTIONS")
  list(TRANSFORM arg_COMMON REPLACE "(.+)" "${serial_common}/\\1.f90")
  if(arg_COMMON MATCHES c_streams)
    list(APPEND arg_COMMON ${serial_common}/posix.c)
  endif()
  add_library(${name} OBJECT ${arg_COMMON} ${arg_SOURCES})
  set(modules ${CMAKE_CURRENT_BINARY_DIR}/modules/${name})
  set_target_properties(${name} PROPERTIES Fortran_MODULE_DIRECTORY ${modules})
  target_include_directories(${name} PUBLIC ${modules})
  target_compile_options(${name} PRIVATE $<$<COMPILE_LANGUAGE:Fortran>:-std=f2018> -Wall -Wextra ${arg_OPTIONS})
  target_link_libraries(${name} PUBLIC ${arg_USES})
  # CMake 3.25 does not look for modules in other object libraries: theirs may have changed where their sources have.
  get_property(here DIRECTORY PROPERTY BUILDSYSTEM_TARGETS)
  foreach(used IN LISTS arg_USES)
    if(used IN_LIST here)
      get_target_property(sources ${used} SOURCES)
      list(TRANSFORM sources PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/ REGEX "^[^/]")
      set_property(SOURCE ${arg_SOURCES} APPEND PROPERTY OBJECT_DEPENDS ${sources})
    endif()
  endforeach()
endfunction()

# add_serial_program(NAME LIBRARY...): a program of such objects, and of libraries.
function(add_serial_program name)
  add_executable(${name})
  target_link_libraries(${name} PRIVATE ${ARGN})
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE Fortran)
endfunction()

# add_relinked_program(NAME DROPIN LIBRARY...): the same on Legato, where the objects of DROPIN take the place of routines.
function(add_relinked_program name dropin)
  if(TARGET ${dropin})
    add_serial_program(${name} ${ARGN})
    target_sources(${name} PRIVATE $<TARGET_OBJECTS:${dropin}>)
  endif()
endfunction()
