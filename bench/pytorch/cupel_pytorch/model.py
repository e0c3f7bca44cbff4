"""pytorch/model: the same pieces on a model of the user's. Stored are shapes, counts, times and the kind of what it raises."""

import collections
import functools
import itertools
import math
import os
import pathlib
import runpy
import sys
from typing import Any, Callable, Mapping, Union

from . import machine
from .case_study import once
from .flags import Options, UsageError
from .recipe import COMPILED, COMPILER, NOTHING, PIECES
from .registry import Benchmark
from .session import CheckFailed, Run, Skip, judged
from .step import recipe_here, tags_of, time_step
from .training import Make, Parts, lacking, plain_curve, require, tensors_of


_fails: dict[bool, dict[str, str]] = {False: {}, True: {}}  # compiled -> piece -> how it failed here; the rungs that follow go without it


@functools.lru_cache(maxsize=1)
def _function(asked: str) -> Callable[[], Any]:
    file, _, name = asked.rpartition(":")
    sys.path.insert(0, str(pathlib.Path(file).resolve().parent))
    try:
        found = runpy.run_path(file, run_name="cupel_users_model").get(name)
    except SystemExit:
        raise TypeError(f"{os.path.basename(file)} ends the program where it is imported") from None
    if not callable(found):
        raise TypeError(f"{os.path.basename(file)} has no function {name}")
    return found  # type: ignore[no-any-return]


def parts_of(torch: Any, made: Any) -> Parts:
    """What the function returned: a tuple, or a dict with these names. Throws TypeError where it is none."""
    if isinstance(made, dict):
        made = tuple(made.get(key) for key in ("model", "optimizer", "loss", "batch"))
    if not isinstance(made, (tuple, list)) or len(made) != 4:
        size, more = (f" of {len(made)}", "") if isinstance(made, (tuple, list)) else ("", ": no loop of yours is run")
        raise TypeError(f"it returned {type(made).__name__}{size}, not (model, optimizer, loss, batch or loader){more}")
    model, optimizer, loss, batch = made
    loader = None if isinstance(batch, Mapping) or tensors_of(batch) else batch
    batches = [batch] if loader is None else list(itertools.islice(loader, 2))
    is_batch = any(isinstance(one, (tuple, list, Mapping)) and tensors_of(one) for one in batches[:1])
    own = set(map(id, model.parameters())) if isinstance(model, torch.nn.Module) else set()
    trained = {id(p) for group in getattr(optimizer, "param_groups", []) for p in group["params"]}
    for is_right, one, what in zip((own, own & trained, loss is None or callable(loss), is_batch), made,
            ("model, not a model with parameters", "optimizer, not one of the model's parameters", "loss, not a function or None",
             "batch, not (input, ..., target) or a dict, or a loader of such")):
        if not is_right:
            raise TypeError(f"it returned {type(one).__name__} as {what}")
    kinds = [[(t.shape, t.dtype) for t in tensors_of(one)] for one in batches]
    return Parts(model, optimizer, loss, batches if kinds[1:] == kinds[:1] else batches[:1], loader)


def _made(torch: Any, asked: str, seed: int) -> Parts:
    torch.manual_seed(seed)
    return parts_of(torch, _function(asked)())


@functools.lru_cache(maxsize=1)
def _begun(torch: Any, device: str, asked: str, seed: int) -> Union[Exception, tuple[list[float], float, dict[str, str], int]]:
    """The plain losses, their drift by other random numbers, as of dropout, what is lacking, a batch's size; or why it is not trained."""
    make: Make = functools.partial(_made, torch, asked, seed)
    try:
        losses, again = (plain_curve(torch, device, make, one) for one in (seed, seed + 1))
        if not all(math.isfinite(x) and x <= 2 * abs(losses[0]) for x in losses):
            raise CheckFailed("it diverges as it is, in fp32: its losses are " + ", ".join(f"{x:.4g}" for x in losses))
        size = max((t.shape[0] for t in tensors_of(make().batches) if t.dim()), default=1)
        return losses, max(abs(x - y) for x, y in zip(losses, again)), lacking(torch, device, make), size
    except Exception as error:  # noqa: BLE001  whatever the user's code raises
        return error.with_traceback(None)


def _begun_in(run: Run, is_first: bool) -> Any:
    begun = _begun(run.torch, run.device, run.options.model, run.options.seed)
    if isinstance(begun, Exception):
        raise begun if is_first else Skip("the model is not trained as it is: see add:" + NOTHING)
    return begun


def _load(run: Run) -> None:
    """The reader's loader alone. What its workers made ahead of the first sample is of no rate."""
    size = _begun_in(run, False)[-1]
    loader = _made(run.torch, run.options.model, run.options.seed).loader
    require(loader is not None and not hasattr(loader, "__next__"), "the function returns no loader that begins anew when it ends")
    workers, batches = getattr(loader, "num_workers", 0), itertools.chain.from_iterable(itertools.repeat(loader))
    run.takes_all_cpus = workers + 1 >= machine.usable_cpus()
    run.row.count("workers", workers, exact=True)
    collections.deque(itertools.islice(batches, 1 + workers * (getattr(loader, "prefetch_factor", 0) or 2)), 0)
    run.sample(functools.partial(next, batches), size, max(1, workers))


def _body(how: str, change: str, pieces: list[str]) -> Callable[[Run], None]:
    def body(run: Run) -> None:
        torch, asked, seed = run.torch, run.options.model, run.options.seed
        amp = "bf16" if run.on_cpu or torch.cuda.get_device_capability()[0] >= 8 else "fp16"
        expected, drift, lacks, size = _begun_in(run, change == NOTHING)
        compiles = COMPILED[0] in pieces
        recipe = recipe_here(run, how, change, pieces, amp, {**lacks, **_fails[False], **_fails[compiles]})
        try:
            time_step(run, functools.partial(_made, torch, asked, seed), recipe, expected, size, drift)
        except Exception as error:
            if how == "add" and change != NOTHING:
                _fails[compiles][change] = f"it is left out, for add:{change} was {judged(error)[0]}"
            raise
    return body


def _rungs(at: str, profile: str, pieces: list[str], added: list[str], round_s: float, start_s: float) -> list[Benchmark]:
    rungs = [("add", change) for change in (NOTHING, *added)] + [("drop", piece) for piece in pieces if piece != "reduce_overhead"]
    return [Benchmark(f"{at}/{how}:{change}", _body(how, change, pieces), profile, tags_of(how, change, pieces[-1], pieces, at), at,
                      round_s, start_s) for how, change in rungs]


def benchmarks(options: Options) -> list[Benchmark]:
    file, colon, name = options.model.rpartition(":")
    if not colon or not name.isidentifier() or not os.path.isfile(file):
        raise UsageError(f"--model {options.model}: not FILE.py:FUNCTION of a file that is there")
    plain, compiled = [piece for piece in PIECES if piece not in COMPILED], list(PIECES)
    return _rungs("pytorch/model", "quick", plain, plain, 1, 0) + \
        _rungs(f"pytorch/model/{COMPILER}", "full", compiled, compiled[compiled.index("autotune"):], 5, 40) + \
        [Benchmark("pytorch/model/loader", once(_load), group="model's loader")]
