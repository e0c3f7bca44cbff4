"""ci/gate-merge-base on a repository of its own, whose build copies a fake Google Benchmark program."""

import json
import os
import shutil
import subprocess

from gate_test import FAKE
from program import CUPEL, ROOT, ProgramTest, main

SCRIPT = ROOT / "ci" / "gate-merge-base"
SLURM = ROOT / "ci" / "examples" / "gate-slurm.sh"
BUILD = "mkdir -p out && cp program.py out/bench && chmod +x out/bench && cp times.json out/bench.json"


class MergeBase(ProgramTest):
    def setUp(self):
        super().setUp()
        self.repository = self.folder / "repository"
        self.file("repository/program.py", FAKE)
        self.git("init", "--quiet", "--initial-branch", "main")
        self.commit("first", {"BM_a": 1000.0, "BM_b": 2000.0}, seed=1)

    def git(self, *arguments):
        return subprocess.run(["git", "-c", "user.name=test", "-c", "user.email=test@localhost", *arguments],
                              cwd=self.repository, check=True, capture_output=True, text=True).stdout.strip()

    def commit(self, subject, times, seed):
        self.file("repository/times.json", {"benchmarks": times, "seed": seed})
        self.git("add", ".")
        self.git("commit", "--quiet", "-m", subject)

    def run_script(self, *arguments, script=SCRIPT, **more):
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("GIT_", "GITHUB_", "SLURM_"))}
        return subprocess.run([str(script), *arguments], cwd=self.repository, capture_output=True, text=True,
                              env={**kept, "CUPEL": CUPEL, **more}, timeout=100)

    def gate(self, *arguments, code=0, **more):
        done = self.run_script("--base", "main", "--build", BUILD, "--executables", "out/ben[c]h", *arguments, **more)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def verdicts(self):
        result = json.loads((self.repository / ".gate" / "results" / "gate.json").read_text())
        return {row["name"]: row["verdict"] for row in result["rows"] if row["metric"] == "time"}

    def test_passes_a_branch_that_changes_nothing(self):
        self.git("checkout", "--quiet", "-b", "topic")
        self.commit("second", {"BM_a": 1000.0, "BM_b": 2000.0}, seed=2)
        self.gate()
        self.assertEqual(set(self.verdicts().values()), {"SAME"})
        self.assertEqual(self.git("status", "--porcelain"), "")

    def test_finds_what_the_branch_made_slower_and_not_what_main_did_since(self):
        self.git("checkout", "--quiet", "-b", "topic")
        self.commit("slower", {"BM_a": 1050.0, "BM_b": 2000.0}, seed=2)
        self.git("checkout", "--quiet", "main")
        self.commit("main goes on", {"BM_a": 1000.0, "BM_b": 1000.0}, seed=3)
        self.git("checkout", "--quiet", "topic")
        summary = self.folder / "summary"
        self.gate(code=1, GITHUB_STEP_SUMMARY=str(summary))
        self.assertEqual(self.verdicts(), {"BM_a": "SLOWER", "BM_b": "SAME"})
        self.assertIn("BM_a", summary.read_text())
        for name in ("gate.md", "gate.xml"):
            self.assertTrue((self.repository / ".gate" / "results" / name).exists())
        self.gate("--exact", "--base", "main", code=1)
        self.assertEqual(self.verdicts(), {"BM_a": "SLOWER", "BM_b": "SLOWER"})

    def test_goes_by_the_policy_of_the_base(self):
        self.file("repository/ci/gate.json", {"cupel_gate_policy": 1})
        self.commit("policy", {"BM_a": 1000.0, "BM_b": 2000.0}, seed=1)
        self.git("checkout", "--quiet", "-b", "topic")
        self.file("repository/ci/gate.json", {"cupel_gate_policy": 1, "tolerance": 0.9})
        self.commit("slower, and a looser policy", {"BM_a": 1050.0, "BM_b": 2000.0}, seed=2)
        self.gate(code=1)

    def test_is_not_loosened_by_what_the_change_does_while_it_is_built(self):
        self.file("repository/ci/gate.json", {"cupel_gate_policy": 1})
        self.commit("policy", {"BM_a": 1000.0, "BM_b": 2000.0}, seed=1)
        self.git("checkout", "--quiet", "-b", "topic")
        self.commit("slower", {"BM_a": 1050.0, "BM_b": 2000.0}, seed=2)
        loosen = 'for side in .. ../base .; do test -d $side/ci && ' \
                 'echo \'{"cupel_gate_policy": 1, "tolerance": 0.9}\' >$side/ci/gate.json; done; true'
        done = self.run_script("--base", "main", "--build", f"{BUILD} && {{ {loosen}; }}", "--executables", "out/ben[c]h")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)

    def test_knows_the_names_that_the_base_announced_and_no_others(self):
        self.git("checkout", "--quiet", "-b", "topic")
        self.file("repository/ci/renames.json", {"BM_b": "BM_c"})
        self.commit("rename", {"BM_a": 1000.0, "BM_c": 2000.0}, seed=2)
        self.gate(code=4)
        self.git("checkout", "--quiet", "main")
        self.file("repository/ci/renames.json", {"BM_b": "BM_c"})
        self.commit("announce", {"BM_a": 1000.0, "BM_b": 2000.0}, seed=1)
        self.git("checkout", "--quiet", "-b", "later")
        self.commit("rename", {"BM_a": 1000.0, "BM_c": 2000.0}, seed=2)
        self.gate()
        self.assertEqual(self.verdicts(), {"BM_a": "SAME", "BM_c": "SAME"})

    def test_builds_again_only_what_changed(self):
        self.git("checkout", "--quiet", "-b", "topic")
        self.commit("second", {"BM_a": 1000.0, "BM_b": 2000.0}, seed=2)
        self.gate()
        (self.repository / ".gate" / "base" / "kept").write_text("")
        self.gate()
        self.assertTrue((self.repository / ".gate" / "base" / "kept").exists())

    def test_says_what_it_cannot_do_and_ends_with_2(self):
        for arguments, words in ((["--base", "nowhere"], "nowhere"), (["--new"], "--new"), (["--fast", "1"], "--fast"),
                                 (["--build", "echo broken >&2; false"], "broken"),
                                 (["--executables", "none/*"], "none/*")):
            with self.subTest(arguments):
                done = self.gate(*arguments, code=2)
                self.assertIn(words, done.stderr)

    def test_passes_arguments_on(self):
        self.git("checkout", "--quiet", "-b", "topic")
        self.commit("second", {"BM_a": 1000.0, "BM_b": 2000.0}, seed=2)
        self.gate("--", "--filter", "BM_a")
        self.assertEqual(set(self.verdicts()), {"BM_a"})

    def test_the_slurm_example_gates_in_folders_of_its_own(self):
        self.executable("bin/srun", '#!/bin/sh\necho "$1" >srun.log; shift; exec "$@"\n')
        shutil.copytree(SCRIPT.parent, self.repository / "ci")
        script = (self.repository / "ci" / "gate-merge-base")
        script.write_text(script.read_text().replace("build='cmake", f"build='{BUILD}'; unused='cmake")
                          .replace("executables='build-gate/bench/cupel_bench_*'", "executables='out/ben[c]h'"))
        self.git("add", ".")
        self.git("commit", "--quiet", "-m", "ci")
        done = self.run_script(script=SLURM, PATH=f"{self.folder / 'bin'}:{os.environ['PATH']}", GATE_BASE="main",
                               SLURM_ARRAY_TASK_ID="1")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual((self.repository / "srun.log").read_text().strip(), "--gres=gpu:h100:1")
        self.assertTrue((self.repository / "gate" / "local-1" / "results" / "gate.json").exists())


if __name__ == "__main__":
    main()
