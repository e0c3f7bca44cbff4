"""What docs/step.md says of 126 profiles and steps of one H200, worked out again: `h200/` has them as they were measured (1262df7,
2026-11-24), the micro-results are those of results/."""

import lzma
import subprocess
import sys
import tarfile

from program import MORE, ROOT, ProgramTest, main

MEASURED = ROOT / "tests" / "foretell" / "h200"


class ForetoldSteps(ProgramTest):
    def test_signs_and_errors_are_as_good_as_asked(self):
        with tarfile.open(MEASURED / "profiles.tar.xz") as archive:
            archive.extractall(self.folder)
        steps = self.folder / "steps.json"
        steps.write_bytes(lzma.decompress((MEASURED / "steps.json.xz").read_bytes()))
        ended = subprocess.run(
            [sys.executable, ROOT / "ci" / "check-foretell", "--program", MORE[0], "--step", self.folder / "profiles",
             "--measured", steps, ROOT / "results" / "nvidia-h200"], capture_output=True, text=True)
        self.assertEqual(ended.returncode, 0, ended.stdout + ended.stderr)
        self.assertIn("Of 86 that change the step by more than 1.00 %", ended.stdout)


if __name__ == "__main__":
    main()
