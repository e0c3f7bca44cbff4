"""`cupel explain` knows each word that a table of any command has in its head, that a verdict is marked by, and that stands before a
line of the first screens. The words are taken from the sources and from what the program prints:  words_test.py CUPEL"""

import re

from program import ROOT, ProgramTest, main

COLUMN = re.compile(r"\b(?:left|right|verdicts)\(")
MARK = re.compile(r'\{"([^"]+)", (?:Badge::)?(?:good|warn|bad|quiet)\}')
LITERAL = re.compile(r'"((?:[^"\\]|\\.)*)"')
CHARACTER = re.compile(r"'(?:[^'\\]|\\.)'")
SOURCES = [path for path in sorted((ROOT / "cupel").rglob("*.cpp")) if not path.stem.endswith("_test")]


def first_argument(text, at):
    """What stands from there to the comma or the parenthesis that ends it."""
    depth, quoted = 0, False
    for end in range(at, len(text)):
        char = text[end]
        if char == '"' and text[end - 1] != "\\":
            quoted = not quoted
        if quoted:
            continue
        if depth == 0 and char in ",)":
            return text[at:end]
        depth += (char in "({") - (char in ")}")
    return text[at:]


def heads():
    for path in SOURCES:
        text = path.read_text()
        for column in COLUMN.finditer(text):
            for title in LITERAL.findall(first_argument(text, column.end())):
                if re.search(r"\w", title):  # else what stands between names that are no words of ours
                    yield title.replace("{}", "5")


def marks():
    for path in SOURCES:
        yield from MARK.findall(path.read_text())


class Words(ProgramTest):
    def knows(self, words):
        words = {word for word in words if word}
        self.assertGreater(len(words), 3)
        self.assertEqual([word for word in sorted(words) if self.cupel("explain", word).code != 0], [])

    def test_of_the_heads_of_tables(self):
        found = set(heads())
        self.assertTrue({"benchmark", "without it -> with it", "dearest", "no."} <= found, "the sources are not read as they are written")
        self.knows(found)

    def test_of_its_legend_stand_in_the_tables_of_the_commands_it_names(self):
        legend = " ".join((ROOT / "docs" / "legend" / "legend.md").read_text().split())
        two = [ROOT / "results" / name for name in ("nvidia-h100", "nvidia-h200")]
        commands = {"compare": [["compare", "--all", *two]], "bands": [["bands"]], "advise": [["advise", "--verdicts", two[0]], ["advise", two[0]]]}
        printed = {command: "\n".join(self.cupel(*one, COLUMNS="250", code=0).out for one in several) for command, several in commands.items()}
        printed["compare --fleet"] = (ROOT / "tests" / "compare" / "golden" / "fleet.txt").read_text()
        for command, text in printed.items():
            words = [word for bold in re.findall(rf"\*\*([^*]+)\*\* \({command}\)", legend) for word in bold.split(", ")]
            self.assertGreater(len(words), 0, command)
            heads = {cell for line in text.splitlines() for cell in re.split(r" {2,}", line.strip())}
            self.assertEqual([word for word in words if word not in heads], [], command)

    def test_of_verdicts_that_are_marked(self):
        found = set(marks())
        self.assertTrue({"also pay", "warning", "not measurable"} <= found, "the sources are not read as they are written")
        self.knows(found)

    def test_before_the_lines_of_first_screens(self):
        results = ROOT / "results"
        for command in (["advise", results / "nvidia-h200"], ["show", results / "nvidia-h200"],
                        ["compare", results / "nvidia-h100", results / "nvidia-h200"]):
            lines = self.cupel(*command, COLUMNS="80", code=0).out.splitlines()
            labels = [re.match(r"([a-z]+(?: [a-z]+)?)(?: \(\d+\))? {2,}\S", line) for line in lines]
            self.knows({label[1] for label in labels if label} - {"conv"})

    def test_of_methods_that_sentences_name(self):
        """A name within a sentence is a person's, after whom a method is called, or one of these."""
        others = {"Benchmark", "Google", "Linux", "Kubernetes", "Windows", "Module", "Ultra", "Slurm", "Memory", "Subsystem", "What", "Release"}
        name = re.compile(r"(?<=[a-z,] )([A-Z][a-z]+(?:-[A-Z][a-z]+)*)\b")
        said = [text for path in SOURCES if "verify" not in path.parts for text in LITERAL.findall(CHARACTER.sub("", path.read_text()))]
        names = {one for text in said for one in name.findall(text)} - others
        self.assertTrue({"Holm", "Rosner", "Student"} <= names, "the sources are not read as they are written")
        self.knows(names)

    def test_of_facts_and_of_what_is_asked_for(self):
        self.knows({"hard", "policy", "piece", "boards", "by", "quick", "standard", "full", "profile", "gain, ms"})
        self.knows({"Mann-Whitney", "Hodges-Lehmann", "inter-quartile mean", "waterfall", "bands", "fleet", "bundle", "counters", "switches",
                    "judged by", "label"})

    def test_that_it_does_not_know_leads_to_the_nearest(self):
        self.refuses("nearest: sync/host_function, pytorch/host", "explain", "step/host", code=5)


if __name__ == "__main__":
    main()
