"""What a result file of cupel holds of each benchmark's processes. Standard library only."""

import collections
import json
import pathlib

from location import interquartile_mean


def read(path):
    return json.loads(pathlib.Path(path).read_text())


def figures(result):
    """name -> {process: what it measured}, of what was measured.

    A figure: mode, samples_s in order and the correction_s to take from each, rounds (how many samples each took),
    family, and throttled, whether the power limit held the clock down meanwhile.
    """
    found = collections.defaultdict(dict)
    for row in result["benchmarks"]:
        cupel = row.get("cupel", {})
        if cupel.get("status") != "ok" or not cupel.get("series"):
            continue
        figure = cupel["series"][0]
        throttle = cupel.get("telemetry", {}).get("throttle_s", {})
        found[row["name"]][cupel["process"]] = {
            "mode": figure["mode"],
            "samples_s": figure["samples_s"],
            "correction_s": figure.get("correction_s", 0),
            "rounds": figure.get("round_sizes") or [len(figure["samples_s"])],
            "family": cupel["family"],
            "throttled": throttle.get("sw_power_cap", 0) > 0,
        }
    return found


def location_us(run):
    return 1e6 * (interquartile_mean(run["samples_s"]) - run["correction_s"])


def whole(found):
    """name -> its figures in order of processes, and how many processes: those that measured what most of them did.

    Benchmarks whose figure is not of one mode in all of these, or not positive, are left out.
    """
    most = max(len(by_process) for by_process in found.values())
    processes = sorted(set.intersection(*(set(p) for p in found.values() if len(p) > most / 2)))
    kept = {}
    for name, by_process in sorted(found.items()):
        if not set(processes) <= set(by_process):
            continue
        runs = [by_process[process] for process in processes]
        if len({run["mode"] for run in runs}) == 1 and min(map(location_us, runs)) > 0:
            kept[name] = runs
    return kept, len(processes)


def source(result, processes):
    """One line on what was measured where."""
    context = result["context"]["cupel"]
    device = context.get("device", {})
    return (f"cupel run --{context['run']['profile']}, {processes} processes, {device.get('name', 'no GPU')}, driver "
            f"{device.get('driver_version', '-')}, commit {context['build']['git_revision'][:7]}")
