# The two ways to build a consumer against a prefix. Warnings are those of a
# careful user, in the headers too.
set(warnings -Wall -Wextra -Wpedantic -Werror)

# find_package_build(language standard compiler build project): the program
# build/consumer of a folder here.
function(find_package_build language standard compiler build project)
  string(TOUPPER CMAKE_${language} kind)
  list(JOIN warnings " " flags)
  run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/${project} -B ${build}
      -G ${GENERATOR} -D${kind}_COMPILER=${compiler} -D${kind}_FLAGS=${flags}
      -D${kind}_STANDARD=${standard} -D${kind}_STANDARD_REQUIRED=ON
      -D${kind}_EXTENSIONS=OFF -DCMAKE_NO_SYSTEM_FROM_IMPORTED=ON)
  run(${CMAKE_COMMAND} --build ${build})
endfunction()

# pkg_config_build(language standard compiler pkg_config build): the same, with
# PKG_CONFIG_PATH and the like from the environment; pkg_config is a command.
function(pkg_config_build language standard compiler pkg_config build)
  set(packages_c ropewalk-c)
  set(packages_cxx ropewalk-config ropewalk-encodings)
  set(source_c consumer.c)
  set(source_cxx consumer.cc)
  set(std_c c)
  set(std_cxx c++)
  run(${pkg_config} --cflags --libs ${packages_${language}})
  separate_arguments(flags UNIX_COMMAND "${OUTPUT}")
  run(${compiler} -std=${std_${language}}${standard} ${warnings}
      ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/${language}/${source_${language}}
      -o ${build}/consumer ${flags} -lm)
endfunction()
