# What a parent must find as it was after it has taken the library in:
# unchanged_since_here() before, unchanged(allowed) after, where `allowed` is a
# pattern of the variables that may be new.
set(unchanged_properties COMPILE_DEFINITIONS COMPILE_OPTIONS INCLUDE_DIRECTORIES
    LINK_OPTIONS LINK_DIRECTORIES TESTS)
# By which CMake itself keeps count, in find_package as well.
set(unchanged_own "^(unchanged_.*|CMAKE_MATCH_.*|CMAKE_CURRENT_.*|CMAKE_FIND_PACKAGE_NAME|_.*)$")

macro(unchanged_since_here)
  get_cmake_property(unchanged_variables VARIABLES)
  foreach(unchanged_name IN LISTS unchanged_variables)
    set(unchanged_value_${unchanged_name} "${${unchanged_name}}")
  endforeach()
  foreach(unchanged_name IN LISTS unchanged_properties)
    get_directory_property(unchanged_property_${unchanged_name} ${unchanged_name})
  endforeach()
endmacro()

macro(unchanged allowed)
  get_cmake_property(unchanged_now VARIABLES)
  foreach(unchanged_name IN LISTS unchanged_now)
    if(unchanged_name MATCHES "${unchanged_own}" OR unchanged_name MATCHES "${allowed}")
      continue()
    elseif(NOT unchanged_name IN_LIST unchanged_variables)
      message(SEND_ERROR "new: ${unchanged_name} = ${${unchanged_name}}")
    elseif(NOT "${${unchanged_name}}" STREQUAL "${unchanged_value_${unchanged_name}}")
      message(SEND_ERROR "${unchanged_name} has become ${${unchanged_name}}")
    endif()
  endforeach()
  foreach(unchanged_name IN LISTS unchanged_properties)
    get_directory_property(unchanged_value ${unchanged_name})
    if(NOT "${unchanged_value}" STREQUAL "${unchanged_property_${unchanged_name}}")
      message(SEND_ERROR "${unchanged_name} has become ${unchanged_value}")
    endif()
  endforeach()
endmacro()
