"""Result files made up for tests: plausible in shape, measured nowhere; and a PyTorch."""

CONTEXT = {"schema": {"major": 1, "minor": 0},
           "build": {"version": "0.1.0", "git_revision": "0123456789abcdef", "git_dirty": False, "type": "Release"},
           "run": {"started": "2026-11-20T07:26:13Z", "finished": "2026-11-20T07:36:14Z", "profile": "full", "seed": 1, "rounds": 3,
                   "timer": "events"},
           "host": {"cpu": "Fake CPU", "logical_cpus": 16, "container": False},
           "device": {"name": "NVIDIA H200", "uuid": "GPU-1", "compute_major": 9, "compute_minor": 0, "sm_count": 132,
                      "memory_bytes": 151397597184, "driver_version": "580.1"}}

# Enough of PyTorch to be found, and no GPU.
TORCH_WITHOUT_CUDA = """
__version__ = "9.9"
class version: cuda = None
class backends:
    class cudnn:
        version = staticmethod(lambda: None)
class cuda:
    is_available = staticmethod(lambda: False)
"""


def row(name, process, samples_s, mode="host", advice=(), **own):
    """advice: (id, role, scenario, variant) of each tag. own: cupel's other fields of a row, as status and workload."""
    params = [dict(zip(("name", "value"), part.split(":"))) for part in name.split("/") if ":" in part]
    tags = [dict(zip(("id", "role", "scenario", "variant"), tag)) for tag in advice]
    cupel = {"family": name.split("/")[0], "params": params, "status": "ok", "process": process, "workload": {}, "advice": tags,
             "series": [{"mode": mode, "samples_s": samples_s}], **own}
    return {"name": name, "run_name": name, "run_type": "iteration", "iterations": 1, "real_time": samples_s[0], "cpu_time": samples_s[0],
            "time_unit": "s", "cupel": cupel}


def result(rows, not_measured=(), processes=3, **sections):
    """sections: of the context, what differs from CONTEXT in each."""
    own = {name: {**section, **sections.get(name, {})} for name, section in CONTEXT.items()}
    own["run"]["processes"] = processes
    return {"context": {"date": "2026-11-20T07:26:13Z", "cupel": {**own, "not_measured": list(not_measured)}}, "benchmarks": list(rows)}
