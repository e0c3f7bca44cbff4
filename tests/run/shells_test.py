"""What shells make of cupel's completions, and man of its pages: shells_test.py CUPEL bash|zsh|fish|man. 77: not run, it is not here."""

import os
import re
import shlex
import shutil
import subprocess
import sys

from program import CUPEL, ROOT, ProgramTest, main

PROGRAM = sys.argv[2]


def completed_by_bash(line):
    """What the script replies to a line whose last word is to be completed."""
    words = line.split(" ")
    script = f"""source <({shlex.quote(CUPEL)} completions bash)
      COMP_WORDS=({' '.join(map(shlex.quote, words))}) COMP_CWORD={len(words) - 1}
      _cupel; printf '%s\\n' "${{COMPREPLY[@]}}" """
    return set(subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True).stdout.split())


def completed_by_fish(line):
    script = f"{shlex.quote(CUPEL)} completions fish | source; complete -C {shlex.quote(line)}"
    ended = subprocess.run(["fish", "--no-config", "-c", script], capture_output=True, text=True, check=True)
    return {reply.split("\t")[0] for reply in ended.stdout.splitlines()}


def completed_by_zsh(line):
    """Zsh completes on a terminal alone: one that it makes itself, whose list of replies is read from the screen."""
    script = f"""
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell 'autoload -Uz compinit; compinit -u -D; source <({shlex.quote(CUPEL)} completions zsh)'
zpty -w shell 'LISTMAX=1000; zstyle ":completion:*" verbose no; PS1=; bindkey "^I" list-choices; echo be""gin'
zpty -r -m shell out '*begin*'
zpty -w -n shell {shlex.quote(line)}$'\\t'
sleep 1; zpty -w -n shell $'\\x15'; zpty -w shell 'echo en""d'
zpty -r -m shell out '*end*'
print -r -- $out
"""
    ended = subprocess.run(["zsh", "-f", "-c", script], capture_output=True, text=True, check=True, timeout=60,
                           env={"TERM": "dumb", "COLUMNS": "300", "PATH": "/usr/bin:/bin", "HOME": "/nonexistent"})
    return set(re.findall(r"[-\w]+", re.sub(r"\x1b\[[\d;?]*[A-Za-z]", " ", ended.stdout)))


class Completions(ProgramTest):
    def setUp(self):
        super().setUp()
        os.chdir(ROOT)

    def holds(self, completed):
        self.assertLessEqual({"run", "show", "completions", "--help", "-V"}, completed("cupel "[:-1] + " ") | completed("cupel -"))
        self.assertLessEqual({"--budget", "--processes"}, completed("cupel run --"))
        self.assertNotIn("--across", completed("cupel run --"))
        self.assertLessEqual({"events", "cupti"}, completed("cupel run --timer "))
        self.assertIn("add", completed("cupel history "))
        self.assertIn("--commit", completed("cupel history add --"))
        self.assertNotIn("--commit", completed("cupel history --"))
        self.assertLessEqual({"bash", "zsh", "fish"}, completed("cupel completions "))

    def files(self, completed):
        for line in ("cupel show cli/", "cupel run --output cli/", "cupel validate -q cli/"):
            self.assertTrue(any("main" in reply for reply in completed(line)), line)
        self.assertFalse(any("main" in reply for reply in completed("cupel run --filter cli/")))

    def test_of_the_shell(self):
        completed = {"bash": completed_by_bash, "zsh": completed_by_zsh, "fish": completed_by_fish}[PROGRAM]
        self.holds(completed)
        if PROGRAM != "zsh":  # which lists files in columns of its own
            self.files(completed)


class Manual(ProgramTest):
    def test_pages_are_shown_without_a_warning(self):
        self.cupel("manual", "--folder", self.folder, code=0)
        pages = list(self.folder.glob("*.1"))
        self.assertGreater(len(pages), 14)
        for page in pages:
            ended = subprocess.run(["man", "--warnings", "-l", "-Tutf8", page], capture_output=True, text=True, check=True,
                                   env={"LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin", "MANWIDTH": "100"})
            self.assertEqual(ended.stderr, "", page.name)
            self.assertIn("EXIT STATUS", re.sub(".\b", "", ended.stdout))


if __name__ == "__main__":
    if not shutil.which(PROGRAM):
        print(f"not run: there is no {PROGRAM} here; scripts/setup --tests installs it")
        sys.exit(77)
    main("Manual" if PROGRAM == "man" else "Completions")
