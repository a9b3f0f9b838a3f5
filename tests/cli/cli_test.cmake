# cmake -DPROGRAM=path -DVERSION=x.y.z -DCONFIGS=folder -DWORK=folder -DCASE=name
#       -DTBB=ON|OFF -DSANITIZE=list -P cli_test.cmake
#
# Runs one case, a function below or in bench_cases.cmake, inspect_cases.cmake
# and verify_cases.cmake. Exit codes: 0, 1 for a broken bound, 2 for what could not
# be done.

# run(expected_code arguments...): sets out and err.
function(run expected_code)
  execute_process(COMMAND ${PROGRAM} ${ARGN}
    RESULT_VARIABLE code OUTPUT_VARIABLE out ERROR_VARIABLE err)
  if(NOT code STREQUAL expected_code)
    message(FATAL_ERROR "ropewalk ${ARGN}: exit code ${code}, not ${expected_code}\n${out}${err}")
  endif()
  set(out "${out}" PARENT_SCOPE)
  set(err "${err}" PARENT_SCOPE)
endfunction()

function(expect_match text pattern)
  if(NOT text MATCHES "${pattern}")
    message(FATAL_ERROR "no match for '${pattern}' in:\n${text}")
  endif()
endfunction()

function(expect_no_match text pattern)
  if(text MATCHES "${pattern}")
    message(FATAL_ERROR "a match for '${pattern}' in:\n${text}")
  endif()
endfunction()

function(expect_empty text)
  if(NOT text STREQUAL "")
    message(FATAL_ERROR "expected nothing, got:\n${text}")
  endif()
endfunction()

# expect_failure(pattern arguments...): exit code 2, nothing on stdout.
function(expect_failure pattern)
  run(2 ${ARGN})
  expect_empty("${out}")
  expect_match("${err}" "^ropewalk: .*${pattern}")
endfunction()

# write(name text): sets file to its path, in a folder of the case's own.
function(write name text)
  file(WRITE ${WORK}/${name} "${text}")
  set(file ${WORK}/${name} PARENT_SCOPE)
endfunction()

# Sets available to the list of targets that this CPU has.
function(get_available)
  unset(ENV{ROPEWALK_TARGET})
  run(0 targets)
  expect_match("${out}" "this CPU has: [^\n]+\n")
  string(REGEX MATCH "this CPU has: ([^\n]+)\n" line "${out}")
  string(REPLACE " " ";" available "${CMAKE_MATCH_1}")
  set(available "${available}" PARENT_SCOPE)
endfunction()

function(demo_prints_a_row_per_target)
  get_available()
  run(0 demo --quick --model Phi-2)
  expect_empty("${err}")
  foreach(target IN LISTS available)
    foreach(step decode prefill)
      foreach(type f32 bf16)
        expect_match("${out}" "\nPhi-2 +${step} +${type} +${target} +[0-9.]+ +[0-9.]+ +[0-9.]+ +[0-9.]+ +[0-9.]+\n")
      endforeach()
    endforeach()
  endforeach()
  expect_match("${out}" "\nHighway [0-9]+\\.[0-9]+\\.[0-9]+, ")
endfunction()

function(demo_takes_one_target)
  get_available()
  list(GET available -1 target)
  run(0 demo --quick --model Phi-2 --target ${target})
  string(REGEX MATCHALL "\nPhi-2 +(decode|prefill) [^\n]+" rows "${out}")
  list(LENGTH rows count)
  if(NOT count EQUAL 4)
    message(FATAL_ERROR "${count} rows, not 4:\n${out}")
  endif()
  foreach(row IN LISTS rows)
    expect_match("${row}" " ${target} ")
  endforeach()
endfunction()

function(demo_shifts_a_context)
  get_available()
  run(0 demo --quick --model Llama-3-8B)
  expect_empty("${err}")
  set(n "[0-9]+\\.[0-9]+")
  foreach(target IN LISTS available)
    expect_match("${out}" "\n${target} +${n} +${n} +0\\.5 +${n} +${n} +${n} +${n} +1\\.21\n")
  endforeach()
  run(0 demo --quick --model Phi-2)
  expect_no_match("${out}" "context shift")
endfunction()

function(targets_lists_the_active_one)
  get_available()
  run(0 targets)
  list(GET available 0 best)
  expect_match("${out}" "active: +${best}\n$")
  expect_match("${out}" "compiled in: [^\n]* ${best}[ \n]")
endfunction()

function(targets_honours_the_environment)
  get_available()
  foreach(target IN LISTS available)
    set(ENV{ROPEWALK_TARGET} ${target})
    run(0 targets)
    expect_match("${out}" "active: +${target}\n$")
  endforeach()
endfunction()

function(targets_tells_what_it_ignores)
  get_available()
  list(GET available 0 best)
  set(ENV{ROPEWALK_TARGET} NO_SUCH_TARGET)
  run(0 targets)
  expect_match("${out}" "active: +${best}\nROPEWALK_TARGET=NO_SUCH_TARGET is ignored")
endfunction()

function(help_and_version_succeed)
  foreach(arguments "--help" "-h" "demo;--help" "targets;--help" "inspect;--help"
          "verify;--help" "bench;--help")
    run(0 ${arguments})
    expect_match("${out}" "Usage: ropewalk")
    expect_empty("${err}")
  endforeach()
  run(0 --version)
  expect_match("${out}" "^${VERSION}\n$")
endfunction()

function(bad_arguments_exit_2)
  foreach(arguments "" "--no-such-option" "no-such-command" "demo;--no-such-option"
          "demo;--model;no-such-model" "demo;--target;NO_SUCH_TARGET" "demo;--model"
          "targets;extra" "inspect" "verify" "inspect;a.json;b.json"
          "inspect;a.json;--pairing;both" "inspect;a.json;--long-rope;none"
          "inspect;a.json;--length;-1" "inspect;a.json;--context;x"
          "verify;a.json;--json" "verify;a.json;--target"
          "bench;extra" "bench;--target" "bench;--plot" "bench;--no-such-option")
    run(2 ${arguments})
    expect_empty("${out}")
    expect_match("${err}" "[a-z]")
  endforeach()
endfunction()

include(${CMAKE_CURRENT_LIST_DIR}/bench_cases.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/inspect_cases.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/verify_cases.cmake)
file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})
cmake_language(CALL ${CASE})
