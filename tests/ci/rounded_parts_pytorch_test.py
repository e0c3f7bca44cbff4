"""ci/rounded-parts-pytorch without PyTorch: the layers it takes, the ends."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from program import load_script

script = load_script("rounded-parts-pytorch")


def run(*arguments, torch_is=""):
    """The script with a module torch of this text, or one that cannot be imported."""
    with tempfile.TemporaryDirectory(prefix="cupel-rounded-parts-test-") as folder:
        (pathlib.Path(folder) / "torch.py").write_text(torch_is or "raise ImportError('none here')")
        environment = dict(os.environ, PYTHONPATH=folder)
        return subprocess.run([sys.executable, script.__file__, *arguments], capture_output=True, text=True, timeout=60,
                              env=environment)


class Layers(unittest.TestCase):
    def test_are_those_of_the_suite_without_stride(self):
        layers = {name: sizes for name, *sizes in script.layers()}

        self.assertEqual(len(layers), 12)
        self.assertEqual(layers["res5_1x1_expand"], [512, 2048, 7])
        self.assertEqual(layers["res4_1x1_reduce"], [1024, 256, 14])
        self.assertNotIn("res4_1x1_shortcut", layers)


class Ends(unittest.TestCase):
    def test_without_pytorch_it_says_so_and_ends_with_2(self):
        done = run()

        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("no PyTorch: none here", done.stderr)

    def test_without_a_gpu_it_says_so_and_ends_with_2(self):
        done = run(torch_is="class cuda:\n    is_available = staticmethod(lambda: False)")

        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("finds no GPU", done.stderr)

    def test_of_a_wrong_flag_is_2(self):
        self.assertEqual(run("--layer").returncode, 2)


if __name__ == "__main__":
    unittest.main()
