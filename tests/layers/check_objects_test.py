#!/usr/bin/env python3
"""ci/check-objects on small trees: when it fails."""

import contextlib
import io

from program import FolderTest, load_script, main

objects = load_script("check-objects")


class CheckObjects(FolderTest):
    def test_fails_on_one_more_than_there_may_be(self):
        for count, wanted in ((objects.MOST, 0), (objects.MOST + 1, 1)):
            self.file("compile_commands.json", [{"file": f"{number}.cpp"} for number in range(count)])
            with contextlib.redirect_stdout(io.StringIO()) as out:
                self.assertEqual(objects.main([str(self.folder)]), wanted)
            self.assertIn(f"compiles {count} objects", out.getvalue())

    def test_fails_where_there_is_no_build(self):
        with self.assertRaises(FileNotFoundError):
            objects.main([str(self.folder)])


if __name__ == "__main__":
    main()
