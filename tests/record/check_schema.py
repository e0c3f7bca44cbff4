#!/usr/bin/env python3
"""Holds result files against docs/schema/cupel-1.schema.json: those of valid/ must pass, those of invalid/ must not.

The reader's own opinion of the same files is asked in cupel/record/fixtures_test.cpp, so that schema and reader agree.
Further files or folders on the command line must pass too. Ends with 1 when a file surprises.
"""

import json
import pathlib
import sys

import jsonschema

HERE = pathlib.Path(__file__).resolve().parent
SCHEMA = HERE.parents[1] / "docs" / "schema" / "cupel-1.schema.json"


def files(path):
    return sorted(path.glob("*.json")) if path.is_dir() else [path]


def violations(validator, path):
    document = json.loads(path.read_text(encoding="utf-8"))
    return [f"/{'/'.join(map(str, e.absolute_path))}: {e.message}" for e in validator.iter_errors(document)]


def main():
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    surprises = 0
    checked = 0
    for folder in [HERE / "valid", *map(pathlib.Path, sys.argv[1:])]:
        for path in files(folder):
            checked += 1
            for violation in violations(validator, path):
                surprises += 1
                print(f"{path}: {violation}")
    for path in files(HERE / "invalid"):
        checked += 1
        if not violations(validator, path):
            surprises += 1
            print(f"{path}: passes, though the reader refuses it")
    print(f"{checked} files checked against {SCHEMA.name}")
    if checked < 2:
        print("there were no fixtures")
        surprises += 1
    return 1 if surprises else 0


if __name__ == "__main__":
    sys.exit(main())
