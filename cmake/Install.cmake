# Install rules, the package config, the files of pkg-config. The names of the
# install components are no parent's.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)
get_target_property(ROPEWALK_TYPE ropewalk TYPE)

# Components and their headers; one appears in the package once its target is
# there.
set(ROPEWALK_COMPONENTS "")
set(headers_of_config PATTERN config.h)
set(headers_of_encodings PATTERN encodings.h EXCLUDE PATTERN encodings)
set(headers_of_c PATTERN ropewalk_c.h EXCLUDE PATTERN c)
set(absent "")
foreach(component config encodings c)
  if(TARGET ropewalk_${component})
    list(APPEND ROPEWALK_COMPONENTS ${component})
  else()
    list(APPEND absent ${headers_of_${component}} EXCLUDE)
  endif()
endforeach()
list(TRANSFORM ROPEWALK_COMPONENTS PREPEND ropewalk_ OUTPUT_VARIABLE libraries)

install(DIRECTORY include/ropewalk DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        COMPONENT ropewalk_development ${absent})
install(TARGETS ropewalk ${libraries} EXPORT ropewalk
        ARCHIVE COMPONENT ropewalk_development
        LIBRARY COMPONENT ropewalk_runtime NAMELINK_COMPONENT ropewalk_development
        RUNTIME COMPONENT ropewalk_runtime
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
if(TARGET ropewalk_cli)
  if(ROPEWALK_TYPE STREQUAL "SHARED_LIBRARY")
    set_target_properties(ropewalk_cli PROPERTIES
      INSTALL_RPATH "\$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
  endif()
  install(TARGETS ropewalk_cli RUNTIME COMPONENT ropewalk_program)
endif()

# Who builds Highway or oneTBB beside the library uses it in that build: an
# export cannot name what is not installed.
set(ROPEWALK_EXPORTED TRUE)
foreach(dependency hwy::hwy TBB::tbb)
  if(TARGET ${dependency})
    get_target_property(imported ${dependency} IMPORTED)
    if(NOT imported)
      set(ROPEWALK_EXPORTED FALSE)
    endif()
  endif()
endforeach()
if(NOT ROPEWALK_EXPORTED)
  return()
endif()

# What was linked is the least that fits; a parent's target does not say.
if(NOT hwy_VERSION)
  set(hwy_VERSION 1.0.3)
endif()
if(NOT TBB_VERSION)
  set(TBB_VERSION 2021.8)
endif()
set(config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/ropewalk)
install(EXPORT ropewalk NAMESPACE ropewalk:: DESTINATION ${config_dir}
        FILE ropewalk-targets.cmake COMPONENT ropewalk_development)
configure_file(cmake/ropewalk-config.cmake.in ropewalk-config.cmake @ONLY)
write_basic_package_version_file(ropewalk-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/ropewalk-config.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/ropewalk-config-version.cmake
        DESTINATION ${config_dir} COMPONENT ropewalk_development)
include(cmake/PkgConfig.cmake)
if(PROJECT_IS_TOP_LEVEL)
  include(cmake/Package.cmake)
endif()
