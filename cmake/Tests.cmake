# ropewalk_test_setup(target): how everything here is compiled.
function(ropewalk_test_setup target)
  target_compile_features(${target} PRIVATE cxx_std_17)
  # Tests of internals include headers of src/.
  target_include_directories(${target} PRIVATE
    ${PROJECT_SOURCE_DIR}/tests ${PROJECT_SOURCE_DIR}/src)
  # Quick to compile: it is the library that is optimised.
  target_compile_options(${target} PRIVATE -ffp-contract=off -fno-fast-math
    $<$<CONFIG:Release,RelWithDebInfo>:-O1;-g1>)
  target_link_libraries(${target} PUBLIC
    ropewalk::ropewalk ropewalk_scaling_oracle GTest::gtest)
  if(ROPEWALK_WITH_TBB)
    target_link_libraries(${target} PRIVATE TBB::tbb)
    target_compile_definitions(${target} PRIVATE ROPEWALK_HAVE_TBB=1)
  endif()
  ropewalk_warnings(${target})
  ropewalk_sanitize(${target})
  # Checks of every access to memory, which AddressSanitizer looks at too, would
  # take a third of the time to compile; arithmetic is checked in tests as well.
  if(ROPEWALK_SANITIZE MATCHES "undefined")
    target_compile_options(${target} PRIVATE -fno-sanitize=null,alignment,object-size,vptr)
  endif()
endfunction()

# The tests labelled threads: all that ThreadSanitizer needs. Those labelled
# kernels: what another compiler or machine may make wrong.
add_custom_target(ropewalk_threads_tests)
add_custom_target(ropewalk_kernels_tests)

# ropewalk_test(stem sources... [LABELS labels...]): the executable stem_test.
function(ropewalk_test stem)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LABELS")
  set(target ropewalk_${stem}_test)
  add_executable(${target} ${arg_UNPARSED_ARGUMENTS})
  set_target_properties(${target} PROPERTIES OUTPUT_NAME ${stem}_test)
  ropewalk_test_setup(${target})
  target_compile_definitions(${target} PRIVATE
    ROPEWALK_GOLDEN_DIR="${PROJECT_SOURCE_DIR}/tests/golden")
  target_link_libraries(${target} PRIVATE
    ropewalk_test_support nlohmann_json::nlohmann_json GTest::gtest_main)
  set(properties TIMEOUT 300)
  if(arg_LABELS)
    list(APPEND properties LABELS "${arg_LABELS}")
  endif()
  foreach(label IN LISTS arg_LABELS)
    if(TARGET ropewalk_${label}_tests)
      add_dependencies(ropewalk_${label}_tests ${target})
    endif()
  endforeach()
  gtest_discover_tests(${target} DISCOVERY_TIMEOUT 60 PROPERTIES ${properties})
endfunction()
