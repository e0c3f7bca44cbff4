#!/usr/bin/env python3
"""A source includes the header of its name first, so that a build of single sources shows that it stands alone; and the headers of the
rooms that outsiders use say of each declaration what it is or does."""

import re
import unittest

from program import ROOT, main

INCLUDE = re.compile(r'^#include ["<]([^">]+)[">]', re.MULTILINE)


def first_include(path):
    found = INCLUDE.search(path.read_text(encoding="utf-8"))
    return found[1] if found else None


def pairs():
    """Each source with the header of its name."""
    for folder in ("cupel", "kernels", "cli", "bench"):
        for source in (ROOT / folder).rglob("*.cpp"):
            header = source.with_suffix(".hpp")
            if header.exists():
                yield source, str(header.relative_to(ROOT))


ROOMS = ("figures", "harness", "record", "stats", "timing", "verify")
COMMENT = re.compile(r"\s*//(/?)\s*(?!/?<)(.*)")
# What a sentence of the form "X does Y." or a name of what stands below does not open with.
ASKEW = re.compile(r"(As|Ahead|All|Around|At|Before|Beside|By|Each|Every|For|From|Here|How|In|Is|Like|No|Not|Nothing|Of|On|Once|Only|The same|To|"
                   r"Under|What|When|Where|Whether|Which|While|With)\b|[^A-Z]")


def headers():
    for room in ROOMS:
        yield from sorted((ROOT / "cupel" / room).glob("*.hpp"))


def openings(text):
    """The first line of each comment that stands on lines of its own, with its line's number."""
    before = False
    for number, line in enumerate(text.splitlines(), 1):
        comment = COMMENT.match(line)
        if comment and not before:
            yield number, comment[2]
        before = bool(re.match(r"\s*//", line))


class Words(unittest.TestCase):
    def test_of_the_headers_of_rooms_for_outsiders_open_with_their_subject_or_verb(self):
        found = [(header, number, opening) for header in headers() for number, opening in openings(header.read_text(encoding="utf-8"))]
        self.assertGreater(len(found), 500)
        self.assertEqual([f"{header.relative_to(ROOT)}:{number}: {opening}" for header, number, opening in found if ASKEW.match(opening)], [])

    def test_say_first_what_the_header_holds(self):
        self.assertEqual([str(header.relative_to(ROOT)) for header in headers() if not header.read_text(encoding="utf-8").startswith("// ")], [])

    def test_that_are_askew_would_be_found(self):
        for opening in ("Whether it is.", "The same of two.", "text: a file.", '"4 KiB" of 4096.', "64 bits."):
            self.assertTrue(ASKEW.match(opening), opening)
        for opening in ("Returns the mean.", "The mean of a sample.", "Tells whether it is."):
            self.assertFalse(ASKEW.match(opening), opening)


class Headers(unittest.TestCase):
    def test_come_first_in_the_source_of_their_name(self):
        found = list(pairs())
        self.assertGreater(len(found), 200)
        self.assertEqual([str(source.relative_to(ROOT)) for source, header in found if first_include(source) != header], [])


if __name__ == "__main__":
    main()
