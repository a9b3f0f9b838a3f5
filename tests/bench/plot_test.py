# SPDX-FileCopyrightText: 2026 The ropewalk authors
# SPDX-License-Identifier: Apache-2.0
"""bench/plot, run as a program on a report made here.

  python3 plot_test.py PATH_OF_PLOT
"""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

PLOT = sys.argv.pop(1)
POSITIONS = ("0", "2^10", "2^20")


def report():
    times = {"ns_per_head": 15.0, "bound_ns_per_head": 10.0}
    entries = {}
    for kind in ("f32", "bf16"):
        for i in (1, 2, 4):
            entries[f"BM_RotateByTokens/{kind}/tokens:{i}/heads:8/"
                    "target:A"] = times
            entries[f"BM_RotateByHeads/{kind}/tokens:64/heads:{i}/"
                    "target:A"] = times
        for position in POSITIONS:
            entries[f"BM_RotateByPosition/position:{position}/{kind}/"
                    "tokens:512/target:A"] = times
    for position in POSITIONS:
        entries[f"BM_FillByPosition/position:{position}/pairs:64/target:A"] = {
            "ns_per_row": 40.0}
    # A name that gnuplot would run, were it not quoted.
    return {"context": {"cpu_model": "it's '.system(\"false\")",
                        "highway": "1.0.3"},
            "benchmarks": [{"name": name, **counters}
                           for name, counters in entries.items()]}


class PlotTest(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def plot(self, data, out="out.svg"):
        path = self.folder / "report.json"
        path.write_text(data if isinstance(data, str) else json.dumps(data),
                        encoding="utf-8")
        return subprocess.run(
            [sys.executable, PLOT, str(path), str(self.folder / out)],
            capture_output=True, text=True, check=False)

    @unittest.skipUnless(shutil.which("gnuplot"), "gnuplot is not installed")
    def test_draws_every_panel(self):
        result = self.plot(report())
        self.assertEqual(result.returncode, 0, result.stderr)
        svg = (self.folder / "out.svg").read_text("utf-8")
        for text in (">tokens<", ">heads<", ">position<", ">2^20<",
                     "Rotate, bf16, per head", "system("):
            self.assertIn(text, svg)

    @unittest.skipUnless(shutil.which("gnuplot"), "gnuplot is not installed")
    def test_draws_png(self):
        self.assertEqual(self.plot(report(), "out.png").returncode, 0)
        png = (self.folder / "out.png").read_bytes()
        self.assertEqual(png[:8], b"\x89PNG\r\n\x1a\n")

    def test_unusable_reports_are_named(self):
        without_fill = report()
        without_fill["benchmarks"] = [
            entry for entry in without_fill["benchmarks"]
            if not entry["name"].startswith("BM_Fill")]
        no_number = report()
        no_number["benchmarks"][0] = {
            **no_number["benchmarks"][0], "ns_per_head": None}
        for data in ("{", "[]", {"context": {}, "benchmarks": [1]},
                     {"context": {}, "benchmarks": []}, without_fill,
                     no_number):
            with self.subTest(data=str(data)[:40]):
                result = self.plot(data)
                self.assertEqual(result.returncode, 2)
                self.assertIn("report.json: ", result.stderr)
                self.assertNotIn("Traceback", result.stderr)
                self.assertFalse((self.folder / "out.svg").exists())

    def test_other_kinds_of_picture_are_refused(self):
        result = self.plot(report(), "out.pdf")
        self.assertEqual(result.returncode, 2)
        self.assertIn("out.pdf: must end in .svg or .png", result.stderr)


if __name__ == "__main__":
    unittest.main()
