# What the scripts here share: the settings of the surrounding build, and a
# command that must succeed, or must not. Included with NO_POLICY_SCOPE.
cmake_minimum_required(VERSION 3.25)
include(${SETTINGS})

# run(command...): fails the test with what the command printed; else leaves it
# in OUTPUT.
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output
                  ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message("${output}")
    message(FATAL_ERROR "${ARGN}: ${result}")
  endif()
  set(OUTPUT "${output}" PARENT_SCOPE)
endfunction()

# run_refused(pattern command...): it must fail, and say so.
function(run_refused pattern)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output
                  ERROR_VARIABLE output)
  if(result EQUAL 0)
    message("${output}")
    message(FATAL_ERROR "${ARGN}: succeeded")
  endif()
  if(NOT output MATCHES "${pattern}")
    message("${output}")
    message(FATAL_ERROR "${ARGN}: failed without '${pattern}'")
  endif()
endfunction()

# look_in(prefixes...): where CMake's searches start. A list would fall apart on
# a command line.
function(look_in)
  list(JOIN ARGN ":" path)
  set(ENV{CMAKE_PREFIX_PATH} "${path}")
endfunction()

# need(program names...): its path in the variable `program`, or a test that is
# skipped.
macro(need program)
  find_program(${program} NAMES ${ARGN} PATHS /usr/sbin /sbin NO_CACHE)
  if(NOT ${program})
    message("skipped: ${ARGN} is not installed")
    return()
  endif()
endmacro()
