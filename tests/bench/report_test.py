# SPDX-FileCopyrightText: 2026 The ropewalk authors
# SPDX-License-Identifier: Apache-2.0
"""bench/compare takes what a program of bench/ reports.

  python3 report_test.py PATH_OF_COMPARE PATH_OF_ROTATE_BENCH
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROTATE_BENCH = sys.argv.pop(2)
COMPARE = sys.argv.pop(1)


class ReportTest(unittest.TestCase):

    def test_a_report_equals_itself_when_recorded(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            report = folder / "report.json"
            with report.open("w", encoding="utf-8") as file:
                subprocess.run(
                    [ROTATE_BENCH, "--benchmark_min_time=0.001",
                     "--benchmark_format=json",
                     "--benchmark_filter=half/f32.*/decode"],
                    stdout=file, check=True)
            compare = [sys.executable, COMPARE, "--baseline",
                       str(folder / "baseline.json")]
            subprocess.run([*compare, "--record", str(report)], check=True)
            result = subprocess.run([*compare, str(report)], check=True,
                                    capture_output=True, text=True)
        rows = [line for line in result.stdout.splitlines()
                if line.startswith("BM_Rotate/")]
        self.assertGreater(len(rows), 0)
        for row in rows:
            self.assertRegex(row, r"/decode/target:\w+ percent_of_bound")
            self.assertRegex(row, r"[+-]0\.0 %$")

    def test_a_report_says_what_the_ratios_depend_on(self):
        result = subprocess.run(
            [ROTATE_BENCH, "--benchmark_min_time=0.001",
             "--benchmark_format=json", "--benchmark_filter=half/f32.*/decode"],
            check=True, capture_output=True, text=True)
        context = json.loads(result.stdout)["context"]
        self.assertRegex(context["highway"], r"^\d+\.\d+\.\d+$")
        self.assertRegex(context["compiler"], r"^(GCC|Clang) \d+\.")
        cpuinfo = pathlib.Path("/proc/cpuinfo").read_text("utf-8")
        name = context["cpu_model"].partition(" (family")[0]
        self.assertTrue(name == "unknown" or f": {name}\n" in cpuinfo, name)


if __name__ == "__main__":
    unittest.main()
