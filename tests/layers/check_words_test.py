#!/usr/bin/env python3
"""ci/check-words on small trees: which comments it finds."""

import contextlib
import io
import unittest

from program import FolderTest, load_script, main

words = load_script("check-words")


class CheckWords(FolderTest):
    def code_and_output(self):
        with contextlib.redirect_stdout(io.StringIO()) as out:
            code = words.main([str(self.folder)])
        return code, out.getvalue()

    def test_finds_the_openings_of_comments_alone(self):
        self.file("cupel/a.hpp", "// What it holds.\n// Of those it has some.\nint a;  // What\n\n/// Those that do.\nint b;\n// Whatever.\n")

        code, output = self.code_and_output()

        self.assertEqual(code, 1)
        self.assertIn("cupel/a.hpp:1: What it holds.\ncupel/a.hpp:5: Those that do.\n2 comments", output)

    def test_passes_where_each_opens_with_its_subject(self):
        self.file("kernels/a.cu", "// It does.\nint a;\n")

        self.assertEqual(self.code_and_output()[0], 0)


if __name__ == "__main__":
    main()
