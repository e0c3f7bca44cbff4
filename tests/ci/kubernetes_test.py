"""ci/kubernetes/fleet.yaml: kubernetes_test.py Schema is whether it is valid by the API's, and ends with 77 where
kubernetes-validate is not installed; kubernetes_test.py Codes whether it acts on exit codes that cupel has."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
JOB = ROOT / "ci/kubernetes/fleet.yaml"

sys.path.append(str(ROOT / ".deps/test-tools"))  # scripts/setup --tests
try:
    import kubernetes_validate  # noqa: F401
    MISSING = None
except ImportError:
    MISSING = "kubernetes-validate is not installed (python3 -m pip install kubernetes-validate)"


def validate(path):
    return subprocess.run([sys.executable, "-m", "kubernetes_validate", "--strict", str(path)], capture_output=True,
                          text=True, check=False, env={**os.environ, "PYTHONPATH": ":".join(sys.path)})


class Schema(unittest.TestCase):
    def test_is_valid_by_the_schema_which_refuses_what_is_not(self):
        ended = validate(JOB)
        self.assertEqual(ended.returncode, 0, ended.stdout + ended.stderr)
        with tempfile.NamedTemporaryFile("w", suffix=".yaml") as wrong:
            wrong.write(JOB.read_text().replace("completionMode:", "completionMood:"))
            wrong.flush()
            self.assertNotEqual(validate(wrong.name).returncode, 0)


class Codes(unittest.TestCase):
    def test_acts_on_exit_codes_that_cupel_has(self):
        ours = {int(code) for code in re.findall(r"  k\w+ = (\d+)",
                                                 (ROOT / "cli/exit_codes.hpp").read_text())}
        acted_on = [int(code) for codes in re.findall(r"values: \[([\d, ]+)\]", JOB.read_text())
                    for code in codes.split(",")]
        self.assertEqual(len(acted_on), len(set(acted_on)))
        self.assertLessEqual(set(acted_on) - {128 + 15}, ours)  # 143: ended by SIGTERM before it could say anything
        self.assertLessEqual({2, 3, 4, 5, 130}, set(acted_on))


if __name__ == "__main__":
    if sys.argv[1:] == ["Schema"] and MISSING:
        sys.exit(print(MISSING) or 77)
    unittest.main()
