#!/usr/bin/env python3
"""docs/architecture.md against ci/check-layers, and the way from the README to the line that decides "pays"."""

import itertools
import re
import unittest

from program import ROOT, load_script, main

PAGE = ROOT / "docs" / "architecture.md"
CHECK = load_script("check-layers")
ALLOWED = CHECK.ALLOWED
LINK = re.compile(r"\]\(([^)#]+)[^)]*\)")


def rooms_of_the_page():
    """{room: (rooms it may use, libraries)} of the table."""
    rooms = {}
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        if len(cells) == 4 and cells[0].startswith("`"):
            names = re.findall(r"`([^`]+)`", cells[2])
            rooms[cells[0].strip("`")] = (names, [] if cells[3] == "–" else cells[3].split())
    return rooms


def folders_of_the_page():
    """{room: {folder in it: folders that it may use}} of the second table."""
    rooms = {}
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        if len(cells) == 3 and cells[0].startswith("`"):
            room, _, folder = cells[0].strip("`").partition("/")
            rooms.setdefault(f"cupel/{room}", {})[folder] = re.findall(r"`([^`]+)`", cells[2])
    return rooms


def paragraphs_of_the_page():
    """{room: what it is and what it is not}, without markup."""
    section = PAGE.read_text(encoding="utf-8").split("## What each room is, and what it is not\n")[1].split("\n## ")[0]
    told = {}
    for item in re.split(r"^- ", section, flags=re.MULTILINE)[1:]:
        text = " ".join(re.sub(r"[*`]", "", item).split())
        told |= dict.fromkeys(re.findall(r"\*\*(\w+)\*\*", item), text)
    return told


def opening_of(room):
    """The comment that the folder's list of files opens with, on one line."""
    lines = (ROOT / room / "CMakeLists.txt").read_text(encoding="utf-8").splitlines()
    return " ".join(line[2:] for line in itertools.takewhile(lambda line: line.startswith("# "), lines))


def links_of(page):
    return {(page.parent / link).resolve() for link in LINK.findall(page.read_text(encoding="utf-8"))
            if "://" not in link}


class Architecture(unittest.TestCase):
    def test_the_page_has_the_rooms_of_the_check_and_what_each_may_use(self):
        table = {room: ([name.replace("cupel/", "") for name in ours], libraries)
                 for room, (ours, libraries) in ALLOWED.items()}
        self.assertEqual(rooms_of_the_page(), table)

    def test_the_page_has_the_folders_inside_a_room_and_what_each_may_use(self):
        self.assertEqual(folders_of_the_page(), CHECK.INSIDE)

    def test_every_room_of_the_library_is_a_folder(self):
        folders = {f"cupel/{folder.name}" for folder in (ROOT / "cupel").iterdir() if folder.is_dir()}
        self.assertEqual(folders, {room for room in ALLOWED if room.startswith("cupel/")})

    def test_every_room_opens_with_the_paragraph_of_the_page(self):
        told = paragraphs_of_the_page()
        rooms = [room for room in ALLOWED if not room.endswith(">") and room != "kernels/common"]
        self.assertGreater(len(rooms), 24)
        for room in rooms:
            self.assertTrue(opening_of(room).startswith(told[room.removeprefix("cupel/")]), f"{room}/CMakeLists.txt")

    def test_what_the_page_links_to_is_there(self):
        links = links_of(PAGE)
        self.assertGreater(len(links), 10)
        self.assertEqual([link for link in links if not link.exists()], [])

    def test_the_line_that_decides_pays_is_three_files_from_the_readme(self):
        way = [ROOT / "README.md", ROOT / "docs" / "advise.md", ROOT / "cupel" / "advice" / "judge.cpp"]
        for here, there in zip(way, way[1:]):
            self.assertIn(there, links_of(here))
        self.assertIn("return AdviceVerdict::pays;", way[-1].read_text(encoding="utf-8"))


if __name__ == "__main__":
    main()
