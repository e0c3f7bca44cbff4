#!/usr/bin/env python3
"""Keeps the locations of a result file's processes, for random splits into two sides that did not change.

    tests/simulator/keep_locations.py RESULT.json [NAME]

RESULT is a run of ten processes or more. Adds, or replaces, the mode NAME (this_suite) of suite_process_locations.json
beside this script: for each benchmark whose figure is of one mode in every whole process, the inter-quartile mean of
its corrected samples in microseconds. Standard library only.
"""

import json
import pathlib
import sys

import result_file

PATH = pathlib.Path(__file__).resolve().parent / "suite_process_locations.json"


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    result = result_file.read(sys.argv[1])
    runs, processes = result_file.whole(result_file.figures(result))
    kept = {name: [float(f"{result_file.location_us(run):.5g}") for run in of_name] for name, of_name in runs.items()}
    document = json.loads(PATH.read_text()) if PATH.exists() else {"modes": {}, "locations_us": {}}
    name = sys.argv[2] if len(sys.argv) == 3 else "this_suite"
    document["modes"][name] = result_file.source(result, processes)
    document["locations_us"][name] = kept
    text = json.dumps(document, indent=1).replace("[\n    ", "[").replace(",\n    ", ", ").replace("\n   ]", "]")
    PATH.write_text(text + "\n")
    print(f"{len(kept)} benchmarks of {processes} processes in {PATH}")


main()
