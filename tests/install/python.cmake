# Calls the shared C interface from Python's ctypes.
include(${CMAKE_CURRENT_LIST_DIR}/run.cmake NO_POLICY_SCOPE)
need(python python3)
run(${python} ${SOURCE}/tests/c_api/ctypes_test.py
    ${WORK}/${LIBRARY}/${LIBDIR}/libropewalk_c.so)
