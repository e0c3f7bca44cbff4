"""ci/parity-pytorch without PyTorch: what it compares, the table, the ends."""

import sys
import unittest
from unittest import mock

import made_up
from program import FolderTest, load_script, main

parity = load_script("parity-pytorch")

US = 1e-6
SQUARE = "gemm/square/precision:fp16/n:4096"
RES2 = "conv/forward/layer:res2_3x3/precision:fp16/layout:nhwc/batch:64"
LAUNCH = "sync/launch/bytes:0"


def row(name, process, time_s, flops=0, mode="cold", status="ok", calls=1):
    series = [{"mode": "host", "samples_s": [1.0] * 4, "correction_s": 0, "calls_per_sample": 1},
              {"mode": mode, "samples_s": [time_s + 2 * US] * 8, "correction_s": 2 * US, "calls_per_sample": calls}]
    return made_up.row(name, process, [time_s], status=status, workload={"flops": flops}, series=series)


def record():
    rows = []
    for process, factor in enumerate((1.0, 1.5, 1.01)):
        rows += [row(SQUARE, process, 200 * US * factor, 2 * 4096**3),
                 row(RES2, process, 41 * US * factor, 2 * 64 * 64 * 56 * 56 * 64 * 9),
                 row(LAUNCH, process, 3 * US * factor)]
    made = made_up.result(rows)
    made["context"]["cupel"]["calibration"] = {"event_floor_kernel_s": 2 * US}
    return made


class Script(FolderTest):
    def times(self, square, res2):
        return self.file("torch.json", {"times_s": {SQUARE: square * US, RES2: res2 * US},
                                        "problems": {"conv/forward/layer:stem_7x7": "no memory"},
                                        "versions": {"torch": "2.11.0"}})

    def test_prints_ours_pytorchs_and_the_ratio_the_worst_first(self):
        printed = self.run_script(parity, self.file("r.json", record()), "--times", self.times(202, 40), code=1)
        lines = printed.splitlines()
        self.assertEqual(lines[0], "torch 2.11.0")
        self.assertEqual(lines[1:4], ["  ours us  torch us  ratio", f"   41.410    40.000  1.035  {RES2}  cold, slower",
                                      f"  202.000   202.000  1.000  {SQUARE}  cold"])
        self.assertEqual(lines[4], "not measured: conv/forward/layer:stem_7x7: no memory")
        self.assertEqual(lines[5], "1 of 2 slower than 1.02 x PyTorch")

    def test_ends_with_0_when_none_is_slower_than_the_limit(self):
        printed = self.run_script(parity, self.file("r.json", record()), "--times", self.times(202, 41), code=0)
        self.assertIn("0 of 2 slower", printed)
        self.run_script(parity, self.file("r.json", record()), "--times", self.times(202, 40), "--limit", "1.04", code=0)

    def test_what_takes_pytorch_no_time_is_slower_here(self):
        self.assertIn(f"   41.410     0.000    inf  {RES2}  cold, slower", self.run_script(parity, self.file("r.json", record()), "--times", self.times(202, 0), code=1))

    def test_lists_what_it_would_compare(self):
        printed = self.run_script(parity, self.file("r.json", record()), "--dry-run", "--filter", "conv|sync", code=0)
        self.assertEqual(printed, f"{RES2}  cold\n")

    def test_ends_with_2_and_one_line_on_what_it_cannot_use(self):
        good, other = self.file("r.json", record()), record()
        other["benchmarks"][0]["cupel"]["workload"]["flops"] = 5
        no_gpu = "class cuda:\n    is_available = staticmethod(lambda: False)\n"
        for arguments, torch, words in (([self.folder / "none.json"], None, "none.json"),
                                        ([self.file("bad.json", "{")], None, "bad.json"),
                                        ([self.file("foreign.json", {"benchmarks": []})], None, "not a result file"),
                                        ([good, "--filter", "("], None, "--filter ("),
                                        ([good, "--times", self.file("t.json", {})], None, "t.json"),
                                        ([self.file("other.json", other)], None, "different work"),
                                        ([good], None, "No module named 'torch'"),
                                        ([good], no_gpu, "PyTorch finds no GPU")):
            with self.subTest(words):
                said = self.run_script(parity, *arguments, code=2, torch=torch)
                self.assertIn(words, said)
                self.assertEqual(len(said.splitlines()), 1, said)
        self.assertIn("usage", self.run_script(parity, good, "--fast", code=2))

    def test_ends_with_5_when_there_is_nothing_to_compare(self):
        self.assertIn("counterpart", self.run_script(parity, self.file("r.json", record()), "--filter", "sync", code=5))


class Figures(unittest.TestCase):
    def test_are_medians_over_processes_of_corrected_device_times(self):
        mine = parity.ours(record())[SQUARE]
        self.assertAlmostEqual(mine["time_s"], 202 * US)
        self.assertEqual(mine["mode"], "cold")

    def test_have_as_many_places_of_weights_as_the_file_says(self):
        measured = record()
        measured["benchmarks"][0]["cupel"]["counters"] = {"places": {"value": 6, "unit": "count"}}
        figures = parity.ours(measured)
        self.assertEqual([figures[name]["places"] for name in (SQUARE, RES2)], [6, 1])
        self.assertEqual(parity.plan(figures)[SQUARE]["places"], 6)

    def test_leave_out_what_was_not_measured(self):
        unmeasured = made_up.result([row(SQUARE, 0, US, status="skipped")])
        self.assertEqual(parity.ours(unmeasured), {})

    def test_ignore_a_quarter_at_either_end(self):
        self.assertAlmostEqual(parity.interquartile_mean([4, 1, 2, 3]), 2.5)
        self.assertAlmostEqual(parity.interquartile_mean([1, 2, 3, 4, 5, 6, 7, 1000]), 4.5)
        self.assertAlmostEqual(parity.interquartile_mean([1, 2, 6]), (0.25 * 1 + 2 + 0.25 * 6) / 1.5)

    def test_of_the_profiler_are_what_ran_between_spinning_kernels(self):
        events = [("reduce", 0, 5), ("spin_kernel", 5, 10), ("a", 11, 13), ("b", 13, 17), ("spin_kernel", 18, 19),
                  ("reduce", 20, 25), ("spin_kernel", 25, 30), ("a", 31, 34), ("spin_kernel", 35, 36)]
        for found, wanted in zip(parity.spans(events), (6 * US, 3 * US), strict=True):
            self.assertAlmostEqual(found, wanted)


def stand_in(elapsed_ms=1.0, held=(True,)):
    """Takes the place of PyTorch: every call does nothing, every event pair is so long."""
    torch = mock.MagicMock()
    torch.__version__ = "2.11.0"
    torch.cuda.get_device_properties.return_value.L2_cache_size = 1 << 20
    torch.cuda.Event.return_value.elapsed_time.return_value = elapsed_ms
    answers = iter(held)
    torch.cuda.Event.return_value.query.side_effect = lambda: not next(answers, held[-1])
    return torch


class Measuring(unittest.TestCase):
    KINDS = ("gemm/square/precision:fp32/n:64", "gemm/square/precision:int8/n:64", "gemm/square/precision:fp8_e4m3/n:64",
             "gemm/backward/pass:dgrad/layer:qkv/precision:tf32/hidden:64/tokens:8",
             "gemm/backward/pass:wgrad/layer:qkv/precision:bf16/hidden:64/tokens:8",
             "gemm/batched/call:strided/precision:fp16/batch:4/n:8", RES2, RES2.replace("forward", "backward_data"),
             "fusion/norm/op:layer_norm/impl:single_pass/columns:32/bytes:67108864", "fusion/norm/op:rms_norm/impl:single_pass/columns:32/bytes:67108864",
             "fusion/norm/op:softmax/impl:single_pass/columns:32/bytes:67108864",
             "fusion/norm/op:softmax_backward/impl:single_pass/columns:32/bytes:67108864",
             "optimizer/step/rule:adamw/model:one_large/way:fused", "memory/limits/triad/bytes:4096")

    def test_makes_and_times_every_kind_of_call(self):
        asked = {name: {**parity.counterpart(name), "mode": mode, "calls": 5, "written": 0}
                 for name, mode in zip(self.KINDS, ("cold", "hot") * len(self.KINDS))}
        with mock.patch.dict(sys.modules, torch=stand_in()), mock.patch.object(parity, "WALL_S", 0):
            found = parity.measure(asked, 2 * US, False, 1)
        self.assertEqual(found["problems"], {})
        for name, what in asked.items():
            self.assertAlmostEqual(found["times_s"][name], (1e-3 - 2 * US) / (5 if what["mode"] == "hot" else 1), msg=name)

    def test_reads_weights_at_several_places_in_turn(self):
        for what in ("gemm/skinny/layer:mlp_up/precision:bf16/hidden:64/tokens:1",
                     "gemm/skinny/layer:mlp_up/precision:fp8_e4m3/hidden:64/tokens:1"):
            with self.subTest(what):
                torch, copies = stand_in(), [mock.Mock(name="weights"), mock.Mock(name="copy"), mock.Mock(name="copy")]
                copies[0].clone.side_effect = copies[1:]
                operations = parity.Operations(torch)
                in_turn = operations.in_turn
                operations.in_turn = lambda weights, what: in_turn(copies[0], what)
                call = operations.make({**parity.counterpart(what), "places": 3})
                for _ in range(4):
                    call()
                multiply = torch._scaled_mm if "fp8" in what else torch.mm
                read = [called.args[1] for called in multiply.call_args_list]
                self.assertEqual(read, [copy.t() for copy in copies + copies[:1]])

    def test_says_what_pytorch_lacks_and_goes_on(self):
        torch = stand_in()
        torch._scaled_mm.side_effect = RuntimeError("no fp8 here\nmore")
        asked = {name: {**parity.counterpart(name), "mode": "cold", "calls": 1, "written": 0} for name in self.KINDS[:3]}
        with mock.patch.dict(sys.modules, torch=torch), mock.patch.object(parity, "WALL_S", 0):
            found = parity.measure(asked, 0, False, 1)
        self.assertEqual(found["problems"], {self.KINDS[2]: "no fp8 here"})
        self.assertEqual(set(found["times_s"]), set(self.KINDS[:2]))

    def test_holds_the_stream_longer_until_all_is_enqueued_behind_it(self):
        rig = parity.Rig(stand_in(held=(False, False, True)), 0, False)
        before_s, calls = rig.held_s, []
        rig.once(lambda: calls.append(1), "cold", 1)
        self.assertEqual(rig.held_s, 4 * before_s)
        self.assertEqual(len(calls), 3)

    def test_leaves_as_much_to_write_back_as_the_work_does(self):
        torch = stand_in()
        rig = parity.Rig(torch, 0, False)
        for written, calls in ((rig.cache_bytes - 1, (1, 0)), (rig.cache_bytes, (1, 1))):
            rig.written = written
            rig.once(lambda: None, "cold", 1)
            buffer = torch.zeros.return_value
            self.assertEqual((buffer.sum.call_count, buffer.zero_.call_count), calls)

    def test_gives_up_on_what_waits_for_its_stream(self):
        rig = parity.Rig(stand_in(held=(False,)), 0, False)
        with self.assertRaisesRegex(RuntimeError, "waits for its stream"):
            rig.once(lambda: None, "cold", 1)


class Counterparts(unittest.TestCase):
    def test_of_products_have_their_shapes(self):
        of = parity.counterpart
        self.assertEqual(of("gemm/transformer/layer:mlp_up/precision:bf16/hidden:4096/tokens:2048"),
                         parity.product("linear", "bf16", 2048, 16384, 4096))
        self.assertEqual(of("gemm/backward/pass:dgrad/layer:mlp_up/precision:bf16/hidden:8192/tokens:64"),
                         parity.product("dgrad", "bf16", 64, 32768, 8192))
        self.assertEqual(of("gemm/align/precision:bf16/vocabulary:50257"),
                         parity.product("linear", "bf16", 2048, 50257, 4096))
        self.assertEqual(of("gemm/batched/call:strided/precision:fp16/batch:256/n:128")["batch"], 256)
        for without in ("gemm/batched/call:loop/precision:fp16/batch:256/n:128", "gemm/square/precision:fp4_e2m1/n:8",
                        "gemm/choice/chosen_by:cublas/precision:bf16/shape:square_4096", LAUNCH,
                        "fusion/norm/op:softmax/impl:textbook/columns:32/bytes:67108864", "conv/startup/step:first_call"):
            self.assertIsNone(of(without), without)

    def test_of_convolutions_are_the_table_of_the_benchmarks(self):
        table = parity.layers()
        self.assertEqual(len(table), 23)
        self.assertEqual(table["res3_3x3_stride"], {"c": 128, "k": 128, "size": 56, "filter": 3, "stride": 2})
        self.assertEqual(parity.flops(parity.counterpart(RES2)), 2 * 64 * 64 * 56 * 56 * 64 * 9)
        stem = parity.counterpart("conv/backward_filter/layer:stem_7x7/precision:fp32/layout:nchw/batch:1")
        self.assertEqual(parity.flops(stem), 2 * 64 * 112 * 112 * 3 * 49)
        self.assertIsNone(parity.counterpart("conv/forward/layer:volume_3x3x3/precision:fp16/layout:nhwc/batch:64"))

    def test_of_choices_are_the_switches_of_pytorch(self):
        where = "/pass:backward_data/layer:res2_3x3/precision:fp16/layout:nhwc/batch:64"
        plain = parity.counterpart(RES2.replace("forward", "backward_data"))
        for rule, switched in (("heuristic_a", {}), ("framework_search", {"search": True}),
                               ("heuristic_deterministic", {"deterministic": True})):
            self.assertEqual(parity.counterpart("conv/choice/chosen_by:" + rule + where), {**plain, **switched}, rule)
        for rule in ("fastest", "heuristic_b", "fastest/workspace_mib:32"):
            self.assertIsNone(parity.counterpart("conv/choice/chosen_by:" + rule + where), rule)

    def test_that_are_searched_for_are_measured_in_a_process_of_their_own(self):
        searched, plain = {"kind": "conv", "search": True}, {"kind": "conv", "search": False}
        self.assertEqual(parity.in_processes_of_their_own({"a": searched, "b": plain, "c": {"kind": "triad"}}),
                         [{"a": searched}, {"b": plain, "c": {"kind": "triad"}}])
        self.assertEqual(parity.in_processes_of_their_own({"b": plain}), [{"b": plain}])

    def test_of_the_rest_are_norms_an_optimizer_and_a_triad(self):
        of = parity.counterpart
        self.assertEqual(of("fusion/norm/op:softmax/impl:single_pass/columns:4096/bytes:67108864")["kind"], "softmax")
        self.assertEqual(of("optimizer/step/rule:adamw/model:many_equal/way:fused")["sizes"], [160_000] * 160)
        self.assertIsNone(of("optimizer/step/rule:adamw/model:many_equal/way:loop"))
        self.assertEqual(of("memory/limits/triad/bytes:1073741824"), {"kind": "triad", "bytes": 1 << 30})


if __name__ == "__main__":
    main()
