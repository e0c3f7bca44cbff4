"""The program: flags, registration, listing, measuring. Its exit codes are those that every family has (record/journal.hpp)."""

import gc
import json
import os
import sys
import time
from typing import Any, Optional

from . import case_study, ddp, host, machine, model, shapes, step
from .flags import HELP, Options, UsageError, take_flags
from .interpreter import go_on_in, lacks_torch
from .registry import FAMILY, Benchmark, listing, selected
from .session import Session

EXIT_USAGE, EXIT_NOTHING = 2, 5


def _device(torch: Any, asked: str) -> tuple[Optional[dict[str, Any]], str]:
    """What it is, or why there is none. Throws UsageError where there are GPUs, but not this one."""
    if not torch.cuda.is_available():
        bare = "was built without CUDA; install one with it: python3 -m pip install --force-reinstall torch"
        how = bare if torch.version.cuda is None else "finds no GPU that it can use"
        return None, f"PyTorch {torch.__version__} {how}; --device cpu runs what a CPU can, untimed"
    uuids = ["GPU-" + str(getattr(torch.cuda.get_device_properties(i), "uuid", "")) for i in range(torch.cuda.device_count())]
    number = int(asked) if asked.isdigit() else next((i for i, uuid in enumerate(uuids) if uuid.startswith(asked)), len(uuids))
    if number >= len(uuids):
        raise UsageError(f"--device {asked}: there is no such GPU among the {len(uuids)} that PyTorch sees")
    torch.cuda.set_device(number)
    p = torch.cuda.get_device_properties(number)
    uuid = "GPU-" + str(p.uuid) if hasattr(p, "uuid") else ""
    found = {"name": p.name, "uuid": uuid, "compute_major": p.major, "compute_minor": p.minor, "sm_count": p.multi_processor_count,
             "memory_bytes": p.total_memory, "l2_bytes": getattr(p, "L2_cache_size", 0)}
    return {**machine.Nvml(uuid).device(), **{key: value for key, value in found.items() if value}}, ""


def _measure(options: Options, benchmarks: list[Benchmark], began: float) -> int:
    session = Session(options, began)
    if why_not := lacks_torch():
        return session.run(benchmarks, None, why_not, [], None)
    os.environ.setdefault("TORCHINDUCTOR_CACHE_DIR", str(machine.data_folder() / "pytorch-compiled"))  # the processes of a run share it
    os.environ.setdefault("TORCHINDUCTOR_FX_GRAPH_CACHE", "1")
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"  # of the processes that this one starts, too
    import torch

    device, why_not = (None, "") if options.on_cpu else _device(torch, options.device)
    if not why_not:
        torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], 0.1)  # the first optimizer imports more
        gc.freeze()  # what was imported is of no row, and would be gone through at the end of each
    versions = {"torch": torch.__version__, "torch's CUDA": torch.version.cuda, "torch's cuDNN": torch.backends.cudnn.version()}
    libraries = [{"name": name, "loaded": str(version)} for name, version in versions.items() if version]
    return session.run(benchmarks, torch, why_not, libraries, device)


def run(arguments: list[str], began: float) -> int:
    options = take_flags(arguments)
    if options.help:
        print(HELP, end="")
        return 0
    if options.measure_shortest_work:  # PyTorch cannot tell
        return EXIT_NOTHING
    if not options.list:
        go_on_in(options.python)
    topics = (model,) if options.model else (step, host, shapes, case_study, ddp)
    benchmarks = selected([b for topic in topics for b in topic.benchmarks(options)], options)
    if options.list or options.benchmark_list_tests:
        print(json.dumps(listing(benchmarks, options), indent=2) if options.list else "\n".join(b.name for b in benchmarks))
        return 0
    if not benchmarks:
        print(f"{FAMILY}: no benchmark matches; --benchmark_list_tests shows what there is", file=sys.stderr)
        return EXIT_NOTHING
    return _measure(options, benchmarks, began)


def main(arguments: list[str]) -> int:
    began = time.perf_counter()
    try:
        return run(arguments, began)
    except UsageError as error:
        print(f"{FAMILY}: {error}", file=sys.stderr)
        return EXIT_USAGE
