# SPDX-FileCopyrightText: 2026 The ropewalk authors
# SPDX-License-Identifier: Apache-2.0
"""Installs what a job needs, and builds its tests."""
import os
import pathlib
import re
import subprocess

from jobs import ROOMS

SOURCE = pathlib.Path(__file__).resolve().parents[2]


def directory_of(job):
    # As deep as those of presets, so that ccache finds what they compiled.
    return SOURCE / "build" / job.name


def results_of(job):
    return directory_of(job) / "matrix"


def install(job):
    """Debian's packages that are not there yet; needs root."""
    missing = [p for p in job.packages if not installed(p)]
    if not missing:
        return
    if any(p.endswith(":arm64") for p in missing):
        subprocess.run(["dpkg", "--add-architecture", "arm64"], check=True)
    subprocess.run(["apt-get", "update", "-qq"], check=True)
    subprocess.run(["apt-get", "install", "-y", "-qq", "--no-install-recommends", *missing],
                   check=True, env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"})


def installed(package):
    query = ["dpkg-query", "-W", "-f=${db:Status-Status}", package]
    result = subprocess.run(query, capture_output=True, text=True, check=False)
    return result.stdout.startswith("installed")


def highway_options(job, highway):
    """Highway 1.3: a source tree or a prefix of it, else the pinned commit."""
    if job.highway == "1.0.3":
        return []
    without = ["-DCMAKE_DISABLE_FIND_PACKAGE_hwy=ON"]
    if highway is None:
        return without
    if (highway / "CMakeLists.txt").exists():
        return [*without, f"-DFETCHCONTENT_SOURCE_DIR_HIGHWAY={highway}"]
    if job.preset == "aarch64":
        raise ValueError(f"{highway} is a prefix, of this machine; Arm needs a source tree")
    return [f"-DCMAKE_PREFIX_PATH={highway}"]


def build(job, highway):
    """The directory of the job's build."""
    directory = directory_of(job)
    results_of(job).mkdir(parents=True, exist_ok=True)
    configure = ["cmake", "--preset", job.preset, "-B", str(directory),
                 *job.options, *highway_options(job, highway)]
    compile_targets = ["cmake", "--build", str(directory), "--target",
                       *(f"ropewalk_{room}_test" for room in ROOMS)]
    with open(results_of(job) / "build.log", "w", encoding="utf-8") as log:
        for command in (configure, compile_targets):
            subprocess.run(command, cwd=SOURCE, stdout=log, stderr=log, check=True)
    return directory


def compiled_targets(directory):
    """What the library really holds: a function of each target's namespace."""
    archive = (directory / "libropewalk.a").read_bytes()
    names = re.findall(rb"8internal\d+N_([A-Z0-9_]+?)12NameOfTargetEv", archive)
    return sorted({name.decode() for name in names})
