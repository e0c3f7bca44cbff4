#!/usr/bin/env python3
"""A piece of advice has one place, docs/advice: the library and the program name none, so that a new piece edits that alone."""

import re
import unittest

from program import ROOT, main

TITLE = re.compile(r"^## (\S+)$", re.MULTILINE)
TEXT = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
COMMENT = re.compile(r"//.*")
ENTRY_OF_A_REASON = "- Silence:"


def pieces():
    for page in (ROOT / "docs" / "advice").glob("*.md"):
        for section in re.split(r"^(?=## )", page.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
            if ENTRY_OF_A_REASON not in section and "- Symptom:" not in section:
                yield TITLE.match(section)[1]


def sources():
    for folder in ("cupel", "cli"):
        for suffix in ("cpp", "hpp"):
            for path in (ROOT / folder).rglob(f"*.{suffix}"):
                if not path.stem.endswith("_test") and not path.stem.startswith("synthetic"):
                    yield path


def named_in(text, ids):
    """The pieces that string literals of a source are."""
    return sorted({literal for literal in TEXT.findall(COMMENT.sub("", text)) if literal in ids})


class Catalogue(unittest.TestCase):
    # One word alone, as "clocks" or "profile", may be the name of something else; several of them are a list of pieces.
    def test_no_source_names_a_piece(self):
        ids = set(pieces())
        self.assertGreater(len(ids), 70)
        for path in sources():
            named = named_in(path.read_text(encoding="utf-8"), ids)
            self.assertEqual([one for one in named if "-" in one], [], path)
            self.assertLess(len(named), 3, f"{path}: {named}")

    def test_a_list_of_pieces_would_be_found(self):
        ids = {"pin-memory", "graphs"}
        self.assertEqual(named_in('const char* kFew[] = {"pin-memory", "graphs"};  // "no-sync"', ids), ["graphs", "pin-memory"])
        self.assertEqual(named_in('std::string id;  ///< e.g. "pin-memory"', ids), [])


if __name__ == "__main__":
    main()
