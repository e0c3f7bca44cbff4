"""`cupel bands`, and what show and advise say of a board by it."""

import json
import re
import subprocess

from program import MORE, ROOT, ProgramTest, kept, main

GEMM = kept("nvidia-h200/gemm")
JUDGED = MORE[1]  # the test of the bands' rule


class Bands(ProgramTest):
    def board(self, number, slow=1.0, model="NVIDIA T1000", **device):
        """A result of 5 benchmarks in 3 processes. slow: their times are so many times as long. A pair of events adds nothing, so
        that no part of a time is taken off that would not be longer too."""
        context = json.loads(json.dumps(GEMM["context"]))
        context["cupel"]["device"].update(name=model, uuid=f"GPU-0000000{number}-1111-2222-3333-444444444444", **device)
        context["cupel"]["run"].update(processes=3)
        context["cupel"].pop("not_measured", None)
        rows = [r for r in json.loads(json.dumps(GEMM["benchmarks"]))
                if r["name"].startswith("gemm/square/precision:bf16") and r["cupel"]["process"] < 3]
        for row in rows:
            for series in row["cupel"]["series"]:
                series.update(correction_s=0, floor_s=0)
                series["samples_s"] = [x * slow * (1 + 0.002 * (number % 3)) for x in series["samples_s"]]
        return self.file(f"board{number}.json", {"context": context, "benchmarks": rows})

    def add(self, count):
        self.cupel("bands", "add", *[self.board(i) for i in range(1, count + 1)], code=0)

    def shown(self, path, *command):
        return " ".join(self.cupel(*command or ("show",), path, code=0).out.split())

    def test_a_slow_board_is_marked_with_what_differs(self):  # 1.1 times, of boards at 1 to 1.004 whose median is 1.002
        self.add(5)
        out = self.shown(self.board(9, 1.1, power_limit_w=500))
        self.assertIn("gemm is unusual for an NVIDIA T1000: 9.78 %", out)
        self.assertIn("slower than 5 other boards, by the median of", out)
        self.assertIn("Its record differs from most of theirs in power limit: 700 W -> 500 W.", out)
        self.assertIn("unusual gemm 9.78 % slower, 5 benchmarks; likely its power limit: 700 W -> 500 W",
                      self.shown(self.board(9, 1.1, power_limit_w=500), "advise"))

    def test_advise_and_the_page_say_it_too(self):
        self.add(5)
        board = self.board(9, 1.1)
        self.assertIn("unusual gemm 9.78 % slower (device), 5 benchmarks more", self.shown(board, "advise"))
        self.assertIn("gemm is unusual for an NVIDIA T1000", self.shown(board, "advise", "--notes"))
        causes = json.loads(self.cupel("advise", "--format", "json", board, code=0).out)["files"][0]["causes"]
        self.assertIn("unusual-family", [cause["id"] for cause in causes])
        self.cupel("report", board, "--output", "page.html", code=0)
        page = (self.folder / "page.html").read_text()
        self.assertIn("gemm is unusual for an NVIDIA T1000", page)
        self.assertIn("gemm 9.78 % slower (device), 5 benchmarks", page)
        self.assertIn("slower than 5 other boards", page)
        self.assertNotIn("(--notes)", page, "an option of a terminal")

    def test_each_benchmark_is_marked_in_the_table(self):
        self.add(5)
        out = json.loads(self.cupel("show", "--format", "json", self.board(9, 1.1), code=0).out)
        text = json.dumps(out)
        self.assertEqual(set(re.findall(r"[\d.]+ % slower than 5 other boards", text)), {"9.78 % slower than 5 other boards"})

    def test_a_usual_board_is_called_usual(self):
        self.add(5)
        self.assertRegex(self.shown(self.board(9)), r"All of \d+ benchmarks are usual for an NVIDIA T1000: as on 5 other boards\.")

    def test_few_boards_are_called_few(self):
        self.add(2)
        self.assertIn("bands of these benchmarks have 2 other boards, and need 3 at least", self.shown(self.board(9, 1.1)))
        self.add(3)
        self.assertIn("That is few: at least 5 boards are wanted.", self.shown(self.board(9, 1.1)))

    def test_a_model_without_bands_is_not_judged(self):
        self.add(5)
        self.assertNotIn("usual", self.shown(self.board(9, 1.1, model="Other GPU")))

    def test_the_list_has_models_boards_and_benchmarks(self):
        self.add(5)
        self.assertRegex(self.cupel("bands", code=0).out, r"NVIDIA T1000, 132 SMs.*\s+5 +\d+ +\d+ +\d+")

    def test_the_list_says_what_it_is_for_and_what_to_type(self):
        said = " ".join(self.cupel("bands", code=0).out.split())
        self.assertIn("by 3, by 5: benchmarks that so many boards have or more", said)
        self.assertIn("cupel bands add FILE takes a board of yours", said)

    def test_the_list_has_a_model_in_a_line_of_80_columns(self):
        self.assertRegex(self.cupel("bands", COLUMNS="80", code=0).out, "(?m)^NVIDIA H200, 132 SMs, .* memory bus$")

    def test_the_page_has_the_counts_of_what_is_built_in(self):
        page = (ROOT / "docs/bands.md").read_text()
        counts = [line for line in self.cupel("bands", "--format", "markdown", code=0).out.splitlines() if line.startswith("| NVIDIA ")]
        judged = subprocess.run([JUDGED, "--gtest_filter=Judged.BoardsThatAreBuiltIn*"], capture_output=True, text=True, check=True).stdout
        rates = [line for line in judged.splitlines() if line.startswith("| built in: ")]
        self.assertEqual(len(counts), len(list((ROOT / "cupel/bands/built_in").iterdir())))
        self.assertEqual(len(rates), len(counts))
        for line in counts + rates:
            self.assertIn(f"\n{line}\n", page)

    def test_a_board_that_is_known_takes_the_place_of_its_old_times_and_that_is_said(self):
        add = "bands", "add", self.board(1)
        self.assertTrue(self.cupel(*add, code=0).out.endswith("; 1 board of the model now\n"))
        self.assertTrue(self.cupel(*add, code=0).out.endswith(
            "; known already, so its new times take the place of the old ones: 1 board of the model, as before\n"))

    def test_the_list_is_a_page_in_each_format(self):
        self.add(5)
        self.assertRegex(self.cupel("bands", "--format", "markdown", code=0).out, r"(?m)^\| NVIDIA T1000, 132 SMs.* \| 5 \| \d+ \| \d+ \| \d+ \|$")
        page = self.cupel("bands", "--format", "html", code=0).out
        self.assertTrue(page.startswith("<!DOCTYPE html>"), page[:40])
        self.assertIn("<h1>Boards whose usual times are known</h1>", page)
        self.assertIn("NVIDIA T1000, 132 SMs", page)

    def test_a_folder_may_be_named(self):
        other = self.folder / "other"
        self.cupel("bands", "add", self.board(1), "--bands", other, code=0)
        self.assertEqual(len(list(other.glob("*.json"))), 1)
        self.assertFalse((self.folder / "bands").exists())

    def test_what_is_of_no_board_is_refused(self):
        host = json.loads(self.board(1).read_text())
        del host["context"]["cupel"]["device"]
        self.refuses("host.json is not of one GPU with a UUID", "bands", "add", self.file("host.json", host))

    def test_run_says_it_and_measures_where_bands_cannot_be_read(self):
        self.family("a", device="T1000")
        self.run_it("--processes", 1)
        self.cupel("bands", "add", self.output, code=0)
        self.assertIn("bands of these benchmarks have 0 other boards", " ".join(self.run_it("--processes", 1, "--force").out.split()))

        file = next((self.folder / "bands").iterdir())
        file.write_text("{")
        ended = self.run_it("--processes", 1, "--force")
        self.assertIn(f"{file}: ", ended.err)
        self.assertIn("out.json", ended.out)

    def test_bands_that_cannot_be_read_are_named(self):
        self.add(1)
        file = next((self.folder / "bands").iterdir())
        file.write_text('{"cupel_bands": 1}')
        self.assertIn(f"{file}: field /model: ", self.cupel("show", self.board(2), code=2).err)


main()
