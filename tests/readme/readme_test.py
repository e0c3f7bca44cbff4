"""What README.md says is what the program does: subcommands, families, exit codes, commands and their output, links."""

import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import unittest

CUPEL, ROOT = os.path.abspath(sys.argv[1]), pathlib.Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text()
os.environ["COLUMNS"] = "200"  # a line of help is one line
HELP = subprocess.run([CUPEL, "--help"], capture_output=True, text=True, check=True).stdout
HELP_OF_RUN = subprocess.run([CUPEL, "run", "--help"], capture_output=True, text=True, check=True).stdout

# What they print depends on the machine in more than its figures; so does whether anything pays.
os.environ["COLUMNS"] = "80"  # as wide as what is quoted
OF_THE_MACHINE = {"doctor", "advise"}
CHANGE = re.compile(r"^\d  ([\w-]+) .*x$")  # of what to change first: another on a busy machine, or none


def table(heading):
    """The rows of the table under a heading, cells as plain text."""
    section = re.search(rf"^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", README, re.M | re.S).group(1)
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in section.splitlines() if line[:1] == "|"]
    return [[re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", cell).replace("`", "") for cell in row] for row in rows[2:]]


def help_lines(after):
    """What --help lists under a heading: the first word and the rest of each line."""
    section = HELP.split(after + ":\n", 1)[1].split("\n\n", 1)[0]
    return [line.split(None, 1) for line in section.strip().splitlines()]


def examples():
    """The commands in blocks of sh and console, each with its comment and the output that is shown for it."""
    found = []
    for kind, block in re.findall(r"^```(sh|console)\n(.*?)^```", README, re.M | re.S):
        for line in block.splitlines():
            if kind == "sh" or line.startswith("$ "):
                command, _, comment = line.removeprefix("$ ").partition("#")
                found.append((shlex.split(command), comment.strip(), []))
            else:
                found[-1][2].append(line)
    return [example for example in found if example[0]]


def gist(line):
    """A line without its figures and their units: of a row of a table the first column, of a sentence all of it.

    On a busy machine fewer processes count for some benchmarks than for others, and levels are a range.
    """
    line = re.sub(r"\d+(\.\d+)?", "#", re.split(r"(?<=\S)\s{2,}", line, maxsplit=1)[0])
    return re.sub(r"[kMGT]B/s", "B/s", line).replace("(level # % to # %)", "(level # %)")


def show(folder, *flags):
    """In lines that no remark on a busy machine makes too long."""
    return subprocess.run([CUPEL, "show", "host.json", *flags], cwd=folder, capture_output=True, text=True,
                          check=True, env={**os.environ, "COLUMNS": "200"}).stdout


def headings(lines):
    """Behind each operation of a list what its heading says of it: modes and advice, which are no figures; units go by the machine."""
    if not any(line.startswith("  benchmark ") for line in lines):
        return {}
    return {operation: re.sub(r"[kMGT]B/s", "B/s", said) for operation, said in re.findall(r"^(host/\w+)(.*)$", "\n".join(lines), re.M)}


class Readme(unittest.TestCase):
    maxDiff = None

    def test_lists_every_subcommand_in_the_words_of_the_help(self):
        self.assertCountEqual([[f"cupel {name}", text] for name, text in help_lines("Subcommands")],
                              table("Subcommands"))

    def test_has_the_exit_codes_of_the_help(self):
        self.assertEqual(help_lines("Exit codes"), table("Exit codes"))

    def test_has_a_line_for_every_family_of_this_build_and_for_none_that_is_not_there(self):
        listed = subprocess.run([CUPEL, "list", "--full", "--format", "json"], capture_output=True, text=True, check=True)
        told = [row[0] for row in table("What it measures")]
        self.assertLessEqual({listing["family"] for listing in json.loads(listed.stdout)}, set(told))
        for family in told:
            self.assertTrue((ROOT / "bench" / family).is_dir(), family)

    def test_begins_with_a_picture_three_commands_five_readers_and_set_up(self):
        parts = ("![", "$ cupel advise results/", "cupel gate --base", "cupel compare --fleet", "| who |", "## Set up", "scripts/run", "sudo")
        self.assertEqual(sorted(parts, key=README.index), list(parts))
        readers = README[README.index("| who |"):README.index("## Set up")].strip().splitlines()[2:]
        self.assertEqual(len(readers), 5)

    def test_shows_the_step_that_the_ranking_below_the_picture_is_of(self):
        size, batch = re.search(r"<!-- \$ cupel show \S+ --filter net:resnet18_(\d+)/batch:(\d+)/ --format svg -->", README).groups()
        named = f"({size} x {size}, batch {batch}"
        self.assertIn(named, re.search(r"!\[(.*?)\]", README)[1])
        self.assertIn(f"\nRanked by a ResNet-18 step {named}, PyTorch)", README)

    def test_quotes_outputs_of_80_columns(self):
        blocks = re.findall(r"^```console\n(.*?)^```", README, re.M | re.S)
        self.assertGreater(len(blocks), 3)
        outputs = [line for block in blocks for line in block.splitlines() if not line.startswith("$ ")]
        self.assertEqual([line for line in outputs if len(line) > 80], [])

    def test_links_to_files_that_are_there(self):
        links = re.findall(r"\]\((?!https?:)([^)#]+)", README)
        self.assertTrue(links)
        for link in links:
            self.assertTrue((ROOT / link).exists(), link)

    def test_names_for_each_question_what_there_is(self):
        listed = subprocess.run([CUPEL, "list", "--full", "--format", "json"], capture_output=True, text=True, check=True)
        benchmarks = {listing["family"]: listing["benchmarks"] for listing in json.loads(listed.stdout)}
        rows = re.findall(r"^\| [^|]+ \| `cupel_bench_(\w+)` \| `(.+?)` \| `([\w-]+)` \|$", README, re.M)
        self.assertGreater(len(rows), 4)
        for family, command, advice in rows:
            with self.subTest(command):
                words = shlex.split(command.replace("\\|", "|"))
                self.assertEqual(words[:2], [family, "--filter"])
                chosen = [b for b in benchmarks.get(family, []) if re.search(words[2], b["name"])]
                if family in benchmarks:
                    self.assertTrue(any(tag["id"] == advice for b in chosen for tag in b["advice"]))

    def test_has_an_index_of_all_pages(self):
        index = (ROOT / "docs" / "README.md").read_text()
        for page in (ROOT / "docs").glob("*.md"):
            if page.name != "README.md":
                self.assertIn(f"]({page.name})", index)
        for link in re.findall(r"\]\(([^)#]+)\)", index):
            self.assertTrue((ROOT / "docs" / link).exists(), link)

    def test_shows_a_project_that_is_tested(self):
        tested = (ROOT / "tests/consumer/project/CMakeLists.txt").read_text().splitlines()
        for line in re.search(r"^```cmake\n(.*?)^```", README, re.M | re.S).group(1).splitlines():
            self.assertIn(line, tested)

    def test_names_scripts_that_are_there_with_arguments_they_take(self):
        for words, _, _ in examples():
            if not words[0].startswith("scripts/"):
                continue
            with self.subTest(words=words):
                self.assertTrue(os.access(ROOT / words[0], os.X_OK))
                text = (ROOT / words[0]).read_text()
                taken = text + (HELP_OF_RUN if words[0] == "scripts/run" else "")
                for flag in words[1:]:
                    if flag.startswith("--"):
                        self.assertIn(flag, taken)


class Release(unittest.TestCase):
    """The changelog and the citation of this version."""

    def test_is_the_one_that_is_cited(self):
        version = subprocess.run([CUPEL, "-V"], capture_output=True, text=True, check=True).stdout.split()[1]
        cited = dict(re.findall(r"^([\w-]+): (.+)$", (ROOT / "CITATION.cff").read_text(), re.M))
        self.assertEqual(cited["version"], version)
        self.assertIn(f"\n## {version} ({cited['date-released']})\n", (ROOT / "CHANGELOG.md").read_text())

    def test_has_each_kind_of_change_once_and_in_one_list(self):
        for release in (ROOT / "CHANGELOG.md").read_text().split("\n## ")[1:]:
            heads = re.findall(r"^### (.+)$", release, re.M)
            self.assertEqual(len(set(heads)), len(heads), release[:20])
            for part in release.split("\n### ")[1:]:
                self.assertEqual(part.strip("\n").count("\n\n"), 1, part[:60])


class Commands(unittest.TestCase):
    maxDiff = None

    def test_end_well_and_print_what_is_shown(self):
        ran = []
        with tempfile.TemporaryDirectory(prefix="cupel-readme-") as folder:
            for words, comment, shown in examples():
                if words[0] != "cupel":
                    continue
                with self.subTest(command=shlex.join(words)):
                    if comment.startswith("needs "):  # a GPU, or two builds
                        self.has_flags(words)
                        continue
                    if any(word.startswith("results/") for word in words):
                        self.quotes(words, shown)
                        continue
                    ended = subprocess.run([CUPEL, *words[1:]], cwd=folder, capture_output=True, text=True, check=False)
                    ran.append(words[1])
                    self.assertIn(ended.returncode, (0, 3) if words[1] == "doctor" else (0,), ended.stderr)
                    if words[1] not in OF_THE_MACHINE:
                        self.shows(shown, ended.stdout, folder)
        self.assertLessEqual({"run", "show", "list", "explain", "validate"}, set(ran))

    def has_flags(self, words):
        text = subprocess.run([CUPEL, words[1], "--help"], capture_output=True, text=True, check=True).stdout
        for word in words[2:]:
            if word.startswith("--"):
                self.assertRegex(text, rf"{re.escape(word.split('=')[0])}\b")

    def quotes(self, words, shown):
        """What is shown of a result that is kept here is that, figures included."""
        printed = subprocess.run([CUPEL, *words[1:]], cwd=ROOT, capture_output=True, text=True, check=True).stdout
        there = printed.splitlines()
        for line in shown:
            if line not in ("", "..."):
                self.assertIn(line, there)

    def shows(self, shown, printed, folder):
        if '"reason":' in show(folder, "--format", "json", "--all"):  # what this machine cannot measure is shown there only
            printed += show(folder, "--all") + show(folder, "--all", "--sort", "time")
        printed += show(folder)
        there = {gist(line) for line in printed.splitlines()}
        self.assertLessEqual(headings(shown).items(), headings(printed.splitlines()).items())
        for line in shown:
            if change := CHANGE.match(line):
                self.assertIn(f"[{change[1]}", "\n".join(shown), "a piece of what is shown")
            elif line not in ("", "..."):
                self.assertIn(gist(line), there)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
