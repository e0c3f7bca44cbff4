#!/usr/bin/env python3
"""ci/check-objects on small trees: when it fails."""

import contextlib
import io

from program import FolderTest, load_script, main

objects = load_script("check-objects")


class CheckObjects(FolderTest):
    def test_fails_on_one_more_than_there_may_be(self):
        for count, wanted in ((objects.MOST, 0), (objects.MOST + 1, 1)):
            self.file("compile_commands.json", [{"command": f"c++ -O3 -o {number}.o -c {number}.cpp"} for number in range(count)])
            with contextlib.redirect_stdout(io.StringIO()) as out:
                self.assertEqual(objects.main([str(self.folder)]), wanted)
            self.assertIn(f"compiles {count} objects", out.getvalue())

    def test_fails_where_a_source_is_not_optimised_as_the_headers_that_it_reads(self):
        headers = "c++ -O3 -Og -x c++-header -o tree/cmake_pch.hxx.gch -c tree/cmake_pch.hxx.cxx"
        for level, wanted in (("-Og", 0), ("-O2", 1)):
            source = f"c++ -O3 {level} -include {self.folder}/tree/cmake_pch.hxx -o a_test.o -c a_test.cpp"
            self.file("compile_commands.json", [{"command": command} for command in (headers, source, "c++ -O2 -o b.o -c b.cpp")])
            with contextlib.redirect_stdout(io.StringIO()) as out:
                self.assertEqual(objects.main([str(self.folder)]), wanted)
            self.assertEqual("a_test.cpp: is optimised as" in out.getvalue(), level == "-O2")

    def test_fails_where_there_is_no_build(self):
        with self.assertRaises(FileNotFoundError):
            objects.main([str(self.folder)])


if __name__ == "__main__":
    main()
