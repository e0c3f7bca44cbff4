"""What a command says unasked fits a screen or so: at most 60 lines of 80 columns of any result that is here, and with air what is read most."""

import itertools
import re
import sys
from pathlib import Path

from program import ROOT, main

sys.path.append(str(ROOT / "tests" / "gate"))
import gate_test  # noqa: E402

RESULTS = Path("results")  # as somebody in a checkout names it, so that no line is as long as the checkout's own path
FOLDERS = sorted(path.relative_to(ROOT) for path in (ROOT / RESULTS).iterdir() if path.is_dir())
FILES = sorted(path.relative_to(ROOT) for path in (ROOT / RESULTS).rglob("*.json.gz"))
H200 = RESULTS / "nvidia-h200"
H200_FILES = [path for path in FILES if path.parent == H200]
MOST = 60
MOST_COMPARED, MOST_ADVISED = 58, 38  # of two results, and of one: some room for what another result has besides
TABLES = {"show", "list", "explain", "export", "completions", "manual"}  # as long as what was asked for


class Lines(gate_test.GateTest):
    def setUp(self):
        super().setUp()
        for name in ("results", "docs"):
            (self.folder / name).symlink_to(ROOT / name)

    def short(self, *command, codes=(0,), most=MOST):
        ended = self.cupel(*command, COLUMNS="80")
        self.assertIn(ended.code, codes, ended.err)
        lines = (ended.out + ended.err).splitlines()
        rows = sum(max(1, -(-len(line) // 80)) for line in lines)  # of the screen: a longer line takes several
        self.assertLessEqual(rows, most, "\n".join([f"{rows} rows: {command}", *lines[:90]]))
        self.commands.add(command[0])

    def test_of_every_command(self):
        self.commands = set()
        self.of_one_result()
        self.of_several()
        self.of_measuring()
        listed = self.cupel("--help", code=0).out.split("Subcommands:")[1].split("\n\n")[0]
        self.assertEqual(set(re.findall(r"^  (\w+) ", listed, re.M)) - self.commands, TABLES)

    def of_one_result(self):
        for result in [*FILES, *FOLDERS]:
            self.short("advise", result, most=MOST_ADVISED)
            self.short("validate", result)
            self.short("report", result, "--output", "page.html")
            self.short("submit", result, "--output", f"bundle-{result.name}-{result.parent.name}", codes=(0, 2))
        for file in FILES:
            self.short("gate", "--baseline", file, "--new", file, codes=(0, 4, 6))
        for file in H200_FILES:
            self.short("history", "add", file, "kept", "--commit", "c1", "--force")
        self.short("history", "kept", codes=(0, 5))
        for folder in FOLDERS:
            self.short("advise", "--step", "docs/examples/resnet50-step.json", folder)
            self.short("submit", "--check", folder, codes=(0, 2))

    def of_several(self):
        self.assertGreater(len(FOLDERS), 3)
        for one, other in itertools.permutations(FOLDERS, 2):
            self.short("advise", one, other)
            self.short("compare", one, other, codes=(0, 5), most=MOST_COMPARED)
        self.short("advise", *FOLDERS)
        self.short("compare", *FOLDERS, codes=(0, 5))
        for count in (3, 4, 6, 7, 12, len(FILES)):
            self.short("compare", *FILES[:count], codes=(0, 5))
        for folder in FOLDERS:
            self.short("compare", "--fleet", folder, codes=(0, 5))
        for one, other in itertools.permutations(FILES, 2):
            if one.name == other.name:
                self.short("compare", one, other, codes=(0, 5), most=MOST_COMPARED)
        self.short("gate", "--baseline", H200 / "fusion.json.gz", "--new", H200 / "transfer.json.gz", codes=(4,))
        for file in H200_FILES:
            self.short("gate", "--baseline", file, "--new", RESULTS / "nvidia-h100" / file.name, codes=(5,))
        self.short("bands")

    def of_measuring(self):
        self.short("doctor", codes=(0, 3))
        a, b = (self.program(name, {f"BM_work/{n}": 1000.0 * n * factor for n in range(1, 40)}) for name, factor in (("a", 1), ("b", 1.05)))
        self.short("gate", "--base", a, "--new", b, codes=(1,))
        self.short("calibrate", a, "--output", "calibration.json")
        self.short("history", self.history(names=[f"BM_work/{n}" for n in range(40)]), "--release", "c8", codes=(0, 1, 6))
        for name in "abcdefgh":
            self.family(name, benchmarks=10)
        self.short("run", "--processes", 1, "--quiet", "--output", self.output)
        self.short("run", "--processes", 1, "--output", self.folder / "loud.json")


if __name__ == "__main__":
    main()
