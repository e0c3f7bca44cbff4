"""pytorch/ddp: as many images by one GPU, and by two in each way. A rank is a process, which is kept from round to round."""

import dataclasses
import multiprocessing
import os
import pathlib
import sys
import tempfile
import time
from typing import Any, Callable

from . import nets
from .flags import Options
from .recipe import Recipe
from .registry import Advice, Benchmark
from .session import Run
from .training import Training, mapped, net_parts, plain_losses, require, require_curve

NET, BATCH, STEPS = "resnet50", 64, 8  # images of a GPU; steps of a sample
RECIPE = Recipe(loading="pinned", reads_loss=False, matmul="high", amp="bf16", channels_last=True, autotune=True)
LIMIT_S = 300.0  # of a round; the first starts the ranks


def _wrapped(torch: Any, model: Any, way: str, rank: int, device: str) -> Any:
    if way == "fsdp":
        from torch.distributed.fsdp import FullyShardedDataParallel
        return FullyShardedDataParallel(model, device_id=rank, use_orig_params=True)
    if way == "data_parallel":
        return torch.nn.DataParallel(model, device_ids=[0, 1])
    return torch.nn.parallel.DistributedDataParallel(model, device_ids=None if device == "cpu" else [rank])


def _samples(training: Training, steps: int, seconds: float) -> list[float]:  # rank 0 decides which is the last
    samples, begin, goes_on = [], time.perf_counter(), training.torch.ones(1, device=training.device)
    training.step()  # behind what came between the rounds
    while goes_on.item():
        start = time.perf_counter()
        for _ in range(steps):
            training.step()
        float(training.last)  # waits for the device
        samples.append(time.perf_counter() - start)
        goes_on.fill_(float(time.perf_counter() - begin < seconds or len(samples) < 3))
        training.torch.distributed.broadcast(goes_on, 0)
    return samples


def rank_main(rank: int, ranks: int, way: str, device: str, folder: str, pipes: Any) -> None:
    """Takes the seconds of a round from its pipe, or its end; rank 0 answers with the seconds of a step and the first losses."""
    import torch

    os.dup2(os.open(f"{folder}/{rank}", os.O_WRONLY | os.O_CREAT), sys.stderr.fileno())
    os.environ["NCCL_NVLS_ENABLE"] = "0"  # multicast of a switch, which not every container may use
    (net, batch), recipe, backend = nets.here(device == "cpu", NET, BATCH), RECIPE, "nccl"
    if device == "cpu":
        torch.set_num_threads(1)  # those of several ranks would wait for one another's processors
        recipe, backend = dataclasses.replace(RECIPE, loading="pageable", amp=""), "gloo"
    else:
        torch.cuda.set_device(rank)
    torch.distributed.init_process_group(backend, store=torch.distributed.FileStore(f"{folder}/store", ranks), rank=rank, world_size=ranks)
    is_split, parts = way == "data_parallel", net_parts(torch, net, batch, 1)  # split: by threads that would search anew in each step
    if is_split:  # both GPUs have what each rank has elsewhere, so that all losses are those of one GPU
        parts.batches = mapped(parts.batches, lambda t: torch.cat((t, t)))
    if way != "single":
        parts.model = _wrapped(torch, parts.model.to(device, memory_format=torch.channels_last), way, rank, device)  # in its layout
        parts.optimizer = nets.optimizer_of(torch, net, parts.model)
    training = Training(torch, device, parts, dataclasses.replace(recipe, autotune=not is_split), 1)
    losses = training.curve()
    while (seconds := pipes[rank].recv()) is not None:
        samples = _samples(training, 2 * STEPS if way == "single" else STEPS, seconds)  # as many images as two GPUs take
        if rank == 0:
            pipes[0].send(([sample / STEPS for sample in samples], losses))
    torch.distributed.destroy_process_group()


class Ranks:
    """The processes of a row. They end with this program at the latest, which ends their pipes."""

    def __init__(self, torch: Any, count: int, way: str, device: str) -> None:
        self.library, self.folder = torch.multiprocessing, tempfile.TemporaryDirectory()
        self.pipes, self.theirs = zip(*(multiprocessing.Pipe() for _ in range(count)))  # kept, so that none that ends breaks its pipe
        self.started = self.library.spawn(rank_main, (count, way, device, self.folder.name, self.theirs), count, join=False, daemon=True)

    def round(self, seconds: float) -> Any:
        begin = time.monotonic()
        try:
            for pipe in self.pipes:
                pipe.send(seconds)
            while not self.pipes[0].poll():
                if self.started.join(0.05) or time.monotonic() - begin > LIMIT_S:  # raises where one ended, and ends those that wait for it
                    raise TimeoutError(f"no answer of the ranks in {LIMIT_S:.0f} s")
            return self.pipes[0].recv()
        except (self.library.ProcessRaisedException, self.library.ProcessExitedException) as error:
            said = pathlib.Path(self.folder.name, str(error.error_index)).read_text(errors="replace")
            raise RuntimeError("a rank ended: " + f"{said} {error}".strip()[-300:]) from None

    def __del__(self) -> None:
        for pipe in self.pipes:
            pipe.send(None)
        for process in self.started.processes:
            process.join(10)
            process.kill()
            process.join()


def _body(gpus: int, way: str) -> Callable[[Run], None]:
    def body(run: Run) -> None:
        there = 0 if run.on_cpu else run.torch.cuda.device_count()
        require(there >= 2 or (run.on_cpu and way in ("single", "ddp")), f"wants two GPUs, PyTorch sees {there}")
        expected = plain_losses(run.torch, run.device, *nets.here(run.on_cpu, NET, BATCH), 1)
        if "ranks" not in run.kept:
            run.kept["ranks"] = Ranks(run.torch, 1 if way == "data_parallel" else gpus, way, run.device)
        samples_s, losses = run.kept["ranks"].round(run.options.max_wall / run.options.rounds if run.options.times else 0)
        require_curve(losses, expected, RECIPE)
        if run.options.times:
            run.row.keep(samples_s, STEPS, "wall", {"items": 2 * BATCH}, 1e-9)
        if not run.has_room():
            run.kept.clear()
    return body


def benchmarks(options: Options) -> list[Benchmark]:
    ways = ((1, "single", "before", ""), (2, "ddp", "after", "after"), (2, "fsdp", "variant", ""),
            (2, "data_parallel", "variant", "before"))
    return [Benchmark(f"pytorch/ddp/gpus:{gpus}/way:{way}", _body(gpus, way), "full" if role == "variant" else "standard",
                      (Advice("scaling", role, "pytorch/ddp", way if gpus > 1 else ""), Advice("ddp", of_ddp, "pytorch/ddp"))
                      [:2 if of_ddp and options.profile == "full" else 1], "ddp", start_s=20) for gpus, way, role, of_ddp in ways]
