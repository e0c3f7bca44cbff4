#!/usr/bin/env python3
"""Files that earn their place: no header that only forwards a name or holds a constant, and no link to a script."""

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

    def test_no_test_is_reached_through_a_link(self):
        self.assertEqual([path for path in (ROOT / "tests").rglob("*.py") if path.is_symlink()], [])


if __name__ == "__main__":
    main()
