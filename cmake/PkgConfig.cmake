# A .pc file for each library: ropewalk, ropewalk-config, ropewalk-encodings,
# ropewalk-c. They follow their prefix where it is moved to.
cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX
  BASE_DIRECTORY ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig OUTPUT_VARIABLE up)
set(prefix "\${pcfiledir}/${up}")
# Appending an absolute path replaces what it is appended to.
set(includedir "\${prefix}")
cmake_path(APPEND includedir "${CMAKE_INSTALL_INCLUDEDIR}")
set(libdir "\${prefix}")
cmake_path(APPEND libdir "${CMAKE_INSTALL_LIBDIR}")

set(definitions "")
set(dependencies "")
if(ROPEWALK_TYPE STREQUAL "SHARED_LIBRARY")
  set(definitions " -DROPEWALK_SHARED")
else()
  set(dependencies "libhwy >= ${hwy_VERSION}")
  if(ROPEWALK_WITH_TBB)
    string(APPEND dependencies ", tbb >= ${TBB_VERSION}")
  endif()
endif()

# ropewalk_pc(library description requires requires_private libs_private)
function(ropewalk_pc library description requires requires_private libs_private)
  string(REPLACE "_" "-" name ${library})
  configure_file(cmake/ropewalk.pc.in ${name}.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${name}.pc
          DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT ropewalk_development)
endfunction()

ropewalk_pc(ropewalk "${PROJECT_DESCRIPTION}" "" "${dependencies}"
            "${ROPEWALK_RUNTIME}")
foreach(component IN LISTS ROPEWALK_COMPONENTS)
  if(component STREQUAL "c")
    # Its users see nothing of the others.
    ropewalk_pc(ropewalk_c "${PROJECT_DESCRIPTION}: for C" ""
               "ropewalk-config, ropewalk-encodings, ropewalk" "")
  else()
    ropewalk_pc(ropewalk_${component} "${PROJECT_DESCRIPTION}: ${component}" "ropewalk" "" "")
  endif()
endforeach()
