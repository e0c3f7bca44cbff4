"""How a step is trained, and the pieces that advice changes of it: from what a tutorial's loop does to the tuned step."""

import dataclasses
from typing import Any, Iterable, Mapping


@dataclasses.dataclass(frozen=True)
class Recipe:
    """The default is a tutorial's step: a pageable batch, the loss read, TF32 in convolutions alone, channels first, foreach kernels."""

    loading: str = "pageable"  # pinned: copied without waiting; ahead: while the step before computes
    reads_loss: bool = True
    matmul: str = "highest"  # high: TF32 in products, too
    convolutions: str = "tf32"
    amp: str = ""  # fp16 (with GradScaler) or bf16
    scale: float = 1024.0  # GradScaler's first; its default, 65536, skips the first steps of a net, which would then train otherwise
    channels_last: bool = False
    fused: bool = False
    autotune: bool = False
    compiler: str = ""  # a mode of torch.compile
    launch: str = "eager"  # graph; trace


PLAIN = Recipe(loading="pageable", matmul="highest", convolutions="fp32")  # what the losses of all others are held against

AMP, OTHER_AMP = "fp16", "bf16"  # autocast as the sources have it, with GradScaler; and the variant

PIECES: dict[str, dict[str, Any]] = {  # as they are added; reduce_overhead has graphs of its own, so that it is in its own rung alone
    "pinned_copies": {"loading": "pinned"},
    "no_wait": {"reads_loss": False},
    "tf32": {"matmul": "high"},
    "amp": {"amp": AMP},
    "channels_last": {"channels_last": True},
    "fused_optimizer": {"fused": True},
    "autotune": {"autotune": True},
    "torch_compile": {"compiler": "default"},
    "reduce_overhead": {"compiler": "reduce-overhead"},
    "graph": {"launch": "graph"},
    "copies_ahead": {"loading": "ahead"},
}
COMPILED, COMPILER = ("torch_compile", "reduce_overhead"), "compiler:inductor"  # of waterfalls of their own, and what names these
NOTHING = "nothing"
NEEDS = {"copies_ahead": "pinned_copies"}  # another piece, without which this one cannot be


def recipe_of(how: str, change: str, pieces: Iterable[str], amp: str, lacking: Mapping[str, str]) -> Recipe:
    """add: the pieces up to this one; drop: all but this one and those that need it. Those that are lacking here are left out."""
    recipe, there = Recipe(), set()
    for piece in pieces if change != NOTHING else ():
        wanted = NEEDS.get(piece, "")
        dropped = how == "drop" and change in (piece, wanted) or piece == "reduce_overhead" != change
        if piece not in lacking and not dropped and (not wanted or wanted in there):
            there.add(piece)
            recipe = dataclasses.replace(recipe, **{**PIECES[piece], **({"amp": amp} if piece == "amp" else {})})
        if how == "add" and piece == change:
            break
    return recipe


def bound_of(recipe: Recipe) -> float:  # of losses, as a share of the first: those of bench/step/measure.cpp
    is_plain = recipe.convolutions == "fp32" and recipe.matmul == "highest" and not recipe.amp
    return 1e-2 if recipe.amp == "bf16" else 1e-3 if is_plain else 5e-3
