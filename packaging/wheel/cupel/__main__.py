"""Executes the program: what `cupel` and `python -m cupel` do."""

import importlib.util
import os
import pathlib
import sys

PROGRAM = pathlib.Path(__file__).resolve().parent / "libexec" / "cupel"


def main():
    # The PyTorch that lies beside the wheel is measured, whether its environment is active or not.
    if importlib.util.find_spec("torch") is not None:
        os.environ.setdefault("CUPEL_PYTHON", sys.executable)
    try:
        os.execv(PROGRAM, ["cupel", *sys.argv[1:]])
    except OSError as error:
        sys.exit(f"cupel: {PROGRAM} cannot be run: {error.strerror}; it is for Linux on x86_64")


if __name__ == "__main__":
    main()
