"""`cupel report` as a program:  program_test.py CUPEL MAKE_RESULTS"""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

CUPEL, MAKE_RESULTS = map(os.path.abspath, sys.argv[1:3])


class Report(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.scratch.name)
        subprocess.run([MAKE_RESULTS, cls.folder], check=True)

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def report(self, *arguments, **environment):
        return subprocess.run([CUPEL, "report", *arguments], cwd=self.folder, capture_output=True, text=True,
                              env={**os.environ, **environment}, timeout=60, check=False)

    def test_writes_the_page_and_prints_where_it_is(self):
        ended = self.report("a.json", "-o", "page.html")
        self.assertEqual((ended.returncode, ended.stdout, ended.stderr), (0, "page.html\n", ""))
        self.assertIn("Test GPU A", (self.folder / "page.html").read_text(encoding="utf-8"))

    def test_calls_the_page_report_html_where_nothing_else_is_said(self):
        self.assertEqual(self.report("a.json").stdout, "report.html\n")

    def test_writes_the_same_bytes_in_any_locale(self):
        for locale in ("C", "de_DE.UTF-8", "tr_TR.UTF-8"):
            self.assertEqual(self.report("a.json", "b.json", "-o", f"{locale}.html", LC_ALL=locale).returncode, 0)
        texts = {(self.folder / f"{locale}.html").read_bytes() for locale in ("C", "de_DE.UTF-8", "tr_TR.UTF-8")}
        self.assertEqual(len(texts), 1)

    def test_keeps_a_page_of_four_full_files_below_five_megabytes(self):
        files = [f"many-{i}.json" for i in range(4)]
        self.assertEqual(self.report(*files, "-o", "many.html").returncode, 0)
        self.assertLess((self.folder / "many.html").stat().st_size, 5_000_000)

    def test_leaves_what_is_no_report_alone(self):
        mine = self.folder / "mine.txt"
        mine.write_text("mine", encoding="utf-8")
        ended = self.report("a.json", "-o", "mine.txt")
        self.assertEqual(ended.returncode, 2)
        self.assertIn("mine.txt: exists and is no report of cupel's; --force replaces it", ended.stderr)
        self.assertEqual(mine.read_text(encoding="utf-8"), "mine")
        self.assertEqual(self.report("a.json", "-o", "mine.txt", "--force").returncode, 0)

    def test_ends_with_2_and_the_file_that_cannot_be_read(self):
        ended = self.report("a.json", "absent.json", "-o", "absent.html")
        self.assertEqual(ended.returncode, 2)
        self.assertIn("absent.json", ended.stderr)
        self.assertFalse((self.folder / "absent.html").exists())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
