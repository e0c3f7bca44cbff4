#!/usr/bin/env python3
"""ci/check-words on small trees: which comments it counts, and when it fails."""

import contextlib
import io
import unittest

from program import FolderTest, load_script, main

words = load_script("check-words")


class CheckWords(FolderTest):
    def code_and_output(self, *arguments):
        with contextlib.redirect_stdout(io.StringIO()) as out:
            code = words.main([*arguments, str(self.folder)])
        return code, out.getvalue()

    def test_counts_the_openings_of_comments_alone(self):
        self.file("cupel/a.hpp", "// What it holds.\n// Of those it has some.\nint a;  // What\n\n/// Those that do.\nint b;\n// Whatever.\n")

        code, output = self.code_and_output("--list")

        self.assertEqual(code, 0)
        self.assertIn("cupel/a.hpp:1: What it holds.\ncupel/a.hpp:5: Those that do.\n2 comments", output)

    def test_fails_on_one_more_than_there_were(self):
        for comments, wanted in ((words.MOST, 0), (words.MOST + 1, 1)):
            self.file("kernels/a.cu", "// Of it.\nint a;\n" * comments)
            self.assertEqual(self.code_and_output()[0], wanted)


if __name__ == "__main__":
    main()
