"""What the family measures: benchmarks, their choice, and the listing that `cupel run` reads. Nothing here touches a device."""

import dataclasses
import pathlib
from typing import Any, Callable

from .flags import PROFILES, Options, UsageError, accepts

FAMILY = "pytorch"
START_S = 6.0  # of a process: imports, a context

Body = Callable[[Any], None]  # of a session.Run


@dataclasses.dataclass(frozen=True)
class Advice:
    id: str
    role: str  # before, after or variant
    scenario: str
    variant: str = ""

    def to_json(self) -> dict[str, str]:
        return {key: value for key, value in dataclasses.asdict(self).items() if value or key in ("id", "role")}


@dataclasses.dataclass(frozen=True)
class Benchmark:
    name: str
    body: Body
    profile: str = "quick"  # the smallest that has it
    advice: tuple[Advice, ...] = ()
    group: str = ""  # those of one group follow each other, and swap their places every other round
    round_s: float = 1.0  # of a round: what is made before the first sample
    start_s: float = 0.0  # once, in the first round: what is kept for the others
    host_bytes: int = 0
    counts_memory: bool = False  # in the first round, of which it is the first: no other row keeps memory yet

    @property
    def params(self) -> list[dict[str, str]]:
        return [{"name": name, "value": value} for name, colon, value in (part.partition(":") for part in self.name.split("/")) if colon]


def expected_s(benchmark: Benchmark, options: Options) -> float:
    return benchmark.start_s + options.rounds * benchmark.round_s + (options.max_wall if options.times else 0)


def _names_in(path: str) -> list[str]:
    try:
        return list(filter(None, pathlib.Path(path).read_text(encoding="utf-8").split("\n")))
    except OSError:
        raise UsageError(f"{path}: cannot be read") from None


def selected(benchmarks: list[Benchmark], options: Options) -> list[Benchmark]:
    profiles = PROFILES[:PROFILES.index(options.profile) + 1]
    without = set(_names_in(options.skip) if options.skip else ())
    found = [b for b in benchmarks if b.profile in profiles and accepts(options.benchmark_filter, b.name) and b.name not in without]
    if options.only:
        place = {name: i for i, name in enumerate(_names_in(options.only))}
        found = sorted((b for b in found if b.name in place), key=lambda b: place[b.name])
    return found


def listing(benchmarks: list[Benchmark], options: Options) -> dict[str, Any]:
    entries = []
    for b in benchmarks:
        seconds = expected_s(b, options) + START_S / max(1, len(benchmarks))
        entries.append({"name": b.name, "params": b.params, "advice": [tag.to_json() for tag in b.advice], "profile": b.profile,
                        "needs_device": not options.on_cpu, "device_bytes": 0, "host_bytes": b.host_bytes, "seconds": seconds,
                        "least_seconds": seconds - (options.max_wall if options.times else 0)})
    return {"family": FAMILY, "needs_device": bool(entries) and not options.on_cpu, "max_wall_s": options.max_wall, "benchmarks": entries}
