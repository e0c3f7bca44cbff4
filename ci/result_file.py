"""Result files of cupel as the scripts of ci/ read them: packed or not, their times by name."""

import gzip
import json
import pathlib
import re
import statistics

from script import Wrong


def read(path):
    try:
        data = pathlib.Path(path).read_bytes()
        record = json.loads(gzip.decompress(data) if str(path).endswith(".gz") else data)
    except (OSError, EOFError, ValueError) as error:
        raise Wrong(f"{path}: {error}") from None
    if not isinstance(record, dict) or "cupel" not in record.get("context", {}) or "benchmarks" not in record:
        raise Wrong(f"{path}: not a result file of cupel's")
    return record


def params(name):
    return dict(part.split(":", 1) for part in name.split("/") if ":" in part)


def interquartile_mean(samples):
    """The mean of the middle half; samples at its edges count in part."""
    ordered, n = sorted(samples), len(samples)
    low, high = n / 4, 3 * n / 4
    weights = [max(0.0, min(i + 1, high) - max(i, low)) for i in range(n)]
    return sum(w * x for w, x in zip(weights, ordered)) / sum(weights)


def measured(record, pattern=""):
    """The rows that were measured and whose names the pattern is found in: name -> what cupel says of each process."""
    rows = {}
    for row in record["benchmarks"]:
        name, cupel = row.get("run_name", row.get("name", "")), row.get("cupel", {})
        if cupel.get("status") == "ok" and re.search(pattern, name):
            rows.setdefault(name, []).append(cupel)
    return rows


def host_time_s(cupel):
    """Of one process, or None where nothing was timed by the host's clock."""
    host = [series for series in cupel.get("series", []) if series["mode"] == "host" and series["samples_s"]]
    return interquartile_mean(host[0]["samples_s"]) if host else None


def host_times_s(record, pattern=""):
    """name -> the median over processes."""
    times = {name: [time_s for time_s in map(host_time_s, processes) if time_s] for name, processes in measured(record, pattern).items()}
    return {name: statistics.median(found) for name, found in times.items() if found}
