#!/usr/bin/env python3
"""Public headers of the rooms that other rooms build on: each declaration has a comment, and examples in comments are compiled."""

import re
import unittest

from program import ROOT, main

ROOMS = ("timing", "harness", "figures", "stats", "record", "verify")
# A header with an example, and the source of a test that has the same lines.
EXAMPLES = {
    "cupel/timing/sample_device.hpp": "tests/consumer/project/memset.cpp",
    "cupel/harness/registry.hpp": "tests/consumer/project/memset.cpp",
    "cupel/figures/figure.hpp": "cupel/figures/figure_test.cpp",
}
DECLARES = re.compile(r"(struct|class|enum class) \w+[^;]*\{|(inline|constexpr|template|using)\b|[\w:\[<][^=]*\w\(")
SAYS_NOTHING_NEW = re.compile(r"using record::|constexpr auto names_of\(")


def public_headers():
    for room in ROOMS:
        lists = (ROOT / "cupel" / room / "CMakeLists.txt").read_text(encoding="utf-8")
        for names in re.findall(r"\bHEADERS\b(.*?)\b(?:SOURCES|LIBRARIES|PRIVATE_LIBRARIES)\b|\bHEADERS\b([^)]*)\)", lists, re.DOTALL):
            yield from (ROOT / "cupel" / room / name for name in " ".join(names).split() if name.endswith(".hpp"))


def uncommented(text):
    """First lines of blocks at the left edge that declare something and have no comment."""
    for block in re.split(r"\n\n+", text[max(text.find("\nnamespace"), 0):]):
        lines = [line for line in block.split("\n") if not line.startswith("namespace") and not line.startswith("}")]
        if not lines or not DECLARES.match(lines[0]) or SAYS_NOTHING_NEW.match(lines[0]):
            continue
        if "///<" not in lines[0]:
            yield lines[0]


def example(text):
    """The lines of the example in a header's comments, without their indent."""
    return [line.strip() for line in re.findall(r"^///     (.+)$", text, re.MULTILINE)]


class Docs(unittest.TestCase):
    def test_each_declaration_says_what_it_is(self):
        headers = list(public_headers())
        self.assertGreater(len(headers), 80)
        for header in headers:
            with self.subTest(str(header.relative_to(ROOT))):
                self.assertEqual(list(uncommented(header.read_text(encoding="utf-8"))), [])

    def test_notices_one_that_does_not(self):
        text = "namespace a {\n\nstruct B {\n  int c;\n};\n\n/// Does.\nvoid d();\n\nint e();\n\nusing record::to_string;\n\n}\n"
        self.assertEqual(list(uncommented(text)), ["struct B {", "int e();"])

    def test_examples_are_what_a_test_compiles(self):
        for header, source in EXAMPLES.items():
            with self.subTest(header):
                lines = example((ROOT / header).read_text(encoding="utf-8"))
                self.assertNotEqual(lines, [])
                compiled = "\n".join(line.strip() for line in (ROOT / source).read_text(encoding="utf-8").splitlines())
                self.assertIn("\n".join(lines), compiled)


if __name__ == "__main__":
    main()
