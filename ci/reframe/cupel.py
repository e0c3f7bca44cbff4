"""ReFrame 4: cupel as a test, a figure for each of its benchmarks.

    reframe -C SITE.py -c ci/reframe/cupel.py -r --distribute=all -S 'Cupel.arguments=--standard gemm memory'
    cupel compare --fleet output/fleet      # ends with 1 where a node stands out

--distribute starts one on every node of the partition. A figure is the median time over the processes; its reference for a system is a
result of cupel that the site keeps as REFERENCES/SYSTEM-PARTITION.json, as of a node that is known to be good. ReFrame does not tell
which node ran: the record does, and so `%(check_node)s` stands in the log and the result is kept as FLEET/NODE.json.
"""

import json
import pathlib
import shutil
import statistics

import reframe as rfm
import reframe.utility.sanity as sn
from reframe.core.builtins import run_after, run_before, sanity_function, variable

RESULT = "cupel.json"


def times_s(document):
    """Name of a benchmark, with '=' for the ':' that ReFrame parts systems by -> the median of its processes."""
    times = {}
    for row in document["benchmarks"]:
        times.setdefault(row["name"].replace(":", "="), []).append(row["real_time"] * 1e-6)  # always us
    return {name: statistics.median(processes) for name, processes in times.items()}


@rfm.simple_test
class Cupel(rfm.RunOnlyRegressionTest):
    descr = "what the machine gives, by cupel"
    valid_systems = ["*"]
    valid_prog_environs = ["*"]
    executable = "cupel"
    exclusive_access = True
    arguments = variable(str, value="--quick")
    references = variable(str, value="references")
    fleet = variable(str, value="output/fleet")
    slower = variable(float, value=0.05)  # than the reference: fails
    node = variable(str, value="unknown", loggable=True)

    @run_after("init")
    def say_what_to_run(self):
        self.executable_opts = ["run", "--output", RESULT, *self.arguments.split()]
        self.keep_files = [RESULT]

    @run_after("setup")
    def take_references(self):
        system, partition = self.current_system.name, self.current_partition.name
        file = pathlib.Path(self.references) / f"{system}-{partition}.json"
        if file.exists():
            reference = times_s(json.loads(file.read_text()))
            self.reference = {f"{system}:{partition}": {name: (time, None, self.slower, "s") for name, time in reference.items()}}

    def result(self):
        return json.loads((pathlib.Path(self.stagedir) / RESULT).read_text())

    @sanity_function
    def is_whole(self):
        document = self.result()
        record = document["context"]["cupel"]
        failed = [row["name"] for row in record["not_measured"] if row["cupel"]["status"] == "failed"]
        self.node = record["run"].get("node", self.node)
        return sn.all([sn.assert_in(self.job.exitcode, (0, None), f"{self.node}: cupel ended with {{0}}"),  # None: squeue tells none
                       sn.assert_true("finished" in record["run"] and not record["run"].get("interrupted"), f"{self.node}: interrupted"),
                       sn.assert_eq(failed, [], f"{self.node}: failed {failed}")])

    @run_before("performance")
    def keep_for_the_fleet(self):
        folder = pathlib.Path(self.fleet)
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copy(pathlib.Path(self.stagedir) / RESULT, folder / f"{self.node}.json")

    @run_before("performance")
    def make_figures(self):
        self.perf_variables = {name: sn.make_performance_function(sn.defer(time), "s") for name, time in times_s(self.result()).items()}
