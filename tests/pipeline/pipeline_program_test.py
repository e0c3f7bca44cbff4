"""The family pipeline as a program: the data that it makes, takes and removes, and what Ctrl-C leaves."""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import time

from program import CUPEL as PROGRAM
from program import FolderTest, alive, main

FILTER = "--benchmark_filter=pipeline/read/by:pread/order:shuffled/cache:warm"


def gray_jpeg(side):
    """A gray square, its side a multiple of 16: small as a file, and as slow to decode as its pixels are many."""
    def segment(marker, payload):
        return bytes([0xff, marker]) + (len(payload) + 2).to_bytes(2, "big") + payload
    one_code = bytes([1] + 15 * [0] + [0])  # "0" stands for no difference, and for the end of a block
    size = 2 * side.to_bytes(2, "big")
    return b"".join([
        b"\xff\xd8",
        segment(0xdb, bytes([0] + 64 * [1])),
        segment(0xc0, b"\x08" + size + bytes([1, 1, 0x11, 0])),
        segment(0xc4, b"\x00" + one_code),
        segment(0xc4, b"\x10" + one_code),
        segment(0xda, bytes([1, 1, 0, 0, 63, 0])),
        bytes((side // 8) ** 2 // 4),  # two bits a block of 8 x 8
        b"\xff\xd9",
    ])


def wait_until(holds, limit_s=60):
    end = time.monotonic() + limit_s
    while not holds() and time.monotonic() < end:
        time.sleep(0.005)
    return holds()


def children_of(pid):
    try:
        return [int(child) for child in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def state_of(pid):
    """What /proc says of it behind its name: its state, its parent ... Nothing once it is gone."""
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


def computed_s(pid):
    return sum(map(int, state_of(pid)[11:13])) / os.sysconf("SC_CLK_TCK")


def shared_memory_of(pid):
    return [path.name for path in pathlib.Path("/dev/shm").glob(f"cupel.*.{pid}.*")]


class PipelineProgram(FolderTest):
    def setUp(self):
        super().setUp()
        self.own = self.folder / "own"
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
        self.own.mkdir()
        images = sorted((self.folder / "cache/cupel/pipeline" / self.data()[0] / "files").iterdir())
        for image in images[:3]:
            shutil.copy(image, self.own)

        self.assertEqual(self.run_program(f"--cupel_data={self.own}").returncode, 0)

        self.assertEqual(self.row()["workload"]["items"], 3)

    def test_says_why_it_cannot_take_them(self):
        self.own.mkdir()
        self.run_program(f"--cupel_data={self.own}")
        self.assertEqual((self.row()["status"], self.row()["reason"]), ("skipped", f"{self.own}: no *.jpg or *.jpeg"))

    def test_names_the_file_that_is_empty_or_holds_no_whole_records(self):
        for name, content in (("good.jpg", gray_jpeg(64)), ("empty.jpg", b""), ("cut.bin", bytes(3072))):
            self.file(f"own/{name}", content)
        said = self.run_program(f"--cupel_data={self.own}").stderr
        self.assertIn("empty.jpg is left out: ", said)

        said = self.run_program(f"--cupel_data={self.own}", "--cupel_profile=full",
                                "--benchmark_filter=pipeline/cache/data:kept_decoded/format:cifar10").stderr
        self.assertIn("cut.bin is left out: 3072 bytes are no records of 3073", said)
        self.assertEqual(self.row()["status"], "skipped")

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
        said = next((line for line in process.stderr if line.startswith("meanwhile: making the photographs: ")), "nothing")
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)

        self.assertRegex(said, r": \d+ %$")
        self.assertEqual(process.returncode, 130)
        self.assertEqual(self.data(), [])

    def own_image(self, side):
        self.file("own/gray.jpg", gray_jpeg(side))
        return f"--cupel_data={self.own}"

    def test_says_how_far_it_is_with_what_it_compares_with_and_ends_on_ctrl_c(self):
        command = self.command(self.own_image(6000), "--benchmark_filter=pipeline/load/kind:thread/workers:2$")
        process = subprocess.Popen(command, env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                   text=True)
        start = "meanwhile: making samples to compare with: "
        said = next((line for line in process.stderr if line.startswith(start)), "nothing")
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)

        self.assertRegex(said, r": \d+ %$")
        self.assertEqual(process.returncode, 130)
        result = json.loads(self.out.read_text(encoding="utf-8"))
        self.assertEqual((result["benchmarks"], result["context"]["cupel"]["not_measured"]), ([], []), "it is to be measured again")

    def start_endless(self, *flags):
        """A process that measures epochs for a second, after which an interrupt ends it, in a group of its own, and its workers once they
        are at work."""
        for_a_second = ["--cupel_rounds=1", "--cupel_max_wall=1.2", "--cupel_noise_goal=1e-9",
                        "--cupel_max_samples=1000000"]
        command = [flag for flag in self.command(*for_a_second, *flags) if flag != "--cupel_once"]
        process = subprocess.Popen(command, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                   start_new_session=True)
        at_work = wait_until(lambda: any(computed_s(pid) >= 0.05 for pid in children_of(process.pid)))
        self.assertTrue(at_work, "no worker")
        return process, children_of(process.pid)

    def test_ends_on_ctrl_c_within_an_epoch_and_leaves_no_worker_and_no_shared_memory(self):
        """Ctrl-C goes to all of the group, and SIGTERM from `cupel run`; workers leave both to the process that has them."""
        large = self.own_image(1008)  # an epoch of them still takes a second or two
        cpus = len(os.sched_getaffinity(0))
        for name, data in ((f"load/kind:process/workers:{cpus}", large), ("handover/by:descriptor", "--cupel_data="),
                           ("handover/by:shared_memory", "--cupel_data=")):
            for asked_by in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                with self.subTest(name, asked_by=asked_by):
                    process, workers = self.start_endless(data, f"--benchmark_filter=pipeline/{name}$")
                    os.killpg(process.pid, asked_by)
                    said, _ = process.communicate(timeout=60)

                    self.assertEqual(process.returncode, 130)
                    self.assertNotIn("ended by signal", said)
                    self.assertEqual([pid for pid in workers if alive(pid)], [])
                    self.assertEqual(shared_memory_of(process.pid), [])

    def test_leaves_no_worker_and_no_shared_memory_at_a_second_ctrl_c(self):
        process, workers = self.start_endless("--benchmark_filter=pipeline/handover/by:shared_memory$")
        for _ in range(2):
            os.killpg(process.pid, signal.SIGINT)
            time.sleep(0.05)
        process.communicate(timeout=60)
        gone = wait_until(lambda: not any(alive(pid) for pid in workers))
        swept = wait_until(lambda: not shared_memory_of(process.pid))

        self.assertEqual(process.returncode, -signal.SIGINT)
        self.assertTrue(gone, "a worker is left")
        self.assertTrue(swept, "shared memory is left")


if __name__ == "__main__":
    main()
