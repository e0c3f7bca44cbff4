#!/usr/bin/env python3
"""Fits the simulator's noise model to recorded samples.

    tests/simulator/fit_constants.py SAMPLES.json.gz    # the study's
    tests/simulator/fit_constants.py RESULT.json        # a result file of cupel, of ten processes or more

SAMPLES holds {"processes": {mode: [{"us": {benchmark: [microseconds in order]}}]}}. Writes, beside this script, what
noise_model.cpp includes: h200_constants.inc of the study's, suite_constants.inc of a result file. Of the study's it
writes h200_process_locations.json too, the inter-quartile mean of each benchmark in each process: what random splits
into two sides are drawn from (keep_locations.py keeps those of a result file). Standard library only.

What is fitted, on logarithms:
  sample sd         inter-quartile range / 1.349 inside a process, at most what explains the spread of locations; median
                    over the class, and sd of its logarithm
  process sd        sd over processes of the location, less what the samples explain; likewise
  bimodal           share of benchmarks whose locations fall into two groups, each of 2 at least, whose gap is over
                    4 pooled sds of the groups; the smallest and the largest gap seen
  outliers          share of samples over 5 sample sds above the median, and their mean distance from it
  autocorrelation   of neighbouring samples, median over the class, not below 0
  drift             correlation of locations between benchmarks of one process, and between neighbouring processes

A result file says more: which executable a benchmark is of, where its rounds begin, what its clock was. So of it also:
  their spreads     sd of the logarithm from the median and the ninth decile: the lower half piles up near 0
  samples' columns  of distances from the median of the round, where rounds have 5 samples or more
  process sd        of bimodal benchmarks inside the groups, of others without the processes that are far
  shared            correlation of locations between benchmarks of one executable, device-bound or host-bound, without
                    the bimodal ones: the part of the variance between processes that they have in common
  rounds            sd of the levels of a process's rounds, less what the samples explain, median over the class, as a
                    multiple of the process sd's
  far               share of processes over 5 robust sds (1.4826 median absolute deviations) above the median of their
                    benchmark, of those that are not bimodal, and their mean distance from it
  samples           of a process, median over the class
  seen              median and ninth decile over the class of the sd of locations, whatever explains it: what suites
                    that the model makes are held against
"""

import gzip
import json
import math
import pathlib
import statistics
import sys
import textwrap

import result_file
from location import interquartile_mean

HERE = pathlib.Path(__file__).resolve().parent
MODES = ["none", "settle", "settle_rounds"]
CLASSES = ["large", "small", "power", "host"]
LEAST_PROCESSES = 10
LEAST = 1e-4  # processes agree no better: the gate's own floor


def class_of(name, location_us):
    if name.startswith("host/") or "pageable" in name:
        return "host"
    if name == "gemm/fp16/8192":
        return "power"  # 700 W: its own heat sets its clock
    return "large" if location_us >= 40 else "small"


def class_of_runs(runs):
    if runs[0]["mode"] == "host":
        return "host"
    if 2 * sum(run["throttled"] for run in runs) >= len(runs):
        return "power"
    return "large" if statistics.median(map(result_file.location_us, runs)) >= 40 else "small"


def sample_sd(logs):
    quartiles = statistics.quantiles(logs, n=4, method="inclusive") if len(logs) > 1 else [logs[0]] * 3
    return (quartiles[2] - quartiles[0]) / 1.349


def autocorrelation(values):
    mean = statistics.fmean(values)
    total = sum((v - mean) ** 2 for v in values)
    return sum((a - mean) * (b - mean) for a, b in zip(values, values[1:])) / total if total else 0.0


def groups_of(locations):
    """The gap between two groups that the locations clearly fall into, or 0; and the groups."""
    ordered = sorted(locations)
    best = (0.0, [ordered])
    for cut in range(2, len(ordered) - 1):
        groups = [ordered[:cut], ordered[cut:]]
        if ordered[cut] - ordered[cut - 1] > 4 * math.sqrt(pooled_variance(groups)):
            best = max(best, (statistics.fmean(groups[1]) - statistics.fmean(groups[0]), groups))
    return best


def pooled_variance(groups):
    freedom = sum(len(group) - 1 for group in groups)
    return sum(statistics.variance(group) * (len(group) - 1) for group in groups) / freedom


def far_from(locations):
    """Distances from the median of the locations that are far above it."""
    median = statistics.median(locations)
    robust = 1.4826 * statistics.median(abs(x - median) for x in locations)
    return [x - median for x in locations if x - median > 5 * max(robust, LEAST)]


def correlation(a, b):
    ma, mb = statistics.fmean(a), statistics.fmean(b)
    cross = sum((x - ma) * (y - mb) for x, y in zip(a, b))
    size = math.sqrt(sum((x - ma) ** 2 for x in a) * sum((y - mb) ** 2 for y in b))
    return cross / size if size else 0.0


def residuals(rounds):
    """Distances of the samples from the median of their round; of their process, where rounds are too short for one."""
    if min(map(len, rounds)) < 5:
        rounds = [[x for one in rounds for x in one]]
    return [x - statistics.median(one) for one in rounds for x in one]


def describe(locations, runs):
    """What one benchmark shows. runs: of each process, for each round the logarithms of its samples."""
    distances = [residuals(rounds) for rounds in runs]
    sds = [sample_sd(of_run) for of_run in distances]
    far = [x for of_run, sd in zip(distances, sds) for x in of_run if x > 5 * max(sd, 1e-4)]
    count = sum(map(len, distances))
    phi = max(0.0, statistics.median(map(autocorrelation, distances)))
    sd = statistics.median(sds)
    carried = 1.19 / (count / len(runs)) * (1 + phi) / (1 - phi)
    seen = statistics.variance(locations)
    # Samples that hang together beyond their neighbours would explain more than there is.
    sd = min(sd, math.sqrt(seen / carried))
    return {
        "locations": locations,
        "sample_sd": sd,
        "process_sd": math.sqrt(max(seen - sd * sd * carried, 1e-8)),
        "gap": groups_of(locations)[0],
        "outlier_share": len(far) / count,
        "outlier_distance": statistics.fmean(far) if far else 0.0,
        "phi": phi,
        "carried": carried,
    }


def describe_levels(found, runs):
    """Of a benchmark whose rounds are known: what makes its processes differ, each part by itself."""
    locations = found["locations"]
    gap, groups = groups_of(locations)
    far = [] if gap else far_from(locations)
    if far:
        groups = [sorted(locations)[:-len(far)]]
    rest = pooled_variance(groups)
    by_samples = found["sample_sd"] ** 2 * found["carried"]
    levels = [[statistics.median(one) for one in rounds] for rounds in runs if len(rounds) > 1]
    per_round = statistics.fmean(len(rounds) for rounds in runs)
    between = statistics.fmean(map(statistics.variance, levels)) if levels else 0.0
    found.update({
        "process_sd": max(math.sqrt(max(rest - by_samples, 0.0)), LEAST),
        "round_sd": math.sqrt(max(between - by_samples * per_round, 0.0)),
        "far": far,
        "samples": statistics.median(sum(map(len, rounds)) for rounds in runs),
        "seen": statistics.stdev(locations),
    })
    return found


def describe_study(processes):
    """name -> what one benchmark shows."""
    found = {}
    for name in processes[0]["us"]:
        locations = [math.log(interquartile_mean(p["us"][name])) for p in processes]
        runs = [[[math.log(v) for v in p["us"][name]]] for p in processes]
        found[name] = describe(locations, runs)
        found[name]["class"] = class_of(name, math.exp(statistics.median(locations)))
    return found


def split(values, sizes):
    at = 0
    for size in sizes:
        if size:
            yield values[at:at + size]
        at += size


def describe_result(runs_of):
    found = {}
    for name, figures in runs_of.items():
        runs = [list(split([math.log(max(s - f["correction_s"], 1e-9)) for s in f["samples_s"]], f["rounds"]))
                for f in figures]
        found[name] = describe_levels(describe([math.log(result_file.location_us(f)) for f in figures], runs), runs)
        found[name]["class"] = class_of_runs(figures)
        found[name]["family"] = figures[0]["family"]
    return found


def correlations(benchmarks, together=lambda a, b: True):
    return [correlation(a["locations"], b["locations"])
            for i, a in enumerate(benchmarks) for b in benchmarks[:i] if together(a, b)]


def mean_of(values):
    """0 where there are none: of benchmarks of one executable none are of two."""
    return statistics.fmean(values) if values else 0.0


def neighbours(benchmarks):
    """Mean correlation of a process with the next. Of n independent ones it is -1 / n."""
    return statistics.fmean(correlation(b["locations"][:-1], b["locations"][1:]) for b in benchmarks)


def spread(values):
    return statistics.stdev(math.log(max(v, 1e-5)) for v in values) if len(values) > 1 else 0.3


def upper_spread(values):
    """sd of the logarithm, of a normal one, from the upper half: the lower one piles up at what can be told from 0."""
    decile = ninth_decile(values)
    return math.log(decile / statistics.median(values)) / 1.2816


def ninth_decile(values):
    return statistics.quantiles(values, n=10, method="inclusive")[8]


def constants(members, spread):
    """What a class has in common, as noise_model.cpp reads it."""
    column = lambda key: [b[key] for b in members]
    gaps = [g for g in column("gap") if g > 0]
    distances = [d for d in column("outlier_distance") if d > 0]
    return [statistics.median(column("sample_sd")), spread(column("sample_sd")),
            statistics.median(column("process_sd")), spread(column("process_sd")), len(gaps) / len(members),
            min(gaps, default=0.0), max(gaps, default=0.0), statistics.median(column("outlier_share")),
            statistics.median(distances) if distances else 0.0, statistics.median(column("phi"))]


def constants_of_levels(members, shared):
    column = lambda key: [b[key] for b in members]
    far = [x for b in members for x in b["far"]]
    single = sum(len(b["locations"]) for b in members if not b["gap"])
    seen = column("seen")
    return [shared, statistics.median(column("round_sd")) / statistics.median(column("process_sd")),
            len(far) / single if single else 0.0, statistics.fmean(far) if far else 0.0,
            statistics.median(column("samples")), statistics.median(seen), ninth_decile(seen)]


def row(name, members, numbers):
    return f"    {{\"{name}\", {len(members)}, " + ", ".join(f"{x:.4g}" for x in numbers) + "},"


def of_class(found, name):
    return [b for b in found.values() if b["class"] == name]


def fit_study(path):
    data = json.loads(gzip.decompress(path.read_bytes()))
    lines = ["// Made by fit_constants.py. Per mode of measuring and class: benchmarks it was fitted to, sample sd and",
             "// sd of its logarithm, process sd and sd of its logarithm, share of bimodal benchmarks with the least",
             "// and the greatest gap, share and mean distance of outliers, autocorrelation of neighbouring samples.",
             "// clang-format off"]
    for mode in MODES:
        found = describe_study(data["processes"][mode])
        on_device = [b for b in found.values() if b["class"] != "host"]
        between, next_to = statistics.fmean(correlations(on_device)), neighbours(on_device)
        lines.append(f"// {mode}: correlation between benchmarks {between:.2f}, "
                     f"of neighbouring processes {next_to:.2f}")
        lines.append(f"constexpr std::array<Constants, 4> k_{mode}{{{{")
        lines += [row(name, of_class(found, name), constants(of_class(found, name), spread)) for name in CLASSES]
        lines.append("}};")
        lines.append(f"constexpr double k_{mode}_correlation = {max(0.0, between):.3f}, "
                     f"k_{mode}_persistence = {max(0.0, next_to):.3f};")
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


def constants_of_result(result):
    """The text of suite_constants.inc. Throws ValueError if there is too little to fit to."""
    runs, processes = result_file.whole(result_file.figures(result))
    if processes < LEAST_PROCESSES:
        raise ValueError(f"{processes} whole processes; {LEAST_PROCESSES} are needed")
    found = describe_result(runs)
    for name in CLASSES:
        if len(of_class(found, name)) < 2:
            raise ValueError(f"fewer than two benchmarks are {name}")
    families = sorted({b["family"] for b in found.values()})
    one_executable = lambda a, b: a["family"] == b["family"]
    unimodal = {side: [b for b in found.values() if not b["gap"] and (b["class"] == "host") == (side == "host")]
                for side in ("device", "host")}
    shared = {side: max(0.0, mean_of(correlations(members, one_executable)))
              for side, members in unimodal.items()}
    apart = {side: mean_of(correlations(members, lambda a, b: not one_executable(a, b)))
             for side, members in unimodal.items()}
    next_to = neighbours(list(found.values()))
    text = (f"Made by fit_constants.py from {result_file.source(result, processes)}: {len(found)} benchmarks of "
            f"{', '.join(families)}. Columns as in h200_constants.inc, then: shared part of the variance between "
            "processes, sd of rounds by that of processes, share and mean distance of far processes, samples of a "
            "process; median and ninth decile of the sd of locations that was seen. Correlation between benchmarks of "
            f"two executables: device-bound {apart['device']:.2f}, host-bound {apart['host']:.2f}; of neighbouring "
            f"processes {next_to:.2f}, where independent ones have {-1 / processes:.2f}.")
    lines = ["// " + line for line in textwrap.wrap(text, 115, break_long_words=False, break_on_hyphens=False)]
    lines += ["// clang-format off", "constexpr std::array<Constants, 4> k_suite{{"]
    for name in CLASSES:
        members = of_class(found, name)
        side = "host" if name == "host" else "device"
        lines.append(row(name, members, constants(members, upper_spread) + constants_of_levels(members, shared[side])))
    lines += ["}};", f"constexpr int k_suite_executables = {len(families)};",
              f"constexpr double k_suite_persistence = {max(0.0, next_to + 1 / processes):.3f};"]
    return "\n".join(lines) + "\n"


def fit_result(path):
    try:
        text = constants_of_result(result_file.read(path))
    except ValueError as error:
        sys.exit(f"{path}: {error}")
    (HERE / "suite_constants.inc").write_text(text)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    path = pathlib.Path(sys.argv[1])
    fit_study(path) if path.suffix == ".gz" else fit_result(path)


if __name__ == "__main__":
    main()
