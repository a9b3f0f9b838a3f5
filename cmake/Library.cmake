# ropewalk_library(target headers): what all libraries of the project are compiled
# with. Their public headers are C or CXX, and then C++17.
function(ropewalk_library target headers)
  set(users PUBLIC)
  if(headers STREQUAL "C")
    set(users PRIVATE)
  endif()
  target_compile_features(${target} ${users} cxx_std_17)
  # A target's bits must not depend on who compiles it: no fusion but where the
  # kernels ask for it. std::bad_alloc is caught inside. Whatever the host sets.
  target_compile_options(${target} PRIVATE -ffp-contract=off -fno-fast-math -fexceptions)
  set_target_properties(${target} PROPERTIES
    CXX_EXTENSIONS OFF
    # Highway includes a source once a target.
    UNITY_BUILD OFF
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

# ropewalk_cxx_runtime(target): a static library's users whose project knows no
# C++ compiler link what C++ does and C does not. Also as flags of pkg-config, in
# ROPEWALK_RUNTIME.
function(ropewalk_cxx_runtime target)
  set(flags "")
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "STATIC_LIBRARY")
    foreach(library stdc++ c++ m)
      if(library IN_LIST CMAKE_CXX_IMPLICIT_LINK_LIBRARIES)
        string(APPEND flags " -l${library}")
        target_link_libraries(${target} INTERFACE $<$<LINK_LANGUAGE:C>:${library}>)
      endif()
    endforeach()
  endif()
  set(ROPEWALK_RUNTIME "${flags}" PARENT_SCOPE)
endfunction()
