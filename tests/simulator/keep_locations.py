#!/usr/bin/env python3
"""Keeps the locations of a result file's processes, for random splits into two sides that did not change.

    tests/simulator/keep_locations.py RESULT.json [NAME]

RESULT is a run of ten processes or more. Adds, or replaces, the mode NAME (this_suite) of suite_process_locations.json
beside this script: for each benchmark whose figure is of one mode in every whole process, the inter-quartile mean of its
corrected samples in microseconds. Standard library only.
"""

import collections
import json
import pathlib
import sys

from location import interquartile_mean

HERE = pathlib.Path(__file__).resolve().parent
PATH = HERE / "suite_process_locations.json"


def location_us(series):
    return 1e6 * (interquartile_mean(series["samples_s"]) - series.get("correction_s", 0))


def figures(result):
    """name -> {process: (mode, location)} of what was measured."""
    found = collections.defaultdict(dict)
    for row in result["benchmarks"]:
        cupel = row.get("cupel", {})
        if cupel.get("status") == "ok" and cupel.get("series"):
            figure = cupel["series"][0]
            found[row["name"]][cupel["process"]] = (figure["mode"], location_us(figure))
    return found


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    result = json.loads(pathlib.Path(sys.argv[1]).read_text())
    found = figures(result)
    most = max(len(by_process) for by_process in found.values())
    whole = set.intersection(*(set(by_process) for by_process in found.values() if len(by_process) > most / 2))
    kept = {}
    for name, by_process in sorted(found.items()):
        if whole <= set(by_process) and len({by_process[p][0] for p in whole}) == 1:
            values = [by_process[p][1] for p in sorted(whole)]
            if min(values) > 0:
                kept[name] = [float(f"{value:.5g}") for value in values]
    document = json.loads(PATH.read_text()) if PATH.exists() else {"modes": {}, "locations_us": {}}
    name = sys.argv[2] if len(sys.argv) == 3 else "this_suite"
    device = result["context"]["cupel"].get("device", {})
    document["modes"][name] = (f"cupel run --quick, {len(whole)} processes, {device.get('name', 'no GPU')}, driver "
                               f"{device.get('driver_version', '-')}, "
                               f"commit {result['context']['cupel']['build']['git_revision'][:7]}")
    document["locations_us"][name] = kept
    text = json.dumps(document, indent=1).replace("[\n    ", "[").replace(",\n    ", ", ").replace("\n   ]", "]")
    PATH.write_text(text + "\n")
    print(f"{len(kept)} benchmarks of {len(whole)} processes in {PATH}")


main()
