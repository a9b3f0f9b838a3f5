# Installs the surrounding build into a prefix, and moves the prefix.
include(${CMAKE_CURRENT_LIST_DIR}/run.cmake NO_POLICY_SCOPE)
file(REMOVE_RECURSE ${WORK}/static_first ${WORK}/static)
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/static_first)
file(RENAME ${WORK}/static_first ${WORK}/static)
