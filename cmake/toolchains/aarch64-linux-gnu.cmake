# Cross compiles to 64-bit Arm with Debian's g++-aarch64-linux-gnu and packages of
# arm64 (libhwy-dev:arm64, libgtest-dev:arm64), and runs what comes of it with
# qemu-user-static. Debian keeps the libraries of all architectures under one
# root, so there is no sysroot to name.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)

set(ROPEWALK_QEMU_CPU max CACHE STRING "CPU for qemu-aarch64-static, such as max,sve256=on,sve512=off")
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64-static -cpu ${ROPEWALK_QEMU_CPU})
