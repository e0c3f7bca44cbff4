"""`cupel report` as a program, and the page of a run:  program_test.py CUPEL FAKE_BENCH MAKE_RESULTS"""

import base64
import hashlib
import json
import pathlib
import re
import subprocess
import tempfile

from program import MORE, ROOT, ProgramTest, kept, kept_text, main


class Report(ProgramTest):
    @classmethod
    def setUpClass(cls):
        made = tempfile.TemporaryDirectory()
        cls.addClassCleanup(made.cleanup)
        subprocess.run([MORE[1], made.name], check=True)
        cls.made = list(pathlib.Path(made.name).iterdir())

    def setUp(self):
        super().setUp()
        for file in self.made:
            (self.folder / file.name).symlink_to(file)

    def report(self, *arguments, **environment):
        return self.cupel("report", *arguments, **environment)

    def test_writes_the_page_and_prints_where_it_is(self):
        ended = self.report("a.json", "-o", "page.html")
        self.assertEqual(ended, (0, "page.html\n", ""))
        self.assertIn("Test GPU A", (self.folder / "page.html").read_text(encoding="utf-8"))

    def test_lets_nothing_run_but_its_own_style_and_script(self):
        self.report("a.json", "-o", "page.html")
        page = (self.folder / "page.html").read_text(encoding="utf-8")
        policy = re.search('http-equiv="Content-Security-Policy" content="(.*)"', page)[1]
        self.assertNotIn("unsafe-inline", policy)
        self.assertNotRegex(page, r"<[^>]* (style|on[a-z]+)=")
        for kind, count in (("style", 2), ("script", 1)):
            texts = re.findall(f"<{kind}>(.*?)</{kind}>", page, re.DOTALL)
            self.assertEqual(len(texts), count)
            hashes = " ".join(f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'" for text in texts)
            self.assertIn(f"{kind}-src {hashes};", policy, "write it into cupel/report/page/html_page.cpp")

    def test_calls_the_page_report_html_where_nothing_else_is_said(self):
        self.assertEqual(self.report("a.json").out, "report.html\n")

    def test_keeps_a_page_of_four_full_files_below_five_megabytes(self):
        result = kept("nvidia-h200/transfer")
        files = []
        for number in range(4):
            result["context"]["cupel"]["device"].update(name=f"Test GPU {number}", uuid=f"GPU-{number}")
            files.append(self.file(f"many-{number}.json", result))
        self.assertEqual(self.report(*files, "-o", "many.html").code, 0)
        self.assertLess((self.folder / "many.html").stat().st_size, 5_000_000)
        page = (self.folder / "many.html").read_text(encoding="utf-8")
        self.assertIn("transfer/h2d", page)
        self.assertIn("Test GPU 3", page)

    def test_takes_what_any_google_benchmark_program_wrote(self):
        rows = [{"name": f"BM_copy/{size}", "run_type": "iteration", "iterations": 1000, "real_time": size / 100 + again,
                 "cpu_time": 1, "time_unit": "ns"} for size in (1024, 2048) for again in (0, 0.5, 1)]
        for name in ("old", "new"):
            self.file(f"{name}.json", {"context": {"library_build_type": "release"}, "benchmarks": rows})
        self.assertEqual(self.report("old.json", "new.json", "-o", "foreign.html").code, 0)
        page = (self.folder / "foreign.html").read_text(encoding="utf-8")
        self.assertIn("<h1>old.json and new.json</h1>", page)
        self.assertIn("BM_copy/2048", page)

    def test_joins_the_files_of_a_folder_and_never_those_of_two(self):
        for folder, families in (("one", ("memory",)), ("two", ("memory", "sync"))):
            (self.folder / folder).mkdir()
            for family in families:
                (self.folder / folder / f"{family}.json.gz").symlink_to(ROOT / f"results/nvidia-h200/{family}.json.gz")
        self.assertEqual(self.report("one", "two", "-o", "two.html").code, 0)
        page = (self.folder / "two.html").read_text(encoding="utf-8")
        self.assertIn(">memory.json.gz</td>", page)
        self.assertIn(">memory.json.gz, sync.json.gz</td>", page)

    def test_cuts_no_sentence_of_its_own(self):
        self.assertEqual(self.report(ROOT / "results/nvidia-h200", "-o", "kept.html").code, 0)
        page = (self.folder / "kept.html").read_text(encoding="utf-8")
        self.assertIn("longer epochs: this one waits for its first batch", page)  # ends a cell of 326 characters
        self.assertNotRegex(page, r"\.\.\. \(\d+ bytes\)")

    def test_every_link_of_the_kept_results_leads_somewhere(self):
        folders = sorted((ROOT / "results").glob("nvidia-*"))
        self.assertGreater(len(folders), 1)
        for folder in folders:
            self.assertEqual(self.report(folder, "-o", "kept.html").code, 0)
            page = (self.folder / "kept.html").read_text(encoding="utf-8")
            links, ids = (set(re.findall(f'\\b{name}="{mark}([^"]+)"', page)) for name, mark in (("href", "#"), ("id", "")))
            self.assertEqual(links - ids, set(), folder.name)

    def test_makes_no_page_of_files_without_results(self):
        self.file("none.json", {"context": {}, "benchmarks": []})
        ended = self.report("none.json", "-o", "none.html")
        self.assertEqual((ended.code, ended.err), (5, "cupel: none.json has no results\n"))
        self.assertFalse((self.folder / "none.html").exists())
        ended = self.report("a.json", "none.json", "-o", "one.html")
        self.assertEqual((ended.code, ended.err), (0, "cupel: none.json has no results\n"))

    def test_leaves_what_is_no_report_alone(self):
        mine = self.file("mine.txt", "mine")
        ended = self.report("a.json", "-o", "mine.txt")
        self.assertEqual(ended.code, 2)
        self.assertIn("mine.txt: exists and is no report of cupel's; --force replaces it", ended.err)
        self.assertEqual(mine.read_text(encoding="utf-8"), "mine")
        self.assertEqual(self.report("a.json", "-o", "mine.txt", "--force").code, 0)
        self.assertIn("Test GPU A", mine.read_text(encoding="utf-8"))

    def test_replaces_a_report(self):
        for files in (["a.json"], ["a.json", "b.json"]):
            self.assertEqual(self.report(*files, "-o", "page.html").code, 0)
        self.assertIn("Test GPU B", (self.folder / "page.html").read_text(encoding="utf-8"))

    def test_says_where_and_why_it_cannot_write(self):
        ended = self.report("a.json", "-o", "no/such/report.html")
        self.assertEqual(ended, (2, "", "cupel: no/such/report.html: cannot be written: No such file or directory\n"))

    def test_ends_with_2_and_the_file_that_cannot_be_read(self):
        ended = self.report("a.json", "absent.json", "-o", "absent.html")
        self.assertEqual(ended.code, 2)
        self.assertIn("absent.json", ended.err)
        self.assertFalse((self.folder / "absent.html").exists())

    def test_lists_the_results_of_a_folder_with_their_pages(self):
        hostile = "<img src=x onerror=alert(1)>.json"
        for source, name in (("a.json", "a.json"), ("a.json", hostile), ("b.json", "apart/b.json")):
            (self.folder / "all" / name).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / "all" / name).write_text((self.folder / source).read_text(encoding="utf-8"), encoding="utf-8")
        self.file("all/broken.json", "{")
        for name in ("a", hostile.removesuffix(".json")):
            self.report("a.json", "-o", f"all/{name}.html")
        ended = self.report("--index", "all")
        self.assertEqual(ended[:2], (0, "all/apart.html\nall/index.html\n"))  # the page that was not there
        page = (self.folder / "all/index.html").read_text(encoding="utf-8")
        self.assertIn(">2 results and 1 copy</h2>", page)  # the hostile one is of the same run
        self.assertEqual(page.count("a copy of "), 1)
        self.assertRegex(ended.err, r"^cupel: broken.json is not in the list: parse error[^\n]*\n$")
        page = (self.folder / "all/index.html").read_text(encoding="utf-8")
        self.assertIn('<a href="./a.html">a.json</a>', page)
        self.assertIn('<a href="./%3Cimg%20src%3Dx%20onerror%3Dalert%281%29%3E.html">&lt;img src=x', page)
        self.assertNotIn("<img", page)
        self.assertRegex(page, r'<th scope="row"><a href="./apart.html">apart</a></th><td>\d{4}-\d\d-\d\d \d\d:\d\d UTC</td><td>Test GPU B</td>')
        self.assertIn("Test GPU B", (self.folder / "all/apart.html").read_text(encoding="utf-8"))
        self.assertIn("<h2>1 file that cannot be listed</h2>", page)
        self.assertRegex(page, r'<th scope="row">broken.json</th><td>parse error')
        self.assertIn('placeholder="H200 gemm"', page)
        self.assertEqual(self.report("--index", "all")[:2], (0, "all/index.html\n"))
        (self.folder / f"all/{hostile.removesuffix('.json')}.html").unlink()
        self.report("--index", "all")
        page = (self.folder / "all/index.html").read_text(encoding="utf-8")
        self.assertEqual(page.count('<th scope="row"><a href="./'), 3)  # each row; the copy's to the page of its original
        self.assertEqual(self.report("--index", "all", "a.json").code, 2)
        (self.folder / "all/index.html").write_text("mine", encoding="utf-8")
        self.assertEqual(self.report("--index", "all").code, 2)
        self.assertEqual(self.report().code, 2)

    def test_the_list_and_the_gallery_name_the_first_changes_that_advise_does(self):
        for family in ("pytorch", "pipeline", "step"):
            self.file(f"all/h200/{family}.json", kept_text(f"nvidia-h200/{family}"))
        self.report("--index", "all")
        self.report("all/h200", "--gallery", "site")
        table = self.cupel("advise", "all/h200", code=0).out
        first = re.findall(r"^\d  (\S+) ", table, re.M)
        page = (self.folder / "all/index.html").read_text(encoding="utf-8")
        listed = re.findall(r"([\w-]+) [\d.]+x \(", re.search(r"First: [^<]*", page.replace("<wbr>", ""))[0])
        self.assertEqual(listed, first[:3])
        for name in ("index", "model-nvidia-h200"):
            page = (self.folder / f"site/{name}.html").read_text(encoding="utf-8")
            rows = re.findall(r'<tr id="advice-([^"]*)"', page)
            self.assertEqual(rows[:len(first)], first, name)

    def test_renews_the_list_of_runs_with_each_run(self):
        (self.folder / "results").mkdir()  # as in a checkout
        self.family("fake")
        for runs in (1, 2):
            ended = self.cupel("run", "--processes", 1, code=0)
            page = (self.folder / "results/runs/index.html").read_text(encoding="utf-8")
            self.assertEqual(page.count("</tr>"), runs + 1)
            name = pathlib.Path(ended.out.splitlines()[-1]).stem
            self.assertIn(f'<a href="./{name}.html">{name}.json</a>', page)
        self.cupel("run", "--processes", 1, "--output", "elsewhere.json", code=0)
        self.assertFalse((self.folder / "index.html").exists())

    def test_ends_a_run_with_its_page_and_both_paths(self):
        self.family("fake")
        ended = self.cupel("run", "--processes", 1, "--output", "run.json", code=0)
        self.assertEqual(ended.out.splitlines()[-2:], ["run.html", "run.json"])
        self.assertIn("cupel report", (self.folder / "run.html").read_text(encoding="utf-8"))

    def test_keeps_the_result_of_a_run_whose_page_cannot_be_written(self):
        self.family("fake")
        page = self.file("run.html", "mine")
        ended = self.cupel("run", "--processes", 1, "--output", "run.json", code=0)
        self.assertEqual(ended.out.splitlines()[-1], "run.json")
        self.assertIn("cupel: no report: run.html: exists and is no report", ended.err)
        self.assertEqual(page.read_text(encoding="utf-8"), "mine")


if __name__ == "__main__":
    main()
