"""Times and traces a training loop of yours for scripts/profile-from-pytorch. Three lines:

    import cupel_step
    cupel_step.trains(model, optimizer, batch=256)  # once, ahead of the loop
    cupel_step.ends()                               # at the end of each step

Under `scripts/profile-from-pytorch -o step.json -- python3 train.py` the program ends once it has seen enough steps: some to get warm, five
groups of which the least counts, and three under the profiler. Otherwise these lines do nothing.
"""

import json
import os
import sys
import time

WARM, GROUPS, OF_GROUP = 20, 5, 8  # steps, groups, steps of each
TRACED = {"wait": 1, "warmup": 2, "active": 3}

_folder = os.environ.get("CUPEL_STEP_FOLDER", "")
_facts, _state = {}, {"steps": 0, "in_group": 0, "begin": 0.0, "groups": [], "profiler": None}


def _on_gpu():
    import torch
    return torch.cuda.is_available()


def _synchronize():
    import torch
    if _on_gpu():
        torch.cuda.synchronize()


def trains(model, optimizer, batch):
    """batch: samples of a step."""
    _facts.update(net=type(model).__name__, batch=batch, parameters=sum(p.numel() for p in model.parameters()),
                  rule="adamw" if "adam" in type(optimizer).__name__.lower() else "sgd")


def ends():
    if not _folder:
        return
    _state["steps"] += 1
    if _state["profiler"] is not None:
        _state["profiler"].step()
    elif _state["steps"] >= WARM:
        _end_of_a_group()


def _end_of_a_group():
    if _state["steps"] > WARM:
        _state["in_group"] += 1
        if _state["in_group"] < OF_GROUP:
            return
        _synchronize()
        _state["groups"].append((time.perf_counter() - _state["begin"]) / OF_GROUP)
    if len(_state["groups"]) == GROUPS:
        _begin_trace()
    _synchronize()
    _state.update(in_group=0, begin=time.perf_counter())


def _begin_trace():
    import torch
    activity = torch.profiler.ProfilerActivity
    kinds = [activity.CPU] + ([activity.CUDA] if _on_gpu() else [])
    _state["profiler"] = torch.profiler.profile(activities=kinds, schedule=torch.profiler.schedule(**TRACED), record_shapes=True,
                                                on_trace_ready=_write)
    _state["profiler"].start()


def _write(profiler):
    profiler.export_chrome_trace(os.path.join(_folder, "trace.json"))
    with open(os.path.join(_folder, "facts.json"), "w", encoding="utf-8") as file:
        json.dump({**_facts, "step_s": min(_state["groups"])}, file)
    sys.exit(0)
