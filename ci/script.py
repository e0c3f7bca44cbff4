"""Flags, ends, another program's output and tables, as all scripts of ci/ have them."""

import argparse
import functools
import json
import math
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent  # of the sources, or of a packed tree


class Wrong(Exception):
    """Wrong usage, an unfit file, or a program that fails: one line, exit code 2."""


def flags(text):
    """A parser of arguments. text: what the script says of itself."""
    return argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)


def pattern(text):
    """The regular expression that --filter names."""
    try:
        return re.compile(text)
    except re.error as error:
        raise Wrong(f"--filter {text}: {error}") from None


def said(code, words):
    """The code, once stderr has a line that begins with the script's name."""
    print(f"{pathlib.Path(sys.argv[0]).name}: {words}", file=sys.stderr)
    return code


def program(main):
    """A script's main(arguments), which gives its exit code: 2 and a line on stderr where it raises what is not its own fault."""
    @functools.wraps(main)
    def guarded(arguments):
        try:
            return main(arguments)
        except (Wrong, OSError, ImportError) as error:
            return said(2, error)
    return guarded


def nothing_to_compare(why):
    return said(5, f"nothing to compare: {why}")


def read_json(path):
    """The JSON that --save or another script wrote."""
    try:
        return json.loads(pathlib.Path(path).read_text())
    except (OSError, ValueError) as error:
        raise Wrong(f"{path}: {error}") from None


def output_of(program, *arguments, **options):
    """A program's output. Throws Wrong where it ends with anything but 0."""
    try:
        ended = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, check=False, **options)
    except OSError as error:
        raise Wrong(f"{program}: {error.strerror}") from None
    if ended.returncode != 0:
        raise Wrong(f"{program} ended with {ended.returncode}: {ended.stderr.strip()}")
    return ended.stdout


def markdown(titles, rows):
    return "\n".join("| " + " | ".join(map(str, cells)) + " |" for cells in (titles, ["---"] * len(titles), *rows))


def ratio_of(ours_s, theirs_s):
    return ours_s / theirs_s if theirs_s > 0 else math.inf


class Table:
    """Our time, PyTorch's and their ratio; a line as soon as it is known, for the eye or as Markdown."""

    def __init__(self, as_markdown=False, unit="ms"):
        self.per_s = {"ms": 1e3, "us": 1e6}[unit]
        self.form = "| `{3}` | {0:.2f} | {1:.2f} | {2:.2f} |{4} |" if as_markdown else "{0:9.3f} {1:9.3f} {2:6.3f}  {3} {4}"
        print(f"| benchmark | here, {unit} | PyTorch, {unit} | ratio | |\n|---|--:|--:|--:|---|" if as_markdown else
              f"  ours {unit}  torch {unit}  ratio", flush=True)

    def add(self, ours_s, theirs_s, name, words=""):
        line = self.form.format(ours_s * self.per_s, theirs_s * self.per_s, ratio_of(ours_s, theirs_s), name, f" {words}" if words else "")
        print(line.rstrip(), flush=True)
