"""What `cupel compare` prints of the files in inputs/, in any locale:  compare_test.py CUPEL [--update]"""

import re

from program import HERE, ProgramTest, main

# name: (arguments, exit code). Inputs are in inputs/.
CASES = {
    "two.txt": (["before.json", "after.json"], 0),
    "two.md": (["before.json", "after.json", "--format", "markdown"], 0),
    "two.csv": (["before.json", "after.json", "--format", "csv"], 0),
    "two.json": (["before.json", "after.json", "--format", "json"], 0),
    "two.html": (["before.json", "after.json", "--format", "html"], 0),
    "renamed.txt": (["before.json", "after.json", "--renames", "renames.json"], 0),
    "slower.txt": (["before.json", "after.json", "--only", "slower"], 0),
    "three.txt": (["before.json", "after.json", "h100.json", "--reference", "h100", "--sort", "ratio"], 0),
    "filter.txt": (["before.json", "after.json", "--filter", "size:[01]$"], 0),
    "no_match.txt": (["before.json", "after.json", "--filter", "no_such"], 5),
    "itself.txt": (["before.json", "before.json"], 0),
    "foreign.txt": (["foreign_before.json", "foreign_after.json"], 0),
    "nothing.txt": (["before.json", "foreign_after.json"], 5),
    "fleet.txt": (["--fleet", "fleet"], 0),
    "fleet.md": (["--fleet", "fleet", "--format", "markdown"], 0),
    "fleet_filter.txt": (["--fleet", "fleet", "--filter", "size:0$"], 0),
    "fleet_no_match.txt": (["--fleet", "fleet", "--filter", "no_such"], 5),
    "fleet_only.txt": (["--fleet", "fleet", "--only", "slower"], 2),
    "expect.txt": (["--fleet", "expect", "--expect", "node[1-6]"], 4),
    "expect.md": (["--fleet", "expect", "--expect", "node[1-6]", "--format", "markdown"], 4),
    "expect.csv": (["--fleet", "expect", "--expect", "node[1-6]", "--format", "csv"], 4),
    "expect.json": (["--fleet", "expect", "--expect", "node[1-6]", "--format", "json"], 4),
    "expect.html": (["--fleet", "expect", "--expect", "node[1-6]", "--format", "html"], 4),
    "expect_others.txt": (["--fleet", "fleet", "--expect", "node[1-5]"], 0),
    "expect_none.txt": (["--fleet", "fleet", "--expect", " ,"], 2),
    "expect_no_list.txt": (["--fleet", "fleet", "--expect", "node[1-"], 2),
    "expect_no_fleet.txt": (["before.json", "after.json", "--expect", "node1"], 2),
    "tolerance.txt": (["before.json", "after.json", "--tolerance", "2%", "--filter", "size:[01]$"], 0),
    "tolerance_share.txt": (["before.json", "after.json", "--tolerance", "0.01"], 2),
    "tolerance_too_wide.txt": (["before.json", "after.json", "--tolerance", "3"], 2),
    "unreadable.txt": (["before.json", "renames.json"], 2),
    "absent.txt": (["before.json", "absent.json"], 2),
}


def without_style(text):
    """A page less what stands in every page; its hash stays."""
    return re.sub(r"<(style|script)>.*?</\1>", r"<\1>...</\1>", text, flags=re.DOTALL)


class Compare(ProgramTest):
    def test_prints_what_it_is_to(self):
        for file in (HERE / "inputs").iterdir():
            (self.folder / file.name).symlink_to(file)
        for name, (arguments, code) in CASES.items():
            for locale in ("C", "de_DE.UTF-8"):
                with self.subTest(name, locale=locale):
                    ended = self.cupel("compare", *arguments, code=code, LC_ALL=locale, COLUMNS="")
                    self.assert_golden(without_style(ended.out) + ended.err, name)


if __name__ == "__main__":
    main()
