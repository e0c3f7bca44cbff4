"""`cupel report --gallery`: a site of all of results/, whose links lead somewhere.  gallery_test.py CUPEL"""

import html
import html.parser
import json
import re
import urllib.parse

from program import ROOT, ProgramTest, kept, main

FOLDERS = sorted(path for path in (ROOT / "results").iterdir() if path.is_dir() and path.name.startswith("nvidia-"))


class Links(html.parser.HTMLParser):
    """The ids of a page, each as often as it is there, and where its links lead."""

    def __init__(self, text):
        super().__init__()
        self.ids, self.links, self.loaded = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        if "id" in found:
            self.ids.append(found["id"])
        if tag == "a" and "href" in found:
            self.links.append(found["href"])
        self.loaded += [found[key] for key in ("src", "data") if key in found and tag != "link"]


class Gallery(ProgramTest):
    def gallery(self, *arguments, code=0):
        return self.cupel("report", "--bands", self.folder / "no-bands", *arguments, "--gallery", self.folder / "site", code=code)

    def pages(self):
        return {path.name: Links(path.read_text()) for path in (self.folder / "site").iterdir()}

    def text(self, name):
        return (self.folder / "site" / name).read_text()

    def board(self, number, slow=1.0, of="nvidia-h200/optimizer"):
        content = kept(of)
        content["context"]["cupel"]["device"].update(name="NVIDIA T1000", uuid=f"GPU-0000000{number}-1111-2222-3333-444444444444")
        for row in content["benchmarks"]:
            for series in row["cupel"]["series"]:
                series["samples_s"] = [x * slow * (1 + 0.001 * number) for x in series["samples_s"]]
        return self.file(f"board{number}.json", content)

    def measured_by(self, number, revision, day, of="nvidia-h200/optimizer"):
        content = json.loads(self.board(number, of=of).read_text())
        content["context"]["cupel"]["build"]["git_revision"] = revision
        content["context"]["cupel"]["run"].update(started=f"{day}T01:00:00Z", finished=f"{day}T02:00:00Z")
        return self.file(f"board{number}.json", content)

    def matrix(self):
        """The cells of each row of the matrix of verdicts, by its piece, group by group."""
        table = self.text("index.html").split('id="verdicts"')[1].split("<table")[1].split("</table>")[0]
        groups = [[]]
        for line in table.split("<tr")[2:]:
            cells = [html.unescape(re.sub("<[^>]+>", "", cell)).strip() for cell in re.findall("<t[dh][^>]*>(.*?)</t[dh]>", line, re.S)]
            groups[-1].append(cells) if len(cells) > 2 else groups.append([])
        return [{cells[0]: cells for cells in group} for group in groups if group]

    def test_every_link_of_all_results_leads_somewhere(self):
        self.gallery(*FOLDERS)
        pages = self.pages()
        self.assertIn("index.html", pages)
        for name, page in pages.items():
            self.assertEqual(len(page.ids), len(set(page.ids)), f"{name} has an id twice")
            self.assertEqual(page.loaded, [], f"{name} loads something")
            for link in page.links:
                file, _, anchor = link.partition("#")
                target = pages[urllib.parse.unquote(file) or name]
                if anchor:
                    self.assertIn(urllib.parse.unquote(anchor), target.ids, f"{name}: {link}")

    def test_a_figure_has_an_address_of_its_name_alone_and_a_line_to_cite(self):
        self.gallery(ROOT / "results/nvidia-h200")
        name = "gemm/square/precision:bf16/n:8192"
        self.assertIn(name, self.pages()["family-gemm.html"].ids)
        cited = html.unescape(re.sub("<wbr>|</?span[^>]*>", "", self.text("family-gemm.html")))
        self.assertRegex(cited, rf"{name} on NVIDIA H200: [\d.]+ ms, median of \d+ boards, one more lies in .*; last measured 2026-11-20 to 2026-11-29 "
                                rf"by \d+ revisions of cupel, family-gemm.html#{name}")

    def test_a_line_to_cite_names_the_revisions_and_dates_of_the_boards_that_have_the_row(self):
        files = [self.measured_by(1, "aaaaaaaaaaaaaa", "2026-11-20"), self.measured_by(2, "bbbbbbbbbbbbbb", "2026-11-22"),
                 self.measured_by(3, "cccccccccccccc", "2026-11-25", "nvidia-h200/gemm")]
        self.gallery(*files)
        cited = re.sub("<wbr>|</?span[^>]*>", "", self.text("family-optimizer.html"))
        self.assertIn("median of 2 boards; last measured 2026-11-20 to 2026-11-22 by cupel aaaaaaaaaaaa, bbbbbbbbbbbb, family-optimizer.html", cited)
        self.assertNotIn("cccccccccccc", cited)
        self.assertIn("one board; last measured 2026-11-25 by cupel cccccccccccc, family-gemm.html",
                      re.sub("<wbr>|</?span[^>]*>", "", self.text("family-gemm.html")))

    def test_models_stand_side_by_side_and_verdicts_have_their_colours(self):
        self.gallery(ROOT / "results/nvidia-h200", self.board(1))
        index = self.text("index.html")
        self.assertIn("NVIDIA T1000", index)
        self.assertRegex(index, r'<span class="badge good">pays')
        self.assertIn("model-nvidia-t1000.html", self.pages())

    def test_what_models_do_not_say_alike_stands_first_and_rows_have_the_ratio(self):
        content = json.loads(self.board(1, of="nvidia-h200/sync").read_text())
        for row in content["benchmarks"]:  # what pays on an H200 harms here
            if any(tag["id"] == "graphs" and tag["role"] == "after" for tag in row["cupel"].get("advice", [])):
                for series in row["cupel"]["series"]:
                    series["samples_s"] = [100 * x for x in series["samples_s"]]
        self.gallery(ROOT / "results/nvidia-h200", self.file("harmed.json", content))
        differ, same = self.matrix()
        self.assertEqual({cells[-1].split(",")[0] for cells in differ.values()}, {"verdict"})
        self.assertIn("graphs", differ)
        self.assertLessEqual({cells[-1] for cells in same.values()}, {"", "rank"})

        self.gallery(ROOT / "results/nvidia-h200", ROOT / "results/nvidia-h100")
        index = self.text("index.html")
        self.assertNotIn('href="#advice-', index, "a row that leads to itself")
        self.assertIn("time, H200 / H100</th>", self.text("family-gemm.html"))
        self.assertIn("below 1: the model that is named first is quicker", self.text("family-gemm.html"))
        row = html.unescape(self.text("family-gemm.html")).split('id="gemm/square/precision:bf16/n:8192"')[1].split("</tr>")[0]
        self.assertRegex(row, r'<td class="num">[01]\.\d+</td>$')

    def test_verdicts_are_those_of_advise(self):
        folders = ROOT / "results/nvidia-h100", ROOT / "results/nvidia-h200"
        self.gallery(*folders)
        shown = {name: cells for group in self.matrix() for name, cells in group.items()}
        advised = self.cupel("advise", *folders, "--format", "markdown", code=0).out.replace("\\#<!-- -->", "#").split("Same advice, each machine")[1]
        rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in advised.splitlines() if line.startswith("| ")]
        rows = [cells for cells in rows if cells[0] in shown]
        self.assertGreater(len(rows), 15)
        for name, *cells in rows:
            self.assertEqual(shown[name][2:], cells)

    def test_a_row_of_the_matrix_says_what_to_do(self):
        self.gallery(ROOT / "results/nvidia-h200")
        pieces = {**self.matrix()[0]}
        catalogue = " ".join("".join(path.read_text() for path in (ROOT / "docs/advice").iterdir()).split())
        self.assertGreater(len(pieces), 20)
        for name, cells in pieces.items():
            self.assertIn(f"## {name} - Advice: {cells[1]}", catalogue)

    def test_the_run_in_which_most_was_measured_comes_first(self):
        main, full = ROOT / "results/nvidia-h200", ROOT / "results/nvidia-h200-full"
        self.gallery(main, full)
        index, model = self.text("index.html"), self.text("model-nvidia-h200.html")
        self.assertLess(model.index(">nvidia-h200<"), model.index(">nvidia-h200-full<"))
        self.assertRegex(list(self.matrix()[0].values())[0][2], "#1$")
        self.gallery(full, main)
        self.assertEqual((index, model), (self.text("index.html"), self.text("model-nvidia-h200.html")))

    def test_files_that_are_named_singly_are_runs_of_their_folders(self):
        folders = [ROOT / "results" / name for name in ("nvidia-h200", "nvidia-h200-full", "nvidia-h200-x2")]
        self.gallery(*folders)
        pages = {name: self.text(name) for name in ("index.html", "model-nvidia-h200.html")}
        self.gallery(*folders[:1], *(folders[1].iterdir()), *sorted(folders[2].iterdir()))
        self.assertIn(">pytorch.json.gz<", self.text("model-nvidia-h200.html"), "one file of a folder")
        self.assertEqual(self.text("model-nvidia-h200.html").replace("pytorch.json.gz", "nvidia-h200-full"), pages["model-nvidia-h200.html"])
        self.assertEqual(self.text("index.html"), pages["index.html"])
        self.gallery(self.board(1), self.board(2, of="nvidia-h200/gemm"), self.file("board3.json", self.board(1).read_text()))
        self.assertIn(">board1.json and 1 more<", self.text("model-nvidia-t1000.html"))

    def test_the_family_host_says_nothing_of_a_gpu(self):
        content = json.loads(self.board(1).read_text().replace('"optimizer', '"host'))
        self.assertIn("is of the family host", self.gallery(self.file("host.json", content), self.board(2)).err)
        self.assertNotIn("family-host.html", self.pages())

    def test_a_run_has_the_name_of_its_folder_and_each_page_leads_to_all(self):
        self.gallery(ROOT / "results/nvidia-h200-x2", self.board(1))
        page = self.text("model-nvidia-h200.html")
        self.assertIn(">nvidia-h200-x2<", page)
        self.assertNotIn("collective.json.gz", page)
        self.assertIn(">board1.json<", self.text("model-nvidia-t1000.html"))
        for name, links in self.pages().items():
            self.assertEqual(set(self.pages()) - set(links.links), set(), name)

    def test_says_what_makes_the_boards_of_a_model_differ(self):
        self.gallery(self.board(1), self.board(2), self.board(3))
        page = self.text("model-nvidia-t1000.html")
        self.assertIn("spread by</th>", page)
        self.assertIn("<td>processes</td>", page)
        self.assertNotIn("records differ in", page)

        content = json.loads(self.board(2).read_text())
        content["context"]["cupel"]["device"]["driver_version"] = "999.1"
        self.gallery(self.board(1), self.file("other.json", content))
        self.assertRegex(self.text("model-nvidia-t1000.html"), r"records differ in</h2>\s*<dl class=\"fields\">\s*<dt>driver</dt><dd>.*999\.1")

    def test_an_interval_needs_three_boards(self):
        self.gallery(self.board(1), self.board(2))
        self.assertNotIn("one more board</th>", self.text("model-nvidia-t1000.html"))
        self.gallery(self.board(1), self.board(2), self.board(3))
        page = self.text("model-nvidia-t1000.html")
        self.assertIn("one more board</th>", page)
        self.assertIn("3 boards are known here", page)

    def test_an_unusual_board_is_labelled(self):
        boards = [self.board(number) for number in range(1, 6)]
        self.cupel("bands", "add", "--bands", self.folder / "bands", *boards, code=0)
        self.cupel("report", "--bands", self.folder / "bands", self.board(9, 1.2), "--gallery", self.folder / "site", code=0)
        self.assertIn("optimizer is unusual for an NVIDIA T1000", self.text("model-nvidia-t1000.html"))

    def test_the_same_results_give_the_same_bytes(self):
        self.gallery(self.board(1))
        before = {path.name: path.read_bytes() for path in (self.folder / "site").iterdir()}
        self.gallery(self.board(1))
        self.assertEqual(before, {path.name: path.read_bytes() for path in (self.folder / "site").iterdir()})

    def test_a_folder_of_somebody_else_is_left_alone(self):
        self.file("site/notes.txt", "mine")
        self.assertIn("holds other files and no gallery", self.gallery(self.board(1), code=2).err)
        self.gallery(self.board(1), "--force")
        self.assertEqual(self.text("notes.txt"), "mine")

    def test_what_has_no_gpu_is_left_out_and_said(self):
        google = self.file("google.json", {"context": {"date": "2026-11-20"},
                                           "benchmarks": [{"name": "a", "real_time": 1, "cpu_time": 1, "time_unit": "ns"}]})
        self.assertIn("is left out", self.gallery(google, self.board(1)).err)
        self.gallery(google, code=5)

    def test_a_name_is_escaped(self):
        content = json.loads(self.board(1).read_text())
        content["context"]["cupel"]["device"]["name"] = "<script>alert(1)</script>"
        self.gallery(self.file("bad.json", content))
        self.assertNotIn("<script>alert", self.text("index.html"))

    def test_a_page_and_a_site_are_not_made_at_once(self):
        self.gallery(self.board(1), "--output", "x.html", code=2)


main()
