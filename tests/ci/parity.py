"""Runs a ci/parity script in a folder of its own, where PyTorch is not there: what tests of these scripts share."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest


class ParityTest(unittest.TestCase):
    script = None  # the script as a module

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="cupel-parity-test-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def file(self, name, content):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        return path

    def run_it(self, *arguments, code, torch=None):
        """torch: the text of a module that stands in for it."""
        self.file("torch.py", torch or "raise ImportError(\"No module named 'torch'\")\n")
        ended = subprocess.run([sys.executable, self.script.__file__, *map(str, arguments)], capture_output=True, text=True,
                               check=False, env={**os.environ, "PYTHONPATH": str(self.folder),
                                                 "XDG_CACHE_HOME": str(self.folder / "cache"),
                                                 "PYTHONDONTWRITEBYTECODE": "1"})
        self.assertEqual(ended.returncode, code, ended.stdout + ended.stderr)
        return ended.stdout if code in (0, 1) else ended.stderr
