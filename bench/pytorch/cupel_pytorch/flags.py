"""The flags of a family's executable: --cupel_* as the C++ harness has them, and --benchmark_list_tests and --benchmark_filter."""

import dataclasses
import re
from typing import Optional

PROFILES = ("quick", "standard", "full")

# Rounds (a pair goes forwards, then backwards), most seconds of sampling, fewest and most samples: few and long, for eager steps spread.
SAMPLING = {"quick": (2, 0.15, 6, 40), "standard": (2, 0.25, 4, 80), "full": (2, 2.0, 20, 200)}

OF_OTHERS = ("noise_goal", "allow_managed", "allow_multicast", "sustained", "zeros", "clean_data")  # flags that tell nothing here


class UsageError(Exception):
    """Wrong use: one line, exit code 2."""


@dataclasses.dataclass
class Options:
    list: bool = False
    profile: str = "quick"
    out: str = ""
    journal: str = ""
    only: str = ""
    skip: str = ""
    seed: int = 1
    process: int = 0
    rounds: int = 0
    max_wall: float = 0.0
    budget: float = 0.0
    min_samples: int = 0
    max_samples: int = 0
    timer: str = "events"
    device: str = ""
    measure_shortest_work: bool = False
    once: bool = False
    data: str = ""
    data_bytes: int = 16 << 20
    python: str = ""
    model: str = ""
    help: bool = False
    benchmark_filter: str = ""
    benchmark_list_tests: bool = False

    @property
    def on_cpu(self) -> bool:
        return self.device == "cpu"

    @property
    def times(self) -> bool:
        return not (self.on_cpu or self.once)


def _set(options: Options, flag: str, text: Optional[str]) -> None:
    kind = type(getattr(options, flag))
    try:
        value = {None: True, "true": True}[text] if kind is bool else kind(text or "")
        if kind in (int, float) and not 0 <= value < 2**64:
            raise ValueError
    except (KeyError, ValueError):
        raise UsageError(f"--cupel_{flag}={text}: {'it takes no value' if kind is bool else 'not a number that it takes'}") from None
    setattr(options, flag, value)


def take_flags(arguments: list[str]) -> Options:
    """Throws UsageError. A profile sets the sampling defaults wherever it stands; single flags override it."""
    options, flags = Options(), {field.name for field in dataclasses.fields(Options)}
    for argument in arguments:
        name, equals, text = argument.partition("=")
        flag = name[len("--cupel_"):] if name.startswith("--cupel_") else name.lstrip("-")
        if flag in flags and (name.startswith("--cupel_") != flag.startswith("benchmark_") or flag == "help"):
            _set(options, flag, text if equals else None)
        elif not name.startswith("--benchmark_") and flag not in OF_OTHERS:
            raise UsageError(f"{argument}: no such flag; --cupel_help lists them")
    if options.profile not in PROFILES or options.timer not in ("events", "cupti"):
        raise UsageError(f"--cupel_profile={options.profile} --cupel_timer={options.timer}: not quick, standard or full; events or cupti")
    rounds, wall, fewest, most = SAMPLING[options.profile]
    options.rounds = 1 if not options.times else options.rounds or rounds
    options.max_wall, options.min_samples = options.max_wall or wall, options.min_samples or fewest
    options.max_samples = max(options.max_samples or most, options.min_samples)
    return options


def accepts(text: str, name: str) -> bool:  # as Google Benchmark reads a filter: found anywhere; a leading '-' turns it round
    try:
        return text in ("", "all") or (re.search(text.lstrip("-"), name) is not None) != text.startswith("-")
    except re.error as error:
        raise UsageError(f"--benchmark_filter={text}: not a regular expression ({error})") from None


HELP = """cupel flags, as every family has them (--cupel_list, --cupel_profile=NAME, --cupel_journal=FILE, --cupel_once, ...), and
  --cupel_device=N|UUID|cpu   which GPU; cpu: all that a CPU can, once and untimed, on small nets
  --cupel_python=FILE         the interpreter that has torch; else CUPEL_PYTHON, an active environment, python3
  --cupel_model=FILE:NAME     measures the function's model in place of cupel's own; it runs the code in FILE
"""
