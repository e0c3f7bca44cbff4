#!/usr/bin/env python3
"""ci/reframe/cupel.py, run by ReFrame on a Slurm of four nodes.

    reframe_test.py CUPEL

Ends with 77 where there is no Slurm, or no ReFrame on PATH or where scripts/setup --tests puts it.
"""

import json
import re
import shutil
import subprocess
import sys

from cluster import CUPEL, NODES, ROOT, on_a_cluster

TOOLS = ROOT / ".deps/test-tools"

SITE = """
site_configuration = {
    "systems": [{"name": "test", "hostnames": [".*"], "partitions": [
        {"name": "fleet", "scheduler": "squeue", "launcher": "local", "access": ["-p fleet"], "environs": ["builtin"], "max_jobs": 4}]}],
    "environments": [{"name": "builtin"}],
}
"""


def program():
    """ReFrame's command line, or nothing."""
    ours = TOOLS / "bin/reframe"
    theirs = shutil.which("reframe")
    return [sys.executable, ours] if ours.exists() else [theirs] if theirs else []


def reframe(cluster, folder):
    """Its exit code and what it prints."""
    command = [*program(), "-C", folder / "site.py", "-c", ROOT / "ci/reframe/cupel.py", "-r", "--distribute=all", "--prefix", folder / "output",
               "--nocolor", "-S", f"Cupel.executable={CUPEL}", "-S", "Cupel.arguments=host --filter memcpy/threads:1",
               "-S", f"Cupel.references={folder}/references", "-S", f"Cupel.fleet={folder}/fleet"]
    done = subprocess.run(command, env={**cluster.environment, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(TOOLS)}, cwd=folder, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=200, check=False)
    return done.returncode, done.stdout


def require(condition, what):
    if not condition:
        sys.exit(what)


def check(cluster, folder):
    (folder / "site.py").write_text(SITE)
    code, out = reframe(cluster, folder)
    require(code == 0 and "Ran 4/4 test case(s) from 4 check(s) (0 failure(s)" in out, out)
    require(len(re.findall(r"^P: host/memcpy/threads=1/bytes=4096: \S+ s", out, re.M)) == 4, out)
    verdict = subprocess.run([CUPEL, "compare", "--fleet", folder / "fleet", "--expect", ",".join(NODES)], stdout=subprocess.PIPE,
                             text=True, check=False).stdout
    require("All 4 nodes expected are there, whole." in verdict and ": 4 machines" in verdict, verdict)

    # Held against a node that was a thousand times as quick in one benchmark, each fails in that.
    known_good = json.loads((folder / "fleet" / "n1.json").read_text())
    for row in known_good["benchmarks"]:
        row["real_time"] *= 0.001 if row["name"].endswith("bytes:4096") else 1000
    shutil.rmtree(folder / "fleet")
    (folder / "references").mkdir()
    (folder / "references" / "test-fleet.json").write_text(json.dumps(known_good))
    code, out = reframe(cluster, folder)
    failed = re.findall(r"performance error: failed to meet reference\(s\): (\S+?)=[\d.e+-]+ s,", out)
    slow = sorted(file.name for file in (folder / "fleet").iterdir())
    require(code != 0 and slow == [f"{node}.json" for node in NODES] and failed == ["host/memcpy/threads=1/bytes=4096"] * 4, out)


if __name__ == "__main__":
    sys.exit(on_a_cluster(check, "" if program() else "no reframe: scripts/setup --tests installs it for Python 3.11"))
