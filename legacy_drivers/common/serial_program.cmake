# Shared by the builds of the serial programs. Each can be a part of Legato's build, or a build of its own.
option(LEGATO_NATIVE_SERIAL "Compile the serial reference programs for this machine's processor" ON)

# The routines are optimised in every build type except Debug, because a slow reference would flatter the library.
set(serial_fast $<$<NOT:$<CONFIG:Debug>>:-O3>)
if(LEGATO_NATIVE_SERIAL)
  list(APPEND serial_fast -march=native)
endif()

set(serial_common ${CMAKE_CURRENT_LIST_DIR})

# Makes an object library, so that a program links exactly its objects. Each library has a module folder of its own.
# COMMON lists files of this folder; c_streams needs posix.c.
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
  # CMake 3.25 does not look for the modules that an object library uses of other libraries. A change of their sources
  # may have changed them.
  foreach(used IN LISTS arg_USES)
    if(TARGET ${used})
      get_target_property(sources ${used} SOURCES)
      get_target_property(folder ${used} SOURCE_DIR)
      if(sources)
        list(FILTER sources INCLUDE REGEX "f90$")
        list(TRANSFORM sources PREPEND ${folder}/ REGEX "^[^/]")
        set_property(SOURCE ${arg_SOURCES} APPEND PROPERTY OBJECT_DEPENDS ${sources})
      endif()
    endif()
  endforeach()
endfunction()

# add_serial_program(NAME LIBRARY...) makes a program of such objects and of libraries.
function(add_serial_program name)
  add_executable(${name})
  target_link_libraries(${name} PRIVATE ${ARGN})
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE Fortran)
endfunction()

# add_relinked_program(NAME DROPIN LIBRARY...) makes the same program on Legato. The objects of DROPIN replace routines.
function(add_relinked_program name dropin)
  if(TARGET ${dropin})
    add_serial_program(${name} ${ARGN})
    target_sources(${name} PRIVATE $<TARGET_OBJECTS:${dropin}>)
  endif()
endfunction()
