"""`cupel advise --step` on a small step and a machine made up for it, and ci/check-foretell, which holds that against what was
measured."""

import csv
import io
import json
import re
import subprocess
import sys

import made_up
from program import MORE, ROOT, ProgramTest, main

US, MS = 1e-6, 1e-3
GFLOP, MB = 10**9, 10**6


def row(name, process, time_s, work=None, mode="host"):
    return made_up.row(name, process, [time_s * (1 + 0.01 * (process - 1))] * 3, mode, workload=work or {})


def micro(process):
    work = {"bytes_read": 50 * MB, "bytes_written": 50 * MB, "flops": 15 * GFLOP}
    for precision, nchw, nhwc in (("fp32", 360, 420), ("tf32", 130, 70), ("fp16", 90, 38)):
        for layout, time in (("nchw", nchw), ("nhwc", nhwc)):
            yield row(f"conv/forward/layer:res2_3x3/precision:{precision}/layout:{layout}/batch:64", process, time * US, work,
                      "cold")
    for n in (10 * MB, 100 * MB):
        yield row(f"memory/limits/copy/bytes:{n}", process, n / 2e12, {"bytes_read": n, "bytes_written": n}, "cold")
        yield row(f"transfer/h2d/memory:pageable/bytes:{n}", process, n / 10e9, {"bytes_moved": n})
        yield row(f"transfer/h2d/memory:pinned/bytes:{n}", process, n / 50e9, {"bytes_moved": n}, "cold")
    for kernels in (10, 1000):
        yield row(f"sync/graph/enqueue/impl:launches/bytes:4096/kernels:{kernels}", process, kernels * 2.5 * US)
    for way, time in (("launches", 140), ("graph", 130)):
        yield row(f"sync/graph/complete/impl:{way}/bytes:16777216/kernels:10", process, time * US)
    yield row("sync/every_step/call:stream/kernels:10/bytes:1048576", process, 540 * US)
    yield row("sync/at_end/kernels:10/bytes:1048576", process, 460 * US)


def waterfall(process):
    def step(change, time_ms):
        return row(f"step/waterfall/{change}/net:small/batch:64", process, time_ms * MS)

    yield step("add:nothing", 20)
    yield step("add:pinned_copies", 12)
    yield step("add:tf32", 8)
    yield step("add:copies_ahead", 6.5)
    yield step("drop:pinned_copies", 14)
    yield step("drop:tf32", 10)


def result(rows):
    return made_up.result(r for process in range(3) for r in rows(process))


def profile(change, step_ms, precision="fp32", copies="pageable"):
    """A convolution of 6 ms in fp32, an optimizer, and a batch of 100 MB."""
    convolution_s = {"fp32": 6 * MS, "tf32": 2 * MS}[precision]
    pinned = copies != "pageable"
    return {"cupel_step_profile": 1, "source": "made up", "benchmark": f"step/waterfall/{change}/net:small/batch:64",
            "net": "small", "batch": 64, "parameters": 1000, "launches": 100, "step_s": step_ms * MS, "enqueue_s": 0.3 * MS,
            "switches": {"precision": precision, "layout": "nhwc", "optimizer": "fused", "rule": "sgd", "launch": "eager",
                         "copies": copies, "gradients": "replaced", "memory": "planned", "reads_loss_every": 0},
            "kernels": [{"kind": "convolution_forward", "what": "conv", "precision": precision, "layout": "nhwc", "calls": 16,
                         "time_s": convolution_s, "bytes": 1600 * MB, "flops": 240 * GFLOP},
                        {"kind": "optimizer", "calls": 1, "time_s": 0.1 * MS},
                        {"kind": "other", "what": "magic", "calls": 1, "time_s": 0.2 * MS}],
            "copies": [{"direction": "h2d", "memory": "pinned" if pinned else "pageable", "blocking": not pinned,
                        "overlapped": copies == "ahead", "calls": 2, "bytes": 100 * MB,
                        "time_s": (2 if pinned else 10) * MS}],
            "waits": [] if pinned else [{"cause": "copy", "calls": 1}]}


class Foretell(ProgramTest):
    def setUp(self):
        super().setUp()
        self.file("micro.json", result(micro))
        self.file("steps.json", result(waterfall))
        self.file("step.json", profile("add:nothing", 20))
        for one in (profile("add:nothing", 20), profile("add:pinned_copies", 12, copies="pinned"),
                    profile("add:tf32", 8, "tf32", "pinned"), profile("add:copies_ahead", 6.5, "tf32", "ahead"),
                    profile("drop:tf32", 10, copies="ahead"), profile("drop:pinned_copies", 14, "tf32")):
            self.file(f"profiles/{one['benchmark'].replace('/', '.')}.json", one)

    def advise(self, *flags, code=0):
        ended = self.cupel("advise", "micro.json", *flags, code=code)
        return ended.out if code == 0 else ended.err

    def test_says_what_each_piece_would_give(self):
        self.assert_golden(self.advise("--step", "step.json"), "step.txt")

    def test_is_refused_for_two_machines(self):
        self.file("other.json", json.loads((self.folder / "micro.json").read_text()))
        self.assertIn("a step is foretold for one machine, and there are 2 runs: micro.json, other.json",
                      self.advise("other.json", "--step", "step.json", code=2))

    def test_says_that_the_run_is_unfinished(self):
        document = json.loads((self.folder / "micro.json").read_text())
        document["context"]["cupel"]["run"] |= {"finished": "", "processes": 9}
        self.file("micro.json", document)
        ended = self.cupel("advise", "micro.json", "--step", "step.json", code=0)
        self.assertEqual(ended.err, "cupel: micro.json: unfinished: 3 of 9 processes; cupel run --resume FILE goes on with it\n")

    def test_warns_of_a_step_that_another_gpu_took(self):
        gpu = json.loads((self.folder / "micro.json").read_text())["context"]["cupel"]["device"]["name"]
        for device, warning in (("NVIDIA T1000", f"cupel: step.json: the step was recorded on NVIDIA T1000, the results are of {gpu}\n"),
                                (gpu, "")):
            self.file("step.json", profile("add:nothing", 20) | {"device": device})
            self.assertEqual(self.cupel("advise", "micro.json", "--step", "step.json", code=0).err, warning)

    def test_names_what_no_rule_is_about_where_all_is_asked_for(self):
        short, long = self.advise("--step", "step.json"), self.advise("--step", "step.json", "--all")
        count = int(re.search(r"foretell nothing of (\d+)\s+other pieces", short)[1])
        listed = re.findall(r"^- ([^:]*):\s", long.split("About which micro-benchmarks")[1], re.M)
        self.assertEqual(sum(len(one.split(",")) for one in listed), count)
        self.assertNotIn("memory-fraction", short)
        self.assertIn("memory-fraction", long)

    def test_of_a_step_of_pytorch_says_first_what_gains_most_and_how_it_is_applied(self):
        text = self.cupel("advise", ROOT / "results" / "nvidia-h200", "--step", ROOT / "docs" / "examples" / "resnet50-step.json", COLUMNS="80", code=0).out
        gains = text.split("What a piece would give\n")[1].split("\n\n")[0].splitlines()
        border = gains.index("may give nothing: 0 lies in the interval")
        rows = [(place, re.fullmatch(r" *(\S+(?: \(\w+\))?) +([-\d.]+) +([-\d.]+) to ([-\d.]+) .*", line)) for place, line in enumerate(gains)]
        rows = [(place > border, row[1], float(row[2]), float(row[3])) for place, row in rows if row]
        self.assertGreater(len(rows), 5)
        self.assertIn("mixed-precision (amp)", [name for _, name, _, _ in rows])
        for is_unsure in (False, True):
            of_them = [row for row in rows if row[0] == is_unsure]
            self.assertTrue(of_them)
            self.assertEqual([gain for _, _, gain, _ in of_them], sorted((gain for _, _, gain, _ in of_them), reverse=True))
            self.assertEqual({least <= 0 for *_, least in of_them}, {is_unsure})
        self.assertIn("compile", [name for is_unsure, name, _, _ in rows if is_unsure])
        self.assertIn("torch.compile(model)", [line.strip() for line in gains])
        self.assertEqual(sum(line.startswith("    ") for line in gains), len(rows), "a line of PyTorch each")
        said = " ".join(text.split())
        self.assertIn("Less than 0.1 % of the step: avoid-sync.", said)
        self.assertIn("The host takes 24.874 ms a step: once the device takes less, the host binds, and graphs count. After the first change, ", said)

    def test_names_pieces_that_have_a_page(self):
        pieces = json.loads(self.advise("--step", "step.json", "--format", "json"))["steps"][0]["pieces"]
        for change in [piece["piece"] for piece in pieces if "advice" in piece] + ["compile"]:
            self.assertIn("backfires", self.cupel("explain", change, code=0).out, change)
            self.assertIn("backfires", self.cupel("advise", ROOT / "results" / "nvidia-h200" / "sync.json.gz", "--advice", change, code=0).out, change)
        self.assertIn("told by    cupel advise --step PROFILE", self.cupel("advise", ROOT / "results" / "nvidia-h200" / "sync.json.gz", "--advice", "compile").out)

    def test_the_parts_of_a_step_add_up(self):
        parts = self.advise("--step", "step.json").split("part   ")[1].split("\n\n")[0].splitlines()[1:]
        self.assertIn("none: the device idles", parts[-1])
        self.assertAlmostEqual(sum(float(re.search(r" ([\d.]+) +[\d.]+ %$", line)[1]) for line in parts), 20)
        self.file("step.json", profile("add:nothing", 12))
        self.assertIn("Together they take longer than the step: some run side by side.", self.advise("--step", "step.json"))

    def test_says_it_as_markdown(self):
        self.assert_golden(self.advise("--step", "step.json", "--format", "markdown"), "step.md")

    def test_says_it_for_programs(self):
        step, = json.loads(self.advise("--step", "step.json", "--format", "json"))["steps"]
        pieces = {piece["piece"]: piece for piece in step["pieces"]}
        self.assertAlmostEqual(pieces["tf32"]["gain_s"], 6 * MS * (1 - 70 / 420))
        # 10 ms of copy and a wait of (540 - 460) / 16 us, less 2 ms on the stream
        self.assertAlmostEqual(pieces["pinned_copies"]["gain_s"], 8 * MS, delta=0.02 * MS)
        self.assertEqual(pieces["channels_last"]["standing"], "on")
        self.assertEqual(pieces["copies_ahead"]["standing"], "silent")
        self.assertEqual(pieces["copies_ahead"]["reason"], "the results lack transfer/d2d/bytes:*")

        rows = list(csv.DictReader(io.StringIO(self.advise("--step", "step.json", "--format", "csv"))))
        self.assertEqual(len(rows), len(pieces))
        self.assertAlmostEqual(float(rows[0]["gain_s"]), step["pieces"][0]["gain_s"])

    def test_holds_what_was_foretold_against_what_was_measured(self):
        score = json.loads(subprocess.run([MORE[0], "profiles", "steps.json", "micro.json"], cwd=self.folder, capture_output=True,
                                          check=True, text=True).stdout)
        changes = {change["change"]: change for change in score["changes"]}
        self.assertEqual(changes["add:tf32"]["pieces"], ["tf32"])
        self.assertAlmostEqual(changes["add:tf32"]["foretold_s"], 5 * MS)
        self.assertAlmostEqual(changes["add:tf32"]["measured_s"], 4 * MS, delta=0.05 * MS)
        self.assertAlmostEqual(changes["add:tf32"]["error"], 0.25, delta=0.02)
        self.assertEqual(changes["drop:pinned_copies"]["pieces"], ["pinned_copies", "copies_ahead"])
        self.assertIn("transfer/d2d", changes["drop:pinned_copies"]["silent"])
        self.assertEqual(score["matter"], 3)
        self.assertEqual(score["right"], 3)

    def test_is_checked_by_the_dropped_pieces_that_matter(self):
        def check(code):
            ended = subprocess.run([sys.executable, ROOT / "ci/check-foretell", "--program", MORE[0], "--step", "profiles",
                                    "--measured", "steps.json", "micro.json"], cwd=self.folder, capture_output=True, text=True)
            self.assertEqual(ended.returncode, code, ended.stdout + ended.stderr)
            return ended.stdout

        missed = check(1)
        self.assertIn("| net:small batch:64 | add:tf32 | 5.000 | 4.980 to 5.020 | 4.000 | 33.3 % | right | 25.0 % | outside the interval |",
                      missed)  # a miss is said
        self.assertIn("| drop:pinned_copies | silent |", missed)
        self.assertIn("- add:copies_ahead, drop:pinned_copies: the results lack transfer/d2d/bytes:*", missed)
        self.assertIn("1 change the step by more than 1 %, 1 silent. Sign right in 100.0%", missed)
        self.assertIn("missed", missed)

        self.file("profiles/step.waterfall.drop:tf32.net:small.batch:64.json",
                   {**profile("drop:tf32", 10, copies="ahead"), "kernels": [
                       {"kind": "convolution_forward", "precision": "fp32", "layout": "nhwc", "calls": 16, "time_s": 4 * MS,
                        "bytes": 1600 * MB, "flops": 240 * GFLOP}]})
        self.assertIn("reached", check(0))

    def test_names_the_file_and_the_place_of_an_error(self):
        broken = profile("add:nothing", 20)
        broken["kernels"][1]["time_s"] = "long"
        self.file("broken.json", broken)
        self.assertIn("broken.json: field /kernels/1/time_s: must be a number", self.advise("--step", "broken.json", code=2))
        self.assertIn("no.json", self.advise("--step", "no.json", code=2))

    def test_refuses_what_does_not_go_together(self):
        self.assertIn("--step", self.advise("--format", "csv", code=2))
        self.advise("--step", "step.json", "--advice", "graphs", code=2)


if __name__ == "__main__":
    main()
