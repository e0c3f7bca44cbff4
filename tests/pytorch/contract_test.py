"""The family pytorch speaks as others do, with or without PyTorch: lists, filters, profiles, a seed, a journal, exit codes."""

import json
import re
import subprocess
import sys
from operator import itemgetter

from made_up import TORCH_WITHOUT_CUDA
from program import MORE, ROOT, ProgramTest, main

sys.path.insert(0, str(ROOT / "tests" / "smoke"))
import smoke  # noqa: E402

NETS = ("resnet18_224", "resnet18_32", "resnet50", "vit_b_16", "gpt_12")


class FamilyTest(ProgramTest):
    def setUp(self):
        super().setUp()
        (self.bench / "cupel_bench_pytorch").symlink_to(MORE[1])
        self.journal = self.folder / "journal"

    def without(self):
        """An environment whose python3 has no PyTorch, whatever the machine has."""
        return {"PYTHONPATH": "", "CUPEL_PYTHON": str(self.executable("python", f'#!/bin/sh\nexec {sys.executable} -S "$@"\n'))}

    def run_family(self, *flags, code=0, **environment):
        ended = subprocess.run([MORE[1], *map(str, flags)], capture_output=True, text=True, check=False,
                               env={**self.environment(), **(environment or self.without())})
        self.assertEqual(ended.returncode, code, ended.stdout + ended.stderr)
        return ended.stdout if code == 0 else ended.stderr

    def listing(self, *flags):
        return json.loads(self.run_family("--cupel_list", *flags))

    def lines(self, key):
        return [json.loads(line)[key] for line in self.journal.read_text().splitlines() if line.startswith(f'{{"{key}"')]


class Listing(FamilyTest):
    def test_needs_no_pytorch_and_is_what_cupel_reads(self):
        listing = self.listing()

        self.assertEqual((listing["family"], listing["needs_device"]), ("pytorch", True))
        names = [one["name"] for one in listing["benchmarks"]]
        self.assertEqual(len(names), len(set(names)))
        self.assertIn("pytorch/step/net:resnet18_32/batch:128/add:graph", names)
        told = self.cupel("list", "pytorch", code=0).out
        self.assertIn("pytorch/host/op:add/mode:eager", told)

    def test_larger_profiles_hold_the_smaller_ones(self):
        quick, standard, full = ([one["name"] for one in self.listing(f"--cupel_profile={profile}")["benchmarks"]]
                                 for profile in ("quick", "standard", "full"))
        self.assertLess(set(quick), set(standard))
        self.assertLess(set(standard), set(full))
        for net in NETS:
            self.assertTrue([name for name in standard if f"net:{net}/" in name and "/add:graph" in name], net)

    def test_compilers_are_in_the_full_profile_alone(self):
        model = f"--cupel_model={self.file('model.py', '')}:make"
        for more in ((), (model,)):
            compiled = [one for one in self.listing("--cupel_profile=full", *more)["benchmarks"]
                        if re.search("compile|reduce.overhead", one["name"])]
            self.assertTrue({"add:torch_compile", "add:reduce_overhead", "add:graph", "drop:torch_compile", "drop:graph"}
                            <= {one["name"].split("/")[-1] for one in compiled if "/compiler:inductor/" in one["name"]})
            self.assertEqual({one["profile"] for one in compiled}, {"full"})

    def test_its_smoke_tests_run_every_piece_and_every_net_and_nothing_slow_among_the_rest(self):
        listing = self.listing("--cupel_profile=full")
        ways = {way: smoke.smallest_of_each(smoke.share_of(way, listing)) for way in ("smallest", "slow")}

        self.assertFalse(set(ways["smallest"]) & set(ways["slow"]))
        run = ways["smallest"] + ways["slow"]
        for part in {name.split("/")[-1] for name in map(itemgetter("name"), listing["benchmarks"])} | {f"net:{net}/" for net in NETS}:
            if not part.startswith("workers:"):
                self.assertTrue([name for name in run if part in name], part)
        self.assertFalse([name for name in ways["smallest"] if re.search("compile|reduce-overhead|cudaMallocAsync|drop:amp", name)])
        self.assertLess(len(ways["smallest"]), 60)

    def test_filters_and_files_of_names_choose(self):
        names = self.run_family("--benchmark_list_tests", "--benchmark_filter=host/op:(add|linear)/mode:eager").split()
        self.assertEqual(names, ["pytorch/host/op:add/mode:eager", "pytorch/host/op:linear/mode:eager"])
        others = self.run_family("--benchmark_list_tests", "--benchmark_filter=-host").split()
        self.assertTrue(others and not any("host" in name for name in others))
        only = self.file("only", "\n".join(reversed(names)))
        self.assertEqual(self.run_family("--benchmark_list_tests", f"--cupel_only={only}").split(), names[::-1])
        skip = self.file("skip", names[0])
        self.assertEqual(self.run_family("--benchmark_list_tests", f"--cupel_only={only}", f"--cupel_skip={skip}").split(), names[1:])

    def test_on_a_cpu_no_device_is_wanted(self):
        self.assertFalse(self.listing("--cupel_device=cpu")["needs_device"])

    def test_wrong_use_ends_with_2_and_an_empty_choice_with_5(self):
        for flag in ("--cupel_rounds=none", "--cupel_seed=-1", "--benchmark_filter=(", "--no_such_flag", "--cupel_no_such=1",
                     "--cupel_profile=slow", "--cupel_once=7", "--cupel_only=missing", "--cupel_model=missing.py:make",
                     "--cupel_python=/no/such/python"):
            with self.subTest(flag):
                self.assertTrue(self.run_family(flag, code=2).startswith("pytorch: "))
        self.run_family("--benchmark_filter=nowhere", code=5)
        self.run_family("--cupel_measure_shortest_work", code=5)


class WithoutPython(FamilyTest):
    def test_it_has_no_benchmarks_and_no_run_fails_for_it(self):
        tools = self.folder / "tools"
        tools.mkdir()
        environment = {"PATH": str(tools)}
        self.assertEqual(json.loads(self.run_family("--cupel_list", **environment)), {"family": "pytorch", "benchmarks": []})
        self.assertIn("there is no python3", self.run_family(code=3, **environment))
        self.family("a")
        self.run_it(code=0, **environment)


class Skipped(FamilyTest):
    def test_without_pytorch_says_why_and_the_line_that_installs_it(self):
        said = self.run_family(f"--cupel_journal={self.journal}", code=3)

        self.assertIn("no PyTorch in ", said)
        self.assertIn("python3 -m pip install torch", said)
        rows = self.lines("row")
        self.assertEqual({row["cupel"]["status"] for row in rows}, {"skipped"})
        self.assertIn("pip install torch", rows[0]["cupel"]["reason"])
        self.assertEqual(self.lines("end"), [True])

    def test_without_a_gpu_says_so(self):
        self.file("torch.py", TORCH_WITHOUT_CUDA)
        said = self.run_family(code=3, PYTHONPATH=str(self.folder), CUPEL_PYTHON=sys.executable)
        self.assertIn("PyTorch 9.9 was built without CUDA; install one with it: python3 -m pip install --force-reinstall torch; --device cpu runs "
                      "what a CPU can, untimed", said)

    def test_is_one_family_among_others_in_a_run(self):
        self.family("a")

        self.run_it(code=0, **self.without())

        statuses = {name: row["status"] for (name, process), row in self.rows().items() if process == 0}
        self.assertEqual({status for name, status in statuses.items() if name.startswith("a/")}, {"ok"})
        self.assertEqual(statuses["pytorch/host/op:add/mode:eager"], "skipped")
        self.assertIn("pip install torch", self.result()["context"]["cupel"]["run"]["notes"]["pytorch"])

    def test_asked_for_by_name_ends_with_3(self):
        self.run_it("pytorch", code=3, **self.without())


class Interpreter(FamilyTest):
    def told_by(self, **environment):
        """The interpreter that the family goes on in prints its own name."""
        return subprocess.run([MORE[1]], capture_output=True, text=True, check=False,
                              env={**self.environment(), "PYTHONPATH": "", **environment}).stdout.strip()

    def interpreter(self, folder):
        return self.executable(f"{folder}/bin/python3", f"#!/bin/sh\necho {folder}\n")

    def test_is_the_one_asked_for_then_cupel_python_then_an_active_environment(self):
        asked, named, active = map(self.interpreter, ("asked", "named", "active"))
        environment = {"CUPEL_PYTHON": str(named), "VIRTUAL_ENV": str(active.parents[1])}

        self.assertEqual(self.told_by(VIRTUAL_ENV=environment["VIRTUAL_ENV"]), "active")
        self.assertEqual(self.told_by(CONDA_PREFIX=environment["VIRTUAL_ENV"]), "active")
        self.assertEqual(self.told_by(**environment), "named")
        flag = subprocess.run([MORE[1], f"--cupel_python={asked}"], capture_output=True, text=True, check=False,
                              env={**self.environment(), **environment})
        self.assertEqual(flag.stdout.strip(), "asked")

    def test_is_handed_on_by_cupel_run(self):
        asked = self.executable("asked", f'#!/bin/sh\ntouch {self.folder}/used\nexec {sys.executable} -S "$@"\n')

        self.run_it("pytorch", "--python", asked, code=3)

        self.assertTrue((self.folder / "used").exists())
        self.assertNotIn(str(self.folder), self.output.read_text(), "no path of the user's is kept")


class Model(FamilyTest):
    def test_is_named_by_a_file_that_is_there_and_a_function(self):
        self.refuses("--model missing.py:make: there is no file missing.py", "run", "--model", "missing.py:make")
        for wrong in ("", ":", ":make()", ":Trainer.make", ":3"):
            self.refuses("name a function of the file, as FILE.py:FUNCTION", "run", "--model", f"{self.file('model.py', '')}{wrong}")

    def test_is_measured_by_no_other_family(self):
        self.refuses("not by a", "run", "a", "--model", f"{self.file('model.py', '')}:make")

    def test_is_said_to_run_the_users_code(self):
        file = self.file("model.py", "")
        said = f"--model {file}:make runs your code with your permissions; the result holds only shapes, counts and times of it\n"

        self.assertTrue(self.run_it("--model", f"{file}:make", code=3, **self.without()).err.startswith(said))
        self.assertNotIn(said, self.cupel("run", "--dry-run", "--model", f"{file}:make", code=0).err)

    def test_is_not_looked_at_to_list_it(self):
        file = self.file("model.py", f"import pathlib\npathlib.Path({str(self.folder / 'ran')!r}).touch()\n")

        names = [one["name"] for one in self.listing(f"--cupel_model={file}:make")["benchmarks"]]

        self.assertEqual(names[:2], ["pytorch/model/add:nothing", "pytorch/model/add:pinned_copies"])
        self.assertTrue(all(name.startswith("pytorch/model/") for name in names))
        self.assertFalse((self.folder / "ran").exists())


if __name__ == "__main__":
    main()
