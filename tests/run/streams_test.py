"""Nobody listens: stdout or stderr is closed, full, or a pipe whose reader went away."""

import os
import subprocess

from program import CUPEL, HERE, ProgramTest, default_signals, main

RESULT = HERE / "golden" / "result.json"
DONE, USAGE, FAILED, READER_GONE = 0, 2, 4, 141

# Of each command that needs no executables, and how it ends.
COMMANDS = [(["show", RESULT], DONE), (["compare", RESULT, RESULT, "--format", "json"], DONE),
            (["advise", RESULT, "--format", "json", "--all"], DONE), (["validate", RESULT], DONE),
            (["explain", "gemm"], DONE), (["run", "--help"], DONE), (["list"], DONE), (["show", "nowhere.json"], USAGE),
            (["show", RESULT, "--filter", "nothing"], 5), (["rnu"], USAGE)]


def pipe_without_reader():
    reader, writer = os.pipe()
    os.close(reader)
    return writer


class Streams(ProgramTest):
    def setUp(self):
        super().setUp()
        self.family("a", mode="wrong")

    def code(self, arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, closed=()):
        def prepare():
            default_signals()
            for stream in closed:
                os.close(stream)

        return subprocess.run([CUPEL, *map(str, arguments)], cwd=self.folder, env=self.environment(), stdout=stdout,
                              stderr=stderr, preexec_fn=prepare, timeout=60).returncode

    def code_into_a_broken_pipe(self, arguments):
        writer = pipe_without_reader()
        try:
            return self.code(arguments, stdout=writer, stderr=writer)
        finally:
            os.close(writer)

    def test_without_a_reader_every_command_ends_quietly(self):
        for arguments, code in COMMANDS:
            with self.subTest(arguments):
                self.assertEqual(self.code_into_a_broken_pipe(arguments), READER_GONE if code == DONE else code)

    def test_says_nothing_when_the_reader_of_its_output_has_read_enough(self):
        writer = pipe_without_reader()
        ended = subprocess.run([CUPEL, "show", RESULT], stdout=writer, stderr=subprocess.PIPE)
        os.close(writer)
        self.assertEqual((ended.returncode, ended.stderr), (READER_GONE, b""))

    def test_ends_with_the_same_code_where_it_cannot_complain(self):
        for arguments, code in COMMANDS:
            with self.subTest(arguments), open("/dev/full", "w") as full:
                self.assertEqual(self.code(arguments, stderr=full), code)
                self.assertEqual(self.code(arguments, closed=[2]), code)

    def test_says_that_the_disk_is_full(self):
        for arguments, code in COMMANDS:
            with self.subTest(arguments), open("/dev/full", "w") as full:
                self.assertEqual(self.code(arguments, stdout=full), USAGE if code == DONE else code)
        with open("/dev/full", "w") as full:
            ended = subprocess.run([CUPEL, "show", RESULT], stdout=full, stderr=subprocess.PIPE, text=True)
        self.assertEqual(ended.returncode, USAGE)
        self.assertEqual(ended.stderr, "cupel: the output could not be written: No space left on device\n")

    def test_a_run_goes_on_to_its_end_and_writes_file_and_page(self):
        run = ["run", "--processes", 2, "--force", "--output", self.output]
        for code in (lambda: self.code_into_a_broken_pipe(run), lambda: self.code(run, closed=[0, 1, 2])):
            self.assertEqual(code(), FAILED)  # for the benchmark that is wrong
            self.assertEqual(self.statuses(), {"a 0": ["ok", "failed", "ok"], "a 1": ["ok", "failed", "ok"]})
            self.assertTrue(self.output.with_suffix(".html").exists())
            self.output.unlink()
            self.output.with_suffix(".html").unlink()


if __name__ == "__main__":
    main()
