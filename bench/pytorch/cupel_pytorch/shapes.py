"""pytorch/shapes: batches whose sizes vary, padded or fixed, by how the allocator is set. A process has one allocator, so that what
is not the default is measured in one of its own."""

from __future__ import annotations

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
from .session import Run
from .training import Training, net_parts, release, require

_INSIDE = "CUPEL_PYTORCH_ALLOCATOR"  # in the environment of such a process
VARYING = (72, 104, 88, 128, 80, 112, 96, 120)  # of a call's batches, in turn; 800 samples
SIZES = {"varying": VARYING, "fixed": (100,) * 8, "padded": (128,) * 8}
ROLES = {"varying": "before", "fixed": "after", "padded": "variant"}
ALLOCATORS = {"default": "", "expandable_segments": "expandable_segments:True", "cudaMallocAsync": "backend:cudaMallocAsync",
              "preallocated": ""}  # preallocated: a step of the largest batch comes first


def _train(run: Run, how: str, allocator: str) -> None:
    net, shrinks = (nets.small(nets.NETS["resnet18_32"]), 8) if run.on_cpu else (nets.NETS["resnet18_32"], 1)
    sizes = [size // shrinks for size in SIZES[how]]
    parts = net_parts(run.torch, net, max(VARYING) // shrinks, run.options.seed)
    training = Training(run.torch, run.device, parts, Recipe(reads_loss=False, amp="bf16", channels_last=True), run.options.seed)
    if allocator == "preallocated":
        training.step()
    whole = training.host
    if not run.on_cpu:  # what others left in the cache is not of this row
        release(run.torch, run.device)
        run.torch.cuda.reset_peak_memory_stats()

    def call() -> None:
        for size in sizes:
            training.host = tuple(part[:size] for part in whole)
            training.step()

    call()
    run.sample(call, sum(VARYING), 1)
    if not run.on_cpu:
        run.row.count("memory", float(run.torch.cuda.max_memory_reserved()), "bytes", "lower")


def _in_child(run: Run, setting: str) -> None:
    """This benchmark in a process with that setting of the allocator; its samples are ours."""
    with tempfile.TemporaryDirectory(prefix="cupel-pytorch-") as folder:
        only, journal = pathlib.Path(folder, "only"), pathlib.Path(folder, "journal")
        only.write_text(run.row.benchmark.name + "\n", encoding="utf-8")
        flags = [f for f in sys.argv[1:] if not f.startswith(("--cupel_only", "--cupel_journal", "--cupel_out", "--cupel_budget"))]
        environment = {**os.environ, _INSIDE: "1", "CUPEL_PYTHON": sys.executable}
        if setting:
            environment["PYTORCH_CUDA_ALLOC_CONF"] = environment["PYTORCH_ALLOC_CONF"] = setting
        ended = subprocess.run([sys.executable, sys.argv[0], *flags, f"--cupel_only={only}",
                                f"--cupel_journal={journal}"], env=environment, capture_output=True, text=True, check=False)
        rows = [json.loads(line)["row"] for line in journal.read_text().splitlines() if line.startswith('{"row"')]
    cupel: dict[str, Any] = rows[0]["cupel"] if rows else {"status": "failed", "reason": "its process ended: " + ended.stderr[-200:]}
    require(cupel["status"] != "skipped", cupel.get("reason", ""))
    if cupel["status"] != "ok":
        raise RuntimeError(cupel.get("reason", ""))
    series = cupel["series"][0]
    run.row.keep(series["samples_s"], series["calls_per_sample"], series["stop"], cupel["workload"], 1e-9)
    run.row.cupel["counters"] = cupel["counters"]


def _body(how: str, allocator: str) -> Callable[[Run], None]:
    def body(run: Run) -> None:
        require(not run.on_cpu or allocator == "default", "a CPU has no such allocator")
        if allocator == "default" or not run.options.times or os.environ.get(_INSIDE):
            _train(run, how, allocator)
        elif run.round == 0:  # its process has rounds of its own
            _in_child(run, ALLOCATORS[allocator])
    return body


def benchmarks(_: Options) -> list[Benchmark]:
    found = []
    for allocator in ALLOCATORS:
        for how, role in ROLES.items():
            tags = (Advice("fixed-batch", role, "pytorch/shapes", "padded" if how == "padded" else ""),) if allocator == "default" else ()
            found.append(Benchmark(f"pytorch/shapes/sizes:{how}/allocator:{allocator}", _body(how, allocator),
                                   "standard" if tags and how != "padded" else "full", tags, group="shapes", round_s=8))
    return found
