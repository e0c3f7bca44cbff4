"""`cupel doctor` as a program, with scripts in place of cupel-probe: one that answers, and those that do not."""

import json
import time

import made_up
from program import ProgramTest, main

IN_ORDER = {"trouble": "none", "device": 0, "device_count": 8, "driver_cuda": 13000, "runtime_cuda": 13000, "code_architecture": 90,
            "code_jit": False, "architectures": [90], "compute_mode": "default"}
OLD_DRIVER = {"trouble": "driver_too_old", "what": "the NVIDIA driver is too old", "cure": "update the driver", "device": 0,
              "device_count": 0, "driver_cuda": 12040, "runtime_cuda": 13000, "code_architecture": 0, "code_jit": False}


class Doctor(ProgramTest):
    def script(self, text):
        return self.executable("probe", f"#!/bin/sh\n{text}\n")

    def probe_that_says(self, facts, code):
        """A script that prints these facts and ends with `code`."""
        said = made_up.result([])
        said["context"]["cupel"]["doctor"] = facts
        if facts["trouble"] != "none":
            del said["context"]["cupel"]["device"]
        self.file("facts.json", said)
        return self.script(f"cat '{self.folder}/facts.json'; exit {code}")

    def doctor(self, probe, *arguments, code):
        return self.cupel("doctor", "--probe", probe, *arguments, code=code)

    def test_ends_with_0_where_a_gpu_can_be_used(self):
        probe = self.probe_that_says(IN_ORDER, 0)
        self.assertIn("NVIDIA H200", self.doctor(probe, code=0).out)
        self.assertIs(json.loads(self.doctor(probe, "--format", "json", code=0).out)["usable_gpu"], True)

    def test_looks_at_the_gpu_that_is_chosen_and_says_which(self):
        self.assertIn("GPU 2 of 8", self.doctor(self.probe_that_says({**IN_ORDER, "device": 2}, 0), code=0).out)

        asked = self.script(f"test \"$*\" = '--device GPU-5f' && cat '{self.folder}/facts.json'")
        self.doctor(asked, "--device", "GPU-5f", code=0)
        self.doctor(asked, code=3)

    def test_ends_with_2_and_what_there_is_where_the_gpu_that_is_chosen_is_not(self):
        probe = self.script("printf '%s: no GPU 7; there are:\\n  0  H200\\n' \"$0\" >&2; exit 2")
        self.assertEqual(self.doctor(probe, "--device", 7, code=2).err, "cupel: no GPU 7; there are:\n  0  H200\n")

    def test_ends_with_3_and_the_reason_where_none_can(self):
        self.assertIn("driver is too old", self.doctor(self.probe_that_says(OLD_DRIVER, 3), code=3).out)

    def test_makes_a_finding_of_a_probe_that_crashes_hangs_or_prints_garbage(self):
        for script, words in (("echo 'driver panic' >&2; kill -SEGV $$", ["SIGSEGV", "driver panic"]),
                              ("exec sleep 60", ["not done within the time limit"]), ("echo '{\"context\": {}'", ["cannot be read"])):
            with self.subTest(script):
                start = time.monotonic()
                ended = self.doctor(self.script(script), "--format", "json", "--timeout", "0.5", code=3)
                self.assertLess(time.monotonic() - start, 30)
                error, = [finding["title"] for finding in json.loads(ended.out)["findings"] if finding["severity"] == "error"]
                for word in words:
                    self.assertIn(word, error)

    def test_ends_with_2_on_wrong_usage(self):
        self.cupel("doctor", "--format", "xml", code=2)
        self.doctor(self.folder / "nowhere", code=2)


if __name__ == "__main__":
    main()
