"""wheel_test.py CUPEL TREE LOADED DIST Made|Content|Installed|Audit: the wheel of a built tree. 77: not run, what it is made or judged with is not here.

Made: the wheel, in DIST, for the other parts.
Installed: a fresh environment without an index measures the host and says what pays. Content: names, libraries, size, the same bytes twice.
Audit: auditwheel finds the tag that the wheel has.
"""

import collections
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest.mock
import zipfile

from made_up import TORCH_WITHOUT_CUDA
from program import ROOT, FolderTest, main

TREE, LOADED, DIST = map(pathlib.Path, sys.argv[2:5])
PART = sys.argv[5]
TOOLS = ROOT / ".deps" / "test-tools"
MOST_MIB = 30  # of one architecture
SYSTEM = {"libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "librt.so.1", "ld-linux-x86-64.so.2", "libstdc++.so.6", "libgcc_s.so.1"}
BARE = {"PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "COLUMNS": "100", "LC_ALL": "C.UTF-8"}


def has(module):
    return subprocess.run([sys.executable, "-c", f"import {module}"], capture_output=True, check=False,
                          env={**os.environ, "PYTHONPATH": f"{TOOLS}:{os.environ.get('PYTHONPATH', '')}"}).returncode == 0


def make_wheel(folder):
    ended = subprocess.run([sys.executable, ROOT / "packaging/make-wheel", "--build", TREE, folder], capture_output=True, text=True, check=False)
    if ended.returncode != 0 or "Warning" in ended.stdout + ended.stderr:
        raise AssertionError(ended.stdout + ended.stderr)
    return pathlib.Path(ended.stdout.splitlines()[-1])


class Made(FolderTest):
    def test_is_one_file_in_an_empty_folder(self):
        shutil.rmtree(DIST, ignore_errors=True)
        wheel = make_wheel(DIST)
        self.assertEqual(list(DIST.iterdir()), [wheel])


class WheelTest(FolderTest):
    @classmethod
    def setUpClass(cls):
        [cls.wheel] = DIST.iterdir()


def dynamic(file):
    """What the program or library needs, and where it looks."""
    text = subprocess.run(["readelf", "--dynamic", file], capture_output=True, text=True, check=True).stdout
    paths = re.findall(r"R(?:UN)?PATH\).*\[(.*)\]", text)
    return set(re.findall(r"\(NEEDED\).*\[(.*)\]", text)), [path for one in paths for path in one.split(":")]


class Content(WheelTest):
    def setUp(self):
        super().setUp()
        with zipfile.ZipFile(self.wheel) as packed:
            packed.extractall(self.folder)
        self.libexec, self.lib = self.folder / "cupel/libexec", self.folder / "cupel/lib"

    def programs(self):
        return [path for path in self.libexec.iterdir() if path.is_file()]

    def elf(self):
        return [path for path in [*self.programs(), *self.lib.iterdir()] if path.read_bytes()[:4] == b"\x7fELF"]

    def test_is_of_every_python_3_and_of_one_platform(self):
        self.assertRegex(self.wheel.name, r"^cupel-\d+\.\d+\.\d+-py3-none-manylinux_2_\d+_x86_64\.whl$")
        version = re.search(r"project\(cupel VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text()).group(1)
        self.assertIn(f"-{version}-", self.wheel.name)

    def test_has_the_programs_of_the_tree(self):
        built = {"cupel", *(path.name for path in TREE.glob("bench/cupel_*") if path.is_file() and os.access(path, os.X_OK))}
        if (TREE / "cupel-probe").exists():
            built.add("cupel-probe")
        self.assertEqual({path.name for path in self.programs()}, built)
        with zipfile.ZipFile(self.wheel) as packed:
            for info in packed.infolist():
                if re.fullmatch(r"cupel/libexec/[^/]+", info.filename):
                    self.assertTrue(info.external_attr >> 16 & 0o111, f"{info.filename} may not be run")
        self.assertEqual(len(list(self.folder.glob("*.data/data/share/man/man1/cupel-run.1"))), 1)

    def test_has_nothing_twice(self):
        self.assertEqual({path.name for path in (self.folder / "cupel").iterdir()}, {"__init__.py", "__main__.py", "lib", "libexec", "licenses"})
        names = collections.defaultdict(list)
        for path in self.folder.rglob("*"):
            if path.is_file() and path.stat().st_size > 0:
                names[path.read_bytes()].append(path.name)
        self.assertEqual([twice for twice in names.values() if len(twice) > 1], [])

    def test_needs_what_every_linux_has_and_what_is_in_it(self):
        own = {path.name for path in self.lib.iterdir()}
        for file in self.elf():
            needed, _ = dynamic(file)
            self.assertLessEqual(needed, SYSTEM | own, file.name)

    def test_looks_for_libraries_beside_itself_alone(self):
        for program in set(self.elf()) & set(self.programs()):
            _, places = dynamic(program)
            self.assertEqual(places[:1], ["$ORIGIN/../../nvidia/cu13/lib"], program.name)
            self.assertIn("$ORIGIN/../lib", places)
            self.assertEqual([place for place in places if not place.startswith("$ORIGIN/")], [], program.name)

    def test_names_no_folder_of_the_build_machine_in_its_own_files(self):
        for file in self.folder.rglob("*"):
            if file.is_file() and file.parent not in (self.libexec, self.lib):
                self.assertNotIn(str(ROOT).encode(), file.read_bytes(), file)

    def test_has_the_notices_of_what_others_wrote(self):
        noticed = {path.name for path in (self.folder / "cupel/licenses").iterdir() if path.stat().st_size > 500}
        self.assertEqual(noticed, {path.name for path in self.lib.iterdir()} | {"CLI11", "nlohmann_json", "benchmark"})

    def test_is_small_and_the_same_each_time(self):
        self.assertLess(self.wheel.stat().st_size / 2**20, MOST_MIB)
        self.assertEqual(make_wheel(self.folder / "again").read_bytes(), self.wheel.read_bytes())

    def test_wants_ranges_in_extras_alone_as_the_program_says(self):
        metadata = next(self.folder.glob("*.dist-info/METADATA")).read_text()
        required = re.findall(r"^Requires-Dist: (.*)$", metadata, re.M)
        self.assertEqual([line for line in required if "extra ==" not in line], [])
        offered = {re.sub(r"\s", "", line.split(";")[0]) for line in required} - {"cupel[gemm,conv,collective,pipeline,cupti]"}
        told = set(re.findall(r'"(nvidia-[^"]+)"', (ROOT / "cupel/host/shared_library.cpp").read_text()))
        self.assertEqual({self.parts(one) for one in offered if one.startswith("nvidia")}, {self.parts(one) for one in told})
        self.assertFalse(any("==" in one.split("extra")[0] for one in offered))

    def test_offers_the_extras_that_the_page_names(self):
        metadata = next(self.folder.glob("*.dist-info/METADATA")).read_text()
        offered = collections.defaultdict(set)
        for package, extra in re.findall(r'^Requires-Dist: ([\w-]+).*extra == "(\w+)"', metadata, re.M):
            offered[extra].add(package)
        told = re.findall(r"^\| `(\w+)` \|.*\| `?([\w-]+)", (ROOT / "docs/pip.md").read_text(), re.M)
        self.assertEqual({extra for extra, _ in told}, set(offered))
        self.assertEqual([one for one in told if one[0] != "all" and one[1] not in offered[one[0]]], [])

    def parts(self, requirement):
        """The package, and its bounds in any order."""
        name, bounds = re.match(r"([\w-]+)(.*)", requirement).groups()
        return name, frozenset(bounds.split(","))


class Installed(WheelTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        work = tempfile.mkdtemp(prefix="cupel-wheel-")
        cls.addClassCleanup(shutil.rmtree, work)
        cls.environment = pathlib.Path(work, "venv")
        subprocess.run([sys.executable, "-m", "venv", cls.environment], check=True, env={**os.environ, "PYTHONPATH": ""})
        subprocess.run([cls.environment / "bin/pip", "install", "--no-index", "--quiet", cls.wheel], check=True, env=BARE)
        cls.packages = next(cls.environment.glob("lib/python3*/site-packages"))

    def cupel(self, *arguments, code=0):
        ended = subprocess.run([self.environment / "bin/cupel", *map(str, arguments)], cwd=self.folder, env=BARE, capture_output=True, text=True,
                               check=False)
        self.assertEqual(ended.returncode, code, ended.stdout + ended.stderr)
        return ended.stdout

    def test_measures_the_host_and_says_what_pays(self):
        self.cupel("run", "host", "--filter", "host/reduce/.*bytes:1048576", "--max-wall", "0.2s", "--output", "host.json")
        self.assertIn("fuse-reduce", self.cupel("advise", "host.json", "--verdicts"))
        self.assertIn("host/reduce", self.cupel("show", "host.json", "--flat"))
        self.assertIn("host/page_touch", self.cupel("list", "host"))
        self.assertIn("cupel", subprocess.run([self.environment / "bin/python", "-m", "cupel", "-V"], env=BARE, capture_output=True, text=True, check=True).stdout)

    def test_measures_the_pytorch_beside_it_though_no_environment_is_active(self):
        torch = self.packages / "torch.py"
        torch.write_text(TORCH_WITHOUT_CUDA)
        self.addCleanup(torch.unlink)
        self.cupel("run", "pytorch", "--output", "pytorch.json", code=3)
        self.assertIn("PyTorch 9.9 was built without CUDA", self.cupel("show", "pytorch.json"))
        with unittest.mock.patch.dict(BARE, CUPEL_PYTHON=sys.executable):
            self.cupel("run", "pytorch", "--output", "other.json", code=3)
        self.assertNotIn("PyTorch 9.9", self.cupel("show", "other.json"))

    def test_has_pages_and_completions_where_man_and_shells_look(self):
        for file in ("man/man1/cupel-run.1", "bash-completion/completions/cupel", "fish/vendor_completions.d/cupel.fish"):
            self.assertTrue((self.environment / "share" / file).is_file(), file)

    def test_ends_as_the_program_does(self):
        self.cupel("show", "nowhere.json", code=2)

    def test_loads_the_library_that_lies_beside_it_and_not_the_systems(self):
        self.assertEqual(self.loads("libresolv.so.2")[:5], "/lib/")
        system = pathlib.Path(self.loads("libresolv.so.2")).resolve()
        for package in ("cu13", "cudnn", "nccl"):
            beside = self.packages / "nvidia" / package / "lib" / "libresolv.so.2"
            beside.parent.mkdir(parents=True)
            shutil.copy(system, beside)
            self.assertEqual(pathlib.Path(self.loads("libresolv.so.2")).resolve(), beside.resolve())
            shutil.rmtree(self.packages / "nvidia")

    def loads(self, library):
        helper = self.packages / "cupel/libexec/loaded"
        if not helper.exists():
            shutil.copy(LOADED, helper)
        return subprocess.run([helper, library], env=BARE, capture_output=True, text=True, check=True).stdout.strip()


class Audit(WheelTest):
    def test_finds_the_tag_that_it_has(self):
        said = subprocess.run([sys.executable, "-m", "auditwheel", "show", self.wheel], capture_output=True, text=True, check=True,
                              env={**os.environ, "PYTHONPATH": f"{TOOLS}:{os.environ.get('PYTHONPATH', '')}"}).stdout
        tag = re.search(r"following\s+platform\s+tag:\s+\"(\w+)\"", said).group(1)
        self.assertIn(f"-{tag}.whl", self.wheel.name, said)


if __name__ == "__main__":
    for wanted in ["scikit_build_core", *(["auditwheel"] if PART == "Audit" else [])]:
        if not has(wanted):
            print(f"not run: there is no {wanted} here; scripts/setup --tests fetches it")
            sys.exit(77)
    main(PART)
