# ropewalk_sanitize(target): builds it with ROPEWALK_SANITIZE, a list as the
# compiler's -fsanitize takes it. Does nothing when the list is empty.
# GCC's -Wmaybe-uninitialized reports what the instrumentation itself stores, so
# it is left to the builds without.
function(ropewalk_sanitize target)
  if(ROPEWALK_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${ROPEWALK_SANITIZE}
                                             -fno-sanitize-recover=all -fno-omit-frame-pointer)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      target_compile_options(${target} PRIVATE -Wno-maybe-uninitialized)
    endif()
    target_link_options(${target} PUBLIC -fsanitize=${ROPEWALK_SANITIZE})
  endif()
endfunction()
