"""ci/gate-merge-base on a repository of its own, whose build copies a fake Google Benchmark program."""

import json
import os
import re
import shutil
import subprocess
import textwrap

from gate_test import FAKE
from program import CUPEL, ROOT, ProgramTest, main

SCRIPT = ROOT / "ci" / "gate-merge-base"
EXAMPLES = ROOT / "ci" / "examples"
SLURM = EXAMPLES / "gate-slurm.sh"
# One executable for each src/NAME.json: by copying, or by make, which makes what is missing or older than its source.
BUILD_EACH = "mkdir -p out && for f in src/*.json; do n=out/$(basename $f .json); " \
             "cp program $n && chmod +x $n && cp $f $n.json; done"
MAKEFILE = """all: $(patsubst src/%.json,out/%,$(wildcard src/*.json))
out/%: src/%.json program
\tmkdir -p out && cp program $@ && chmod +x $@ && cp $< $@.json && echo $@ >>made
"""
LOOSE = '{"cupel_gate_policy": 1, "tolerance": 0.9}'
BUILD = "mkdir -p out && cp program out/bench && chmod +x out/bench && cp times.json out/bench.json"


class MergeBase(ProgramTest):
    def setUp(self):
        super().setUp()
        self.repository = self.folder / "repository"
        self.repository.mkdir()
        shutil.copy(FAKE, self.repository / "program")
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
                              env={**kept, "CUPEL": CUPEL, "CUPEL_PROC": str(self.folder / "proc"), **more}, timeout=100)

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

    def each(self, *arguments, build=BUILD_EACH, **more):
        return self.gate("--build", build, "--executables", "out/*", *arguments, **more)

    def commit_each(self, subject, **programs):
        """Programs by name: their times. Those that are not named go."""
        shutil.rmtree(self.repository / "src", ignore_errors=True)
        for name, times in programs.items():
            self.file(f"repository/src/{name}.json", {"benchmarks": times, "seed": sum(map(ord, name + subject))})
        self.git("add", ".")
        self.git("commit", "--quiet", "-m", subject)

    def start_two(self):
        """main has the programs a and b, and a branch that changes neither was gated in trees that are kept."""
        self.two = {"a": {"BM_a": 1000.0}, "b": {"BM_b": 2000.0}}
        self.file("repository/Makefile", MAKEFILE)
        self.commit_each("two", **self.two)
        self.git("checkout", "--quiet", "-b", "innocent")
        self.commit_each("innocent", **self.two)

    def delete_one(self, build):
        self.start_two()
        self.each(build=build)
        self.git("checkout", "--quiet", "-b", "removes", "main")
        self.commit_each("removes b", a=self.two["a"])
        done = self.each(build=build, code=4)
        self.assertEqual(self.verdicts(), {"BM_a": "SAME", "BM_b": "MISSING"})
        self.assertIn("new: out/b is of an earlier build, this one did not make it", done.stderr)

    def test_an_executable_that_the_change_deleted_is_missing_though_an_earlier_build_left_it(self):
        self.delete_one(BUILD_EACH)

    def test_an_executable_that_the_change_deleted_is_missing_after_an_incremental_build(self):
        self.delete_one("make")

    def test_an_executable_that_the_base_no_longer_has_is_not_gated_from_an_earlier_build(self):
        self.start_two()
        self.each()
        self.git("checkout", "--quiet", "main")
        self.commit_each("main removes b", a=self.two["a"])
        self.git("checkout", "--quiet", "-b", "later")
        self.commit_each("later", a=self.two["a"])
        self.each()
        self.assertEqual(self.verdicts(), {"BM_a": "SAME"})

    def test_an_incremental_build_makes_unchanged_executables_again(self):
        self.start_two()
        self.each(build="make")
        self.git("checkout", "--quiet", "-b", "slower")
        self.commit_each("slower", a={"BM_a": 1050.0}, b=self.two["b"])
        self.each(build="make", code=1)
        self.assertEqual(self.verdicts(), {"BM_a": "SLOWER", "BM_b": "SAME"})
        made = (self.repository / ".gate" / "base" / "made").read_text().split()
        self.assertEqual(sorted(made), ["out/a", "out/a", "out/b", "out/b"])

    def test_a_build_that_does_not_make_an_executable_again_is_told_and_does_not_pass(self):
        self.start_two()
        stamped = f"test -e stamp || {{ {BUILD_EACH} && touch stamp; }}"
        self.each(build=stamped)
        done = self.each(build=stamped, code=2)
        self.assertIn("base: out/a is of an earlier build, this one did not make it", done.stderr)

    def test_executables_that_the_repository_holds_are_gated(self):
        for name in "ab":
            self.file(f"repository/tools/{name}.json", {"benchmarks": {f"BM_{name}": 1000.0}})
            shutil.copy(FAKE, self.repository / "tools" / name)
        self.git("add", ".")
        self.git("commit", "--quiet", "-m", "tools")
        for _ in range(2):
            self.gate("--build", "true", "--executables", "tools/*")
            self.assertEqual(self.verdicts(), {"BM_a": "SAME", "BM_b": "SAME"})

    def test_sides_are_files_of_their_own_work_trees(self):
        shared = self.folder / "shared"
        for pattern in (f"{shared}/*", "../*/out/bench", "out/../../x"):
            self.assertIn("from the root of a work tree", self.gate("--executables", pattern, code=2).stderr)
        into_one = f"mkdir -p {shared} && ln -sfn {shared} out && {BUILD}"
        self.assertIn("both sides have the file", self.gate("--build", into_one, code=2).stderr)

    def test_a_build_that_fails_leaves_no_results_of_an_earlier_gate(self):
        self.gate()
        summary = self.folder / "summary"
        self.gate("--build", "false", code=2, GITHUB_STEP_SUMMARY=str(summary))
        self.assertEqual([p.name for p in (self.repository / ".gate/results").glob("gate.*")], [])
        self.assertFalse(summary.exists())

    def slow_branch(self, build_also=""):
        """A branch that is slower, whose build also does this. Returns the build."""
        self.file("repository/ci/gate.json", {"cupel_gate_policy": 1})
        self.file("repository/also.sh", "")
        self.commit("policy", {"BM_a": 1000.0, "BM_b": 2000.0}, seed=1)
        self.git("checkout", "--quiet", "-b", "slow")
        self.file("repository/also.sh", build_also)
        self.commit("slower", {"BM_a": 1050.0, "BM_b": 2000.0}, seed=2)
        return f"{BUILD} && sh also.sh"

    def test_is_not_loosened_by_a_build_that_edits_what_lies_in_the_temporary_folder(self):
        build = self.slow_branch('for folder in "$TMPDIR"/tmp.*; do test -f "$folder/gate.json" && '
                                 f"echo '{LOOSE}' >\"$folder/gate.json\"; done; true")
        self.gate("--build", build, code=1, TMPDIR=str(self.folder / "tmp"))
        self.assertEqual(list((self.folder / "tmp").iterdir()), [])

    def test_is_not_loosened_by_a_build_that_has_git_show_another_commit(self):
        self.slow_branch()
        self.file("repository/ci/gate.json", LOOSE)
        self.commit("loose", {"BM_a": 1050.0, "BM_b": 2000.0}, seed=2)
        self.file("repository/also.sh", "git replace main HEAD")
        self.commit("replaces", {"BM_a": 1050.0, "BM_b": 2000.0}, seed=2)
        self.gate("--build", f"{BUILD} && sh also.sh", code=1)

    def test_is_not_loosened_by_a_build_that_edits_the_script_while_it_runs(self):
        script = self.executable("script", SCRIPT.read_text())
        build = self.slow_branch(f'yes "exit 0" | head -n 2000 >"{script}"')
        done = self.run_script("--base", "main", "--build", build, "--executables", "out/ben[c]h", script=script)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)

    def loosened_script(self):
        """main has the scripts of ci/, and a branch that is slower makes its own copy of the gate end with 0."""
        shutil.copytree(SCRIPT.parent, self.repository / "ci")
        script = self.repository / "ci" / "gate-merge-base"
        script.write_text(script.read_text().replace("build='cmake", f"build='{BUILD}'; unused='cmake")
                          .replace("executables='build-gate/bench/cupel_bench_*'", "executables='out/ben[c]h'"))
        self.file("repository/ci/gate.json", {"cupel_gate_policy": 1})
        self.commit("scripts", {"BM_a": 1000.0, "BM_b": 2000.0}, seed=1)
        self.git("remote", "add", "origin", str(self.repository))
        self.git("checkout", "--quiet", "-b", "slow")
        script.write_text(script.read_text().replace("\n", "\nexit 0\n", 1))
        self.commit("slower, and a gate that passes", {"BM_a": 1050.0, "BM_b": 2000.0}, seed=2)

    def run_lines(self, lines, **variables):
        """As a shell that CI starts: it ends at the first line that fails."""
        done = self.run_script("-e", "-c", lines, script="sh", **variables)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("BM_a", (self.repository / "gate-results" / "gate.md").read_text())

    def test_the_gitlab_example_gates_by_the_script_of_the_base(self):
        self.loosened_script()
        lines = re.search(r"^  script:\n((?:    - .*\n)+)", (EXAMPLES / "gate-gitlab.yml").read_text(), re.MULTILINE)[1]
        self.run_lines(lines.replace("    - ", ""), CI_MERGE_REQUEST_TARGET_BRANCH_NAME="main")

    def test_the_jenkins_example_gates_by_the_script_of_the_base(self):
        self.loosened_script()
        text = (EXAMPLES / "gate-jenkins.groovy").read_text()
        fetch, lines = re.search(r"sh '(git fetch .*)'", text)[1], re.search(r"script: \'\'\'\n(.*?)\'\'\'", text, re.DOTALL)[1]
        self.run_lines(f"{fetch}\n{textwrap.dedent(lines)}", CHANGE_TARGET="main")

    def test_the_slurm_example_gates_in_folders_of_its_own_by_the_script_of_the_base(self):
        self.executable("bin/srun", '#!/bin/sh\necho "$1" >srun.log; shift; exec "$@"\n')
        self.loosened_script()
        done = self.run_script(script=SLURM, PATH=f"{self.folder / 'bin'}:{os.environ['PATH']}", GATE_BASE="main",
                               SLURM_ARRAY_TASK_ID="1")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertEqual((self.repository / "srun.log").read_text().strip(), "--gres=gpu:h100:1")
        self.assertTrue((self.repository / "gate" / "local-1" / "results" / "gate.json").exists())


if __name__ == "__main__":
    main()
