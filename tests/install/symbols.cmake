# What the libraries of a prefix define for others.
include(${CMAKE_CURRENT_LIST_DIR}/run.cmake NO_POLICY_SCOPE)
need(python python3)
need(nm nm)
need(readelf readelf)
# Of the inside, what the libraries and the program have from each other.
set(inside status/error.h frequencies/yarn_magnitude.h config/gguf/gguf_header.h)
list(TRANSFORM inside PREPEND ${SOURCE}/src/)
run(${python} ${CMAKE_CURRENT_LIST_DIR}/symbols.py ${LIBRARY} ${WORK}/${LIBRARY}/${LIBDIR}
    ${SOURCE}/include ${inside})
