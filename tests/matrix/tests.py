# SPDX-FileCopyrightText: 2026 The ropewalk authors
# SPDX-License-Identifier: Apache-2.0
"""Runs the tests of a build on a CPU, and counts them by target."""
import collections
import json
import pathlib
import subprocess

from jobs import EMULATED, EMULATED_ONCE, ROOMS

SECONDS = 3600  # of one executable, under an emulator on a busy machine
OTHER = "any"  # tests that run once, not once a target


def executable(directory, room):
    path = directory / "tests" / f"{room}_test"
    return path if path.exists() else directory / "tests" / room / f"{room}_test"


def filter_of(room, cpu):
    """GoogleTest's filter; None where nothing of the room runs there."""
    if not cpu.emulator:
        return "*"
    if room in EMULATED_ONCE:
        return EMULATED_ONCE[room]
    return ":".join(f"{test}/{target}" for test in EMULATED.get(room, ())
                    for target in cpu.targets) or None


def run(cpu, directory, results):
    """Runs all rooms: whether each came to its end and passed, and the reports."""
    good, reports = True, []
    for room in ROOMS:
        chosen = filter_of(room, cpu)
        if chosen is None:
            continue
        stem = str(results / f"{cpu.name.replace(', ', '.').replace(' ', '.')}.{room}")
        report = pathlib.Path(stem + ".json")
        report.unlink(missing_ok=True)
        command = [*cpu.emulator, str(executable(directory, room)),
                   f"--gtest_filter={chosen}", f"--gtest_output=json:{report}"]
        with open(stem + ".log", "w", encoding="utf-8") as log:
            good &= finished(command, log)
        if report.exists():
            reports.append(report)
        else:
            good = False
    return good, reports


def finished(command, log):
    try:
        return subprocess.run(command, stdout=log, stderr=log, timeout=SECONDS,
                              check=False).returncode == 0
    except subprocess.TimeoutExpired:
        log.write(f"\nmore than {SECONDS} s\n")
        return False


def count(report, targets):
    """Tests that passed, failed and were skipped, by target."""
    counts = collections.defaultdict(collections.Counter)
    for suite in json.loads(report.read_text(encoding="utf-8"))["testsuites"]:
        for test in suite["testsuite"]:
            target = test["name"].rpartition("/")[2]
            counts[target if target in targets else OTHER][state(test)] += 1
    return counts


def state(test):
    if test.get("failures"):
        return "failed"
    return "passed" if test["result"] == "COMPLETED" else "skipped"
