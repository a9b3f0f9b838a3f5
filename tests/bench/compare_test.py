# SPDX-FileCopyrightText: 2026 The ropewalk authors
# SPDX-License-Identifier: Apache-2.0
"""bench/compare, run as a program on reports and baselines made here.

  python3 compare_test.py PATH_OF_COMPARE
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

COMPARE = sys.argv.pop(1)
CPU = "CPU A (family 6, model 1)"
ROTATE = "BM_Rotate/half/f32/target:AVX2"
FILL = "BM_Fill/factored/target:AVX2"


def report(ratios, cpu=CPU, highway="1.0.3", **more):
    """A report of benchmarks {name: {counter: value}}."""
    return {
        "context": {"cpu_model": cpu, "highway": highway, "compiler": "GCC 12"},
        "benchmarks": [{"name": name, "run_type": "iteration", "real_time": 5.0,
                        **counters} for name, counters in ratios.items()],
        **more,
    }


def percent(value):
    return {ROTATE: {"percent_of_bound": value}}


class CompareTest(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.baseline = self.write("baseline.json",
                                   {"schema": 1, "recordings": []})

    def write(self, name, data):
        path = self.folder / name
        path.write_text(data if isinstance(data, str) else json.dumps(data),
                        encoding="utf-8")
        return path

    def run_compare(self, *arguments):
        return subprocess.run(
            [sys.executable, COMPARE, "--baseline", str(self.baseline),
             *map(str, arguments)],
            capture_output=True, text=True, check=False)

    def record(self, data, name="recorded.json"):
        result = self.run_compare("--record", self.write(name, data))
        self.assertEqual(result.returncode, 0, result.stderr)

    def compare(self, data, *options):
        return self.run_compare(*options, self.write("now.json", data))

    def recordings(self):
        return json.loads(self.baseline.read_text("utf-8"))["recordings"]

    def line_of(self, result, name):
        lines = [line for line in result.stdout.splitlines()
                 if line.startswith(name)]
        self.assertEqual(len(lines), 1, result.stdout)
        return lines[0]

    def test_equal_ratios_pass(self):
        self.record(report(percent(80.0)))
        result = self.compare(report(percent(80.0)))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(self.line_of(result, ROTATE),
                         r"percent_of_bound\s+80\s+80\s+\+0\.0 %$")
        self.assertIn("0 of 1 ratios fell", result.stdout)

    def test_nine_percent_lower_passes(self):
        self.record(report(percent(80.0)))
        result = self.compare(report(percent(80.0 * 0.91)))
        self.assertEqual(result.returncode, 0)
        self.assertTrue(self.line_of(result, ROTATE).endswith("-9.0 %"))

    def test_eleven_percent_lower_fails(self):
        self.record(report(percent(80.0)))
        result = self.compare(report(percent(80.0 * 0.89)))
        self.assertEqual(result.returncode, 1)
        self.assertTrue(self.line_of(result, ROTATE).endswith("-11.0 %  FELL"))

    def test_much_higher_passes(self):
        self.record(report(percent(40.0)))
        result = self.compare(report(percent(80.0)))
        self.assertEqual(result.returncode, 0)
        self.assertIn("+100.0 %", result.stdout)

    def test_a_fallen_speedup_fails_as_well(self):
        self.record(report({FILL: {"speedup_over_copy": 2.0}}))
        result = self.compare(report({FILL: {"speedup_over_copy": 1.7}}))
        self.assertEqual(result.returncode, 1)

    def test_times_are_not_compared(self):
        self.record(report({ROTATE: {"percent_of_bound": 80.0, "GB/s": 90.0}}))
        slow = report({ROTATE: {"percent_of_bound": 80.0, "GB/s": 9.0}})
        slow["benchmarks"][0]["real_time"] = 50.0
        result = self.compare(slow)
        self.assertEqual(result.returncode, 0)
        self.assertIn("0 of 1 ratios fell", result.stdout)

    def test_report_never_fails_on_slowness(self):
        self.record(report(percent(80.0)))
        result = self.compare(report(percent(8.0)), "--report")
        self.assertEqual(result.returncode, 0)
        self.assertTrue(self.line_of(result, ROTATE).endswith("FELL"))

    def test_several_files_count_as_their_median(self):
        self.record(report(percent(80.0)))
        files = [self.write(f"{value}.json", report(percent(value)))
                 for value in (10.0, 79.0, 81.0)]
        result = self.run_compare(*files)
        self.assertEqual(result.returncode, 0)
        self.assertRegex(self.line_of(result, ROTATE), r"80\s+79\s")

    def test_missing_and_new_benchmarks_are_listed_and_pass(self):
        self.record(report(percent(80.0)))
        result = self.compare(report({FILL: {"speedup_over_copy": 2.0}}))
        self.assertEqual(result.returncode, 0)
        self.assertRegex(self.line_of(result, ROTATE), r"80\s+-\s+missing$")
        self.assertRegex(self.line_of(result, FILL), r"-\s+2\s+new$")
        self.assertIn("0 of 0 ratios fell", result.stdout)

    def test_other_cpus_and_highways_are_not_compared(self):
        self.record(report(percent(80.0)))
        for other in (report(percent(8.0), cpu="CPU B"),
                      report(percent(8.0), highway="1.2.0")):
            result = self.compare(other)
            self.assertEqual(result.returncode, 0)
            self.assertIn("nothing is recorded for", result.stdout)
            self.assertNotIn(ROTATE, result.stdout)

    def test_patches_of_highway_are_compared(self):
        self.record(report(percent(80.0), highway="1.0.3"))
        result = self.compare(report(percent(8.0), highway="1.0.7"))
        self.assertEqual(result.returncode, 1)

    def test_an_unknown_cpu_is_neither_compared_nor_recorded(self):
        unknown = report(percent(80.0), cpu="unknown")
        self.assertEqual(self.compare(unknown).returncode, 0)
        result = self.compare(unknown, "--record")
        self.assertEqual(result.returncode, 2)
        self.assertEqual(self.recordings(), [])

    def test_recording_keeps_what_others_recorded(self):
        other_target = "BM_Rotate/half/f32/target:AVX3"
        self.record(report(percent(70.0), cpu="CPU B"))
        self.record(report({other_target: {"percent_of_bound": 60.0}}))
        self.record(report({ROTATE: {"percent_of_bound": 80.0},
                            FILL: {"speedup_over_copy": 2.0}}))
        self.record(report(percent(90.0)))
        kept = {(entry["cpu_model"], entry["highway"], entry["target"]):
                entry["ratios"] for entry in self.recordings()}
        self.assertEqual(kept, {
            ("CPU B", "1.0", "AVX2"): {ROTATE: {"percent_of_bound": 70.0}},
            (CPU, "1.0", "AVX3"): {other_target: {"percent_of_bound": 60.0}},
            (CPU, "1.0", "AVX2"): {ROTATE: {"percent_of_bound": 90.0}},
        })

    def test_a_failed_benchmark_fails_and_is_not_recorded(self):
        self.record(report(percent(80.0)))
        before = self.baseline.read_text("utf-8")
        failed = report({ROTATE: {"error_occurred": True,
                                  "error_message": "no such target"}})
        for option in ((), ("--report",), ("--record",)):
            result = self.compare(failed, *option)
            self.assertEqual(result.returncode, 1)
            self.assertIn(f"{ROTATE}: no such target", result.stderr)
        self.assertEqual(self.baseline.read_text("utf-8"), before)

    def test_unusable_files_are_named(self):
        self.record(report(percent(80.0)))
        unusable = {
            "cut short": '{"context": {',
            "no object": "[]",
            "no context": {"benchmarks": []},
            "no CPU model": {"context": {}, "benchmarks": []},
            "no benchmarks": report({}, benchmarks=None),
            "no number": report(percent("fast")),
            "not finite": report(percent(float("nan"))),
            "no target": report({"BM_Rotate": {"percent_of_bound": 80.0}}),
            "no version": report(percent(80.0), highway="new"),
        }
        for what, data in unusable.items():
            for option in ((), ("--report",), ("--record",)):
                with self.subTest(what=what, option=option):
                    result = self.compare(data, *option)
                    self.assertEqual(result.returncode, 2)
                    self.assertIn("now.json: ", result.stderr)
                    self.assertNotIn("Traceback", result.stderr)

    def test_a_file_that_is_not_there_is_named(self):
        result = self.run_compare(self.folder / "nowhere.json")
        self.assertEqual(result.returncode, 2)
        self.assertIn("nowhere.json", result.stderr)

    def test_an_unusable_baseline_is_named_and_kept(self):
        for text in ("{", '{"schema": 2, "recordings": []}',
                     '{"schema": 1, "recordings": [{}]}'):
            self.baseline.write_text(text, encoding="utf-8")
            for option in ((), ("--record",)):
                result = self.compare(report(percent(80.0)), *option)
                self.assertEqual(result.returncode, 2)
                self.assertIn("baseline.json: ", result.stderr)
                self.assertEqual(self.baseline.read_text("utf-8"), text)


class CommittedBaselineTest(unittest.TestCase):

    def test_is_readable(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "now.json"
            path.write_text(json.dumps(report(percent(80.0))), "utf-8")
            result = subprocess.run([sys.executable, COMPARE, str(path)],
                                    capture_output=True, text=True, check=False)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn("nothing is recorded for CPU A", result.stdout)


if __name__ == "__main__":
    unittest.main()
