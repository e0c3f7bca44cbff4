"""pytorch/shapes: batches whose sizes vary, are padded or fixed, by the allocator's setting; another backend in its own process."""

import contextlib
import functools
import json
import os
import subprocess
import sys
from typing import Any, Callable

from . import nets
from .flags import Options
from .recipe import Recipe
from .registry import Advice, Benchmark
from .session import EXIT_FAILED, Run, Skip
from .training import WHOLE_BATCHES, Training, net_parts, plain_losses, release, require, require_curve

VARYING = (72, 104, 88, 128, 80, 112, 96, 120)  # of a call's batches, in turn; 800 samples
SIZES = {"varying": VARYING, "fixed": (100,) * 8, "padded": (128,) * 8}
ROLES = {"varying": "before", "fixed": "after", "padded": "variant"}
FRAGMENTS = {"default": "before", "expandable_segments": "after"}  # roles of fragmentation
VARIABLES, OWN = ("PYTORCH_CUDA_ALLOC_CONF", "PYTORCH_ALLOC_CONF"), "CUPEL_PYTORCH_ALLOCATOR"  # old and new name; whose process
BACKENDS = {"cudaMallocAsync": "backend:cudaMallocAsync"}  # that a process has from its beginning on
ALLOCATORS = (*FRAGMENTS, *BACKENDS, "preallocated")  # preallocated: the default, and a step of the largest batch comes first


def _cache(torch: Any) -> dict[int, Any]:  # address -> segment, without those that graphs keep
    return {s["address"]: s for s in torch.cuda.memory_snapshot() if tuple(s.get("segment_pool_id", (0, 0))) == (0, 0)}


def _train(run: Run, how: str, allocator: str) -> None:
    net, shrinks = (nets.small(nets.NETS["resnet18_32"]), 8) if run.on_cpu else (nets.NETS["resnet18_32"], 1)
    sizes, largest, cuda = tuple(size // shrinks for size in SIZES[how]), max(VARYING) // shrinks, run.torch.cuda
    first = (largest, *sizes) if allocator == "preallocated" else sizes
    expected = plain_losses(run.torch, run.device, net, largest, run.options.seed, first[:len(WHOLE_BATCHES)])
    counts = run.round == 0 and not run.on_cpu  # what rows keep from round to round has room for this one later
    release(run.torch, counts)  # what others left in the cache is not of this row
    others = _cache(run.torch) if counts and how == "varying" and allocator in FRAGMENTS else None  # a backend of CUDA's own shows none
    reserved = cuda.memory_reserved() if counts else 0
    if counts:
        cuda.reset_peak_memory_stats()
    recipe, parts = Recipe(reads_loss=False, amp="bf16", channels_last=True), net_parts(run.torch, net, largest, run.options.seed)
    require_curve((training := Training(run.torch, run.device, parts, recipe, run.options.seed)).curve(first), expected, recipe)

    def call() -> None:
        for size in sizes:
            training.step_of(size)

    run.sample(call, sum(VARYING), 1)
    if counts:
        run.row.count("memory", float(cuda.max_memory_reserved() - reserved), "bytes", "lower")
    if others is not None:  # between steps; of the segments that this row made
        made = [segment for address, segment in _cache(run.torch).items() if address not in others]
        free = [block["size"] for segment in made for block in segment["blocks"] if block["state"] == "inactive"]
        run.row.count("usable_share", max(free) / sum(free) if free else 1.0, "1", "higher")


@functools.lru_cache(maxsize=None)
def _of_child(allocator: str) -> dict[str, dict[str, Any]]:  # by name; of all sizes, for its start takes longer than they do
    own = ("--cupel_only", "--cupel_skip", "--cupel_journal", "--cupel_out", "--cupel_budget", "--benchmark_filter")
    flags = [f for f in sys.argv if not f.startswith(own)] + [f"--benchmark_filter=shapes/.*:{allocator}$", "--cupel_journal=/dev/stdout"]
    setting = {"CUPEL_PYTHON": sys.executable, OWN: allocator, **dict.fromkeys(VARIABLES, BACKENDS[allocator])}
    ended = subprocess.run([sys.executable, *flags], env={**os.environ, **setting}, capture_output=True, text=True, check=False)
    if ended.returncode not in (0, EXIT_FAILED):
        raise RuntimeError("its process ended: " + ended.stderr.strip()[-200:])
    rows = (json.loads(line)["row"] for line in ended.stdout.splitlines() if line.startswith('{"row"'))
    return {row["name"]: row["cupel"] for row in rows}


def _take_from_child(run: Run, allocator: str) -> None:
    cupel = _of_child(allocator)[run.row.benchmark.name]
    if cupel["status"] != "ok":
        raise (Skip if cupel["status"] == "skipped" else RuntimeError)(cupel.get("reason", ""))
    run.row.cupel.update({key: cupel[key] for key in ("series", "workload", "counters", "timed_s")})


def _body(how: str, allocator: str) -> Callable[[Run], None]:
    def body(run: Run) -> None:
        require(not run.on_cpu or allocator == "default", "a CPU has no such allocator")
        if run.options.times and allocator in BACKENDS and os.environ.get(OWN) != allocator:
            return _take_from_child(run, allocator) if run.round == 0 else None  # its process has rounds of its own
        with contextlib.ExitStack() as settings:
            if allocator == "expandable_segments":
                change: Any = getattr(run.torch.cuda.memory, "_set_allocator_settings", None)
                require(change is not None, "this PyTorch cannot change its allocator while it runs")
                settings.callback(change, "expandable_segments:False")
                change("expandable_segments:True")
            _train(run, how, allocator)
    return body


def benchmarks(_: Options) -> list[Benchmark]:
    found = []
    for allocator in ALLOCATORS:
        for how, role in ROLES.items():
            tags = (Advice("fixed-batch", role, "pytorch/shapes", "padded" if how == "padded" else ""),) if allocator == "default" else ()
            if tells := how == "varying" and allocator in FRAGMENTS:
                tags += (Advice("fragmentation", FRAGMENTS[allocator], "pytorch/shapes"),)
            found.append(Benchmark(f"pytorch/shapes/sizes:{how}/allocator:{allocator}", _body(how, allocator),
                                   "standard" if tells or (allocator == "default" and how == "fixed") else "full", tags, group="shapes",
                                   round_s=8 if allocator in BACKENDS else 2, counts_memory=True))
    return found
