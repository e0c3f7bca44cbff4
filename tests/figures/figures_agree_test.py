"""One figure for each benchmark, whatever prints it:  figures_agree_test.py CUPEL

Of every committed result: each benchmark's value, unit and mode are the same in text, Markdown, CSV, JSON and HTML, and
where `cupel advise` and `cupel compare` quote it.
"""

import csv
import functools
import html
import io
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

os.environ["COLUMNS"] = "1000"  # no column is left out
CUPEL, ROOT = os.path.abspath(sys.argv[1]), pathlib.Path(__file__).resolve().parents[2]
FILES = sorted((ROOT / "results").glob("*/*.json.gz"))
MODES = {"cold", "hot", "host", "sustained"}
SECONDS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1}
TIME = re.compile(r"([0-9.]+) (ns|us|ms|s)\b")
RATE = re.compile(r"([0-9.]+) ([kMGTP]?)(?:B|FLOP)?/s")
PREFIXES = {"": 1, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15}


@functools.cache  # tests ask for the same of a file
def cupel(*arguments):
    ended = subprocess.run([CUPEL, *map(str, arguments)], capture_output=True, text=True, timeout=120, check=False)
    assert ended.returncode == 0, (arguments, ended.stderr)
    return ended.stdout


def is_rounded(digits, value):
    """Whether the digits are this value, to the last of them."""
    last = 10.0 ** -len(digits.partition(".")[2])
    return abs(float(digits) - value) <= 0.5001 * last


def says(text, time_s):
    match = TIME.fullmatch(text.strip())
    return bool(match) and is_rounded(match[1], time_s / SECONDS[match[2]])


def says_rate(text, per_second):
    match = RATE.fullmatch(text.strip())
    return bool(match) and is_rounded(match[1], per_second / PREFIXES[match[2]])


def mode_in(cell):
    """The one mode among remarks such as "below floor, hot"."""
    modes = MODES.intersection(part.strip() for part in cell.split(","))
    return modes.pop() if len(modes) == 1 else None


def rows_of(text, indent):
    """Rows of a table, each with the name above and the notes below it. indent: spaces before its names."""
    return re.sub(rf"\n {{{indent + 2},}}", "  ", text).splitlines()


def cells_of_line(line):
    return re.split(r"\s{2,}", line.strip())


def cells_of_markdown(line):
    return [html.unescape(re.sub(r"\\(.)", r"\1", cell)).strip() for cell in re.split(r"(?<!\\)\|", line.strip())[1:-1]]


def in_bytes(name):
    """A name whose sizes are readable, with the numbers that stand in the file."""
    return re.sub(r":([0-9.]+) ([KMG]i)?B\b", lambda m: f":{int(float(m[1]) * 1024 ** ' KMG'.index((m[2] or ' ')[0]))}", name)


def html_tables(page):
    """Each table as a list of {title: cell}."""
    def text(cell):
        return html.unescape(re.sub(r"<[^>]*>", "", cell))

    for table in re.findall(r"<table class=\"data[^\"]*\">(.*?)</table>", page, re.S):
        head, _, body = table.partition("</thead>")
        titles = [text(cell) for cell in re.findall(r"<th[^>]*>(.*?)</th>", head, re.S)]
        rows = [re.findall(r"<(?:th|td)[^>]*>(.*?)</(?:th|td)>", row, re.S)
                for row in re.findall(r"<tr[^>]*>(.*?)</tr>", body, re.S)]
        yield titles, [[text(cell) for cell in row] for row in rows]


class FiguresAgree(unittest.TestCase):
    def each_file(self):
        self.assertTrue(FILES)
        for file in FILES:
            figures = json.loads(cupel("show", file, "--all", "--format", "json"))
            times = {(one["name"], one["mode"]): one["time_s"] for one in figures if "time_s" in one}
            known_by = {one["name"]: one["mode"] for one in figures if one["figure"] and "time_s" in one}
            self.rates = {one["name"]: one["per_second"] for one in figures if one["figure"] and "per_second" in one}
            yield file, times, known_by

    def assert_lines(self, lines, known_by, times):
        """lines: cells of each, the name first, the time second, the mode among the last."""
        seen = set()
        for cells in lines:
            name = cells[0].split(" [")[0]
            if name not in known_by or name in seen:
                continue
            seen.add(name)
            self.assertEqual(mode_in(cells[-1]), known_by[name], cells)
            self.assertTrue(says(cells[1], times[name, known_by[name]]), (cells, times[name, known_by[name]]))
            rates = [cell for cell in cells if RATE.fullmatch(cell.strip())]
            if rates:
                self.assertTrue(says_rate(rates[0], self.rates[name]), (cells, self.rates[name]))
        self.assertEqual(seen, set(known_by))

    def test_in_the_text_and_markdown_of_show(self):
        for file, times, known_by in self.each_file():
            text = cupel("show", file, "--sort", "time")
            self.assert_lines(map(cells_of_line, rows_of(text, indent=0)), known_by, times)
            markdown = cupel("show", file, "--sort", "time", "--format", "markdown")
            lines = [cells_of_markdown(line) for line in markdown.splitlines() if line.startswith("| ")]
            self.assert_lines(lines, known_by, times)

    def test_in_the_tables_of_show(self):
        """Where a heading does not say the mode of all, each cell that is of another than the most is marked."""
        for file, times, known_by in self.each_file():
            for paragraph in cupel("show", file, "--metric", "time").split("\n\n"):
                heading = paragraph.splitlines()[0]
                operation = heading.partition(":")[0].split(" ")[0]
                if ": time" not in heading:
                    continue
                modes = {mode for name, mode in known_by.items() if name.startswith(operation + "/")}
                if len(modes) == 1:
                    self.assertRegex(paragraph, rf"(?m)\b{modes.pop()}$")
                its = [time_s for (name, _), time_s in times.items() if name.startswith(operation + "/")]
                table = paragraph.partition("\n")[2].partition("\n  [1] ")[0]  # the notes below it have times of what was skipped
                for printed in TIME.finditer(table):
                    self.assertTrue(any(says(printed[0], time_s) for time_s in its), (heading, printed[0]))

    def test_in_csv(self):
        for file, times, _ in self.each_file():
            rows = csv.DictReader(io.StringIO(cupel("show", file, "--all", "--format", "csv")))
            rows = list(rows)
            self.assertEqual({(row["name"], row["mode"]): float(row["time_s"]) for row in rows if row["time_s"]}, times)
            self.assertEqual({row["name"]: float(row["per_second"]) for row in rows
                              if row["figure"] == "1" and row["per_second"]}, self.rates)

    def test_in_the_page(self):
        """Rates, shares and caveats, too, of each benchmark's figure as `cupel show` prints them."""
        with tempfile.TemporaryDirectory() as folder:
            for file, times, known_by in self.each_file():
                page = pathlib.Path(folder, file.name + ".html")
                cupel("report", file, "-o", page)
                shown, caveats = self.shown(file), self.caveats(file)
                seen = set()
                for titles, rows in html_tables(page.read_text(encoding="utf-8")):
                    if titles[:3] != ["benchmark", "mode", "time"]:
                        continue
                    for row in (dict(zip(titles, cells)) for cells in rows):
                        name, mode = row["benchmark"], row["mode"]
                        seen.add((name, mode))
                        self.assertTrue(says(row["time"], times[name, mode]), row)
                        if mode == known_by[name]:
                            self.assertEqual((row.get("rate", ""), row.get("of limit", "")), shown[name], row)
                            self.assertEqual(row.get("remarks", "").split("; ")[:len(caveats[name])], caveats[name], row)
                self.assertEqual(seen, set(times))

    def shown(self, file):
        """Rate and share of each benchmark, as `cupel show` prints them."""
        printed = [cells_of_markdown(line) for line in cupel("show", file, "--sort", "time", "--format", "markdown").splitlines()
                   if line.startswith("| ")]
        titles = next(cells for cells in printed if cells[0] == "benchmark")
        rows = [dict(zip(titles, cells)) for cells in printed if len(cells) == len(titles)]
        return {row["benchmark"]: (row.get("rate", ""), row.get("of limit", "")) for row in rows}

    def caveats(self, file):
        return {one["name"]: one["flags"] for one in json.loads(cupel("show", file, "--format", "json")) if one["figure"]}

    def test_where_advise_quotes_it(self):
        """The text of a piece is the same among all pieces as alone: of each file, one in turn is asked for alone."""
        for turn, (file, times, _) in enumerate(self.each_file()):
            said = json.loads(cupel("advise", file, "--format", "json"))["files"][0]["advice"]
            sections, seen = self.sections(cupel("advise", file, "--all")), []
            for piece in said:
                points = [point for curve in piece["curves"] for point in curve["points"] if "before_s" in point]
                for point in points:
                    for side in ("before", "after"):
                        self.assertEqual(point[side + "_s"], times[point[side], point["mode"]], point)
                if points:
                    self.assert_points(sections[piece["id"]], points)
                    seen.append(piece["id"])
            if seen:
                alone = seen[turn % len(seen)]
                self.assertEqual(self.sections(cupel("advise", file, "--advice", alone))[alone], sections[alone])

    def sections(self, text):
        """What is printed of each piece with all its points, by its id, that begins it: "pin-memory, 2.03x (cold): Pin ..."."""
        _, *parts = re.split(r"(?m)^([a-z0-9-]+)(?=(?:, [^:\n]*)?: )", text)
        up_to_heading = re.compile(r"(?s).*?(?=\s*(?:\n\n[^\n]+\n---|\Z))")
        return {piece: up_to_heading.match(section)[0] for piece, section in zip(parts[::2], parts[1::2])}

    def assert_points(self, text, points):
        lines = [(set(cells_of_line(line)), TIME.findall(line)) for line in text.splitlines()]
        for point in points:
            self.assertTrue(any(
                point["mode"] in cells and len(found) >= 2
                and says(" ".join(found[0]), point["before_s"]) and says(" ".join(found[1]), point["after_s"])
                for cells, found in lines), point)

    def test_where_compare_quotes_it(self):
        for file, times, known_by in self.each_file():
            rows = json.loads(cupel("compare", file, file, "--format", "json"))["contenders"][0]["rows"]
            quoted = {row["name"]: row for row in rows if "metric" not in row and row["verdict"] != "SKIPPED"}
            self.assertEqual(set(quoted), set(known_by))
            left_out = {name for name, row in quoted.items() if row["verdict"] == "BUSY"}  # compare takes no such process
            quoted, known_by = ({name: one for name, one in all_of.items() if name not in left_out}
                                for all_of in (quoted, known_by))
            for name, row in quoted.items():
                self.assertEqual((row["mode"], row["unit"]), (known_by[name], "s"))
                self.assertEqual(row["reference"]["value"], times[name, row["mode"]], name)
            markdown = cupel("compare", file, file, "--all", "--format", "markdown").splitlines()
            self.assert_compared(markdown, cells_of_markdown, known_by, times)
            self.assert_same_rows(cupel("compare", file, file, "--all"), markdown)
            csv_rows = csv.DictReader(io.StringIO(cupel("compare", file, file, "--format", "csv")))
            for row in csv_rows:
                if not row["metric"] and row["name"] in known_by:
                    self.assertEqual((row["mode"], float(row["reference_value"])),
                                     (known_by[row["name"]], times[row["name"], row["mode"]]))
            page = cupel("compare", file, file, "--format", "html")
            lines = [row for titles, rows in html_tables(page) if titles[:2] == ["benchmark", "mode"] for row in rows]
            self.assert_compared(lines, list, known_by, times)

    def assert_same_rows(self, text, markdown):
        """Rows of text are those of Markdown. What names share stands above them in both."""
        tables = (rows_of(part, indent=2) for part in text.split("\n\n"))
        table = next(lines for lines in tables if {"benchmark", "verdict"} <= set(lines[0].split()))
        rows = [cells_of_line(line)[1:] for line in table[1:] if line.startswith("  ")]
        printed = [cells_of_markdown(line) for line in markdown if line.startswith("| ")]
        titles = next(i for i, cells in enumerate(printed) if {"benchmark", "verdict"} <= set(cells))
        expected = [[cell for cell in cells[1:] if cell] for cells in printed[titles + 2:] if any(cells[1:])][:len(rows)]
        self.assertGreater(len(rows), 1)
        self.assertEqual(rows, expected)

    def assert_compared(self, lines, cells_of, known_by, times):
        """What the names of neighbours share stands in a row of its own above them, each name's parts in the order of any row."""
        seen, heading = set(), ""
        whole = {frozenset(name.split("/")): name for name in known_by}
        for line in lines:
            said, *rest = cells_of(line) or [""]
            if not any(rest):
                heading = said.strip("* ")
            parts = [re.split("[/ ]", in_bytes(text)) for text in (said, f"{heading} {said}")]
            name = next((whole[frozenset(one)] for one in parts if frozenset(one) in whole), None)
            if name and len(rest) > 2 and any(rest):
                seen.add(name)
                self.assertEqual(rest[0], known_by[name], line)
                self.assertTrue(says(rest[1], times[name, known_by[name]]), line)
        self.assertEqual(seen, set(known_by))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
