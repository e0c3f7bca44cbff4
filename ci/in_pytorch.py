"""PyTorch as the scripts of ci/ measure it: groups of steps by the host's clock, traces, and the profiles that are made of them."""

import re
import sys
import time

from script import ROOT, Wrong, output_of

TRACED = {"wait": 1, "warmup": 2, "active": 3}  # steps


def torch_on_gpu():
    import torch
    if not torch.cuda.is_available():
        raise Wrong("PyTorch finds no GPU")
    return torch


def layers():
    """The convolutions of ResNet-50 as bench/conv/layers.cpp has them: name -> in, out, size, filter, stride."""
    text = (ROOT / "bench/conv/layers.cpp").read_text()
    rows = re.findall(r'of_planes\("(\w+)", (\d+), (\d+), (\d+), (\d+), (\d+), \d+\),', text)
    return {name: dict(zip(("c", "k", "size", "filter", "stride"), map(int, sizes))) for name, *sizes in rows}


def groups_s(step, steps, groups, synchronize):
    """Seconds of a step in each of so many groups, whose steps are all enqueued before they are waited for."""
    found = []
    for _ in range(groups):
        synchronize()
        begin = time.perf_counter()
        for _ in range(steps):
            step()
        synchronize()
        found.append((time.perf_counter() - begin) / steps)
    return found


def write_trace(torch, step, path, on_gpu=True):
    """Writes what host and device do in a few steps, as scripts/profile-from-pytorch reads it."""
    kinds = torch.profiler.ProfilerActivity
    with torch.profiler.profile(activities=[kinds.CPU, *[kinds.CUDA] * on_gpu], record_shapes=True,
                                schedule=torch.profiler.schedule(**TRACED),
                                on_trace_ready=lambda profiler: profiler.export_chrome_trace(str(path))) as profiler:
        for _ in range(sum(TRACED.values())):
            step()
            profiler.step()


def profile_of(trace, net, batch, *more):
    """The text of a profile that `cupel advise --step` reads. more: further flags of scripts/profile-from-pytorch."""
    return output_of(sys.executable, ROOT / "scripts" / "profile-from-pytorch", trace, "--net", net, "--batch", batch, *more)
