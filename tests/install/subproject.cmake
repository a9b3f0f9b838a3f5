# The parent, which takes the library in by WAY with TBB on or off, is built, run
# and installed; BUILD_PARENT=OFF stops after its own checks.
include(${CMAKE_CURRENT_LIST_DIR}/run.cmake NO_POLICY_SCOPE)
set(build ${WORK}/parent/${WAY})
file(REMOVE_RECURSE ${build}/prefix ${build}/CMakeCache.txt)
# One target of Highway's is enough here, and quick.
set(flags "-O0 -DHWY_COMPILE_ONLY_STATIC")
look_in(${WORK}/static ${PREFIXES})
run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/parent -B ${build} -G ${GENERATOR}
    -DWAY=${WAY} -DSOURCE=${SOURCE} -DROPEWALK_WITH_TBB=${TBB}
    -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_BUILD_TYPE=Debug "-DCMAKE_CXX_FLAGS_DEBUG=${flags}")
if(NOT BUILD_PARENT)
  return()
endif()
run(${CMAKE_COMMAND} --build ${build} -j 2 --target consumer)
run(${build}/consumer)

run(${CMAKE_CTEST_COMMAND} -N --test-dir ${build})
if(NOT OUTPUT MATCHES "Total Tests: 0")
  message(FATAL_ERROR "the parent has got tests:\n${OUTPUT}")
endif()

run(${CMAKE_COMMAND} --install ${build} --prefix ${build}/prefix)
file(GLOB_RECURSE installed RELATIVE ${build}/prefix ${build}/prefix/*)
if(NOT installed STREQUAL "bin/consumer")
  message(FATAL_ERROR "the parent installs ${installed}")
endif()

file(READ ${build}/compile_commands.json commands)
string(REGEX MATCH "[^\n]* -c [^\n]*/cxx/consumer.cc\"" command "${commands}")
if(NOT command OR command MATCHES " -W|ffp-contract|ROPEWALK_|fvisibility")
  message(FATAL_ERROR "the parent is compiled by: ${command}")
endif()
