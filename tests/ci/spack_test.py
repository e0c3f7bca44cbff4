"""ci/spack against the build: what CMake looks for is depended on, what the recipe passes is an option, the versions are
the build's. Spack itself is not asked: a stand-in keeps what the recipes say."""

import contextlib
import pathlib
import re
import runpy
import sys
import types
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGES = ROOT / "ci/spack/spack_repo/cupel/packages"

# What CMake calls otherwise than Spack does; None: what comes with the compiler or the system.
NAMES = {"nlohmann_json": "nlohmann-json", "CLI11": "cli11", "ZLIB": "zlib-api", "GTest": "googletest", "CUDAToolkit": "cuda", "turbojpeg": "libjpeg-turbo",
         "uring": "liburing", "MPI": "mpi", "cudnn_frontend": "cudnn-frontend", "Git": "git", "thrust_host": "cuda",
         "thrust": "cuda", "cupti_headers": "cuda", "cupti": "cuda", "nvjpeg": "cuda", "Threads": None, "OpenMP": None, "Python3": None, "cupel": None}


class Directives:
    """The directives of a recipe."""

    def __init__(self):
        self.depends, self.versions, self.variants = {}, {}, set()

    def depends_on(self, spec, **_):
        name, _, version = re.fullmatch(r"([\w-]+)(\+\w+)?@?(.*)", spec).groups()
        self.depends[name] = version

    def version(self, number, **how):
        self.versions[number] = how


class Stand:
    """The base of a recipe: what CMakePackage gives it."""

    run_tests = False

    def define(self, name, value):
        return f"-D{name}={value}"

    def define_from_variant(self, name, variant):
        assert variant in self.directives.variants, variant
        return f"-D{name}={variant in self.spec.chosen}"


class Spec:
    def __init__(self, chosen, architectures):
        self.chosen, self.variants = chosen, {"cuda_arch": types.SimpleNamespace(value=architectures)}

    def __contains__(self, what):
        return what[0] == "~" and what[1:] not in self.chosen


def recipe(name):
    """The class of a recipe, with its directives."""
    directives = Directives()
    spack, systems = types.ModuleType("spack.package"), {}
    spack.depends_on, spack.version = directives.depends_on, directives.version
    spack.variant = lambda variant, **_: directives.variants.add(variant)
    spack.license = lambda _: None
    spack.when = lambda _: contextlib.nullcontext()
    for system in ("generic", "cmake", "cuda"):
        systems[f"spack_repo.builtin.build_systems.{system}"] = module = types.ModuleType(system)
        module.Package = module.CMakePackage = Stand
        module.CudaPackage = type("CudaPackage", (), {})
        module.generator = lambda _: None
    parents = {parent: types.ModuleType(parent) for parent in ("spack", "spack_repo", "spack_repo.builtin",
                                                               "spack_repo.builtin.build_systems")}
    before = dict(sys.modules)
    sys.modules.update({**parents, **systems, "spack.package": spack})
    try:
        names = runpy.run_path(PACKAGES / name / "package.py")
    finally:
        sys.modules.clear()
        sys.modules.update(before)
    made = names["".join(part.capitalize() for part in name.split("_"))]
    made.directives = directives
    return made


def looked_for():
    """name -> the least version, of all that the build looks for."""
    found = {}
    for file in [ROOT / "CMakeLists.txt", *ROOT.glob("cmake/Cupel*.cmake"), *ROOT.glob("bench/*/CMakeLists.txt")]:
        text = re.sub(r"#.*", "", file.read_text())
        for name, version in re.findall(r"find_package\((\w+) ?([\d.]*)", text):
            found[name] = max(found.get(name, ""), version)
        for name in re.findall(r"^\s*cupel_find_(?:library|headers)\((\w+)", text, re.M):
            found.setdefault(name, "")
    least = re.search(r"set\(cupel_least_cuda ([\d.]+)\)", (ROOT / "cmake/CupelFind.cmake").read_text())
    found["CUDAToolkit"] = least.group(1)
    return found


def number(version):
    return [int(part) for part in version.strip(":").split(".") if part]


class Spack(unittest.TestCase):
    def test_depends_on_all_that_the_build_looks_for(self):
        directives = recipe("cupel").directives
        for name, least in looked_for().items():
            package = NAMES.get(name, name)
            if package is None:
                continue
            with self.subTest(name):
                self.assertIn(package, directives.depends)
                if least:
                    asked = number(directives.depends[package])
                    self.assertEqual(asked, number(least)[:len(asked)] or "none")

    def test_passes_options_that_the_build_has(self):
        options = set(re.findall(r"option\((\w+)", (ROOT / "CMakeLists.txt").read_text())) | {"CMAKE_CUDA_ARCHITECTURES"}
        cupel = recipe("cupel")()
        for chosen in ({"cuda"}, {"cuda", "mpi"}, set()):
            cupel.spec = Spec(chosen, ("90",))
            passed = dict(re.fullmatch(r"-D(\w+)=(.*)", argument).groups() for argument in cupel.cmake_args())
            self.assertLessEqual(set(passed), options)
            self.assertEqual(passed["CUPEL_ENABLE_CUDA"], str("cuda" in chosen))
            self.assertEqual(passed["CUPEL_ENABLE_MPI"], str("mpi" in chosen))
            self.assertEqual("CMAKE_CUDA_ARCHITECTURES" in passed, "cuda" in chosen)

    def test_leaves_the_architecture_to_the_build_where_none_is_chosen(self):
        cupel = recipe("cupel")()
        cupel.spec = Spec({"cuda"}, ("none",))
        self.assertNotIn("CMAKE_CUDA_ARCHITECTURES", " ".join(cupel.cmake_args()))

    def test_is_of_this_checkout(self):
        self.assertEqual(recipe("cupel").git, f"file://{ROOT}")

    def test_takes_the_headers_of_cudnn_that_setup_takes(self):
        lock = (ROOT / "scripts/wheels/cudnn-frontend.lock").read_text()
        version, how = next(iter(recipe("cudnn_frontend").directives.versions.items()))
        self.assertIn(f"nvidia-cudnn-frontend=={version}", lock)
        self.assertIn(f"sha256:{how['sha256']}", lock)
        self.assertIn(f"-{version}-", how["url"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
