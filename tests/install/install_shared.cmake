# Builds the library shared, installs it into a prefix, and moves the prefix. Not
# optimised: what counts here is what it exports.
include(${CMAKE_CURRENT_LIST_DIR}/run.cmake NO_POLICY_SCOPE)
look_in(${PREFIXES})
run(${CMAKE_COMMAND} -S ${SOURCE} -B ${WORK}/shared_build -G ${GENERATOR}
    -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-O0 -DBUILD_SHARED_LIBS=ON
    -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_INSTALL_LIBDIR=${LIBDIR}
    -DROPEWALK_WITH_TBB=${WITH_TBB} -DROPEWALK_WERROR=ON
    -DROPEWALK_BUILD_BENCHMARKS=OFF -DROPEWALK_BUILD_CLI=OFF)
run(${CMAKE_COMMAND} --build ${WORK}/shared_build -j 2)
file(REMOVE_RECURSE ${WORK}/shared_first ${WORK}/shared)
run(${CMAKE_COMMAND} --install ${WORK}/shared_build --prefix ${WORK}/shared_first)
file(RENAME ${WORK}/shared_first ${WORK}/shared)
