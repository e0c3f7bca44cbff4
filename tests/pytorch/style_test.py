"""Types (mypy --strict) and style (pyflakes) of the family pytorch, by Debian's own tools, where they are; and its length."""

import os
import pathlib
import subprocess
import sys
import unittest

FOLDER = pathlib.Path(sys.argv[1]).resolve()
PYTHON = "/usr/bin/python3"
MOST_LINES, LONGEST_LINE = 1500, 140  # lines: but for blank ones


def has(module):
    return subprocess.run([PYTHON, "-c", f"import {module}"], capture_output=True, check=False).returncode == 0


class Style(unittest.TestCase):
    files = sorted(FOLDER.glob("cupel_pytorch/*.py"))

    def run_tool(self, *arguments):
        ended = subprocess.run([PYTHON, "-m", *map(str, arguments)], capture_output=True, text=True, check=False, cwd=FOLDER)
        self.assertEqual(ended.returncode, 0, ended.stdout + ended.stderr)

    def test_types_are_right(self):
        self.run_tool("mypy", "--strict", "--follow-imports=skip", "--ignore-missing-imports", f"--cache-dir={os.devnull}", "cupel_pytorch")

    def test_no_name_is_unknown_or_unused(self):
        self.run_tool("pyflakes", *self.files)

    def test_files_are_small_and_so_is_their_sum(self):
        lengths = {file.name: file.read_text(encoding="utf-8").splitlines() for file in self.files}
        self.assertLessEqual(sum(bool(line.strip()) for lines in lengths.values() for line in lines), MOST_LINES)
        for name, lines in lengths.items():
            self.assertLessEqual(len(lines), 300, name)
            self.assertLessEqual(max(map(len, lines), default=0), LONGEST_LINE, name)


if __name__ == "__main__":
    missing = [module for module in ("mypy", "pyflakes") if not has(module)]
    if missing:
        print(f"not run: {PYTHON} has no {' and no '.join(missing)}; scripts/setup --tests installs them")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])
