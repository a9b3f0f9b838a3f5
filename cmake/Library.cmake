# ropewalk_library(target): what all libraries of the project are compiled with.
function(ropewalk_library target)
  target_compile_features(${target} PUBLIC cxx_std_17)
  # A target's bits must not depend on who compiles it: no fusion but where the
  # kernels ask for it, whatever global flags the host sets.
  target_compile_options(${target} PRIVATE -ffp-contract=off -fno-fast-math)
  set_target_properties(${target} PROPERTIES
    CXX_EXTENSIONS OFF
    POSITION_INDEPENDENT_CODE ON
    CXX_VISIBILITY_PRESET hidden
    VISIBILITY_INLINES_HIDDEN ON
    VERSION ${PROJECT_VERSION}
    SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "SHARED_LIBRARY")
    target_compile_definitions(${target} PUBLIC ROPEWALK_SHARED PRIVATE ROPEWALK_BUILDING)
    # The components find each other beside them, wherever the prefix is moved.
    set_target_properties(${target} PROPERTIES INSTALL_RPATH "\$ORIGIN")
  endif()
  ropewalk_warnings(${target})
  ropewalk_sanitize(${target})
endfunction()
