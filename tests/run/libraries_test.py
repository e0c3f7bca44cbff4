"""`cupel run --libraries`: the families' programs look there first, a resumed run where it looked before, and compare names the versions."""

import json

from program import ProgramTest, main


class Libraries(ProgramTest):
    def setUp(self):
        super().setUp()
        real = self.family("a", folder=self.file("real/made", "").parent)
        self.seen = self.folder / "seen"
        self.executable("bench/cupel_bench_a", f'#!/bin/sh\necho "$LD_LIBRARY_PATH" >>{self.seen}\nexec {real} "$@"\n')

    def looked_in(self):
        looked = set(self.seen.read_text().splitlines())
        self.seen.unlink()
        return looked

    def test_of_a_folder_come_before_all_others(self):
        folder = self.file("there/libcublas.so.13", "").parent
        self.run_it("--processes", 1, "--libraries", folder, LD_LIBRARY_PATH="/before")
        self.assertEqual(self.looked_in(), {f"{folder}:/before"})

    def test_of_an_environment_are_those_of_each_package(self):
        packages = self.folder / "lib/python3.11/site-packages"
        for name in ("cu13/lib/libcublas.so.13", "cudnn/lib/libcudnn.so.9"):
            self.file(packages / "nvidia" / name, "")
        self.file(packages / "nvidia/nothing/lib/README", "")
        self.run_it("--processes", 1, "--libraries", "lib/python3.11/site-packages", LD_LIBRARY_PATH="")
        self.assertEqual(self.looked_in(), {f"{packages}/nvidia/cu13/lib:{packages}/nvidia/cudnn/lib"})

    def test_are_kept_by_a_run_that_goes_on(self):
        folder = self.file("there/libcublas.so.13", "").parent
        self.run_it("--processes", 1, "--libraries", folder, "--filter", "1024")
        document = json.loads(self.output.read_text())
        self.assertEqual(document["context"]["cupel"]["run"]["notes"]["--libraries"], "there")  # below the working folder
        document["benchmarks"].clear()
        self.output.write_text(json.dumps(document))
        self.looked_in()
        self.cupel("run", "--resume", self.output, code=0)
        self.assertEqual(self.looked_in(), {str(folder)})
        self.refuses("libraries", "run", "--resume", self.output, "--libraries", self.file("other/libx.so", "").parent)

    def test_of_a_folder_without_one_are_refused(self):
        self.refuses("holds a shared library", "run", "--output", self.output, "--libraries", self.folder)
        self.assertFalse(self.output.exists())

    def test_of_two_releases_are_named_by_compare(self):
        self.run_it("--processes", 3)
        old, new = (self.file(f"{version}.json", self.with_cublas(version)) for version in ("13.0.2", "13.1.0"))
        said = self.cupel("compare", old, new, "--all", code=0).out
        self.assertRegex(said, r"cuBLAS +13\.0\.2 +13\.1\.0")

    def with_cublas(self, version):
        document = json.loads(self.output.read_text())
        document["context"]["cupel"]["libraries"] = [{"name": "cublas", "compiled": "13.0.0", "loaded": version, "file": f"/x/{version}/libcublas.so.13"}]
        return document


if __name__ == "__main__":
    main()
