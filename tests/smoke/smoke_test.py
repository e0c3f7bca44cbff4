"""What smoke.py runs of a family, and what it says of the result."""

import os
import re
import unittest
from unittest import mock

from program import FolderTest, main
from smoke import NOT_RUN, complaints, run, sizes_in_turn, skipped, smallest_of_each, want_another_gpu


def listing(**bytes_of_names):
    """The names are as families register them: what is in a name is what a benchmark may depend on."""
    return [{"name": name, "params": [{"name": key, "value": value} for key, value in re.findall(r"([^/:]+):([^/]+)", name)],
             "device_bytes": device_bytes, "host_bytes": 0} for name, device_bytes in bytes_of_names.items()]


def row(name, status="ok", samples_s=(1e-6,), reason="why"):
    ours = {"series": [{"samples_s": samples_s}] if samples_s else []} if status == "ok" else {"reason": reason}
    return {"name": name, "cupel": {"status": status, **ours}}


class SmallestOfEach(unittest.TestCase):
    def test_takes_every_operation_once_at_its_smallest_size(self):
        listed = listing(**{"f/copy/memory:pinned/bytes:64": 64, "f/copy/memory:pinned/bytes:8": 8, "f/copy/memory:pageable/bytes:8": 8,
                            "f/launch": 0})
        self.assertEqual(smallest_of_each(listed), ["f/copy/memory:pinned/bytes:8", "f/copy/memory:pageable/bytes:8", "f/launch"])

    def test_in_parts_is_all_of_it_once(self):
        listed = listing(**{f"f/{letter}": 0 for letter in "abcde"})
        for part, names in (((1, 2), ["f/a", "f/b"]), ((2, 2), ["f/c", "f/d", "f/e"]), ((1, 7), [])):
            self.assertEqual(smallest_of_each(listed, *part), names)

    def test_compares_memory_first_and_numbers_as_numbers(self):
        listed = listing(**{"f/copy/threads:1/bytes:64": 64, "f/copy/threads:10/bytes:8": 8, "f/copy/threads:9/bytes:8": 8})
        self.assertEqual(smallest_of_each(listed), ["f/copy/threads:9/bytes:8"])


class SizesInTurn(unittest.TestCase):
    def check(self, bytes_of_names, names):
        self.assertEqual(sizes_in_turn(listing(**bytes_of_names)), names)

    def test_differ_in_one_size_alone_from_the_smallest(self):
        """What went wrong once: cuDNN's plans for rows of one length were taken for any number of them. Nothing but "bytes" may
        differ between two of those that are run, or another plan is made."""
        norm = "f/norm/impl:cudnn/columns:{}/bytes:{}".format
        self.check({norm(columns, size): 3 * size for columns, size in ((32, 64), (32, 512), (32, 8), (256, 8), (256, 64), (1024, 8))},
                   [norm(32, 8), norm(256, 8), norm(32, 64)])

    def test_are_those_of_each_operation(self):
        pinned, pageable = "f/copy/memory:pinned/bytes:", "f/copy/memory:pageable/bytes:"
        self.check({f"{pinned}64": 64, f"{pinned}8": 8, f"{pageable}8": 8, f"{pageable}16": 16, "f/launch": 0, "f/wait/kernel_us:20": 0},
                   [f"{pinned}8", f"{pinned}64", f"{pageable}8", f"{pageable}16"])

    def test_may_be_called_by_the_name_of_a_layer(self):
        forward = "f/forward/layer:{}/precision:fp16/batch:{}".format
        self.check({forward("wide", 1): 30, forward("narrow", 1): 10, forward("narrow", 32): 320, forward("middling", 1): 20},
                   [forward("narrow", 1), forward("middling", 1), forward("narrow", 32)])

    def test_are_the_two_smallest_where_all_change_together(self):
        epilogue = "f/epilogue/hidden:{}/tokens:{}".format
        self.check({epilogue(4096, 8192): 100, epilogue(4096, 2048): 50, epilogue(512, 128): 1}, [epilogue(512, 128), epilogue(4096, 2048)])


class Complaints(unittest.TestCase):
    def test_are_none_when_all_was_run_or_skipped_with_a_reason(self):
        rows = [row("f/a"), row("f/b", "skipped")]
        self.assertEqual(complaints(rows, ["f/a", "f/b"], timed=True), [])
        self.assertEqual(skipped(rows), ["f/b: skipped: why"])

    def test_name_what_failed_and_what_is_missing(self):
        rows = [row("f/a", "failed"), row("f/b", samples_s=()), row("f/c", samples_s=[1e-6, 0]), row("f/d", "skipped", reason="")]
        missing = "f/e: 0 rows in the result, not 1"
        self.assertEqual(complaints(rows, ["f/a", "f/b", "f/c", "f/d", "f/e"], timed=False),
                         [missing, "f/a: failed: why", "f/d: skipped without a reason"])
        self.assertEqual(complaints(rows, ["f/a", "f/b", "f/c", "f/d", "f/e"], timed=True),
                         [missing, "f/a: failed: why", "f/b: ok, but without a sample", "f/c: ok, but with a sample that is no time",
                          "f/d: skipped without a reason"])

    def test_do_not_take_a_family_that_skipped_everything(self):
        self.assertEqual(complaints([row("f/a", "skipped")], ["f/a"], timed=True), ["nothing was run"])

    def test_take_a_family_for_several_gpus_that_skipped_everything_on_one(self):
        rows = [row("f/a", "skipped", reason="needs two GPUs or more; 1 is visible")]
        self.assertEqual(complaints(rows, ["f/a"], timed=True), [])
        self.assertTrue(want_another_gpu(rows))
        self.assertFalse(want_another_gpu([*rows, row("f/b")]))
        self.assertFalse(want_another_gpu([]))


class WithoutADevice(FolderTest):
    def test_it_is_not_run_and_wrong_where_a_device_is_required(self):
        family = self.executable("family", """#!/bin/sh
[ "$1" = --cupel_list ] || exit 3
echo '{"family": "f", "needs_device": true, "benchmarks": [{"name": "f/a", "params": [], "device_bytes": 0, "host_bytes": 0}]}'
""")
        for required, code in (("", NOT_RUN), ("1", 1)):
            with mock.patch.dict(os.environ, CUPEL_REQUIRE_GPU=required):
                self.assertEqual(run("smallest", family, (1, 1)), code)


if __name__ == "__main__":
    main()
