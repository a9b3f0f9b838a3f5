# ropewalk_warnings(target): the warnings the project keeps itself free of.
function(ropewalk_warnings target)
  if(CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
    target_compile_options(${target} PRIVATE -Wall -Wextra -Wshadow -Wconversion)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      # GCC 12 reports std::vector and std::variant themselves, at -O3 and under
      # sanitizers.
      target_compile_options(${target} PRIVATE -Wno-maybe-uninitialized)
    endif()
    if(ROPEWALK_WERROR)
      target_compile_options(${target} PRIVATE -Werror)
    endif()
  endif()
endfunction()
