"""What docs/foretell.md says of eight PyTorch steps on one H100, worked out again: `h100/` has their profiles and every group of steps as
ci/measure-pytorch-steps took them (2026-11-27), and the board's own micro-results."""

import lzma
import subprocess
import sys
import tarfile

import program
from program import ROOT, ProgramTest, main

MEASURED = ROOT / "tests" / "foretell" / "h100"


class Held(ProgramTest):
    def test_signs_errors_and_intervals_are_as_good_as_asked(self):
        with tarfile.open(MEASURED / "steps.tar.xz") as archive:
            archive.extractall(self.folder / "steps")
        micro = self.folder / "micro.json"
        micro.write_bytes(lzma.decompress((MEASURED / "micro.json.xz").read_bytes()))
        ended = subprocess.run([sys.executable, ROOT / "ci" / "check-foretell-pytorch", "--rounds", "1", "--cupel", program.CUPEL,
                                self.folder / "steps", micro], capture_output=True, text=True)
        self.assertEqual(ended.returncode, 0, ended.stdout + ended.stderr)
        self.assertIn("68 changes, 31 matter, 0 of them silent (0%). Sign right in 100%, median error 9%, 84% inside", ended.stdout)


if __name__ == "__main__":
    main()
