#!/usr/bin/env python3
"""smoke.py smallest|sizes|slow EXECUTABLE [PART/PARTS [TIMES]]: runs benchmarks of a family, or a part of them, TIMES times in one process,
and looks at what came out.

smallest: each at its smallest size, timed. sizes: each at its smallest size and at larger ones, and all once more in the same order
and process, untimed: what is kept for one size must not be taken for another. slow: as smallest, of
the family pytorch what takes long.
Exit code 0: all well. 1: something is wrong, said on stderr. 77: not run: the family needs a device, or two, that are not there; with
CUPEL_REQUIRE_GPU=1 that no device is there is wrong.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

NOT_RUN = 77  # ctest's SKIP_RETURN_CODE
NO_DEVICE = 3  # of a family's executable
RUN_LIMIT_S = 540  # a minute before ctest ends the test, so that it says what did not end
CALLED_BY_NAME = ("layer", "model", "shape")  # sizes that are no numbers
# Each way's share of a family whose rows are the product of nets and pieces: all pieces of the smallest net, and of the others all pieces at
# once but for cuDNN's search; two sizes of one net; and by themselves those that take long, as what is compiled, wants a process of its own, or
# has cuDNN search among fp32 kernels.
SLOW = r"launch:|compiler:|mode:compiled|allocator:|case_study/.*add:(?!defaults)|drop:amp"
SHARES = {"pytorch": {"smallest": rf"^(?!.*({SLOW}))(?!.*(/step/|loader/))|/step/net:resnet18_32/(?!.*({SLOW}))|/step/net:(resnet18_224|resnet50)/batch:\d+/drop:autotune|"
                                  r"/step/net:(vit|gpt).*add:copies_ahead$",
                      "sizes": rf"^(?!.*({SLOW}))(?!.*/step/)|/step/net:resnet18_224/batch:\d+/add:(nothing|copies_ahead)$",
                      "slow": rf"^(?!.*/step/).*({SLOW})|/step/net:resnet18_32/.*({SLOW})"}}
SHORT = {"pytorch": ["--cupel_max_wall=0.1"]}  # an epoch of photographs is a sample


def params_of(benchmark):
    return [(param["name"], param["value"]) for param in benchmark["params"]]


def is_number(value):
    return re.fullmatch(r"-?\d+", value) is not None


def groups_of(benchmarks, number, parts):
    """Those whose names are the same but for sizes ("transfer/h2d/memory:pinned/bytes:"), in the order of the listing. Of `parts` parts
    of neighbours, as many in each, the one of that number from 1 on."""
    groups = {}
    for one in benchmarks:
        key = [one["name"].partition(":")[0]]
        key += [(name, "" if is_number(value) or name in CALLED_BY_NAME else value) for name, value in params_of(one)]
        groups.setdefault(tuple(key), []).append(one)
    return list(groups.values())[len(groups) * (number - 1) // parts:len(groups) * number // parts]


def smallest(group):
    """Memory before numbers: "threads:1/bytes:N" grows by bytes, whatever stands first."""
    return min(group, key=lambda one: (one["device_bytes"] + one["host_bytes"],
                                       [int(value) for _, value in params_of(one) if is_number(value)]))


def smallest_of_each(benchmarks, number=1, parts=1):
    """The names of those that want the least memory among all that differ in sizes only; of several, the one with the smallest
    numbers, the first parameter's first."""
    return [smallest(group)["name"] for group in groups_of(benchmarks, number, parts)]


def sizes_in_turn(benchmarks, number=1, parts=1):
    """Of all that differ in sizes only, the smallest, and behind it for each size the smallest that differs from it in that size
    alone, or where none does, the next smallest. What has one size only is left out.

    Whoever keeps something for one size and takes it for another, because a parameter is not in its key, shows when these are run in
    this order: they differ in that parameter alone, and what was made for the small one does not do the whole of the larger one's work.
    """
    names = []
    for group in groups_of(benchmarks, number, parts):
        if len(group) == 1:
            continue
        base = smallest(group)
        beside = {}  # place of the only parameter that differs: those that differ there
        for other in group:
            differ = [i for i, (ours, theirs) in enumerate(zip(params_of(base), params_of(other))) if ours != theirs]
            if len(differ) == 1:
                beside.setdefault(differ[0], []).append(other)
        chosen = [smallest(beside[i]) for i in sorted(beside)] or [smallest([one for one in group if one is not base])]
        names += [one["name"] for one in (base, *chosen)]
    return names


def want_another_gpu(rows):
    return bool(rows) and all(row["cupel"].get("reason", "").startswith("needs two GPUs") for row in rows)


def complaints(rows, asked, timed):
    """One line for each thing that is wrong. Every name of `asked` must be there once, run with its check passed, or skipped with a
    reason. A family of which nothing was run is wrong, but one for several GPUs has nothing to run on one."""
    names = [row["name"] for row in rows]
    found = [f"{name}: {names.count(name)} rows in the result, not 1" for name in asked if names.count(name) != 1]
    for row in rows:
        ours, series = row["cupel"], row["cupel"].get("series")
        if ours["status"] == "failed":
            found.append(f"{row['name']}: failed: {ours['reason']}")
        elif ours["status"] == "skipped" and not ours.get("reason"):
            found.append(f"{row['name']}: skipped without a reason")
        elif timed and ours["status"] == "ok" and not (series and series[0]["samples_s"]):
            found.append(f"{row['name']}: ok, but without a sample")
        elif timed and ours["status"] == "ok" and not all(sample_s > 0 for sample_s in series[0]["samples_s"]):
            found.append(f"{row['name']}: ok, but with a sample that is no time")
    if not want_another_gpu(rows) and not any(row["cupel"]["status"] == "ok" for row in rows):
        found.append("nothing was run")
    return found


def skipped(rows):
    return [f"{row['name']}: skipped: {row['cupel']['reason']}" for row in rows if row["cupel"]["status"] == "skipped"]


def rows_of(path):
    document = json.loads(path.read_text(encoding="utf-8"))
    return document["benchmarks"] + document["context"]["cupel"]["not_measured"]


THREE_SAMPLES = ["--cupel_min_samples=3", "--cupel_max_samples=3"]
WAYS = {"smallest": (smallest_of_each, 1, THREE_SAMPLES), "sizes": (sizes_in_turn, 2, ["--cupel_once"]),
        "slow": (smallest_of_each, 1, THREE_SAMPLES)}


def share_of(way, listing):
    """The benchmarks that this way is to choose from."""
    wanted = SHARES.get(listing["family"], {}).get(way, "")
    return [one for one in listing["benchmarks"] if re.search(wanted, one["name"])]


def run(way, executable, part, times=1):
    select, rounds, flags = WAYS[way]
    listed = subprocess.run([executable, "--cupel_list", "--cupel_profile=full"], stdout=subprocess.PIPE, check=True, timeout=60)
    listing = json.loads(listed.stdout)
    names = select(share_of(way, listing), *part)
    if not names:
        print(f"{listing['family']}: nothing to run")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        only, out = pathlib.Path(folder, "only"), pathlib.Path(folder, "result.json")
        only.write_text("".join(name + "\n" for name in names), encoding="utf-8")
        ended = subprocess.run([executable, *flags, *SHORT.get(listing["family"], []), f"--cupel_rounds={times * rounds}", "--cupel_profile=full", f"--cupel_only={only}", f"--cupel_out={out}"],
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, timeout=times * RUN_LIMIT_S, check=False)
        print(ended.stderr, end="", file=sys.stderr)
        if listing["needs_device"] and ended.returncode == NO_DEVICE:
            return 1 if os.environ.get("CUPEL_REQUIRE_GPU") == "1" else NOT_RUN
        if ended.returncode != 0:
            raise RuntimeError(f"{executable} ended with {ended.returncode}")
        subprocess.run([pathlib.Path(executable).absolute().parents[1] / "bin/cupel", "validate", out], stdout=subprocess.DEVNULL, check=True)
        rows = rows_of(out)
    wrong = complaints(rows, names, timed=way == "smallest")
    for line in skipped(rows) + wrong:
        print(line, file=sys.stderr)
    print(f"{listing['family']}: {len(names)} of {len(listing['benchmarks'])} benchmarks run, {len(wrong)} complaints")
    return 1 if wrong else NOT_RUN if want_another_gpu(rows) else 0


def main(way, executable, part="1/1", times="1"):
    number, parts = map(int, part.split("/"))
    if way not in WAYS or not 1 <= number <= parts:
        sys.exit(__doc__)
    sys.exit(run(way, executable, (number, parts), int(times)))


if __name__ == "__main__":
    main(*sys.argv[1:])
