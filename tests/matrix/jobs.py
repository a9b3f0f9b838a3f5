# SPDX-FileCopyrightText: 2026 The ropewalk authors
# SPDX-License-Identifier: Apache-2.0
"""The matrix as data: what is built, and on which CPUs its tests run."""
import dataclasses

ROOMS = ("simd", "angles", "rotate", "cache", "weights", "parallel", "golden")

# Emulators take a hundred times as long. Kept: every type, pairing and listed
# rotary_dim against the oracle, tails that must not be read past, edges, shifts
# of cached keys, rows of angles, and which target is chosen. Left out: other
# ways to split or order the same work, and tests that start themselves anew,
# which an emulated process cannot.
EMULATED = {
    "angles": ("FillTest.*", "FillAxesTest.*", "ExportTableTest.EveryLayoutAndTypeThereAndBack"),
    "rotate": ("RotateTest.*", "RotateEdgesTest.*", "RotateOracleTest.*",
               "RotateLayoutsTest.RowsAreReadNoFurtherThanTheirPairs"),
    "cache": ("ShiftCacheTest.*",),
}
# Those of the choice itself, which run once.
EMULATED_ONCE = {"simd": "TargetsTest.*"}


@dataclasses.dataclass(frozen=True)
class Cpu:
    """Where tests run: this machine, or one that qemu emulates."""
    name: str
    emulator: tuple = ()
    targets: tuple = ()  # those whose tests run there; () for all


@dataclasses.dataclass(frozen=True)
class Job:
    """One build, and its runs."""
    name: str
    compiler: str
    highway: str  # "1.0.3", of Debian, or "1.3"
    preset: str = "dev"
    options: tuple = ()
    packages: tuple = ()
    cpus: tuple = (Cpu("native"),)


def arm(bits, options, *targets):
    emulator = ("qemu-aarch64-static", "-cpu", options)
    return Cpu(f"qemu, {bits}-bit SVE", emulator, targets)


def x86(model, *targets):
    return Cpu(f"qemu, {model}", ("qemu-x86_64-static", "-cpu", model), targets)


# qemu's default is 512 bits. A specialised target takes the CPU that has no
# longer vectors than its own.
ARM_CPUS = (
    arm(128, "max,sve128=on,sve256=off", "SVE2_128", "SVE"),
    arm(256, "max,sve256=on,sve512=off", "SVE_256"),
    arm(512, "max", "NEON_WITHOUT_AES", "NEON", "NEON_BF16", "SVE"),
    arm(2048, "max,sve2048=on,sve-default-vector-length=256", "SVE2"),
)
ARM_PACKAGES = ("g++-aarch64-linux-gnu", "qemu-user-static", "libgtest-dev:arm64",
                "nlohmann-json3-dev")
# Those without AVX: nothing but the chosen target's instructions may run.
X86_CPUS = (Cpu("native"), x86("Westmere", "SSE4"), x86("core2duo", "SSSE3"),
            x86("qemu64", "SSE2", "SCALAR", "EMU128"))
X86_PACKAGES = ("libtbb-dev", "libgtest-dev", "libbenchmark-dev", "libcli11-dev",
                "nlohmann-json3-dev")
DEBIAN = ("libhwy-dev",)
EMULATED_X86 = ("qemu-user-static",)


def only(target, more=""):
    return (f"-DCMAKE_CXX_FLAGS=-DHWY_COMPILE_ONLY_{target}{more}",)


JOBS = (
    Job("arm-gcc12-hwy1.0.3", "GCC 12", "1.0.3", "aarch64",
        packages=ARM_PACKAGES + ("libhwy-dev:arm64",), cpus=ARM_CPUS),
    Job("arm-gcc12-hwy1.3", "GCC 12", "1.3", "aarch64", packages=ARM_PACKAGES, cpus=ARM_CPUS),
    # Highway 1.0.3 takes EMU128 for broken with GCC before 12.3.
    Job("scalar-gcc12-hwy1.0.3", "GCC 12", "1.0.3", options=only("SCALAR"),
        packages=X86_PACKAGES + DEBIAN),
    Job("emu128-gcc12-hwy1.0.3", "GCC 12", "1.0.3",
        options=only("EMU128", " -DHWY_BROKEN_EMU128=0"), packages=X86_PACKAGES + DEBIAN),
    Job("emu128-gcc12-hwy1.3", "GCC 12", "1.3",
        options=only("EMU128", " -DHWY_BROKEN_EMU128=0"), packages=X86_PACKAGES),
    Job("x86-gcc12-hwy1.0.3", "GCC 12", "1.0.3",
        packages=X86_PACKAGES + DEBIAN + EMULATED_X86, cpus=X86_CPUS),
    Job("x86-gcc12-hwy1.3", "GCC 12", "1.3", packages=X86_PACKAGES + EMULATED_X86, cpus=X86_CPUS),
    Job("x86-clang14-hwy1.0.3", "Clang 14", "1.0.3", "clang",
        packages=X86_PACKAGES + DEBIAN + ("clang",)),
    Job("x86-clang14-hwy1.3", "Clang 14", "1.3", "clang",
        packages=X86_PACKAGES + ("clang",)),
    Job("x86-clang19-hwy1.0.3", "Clang 19", "1.0.3",
        options=("-DCMAKE_CXX_COMPILER=clang++-19", "-DCMAKE_C_COMPILER=clang-19"),
        packages=X86_PACKAGES + DEBIAN + ("clang-19",)),
    Job("x86-clang19-hwy1.3", "Clang 19", "1.3",
        options=("-DCMAKE_CXX_COMPILER=clang++-19", "-DCMAKE_C_COMPILER=clang-19"),
        packages=X86_PACKAGES + ("clang-19",)),
)
