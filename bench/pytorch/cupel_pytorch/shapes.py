"""pytorch/shapes: batches whose sizes vary, are padded or fixed, by the allocator's setting; in full each in its own process."""

from __future__ import annotations

import functools
import json
import os
import pathlib
import subprocess
import sys
import tempfile
from typing import Any, Callable

from . import nets
from .flags import Options
from .recipe import Recipe
from .registry import Advice, Benchmark
from .session import EXIT_FAILED, Run
from .training import Training, net_parts, release, require

VARYING = (72, 104, 88, 128, 80, 112, 96, 120)  # of a call's batches, in turn; 800 samples
SIZES = {"varying": VARYING, "fixed": (100,) * 8, "padded": (128,) * 8}
ROLES = {"varying": "before", "fixed": "after", "padded": "variant"}
FRAGMENTS = {"default": "before", "expandable_segments": "after"}  # roles of fragmentation
VARIABLES, OWN = ("PYTORCH_CUDA_ALLOC_CONF", "PYTORCH_ALLOC_CONF"), "CUPEL_PYTORCH_ALLOCATOR"  # old and new name; whose process
SETTINGS = {"expandable_segments": "expandable_segments:True", "cudaMallocAsync": "backend:cudaMallocAsync"}
ALLOCATORS = ("default", *SETTINGS, "preallocated")  # preallocated: the default, and a step of the largest batch comes first


def _train(run: Run, how: str, allocator: str) -> None:
    net, shrinks = (nets.small(nets.NETS["resnet18_32"]), 8) if run.on_cpu else (nets.NETS["resnet18_32"], 1)
    sizes = [size // shrinks for size in SIZES[how]]
    parts = net_parts(run.torch, net, max(VARYING) // shrinks, run.options.seed)
    training = Training(run.torch, run.device, parts, Recipe(reads_loss=False, amp="bf16", channels_last=True), run.options.seed)
    whole = training.host
    release(run.torch, run.device)  # what others left in the cache is not of this row
    if not run.on_cpu:
        run.torch.cuda.reset_peak_memory_stats()
    if allocator == "preallocated":
        training.step()

    def call() -> None:
        for size in sizes:
            training.host = tuple(part[:size] for part in whole)
            training.step()

    call()
    run.sample(call, sum(VARYING), 1)
    if os.environ.get(OWN) != allocator:  # its cache has what other rows keep
        return
    run.row.count("memory", float(run.torch.cuda.max_memory_reserved()), "bytes", "lower")
    if how == "varying" and allocator in FRAGMENTS:  # between steps; of the cache, not of what a graph keeps
        cache = [s for s in run.torch.cuda.memory_snapshot() if tuple(s.get("segment_pool_id", (0, 0))) == (0, 0)]
        free = [block["size"] for s in cache for block in s["blocks"] if block["state"] == "inactive"]
        run.row.count("usable_share", max(free) / sum(free) if free else 1.0, "1", "higher")


def _name(how: str, allocator: str) -> str:
    return f"pytorch/shapes/sizes:{how}/allocator:{allocator}"


@functools.lru_cache(maxsize=None)
def _of_child(allocator: str) -> dict[str, dict[str, Any]]:
    """name -> what a process with that allocator measured. It has all sizes, for its start takes longer than they do."""
    with tempfile.TemporaryDirectory(prefix="cupel-pytorch-") as folder:
        only, journal = pathlib.Path(folder, "only"), pathlib.Path(folder, "journal")
        only.write_text("".join(_name(how, allocator) + "\n" for how in SIZES), encoding="utf-8")
        flags = [f for f in sys.argv[1:] if not f.startswith(("--cupel_only", "--cupel_journal", "--cupel_out", "--cupel_budget"))]
        setting = {OWN: allocator, **(dict.fromkeys(VARIABLES, SETTINGS[allocator]) if allocator in SETTINGS else {})}
        ended = subprocess.run([sys.executable, sys.argv[0], *flags, f"--cupel_only={only}", f"--cupel_journal={journal}"],
                               env={**os.environ, "CUPEL_PYTHON": sys.executable, **setting}, capture_output=True, text=True, check=False)
        if ended.returncode not in (0, EXIT_FAILED):
            raise RuntimeError("its process ended: " + ended.stderr.strip()[-200:])
        rows = [json.loads(line)["row"] for line in journal.read_text(encoding="utf-8").splitlines() if line.startswith('{"row"')]
    return {row["name"]: row["cupel"] for row in rows}


def _take_from_child(run: Run, allocator: str) -> None:
    cupel = _of_child(allocator)[run.row.benchmark.name]
    require(cupel["status"] != "skipped", cupel.get("reason", ""))
    if cupel["status"] != "ok":
        raise RuntimeError(cupel["reason"])
    run.row.cupel.update({key: cupel[key] for key in ("series", "workload", "counters", "timed_s")})


def _body(how: str, allocator: str) -> Callable[[Run], None]:
    def body(run: Run) -> None:
        require(not run.on_cpu or allocator == "default", "a CPU has no such allocator")
        if not run.options.times or run.options.profile != "full" or os.environ.get(OWN) == allocator:
            _train(run, how, allocator)
        elif run.round == 0:  # its process has rounds of its own
            _take_from_child(run, allocator)
    return body


def benchmarks(options: Options) -> list[Benchmark]:
    found, roles = [], FRAGMENTS if options.profile == "full" else {}
    for allocator in ALLOCATORS:
        for how, role in ROLES.items():
            tags = (Advice("fixed-batch", role, "pytorch/shapes", "padded" if how == "padded" else ""),) if allocator == "default" else ()
            tags += (Advice("fragmentation", roles[allocator], "pytorch/shapes"),) if how == "varying" and allocator in roles else ()
            found.append(Benchmark(_name(how, allocator), _body(how, allocator),
                                   "standard" if allocator == "default" and how != "padded" else "full", tags, group="shapes", round_s=8))
    return found
