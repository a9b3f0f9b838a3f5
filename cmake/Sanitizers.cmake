# ropewalk_sanitize(target): builds it with ROPEWALK_SANITIZE, a list as the
# compiler's -fsanitize takes it. Does nothing when the list is empty.
function(ropewalk_sanitize target)
  if(ROPEWALK_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${ROPEWALK_SANITIZE}
                                             -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(${target} PUBLIC -fsanitize=${ROPEWALK_SANITIZE})
  endif()
endfunction()
