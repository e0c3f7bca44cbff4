"""What the family pytorch trains, by Debian's own PyTorch on the CPU: the stand-in for CUDA is the CPU, not a mock.

trains_test.py CUPEL FAMILY Nets|Models|Ranks: its own nets, the reader's models, or the processes of pytorch/ddp, so that several CPUs share them.
"""

import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import unittest

from program import MORE, ROOT, ProgramTest, load_script, main

PYTHON = "/usr/bin/python3"  # Debian's packages are seen by this one alone
EXAMPLE = ROOT / "bench" / "pytorch" / "example.py"
FAMILY = ROOT / "bench" / "pytorch"
# On a CPU a net is as small at each batch size, and autocast has bf16 alone: the other rows of its steps train the same again.
ONCE = r"pytorch/step/net:\w+/batch:(8|64|128)/"

USERS = """
import torch

def make(rate=1e-3, tokens=False):
    model = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.ReLU(), torch.nn.Linear(8, 4))
    return model, torch.optim.SGD(model.parameters(), rate), torch.nn.functional.cross_entropy, (torch.randn(16, 8), torch.arange(16) % 4)

def raises():
    raise RuntimeError("no weights there")

def diverges():
    return make(rate=1e30)

def unlike(**changes):
    model, optimizer, loss, batch = make()
    return {"model": model, "optimizer": optimizer, "loss": loss, "batch": batch, **changes}

def too_large():
    class Large(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.linear = torch.nn.Linear(8, 4)
        def forward(self, x):
            y = self.linear(x)
            return y if y.dtype == torch.float32 else y.new_empty(2**60)
    return (model := Large()), torch.optim.SGD(model.parameters(), 1e-3), torch.nn.functional.cross_entropy, make()[-1]

def loop():
    return lambda: None

def too_few():
    return make()[:3]

def other_names():
    return {"optim": None, **{key: value for key, value in unlike().items() if key != "optimizer"}}

def no_model():
    return unlike(model="a model")

def no_optimizer():
    return unlike(optimizer=torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], 1e-3))

def no_loss():
    return unlike(loss=1.0)

def no_batch():
    return unlike(batch=torch.randn(16, 8))

def empty_loader():
    return unlike(batch=torch.utils.data.DataLoader([]))

def loader():
    x, y = make()[-1]
    return unlike(batch=torch.utils.data.DataLoader(torch.utils.data.TensorDataset(x, y), batch_size=4, num_workers=1))

def dies():
    import os, sys
    print("secret weights", file=sys.stderr, flush=True)
    os._exit(7)

def iterator():
    return unlike(batch=iter([make()[-1]]))

def rises():
    model, optimizer, loss, batch = make()
    return model, optimizer, lambda output, target: -1e-3 * loss(output, target) ** 0, batch

def no_autocast():
    class Halves(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.linear = torch.nn.Linear(8, 4)
        def forward(self, x):
            y = self.linear(x)
            if y.dtype != torch.float32:
                raise TypeError("wants fp32")
            return y
    model = Halves()
    return model, torch.optim.SGD(model.parameters(), 1e-3), torch.nn.functional.cross_entropy, (torch.randn(16, 8), torch.arange(16) % 4)

def by_name():
    class Outputs(dict):
        loss = property(lambda self: self["loss"])
    class Named(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.linear = torch.nn.Linear(8, 4)
        def forward(self, x, labels):
            return Outputs(loss=torch.nn.functional.cross_entropy(self.linear(x), labels))
    model = Named()
    return {"model": model, "optimizer": torch.optim.Adam(model.parameters(), 1e-3), "loss": None,
            "batch": {"x": torch.randn(16, 8), "labels": torch.arange(16) % 4}}

def by_name_in_a_mapping():
    import collections
    made = by_name()
    return {**made, "batch": collections.UserDict(made["batch"])}
"""


# Imports PyTorch, which takes longer than most of what is asked for here, and answers each request by a process of its own, forked, which has
# the files that come with it for its standard input, output and errors.
FORKS = """
import json, os, runpy, socket, sys, torch
asked = socket.socket(fileno=0)
print("ready", flush=True)
while True:
    connection = asked.accept()[0]
    request, files, *_ = socket.recv_fds(connection, 1 << 20, 3)
    if child := os.fork():
        for file in files:
            os.close(file)
        connection.send(str(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])).encode())
        continue
    for number, file in enumerate(files):
        os.dup2(file, number)
    text, folder, sys.argv, environment = json.loads(request)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    exec(open(text).read()) if text else runpy.run_path(sys.argv[0], run_name="__main__")
    break
"""

# An interpreter for `cupel run`, whose program such a process runs, and which ends as that does.
CLIENT = """#!/usr/bin/python3 -SE
import json, os, socket, sys
forks = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
forks.connect({address!r})
socket.send_fds(forks, [json.dumps(["", os.getcwd(), sys.argv[1:], dict(os.environ)]).encode()], [0, 1, 2])
code = int(forks.recv(99))
os._exit(code) if code >= 0 else os.kill(os.getpid(), -code)
"""


class Forks:
    def __init__(self):
        self.folder = tempfile.TemporaryDirectory()
        self.address, self.client = (os.path.join(self.folder.name, name) for name in ("asked", "python"))
        with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as asked:
            asked.bind(self.address)
            asked.listen()
            self.process = subprocess.Popen([PYTHON, "-B", "-c", FORKS], stdin=asked, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                                            cwd=FAMILY)
        self.is_ready = self.process.stdout.readline() == "ready\n"
        with open(self.client, "w", opener=lambda *how: os.open(*how, 0o755)) as client:
            client.write(CLIENT.format(address=self.address))

    def run(self, text, out, err):
        """The code with which a file's text ended, in the family's folder."""
        with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as forks, open(os.devnull) as nothing, open(out, "w") as o, open(err, "w") as e:
            forks.connect(self.address)
            socket.send_fds(forks, [json.dumps([str(text), str(FAMILY), [""], dict(os.environ)]).encode()], [nothing.fileno(), o.fileno(), e.fileno()])
            return int(forks.recv(99))

    def close(self):
        self.process.kill()
        self.process.communicate()
        self.folder.cleanup()


class Trains(ProgramTest):
    def setUp(self):
        super().setUp()
        self.interpreter = forks.client
        (self.bench / "cupel_bench_pytorch").symlink_to(MORE[0])

    def environment(self, **more):
        return super().environment(CUPEL_PYTHON=self.interpreter, XDG_CACHE_HOME=str(self.folder / "cache"), **more)

    def run_on_cpu(self, *arguments, code=0):
        """name -> row of the only process."""
        self.ended = self.run_it("pytorch", "--device", "cpu", "--processes", "1", *arguments, code=code)
        return {name: row for (name, _), row in self.rows().items()}

    def run_model(self, function, code=0, profile="--quick"):
        rows = self.run_on_cpu("--model", f"{self.file('users.py', USERS)}:{function}", "--force", profile, code=code)
        return {name.partition("/model/")[2]: row for name, row in rows.items()}

    def keeps_nothing_of(self, *words):
        text = self.output.read_text()
        for word in words:
            with self.subTest("not kept", word=word):
                self.assertNotIn(word, text)

    def python(self, text):
        """Prints what it prints, in the family's own package."""
        out, err = self.folder / "out", self.folder / "err"
        self.assertEqual(forks.run(self.file("text", text), out, err), 0, err.read_text())
        return json.loads(out.read_text())


class Steps(Trains):
    def test_all_nets_train_as_plainly_in_every_rung_that_a_cpu_has(self):
        self.interpreter = PYTHON
        rows = self.run_on_cpu("--full", "--filter", f"{ONCE}|pytorch/(host|shapes)/")

        failed = {name: row["reason"] for name, row in rows.items() if row["status"] == "failed"}
        self.assertEqual(failed, {})
        for net in ("resnet18_224", "resnet18_32", "resnet50", "vit_b_16", "gpt_12"):
            for rung in ("nothing", "no_wait", "tf32", "amp"):
                [row] = [row for name, row in rows.items() if f"net:{net}/batch" in name and name.endswith(f"add:{rung}")]
                self.assertEqual((row["status"], row["series"]), ("ok", []), f"{net} {rung}")
                self.assertLess(row["counters"]["fifth_loss"]["value"], row["counters"]["first_loss"]["value"])
        for rung in ("nothing", "amp"):
            self.assertEqual(rows[f"pytorch/step/net:linear_3_1/batch:64/add:{rung}"]["status"], "ok", rung)
        for way in ("launch:eager", "launch:trace", "on:host", "on:device"):
            self.assertEqual(rows[f"pytorch/step/net:resnet18_32/batch:128/{way}"]["status"], "ok", way)
        reasons = {name: row["reason"] for name, row in rows.items() if row["status"] == "skipped"}
        self.assertEqual(reasons["pytorch/step/net:resnet18_32/batch:128/add:graph"], "a CPU has no CUDA graphs")

    def test_rows_at_another_batch_or_in_other_halves_train_on_a_cpu_what_those_that_are_run_train(self):
        all_rows, once = self.python(f"""
import json, re, torch
from cupel_pytorch import flags, record, session, step
trained = {{}}
def keep(run, make, recipe, expected, items):
    trained[run.row.benchmark.name] = repr((make.args[1:], recipe, items))
step.time_step, step.plain_losses = keep, lambda *_: None
options = flags.take_flags(["--cupel_device=cpu", "--cupel_profile=full"])
for benchmark in step.benchmarks(options):
    try:
        benchmark.body(session.Run(record.Row(benchmark, 0), options, torch))
    except session.Skip:
        pass
print(json.dumps([trained, [what for name, what in trained.items() if re.match({ONCE!r}, name)]]))
""")
        self.assertEqual(set(all_rows.values()), set(once))
        self.assertLess(len(once), len(all_rows))

    def test_one_seed_gives_the_same_losses_and_another_others(self):
        chosen = ("--filter", "step/net:resnet18_32/batch:128/add:(nothing|no_wait)")
        first = [{name: row["counters"] for name, row in self.run_on_cpu(*chosen, "--seed", seed, "--force").items()} for seed in (1, 1, 2)]
        self.assertEqual(first[0], first[1])
        self.assertNotEqual(first[0], first[2])

    def test_a_step_that_trains_otherwise_has_no_time(self):
        told = self.python("""
import json, torch
from cupel_pytorch import nets, recipe, training
from cupel_pytorch.session import CheckFailed
net = nets.small(nets.NETS["resnet18_32"])
make = lambda: training.net_parts(torch, net, 16, 1)
plain = training.plain_curve(torch, "cpu", make, 1)
class Lazy(training.Training):
    def _update(self):
        if self.steps != 2:
            super()._update()
told = {}
for name, kind in (("plain", training.Training), ("lazy", Lazy)):
    seen = kind(torch, "cpu", make(), recipe.Recipe(), 1).curve()
    try:
        training.require_curve(seen, plain, recipe.Recipe())
        told[name] = "passes"
    except CheckFailed as error:
        told[name] = str(error)
print(json.dumps(told))
""")
        self.assertEqual(told["plain"], "passes")
        self.assertIn("the losses are ", told["lazy"])

    def test_a_loop_around_a_loader_or_of_several_sizes_that_trains_otherwise_has_no_time(self):
        told = self.python("""
import json, torch, types
from cupel_pytorch import case_study, flags, nets, record, session, shapes, training
options = flags.take_flags(["--cupel_device=cpu", "--cupel_profile=full"])
net, batch = nets.here(True, case_study.NET, case_study.BATCH)
fed = types.SimpleNamespace(net=net, batch=batch, workers=0, batches=2, loader=[nets.batch_of(torch, net, batch, seed) for seed in (2, 3)])
case_study.Fed = lambda *_: fed
def without(update):
    class Lazy(training.Training):
        def _update(self):
            if self.steps != update:
                super()._update()
    return Lazy
told = {}
for kind in (training.Training, without(1), without(2)):
    for topic in (case_study, shapes):
        topic.Training = kind
        for benchmark in topic.benchmarks(options):
            if benchmark.name.endswith(("add:defaults", "add:tuned", "sizes:varying/allocator:default", "sizes:fixed/allocator:default")):
                run = session.Run(record.Row(benchmark, 0), options, torch)
                try:
                    benchmark.body(run)
                    how = "ok"
                except session.CheckFailed as error:
                    how = str(error).split(" are ")[0]
                told.setdefault(how, []).append("/".join(benchmark.name.split("/")[-2:]))
print(json.dumps(told))
""")
        rows = ["batch:128/add:defaults", "batch:128/add:tuned", "sizes:varying/allocator:default", "sizes:fixed/allocator:default"]
        self.assertEqual(told, {"ok": rows, "the losses": rows * 2})

    def test_a_step_after_preallocation_is_held_from_its_largest_batch_on(self):
        told = self.python("""
import json, torch
from cupel_pytorch import flags, record, session, shapes
sizes = []
shapes.plain_losses = lambda torch, device, net, batch, seed, of: sizes.append(of) or [2.0] * len(of)
class Fake:
    def __init__(self, *_):
        pass
    def curve(self, of):
        sizes.append(of)
        return [2.0] * len(of)
    def step_of(self, size):
        pass
shapes.Training = Fake
options = flags.take_flags(["--cupel_device=cpu"])
shapes._train(session.Run(record.Row(shapes.benchmarks(options)[0], 0), options, torch), "fixed", "preallocated")
print(json.dumps(sizes))
""")
        self.assertEqual(told, [[16, 12, 12, 12, 12], [16] + [12] * 8])

    def test_what_cannot_run_here_is_skipped_and_all_else_fails(self):
        told = self.python("""
import json, torch
from cupel_pytorch.session import NO_ROOM, CheckFailed, Skip, judged
errors = (Skip("no GPU"), CheckFailed("another loss"), NotImplementedError("not on this device"), RuntimeError("CUDA out of memory. Tried"),
          RuntimeError("DefaultCPUAllocator: can't allocate memory"), RuntimeError("cuDNN error: not initialized"), ValueError("no"))
print(json.dumps([[status, reason == NO_ROOM] for status, reason in map(judged, errors)]))
""")
        self.assertEqual(told, [["skipped", False], ["failed", False], ["skipped", False], ["skipped", True], ["skipped", True], ["failed", False],
                                ["failed", False]])

    def test_a_row_whose_processes_an_interrupt_ended_did_not_fail(self):
        told = self.python("""
import json
from cupel_pytorch import flags, registry, session
told = []
for is_interrupted in (True, False):
    one = session.Session(flags.take_flags(["--cupel_device=cpu"]), 0.0)
    one._finish = lambda run, status, reason: told.append(status)
    def body(run):
        if is_interrupted:
            one._end()
        raise RuntimeError("a rank ended")
    told.append(one.run([registry.Benchmark("pytorch/ddp/gpus:2", body)], None, "", [], None))
print(json.dumps(told))
""")
        self.assertEqual(told, [130, "failed", 0])

    def test_nets_have_the_parameters_of_those_they_are_named_for(self):
        counts = self.python("""
import json, torch
from cupel_pytorch import nets
print(json.dumps({name: sum(p.numel() for p in nets.first_model(torch, net, 1).parameters()) for name, net in nets.NETS.items()}))
""")
        self.assertEqual(counts, {"resnet18_224": 11689512, "resnet18_32": 11173962, "resnet50": 25557032, "vit_b_16": 86567656,
                                  "gpt_12": 124475904, "linear_3_1": 4})

    def test_a_drop_leaves_out_its_piece_and_what_needs_it(self):
        told = self.python("""
import dataclasses, json
from cupel_pytorch.recipe import PIECES, recipe_of
print(json.dumps({f"{how} {change}": dataclasses.asdict(recipe_of(how, change, PIECES, "bf16", lacks))
    for how, change, lacks in (("add", "copies_ahead", {}), ("drop", "pinned_copies", {}), ("add", "tf32", {}), ("add", "graph", {"amp": ""}))}))
""")
        self.assertEqual((told["add copies_ahead"]["loading"], told["add copies_ahead"]["launch"]), ("ahead", "graph"))
        self.assertEqual((told["drop pinned_copies"]["loading"], told["drop pinned_copies"]["launch"]), ("pageable", "graph"))
        self.assertEqual((told["add tf32"]["matmul"], told["add tf32"]["amp"]), ("high", ""))
        self.assertEqual((told["add graph"]["launch"], told["add graph"]["amp"]), ("graph", ""))


class Batches(Trains):
    # CUDA as far as a step's batches go. A stream that sleeps adds no sooner than it is waited for, and a graph does at its replay what it captured.
    ON_CPU = """
import contextlib, functools, json, sys, torch, types
from cupel_pytorch import nets, recipe, session
class Stream:
    def __init__(self):
        self.late, self.sleeps = [], False
    def wait_stream(self, other):
        while other.late:
            other.late.pop(0)()
class Graph:
    def __init__(self):
        self.work = []
    def replay(self):
        for one in self.work:
            one()
@contextlib.contextmanager
def within(stack, one):
    stack.append(one)
    yield
    stack.pop()
    one.sleeps = False
streams, captures, made = [Stream()], [], []
torch.Tensor.pin_memory, torch.Tensor.record_stream = lambda tensor: tensor, lambda *_: None
for name, stand_in in {"stream": lambda one: within(streams, one), "current_stream": lambda: streams[-1], "CUDAGraph": Graph,
                       "graph": lambda one: within(captures, one), "synchronize": lambda: [streams[0].wait_stream(one) for one in made],
                       "set_sync_debug_mode": lambda _: None, "_sleep": lambda _: setattr(streams[-1], "sleeps", True)}.items():
    setattr(torch.cuda, name, stand_in)
at_once = torch.add
def add(*what, **how):
    doing = functools.partial(at_once, *what, **how)
    return streams[-1].late.append(doing) if streams[-1].sleeps else doing()
torch.add = add
def on_cpu(training):
    class OnCpu(training.Training):
        def __init__(self, *how):
            super().__init__(*how)
            made.append(Stream())
            self.side = made[-1]
        def gradients(self, batch):
            if not captures:
                return super().gradients(batch)
            loss, eager = torch.zeros(()), super().gradients
            captures[-1].work.append(lambda: loss.copy_(eager(batch)))
            return loss
        def _update(self):
            captures[-1].work.append(super()._update) if captures else super()._update()
    return OnCpu
def passes(text, how):
    training = sys.modules["cupel_pytorch.training"] = types.ModuleType("cupel_pytorch.training")
    training.__package__ = "cupel_pytorch"
    exec(text, vars(training))
    make = lambda: training.net_parts(torch, nets.small(nets.NETS["resnet18_32"]), 16, 1)
    try:
        training.require_curve(on_cpu(training)(torch, "cpu", make(), how, 1).curve(), training.plain_curve(torch, "cpu", make, 1), how)
        return True
    except session.CheckFailed:
        return False
"""
    RUNGS = {"nothing": ({},), "pinned_copies": ({"loading": "pinned"},), "graph": ({"loading": "pinned", "launch": "graph"},),
             "copies_ahead": ({"loading": "ahead"}, {"loading": "ahead", "launch": "graph"})}

    def test_that_are_not_loaded_late_or_not_waited_for_have_no_time(self):
        plant = load_script("plant-wrong-programs")
        mistakes = [mistake for mistake in plant.MISTAKES if mistake.family == "pytorch"]
        self.assertEqual({mistake.benchmark.partition("add:")[2] for mistake in mistakes}, set(self.RUNGS))
        right = (FAMILY / "cupel_pytorch" / "training.py").read_text()
        asked = [(name, right, how) for name, hows in self.RUNGS.items() for how in hows]
        asked += [(mistake.name, plant.planted(mistake), how) for mistake in mistakes for how in self.RUNGS[mistake.benchmark.partition("add:")[2]]]

        told = self.python(self.ON_CPU + f"""
print(json.dumps([passes(text, recipe.Recipe(**how)) for _, text, how in {asked!r}]))
""")

        for (name, text, how), passes in zip(asked, told):
            with self.subTest(name, how=how):
                self.assertEqual(passes, text == right)

    def test_of_a_readers_loader_are_its_first_two_if_they_are_alike(self):
        told = self.python("""
import json, torch
from cupel_pytorch import model
net = torch.nn.Linear(8, 4)
def taken(batch):
    parts = model.parts_of(torch, (net, torch.optim.SGD(net.parameters(), 1e-3), None, batch))
    return [len(one[0]) for one in parts.batches], parts.loader is not None
one, other, short = ((torch.ones(n, 8), torch.ones(n)) for n in (4, 4, 3))
loaders = [[one], [one, other, one], [one, short], [one, (other[0].half(), other[1])], [one, None]]
print(json.dumps([taken(batch) for batch in (one, *map(iter, loaders))]))
""")
        self.assertEqual(told, [[[4], False], [[4], True], [[4, 4], True], *[[[4], True]] * 3])


class InFp16(Trains):
    def test_counts_the_gradients_that_vanish_or_overflow_of_those_that_are_there_in_fp32(self):
        told = self.python("""
import json, torch, types
from cupel_pytorch import flags, record, session, step
scales = []
class Fake:
    def __init__(self, torch, device, parts, recipe, seed):
        grads = [2e-9, 0.0, 1.0, -1e9] if recipe == step.PLAIN else [0.0, 0.0, 1.0, float("-inf")]
        self.model = types.SimpleNamespace(parameters=lambda: [types.SimpleNamespace(grad=torch.tensor(grads[:1])), types.SimpleNamespace(grad=torch.tensor(grads[1:]))])
        scales.append([recipe.amp, recipe.scale])
    batch = gradients = lambda *_: None
    step = None
step.Training, step.net_parts = Fake, lambda *_: None
options = flags.take_flags(["--cupel_profile=full"])
rows = [b for b in step.benchmarks(options) if "/gradients/" in b.name]
run = session.Run(record.Row(rows[0], 0), options, torch)
run.sample = lambda *_: None
rows[0].body(run)
print(json.dumps([[b.name.split(":")[-1] for b in rows], scales, [run.row.cupel["counters"][which]["value"] for which in ("vanished", "overflown")]]))
""")
        self.assertEqual(told[:2], [["unscaled", "times_1024", "times_65536"], [["", 1024.0], ["fp16", 1.0]]])
        for share in told[2]:
            self.assertAlmostEqual(share, 1 / 3, 6)


class Host(Trains):
    def test_holds_what_a_graph_reads_as_long_as_it_is_replayed(self):
        told = self.python("""
import contextlib, gc, json, torch, weakref
from cupel_pytorch import host
class Graph:
    def replay(self):
        pass
torch.cuda.CUDAGraph, torch.cuda.graph = Graph, lambda graph: contextlib.nullcontext()
read, real = [], host._operation
def watched(torch, op, device):
    operation, x = real(torch, op, device)
    def reads(x):
        if not read:
            weight = next(cell.cell_contents for cell in operation.__closure__ if hasattr(cell.cell_contents, "data_ptr"))
            read.extend(map(weakref.ref, (x, weight)))
        return operation(x)
    return reads, x
host._operation = watched
replay = host._timed(torch, "add", "graph", "cpu")
gc.collect()
replay()
print(json.dumps([tensor() is not None for tensor in read]))
""")
        self.assertEqual(told, [True, True])

    def test_leaves_what_an_eager_operation_takes_for_the_family_step(self):
        self.python(f"""
import json, os, torch
os.environ["XDG_CACHE_HOME"] = {str(self.folder)!r}
from cupel_pytorch import flags, host, record, session
options = flags.take_flags(["--cupel_rounds=1", "--cupel_max_samples=6"])
for benchmark in host.benchmarks(options):
    if benchmark.name in ("pytorch/host/op:add/mode:eager", "pytorch/host/op:norm/mode:eager"):
        run = session.Run(record.Row(benchmark, 0), options, torch)
        run.on_cpu, run.device = True, "cpu"
        benchmark.body(run)
print(json.dumps(""))
""")
        left = {file.name: file.read_text() for file in (self.folder / "cupel" / "pytorch-host").iterdir()}
        self.assertEqual(set(left), {"add", "norm"})
        for text in left.values():
            seconds, origin = text.split(" ", 1)
            self.assertTrue(1e-7 < float(seconds) < 1e-2, text)
            self.assertRegex(origin, r"^PyTorch 1\.13.*, measured here\n$")


class OnTheHost(Trains):
    def test_a_step_of_a_host_with_a_gpu_is_the_cpus_and_counts_no_memory_of_a_device(self):
        told = self.python("""
import json, torch
from cupel_pytorch import flags, nets, record, session, step
nets.NETS["resnet18_32"] = nets.small(nets.NETS["resnet18_32"])
options = flags.take_flags(["--cupel_profile=full", "--cupel_rounds=1", "--cupel_max_wall=0.01", "--cupel_min_samples=2"])
row, = [b for b in step.benchmarks(options) if b.name.endswith("on:host")]
run = session.Run(record.Row(row, 0), options, torch)
run.synchronize, run.has_room = lambda: None, lambda: True
row.body(run)
print(json.dumps([row.advice[0].to_json(), len(run.row.cupel["series"]), sorted(run.row.cupel["counters"])]))
""")
        self.assertEqual(told, [{"id": "use-the-gpu", "role": "before", "scenario": "pytorch/net:resnet18_32/batch:128"}, 1,
                                ["cpu_time", "fifth_loss", "first_loss", "host_busy"]])


class Compiled(Trains):
    def test_steps_are_compiled_for_their_own_size_alone(self):
        told = self.python("""
import json, torch, types
from cupel_pytorch import nets, recipe, training
told = []
torch.compile = lambda model, **options: told.append(options) or model
torch._dynamo = types.SimpleNamespace(config=types.SimpleNamespace(cache_size_limit=8))
for compiler in ("", "default", "reduce-overhead"):
    how = recipe.Recipe(compiler=compiler)
    training.Training(torch, "cpu", training.net_parts(torch, nets.small(nets.NETS["resnet18_32"]), 1, 1), how, 1).step()
print(json.dumps([told, torch._dynamo.config.cache_size_limit > 8]))
""")
        self.assertEqual(told, [[{"mode": "default", "dynamic": False}, {"mode": "reduce-overhead", "dynamic": False}], True])

    def test_pieces_are_in_all_rungs_behind_them_but_for_graphs_of_their_own(self):
        told = self.python("""
import json
from cupel_pytorch.recipe import PIECES, recipe_of
rungs = [("add", "autotune"), ("add", "torch_compile"), ("add", "reduce_overhead"), ("add", "graph"), ("drop", "torch_compile"), ("drop", "graph")]
recipes = [recipe_of(how, change, PIECES, "bf16", {}) for how, change in rungs]
print(json.dumps([[recipe.compiler, recipe.launch] for recipe in recipes]))
""")
        self.assertEqual(told, [["", "eager"], ["default", "eager"], ["reduce-overhead", "eager"], ["default", "graph"], ["", "graph"],
                                ["default", "eager"]])

    def test_models_of_the_readers_are_compiled_in_a_waterfall_of_their_own(self):
        rows = self.run_model("make", profile="--full")
        plain, compiled = ([rows[name] for name in rows if ("compiler" in name) == which] for which in (False, True))
        self.assertEqual({row["status"] for row in plain + compiled}, {"ok", "skipped"})
        self.assertEqual(rows["compiler:inductor/add:torch_compile"]["reason"], "this PyTorch has no torch.compile")
        self.assertIn("autotune, torch_compile, reduce_overhead, ", rows["compiler:inductor/drop:amp"]["note"])
        self.assertNotIn("torch_compile", rows["drop:amp"]["note"])

    def test_operations_are_compiled_once_for_all_rounds_and_kept_no_longer(self):
        told = self.python("""
import json, torch
from cupel_pytorch import flags, host, session
told = []
torch.compile = lambda operation: told.append("compiled") or operation
options = flags.take_flags(["--cupel_device=cpu"])
options.rounds = 3
one = session.Session(options, 0.0)
finish, one._finish = one._finish, lambda run, *how: (told.append([run.round, list(run.kept)]), finish(run, *how))
one.run([b for b in host.benchmarks(options) if b.name.endswith("op:add/mode:compiled")], torch, "", [], None)
print(json.dumps(told))
""")
        self.assertEqual(told, ["compiled", [2, []]])

    def test_rows_are_not_given_up_for_what_their_first_round_took_once(self):
        told = self.python("""
import json, time
from cupel_pytorch import flags, record, registry, session
told = []
for start_s in (0, 90):
    one = session.Session(flags.take_flags(["--cupel_budget=10"]), time.perf_counter())
    run = session.Run(record.Row(registry.Benchmark("a", None, start_s=start_s), 0), one.options, None)
    run.row.cupel["wall_s"] = 91.0
    told.append(one._must_end(run))
print(json.dumps(told))
""")
        self.assertEqual(told, [True, False])


class Allocators(Trains):
    CHILD = """
import json, os, re, sys
asked = next(a for a in sys.argv if a.startswith("--benchmark_filter")).partition("=")[2]
print("started", file=open(os.environ["CALLS"], "a"))
if "--cupel_journal=/dev/stdout" not in sys.argv or os.environ["PYTORCH_ALLOC_CONF"] != "backend:" + os.environ["CUPEL_PYTORCH_ALLOCATOR"]:
    sys.exit("no such setting")
for allocator in ("default", os.environ["CUPEL_PYTORCH_ALLOCATOR"]):
    for name in (f"pytorch/shapes/sizes:{sizes}/allocator:{allocator}" for sizes in ("varying", "fixed", "padded")):
        if re.search(asked, name):
            print(json.dumps({"row": {"name": name, "cupel": {"status": "ok", "series": [name], "workload": {}, "counters": {}, "timed_s": 1.0}}}))
"""

    # A device whose cache has a segment of other rows and one of a graph. The row makes one by steps while segments may grow, else two.
    FAKE = """
import json, types
from cupel_pytorch import flags, record, session, shapes
state = {"settings": [], "segments": [], "done": []}
def segment(address, *sizes, pool=(0, 0)):
    return {"address": address, "segment_pool_id": pool, "blocks": [{"size": size, "state": "inactive"} for size in sizes]}
def step():
    grows = state["settings"][-1:] == ["expandable_segments:True"]
    state["segments"] = [segment(3, 30, 10)] if grows else [segment(3, 20), segment(4, 20)]
cuda = types.SimpleNamespace(memory_reserved=lambda: 100, max_memory_reserved=lambda: 150, reset_peak_memory_stats=lambda: None,
                             memory_snapshot=lambda: [segment(1, 900), segment(2, 800, pool=(0, 7)), *state["segments"]],
                             memory=types.SimpleNamespace(_set_allocator_settings=state["settings"].append))
shapes.net_parts = lambda *_: None
shapes.release = lambda _, workspaces=False: state["done"].append(workspaces)
shapes.plain_losses = lambda *_: [1.0]
def trained_by(step):
    return lambda *_: types.SimpleNamespace(step_of=lambda _: step(), curve=lambda sizes: step() or [1.0])
shapes.Training = trained_by(step)
def measured(benchmark, number=0):
    state["segments"] = []
    run = session.Run(record.Row(benchmark, 0), flags.take_flags([]), types.SimpleNamespace(cuda=cuda))
    run.round, run.sample = number, lambda *_: None
    benchmark.body(run)
    return {name: counter["value"] for name, counter in run.row.cupel["counters"].items()}
chosen = {benchmark.name.partition("/shapes/")[2]: benchmark for benchmark in shapes.benchmarks(flags.Options())}
"""

    def measured(self, allocator, setting):
        child, calls = self.file("child.py", self.CHILD), self.folder / "calls"
        told = self.python(f"""
import json, os, sys
sys.argv = [{str(child)!r}, "--cupel_only=before"]
os.environ["CALLS"] = {str(calls)!r}
from cupel_pytorch import flags, record, session, shapes
shapes.BACKENDS[{allocator!r}] = {setting!r}
told = []
for benchmark in shapes.benchmarks(flags.Options()):
    if benchmark.name.endswith({allocator!r}):
        options = flags.take_flags(["--cupel_profile=full"])
        run = session.Run(record.Row(benchmark, 0), options, None)
        try:
            benchmark.body(run)
            told.append(run.row.cupel["series"] == [benchmark.name])
        except RuntimeError as error:
            told.append(str(error))
print(json.dumps(told))
""")
        return told, len(calls.read_text().splitlines())

    def test_another_backend_has_a_process_which_measures_all_sizes(self):
        self.assertEqual(self.measured("cudaMallocAsync", "backend:cudaMallocAsync"), ([True] * 3, 1))

    def test_whose_process_ends_say_how(self):
        told, _ = self.measured("cudaMallocAsync", "backend:another")
        self.assertEqual(set(told), {"its process ended: no such setting"})

    def test_tell_of_the_segments_that_the_row_made_and_change_nothing_for_others(self):
        told = self.python(self.FAKE + """
told = [measured(chosen[f"sizes:varying/allocator:{allocator}"]) for allocator in ("default", "expandable_segments")]
print(json.dumps(told + [measured(chosen["sizes:fixed/allocator:default"]), state["settings"]]))
""")
        self.assertEqual(told[:2], [{"memory": 50, "usable_share": 0.5}, {"memory": 50, "usable_share": 0.75}])
        self.assertEqual(told[2:], [{"memory": 50}, ["expandable_segments:True", "expandable_segments:False"]])

    def test_count_memory_before_any_row_keeps_some(self):
        told = self.python(self.FAKE + """
of_shapes = [f"sizes:{sizes}/allocator:default" for sizes in ("varying", "fixed")]
of_others = [record.Benchmark(name, None) for name in "abcdefgh"]
options = flags.take_flags([])
runs = [session.Run(record.Row(b, 0), options, None) for b in [*of_others, *(chosen[name] for name in of_shapes)]]
orders = [[run.row.benchmark.name.partition("/shapes/")[2] for run in session.Session(options, 0.0)._order(runs, number)[:2]] for number in range(4)]
print(json.dumps([orders[0] == of_shapes, orders[1:] != [orders[0]] * 3, measured(chosen[of_shapes[0]], 1)]))
""")
        self.assertEqual(told, [True, True, {}])

    def test_have_the_workspaces_released_in_whose_segments_they_would_have_room(self):
        told = self.python(self.FAKE + """
from cupel_pytorch import training
done = []
torch = types.SimpleNamespace(cuda=types.SimpleNamespace(empty_cache=lambda: done.append("cache")),
                              _C=types.SimpleNamespace(_cuda_clearCublasWorkspaces=lambda: done.append("workspaces")))
for number in range(2):
    measured(chosen["sizes:fixed/allocator:default"], number)
    training.release(torch, state["done"][-1])
print(json.dumps(done))
""")
        self.assertEqual(told, ["workspaces", "cache", "cache"])

    def test_are_as_before_after_a_row_that_fails_and_skipped_where_pytorch_cannot_change_them(self):
        told = self.python(self.FAKE + """
def fails():
    raise RuntimeError("no")
shapes.Training, told = trained_by(fails), []
for _ in range(2):
    try:
        measured(chosen["sizes:varying/allocator:expandable_segments"])
    except (RuntimeError, session.Skip) as error:
        told.append(f"{type(error).__name__}: {error}")
    cuda.memory = None
print(json.dumps([told, state["settings"]]))
""")
        self.assertEqual(told, [["RuntimeError: no", "Skip: this PyTorch cannot change its allocator while it runs"],
                                ["expandable_segments:True", "expandable_segments:False"]])

    def test_that_tell_of_fragmentation_are_of_the_standard_profile(self):
        told = self.python("""
import json
from cupel_pytorch import flags, shapes
print(json.dumps([[b.name, [[tag.id, tag.role] for tag in b.advice]] for b in shapes.benchmarks(flags.Options()) if b.profile == "standard"]))
""")
        name = "pytorch/shapes/sizes:{}/allocator:{}".format
        self.assertEqual(told, [[name("varying", "default"), [["fixed-batch", "before"], ["fragmentation", "before"]]],
                                [name("fixed", "default"), [["fixed-batch", "after"]]],
                                [name("varying", "expandable_segments"), [["fragmentation", "after"]]]])


class Ranks(Trains):
    # A rank of the family's own, but for what MISHAP does ahead of a step, which leaves its number of a process.
    RANK = """
import os, signal, sys, time
from cupel_pytorch import ddp
def rank_main(rank, *arguments):
    class Mishap(ddp.Training):
        def step(self):
            {mishap}
            super().step()
    ddp.Training = Mishap
    print(os.getpid(), file=open({begun!r}, "a"))
    ddp.rank_main(rank, *arguments)
"""

    # Three rounds of the row of DDP, and the last one's status and reason.
    ROUNDS = """
import json, sys, torch
sys.path.insert(0, {folder!r})
import mishap
from cupel_pytorch import ddp, flags, session
ddp.rank_main = mishap.rank_main
options = flags.take_flags(["--cupel_device=cpu"])
options.rounds = 3
one, told = session.Session(options, 0.0), []
def finish(run, status, reason):
    run.is_done = True
    told.extend([run.round, status, reason, list(run.kept)])
one._finish = finish
one.run([b for b in ddp.benchmarks(options) if b.name.endswith("way:ddp")], torch, "", [], None)
print(json.dumps([told, [int(pid) for pid in open({begun!r}) if ddp.pathlib.Path("/proc", pid.strip()).exists()]]))
"""

    def rounds(self, mishap="pass"):
        """How the row ended, how many ranks began, and the processes of those that did not end with it."""
        begun = self.folder / "begun"
        begun.write_text("")
        self.file("mishap.py", self.RANK.format(mishap=mishap, begun=str(begun)))
        row, left = self.python(self.ROUNDS.format(folder=str(self.folder), begun=str(begun)))
        return row, len(begun.read_text().split()), left

    def test_of_a_cpu_train_as_ddp_trains(self):
        self.interpreter = PYTHON
        rows, why = self.run_on_cpu("--full", "--filter", "pytorch/ddp"), ("skipped", "wants two GPUs, PyTorch sees 0")
        self.assertEqual({name.split(":")[-1]: (row["status"], row.get("reason")) for name, row in rows.items()},
                         {"single": ("ok", None), "ddp": ("ok", None), "fsdp": why, "data_parallel": why})

    def test_are_started_once_for_all_rounds_and_end_behind_the_last(self):
        self.assertEqual(self.rounds(), ([2, "ok", "", []], 2, []))

    def test_that_train_otherwise_than_one_plain_process_fail_though_their_loss_falls(self):
        (number, status, reason, kept), _, left = self.rounds("self.optimizer.param_groups[0]['lr'] = 1e-3")
        self.assertEqual((number, status, kept, left), (0, "failed", [], []))
        seen, plain = (list(map(float, losses.split(", "))) for losses in reason.partition("the losses are ")[2].split("; plainly in fp32 "))
        self.assertLess(seen[-1], seen[0])
        self.assertLess(plain[-1], seen[-1])

    def test_end_with_the_first_of_them_which_says_why(self):
        in_the_second_round = "if rank == 1 and self.steps == 40: "
        for what, mishap, why in (
                ("raises", in_the_second_round + "raise OSError('the cable is out')", "OSError: the cable is out$"),
                ("is killed", in_the_second_round + "os.kill(os.getpid(), signal.SIGKILL)", "process 1 terminated with signal SIGKILL$"),
                ("says why itself", in_the_second_round + "os.write(2, b'no memory'); os._exit(7)", "no memory process 1 terminated with exit code 7$"),
                ("raises while another waits", "if self.steps == 40: time.sleep(600) if rank == 0 else sys.exit('no room')", "terminated with exit code 1$")):
            with self.subTest(what):
                (number, status, reason, kept), _, left = self.rounds(mishap)
                self.assertEqual((number, status, kept, left), (1, "failed", [], []))
                self.assertRegex(reason, "^RuntimeError: a rank ended: ")
                self.assertRegex(reason, why)

    def test_end_with_the_program_that_started_them(self):
        told = self.python("""
import json, os, torch
from cupel_pytorch import ddp
ranks = ddp.Ranks(torch, 2, "ddp", "cpu")
ranks.round(0)
print(json.dumps(ranks.started.pids()), flush=True)
os._exit(0)
""")
        for pid in told:
            end = time.monotonic() + 60
            while os.path.exists(f"/proc/{pid}/exe") and time.monotonic() < end:
                time.sleep(0.1)
            self.assertFalse(os.path.exists(f"/proc/{pid}/exe"), pid)

    def test_are_wrapped_in_their_last_layout_without_multicast(self):
        told = self.python("""
import json, os, torch, types
from cupel_pytorch import ddp
seen = {}
def wraps(model, device_ids):
    filters = [p for p in model.parameters() if p.dim() == 4 and p.shape[2] > 1]
    seen.update(in_layout=all(p.is_contiguous(memory_format=torch.channels_last) for p in filters), multicast=os.environ.pop("NCCL_NVLS_ENABLE"))
    raise KeyboardInterrupt
os.environ["NCCL_NVLS_ENABLE"] = "1"
torch.distributed.init_process_group = torch.distributed.destroy_process_group = lambda *_, **__: None
torch.nn.parallel.DistributedDataParallel = wraps
try:
    ddp.rank_main(0, 2, "ddp", "cpu", FOLDER, ())
except KeyboardInterrupt:
    ddp.rank_main(0, 1, "single", "cpu", FOLDER, [types.SimpleNamespace(recv=lambda: None)])
    print(json.dumps({**seen, "alone": os.environ["NCCL_NVLS_ENABLE"]}))
""".replace("FOLDER", repr(str(self.folder))))
        self.assertEqual(told, {"in_layout": True, "multicast": "0", "alone": "0"})


class Photographs(Trains):
    def test_of_a_folder_are_decoded_and_trained_on(self):
        made = subprocess.run([PYTHON, "-c", "import PIL.Image, sys; [PIL.Image.effect_noise((80, 60), 50).save(f'{sys.argv[1]}/{i}.jpg') for i in range(9)]",
                               str(self.folder)], check=False, capture_output=True)
        if made.returncode:
            self.skipTest("no Pillow")
        rows = self.run_on_cpu("--full", "--filter", "case_study|loader/workers:[01]$", "--data", self.folder)
        self.assertEqual({row["status"] for row in rows.values()}, {"ok"}, rows)
        self.assertEqual(len(rows), 9)

        self.assertTrue(all({"copies", "loader_waits"} <= set(row["counters"]) for name, row in rows.items() if "case_study" in name), rows)

    def test_tell_what_all_changes_give_together_in_the_standard_profile(self):
        told = self.python("""
import json
from cupel_pytorch import case_study, flags
found = {b.name.rpartition(":")[2]: b for b in case_study.benchmarks(flags.Options()) if "/case_study/" in b.name}
print(json.dumps({change: [b.profile, [tag.to_json() for tag in b.advice]] for change, b in found.items()}))
""")
        def tag(id, role):
            return [{"id": id, "role": role, "scenario": "pytorch/case_study"}]
        self.assertEqual(told, {"defaults": ["standard", tag("all-together", "before")], "tuned": ["standard", tag("all-together", "after")],
                                "source": ["full", tag("profiler-left-on", "before")], "source_profiled": ["full", tag("profiler-left-on", "after")],
                                **{change: ["full", []] for change in ("workers", "pinned_copies", "keep_workers")}})

    def test_are_profiled_in_a_second_forward_pass_on_one_copy_of_the_batch(self):
        told = self.python("""
import json, torch, types
from cupel_pytorch import case_study, session
image, trained = torch.ones(1, 1, 3, 3), []
step = types.SimpleNamespace(torch=torch, batches=["host"], batch=lambda: "device", step=lambda: trained.append(step.batches))
step.loss = lambda _: torch.conv2d(image, image)
case_study._profiled_step(step)
left = step.batches
step.loss = lambda _: None
try:
    case_study._profiled_step(step)
except session.CheckFailed as error:
    print(json.dumps([trained, left, str(error)]))
""")
        self.assertEqual(told, [[["device"]], ["host"], "the profiler saw no convolution"])

    def test_have_a_loader_in_the_standard_profile_of_each_machine(self):
        told = self.python("""
import json
from cupel_pytorch import case_study, flags, machine
told = {}
for cpus in (1, 3, 15, 16, 200):
    machine.usable_cpus = lambda: cpus
    told[cpus] = [b.name for b in case_study.benchmarks(flags.Options()) if "/loader/" in b.name and b.profile == "standard"]
print(json.dumps(told))
""")
        self.assertEqual(told, {cpus: [f"pytorch/loader/workers:{n}"] for cpus, n in (("1", 1), ("3", 2), ("15", 8), ("16", 16), ("200", 64))})

    def test_of_a_loader_that_takes_all_cpus_tell_no_waiting(self):
        told = self.python("""
import json, types, unittest.mock
from cupel_pytorch import case_study, flags, machine, record, session
case_study.photographs, machine.usable_cpus = lambda _: [], lambda: 4
counted = {}
for workers in (0, 2, 3, 4):
    options = flags.take_flags([])
    run = session.Run(record.Row(case_study.benchmarks(options)[0], 0), options, unittest.mock.MagicMock())
    case_study.Fed(run, {"num_workers": workers})
    run.sample(lambda: None, 1, 1)
    counted[workers] = "cpu_wait" in run.row.cupel["counters"]
print(json.dumps(counted))
""")
        self.assertEqual(told, {"0": True, "2": True, "3": False, "4": False})

    def test_what_binds_is_the_greatest_share_beyond_its_bound(self):
        told = self.python("""
import json
from cupel_pytorch.case_study import bound_of
print(json.dumps([bound_of(*shares, "more workers, up to 8").split(";")[0] for shares in
                  ((0.5, 0.1, 0.4), (0.31, 0.2, 0.0), (0.1, 0.5, 0.3), (0.1, 0.1, 0.95), (0.1, 0.1, 0.5), (0.29, 0.29, 0.71))]))
""")
        self.assertEqual(told, [f"bound:{what}" for what in ("loader", "loader", "copy", "host", "gpu", "gpu")])

    def test_that_are_not_there_skip_their_rows(self):
        rows = self.run_on_cpu("--full", "--filter", "loader/workers:0", "--data", self.folder / "tmp", code=5)
        self.assertIn("there are no photographs", rows["pytorch/loader/workers:0"]["reason"])


class Models(Trains):
    def test_the_example_is_measured_piece_by_piece(self):
        self.interpreter = PYTHON
        text = EXAMPLE.read_text()
        self.assertIn("batch_size=64", text)
        rows = self.run_on_cpu("--model", f"{self.file('example.py', text.replace('batch_size=64', 'batch_size=8'))}:make")  # a CPU's bf16 is slow

        statuses = {name.split("/")[-1]: row["status"] for name, row in rows.items()}
        self.assertEqual({name for name, status in statuses.items() if status == "ok"},
                         {"loader", "add:nothing", "add:no_wait", "add:tf32", "add:amp", "add:channels_last", "drop:no_wait", "drop:tf32", "drop:amp",
                          "drop:channels_last"})
        self.assertNotIn("failed", statuses.values())

    def test_a_batch_may_be_a_dict_or_another_mapping_and_the_loss_the_models_own(self):
        for function in ("by_name", "by_name_in_a_mapping"):
            with self.subTest(function):
                self.assertEqual(self.run_model(function)["add:nothing"]["status"], "ok")

    def test_rungs_say_what_they_lack_and_nothing_is_kept_but_shapes_counts_and_times(self):
        rows = self.run_model("make")
        with self.subTest("a rung says that it is without what would be in it alone"):
            self.assertEqual(rows["add:no_wait"]["note"], "without pinned_copies, which cannot be had here")
            self.assertIn("without pinned_copies, channels_last, ", rows["drop:no_wait"]["note"])
        with self.subTest("a model without images lacks channels_last alone"):
            self.assertEqual((rows["add:channels_last"]["status"], rows["add:channels_last"]["reason"]), ("skipped", "its batch has no images"))
            self.assertEqual(rows["add:amp"]["status"], "ok")
        self.keeps_nothing_of("users", str(self.folder), "Linear", "SGD")
        losses = [name for row in rows.values() for name in row.get("counters", {}) if "loss" in name]
        self.assertEqual(losses, [])

    def test_one_that_raises_says_so_once_and_its_function_is_not_called_again(self):
        file = self.file("users.py", USERS.replace("def raises():", f"def raises():\n    print('called', file=open({str(self.folder / 'calls')!r}, 'a'))"))

        rows = self.run_on_cpu("--model", f"{file}:raises", code=4)

        self.assertEqual(rows["pytorch/model/add:nothing"]["reason"], "RuntimeError at add:nothing")
        others = {(row["status"], row["reason"]) for name, row in rows.items() if not name.endswith("nothing")}
        self.assertEqual(others, {("skipped", "the model is not trained as it is: see add:nothing")})
        self.assertIn("pytorch/model/add:nothing: RuntimeError: no weights there", self.ended.err)
        self.keeps_nothing_of("weights", "raises")
        self.assertEqual((self.folder / "calls").read_text(), "called\n")

    def test_one_that_diverges_says_so(self):
        row = self.run_model("diverges", code=4)["add:nothing"]
        self.assertEqual((row["status"], row["reason"]), ("failed", "wrong result at add:nothing"))
        self.assertIn("it diverges as it is, in fp32: its losses are ", self.ended.err)

    def test_a_piece_at_which_it_fails_is_named_and_the_rest_goes_on_without_it(self):
        rows = self.run_model("no_autocast", code=4)
        self.assertEqual((rows["add:amp"]["status"], rows["add:amp"]["reason"]), ("failed", "TypeError at add:amp"))
        self.assertEqual(rows["drop:amp"]["reason"], "it is left out, for add:amp was failed")
        self.assertIn("pytorch/model/add:amp: TypeError: wants fp32", self.ended.err)
        self.keeps_nothing_of("wants")
        self.assertEqual((rows["add:tf32"]["status"], rows["drop:no_wait"]["status"]), ("ok", "ok"))
        self.assertIn("without ", rows["drop:no_wait"]["note"])
        self.assertIn("amp", rows["drop:no_wait"]["note"])

    def test_a_piece_with_which_it_does_not_fit_is_skipped_and_the_rest_goes_on_without_it(self):
        rows = self.run_model("too_large")
        self.assertEqual((rows["add:amp"]["status"], rows["add:amp"]["reason"]), ("skipped", "does not fit into the device's memory"))
        self.assertEqual(rows["drop:no_wait"]["status"], "ok")

    def test_a_loader_gives_batches_and_is_run_alone_where_it_begins_anew(self):
        rows = self.run_model("loader")
        self.assertEqual((rows["add:nothing"]["status"], rows["loader"]["status"]), ("ok", "ok"))
        self.assertEqual(rows["loader"]["counters"]["workers"]["value"], 1)
        for function in ("make", "iterator"):
            rows = self.run_model(function)
            self.assertEqual((rows["add:nothing"]["status"], rows["loader"]["status"]), ("ok", "skipped"))
            self.assertEqual(rows["loader"]["reason"], "the function returns no loader that begins anew when it ends")

    def test_a_loader_is_timed_behind_what_its_workers_made_ahead_over_as_many_epochs_as_it_takes(self):
        file = self.file("users.py", USERS + """
import time
class Slow:
    num_workers, prefetch_factor, given = 2, 3, 0
    def __iter__(self):
        for _ in range(4):
            if self.given >= 7:
                time.sleep(2e-3)
            self.given += 1
            yield make()[-1]
def slow():
    return unlike(batch=Slow())
""")
        told = self.python(f"""
import json, torch
from cupel_pytorch import flags, model, record, session
options = flags.take_flags(["--cupel_model={file}:slow", "--cupel_rounds=2", "--cupel_max_wall=0.1"])
benchmark, = [b for b in model.benchmarks(options) if b.name.endswith("/loader")]
model.lacking = lambda *_: {{}}
told = []
for number in range(2):
    run = session.Run(record.Row(benchmark, 0), options, torch)
    run.on_cpu, run.device, run.round = True, "cpu", number
    benchmark.body(run)
    told.append([(one["samples_s"], one["calls_per_sample"]) for one in run.row.cupel["series"]] + [run.row.cupel["workload"]])
print(json.dumps(told))
""")
        (samples_s, calls), workload = told[0]
        self.assertGreater(len(samples_s), 4)
        self.assertGreaterEqual(min(samples_s), 2e-3)
        self.assertEqual((calls, workload), (2, {"items": 16}))
        self.assertEqual(told[1], [{}], "it is measured once")

    def test_losses_that_do_not_fall_are_said_and_hinder_nothing(self):
        note = self.run_model("rises")["add:nothing"]["note"]
        self.assertEqual(note, "the loss does not fall, so that whether it trains as before is hardly seen")

    def refusals(self, *asked):
        """How the family's own code refuses each FILE:FUNCTION, in one process that loads PyTorch once."""
        return self.python(f"""
import json, torch
from cupel_pytorch import model
told = []
for one in {[str(one) for one in asked]}:
    try:
        model._made(torch, one, 1)
    except Exception as error:
        told.append(f"{{type(error).__name__}}: {{error}}")
print(json.dumps(told))
""")

    def test_whatever_else_is_returned_is_named(self):
        whys = {"loop": "it returned function, not (model, optimizer, loss, batch or loader): no loop of yours is run",
                "too_few": "it returned tuple of 3, not (model, optimizer, loss, batch or loader)",
                "no_model": "as model, not a model with parameters",
                "no_optimizer": "as optimizer, not one of the model's parameters",
                "other_names": "it returned NoneType as optimizer, ",
                "no_loss": "as loss, not a function or None", "no_batch": "as batch, not (input, ..., target) or a dict, or a loader of such",
                "empty_loader": "it returned DataLoader as batch, "}
        file = self.file("users.py", USERS)
        told = self.refusals(*(f"{file}:{function}" for function in whys))

        self.assertEqual(len(told), len(whys), told)
        for said, (function, why) in zip(told, whys.items()):
            with self.subTest(function):
                self.assertIn(why, said)
        self.assertEqual(self.run_model("loop", code=4)["add:nothing"]["reason"], "TypeError at add:nothing")
        self.assertIn(whys["loop"][:80], self.ended.err)

    def test_a_file_that_ends_the_program_or_cannot_be_read_is_named(self):
        wrong = {"ends.py": ("import sys; sys.exit(3)", "TypeError: ends.py ends the program where it is imported"),
                 "syntax.py": ("def make(:", "SyntaxError: "),
                 "package.py": ("import no_such_package", "ModuleNotFoundError: No module named 'no_such_package'")}
        files = [self.file(name, text) for name, (text, _) in wrong.items()]
        told = self.refusals(*(f"{file}:make" for file in files))

        self.assertEqual(len(told), len(wrong), told)
        for said, (name, (_, why)) in zip(told, wrong.items()):
            with self.subTest(name):
                self.assertIn(why, said)
        row = self.run_on_cpu("--model", f"{files[0]}:make", "--force", code=4)["pytorch/model/add:nothing"]
        self.assertEqual(row["reason"], "TypeError at add:nothing")
        self.assertIn(wrong["ends.py"][1], self.ended.err)
        self.keeps_nothing_of("ends.py")

    def test_a_function_that_is_not_there_is_named(self):
        self.assertEqual(self.run_model("nothing", code=4)["add:nothing"]["reason"], "TypeError at add:nothing")
        self.assertIn("has no function nothing", self.ended.err)

    def test_one_that_ends_its_process_leaves_none_of_its_words_in_the_result(self):
        rows = self.run_model("dies", code=4)
        self.assertIn("exit code 7", rows["add:nothing"]["reason"])
        self.assertIn("secret weights", self.ended.err)
        self.keeps_nothing_of("secret")


if __name__ == "__main__":
    forks = Forks() if os.access(PYTHON, os.X_OK) else None
    if not forks or not forks.is_ready:
        print(f"not run: {PYTHON} has no PyTorch; scripts/setup --tests installs it")
        sys.exit(77)
    unittest.addModuleCleanup(forks.close)
    alone = ("Models", "Ranks")
    main(*(name for name in (test.__name__ for test in Trains.__subclasses__()) if (name if name in alone else "Nets") == sys.argv[3]))
