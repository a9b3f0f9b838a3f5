# What the libraries of a prefix define for others.
include(${CMAKE_CURRENT_LIST_DIR}/run.cmake NO_POLICY_SCOPE)
need(python python3)
need(nm nm)
need(readelf readelf)
# Of the inside, what the libraries and the program have from each other.
set(inside
  angles/position_reader.h config/gguf/gguf_header.h frequencies/ladder.h
  frequencies/validate_frequencies.h frequencies/yarn_magnitude.h parallel/parallel_for.h
  rotate/make_job.h rotate/overlap.h rotate/validate.h simd/targets.h status/error.h)
list(TRANSFORM inside PREPEND ${SOURCE}/src/)
run(${python} ${CMAKE_CURRENT_LIST_DIR}/symbols.py ${LIBRARY} ${WORK}/${LIBRARY}/${LIBDIR}
    ${SOURCE}/include ${inside})
