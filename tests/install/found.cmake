# Versions, components and side effects of find_package.
include(${CMAKE_CURRENT_LIST_DIR}/run.cmake NO_POLICY_SCOPE)
set(build ${WORK}/found_${LIBRARY})
file(REMOVE_RECURSE ${build})
look_in(${WORK}/${LIBRARY} ${PREFIXES})
set(command ${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/found -B ${build} -G ${GENERATOR}
    -DCMAKE_CXX_COMPILER=${COMPILER} -DSETTINGS=${SETTINGS})
run(${command} -DREQUIRED=ropewalk)
run_refused("without the component[ \n]+nonsense" ${command} -DREQUIRED=nonsense)
