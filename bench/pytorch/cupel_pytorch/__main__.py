"""The program, started as a folder: python3 cupel_pytorch."""

import pathlib
import sys

sys.dont_write_bytecode = True  # the folder may be another user's, or part of a package
sys.path[0] = str(pathlib.Path(__file__).resolve().parent.parent)

from cupel_pytorch.main import main  # noqa: E402

sys.exit(main(sys.argv[1:]))
