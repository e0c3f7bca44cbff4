"""pytorch/step: a tutorial's training step with one piece of advice after another, and the tuned step without each."""

import dataclasses
import functools
import math
import time
from typing import Any, Callable, Iterable, Optional

from . import nets
from .flags import PROFILES, Options
from .recipe import AMP, COMPILED, COMPILER, NOTHING, OTHER_AMP, PIECES, PLAIN, Recipe, recipe_of
from .registry import Advice, Benchmark
from .session import Run
from .training import Make, Training, lacking, net_parts, plain_losses, release, require, train

# Pieces of advice that a change makes by itself, so that the tuned step without it is their before, and the whole one their after.
ADVICE = {"pinned_copies": "pin-memory", "no_wait": "avoid-sync", "amp": "mixed-precision", "channels_last": "channels-last",
          "fused_optimizer": "fused-adam", "autotune": "cudnn-autotune", "torch_compile": "fuse-pointwise", "graph": "graphs",
          "copies_ahead": "non-blocking"}


@functools.lru_cache(maxsize=16)
def net_lacks(torch: Any, device: str, net: nets.Net) -> dict[str, str]:
    return lacking(torch, device, lambda: net_parts(torch, nets.small(net), 1, 1))  # which has the same kinds of all


def time_step(run: Run, make: Make, recipe: Recipe, expected: list[float], items: int, drift: Optional[float] = None) -> None:
    training = train(run, make, recipe, expected, drift)
    if run.options.times:
        training.step()
        run.synchronize()
        if "calls" not in run.kept:
            begin = time.perf_counter()
            training.step()
            run.synchronize()  # waiting costs some ten microseconds, and the device's queue runs dry meanwhile
            run.kept["calls"] = min(16, int(0.03 / (time.perf_counter() - begin)) + 1)
        run.sample(training.step, items, run.kept["calls"])
    if math.isnan(float(training.last)):
        raise ValueError("after it was timed the loss is not a number")
    del training
    if run.is_last or not run.has_room():
        run.kept.clear()
        release(run.torch)


def recipe_here(run: Run, how: str, change: str, pieces: list[str], amp: str, lacks: dict[str, str]) -> Recipe:
    """Skips where the change itself is lacking; others say what they are without."""
    require(change not in lacks, lacks.get(change, ""))
    left_out = [piece for piece in (pieces[:pieces.index(change) + 1] if how == "add" and change != NOTHING else pieces) if piece in lacks]
    if left_out and change != NOTHING:
        run.row.note("without " + ", ".join(left_out) + ", which cannot be had here")
    return recipe_of(how, change, pieces, amp, lacks)


def _body(name: str, batch: int, choose: Callable[[Run, nets.Net, str], Recipe], amp: str, on_host: bool = False) -> Callable[[Run], None]:
    def body(run: Run) -> None:
        run.device, run.takes_all_cpus = "cpu" if on_host else run.device, on_host
        net, size = nets.here(run.on_cpu, name, batch)
        recipe = choose(run, net, OTHER_AMP if run.on_cpu else amp)  # a CPU's autocast has bf16 alone
        if run.on_cpu:
            run.row.note("on a CPU: a small net, untimed")
        make = functools.partial(net_parts, run.torch, net, size, run.options.seed, run.device)
        time_step(run, make, recipe, plain_losses(run.torch, run.device, net, size, run.options.seed), size)
    return body


def pieces_of(net: str, compiles: bool = False) -> list[str]:
    without = (() if nets.NETS[net].kind == "resnet" else ("channels_last", "autotune")) + (() if compiles else COMPILED)
    return [piece for piece in PIECES if piece not in without]


def tags_of(how: str, change: str, last: str, dropped: Iterable[str], at: str) -> tuple[Advice, ...]:
    """dropped: pieces that are left out in this profile, too, so that there is a before to their after."""
    if how == "drop":
        return (Advice(ADVICE[change], "before", at),) if change in ADVICE else ()
    after = [Advice(id, "after", at) for id in ("all-together", *(ADVICE[piece] for piece in dropped if piece in ADVICE))]
    return (Advice("all-together", "before", at),) if change == NOTHING else tuple(after) if change == last else ()


def _rungs(profile: str, net: str, batch: int, amp: str, adds: str, drops: str, compiles: bool = False) -> list[Benchmark]:
    pieces, path = pieces_of(net, compiles), [f"net:{net}", f"amp:{amp}" * (amp != AMP), COMPILER * compiles, f"batch:{batch}"]
    where = "/".join(filter(None, path))
    first = pieces.index("autotune" if compiles else "amp") if amp != AMP else 0  # what comes before is the same in another waterfall
    dropped = pieces if PROFILES.index(drops) <= PROFILES.index(profile) else []

    late = ("tf32", "autotune") if adds == "quick" else ("no_wait", "autotune") if drops == "full" else ()  # no difference: a profile later
    rungs = [("add", one, PROFILES[min(2, PROFILES.index(adds) + (one in late))]) for one in [NOTHING] * (amp == AMP) + pieces[first:]]
    rungs += [("drop", one, "full" if one == "tf32" else drops)  # autocast leaves TF32 nothing to change
              for one in ((*COMPILED[:1], "graph") if compiles else pieces[first:])]

    def rung(how: str, change: str, profile: str) -> Benchmark:
        def choose(run: Run, net_here: nets.Net, kind: str) -> Recipe:
            return recipe_here(run, how, change, pieces, kind, net_lacks(run.torch, run.device, net_here))
        tags = tags_of(how, change, pieces[-1], dropped, f"pytorch/{where}") if amp == AMP else ()
        return Benchmark(f"pytorch/step/{where}/{how}:{change}", _body(net, batch, choose, amp), profile, tags,
                         f"step {net} {batch}", 0.5, 40.0 * compiles, 72 * batch * nets.NETS[net].size ** 2)

    return [rung(*one) for one in rungs]


def _others(net: str, batch: int) -> list[Benchmark]:  # what is in the graph's place, in bf16; and where a tutorial's step may be
    def tuned(changes: dict[str, Any], run: Run, net_here: nets.Net, kind: str) -> Recipe:
        lacks = {**net_lacks(run.torch, run.device, net_here), "graph": ""}
        require("compiler" not in changes or COMPILED[0] not in lacks, lacks.get(COMPILED[0], ""))
        return dataclasses.replace(recipe_of("add", "copies_ahead", pieces_of(net), kind, lacks), **changes)
    modes: Any = (("eager", "before", 5, {}), ("compile", "after", 40, PIECES["torch_compile"]),
                  ("reduce-overhead", "variant", 40, PIECES["reduce_overhead"]), ("trace", "variant", 5, {"launch": "trace"}))
    rows = [(f"launch:{mode}", _body(net, batch, functools.partial(tuned, changes), OTHER_AMP), "fuse-pointwise", role, once)
            for mode, role, once, changes in modes]
    rows += [(f"on:{where}", _body(net, batch, lambda *_: Recipe(), "", where == "host"), "use-the-gpu", role, 5)
             for where, role in (("host", "before"), ("device", "after")) if net == "resnet18_32"]
    return [Benchmark(f"pytorch/step/net:{net}/batch:{batch}/{name}", body, "full", (Advice(id, role, f"pytorch/net:{net}/batch:{batch}",
                      name if role == "variant" else ""),), f"step {net} {batch}", 0.5, start_s) for name, body, id, role, start_s in rows]


def _in_fp16(net: str, batch: int, loss: str, scale: float) -> Benchmark:
    """Which of the gradients that are there in fp32 autocast to fp16 loses, the loss multiplied by so much; by 1: without GradScaler."""
    def body(run: Run) -> None:
        require(not run.on_cpu, "a CPU's autocast has no fp16")
        found = []
        for recipe in (PLAIN, Recipe(amp="fp16", scale=scale)):
            parts = net_parts(run.torch, nets.NETS[net], batch, run.options.seed)
            (training := Training(run.torch, run.device, parts, recipe, run.options.seed)).gradients(training.batch())
            found.append(run.torch.cat([parameter.grad.flatten() for parameter in training.model.parameters()]))
        seen = found[1][found[0] != 0]
        run.row.count("vanished", float((seen == 0).float().mean()), "1", "lower")
        run.row.count("overflown", float((~seen.isfinite()).float().mean()), "1", "lower")
        run.sample(training.step, batch, 8)
    return Benchmark(f"pytorch/gradients/net:{net}/batch:{batch}/loss:{loss}", body, "full", group="gradients")


def benchmarks(options: Options) -> list[Benchmark]:
    rungs = functools.partial(_rungs, options.profile)
    found = rungs("resnet18_32", 128, AMP, "quick", "standard") + rungs("resnet18_224", 64, AMP, "standard", "standard")
    for net, batch in (("resnet50", 64), ("vit_b_16", 64), ("gpt_12", 8)):
        found += rungs(net, batch, AMP, "standard", "full")
    for net, batch in (("resnet18_32", 128), ("resnet18_224", 64), ("resnet18_224", 256)):
        found += rungs(net, batch, OTHER_AMP, "full", "full") + _others(net, batch)
    found += rungs("resnet18_224", 256, AMP, "full", "full") + rungs("resnet18_32", 128, OTHER_AMP, "full", "full", True)
    scales = {"unscaled": 1.0, "times_1024": 1024.0, "times_65536": 65536.0}
    return found + rungs("linear_3_1", 64, AMP, "full", "full") + [_in_fp16("resnet18_32", 128, *scale) for scale in scales.items()]
