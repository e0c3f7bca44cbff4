"""pytorch/host: what the host spends on one operation, eagerly, compiled and as part of a graph: what makes graphs pay."""

import statistics
from typing import Any, Callable

from . import machine
from .flags import Options
from .registry import Benchmark
from .session import Run
from .training import require

OPERATIONS = 50  # of a call: in a graph, or a compiled function of so many
WIDTH = 64  # so little work that the device keeps up with the host


def _operation(torch: Any, op: str, device: str) -> tuple[Callable[[Any], Any], Any]:
    ops = torch.nn.functional

    def parameter(*shape: int) -> Any:
        return torch.randn(*shape, device=device).requires_grad_()

    filters, weight, bias = parameter(8, 8, 3, 3), parameter(WIDTH, WIDTH), parameter(WIDTH)
    operations = {"add": lambda x: x + weight, "linear": lambda x: ops.linear(x, weight, bias),
                  "norm": lambda x: ops.layer_norm(x, (WIDTH,), bias, bias), "conv": lambda x: ops.conv2d(x, filters, padding=1)}
    return operations[op], torch.randn(*((1, 8, 8, 8) if op == "conv" else (WIDTH, WIDTH)), device=device)


def _timed(torch: Any, op: str, mode: str, device: str) -> Callable[[], None]:
    operation, x = _operation(torch, op, device)
    operation = torch.compile(operation) if mode == "compiled" else operation

    def call() -> None:
        for _ in range(OPERATIONS):
            operation(x)

    call()
    if mode != "graph":
        return call
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        call()
    return lambda: (graph, call)[0].replay()  # type: ignore[no-any-return]  # call holds the tensors that the graph reads


def _body(op: str, mode: str) -> Callable[[Run], None]:
    def body(run: Run) -> None:
        require(mode != "graph" or not run.on_cpu, "a CPU has no CUDA graphs")
        require(mode != "compiled" or hasattr(run.torch, "compile"), "this PyTorch has no torch.compile")
        timed = run.kept.get("timed") or run.kept.setdefault("timed", _timed(run.torch, op, mode, run.device))
        timed()  # behind what came between the rounds
        run.synchronize()
        run.sample(timed, 1, 1, waits=False, of=OPERATIONS)
        if mode == "eager" and run.options.times and run.is_last:  # for the family step, whose eager host takes as long
            kept, samples_s = machine.data_folder() / "pytorch-host", run.row.cupel["series"][0]["samples_s"]
            kept.mkdir(parents=True, exist_ok=True)
            (kept / op).write_text(f"{statistics.median(samples_s)} PyTorch {run.torch.__version__}, measured here\n", encoding="utf-8")
    return body


def benchmarks(_: Options) -> list[Benchmark]:
    profiles = {"add": "quick", "linear": "quick", "conv": "standard", "norm": "standard"}
    return [Benchmark(f"pytorch/host/op:{op}/mode:{mode}", _body(op, mode), "full" if mode == "compiled" else profile, group="host " + op,
                      round_s=0.05, start_s=10 if mode == "compiled" else 0)
            for op, profile in profiles.items() for mode in ("eager", "compiled", "graph")]
