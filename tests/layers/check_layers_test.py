#!/usr/bin/env python3
"""ci/check-layers on small trees: what it lets through and what it does not."""

import pathlib
import subprocess
import sys
import tempfile

from program import ROOT, FolderTest, main

class CheckLayers(FolderTest):
    def check(self, files, code, said):
        """The check of a tree of {path: text}."""
        tree = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        for path, text in files.items():
            self.file(tree / path, text)
        ended = subprocess.run([sys.executable, ROOT / "ci/check-layers", tree], capture_output=True, text=True, check=False)
        self.assertEqual((ended.returncode, (ended.stdout + ended.stderr).strip()), (code, said))

    def assert_passes(self, files):
        self.check(files, 0, "")

    def assert_fails(self, files, line):
        self.check(files, 1, line)

    def test_lets_a_folder_include_itself_and_what_is_below(self):
        self.assert_passes({
            "cupel/stats/quantile.hpp": "#include <vector>\n#include <cmath>\n#include <stdint.h>\n",
            "cupel/stats/interval.hpp": '#include "cupel/stats/quantile.hpp"\n',
            "cupel/compare/pair.cpp": '#include "cupel/stats/interval.hpp"\n',
        })

    def test_finds_an_include_that_points_up(self):
        self.assert_fails(
            {"cupel/compare/pair.hpp": "", "cupel/stats/a.cpp": 'int a;\n#include "cupel/compare/pair.hpp"\n'},
            'cupel/stats/a.cpp:2: #include "cupel/compare/pair.hpp": cupel/stats may not include cupel/compare')

    def test_finds_an_include_that_points_up_inside_a_room_with_folders(self):
        self.assert_passes({"cupel/report/page/table.hpp": "", "cupel/report/gate/a.cpp": '#include "cupel/report/page/table.hpp"\n'})
        self.assert_fails(
            {"cupel/report/html/a.hpp": "", "cupel/report/compare/a.cpp": '#include "cupel/report/html/a.hpp"\n'},
            'cupel/report/compare/a.cpp:1: #include "cupel/report/html/a.hpp": '
            'cupel/report/compare may not include cupel/report/html')
        self.assert_fails({"cupel/report/misc/a.hpp": ""},
                          "cupel/report/misc/a.hpp:1: : cupel/report/misc is not in the table of ci/check-layers")

    def test_finds_an_outside_library_in_the_wrong_room(self):
        self.assert_fails({"cupel/stats/a.cpp": "#include <cuda_runtime.h>\n"},
                          "cupel/stats/a.cpp:1: #include <cuda_runtime.h>: cupel/stats may not use cuda")

    def test_finds_a_library_that_it_does_not_know(self):
        self.assert_fails({"cli/a.cpp": "#  include <boost/any.hpp>\n"},
                          "cli/a.cpp:1: #  include <boost/any.hpp>: cli may not use other")

    def test_finds_json_in_a_header(self):
        self.assert_passes({"cupel/record/a.cpp": "#include <nlohmann/json.hpp>\n"})
        self.assert_fails({"cupel/record/a.hpp": "#include <nlohmann/json.hpp>\n"},
                          "cupel/record/a.hpp:1: #include <nlohmann/json.hpp>: json may be included by source files only")

    def test_lets_a_header_for_sources_pass_json_on_to_sources_alone(self):
        passes_on = {"cupel/record/json_text.hpp": "#include <nlohmann/json.hpp>\n"}
        include = '#include "cupel/record/json_text.hpp"\n'
        self.assert_passes({**passes_on, "cupel/record/a.cpp": include, "cupel/gate/b.cpp": include})
        self.assert_fails({**passes_on, "cupel/record/a.hpp": include},
                          f"cupel/record/a.hpp:1: {include.strip()}: json may be included by source files only")
        self.assert_fails({**passes_on, "cupel/harness/a.cpp": include},
                          f"cupel/harness/a.cpp:1: {include.strip()}: cupel/harness may not use json")

    def test_keeps_families_apart(self):
        self.assert_passes({"kernels/sum/a.hpp": "", "kernels/sum/b.hpp": '#include "kernels/sum/a.hpp"\n',
                            "bench/mean/a.cpp": '#include "kernels/sum/a.hpp"\n'})
        self.assert_fails({"kernels/sum/a.hpp": "", "kernels/mean/a.cu": '#include "kernels/sum/a.hpp"\n'},
                          'kernels/mean/a.cu:1: #include "kernels/sum/a.hpp": kernels/<f> may not include kernels/sum')
        self.assert_fails({"bench/sum/a.hpp": "", "bench/mean/a.cpp": '#include "bench/sum/a.hpp"\n'},
                          'bench/mean/a.cpp:1: #include "bench/sum/a.hpp": bench/<f> may not include bench/sum')

    def test_lets_kernels_share_the_common_folder(self):
        self.assert_passes({"kernels/common/a.cuh": "", "kernels/mean/a.cu": '#include "kernels/common/a.cuh"\n'})

    def test_finds_a_path_that_is_not_from_the_root(self):
        self.assert_fails({"cupel/stats/a.hpp": "", "cupel/stats/a.cpp": '#include "a.hpp"\n'},
                          'cupel/stats/a.cpp:1: #include "a.hpp": an include of ours is a path from the root')

    def test_finds_a_folder_that_is_not_in_the_table(self):
        self.assert_fails({"cupel/misc/a.hpp": ""},
                          "cupel/misc/a.hpp:1: : cupel/misc is not in the table of ci/check-layers")

    def test_lets_only_tests_include_googletest(self):
        self.assert_passes({"cupel/stats/a_test.cpp": "#include <gtest/gtest.h>\n"})
        self.assert_fails({"cupel/stats/a.cpp": "#include <gtest/gtest.h>\n"},
                          "cupel/stats/a.cpp:1: #include <gtest/gtest.h>: only tests may include gtest/gtest.h")


if __name__ == "__main__":
    main()
