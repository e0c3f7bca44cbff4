"""pytorch/model: the same pieces on a model of the user's, by a function that returns model, optimizer, loss and a batch or a loader.
It runs the user's code. Nothing of the model or its data is stored but shapes, counts and times."""

from __future__ import annotations

import functools
import importlib.util
import os
import pathlib
import sys
from typing import Any, Callable

from .flags import Options, UsageError
from .recipe import NOTHING, PIECES
from .registry import Benchmark
from .session import Run
from .step import recipe_here, tags_of, time_step
from .training import Make, Parts, lacking, plain_curve, tensors_of


@functools.lru_cache(maxsize=1)
def _function(asked: str) -> Callable[[], Any]:
    """Runs the file."""
    file, _, name = asked.rpartition(":")
    sys.path.insert(0, str(pathlib.Path(file).resolve().parent))
    spec = importlib.util.spec_from_file_location("cupel_users_model", file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    found = getattr(module, name, None)
    if not callable(found):
        raise TypeError(f"{os.path.basename(file)} has no function {name}")
    return found  # type: ignore[no-any-return]


def parts_of(made: Any) -> Parts:
    """What the function returned: a tuple, or a dict with these names."""
    if isinstance(made, dict):
        made = tuple(made.get(key) for key in ("model", "optimizer", "loss", "batch"))
    if not isinstance(made, (tuple, list)) or len(made) != 4:
        raise TypeError("the function must return (model, optimizer, loss, batch or loader)")
    model, optimizer, loss, batch = made
    if not tensors_of(batch):
        batch = next(iter(batch))
    return Parts(model, optimizer, loss, batch)


def _maker(torch: Any, asked: str, seed: int) -> Make:
    def make() -> Parts:
        torch.manual_seed(seed)
        return parts_of(_function(asked)())
    return make


@functools.lru_cache(maxsize=1)
def _begun(torch: Any, device: str, asked: str, seed: int) -> tuple[list[float], float, dict[str, str], int]:
    """The plain losses, how far they drift with other random numbers, as of dropout, what is lacking, and the size of a batch."""
    make = _maker(torch, asked, seed)
    losses, again = (plain_curve(torch, device, make, one) for one in (seed, seed + 1))
    size = max((t.shape[0] for t in tensors_of(make().batch) if t.dim()), default=1)
    return losses, max(abs(x - y) for x, y in zip(losses, again)), lacking(torch, device, make), size


def _body(how: str, change: str) -> Callable[[Run], None]:
    def body(run: Run) -> None:
        torch, asked, seed = run.torch, run.options.model, run.options.seed
        amp = "bf16" if run.on_cpu or torch.cuda.get_device_capability()[0] >= 8 else "fp16"
        expected, drift, lacks, size = _begun(torch, run.device, asked, seed)
        recipe = recipe_here(run, how, change, list(PIECES), amp, lacks)
        time_step(run, _maker(torch, asked, seed), recipe, expected, size, drift)
    return body


def benchmarks(options: Options) -> list[Benchmark]:
    file, colon, name = options.model.rpartition(":")
    if not colon or not name.isidentifier() or not os.path.isfile(file):
        raise UsageError(f"--model {options.model}: not FILE.py:FUNCTION of a file that is there")
    rungs = [("add", NOTHING)] + [(how, piece) for how in ("add", "drop") for piece in PIECES]
    return [Benchmark(f"pytorch/model/{how}:{change}", _body(how, change), "quick",
                      tags_of(how, change, list(PIECES)[-1], PIECES, "pytorch/model"), "model") for how, change in rungs]
