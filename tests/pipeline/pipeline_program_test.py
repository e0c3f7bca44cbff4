"""The family pipeline as a program: the data that it makes, takes and removes, and what Ctrl-C leaves."""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

PROGRAM = sys.argv[1]
FILTER = "--benchmark_filter=pipeline/read/by:pread/order:shuffled/cache:warm"


class PipelineProgram(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.environment = {**os.environ, "XDG_CACHE_HOME": str(self.folder / "cache")}
        self.out = self.folder / "out.json"

    def command(self, *flags):
        return [PROGRAM, "--cupel_once", "--cupel_data_bytes=1048576", f"--cupel_out={self.out}", FILTER, *flags]

    def run_program(self, *flags):
        return subprocess.run(self.command(*flags), env=self.environment, capture_output=True, text=True, check=False)

    def row(self):
        result = json.loads(self.out.read_text(encoding="utf-8"))
        rows = result["benchmarks"] or result["context"]["cupel"]["not_measured"]
        self.assertEqual(len(rows), 1)
        return rows[0]["cupel"]

    def data(self):
        """Names of what lies where data are made, but for locks."""
        folder = self.folder / "cache" / "cupel" / "pipeline"
        return sorted(path.name for path in folder.glob("*") if path.suffix != ".lock") if folder.exists() else []

    def test_makes_its_data_once_and_keeps_them(self):
        self.assertEqual(self.run_program().returncode, 0)
        made = self.data()
        self.assertEqual(len(made), 1)
        stamp = (self.folder / "cache/cupel/pipeline" / made[0] / "samples").stat().st_mtime_ns

        self.assertEqual(self.run_program().returncode, 0)

        self.assertEqual((self.folder / "cache/cupel/pipeline" / made[0] / "samples").stat().st_mtime_ns, stamp)

    def test_removes_them_when_asked(self):
        self.assertEqual(self.run_program("--cupel_clean_data").returncode, 0)
        self.assertFalse((self.folder / "cache" / "cupel").exists())

    def test_takes_the_users_own_images(self):
        self.run_program()
        own = self.folder / "own"
        own.mkdir()
        images = sorted((self.folder / "cache/cupel/pipeline" / self.data()[0] / "files").iterdir())
        for image in images[:3]:
            shutil.copy(image, own)

        self.assertEqual(self.run_program(f"--cupel_data={own}").returncode, 0)

        self.assertEqual(self.row()["workload"]["items"], 3)

    def test_says_why_it_cannot_take_them(self):
        own = self.folder / "own"
        own.mkdir()
        self.run_program(f"--cupel_data={own}")
        self.assertEqual((self.row()["status"], self.row()["reason"]), ("skipped", f"{own}: no *.jpg or *.jpeg"))

    def test_says_that_their_folder_is_missing(self):
        missing = self.folder / "missing"
        self.run_program(f"--cupel_data={missing}")
        self.assertEqual((self.row()["status"], self.row()["reason"]),
                         ("skipped", f"{missing}: there is no such folder"))

    def test_says_that_a_disk_is_too_small(self):
        self.run_program("--cupel_data_bytes=1000000000000000")
        self.assertEqual(self.row()["status"], "skipped")
        self.assertIn("the data want 4000000000000000 bytes, ", self.row()["reason"])
        self.assertEqual(self.data(), [])

    def test_expects_of_its_rows_at_least_a_tenth_of_what_they_take(self):
        """The runner ends an executable after ten times what it expects, and half a minute."""
        command = [PROGRAM, "--cupel_data_bytes=1048576", "--benchmark_filter=pipeline/(load|cpu_threads|epoch)/"]
        listing = subprocess.run([*command, "--cupel_list"], capture_output=True, text=True, check=True).stdout
        expected_s = {row["name"]: row["seconds"] for row in json.loads(listing)["benchmarks"]}
        self.run_program()  # makes the data, which tells the runner that it goes on

        subprocess.run([*command, f"--cupel_out={self.out}"], env=self.environment, capture_output=True, check=True)

        rows = json.loads(self.out.read_text(encoding="utf-8"))["benchmarks"]
        self.assertEqual(len(rows), len(expected_s))
        for row in rows:
            self.assertLess(row["cupel"]["wall_s"], 10 * expected_s[row["name"]], row["name"])

    def test_ends_on_ctrl_c_while_it_makes_data_and_leaves_nothing(self):
        process = subprocess.Popen(self.command("--cupel_data_bytes=1073741824"), env=self.environment,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        end = time.monotonic() + 60
        while not any(name.endswith(".making") for name in self.data()) and time.monotonic() < end:
            time.sleep(0.01)
        said = next((line for line in process.stderr if line.startswith("meanwhile: making the data: ")), "nothing")
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)

        self.assertRegex(said, r": \d+ %$")
        self.assertEqual(process.returncode, 130)
        self.assertEqual(self.data(), [])


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
