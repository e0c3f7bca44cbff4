#!/usr/bin/env python3
"""A source includes the header of its name first, so that a build of single sources shows that it stands alone."""

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


class Headers(unittest.TestCase):
    def test_come_first_in_the_source_of_their_name(self):
        found = list(pairs())
        self.assertGreater(len(found), 200)
        self.assertEqual([str(source.relative_to(ROOT)) for source, header in found if first_include(source) != header], [])


if __name__ == "__main__":
    main()
