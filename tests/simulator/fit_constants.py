#!/usr/bin/env python3
"""Fits the simulator's noise model to recorded samples, and keeps the locations of their processes.

    tests/simulator/fit_constants.py SAMPLES.json.gz

SAMPLES holds {"processes": {mode: [{"us": {benchmark: [microseconds in order]}}]}}. Writes, beside this script,
h200_constants.inc (what noise_model.cpp includes) and h200_process_locations.json (the inter-quartile mean of each
benchmark in each process: what random splits into two sides are drawn from). Standard library only.

What is fitted, on logarithms:
  sample sd         inter-quartile range / 1.349 inside a process, at most what explains the spread of locations; median
                    over the class, and sd of its logarithm
  process sd        sd over processes of the location, less what the samples explain; likewise
  bimodal           share of benchmarks whose 12 locations fall into two groups, each of 2 at least, whose gap is over
                    4 pooled sds of the groups; the smallest and the largest gap seen
  outliers          share of samples over 5 sample sds above the median, and their mean distance from it
  autocorrelation   of neighbouring samples, median over the class, not below 0
  drift             correlation of locations between benchmarks of one process, and between neighbouring processes
"""

import gzip
import json
import math
import pathlib
import statistics
import sys

from location import interquartile_mean

HERE = pathlib.Path(__file__).resolve().parent
MODES = ["none", "settle", "settle_rounds"]
CLASSES = ["large", "small", "power", "host"]


def class_of(name, location_us):
    if name.startswith("host/") or "pageable" in name:
        return "host"
    if name == "gemm/fp16/8192":
        return "power"  # 700 W: its own heat sets its clock
    return "large" if location_us >= 40 else "small"


def sample_sd(logs):
    quartiles = statistics.quantiles(logs, n=4, method="inclusive")
    return (quartiles[2] - quartiles[0]) / 1.349


def autocorrelation(values):
    mean = statistics.fmean(values)
    total = sum((v - mean) ** 2 for v in values)
    return sum((a - mean) * (b - mean) for a, b in zip(values, values[1:])) / total if total else 0.0


def gap_of(locations):
    """The gap between two groups that the locations clearly fall into, or 0."""
    ordered = sorted(locations)
    best = 0.0
    for cut in range(2, len(ordered) - 1):
        low, high = ordered[:cut], ordered[cut:]
        within = math.sqrt((statistics.variance(low) * (len(low) - 1) + statistics.variance(high) * (len(high) - 1)) /
                           (len(ordered) - 2))
        if ordered[cut] - ordered[cut - 1] > 4 * within:
            best = max(best, statistics.fmean(high) - statistics.fmean(low))
    return best


def correlation(a, b):
    ma, mb = statistics.fmean(a), statistics.fmean(b)
    cross = sum((x - ma) * (y - mb) for x, y in zip(a, b))
    size = math.sqrt(sum((x - ma) ** 2 for x in a) * sum((y - mb) ** 2 for y in b))
    return cross / size if size else 0.0


def describe(processes):
    """name -> what one benchmark shows."""
    found = {}
    for name in processes[0]["us"]:
        runs = [[math.log(v) for v in p["us"][name]] for p in processes]
        locations = [math.log(interquartile_mean(p["us"][name])) for p in processes]
        sds = [sample_sd(logs) for logs in runs]
        far = [(x - statistics.median(logs)) for logs, sd in zip(runs, sds) for x in logs
               if x - statistics.median(logs) > 5 * max(sd, 1e-4)]
        count = sum(len(logs) for logs in runs)
        phi = max(0.0, statistics.median(autocorrelation(logs) for logs in runs))
        sd = statistics.median(sds)
        carried = 1.19 / (count / len(runs)) * (1 + phi) / (1 - phi)
        seen = statistics.variance(locations)
        # Samples that hang together beyond their neighbours would explain more than there is.
        sd = min(sd, math.sqrt(seen / carried))
        found[name] = {
            "class": class_of(name, math.exp(statistics.median(locations))),
            "locations": locations,
            "sample_sd": sd,
            "process_sd": math.sqrt(max(seen - sd * sd * carried, 1e-8)),
            "gap": gap_of(locations),
            "outlier_share": len(far) / count,
            "outlier_distance": statistics.fmean(far) if far else 0.0,
            "phi": phi,
        }
    return found


def shared(found):
    """Mean correlation between benchmarks over processes, and of neighbouring processes: what drifts together."""
    names = [n for n, b in found.items() if b["class"] != "host"]
    between = [correlation(found[a]["locations"], found[b]["locations"])
               for i, a in enumerate(names) for b in names[:i]]
    neighbours = [correlation(found[n]["locations"][:-1], found[n]["locations"][1:]) for n in names]
    return statistics.fmean(between), statistics.fmean(neighbours)


def spread(values):
    return statistics.stdev(math.log(max(v, 1e-5)) for v in values) if len(values) > 1 else 0.3


def constants(found):
    rows = []
    for name in CLASSES:
        members = [b for b in found.values() if b["class"] == name]
        column = lambda key: [b[key] for b in members]
        gaps = [g for g in column("gap") if g > 0]
        distances = [d for d in column("outlier_distance") if d > 0]
        rows.append((name, len(members), statistics.median(column("sample_sd")), spread(column("sample_sd")),
                     statistics.median(column("process_sd")), spread(column("process_sd")), len(gaps) / len(members),
                     min(gaps, default=0.0), max(gaps, default=0.0), statistics.median(column("outlier_share")),
                     statistics.median(distances) if distances else 0.0, statistics.median(column("phi"))))
    return rows


def main():
    data = json.loads(gzip.decompress(pathlib.Path(sys.argv[1]).read_bytes()))
    lines = ["// Made by fit_constants.py. Per mode of measuring and class: benchmarks it was fitted to, sample sd and",
             "// sd of its logarithm, process sd and sd of its logarithm, share of bimodal benchmarks with the least",
             "// and the greatest gap, share and mean distance of outliers, autocorrelation of neighbouring samples.",
             "// clang-format off"]
    for mode in MODES:
        found = describe(data["processes"][mode])
        between, neighbours = shared(found)
        lines.append(f"// {mode}: correlation between benchmarks {between:.2f}, of neighbouring processes {neighbours:.2f}")
        lines.append(f"constexpr std::array<Constants, 4> k_{mode}{{{{")
        for name, count, *numbers in constants(found):
            lines.append(f"    {{\"{name}\", {count}, " + ", ".join(f"{x:.4g}" for x in numbers) + "},")
        lines.append("}};")
        lines.append(f"constexpr double k_{mode}_correlation = {max(0.0, between):.3f}, "
                     f"k_{mode}_persistence = {max(0.0, neighbours):.3f};")
    (HERE / "h200_constants.inc").write_text("\n".join(lines) + "\n")

    kept = {"what": "Process locations (inter-quartile mean of about 150 gated cold samples, microseconds) of 28 "
                    "benchmarks on one NVIDIA H200, driver 580.159, CUDA 13.0: 12 processes in each of 3 modes of "
                    "measuring, in order of time. Made by fit_constants.py.",
            "modes": data["modes"],
            "locations_us": {mode: {name: [float(f"{interquartile_mean(p['us'][name]):.7g}")
                                           for p in data["processes"][mode]]
                                    for name in data["processes"][mode][0]["us"]} for mode in MODES}}
    text = json.dumps(kept, indent=1)
    text = text.replace("[\n    ", "[").replace(",\n    ", ", ").replace("\n   ]", "]")
    (HERE / "h200_process_locations.json").write_text(text + "\n")


main()
