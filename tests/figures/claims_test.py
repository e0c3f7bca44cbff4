#!/usr/bin/env python3
"""docs/claims.md against the catalogue, the benchmarks that are explained, and what `cupel advise` says of the committed results.

A sentence holds where its piece pays, or costs if that is what it says; claims_judged.py has the sentences that say something else.
--update writes the verdicts anew, of the pieces and of the sentences."""

import itertools
import json
import re
import subprocess
import unittest

from claims_judged import SENTENCES, judged
from program import CUPEL, ROOT, UPDATE, main

PAGE = ROOT / "docs" / "claims.md"
STATES = ("as made", "in part", "another contrast", "not tested")
KINDS = ("h200", "h100")  # of GPUs, a column each
COLUMNS, FIGURES_COLUMNS = 8, 6  # of the tables of sentences and of quoted figures
UNKNOWN = ("not measured", "not measurable")
SOURCES = {"set-up guide", "server guide", "case study", "short list", "utilisation guide"}


def table(columns):
    """The cells of each line of the table of so many columns."""
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    lines = lines[lines.index("|" + "---|" * columns) + 1:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in itertools.takewhile(lambda line: line.startswith("|"), lines)]


def claims():
    return table(COLUMNS)


def claims_said():
    """piece -> what of its claim is held, of the catalogue, for those that say it."""
    found = {}
    for page in (ROOT / "docs" / "advice").glob("*.md"):
        for piece, entry in re.findall(r"^## (\S+)\n(.*?)(?=^## |\Z)", page.read_text(encoding="utf-8"), re.M | re.S):
            if said := re.search(r"^- Claim says: (.+)$", entry, re.M):
                found[piece] = said[1]
    return found


def advised(kind):
    """piece -> what advise says of it on a kind of GPU, on two, or where work goes on, where one says nothing of it."""
    found = {}
    for folder in (f"nvidia-{kind}", f"nvidia-{kind}-x2", f"nvidia-{kind}-sustained"):
        files = sorted((ROOT / "results" / folder).glob("*.json.gz"))
        if not files:
            continue
        said = subprocess.run([CUPEL, "advise", *files, "--format", "json"], capture_output=True, text=True, check=True).stdout
        for piece in json.loads(said)["files"][0]["advice"]:
            if piece["id"] not in found or (found[piece["id"]]["verdict"] in UNKNOWN and piece["verdict"] not in UNKNOWN):
                found[piece["id"]] = piece
    return found


def names_of(pieces):
    return re.findall(r"`([^`]+)`", pieces)


def verdict_of(piece):
    """In the words of advise: a cost costs."""
    return "costs" if (piece["kind"], piece["verdict"]) == ("cost", "harms") else piece["verdict"]


def verdict_cell(pieces, known):
    """The cell of verdicts: of each piece that can have one, once where none was measured; a dash where none can."""
    names = names_of(pieces)
    verdicts = {name: verdict_of(known[name]) for name in names if known.get(name, {}).get("kind") in ("gain", "cost")}
    if not verdicts:
        return "–"
    if set(verdicts.values()) == {"not measured"}:
        return "not measured"
    return "; ".join(verdict if len(names) == 1 else f"{piece}: {verdict}" for piece, verdict in verdicts.items())


def cells_of(claim, pieces, tested, known):
    """What stands in the columns of verdicts: of the pieces on each kind of GPU, and of the sentence."""
    sentence = "–" if tested.startswith("not tested") else judged(claim, names_of(pieces), dict(zip(KINDS, known)))
    return [*(verdict_cell(pieces, of_kind) for of_kind in known), sentence]


def held_on_each(piece, as_what, known):
    """What advise says of a quoted figure on each kind of GPU; the piece's verdict where no gain is decided, a dash where it cannot be held."""
    return ["–" if as_what.startswith("cannot be held") else of_kind[piece].get("claim_held") or verdict_of(of_kind[piece]) for of_kind in known]


def update():
    known, lines = [advised(kind) for kind in KINDS], PAGE.read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines):
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == COLUMNS and cells[0] in SOURCES:
            cells[4:7] = cells_of(cells[1], cells[2], cells[7], known)
            lines[number] = "| " + " | ".join(cells) + " |"
        elif len(cells) == FIGURES_COLUMNS and cells[1] in SOURCES:
            lines[number] = "| " + " | ".join([*cells[:4], *held_on_each(cells[2].strip("`"), cells[3], known)]) + " |"
    PAGE.write_text("\n".join(lines) + "\n", encoding="utf-8")


class QuotedFigures(unittest.TestCase):
    def test_have_a_line_each_with_what_they_are_held_as(self):
        held, quoted = claims_said(), {}
        for figure, source, piece, as_what, *_ in table(FIGURES_COLUMNS):
            self.assertIn(source, SOURCES, figure)
            quoted[piece.strip("`")] = as_what
        numbers = {piece: said for piece, said in held.items() if said.endswith("x")}
        self.assertGreater(len(numbers), 4)
        self.assertEqual({piece: said for piece, said in quoted.items() if piece in numbers}, numbers)
        for piece, said in quoted.items():
            self.assertTrue(said.startswith("cannot be held") and "because" in said or said == held.get(piece), piece)

    def test_stand_beside_what_advise_says_of_them(self):
        known = [advised(kind) for kind in KINDS]
        for figure, _, piece, as_what, *here in table(FIGURES_COLUMNS):
            self.assertEqual(here, held_on_each(piece.strip("`"), as_what, known), figure)

    def test_have_a_verdict_where_they_can_be_held(self):
        for figure, _, _, as_what, *here in table(FIGURES_COLUMNS):
            self.assertEqual("–" in here, as_what.startswith("cannot be held"), figure)


class Claims(unittest.TestCase):
    def test_each_says_how_far_it_is_tested_and_why_not_as_made(self):
        for source, claim, *_, tested in claims():
            state, _, why = tested.partition(": ")
            self.assertIn(source, SOURCES, claim)
            self.assertIn(state, STATES, claim)
            if state != "as made":
                self.assertTrue(why, claim)

    def test_those_tested_as_made_name_what_measures_them(self):
        for _, claim, _, measured, *_, tested in claims():
            if tested.startswith("as made"):
                self.assertRegex(measured, "`[^`]+/", claim)

    def test_those_without_a_verdict_say_why(self):
        for _, claim, _, _, *said, _, tested in claims():
            if all(verdict in UNKNOWN for verdict in said):
                self.assertIn("no run", tested, claim)

    def test_they_are_as_many_of_each_as_the_page_says(self):
        states = [tested.partition(": ")[0] for *_, tested in claims()]
        counted = re.search(r"(\d+) sentences: (\d+) are tested as they are made, (\d+) in part, (\d+) by another contrast than theirs, "
                            r"(\d+) not at all", PAGE.read_text(encoding="utf-8").replace("\n", " "))
        self.assertEqual([int(count) for count in counted.groups()], [len(states), *(states.count(state) for state in STATES)])

    def test_the_verdicts_are_those_of_advise(self):
        known = [advised(kind) for kind in KINDS]
        for _, claim, pieces, _, *said, tested in claims():
            self.assertEqual(said, cells_of(claim, pieces, tested, known), claim)

    def test_the_sentences_that_are_judged_by_themselves_are_of_the_page(self):
        self.assertLessEqual(SENTENCES.keys(), {claim for _, claim, *_ in claims()})

    def test_as_many_hold_as_the_page_says(self):
        said = [re.split("[:;]", sentence)[0] for *_, sentence, _ in claims()]
        counted = re.search(r"(\d+) sentences hold on an H200, (\d+) hold in part, (\d+) are refuted, (\d+) are undecided",
                            PAGE.read_text(encoding="utf-8").replace("\n", " "))
        self.assertEqual([int(count) for count in counted.groups()], [said.count(word) for word in ("holds", "in part", "refuted", "undecided")])

    def test_what_measures_them_is_explained(self):
        headings = "\n".join(line for page in (ROOT / "docs" / "explain").glob("*.md")
                             for line in page.read_text(encoding="utf-8").splitlines() if line.startswith("## "))
        explained = set(re.findall(r"[a-z]+/[a-z_0-9]+", headings))
        for _, claim, _, measured, *_ in claims():
            for family, operation in re.findall(r"\b([a-z]+)/([a-z_0-9]+)\b(?=[/`, ]|$)", measured):
                self.assertIn(f"{family}/{operation}", explained, claim)


if __name__ == "__main__":
    if UPDATE:
        update()
    main()
