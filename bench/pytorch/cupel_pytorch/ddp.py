"""pytorch/ddp: as many images by one GPU, and by two with DDP and FSDP. Each rank is a process, which this program starts of itself."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from typing import Any, Callable

from . import nets
from .flags import Options
from .recipe import Recipe
from .registry import Advice, Benchmark
from .session import Run
from .training import Training, net_parts, require

NET, BATCH, STEPS = "resnet50", 64, 8  # images of a rank; steps of a sample
RECIPE = Recipe(loading="pinned", reads_loss=False, matmul="high", amp="bf16", channels_last=True, autotune=True)


def _wrapped(torch: Any, model: Any, way: str, rank: int) -> Any:
    if way == "fsdp":
        from torch.distributed.fsdp import FullyShardedDataParallel
        return FullyShardedDataParallel(model, device_id=rank, use_orig_params=True)
    return torch.nn.parallel.DistributedDataParallel(model, device_ids=[rank])


def rank_main(arguments: list[str]) -> int:
    """rank, ranks, way, port, seconds; rank 0 prints the seconds of a step of each sample."""
    import torch

    rank, ranks, way, port, seconds = int(arguments[0]), int(arguments[1]), arguments[2], arguments[3], float(arguments[4])
    torch.cuda.set_device(rank)
    parts = net_parts(torch, nets.NETS[NET], BATCH, 1)
    if ranks > 1:
        os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=port, RANK=str(rank), WORLD_SIZE=str(ranks), NCCL_NVLS_ENABLE="0")
        torch.distributed.init_process_group("nccl")
        parts.model = _wrapped(torch, parts.model.cuda().to(memory_format=torch.channels_last), way, rank)  # buckets keep the layout
        parts.optimizer = nets.optimizer_of(torch, nets.NETS[NET], parts.model)
    training = Training(torch, "cuda", parts, RECIPE, 1)
    first = training.curve()
    samples, begin, goes_on = [], time.perf_counter(), torch.ones(1, device="cuda")
    while goes_on.item():
        start = time.perf_counter()
        for _ in range(STEPS * (2 if ranks == 1 else 1)):  # as many images as two ranks have
            training.step()
        torch.cuda.synchronize()
        samples.append((time.perf_counter() - start) / STEPS)
        goes_on.fill_(float(time.perf_counter() - begin < seconds or len(samples) < 3))
        if ranks > 1:
            torch.distributed.broadcast(goes_on, 0)
    if rank == 0:
        print(json.dumps({"samples_s": samples, "losses": first}))
    if ranks > 1:
        torch.distributed.destroy_process_group()
    return 0


def _body(gpus: int, way: str) -> Callable[[Run], None]:
    def body(run: Run) -> None:
        require(not run.on_cpu, "wants GPUs")
        require((there := run.torch.cuda.device_count()) >= 2, f"wants two GPUs, PyTorch sees {there}")
        port, seconds = 20000 + os.getpid() % 20000, run.options.max_wall / run.options.rounds
        ranks = [subprocess.Popen([sys.executable, sys.argv[0], "--rank", str(rank), str(gpus), way, str(port), str(seconds)],
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for rank in range(gpus)]
        told = [rank.communicate(timeout=300) for rank in ranks]
        if any(rank.returncode for rank in ranks):
            raise RuntimeError("a rank ended: " + told[0][1].strip()[-300:])
        found = json.loads(told[0][0].splitlines()[-1])
        require(found["losses"][-1] < found["losses"][0], "the loss does not fall")
        run.row.keep(found["samples_s"], STEPS, "wall", {"items": 2 * BATCH}, 1e-9)
    return body


def benchmarks(_: Options) -> list[Benchmark]:
    return [Benchmark(f"pytorch/ddp/gpus:{gpus}/way:{way}", _body(gpus, way), "full" if way == "fsdp" else "standard", group="ddp",
                      round_s=15, advice=(Advice("scaling", role, "pytorch/ddp", way if gpus > 1 else ""),))
            for gpus, way, role in ((1, "single", "before"), (2, "ddp", "after"), (2, "fsdp", "variant"))]
