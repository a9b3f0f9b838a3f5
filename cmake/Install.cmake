# Install rules and the package config.
include(CMakePackageConfigHelpers)

set(ROPEWALK_CONFIG_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/ropewalk)
install(DIRECTORY include/ropewalk DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS ropewalk EXPORT ropewalk)
if(TARGET ropewalk_config)
  install(TARGETS ropewalk_config EXPORT ropewalk)
endif()
# Who fetches Highway or oneTBB uses the library in its own build.
if(NOT ROPEWALK_LINKED_FETCHED)
  install(EXPORT ropewalk NAMESPACE ropewalk:: DESTINATION ${ROPEWALK_CONFIG_DIR}
          FILE ropewalk-targets.cmake)
  get_target_property(ROPEWALK_TYPE ropewalk TYPE)
  configure_package_config_file(cmake/ropewalk-config.cmake.in
    ${CMAKE_CURRENT_BINARY_DIR}/ropewalk-config.cmake INSTALL_DESTINATION ${ROPEWALK_CONFIG_DIR})
  write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/ropewalk-config-version.cmake
    COMPATIBILITY SameMinorVersion)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/ropewalk-config.cmake
                ${CMAKE_CURRENT_BINARY_DIR}/ropewalk-config-version.cmake
          DESTINATION ${ROPEWALK_CONFIG_DIR})
endif()
