#!/usr/bin/env python3
"""Files that earn their place: no header that only forwards a name or holds a constant, no test that nothing builds, and
no link to a script."""

import re
import unittest

from program import ROOT, main

COMMENT = re.compile(r"//.*")
FORWARDS = re.compile(r"using (namespace )?[\w:]+;")
CONSTANT = re.compile(r"(inline |static )*constexpr [\w:]+ k\w+ ?(=|\{).*;")
FRAME = re.compile(r"#pragma once|#include .*|namespace [\w:]* ?\{|\}")


def statements(text):
    """What a header says beyond its includes and namespaces."""
    lines = (COMMENT.sub("", line).strip() for line in text.splitlines())
    return [line for line in lines if line and not FRAME.fullmatch(line)]


def earns_its_place(text):
    return any(not FORWARDS.fullmatch(line) and not CONSTANT.fullmatch(line) for line in statements(text))


def is_in_a_list(test):
    """Whether the CMakeLists.txt of its folder, or of one above, names it."""
    lists = [folder / "CMakeLists.txt" for folder in test.parents if folder == ROOT or ROOT in folder.parents]
    return any(re.search(rf"[\s/]{re.escape(test.name)}\b", one.read_text(encoding="utf-8")) for one in lists if one.exists())


class Files(unittest.TestCase):
    def test_no_header_only_forwards_or_holds_a_constant(self):
        headers = [path for folder in ("cupel", "cli", "kernels", "bench") for suffix in ("hpp", "cuh")
                   for path in (ROOT / folder).rglob(f"*.{suffix}")]
        self.assertGreater(len(headers), 200)
        idle = [str(path.relative_to(ROOT)) for path in headers if not earns_its_place(path.read_text(encoding="utf-8"))]
        self.assertEqual(idle, [])

    def test_such_a_header_would_be_found(self):
        self.assertFalse(earns_its_place('#pragma once\n#include "a.hpp"\nnamespace a {\nusing b::C;  // C\n}  // namespace a\n'))
        self.assertFalse(earns_its_place("namespace a {\ninline constexpr double kMost = 1e-3;\n}\n"))
        self.assertTrue(earns_its_place("namespace a {\nint f();\n}\n"))
        self.assertTrue(earns_its_place("#define A 1\n"))

    def test_every_test_is_built(self):
        tests = [path for folder in ("cupel", "cli", "kernels", "bench") for suffix in ("cpp", "cu")
                 for path in (ROOT / folder).rglob(f"*_test.{suffix}")]
        self.assertGreater(len(tests), 100)
        self.assertEqual([str(path.relative_to(ROOT)) for path in tests if not is_in_a_list(path)], [])
        self.assertFalse(is_in_a_list(ROOT / "cupel/fleet/no_such_test.cpp"))

    def test_no_test_is_reached_through_a_link(self):
        self.assertEqual([path for path in (ROOT / "tests").rglob("*.py") if path.is_symlink()], [])


if __name__ == "__main__":
    main()
