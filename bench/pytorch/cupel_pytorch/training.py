"""One way to train one model, step by step, and whether it trains as plainly in fp32."""

import contextlib
import copy
import dataclasses
import functools
import gc
import inspect
import math
from typing import Any, Callable, Mapping, Optional, Sequence

from . import nets
from .recipe import COMPILED, PLAIN, Recipe, bound_of
from .session import CheckFailed, Run, Skip

WHOLE_BATCHES, EAGER_STEPS = (0,) * 5, 3  # of a check; ahead of a capture
LATE_CYCLES = 1 << 25  # 17 ms at 2 GHz: a step that does not wait for its batch has begun to read it by then


@dataclasses.dataclass
class Parts:
    model: Any
    optimizer: Any
    loss: Optional[Callable[..., Any]]  # of the model's output and a batch, whose last part is the target
    batches: Any  # of the same shapes, which steps take in turn, so that one that takes none or another has other losses
    loader: Any = None  # that they are from


Make = Callable[[], Parts]  # the same numbers each time


def net_parts(torch: Any, net: nets.Net, batch: int, seed: int, device: str = "cpu") -> Parts:
    model = copy.deepcopy(nets.first_model(torch, net, seed, device))  # on the device it takes a hundredth
    loss = torch.nn.functional.mse_loss if net.kind == "linear" else torch.nn.functional.cross_entropy
    return Parts(model, nets.optimizer_of(torch, net, model), loss, [nets.batch_of(torch, net, batch, one) for one in (seed, seed + 1)])


def mapped(batch: Any, change: Callable[[Any], Any]) -> Any:  # the same with each tensor changed
    if hasattr(batch, "data_ptr"):
        return change(batch)
    if isinstance(batch, Mapping):
        return type(batch)({key: mapped(value, change) for key, value in batch.items()})  # type: ignore[call-arg]
    return tuple(mapped(value, change) for value in batch) if isinstance(batch, (tuple, list)) else batch


def tensors_of(batch: Any) -> list[Any]:
    found: list[Any] = []
    mapped(batch, found.append)
    return found


def none_of(tensor: Any) -> Any:  # NaN where it can be: in the first steps a batch of zeros has nearly the loss of the right one
    return tensor.clone().fill_(math.nan if tensor.is_floating_point() else 0)


def remade(optimizer: Any, **changes: Any) -> Any:
    """An optimizer of the same kind, parameters and numbers with other switches. Throws TypeError where it has none of them."""
    taken = inspect.signature(type(optimizer).__init__).parameters
    if "foreach" in taken and changes.get("fused"):
        changes["foreach"] = None
    groups = [{**{key: value for key, value in group.items() if key in taken or key == "params"}, **changes}
              for group in optimizer.param_groups]
    return type(optimizer)(groups, **changes)


def set_switches(torch: Any, recipe: Recipe) -> None:  # those of the process, ahead of each use of a training
    torch.backends.cudnn.allow_tf32 = recipe.convolutions == "tf32"
    torch.set_float32_matmul_precision(recipe.matmul)
    torch.backends.cudnn.benchmark = recipe.autotune


class Training:
    def __init__(self, torch: Any, device: str, parts: Parts, recipe: Recipe, seed: int) -> None:
        self.torch, self.device, self.recipe = torch, device, recipe
        set_switches(torch, recipe)
        torch.manual_seed(seed)
        self.loss_of, self.format = parts.loss, torch.channels_last if recipe.channels_last else None
        self.model = parts.model.to(device, memory_format=self.format).train()
        changes = {"fused": True} if recipe.fused else {}
        if recipe.launch == "graph" and "capturable" in inspect.signature(type(parts.optimizer).__init__).parameters:
            changes["capturable"] = True
        self.optimizer = remade(parts.optimizer, **changes) if changes else parts.optimizer
        scaler = torch.amp.GradScaler if hasattr(torch.amp, "GradScaler") else torch.cuda.amp.GradScaler  # from 2.3 on, before
        self.scaler = scaler(init_scale=recipe.scale, enabled=recipe.amp == "fp16")  # else it hands on all
        self.batches = mapped(parts.batches, lambda t: t.cpu().pin_memory() if recipe.loading != "pageable" else t.cpu())
        self.steps = self.size = 0  # done; samples of a batch that are taken, or all (0)
        self.call = self.model
        if recipe.compiler:  # dynamic: other nets had other sizes
            self.call = torch.compile(self.model, mode=recipe.compiler, dynamic=False)
            config = torch._dynamo.config  # the limit: what of a process's rows has one code; those beyond 8 it would leave eager
            setattr(config, "recompile_limit" if hasattr(config, "recompile_limit") else "cache_size_limit", 256)
        if recipe.launch == "trace":
            self.call = torch.jit.trace(self.model, tuple(self._copied()[:-1]), check_trace=False)
        self.side = torch.cuda.Stream() if device != "cpu" and (recipe.loading == "ahead" or recipe.launch == "graph") else None
        self.next = self.graph = self.fixed = self.last = None  # type: Any  # next: a batch under way; fixed: the one that the graph reads

    def _copied(self) -> Any:  # the batch in turn, by the current stream
        host, is_pinned = self.batches[self.steps % len(self.batches)], self.recipe.loading != "pageable"
        batch = mapped(host, lambda t: (t[:self.size] if self.size else t).to(self.device, non_blocking=is_pinned))
        return mapped(batch, lambda t: t.contiguous(memory_format=self.format) if t.dim() == 4 else t) if self.format else batch

    def _begin_copy(self) -> None:
        with self.torch.cuda.stream(self.side):
            self.next = batch = self._copied()
            if self.steps < len(WHOLE_BATCHES):  # in a check it comes late: a step that does not wait trains on NaN
                self.next = mapped(batch, none_of)
                self.torch.cuda.synchronize()
                self.torch.cuda._sleep(LATE_CYCLES)
                for there, new in zip(tensors_of(self.next), tensors_of(batch)):
                    self.torch.add(new, self.torch.zeros_like(new), out=there)  # no copy: a late one may hold up those of other streams

    def batch(self) -> Any:
        if self.recipe.loading != "ahead":
            return self._copied()
        if self.next is None:
            self._begin_copy()
        stream = self.torch.cuda.current_stream()
        stream.wait_stream(self.side)
        mapped(self.next, lambda t: t.record_stream(stream))
        return self.next

    def loss(self, batch: Any) -> Any:
        kind = self.torch.float16 if self.recipe.amp == "fp16" else self.torch.bfloat16
        casts = self.torch.autocast(self.device, dtype=kind, cache_enabled=self.recipe.launch != "graph") if self.recipe.amp else None
        with casts or contextlib.nullcontext():
            output, target = (self.call(**batch), batch) if isinstance(batch, Mapping) else (self.call(*batch[:-1]), batch[-1])
            return self.loss_of(output, target) if self.loss_of else output.loss

    def gradients(self, batch: Any) -> Any:
        self.optimizer.zero_grad(set_to_none=True)
        self.scaler.scale(loss := self.loss(batch)).backward()
        return loss.detach()

    def _update(self) -> None:
        self.scaler.step(self.optimizer)
        self.scaler.update()

    def _capture(self, batch: Any) -> None:
        self.fixed = mapped(batch, none_of)
        self.torch.cuda.synchronize()
        self.graph = self.torch.cuda.CUDAGraph()
        with self.torch.cuda.graph(self.graph):
            self.last = self.gradients(self.fixed)
            if not self.scaler.is_enabled():
                self._update()

    def _on_graph(self, batch: Any) -> None:
        """Eagerly on a stream of its own at first, then captured, then replayed; GradScaler's step stays outside: as PyTorch asks for."""
        if self.steps < EAGER_STEPS:
            self.side.wait_stream(self.torch.cuda.current_stream())
            with self.torch.cuda.stream(self.side):
                self.torch.cuda.set_sync_debug_mode("error" if self.steps + 1 == EAGER_STEPS else "default")
                try:  # a model that waits for the device raises here, where in a capture it would break the process
                    self.last = self.gradients(batch)
                finally:
                    self.torch.cuda.set_sync_debug_mode("default")
                self._update()
            self.torch.cuda.current_stream().wait_stream(self.side)
            return
        if self.steps == EAGER_STEPS:
            self._capture(batch)
        for there, new in zip(tensors_of(self.fixed), tensors_of(batch)):
            there.copy_(new, non_blocking=True)
        self.graph.replay()
        if self.scaler.is_enabled():
            self._update()

    def step(self) -> None:
        batch = self.batch()
        if self.recipe.launch == "graph":
            self._on_graph(batch)
        else:
            self.last = self.gradients(batch)
            self._update()
        self.steps += 1
        if self.recipe.loading == "ahead":
            self._begin_copy()
        if self.recipe.reads_loss:
            self.last.item()

    def step_of(self, size: int) -> Any:  # with so many samples of the batch in turn, or with all (0); its loss, not waited for
        self.size = size
        self.step()
        return self.last

    def curve(self, sizes: Sequence[int] = WHOLE_BATCHES) -> list[float]:
        return [float(self.step_of(size)) for size in sizes]


class _Plain(Training):  # loads by itself, so that a mistake in how rungs load is none of the losses that they are held to
    def batch(self) -> Any:
        return mapped(self.batches[self.steps % len(self.batches)], lambda t: (t[:self.size] if self.size else t).to(self.device))


def plain_curve(torch: Any, device: str, make: Make, seed: int, sizes: Sequence[int] = WHOLE_BATCHES) -> list[float]:
    losses = _Plain(torch, device, make(), PLAIN, seed).curve(sizes)
    release(torch)
    return losses


@functools.lru_cache(maxsize=8)
def plain_losses(torch: Any, device: str, net: nets.Net, batch: int, seed: int, sizes: Sequence[int] = WHOLE_BATCHES) -> list[float]:
    return plain_curve(torch, device, lambda: net_parts(torch, net, batch, seed, device), seed, sizes)


def release(torch: Any, workspaces: bool = False) -> None:  # workspaces: cuBLAS's, which hold segments of the cache, too
    gc.collect()
    if workspaces:
        getattr(torch._C, "_cuda_clearCublasWorkspaces", lambda: None)()  # a PyTorch without it has none in the cache
    torch.cuda.empty_cache()  # which does nothing where CUDA was not begun


def require_curve(seen: list[float], expected: list[float], recipe: Recipe, drift: Optional[float] = None) -> None:
    """drift: what the plain losses themselves are off by from another beginning of their random numbers, as of dropout."""
    allowed = max(bound_of(recipe) * abs(expected[0]), 3 * (drift or 0.0))
    if any(not math.isfinite(x) or abs(x - y) > allowed for x, y in zip(seen, expected)):
        raise CheckFailed("the losses are {}; plainly in fp32 {}".format(*(", ".join(f"{x:.4f}" for x in y) for y in (seen, expected))))


def lacking(torch: Any, device: str, make: Make) -> dict[str, str]:  # piece -> why it is not to be had: by device, PyTorch or model
    found = {} if hasattr(torch, "compile") else dict.fromkeys(COMPILED, "this PyTorch has no torch.compile")
    if device == "cpu":
        found.update(pinned_copies="pinned memory needs a GPU", copies_ahead="a CPU has no streams", graph="a CPU has no CUDA graphs",
                     autotune="cuDNN searches on a GPU alone")
    parts = make()
    if not any(t.dim() == 4 for t in tensors_of(parts.batches)):
        found["channels_last"] = "its batch has no images"
    try:
        parts.model.to(device)
        remade(parts.optimizer, fused=True)
    except (TypeError, ValueError, RuntimeError):
        found["fused_optimizer"] = f"PyTorch {torch.__version__} has no fused optimizer of its kind here"
    return found


def train(run: Run, make: Make, recipe: Recipe, expected: list[float], drift: Optional[float] = None) -> Training:
    """The training of this benchmark: kept from round to round while there is room, checked once. Without drift its losses must fall."""
    if "training" in run.kept:
        set_switches(run.torch, recipe)
        return run.kept["training"]  # type: ignore[no-any-return]
    before = 0 if run.device == "cpu" else run.torch.cuda.memory_allocated()
    if run.device != "cpu":
        run.torch.cuda.reset_peak_memory_stats()
    seen = (training := Training(run.torch, run.device, make(), recipe, run.options.seed)).curve()
    require_curve(seen, expected, recipe, drift)
    if drift is None and not seen[-1] < seen[0]:
        raise CheckFailed("the loss does not fall: " + ", ".join(f"{x:.4f}" for x in seen))
    for name, loss in (("first_loss", seen[0]), ("fifth_loss", seen[-1])) if drift is None else ():
        run.row.count(name, loss)  # of a net of ours
    if not seen[-1] < seen[0]:
        run.row.note("the loss does not fall, so that whether it trains as before is hardly seen")
    if run.device != "cpu":
        run.row.count("memory", float(run.torch.cuda.max_memory_allocated() - before), "bytes", "lower")
    run.kept["training"] = training
    return training


def require(condition: bool, why: str) -> None:
    if not condition:
        raise Skip(why)
