#!/usr/bin/env python3
"""Public headers of the rooms that other rooms build on: each declaration has a comment, and examples in comments are compiled. And the
lines of README.md, CHANGELOG.md and docs/ are no longer than a screen is wide."""

import re
import unittest

from program import ROOT, main

MOST_COLUMNS = 160
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


MEMBER = re.compile(r"  (?! )(?!.*(?:= delete|= default|\boverride\b|\boperator\b|[~#]))(?:(?:struct|class|enum class) (\w+).*\{|[^(]*?\b(\w+)\()")


def uncommented_members(text):
    """Functions and types inside a public struct or class that have no comment; overloads side by side share one, and data may be obvious."""
    is_public, before, named = False, "", None
    for line in text.split("\n"):
        if re.match(r"(struct|class) \w+[^;]*\{$|};| (public|private|protected):", line):
            is_public, before, named = line.startswith("struct") or "public:" in line, line, None
        elif not re.match(r"  [^ }]", line):
            before = before if line.startswith("   ") else line
        else:
            member = MEMBER.match(line)
            name = member and (member[1] or member[2])
            if is_public and name and "///" not in line and "///" not in before and "template" not in before and name != named:
                yield line.strip()
            before, named = line, name or (named if "//" in line else None)


def example(text):
    """The lines of the example in a header's comments, without their indent."""
    return [line.strip() for line in re.findall(r"^///     (.+)$", text, re.MULTILINE)]


def long_lines(text):
    """Lines of prose that are too long, with their numbers: a table, code and a comment cannot be wrapped."""
    is_code = False
    for number, line in enumerate(text.splitlines(), 1):
        is_fence = line.lstrip().startswith("```")
        is_code ^= is_fence
        if len(line) > MOST_COLUMNS and not (is_code or is_fence or line.startswith(("|", "    ", "<!--", "!["))):
            yield number


class Docs(unittest.TestCase):
    def test_has_no_line_longer_than_its_neighbours(self):
        pages = [ROOT / "README.md", ROOT / "CHANGELOG.md", *(ROOT / "docs").rglob("*.md")]
        self.assertGreater(len(pages), 50)
        for page in pages:
            with self.subTest(str(page.relative_to(ROOT))):
                self.assertEqual(list(long_lines(page.read_text(encoding="utf-8"))), [])

    def test_notices_a_line_that_is_too_long(self):
        long = "x" * (MOST_COLUMNS + 1)
        self.assertEqual(list(long_lines(f"{long}\n| {long} |\n```\n{long}\n```\n- {long}\n{long[1:]}\n    {long}\n")), [1, 6])

    def test_each_declaration_says_what_it_is(self):
        headers = list(public_headers())
        self.assertGreater(len(headers), 80)
        for header in headers:
            with self.subTest(str(header.relative_to(ROOT))):
                self.assertEqual(list(uncommented(header.read_text(encoding="utf-8"))), [])
                self.assertEqual(list(uncommented_members(header.read_text(encoding="utf-8"))), [])

    def test_notices_a_member_that_does_not(self):
        text = ("struct A {\n  int b() const;\n  struct C {\n    int d();\n  };\n\n  /// Does.\n  void e(int);\n  void e(double);\n  void f();\n"
                "  A(const A&) = delete;\n  int g = 0;\n\n private:\n  void h();\n};\n")
        self.assertEqual(list(uncommented_members(text)), ["int b() const;", "struct C {", "void f();"])

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
