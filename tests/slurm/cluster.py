"""A Slurm cluster of four nodes on this host, from the distribution's packages: munge, slurmctld, and a slurmd for each node.

It takes root, but neither systemd nor cgroups nor a folder outside its own. Everything that it starts, jobs included, is a
descendant of this process, and is gone with stop().
"""

import ctypes
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
CUPEL = os.path.abspath(sys.argv[1])
NOT_RUN = 77
NODES = ("n1", "n2", "n3", "n4")
NEEDED = ("munged", "slurmctld", "slurmd", "sbatch")  # of the packages munge and slurm-wlm
PR_SET_CHILD_SUBREAPER = 36

CONFIGURATION = """
ClusterName=cupel
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthInfo=socket={folder}/munge.socket
SlurmctldPort={ports[0]}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool-%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=bf_interval=1,sched_interval=1,batch_sched_delay=0
JobAcctGatherType=jobacct_gather/none
MailProg=/bin/true
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
ReturnToService=2
SlurmdTimeout=5
MessageTimeout=3
BatchStartTimeout=2
KillWait=5
{nodes}
PartitionName=fleet Nodes=ALL Default=YES PriorityTier=1 MaxTime=60
PartitionName=urgent Nodes=ALL PriorityTier=10 PreemptMode=OFF MaxTime=60
"""


def why_not():
    """Why there can be no cluster here; empty where there can."""
    os.environ["PATH"] += ":/usr/sbin:/sbin"
    missing = [program for program in NEEDED if not shutil.which(program)]
    if missing:
        return f"no {', '.join(missing)}: apt-get install slurm-wlm munge"
    return "" if os.geteuid() == 0 else "Slurm's daemons want root here"


def go_on_alone():
    """Starts this program again in namespaces of its own, where that is allowed: with its end, however that comes, every process that it
    started is gone, and what it mounted."""
    unshare = ["unshare", "--mount", "--pid", "--fork", "--mount-proc", "--kill-child=SIGTERM"]
    if "CUPEL_ALONE" in os.environ or subprocess.run([*unshare, "true"], stderr=subprocess.DEVNULL, check=False).returncode != 0:
        return
    os.environ["CUPEL_ALONE"] = "1"
    os.execvp("unshare", [*unshare, sys.executable, *sys.argv])


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


class Process:
    """One of /proc."""

    def __init__(self, pid):
        self.pid = pid
        folder = pathlib.Path(f"/proc/{pid}")
        name, rest = (folder / "stat").read_text().split("(", 1)[1].rsplit(")", 1)
        self.name, self.state, self.parent = name, rest.split()[0], int(rest.split()[1])

    def node(self):
        """Where a job runs it; none of what is no job."""
        try:
            environment = pathlib.Path(f"/proc/{self.pid}/environ").read_bytes().split(b"\0")
        except OSError:
            return ""
        return next((one[16:].decode() for one in environment if one.startswith(b"SLURMD_NODENAME=")), "")

    def kill(self, number=signal.SIGKILL):
        try:
            os.kill(self.pid, number)
        except ProcessLookupError:
            pass


def descendants():
    """Of this process, by process id; those that have ended are reaped."""
    everything = {}
    for entry in pathlib.Path("/proc").iterdir():
        try:
            if entry.name.isdigit():
                everything[int(entry.name)] = Process(int(entry.name))
        except (OSError, IndexError):
            continue  # it has ended
    found, parents = {}, {os.getpid()}
    while parents:
        parents = {pid for pid, process in everything.items() if process.parent in parents and pid not in found}
        found.update((pid, everything[pid]) for pid in parents)
    for pid, process in list(found.items()):
        if process.state == "Z":
            del found[pid]
            if process.parent == os.getpid():
                os.waitpid(pid, os.WNOHANG)
    return found


class Cluster:
    def __init__(self, folder):
        """folder: absolute, short (a socket lies in it), and for this cluster alone."""
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)  # what makes itself a daemon stays our descendant
        self.folder = pathlib.Path(folder)
        host, ports = socket.gethostname().split(".")[0], free_ports(1 + len(NODES))
        nodes = "\n".join(f"NodeName={node} NodeHostname={host} NodeAddr=127.0.0.1 Port={port} CPUs={os.cpu_count()} RealMemory=1000"
                          for node, port in zip(NODES, ports[1:]))
        (self.folder / "state").mkdir(parents=True)
        (self.folder / "tmp").mkdir()
        (self.folder / "slurm.conf").write_text(CONFIGURATION.format(host=host, folder=folder, ports=ports, nodes=nodes))
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("SLURM", "SBATCH"))}
        self.environment = {**kept, "SLURM_CONF": f"{folder}/slurm.conf", "TMPDIR": f"{folder}/tmp"}

    def start(self):
        key = self.folder / "munge.key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o600)
        self.folder.chmod(0o755)
        self.call("munged", "--force", f"--key-file={key}", f"--socket={self.folder}/munge.socket", f"--pid-file={self.folder}/munged.pid",
                  f"--log-file={self.folder}/munged.log", f"--seed-file={self.folder}/munge.seed")
        self.call("slurmctld", "-c")
        for node in NODES:
            self.start_node(node)
        self.wait_until(lambda: self.states() == {node: "idle" for node in NODES}, 30, "the nodes are idle")

    def stop(self):
        until = time.monotonic() + 10
        while (left := descendants()) and time.monotonic() < until:
            for process in left.values():
                process.kill()
            time.sleep(0.05)
        if left:
            raise RuntimeError(f"left behind: {[process.name for process in left.values()]}")

    def call(self, *command, check=True, **more):
        """What it prints; more: into its environment."""
        done = subprocess.run([str(word) for word in command], env={**self.environment, **more}, cwd=self.folder, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, timeout=60)
        if check and done.returncode != 0:
            raise RuntimeError(f"{command}: {done.returncode}: {done.stdout}")
        return done.stdout

    def wait_until(self, condition, seconds, what):
        until = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > until:
                raise TimeoutError(f"not within {seconds} s: {what}\n{self.call('squeue')}{self.call('sinfo', '-N')}")
            time.sleep(0.2)

    def states(self):
        lines = self.call("sinfo", "-h", "-N", "-p", "fleet", "-o", "%N %t").splitlines()
        return dict(line.split() for line in lines)

    def jobs(self):
        """(id that scontrol takes, node asked for, state, reason) of each job that has not ended."""
        lines = self.call("squeue", "-h", "-r", "-o", "%i|%n|%T|%r").splitlines()
        return [tuple(line.split("|")) for line in lines]

    def start_node(self, node):
        self.call("slurmd", "-N", node)

    def kill_slurmd(self, node):
        """The node's daemon alone: what it runs goes on."""
        os.kill(int((self.folder / f"{node}.pid").read_text()), signal.SIGKILL)

    def kill_node(self, node):
        """As a power cut: the daemon, then who watches over its jobs, then these."""
        self.kill_slurmd(node)
        processes = descendants()
        of_jobs = [process for process in processes.values() if process.node() == node]
        for process in of_jobs:
            above = processes.get(process.parent)
            if above and above.name == "slurmstepd":
                above.kill()
        for process in of_jobs:
            process.kill()

    def running(self, node, name):
        """The processes of this name in jobs of the node."""
        return [process for process in descendants().values() if process.name == name and process.node() == node]


def print_ends(logs):
    for log in sorted(logs):
        print(f"---- {log.name}\n" + "".join(log.read_text(errors="replace").splitlines(True)[-15:]), flush=True)


def on_a_cluster(test, why_not_here=""):
    """The exit code of test(cluster, folder), or 77 and the reason where there can be no cluster."""
    if reason := why_not() or why_not_here:
        print(f"not run: {reason}")
        return NOT_RUN
    go_on_alone()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="cupel-slurm-"))
    cluster = Cluster(folder / "slurm")
    try:
        cluster.start()
        return test(cluster, folder)
    except Exception:
        print_ends(cluster.folder.glob("*.log"))
        raise
    finally:
        cluster.stop()
        shutil.rmtree(folder)
