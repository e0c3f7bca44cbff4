"""Executes the program: what `cupel` and `python -m cupel` do."""

import os
import pathlib
import sys

PROGRAM = pathlib.Path(__file__).resolve().parent / "libexec" / "cupel"


def main():
    try:
        os.execv(PROGRAM, ["cupel", *sys.argv[1:]])
    except OSError as error:
        sys.exit(f"cupel: {PROGRAM} cannot be run: {error.strerror}; it is for Linux on x86_64")


if __name__ == "__main__":
    main()
