"""pytorch/case_study: photographs, a DataLoader and a step, of which the row says what binds; and the loader alone, by workers."""

import collections
import importlib.util
import pathlib
import random
import subprocess
import sys
import time
from typing import Any, Callable

from . import machine, nets
from .flags import Options
from .recipe import AMP, OTHER_AMP, Recipe
from .registry import Advice, Benchmark
from .session import CheckFailed, Run
from .training import Training, net_parts, plain_losses, require, require_curve

NET, BATCH, WORKERS = "resnet18_224", 128, (0, 1, 2, 4, 8, 16, 32, 64)
BATCHES_OF_A_WORKER = 3  # of an epoch: with fewer the first batch of each is most of the time
MEAN, DEVIATION = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)
TUNED = Recipe(loading="pinned", reads_loss=False, matmul="high", amp="bf16", channels_last=True, fused=True, autotune=True, launch="graph")
ALL = -1  # a worker a processor
_PINNED = {"num_workers": ALL, "pin_memory": True}
_KEPT = {**_PINNED, "persistent_workers": True, "prefetch_factor": 4}
_SOURCE = ({"num_workers": 4}, Recipe(amp=AMP))  # all that the case study changes of the defaults
RUNGS: dict[str, tuple[dict[str, Any], Recipe]] = {  # what is changed, one after another: the loader's settings and the step's
    "defaults": ({}, Recipe()), "workers": ({"num_workers": ALL}, Recipe()), "pinned_copies": (_PINNED, Recipe(loading="pinned")),
    "keep_workers": (_KEPT, Recipe(loading="pinned")), "tuned": (_KEPT, TUNED), "source": _SOURCE, "source_profiled": _SOURCE}


def photographs(options: Options) -> list[str]:
    folder = pathlib.Path(options.data or machine.data_folder() / "pipeline" / f"jpeg-seed1-{options.data_bytes}-v3" / "files")
    maker = pathlib.Path(sys.argv[0]).absolute().with_name("cupel_bench_pipeline")
    if not folder.is_dir() and maker.exists():
        subprocess.run([maker, "--cupel_once", "--benchmark_filter=pipeline/read/", f"--cupel_data_bytes={options.data_bytes}"],
                       capture_output=True, check=False)
    files = sorted(str(path) for path in folder.glob("**/*.jp*g")) if folder.is_dir() else []
    require(bool(files), "there are no photographs: cupel run pipeline makes them, or name a folder with --data")
    return files


class Photographs:
    """As torchvision's ImageFolder with RandomResizedCrop, flip and normalization, in Pillow and torch alone."""

    def __init__(self, torch: Any, files: list[str], side: int, length: int, classes: int) -> None:
        self.torch, self.files, self.side, self.length, self.classes = torch, files, side, length, classes
        self.mean, self.deviation = (torch.tensor(x).view(3, 1, 1) for x in (MEAN, DEVIATION))

    def __len__(self) -> int:
        return self.length

    def __getitem__(self, index: int) -> tuple[Any, int]:
        from PIL import Image
        image = Image.open(self.files[index % len(self.files)]).convert("RGB")  # which closes the file
        area, ratio = random.uniform(0.08, 1) * image.width * image.height, random.uniform(3 / 4, 4 / 3)
        w, h = min(image.width, int((area * ratio) ** 0.5)), min(image.height, int((area / ratio) ** 0.5))
        left, top = random.randint(0, image.width - w), random.randint(0, image.height - h)
        image = image.resize((self.side, self.side), Image.BILINEAR, box=(left, top, left + w, top + h))
        pixels = self.torch.frombuffer(bytearray(image.tobytes()), dtype=self.torch.uint8).view(self.side, self.side, 3)
        planes = (pixels.permute(2, 0, 1).contiguous().float() / 255 - self.mean) / self.deviation
        return planes.flip(2) if random.random() < 0.5 else planes, index % self.classes


class Fed:
    def __init__(self, run: Run, settings: dict[str, Any]) -> None:
        require(importlib.util.find_spec("PIL") is not None, "no Pillow, which decodes the photographs: python3 -m pip install pillow")
        self.net, self.batch = nets.here(run.on_cpu, NET, BATCH)
        self.workers = machine.usable_cpus() if settings.get("num_workers") == ALL else settings.get("num_workers", 0)
        self.batches = 2 if run.on_cpu else BATCHES_OF_A_WORKER * max(1, self.workers)
        run.takes_all_cpus = self.workers + 1 >= machine.usable_cpus()  # the program itself runs beside its workers
        data = Photographs(run.torch, photographs(run.options), self.net.size, self.batch * self.batches, self.net.classes)
        wanted = {**settings, "num_workers": self.workers, "pin_memory": settings.get("pin_memory", False) and not run.on_cpu}
        self.loader = run.torch.utils.data.DataLoader(data, batch_size=self.batch, shuffle=True, drop_last=True, **wanted)


def bound_of(waits: float, copies: float, host: float, more: str) -> str:  # shares of the time; more: what makes a loader faster
    shares = {f"loader; {more}": waits / 0.3, "copy; pinned copies, ahead": copies / 0.3, "host; graphs": host / 0.9, "gpu; the step": 1.0}
    return "bound:" + max(shares, key=lambda text: shares[text])


def _profiled_step(training: Training) -> None:  # the case study profiles a second forward pass in each step, and prints a table of it
    host, training.batches = training.batches, [training.batch()]  # copied once for both
    with training.torch.profiler.profile(record_shapes=True) as profile:
        training.loss(training.batch())
    if "conv" not in profile.key_averages().table():
        raise CheckFailed("the profiler saw no convolution")
    training.step()
    training.batches = host


def _body(change: str) -> Callable[[Run], None]:
    def body(run: Run) -> None:
        fed, recipe, waits_s = Fed(run, RUNGS[change][0]), RUNGS[change][1], [0.0]
        here = Recipe(reads_loss=recipe.reads_loss, amp=OTHER_AMP * bool(recipe.amp)) if run.on_cpu else recipe
        expected = plain_losses(run.torch, run.device, fed.net, fed.batch, run.options.seed)
        training = Training(run.torch, run.device, net_parts(run.torch, fed.net, fed.batch, run.options.seed), here, run.options.seed)
        require_curve(training.curve(), expected, here)  # search and capture come before what is timed

        def epoch() -> None:
            batches = iter(fed.loader)
            for _ in range(fed.batches):
                begin = time.perf_counter()
                training.batches = [next(batches)]
                waits_s.append(time.perf_counter() - begin)
                (_profiled_step if change == "source_profiled" else Training.step)(training)

        epoch()
        waits_s.clear()
        begin = time.perf_counter()
        run.sample(epoch, fed.batch, 1, of=fed.batches)
        took_s = time.perf_counter() - begin
        training.batch()  # its copy, by itself
        run.synchronize()
        run.row.count("copies", copies := len(waits_s) * (time.perf_counter() - begin - took_s) / took_s)
        run.row.count("loader_waits", waits := sum(waits_s) / took_s)
        if run.options.times:
            more = f"more workers, up to {cpus}" if fed.workers < (cpus := machine.usable_cpus()) else "a faster decoder: all CPUs decode"
            run.row.note(bound_of(waits, copies, run.row.cupel["counters"]["host_busy"]["value"] - waits, more))
    return body


def _loader_body(workers: int) -> Callable[[Run], None]:
    def body(run: Run) -> None:
        require(workers <= (cpus := machine.usable_cpus()), f"there are {cpus} processors")
        fed = Fed(run, {"num_workers": workers, **({"persistent_workers": True} if workers else {})})
        collections.deque(fed.loader, 0)  # starts the workers
        run.sample(lambda: collections.deque(fed.loader, 0), fed.batch, 1, of=fed.batches)
    return body


def once(body: Callable[[Run], None]) -> Callable[[Run], None]:  # an epoch is long, and its loader dear to start
    return lambda run: None if run.round else body(run)


def benchmarks(_: Options) -> list[Benchmark]:
    tells = {"defaults": ("standard", "all-together", "before"), "tuned": ("standard", "all-together", "after"),
             "source": ("full", "profiler-left-on", "before"), "source_profiled": ("full", "profiler-left-on", "after")}
    found = [Benchmark(f"pytorch/case_study/net:{NET}/batch:{BATCH}/add:{change}", once(_body(change)), profile,
                       (Advice(tag[0], tag[1], "pytorch/case_study"),) if tag else (), "case study", 8)
             for change in RUNGS for profile, *tag in (tells.get(change, ("full",)),)]
    most = max(n for n in WORKERS if n <= machine.usable_cpus())  # standard, where there is no before: a variant
    roles = {0: "before", most: "variant"}
    return found + [
        Benchmark(f"pytorch/loader/workers:{n}", once(_loader_body(n)), "standard" if n == most else "full", group="loader", round_s=3,
            advice=(Advice("loader-workers", roles.get(n, "after"), "pytorch/loader", f"workers_{n}" if n else ""),)) for n in WORKERS]
