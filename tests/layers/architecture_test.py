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


def table_of_folders():
    """(room, folder in it, what is in it, folders that it may use) of the second table."""
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        if len(cells) == 3 and cells[0].startswith("`"):
            room, _, folder = cells[0].strip("`").partition("/")
            yield f"cupel/{room}", folder, re.sub(r"`|\[|\]\([^)]*\)", "", cells[1]), re.findall(r"`([^`]+)`", cells[2])


def folders_of_the_page():
    """{room: {folder in it: folders that it may use}}"""
    rooms = {}
    for room, folder, _, uses in table_of_folders():
        rooms.setdefault(room, {})[folder] = uses
    return rooms


def families_of_the_documentation():
    """{family: what it measures} of the table in docs/README.md."""
    table = (ROOT / "docs" / "README.md").read_text(encoding="utf-8").split("| family | what |\n")[1].split("\n\n")[0]
    return dict(re.findall(r"^\| \[(\w+)\]\([^)]*\) \| (.*) \|$", table, re.MULTILINE))


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

    def test_every_folder_inside_a_room_opens_with_the_line_of_the_page(self):
        folders = list(table_of_folders())
        self.assertGreater(len(folders), 10)
        for room, folder, what, _ in folders:
            opening = opening_of(f"{room}/{folder}")
            self.assertTrue(opening.startswith(f"report/{folder} ") and what in opening, f"{room}/{folder}/CMakeLists.txt")

    def test_every_family_opens_with_what_the_documentation_says_that_it_measures(self):
        families = families_of_the_documentation()
        self.assertEqual(set(families), {folder.name for folder in (ROOT / "bench").iterdir() if folder.is_dir()})
        for family, what in families.items():
            self.assertTrue(opening_of(f"bench/{family}").startswith(f"{family} measures {what}"), f"bench/{family}/CMakeLists.txt")

    def test_every_folder_of_kernels_opens_with_what_it_has(self):
        folders = [folder for folder in (ROOT / "kernels").iterdir() if folder.is_dir()]
        self.assertGreater(len(folders), 14)
        for folder in folders:
            self.assertRegex(opening_of(folder), rf"^{folder.name} (has|makes) ", f"{folder}/CMakeLists.txt")

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
