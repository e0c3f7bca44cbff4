"""What ci/ offers for GitHub: whose code it runs, with which rights, and what the gate's action hands on."""

import os
import re
import subprocess
import textwrap

from program import ROOT, FolderTest, main

ACTION = ROOT / "ci" / "gate-action" / "action.yml"


def script_of(action):
    """The lines below the first `run: |`."""
    found = re.search(r"^( +)run: \|\n((?:\1 .*\n|\n)+)", action, re.MULTILINE)
    return textwrap.dedent(found[2])


class Actions(FolderTest):
    def test_are_named_by_commit(self):
        used = [(file, name) for file in sorted((ROOT / "ci").rglob("*.yml"))
                for name in re.findall(r"uses:\s*(\S+)", file.read_text(encoding="utf-8"))]
        self.assertGreater(len(used), 3)
        for file, name in used:
            self.assertRegex(name, r"^(\./\S+|[\w.-]+/[\w./-]+@[0-9a-f]{40})$", file)

    def test_and_scripts_that_judge_a_change_are_not_its_own(self):
        """What lies in the working folder is the change's to edit; .gate-base is a checkout of the base."""
        texts = [file.read_text(encoding="utf-8") for file in [ACTION, *sorted((ROOT / "ci" / "examples").iterdir())]]
        actions = [name for text in texts for name in re.findall(r"uses: (\S*gate-action\S*)", text)]
        self.assertEqual(actions, ["./.gate-base/ci/gate-action"])
        scripts = [line for text in texts for line in text.splitlines() if "ci/gate-merge-base" in line]
        self.assertEqual(len(scripts), 3)
        for line in scripts:
            self.assertRegex(line, r'git show "[^"]+:ci/gate-merge-base" >"')

    def test_may_only_read(self):
        workflow = (ROOT / "ci" / "examples" / "github.yml").read_text(encoding="utf-8")
        self.assertEqual(re.findall(r"^permissions:.*$", workflow, re.MULTILINE), ["permissions: {contents: read}"])
        self.assertIn("permissions: {contents: read}", ACTION.read_text(encoding="utf-8"))

    def test_of_the_gate_hands_on_the_arguments_of_all_lines(self):
        self.executable("gate-merge-base", '#!/bin/sh\nprintf "%s\\n" "$@"\n')
        action = self.file("gate-action/action.yml", "").parent
        told = subprocess.run(["bash", "-e", "-o", "pipefail", "-c", script_of(ACTION.read_text(encoding="utf-8"))],
                              env={**os.environ, "GITHUB_ACTION_PATH": str(action), "GATE_BASE": "origin/main", "GATE_NEW": "HEAD",
                                   "GATE_BUILD": "make all", "GATE_EXECUTABLES": "",
                                   "GATE_ARGUMENTS": "--calibration a.json\n--tolerance 2 %\n--quiet\n"},
                              capture_output=True, text=True, check=True).stdout.splitlines()

        self.assertEqual(told, ["--base", "origin/main", "--new", "HEAD", "--results", "gate-results", "--build", "make all",
                                "--", "--calibration", "a.json", "--tolerance", "2", "%", "--quiet"])


main()
