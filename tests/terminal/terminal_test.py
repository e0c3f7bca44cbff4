"""What the program prints on a terminal: progress that is rewritten, colours, tables of its width."""

import os
import pty
import re
import subprocess
import sys

from program import CUPEL, ROOT, default_signals, main, whole_lines

sys.path += [str(ROOT / "tests" / "show"), str(ROOT / "tests" / "gate")]
import gate_test  # noqa: E402
import show_test  # noqa: E402

NOT_RUN = 77


class OnATerminal(gate_test.GateTest):
    def printed(self, *arguments, columns=80, code=0, **more):
        """What the terminal was sent, control characters included; both streams go there."""
        ours, theirs = pty.openpty()
        subprocess.run(["stty", "cols", str(columns)], stdin=theirs, check=True)
        program = subprocess.Popen([CUPEL, *map(str, arguments)], cwd=self.folder, env=self.environment(**more),
                                   stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs, preexec_fn=default_signals)
        os.close(theirs)
        text = b""
        try:
            while piece := os.read(ours, 65536):
                text += piece
        except OSError:  # how Linux says that the other end is closed
            pass
        os.close(ours)
        self.assertEqual(program.wait(timeout=20), code, text.decode())
        return text.decode()

    def test_rewrites_one_line_of_progress_and_heeds_no_color(self):
        self.family("a", sleep=0.15, mode="wrong")
        run = ["run", "--processes", 1, "--force", "--output", self.output]
        coloured = self.printed(*run, code=4)
        self.assertIn("\r\x1b[K", coloured)
        self.assertIn("a/work/bytes:1024", coloured)
        self.assertIn("\x1b[31m", coloured)
        self.assertNotIn("\x1b[31m", self.printed(*run, code=4, NO_COLOR="1"))
        self.assertNotIn("\x1b[", self.printed(*run, code=4, TERM="dumb"))

    def test_leaves_the_figures_on_lines_of_their_own(self):
        self.family("a", sleep=0.15)
        sent = self.printed("run", "--processes", 1, "--output", self.output)
        self.assertIn("left |", sent, "no progress was shown")
        seen = re.sub(r"[^\n]*\r\x1b\[K", "", sent)
        self.assertNotIn("left |", seen)
        self.assertIn("a/work", seen)

    def test_clears_the_progress_of_a_gate_before_its_verdict(self):
        same = self.program("same")
        sent = self.printed("gate", "--base", same, "--new", same)
        self.assertIn("\r\x1b[K", sent, "no progress was shown")
        self.assertRegex(sent.rsplit("\r\x1b[K", 1)[1], r"^base same\r\n")

    def test_exports_the_first_lines_to_a_terminal_and_all_to_a_file(self):
        table = ["export", ROOT / "results/nvidia-h200/optimizer.json.gz"]
        whole = self.cupel(*table, code=0).out.splitlines()
        shown = self.printed(*table).splitlines()
        self.assertEqual(shown[:5], whole[:5])
        more = f"cupel: {len(whole) - 5} more lines; --output FILE writes all to a file, and a pipe takes all"
        self.assertEqual(whole_lines("\n".join(shown[5:])), more)
        self.assertEqual(self.printed(*table, "--output", "all.csv"), "")
        self.assertEqual((self.folder / "all.csv").read_text().splitlines(), whole)
        short = [*table, "--level", "benchmarks", "--filter", "rule:sgd"]
        self.assertEqual(self.printed(*short).splitlines(), self.cupel(*short, code=0).out.splitlines())

    def test_wraps_what_goes_wrong_at_its_width_and_leaves_a_log_whole(self):
        wrong = ["compare", "--fleet", "bench"]
        logged = self.start(*wrong, COLUMNS="").communicate()[1]
        self.assertEqual(logged, "cupel: bench: holds no .json file; --fleet takes a folder with a result file of each node\n")
        asked = self.start(*wrong, COLUMNS="60").communicate()[1]
        for text in (asked, self.printed(*wrong, columns=60, code=2)):
            lines = text.splitlines()
            self.assertLessEqual(max(map(len, lines)), 60)
            self.assertRegex(lines[1], r"^ {8}\S")
            self.assertEqual(" ".join(line.strip() for line in lines), logged.strip())

    def test_makes_tables_of_the_width_of_the_terminal(self):
        file = self.file("h200.json", show_test.result())
        for columns in (60, 80, 200):
            text = re.sub(r"\x1b\[\d+m", "", self.printed("show", file, "--filter", "square", columns=columns))
            widths = [len(line) for line in text.splitlines() if "(" in line or "precision" in line]
            self.assertLessEqual(max(widths), columns)
            self.assertEqual(max(widths) > 100, columns == 200)

    def test_makes_noise_and_comparisons_give_way_and_says_so(self):
        file, other = (self.file(name, show_test.result()) for name in ("h200.json", "other.json"))
        for columns, command, left_out in ((70, ["show", "--noise", file], "In every row: wall "),
                                           (80, ["compare", "--all", file, other], "A wider terminal or --format markdown also shows: ")):
            self.assertNotIn(left_out, self.printed(*command, columns=400))
            narrow = self.printed(*command, columns=columns)
            self.assertIn(left_out, narrow)
            table = narrow[narrow.index("  benchmark"):narrow.index(left_out)]
            rows = [line for line in table.splitlines() if " us " in line or " ms " in line]
            self.assertGreater(len(rows), 3)
            self.assertLessEqual(max(map(len, rows)), columns)


def require_a_terminal():
    try:
        for end in pty.openpty():
            os.close(end)
    except OSError as error:
        print(f"not run: no terminal can be opened here ({error}); is /dev/pts mounted?")
        sys.exit(NOT_RUN)


if __name__ == "__main__":
    require_a_terminal()
    main()
