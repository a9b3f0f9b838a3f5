# Finds each dependency in the system, else fetches a pinned commit of it. The
# only file that calls find_package. third_party/README.md says why each is here.

# ropewalk_switch_off(options...): of a dependency that is fetched. In the cache,
# since some of them declare theirs there and would override a variable.
macro(ropewalk_switch_off)
  foreach(option ${ARGN})
    set(${option} OFF CACHE BOOL "Switched off by ropewalk")
  endforeach()
endmacro()

# ropewalk_fetch(name repository commit)
macro(ropewalk_fetch name repository commit)
  # Only here: it leaves variables in the cache of a parent.
  include(FetchContent)
  message(STATUS "ropewalk: ${name} not found, fetching ${commit}")
  FetchContent_Declare(${name} GIT_REPOSITORY ${repository} GIT_TAG ${commit})
  FetchContent_GetProperties(${name})
  if(NOT ${name}_POPULATED)
    FetchContent_Populate(${name})
    add_subdirectory(${${name}_SOURCE_DIR} ${${name}_BINARY_DIR} EXCLUDE_FROM_ALL SYSTEM)
  endif()
endmacro()

macro(ropewalk_find_highway)
  if(NOT TARGET hwy::hwy AND NOT TARGET hwy)
    find_package(hwy 1.0.3 CONFIG QUIET)
    if(NOT hwy_FOUND)
      ropewalk_switch_off(HWY_ENABLE_TESTS HWY_ENABLE_EXAMPLES HWY_ENABLE_CONTRIB
                          HWY_ENABLE_INSTALL)
      ropewalk_fetch(highway https://github.com/google/highway.git
                     ac0d5d297b13ab1b89f48484fc7911082d76a93f)
    endif()
  endif()
  if(NOT TARGET hwy::hwy)
    add_library(hwy::hwy ALIAS hwy)
  endif()
endmacro()

macro(ropewalk_find_tbb)
  if(NOT TARGET TBB::tbb)
    find_package(TBB 2021.8 CONFIG QUIET COMPONENTS tbb)
    if(NOT TBB_FOUND)
      ropewalk_switch_off(TBB_TEST TBB_STRICT TBB_INSTALL)
      ropewalk_fetch(tbb https://github.com/uxlfoundation/oneTBB.git
                     f1862f38f83568d96e814e469ab61f88336cc595)
    endif()
  endif()
endmacro()

macro(ropewalk_find_googletest)
  find_package(GTest 1.12 CONFIG QUIET)
  if(NOT GTest_FOUND)
    ropewalk_switch_off(INSTALL_GTEST)
    ropewalk_fetch(googletest https://github.com/google/googletest.git
                   52eb8108c5bdec04579160ae17225d66034bd723)
  endif()
endmacro()

macro(ropewalk_find_benchmark)
  find_package(benchmark 1.7 CONFIG QUIET)
  if(NOT benchmark_FOUND)
    ropewalk_switch_off(BENCHMARK_ENABLE_TESTING BENCHMARK_ENABLE_INSTALL)
    ropewalk_fetch(benchmark https://github.com/google/benchmark.git
                   eddb0241389718a23a42db6af5f0164b6e0139af)
  endif()
endmacro()

macro(ropewalk_find_json)
  find_package(nlohmann_json 3.11 CONFIG QUIET)
  if(NOT nlohmann_json_FOUND)
    ropewalk_fetch(nlohmann_json https://github.com/nlohmann/json.git
                   9cca280a4d0ccf0c08f47a99aa71d1b0e52f8d03)
  endif()
endmacro()

macro(ropewalk_find_cli11)
  find_package(CLI11 2.1 CONFIG QUIET)
  if(NOT CLI11_FOUND)
    ropewalk_fetch(cli11 https://github.com/CLIUtils/CLI11.git
                   4160d259d961cd393fd8d67590a8c7d210207348)
  endif()
endmacro()

# For tests of accuracy: MPFR::mpfr where the system has it. Never fetched: it
# builds with make, and needs GMP.
macro(ropewalk_find_mpfr)
  find_path(ROPEWALK_MPFR_INCLUDE mpfr.h)
  find_library(ROPEWALK_MPFR_LIBRARY mpfr)
  mark_as_advanced(ROPEWALK_MPFR_INCLUDE ROPEWALK_MPFR_LIBRARY)
  if(ROPEWALK_MPFR_INCLUDE AND ROPEWALK_MPFR_LIBRARY AND NOT TARGET MPFR::mpfr)
    add_library(MPFR::mpfr UNKNOWN IMPORTED)
    set_target_properties(MPFR::mpfr PROPERTIES
      IMPORTED_LOCATION ${ROPEWALK_MPFR_LIBRARY}
      INTERFACE_INCLUDE_DIRECTORIES ${ROPEWALK_MPFR_INCLUDE})
  endif()
endmacro()

# For tests and examples that start threads of their own.
macro(ropewalk_find_threads)
  set(THREADS_PREFER_PTHREAD_FLAG ON)
  find_package(Threads REQUIRED)
endmacro()

# For an example and a benchmark of a host's OpenMP team. OpenMP_CXX_FOUND says
# whether the compiler has it: with Clang it is a package of its own.
macro(ropewalk_find_openmp)
  find_package(OpenMP QUIET COMPONENTS CXX)
endmacro()

# For tests of the scripts. Python3_FOUND says whether there is one.
macro(ropewalk_find_python)
  find_package(Python3 3.8 QUIET COMPONENTS Interpreter)
endmacro()

# The peers of bench/peers: PkgConfig::GGML and PkgConfig::ONNXRUNTIME where the
# system has them. Only compared with, so never fetched.
macro(ropewalk_find_peers)
  find_package(PkgConfig QUIET)
  if(PKG_CONFIG_FOUND)
    pkg_check_modules(GGML QUIET IMPORTED_TARGET ggml)
    pkg_check_modules(ONNXRUNTIME QUIET IMPORTED_TARGET libonnxruntime)
  endif()
  if(GGML_FOUND)
    # Holds what ggml.h declares; Debian's ggml.pc does not name it.
    find_library(ROPEWALK_GGML_BASE ggml-base)
    if(ROPEWALK_GGML_BASE)
      target_link_libraries(PkgConfig::GGML INTERFACE ${ROPEWALK_GGML_BASE})
    endif()
  endif()
endmacro()
