"""`cupel advise` on result files made up here and on those that are kept, and what the families are tagged with:

advise_test.py CUPEL [--with-cuda] [--update]
"""

import collections
import csv
import gzip
import io
import json
import re
import sys

import made_up
from program import ROOT, ProgramTest, main

PROFILES, WITH_CUDA = ("quick", "standard", "full"), "--with-cuda" in sys.argv
KEPT = sorted((ROOT / "results").glob("*/*.json.gz"))


def rows(name, tag, time_s, factors=(), processes=3):
    """Process p takes so long times factors[p]. The samples' inter-quartile mean is that."""
    for p in range(processes):
        at_s = time_s * (factors[p] if p < len(factors) else 1)
        yield made_up.row(name, p, [at_s * (1 + 1e-4 * i) for i in range(-10, 11)], advice=[tag])


def pair(piece, scenario, gain, after_s, factors=(1.002, 1, 0.998), processes=3):
    yield from rows(f"made/{piece}/before/{scenario}", (piece, "before", scenario, ""), after_s * gain, factors, processes)
    yield from rows(f"made/{piece}/after/{scenario}", (piece, "after", scenario, ""), after_s, (), processes)


def machine(number):
    return {"build": {"git_revision": ""}, "host": {"cpu": "Synthetic CPU", "logical_cpus": 8},
            "run": {"started": "2026-01-02T03:04:05Z", "profile": "quick", "seed": 0, "timer": ""},
            "device": {"name": f"NVIDIA Synthetic {number}", "uuid": "", "compute_major": 0, "sm_count": 100, "memory_bytes": 64 << 30,
                       "driver_version": "580.00"}}


def quick_run():
    """What a quick run on a GPU may look like: pieces that pay from a size on, up to a size, not at all, against the advice,
    undecided and not measurable, a cost, and a variant."""
    found, after_s = [], 8e-6
    for size, gain in ((4096, 0.999), (65536, 1.4), (1048576, 3.1), (16777216, 3.6)):
        after_s *= 3
        found += pair("pin-memory", f"h2d/bytes:{size}", gain, after_s)
    found += rows("made/write_combined", ("pin-memory", "variant", "h2d/bytes:1048576", "write_combined"), 7e-5)
    for kernels, gain, after_s in ((1, 0.9, 9e-6), (10, 1.6, 2e-5), (1000, 2.9, 1.1e-3)):
        found += pair("graphs", f"complete/bytes:4096/kernels:{kernels}", gain, after_s)
    found += pair("keep-on-device", "memory:pinned/bytes:65536", 2.2, 4e-5)
    found += pair("avoid-sync", "step/kernels:1/bytes:1048576", 1.04, 1e-4, (1.04, 1, 0.97))
    found += pair("scalar-readback", "readback/kernels:1/bytes:1048576", 1.001, 1e-4)
    found += pair("host-callbacks", "enqueue", 0.8, 2e-6)
    found += pair("launch-blocking", "launch", 0.12, 1.7e-5)
    found += pair("nvtx-cost", "launch", 0.995, 2e-6)
    found += pair("non-blocking", "copy_then_compute/steps:1024/bytes:33554432", 1.5, 1e-3)
    found += rows("made/d2d", ("bandwidth", "variant", "d2d/bytes:4096", "d2d"), 1e-5)
    found[0]["cupel"]["telemetry"] = {"throttle_reasons": ["hw_thermal"]}
    failed = [one for one in found if one["name"].startswith("made/non-blocking/after")]
    for one in failed:
        one["cupel"].update(status="failed", reason="the result differs from its reference", series=[])
    others = [{"name": one["name"], "cupel": one["cupel"], "position": found.index(one)} for one in failed]
    context = machine(1)
    context["host"]["governor"] = "powersave"
    return made_up.result([one for one in found if one not in failed], others, **context)


def other_run():
    """Another machine: the link is narrow, so that pinning gives less and waiting does not matter."""
    found, factors = [], (1.001, 1, 0.999, 1.002, 0.998, 1, 1.001)
    for piece, scenario, gain, after_s in (("pin-memory", "h2d/bytes:65536", 1.2, 1e-4), ("pin-memory", "h2d/bytes:1048576", 1.3, 1e-3),
                                           ("graphs", "complete/bytes:4096/kernels:10", 1.8, 2e-5),
                                           ("avoid-sync", "step/kernels:1/bytes:1048576", 1.3, 1e-4),
                                           ("host-callbacks", "enqueue", 1.2, 2e-6)):
        found += pair(piece, scenario, gain, after_s, factors, 7)
    context = machine(2)
    context["device"].update(pcie_width=8, pcie_width_max=16)
    return made_up.result(found, processes=7, **context)


class AdviseTest(ProgramTest):
    def advise(self, *arguments, code=0):
        return self.cupel("advise", *arguments, code=code, COLUMNS="")

    def answer(self, *arguments):
        return json.loads(self.advise(*arguments, "--format", "json").out)


class Advise(AdviseTest):
    def setUp(self):
        super().setUp()
        self.file("first.json", quick_run())
        self.file("second.json", other_run())

    def test_prints_the_golden_files_in_at_most_a_hundred_columns(self):
        for name, *arguments in (("answer.txt", "first.json"), ("answer.md", "first.json", "--format", "markdown"),
                                 ("one.txt", "first.json", "--verdicts"), ("one.md", "first.json", "--verdicts", "--format", "markdown"),
                                 ("piece.txt", "first.json", "--advice", "pin-memory"), ("all.txt", "first.json", "--all"),
                                 ("matrix.txt", "first.json", "second.json")):
            with self.subTest(name):
                text = self.advise(*arguments).out
                self.assert_golden(text, name)
                if name.endswith(".txt"):
                    self.assertLessEqual(max(map(len, text.splitlines())), 100)

    def test_prints_json_that_is_json(self):
        answer = self.answer("first.json", "second.json")
        self.assertEqual(len(answer["files"]), 2)
        self.assertEqual(answer["files"][0]["advice"][0]["id"], "pin-memory")
        self.assertEqual(answer["files"][0]["causes"][0]["id"], "throttled")
        differ = [row["id"] for row in answer["matrix"] if row["verdict_differs"]]
        self.assertEqual(sorted(differ), ["graphs", "host-callbacks"])

    def test_ends_with_2_on_a_file_that_cannot_be_read_or_an_advice_that_is_not_there(self):
        self.file("broken.json", '{"context": ')
        for words, *arguments in (("broken.json", "broken.json"), ("missing.json", "missing.json"),
                                  ("nearest: pin-memory", "first.json", "--advice", "pin-memroy")):
            self.assertIn(words, self.advise(*arguments, code=2).err)

    def test_names_the_page_beside_the_file_or_what_makes_one(self):
        self.assertTrue(self.advise("first.json").out.endswith("\npage      cupel report first.json --output page.html\n"))
        self.file("first.html", "<html>")
        self.assertTrue(self.advise("first.json").out.endswith("\npage      first.html\n"))

    def test_ends_with_5_when_nothing_is_tagged(self):
        untagged = quick_run()
        for one in untagged["benchmarks"] + untagged["context"]["cupel"]["not_measured"]:
            one["cupel"]["advice"] = []
        self.file("untagged.json", untagged)
        refused = self.advise("untagged.json", code=5)
        self.assertEqual(refused.out, "")
        self.assertIn("cupel run --quick measures what does, and cupel show untagged.json has the figures", refused.err)

    def test_says_no_difference_only_within_the_tolerance_asked_for(self):
        strict = self.answer("first.json", "--tolerance", "0.1")
        verdicts = {piece["id"]: piece["verdict"] for piece in strict["files"][0]["advice"]}
        self.assertAlmostEqual(strict["tolerance"], 0.001)
        self.assertNotIn("no difference", verdicts.values())
        self.assertEqual(verdicts["nvtx-cost"], "undecided")


class OfKeptResults(AdviseTest):
    def test_names_each_table_of_a_verdict_in_a_sentence_and_says_which_ratio_a_step_has(self):
        for folder in ("nvidia-h100", "nvidia-h200"):
            lines = self.cupel("advise", ROOT / "results" / folder, "--verdicts", COLUMNS="200", code=0).out.splitlines()
            titles = [line for line, below in zip(lines, lines[1:]) if re.fullmatch("-+", below)]
            of_verdicts = titles[titles.index("The loader first") + 2:titles.index("Claims, and whether they hold here")]
            self.assertGreater(len(of_verdicts), 9)
            self.assertEqual([title for title in of_verdicts if not re.match(r"These (pay|save|harm|cost|are|make|could) ?", title)], [])
            self.assertIn("the middle of all pairs of processes. Above, a piece has the middle of the ratios inside each process", " ".join(lines))
            shown = self.cupel("show", ROOT / "results" / folder / "step.json.gz", "--legend", COLUMNS="400", code=0).out
            self.assertIn("the middle of all pairs of processes", shown)
            self.assertIn("cupel advise gives a piece the middle of the ratios inside each process", shown)

    def test_judges_fragmentation_by_the_usable_share(self):
        piece = self.answer(ROOT / "results/nvidia-h200/memory.json.gz", "--advice", "fragmentation")["files"][0]["advice"][0]
        self.assertEqual(piece["judged_by"]["metric"], "usable_share")
        self.assertEqual(len(piece["curves"]), 3)
        for curve in piece["curves"]:
            # An allocator that splits its segments leaves 4 of 565 MiB in one piece, and a pool its largest hole.
            after = {"expandable_segments": 512 / 512, "malloc": 508 / 511.125, "pool": 4 / 529}[curve["variant"]]
            for point in curve["points"]:
                self.assertEqual((point["before_value"], point["after_value"]), (4 / 565, after))
                self.assertIsInstance(point["before"], str)
                self.assertEqual(point["verdict"], "pays")
                self.assertEqual(point["least"], point["greatest"])

    def test_shows_no_rate_of_fragmentation_which_happens_once(self):
        show = ("show", ROOT / "results/nvidia-h200/memory.json.gz", "--filter", "memory/fragmentation", "--format")
        shown = self.cupel(*show, "text", code=0).out
        self.assertIn("\nmemory/fragmentation", shown)
        self.assertNotRegex(shown, r"\d [kMG]?/s|\brate\b")
        rows = list(csv.DictReader(io.StringIO(self.cupel(*show, "csv", code=0).out)))
        self.assertEqual({(row["quantity"], row["per_second"]) for row in rows}, {("", "")})
        self.assertNotIn("per_second", self.cupel(*show, "json", code=0).out)
        self.assertNotIn("cupel_rate_per_second{", self.cupel(*show, "openmetrics", code=0).out)

    def test_takes_families_measured_one_by_one_for_one_machine(self):
        answer = self.answer(*[ROOT / f"results/nvidia-h200/{family}.json.gz" for family in ("gemm", "memory", "sync")])
        self.assertEqual(len(answer["files"]), 1)
        decided = {piece["id"] for piece in answer["files"][0]["advice"] if piece["verdict"] in ("pays", "mixed")}
        self.assertLessEqual({"mixed-precision", "reuse-buffers", "graphs"}, decided)

    def test_says_that_two_lists_are_of_different_steps(self):
        said = ("These lists are of different steps: the order differs by the step, too, not by the GPU alone. "
                "{}: ResNet-18 step (32 x 32, batch 128, PyTorch). {}: ResNet-18 step (224 x 224, batch 64, C++).")
        pytorchs, ours = ROOT / "results/nvidia-h100/pytorch.json.gz", ROOT / "results/nvidia-h200/step.json.gz"
        self.assertIn(said.format("A", "B"), " ".join(self.cupel("advise", pytorchs, ours, code=0).out.split()))
        self.assertNotIn("different steps", self.cupel("advise", ours, ROOT / "results/nvidia-h100/step.json.gz", code=0).out)
        self.cupel("report", pytorchs, ours, "--output", "page.html", code=0)
        self.assertIn("These lists are of different steps: ", (self.folder / "page.html").read_text())

    def test_joins_the_files_of_a_folder_and_never_those_of_two(self):
        for folder, families in (("a", ("memory",)), ("b", ("memory", "gemm", "sync"))):
            (self.folder / folder).mkdir()
            for family in families:
                (self.folder / folder / f"{family}.json.gz").symlink_to(ROOT / f"results/nvidia-h200/{family}.json.gz")
        self.assertEqual([one["file"] for one in self.answer("a", "b")["files"]],
                         ["a/memory.json.gz", "b/gemm.json.gz, b/memory.json.gz, b/sync.json.gz"])
        self.assertEqual([one["file"] for one in self.answer("b/gemm.json.gz", "a", "b/sync.json.gz")["files"]],
                         ["b/gemm.json.gz, b/sync.json.gz", "a/memory.json.gz"])

    def test_finds_unequal_work_in_no_pair_but_autotune_cost(self):
        """Of a kept run one pair did: its autotune-cost still compares a shape that stays with one that changes."""
        self.assertTrue(KEPT)
        for file in KEPT:
            for piece in self.answer(file, "--all")["files"][0]["advice"]:
                for point in [point for curve in piece["curves"] for point in curve["points"]]:
                    self.assertTrue("unequal work" not in point.get("reason", "") or piece["id"] == "autotune-cost", point)

    def test_finds_the_counters_by_which_the_catalogue_judges(self):
        """A counter that was renamed would make its piece not measurable. A share of a file that has none is made of two others."""
        made_of = {"usable_share": ("largest_block", "free_bytes")}
        judged_by, judged = {piece: fields["Judged by"] for piece, fields in catalogue().items() if "Judged by" in fields}, 0
        only_with = {"energy": "--sustained"}  # counters that another way of measuring alone has
        for file in KEPT:
            content = json.loads(gzip.decompress(file.read_bytes()))
            notes = content["context"]["cupel"]["run"].get("notes", {})
            for one in content["benchmarks"]:
                for tag in one["cupel"]["advice"] if one["cupel"]["status"] == "ok" else []:
                    if tag["id"] in judged_by and only_with.get(judged_by[tag["id"]], "") in ("", *notes):
                        judged += 1
                        counters, name = one["cupel"]["counters"], judged_by[tag["id"]]
                        parts = (name,) if name in counters else made_of.get(name, (name,))
                        self.assertLessEqual(set(parts), set(counters), one["name"])
                        self.assertIn(counters[parts[0]]["better"], ("higher", "lower"), one["name"])
        self.assertGreater(judged, 0)


class Families(ProgramTest):
    """What every family of this build is tagged with, in each profile."""

    def tagged(self, profile):
        """(family, name, tag) of all."""
        listed = self.cupel("list", f"--{profile}", "--format", "json", code=0, CUPEL_BENCH_DIR="")
        self.assertEqual(listed.err, "")
        found = [(listing["family"], one["name"], tag) for listing in json.loads(listed.out) for one in listing["benchmarks"]
                 for tag in one["advice"]]
        self.assertTrue(found)
        return found

    def test_are_tagged_with_pieces_of_the_catalogue_that_name_them(self):
        pieces = catalogue()
        for profile in PROFILES:
            for family, name, tag in self.tagged(profile):
                self.assertIn(family, pieces[tag["id"]]["Family"].split(", "), name)

    def test_have_a_benchmark_for_every_piece_that_names_them(self):
        """No piece promises a benchmark that is not there. A build of the host side has the host's part of a family alone."""
        tagged = self.tagged("full")
        measured, families = {(tag["id"], family) for family, _, tag in tagged}, {family for family, _, _ in tagged}
        promised = {(piece, family) for piece, fields in catalogue().items() for family in fields.get("Family", "").split(", ")}
        if WITH_CUDA:
            self.assertEqual({(piece, family) for piece, family in promised - measured if family in families}, set())

    def test_are_listed_with_a_role_once(self):
        listed = self.cupel("list", "pipeline", "--advice", "loader-workers", code=0, CUPEL_BENCH_DIR="").out.splitlines()
        self.assertTrue(listed)
        for line in listed:
            self.assertEqual(line.count("loader-workers ("), 1, line)

    def test_have_one_before_a_scenario_something_beside_it_and_one_benchmark_a_side(self):
        for profile in PROFILES:
            sides, roles = collections.Counter(), {}
            for _, _, tag in self.tagged(profile):
                key, is_before = (tag["id"], tag["scenario"]), tag["role"] == "before"
                sides[(*key, is_before, "" if is_before else tag.get("variant", ""))] += 1
                roles.setdefault(key, set()).add(tag["role"])
            self.assertEqual([side for side, count in sides.items() if count > 1], [])
            for key, seen in roles.items():
                self.assertTrue("before" in seen or "after" not in seen, key)
                self.assertTrue("before" not in seen or len(seen) > 1, f"{key}: nothing beside its before")


def catalogue():
    """Of each piece in docs/advice its fields, by name."""
    pieces = {}
    for page in (ROOT / "docs/advice").glob("*.md"):
        for section in page.read_text().split("\n## ")[1:]:
            name, *lines = section.splitlines()
            pieces[name] = dict(line.removeprefix("- ").split(": ", 1) for line in lines if line.startswith("- "))
    return pieces


if __name__ == "__main__":
    main()
