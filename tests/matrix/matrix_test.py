#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The ropewalk authors
# SPDX-License-Identifier: Apache-2.0
"""What the matrix counts as tested."""
import json
import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True  # no __pycache__ in the source

import build
import jobs
import table
import tests


def report(*cases):
    """GoogleTest's report of (name, result, failed)."""
    suite = [{"name": name, "result": result, **({"failures": [{}]} if failed else {})}
             for name, result, failed in cases]
    return json.dumps({"testsuites": [{"testsuite": suite}]})


class MatrixTest(unittest.TestCase):
    def count(self, *cases):
        with tempfile.TemporaryDirectory() as work:
            path = pathlib.Path(work, "report.json")
            path.write_text(report(*cases), encoding="utf-8")
            return tests.count(path, ["AVX2", "SVE_256"])

    def test_counts_by_target(self):
        counts = self.count(("A/AVX2", "COMPLETED", False), ("B/AVX2", "COMPLETED", True),
                            ("C/SVE_256", "SKIPPED", False), ("D/0", "COMPLETED", False))
        self.assertEqual(counts["AVX2"], {"passed": 1, "failed": 1})
        self.assertEqual(counts["SVE_256"], {"skipped": 1})
        self.assertEqual(counts[tests.OTHER], {"passed": 1})

    def test_a_target_is_tested_only_where_a_test_of_it_passed(self):
        for counts, state in (({"passed": 2}, "tested"), ({"passed": 2, "failed": 1}, "FAILED"),
                              ({"skipped": 2}, "built"), ({}, "built")):
            record = {"runs": [{"cpu": "native", "counts": {"AVX2": counts}}]}
            self.assertEqual(table.state(record, "AVX2"), state, counts)

    def test_a_failure_on_one_cpu_counts(self):
        runs = [{"cpu": cpu, "counts": {"SVE": counts}}
                for cpu, counts in (("128", {"passed": 1}), ("512", {"failed": 1}))]
        self.assertEqual(table.state({"runs": runs}, "SVE"), "FAILED")

    def test_a_cpu_runs_what_its_targets_name(self):
        cpu = jobs.Cpu("qemu", ("qemu",), ("SVE", "NEON"))
        self.assertTrue(tests.filter_of("cache", cpu).startswith("ShiftCacheTest.*/SVE:"))
        self.assertIsNone(tests.filter_of("golden", cpu))
        self.assertEqual(tests.filter_of("golden", jobs.Cpu("native")), "*")

    def test_names_of_targets_come_from_the_library(self):
        with tempfile.TemporaryDirectory() as work:
            symbols = "".join(f"\0_ZN8ropewalk8internal{len(name)}{name}12NameOfTargetEv\0"
                              for name in ("N_AVX3", "N_SVE2_128", "N_SCALAR"))
            pathlib.Path(work, "libropewalk.a").write_bytes(symbols.encode())
            self.assertEqual(build.compiled_targets(pathlib.Path(work)),
                             ["AVX3", "SCALAR", "SVE2_128"])

    def test_jobs_have_names_of_their_own(self):
        names = [job.name for job in jobs.JOBS]
        self.assertEqual(len(names), len(set(names)))


if __name__ == "__main__":
    unittest.main()
