#!/usr/bin/env python3
"""ci/check-rebuilds on small trees: which sources it counts, and when it fails."""

import contextlib
import io
import unittest

from program import FolderTest, load_script, main

rebuilds = load_script("check-rebuilds")
HEADER = "cupel/record/record.hpp"


class CheckRebuilds(FolderTest):
    def setUp(self):
        super().setUp()
        for header in rebuilds.MOST:
            self.file(header, "#pragma once\n")

    def code_and_output(self, *arguments):
        with contextlib.redirect_stdout(io.StringIO()) as out:
            code = rebuilds.main([*arguments, str(self.folder)])
        return code, out.getvalue()

    def test_counts_sources_that_include_a_header_through_others(self):
        self.file("cupel/a/a.hpp", f'#include "{HEADER}"\n')
        self.file("cupel/a/b.hpp", '#include "cupel/a/a.hpp"\n#include "cupel/a/b.hpp"\n')
        self.file("bench/f/direct.cpp", f'#include "{HEADER}"\n')
        self.file("bench/f/through.cu", '#include "cupel/a/b.hpp"\n')
        self.file("bench/f/neither.cpp", f'#include "cupel/record/forward.hpp"\n// #include "{HEADER}"\n')

        code, output = self.code_and_output("--list", HEADER)

        self.assertEqual(code, 0)
        self.assertTrue(output.startswith(f"bench/f/direct.cpp\nbench/f/through.cu\nan edit of {HEADER} rebuilds 2 sources;"), output)

    def test_fails_on_one_more_than_there_may_be(self):
        most = rebuilds.MOST[HEADER]
        for count, wanted in ((most, 0), (most + 1, 1)):
            for number in range(count):
                self.file(f"kernels/f/{number}.cu", f'#include "{HEADER}"\n')
            self.assertEqual(self.code_and_output()[0], wanted)

    def test_refuses_a_folder_that_lacks_a_header(self):
        (self.folder / HEADER).unlink()
        with contextlib.redirect_stderr(io.StringIO()) as err, self.assertRaises(SystemExit):
            self.code_and_output()
        self.assertIn(f"{self.folder} has no {HEADER}: name the folder of the sources", err.getvalue())


if __name__ == "__main__":
    main()
