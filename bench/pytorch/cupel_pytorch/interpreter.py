"""Which interpreter has torch: the one that was asked for, else CUPEL_PYTHON, an active environment's, python3."""

import importlib.util
import os
import shutil
import sys
from typing import Mapping, Optional

from .flags import UsageError

_STARTED_ANEW = "CUPEL_PYTHON_STARTED_ANEW"  # in the environment: the interpreter is the one that was chosen


def chosen(asked: str, environment: Mapping[str, str]) -> Optional[str]:
    """Nothing: the one that this program was started with, which is python3. Throws UsageError where one that was named is not there."""
    for named, origin in ((asked, "--python"), (environment.get("CUPEL_PYTHON", ""), "CUPEL_PYTHON")):
        if named and (found := shutil.which(os.path.expanduser(named))):
            return found
        if named:
            raise UsageError(f"{origin} {named}: there is no such program")
    active = (os.path.join(environment[key], "bin", "python3") for key in ("VIRTUAL_ENV", "CONDA_PREFIX") if environment.get(key))
    return next((python for python in active if os.access(python, os.X_OK)), None)


def go_on_in(asked: str) -> None:
    python = None if os.environ.pop(_STARTED_ANEW, "") else chosen(asked, os.environ)
    if python is not None and os.path.abspath(python) != os.path.abspath(sys.executable):
        os.environ[_STARTED_ANEW] = "1"
        os.execv(python, [python, *sys.argv])


def lacks_torch() -> str:
    """Why there is no PyTorch here, and the line that would install it; empty where there is."""
    return "" if importlib.util.find_spec("torch") is not None else (
        f"no PyTorch in {os.path.basename(sys.executable)} {sys.version.split()[0]}; install it with: python3 -m pip install torch, "
        "or name another interpreter with --python")
