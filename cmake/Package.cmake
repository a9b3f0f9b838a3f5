# Debian packages by CPack: libropewalk-dev and the program, of a shared build
# the runtime package as well, named after the SOVERSION.
set(version ${PROJECT_VERSION})
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_VERSION ${version})
set(CPACK_PACKAGE_CONTACT "The ropewalk authors <ropewalk@example.org>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_COMPONENTS_ALL "")

# ropewalk_deb(component package section description): dependencies from the
# variable `depends`.
macro(ropewalk_deb component package section description)
  string(TOUPPER ${component} upper)
  list(APPEND CPACK_COMPONENTS_ALL ${component})
  set(CPACK_COMPONENT_${upper}_DESCRIPTION "${description}")
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${package})
  set(CPACK_DEBIAN_${upper}_PACKAGE_SECTION ${section})
  set(CPACK_DEBIAN_${upper}_PACKAGE_DEPENDS "${depends}")
  install(FILES LICENSE RENAME copyright COMPONENT ${component}
          DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package})
endmacro()

set(runtime libropewalk${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set(depends "")
if(ROPEWALK_TYPE STREQUAL "SHARED_LIBRARY")
  ropewalk_deb(ropewalk_runtime ${runtime} libs "Shared libraries.")
  set(CPACK_DEBIAN_ROPEWALK_RUNTIME_PACKAGE_SHLIBDEPS ON)
  # What packages that link it depend on.
  set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
  set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")
  set(depends "${runtime} (= ${version})")
else()
  set(depends "libhwy-dev (>= ${hwy_VERSION})")
  if(ROPEWALK_WITH_TBB)
    string(APPEND depends ", libtbb-dev (>= ${TBB_VERSION})")
  endif()
endif()
ropewalk_deb(ropewalk_development libropewalk-dev libdevel
             "Headers, libraries to link, CMake's and pkg-config's files.")
if(TARGET ropewalk_cli)
  if(NOT ROPEWALK_TYPE STREQUAL "SHARED_LIBRARY")
    set(depends "")
  endif()
  ropewalk_deb(ropewalk_program ropewalk utils
               "The program: inspect and verify models, measure this machine.")
  set(CPACK_DEBIAN_ROPEWALK_PROGRAM_PACKAGE_SHLIBDEPS ON)
endif()
# The program of a shared build links libraries that no package owns yet.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS
    ${PROJECT_BINARY_DIR} ${PROJECT_BINARY_DIR}/src/config ${PROJECT_BINARY_DIR}/src/encodings
    ${PROJECT_BINARY_DIR}/src/c_api)
include(CPack)
