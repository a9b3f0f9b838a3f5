# SPDX-FileCopyrightText: 2026 The ropewalk authors
# SPDX-License-Identifier: Apache-2.0
"""What all runs so far say, as one table, and as markdown for the README."""
import collections
import json

from build import results_of
from jobs import JOBS
from tests import OTHER


def save(path, targets, runs, good):
    """runs: (name of the CPU, counts, seconds); good: nothing failed."""
    record = {"compiled": targets, "good": good,
              "runs": [{"cpu": cpu, "seconds": seconds, "counts": counts}
                       for cpu, counts, seconds in runs]}
    path.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


def load():
    """(job, record) of every job that was run."""
    for job in JOBS:
        path = results_of(job) / "result.json"
        if path.exists():
            yield job, json.loads(path.read_text(encoding="utf-8"))


def runs_of(record, target):
    """(name of the CPU, counts) of each run in which tests of the target were."""
    return [(run["cpu"], run["counts"][target]) for run in record["runs"]
            if run["counts"].get(target)]


def summary(counts):
    return ", ".join(f"{n} {state}" for state, n in counts.items())


def state(record, target):
    counts = [counts for _, counts in runs_of(record, target)]
    if any(c.get("failed") for c in counts):
        return "FAILED"
    return "tested" if any(c.get("passed") for c in counts) else "built"


def lines():
    """One line a job and target."""
    for job, record in load():
        where = f"Highway {job.highway}, {job.compiler}"
        for target in [*record["compiled"], OTHER]:
            runs = runs_of(record, target)
            texts = [f"{summary(counts)} ({cpu})" for cpu, counts in runs]
            if texts or target != OTHER:
                yield f"{target:<18} {where:<24} {state(record, target):<7} {'; '.join(texts)}"
        seconds = sum(run["seconds"] for run in record["runs"])
        good = "" if record["good"] else "  NOT ALL PASSED"
        yield f"{'':<18} {job.name}: {seconds} s of tests{good}"


def markdown():
    """Rows: targets; columns: versions of Highway; cells: state and compilers."""
    cells = collections.defaultdict(lambda: collections.defaultdict(dict))
    for job, record in load():
        for target in record["compiled"]:
            where = cells[target][job.highway]
            where.setdefault(state(record, target), []).append(job.compiler)
    yield "| target | Highway 1.0.3 | Highway 1.3 |"
    yield "|---|---|---|"
    for target in sorted(cells):
        columns = [cell(cells[target][highway]) for highway in ("1.0.3", "1.3")]
        yield f"| {target} | {' | '.join(columns)} |"


def cell(states):
    return "; ".join(f"{name}: {', '.join(sorted(set(compilers)))}"
                     for name, compilers in sorted(states.items(), reverse=True)) or "none"
