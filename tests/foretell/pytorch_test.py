"""scripts/profile-from-pytorch on a trace in PyTorch's form, and `cupel advise --step` on what it makes."""

import gzip
import json
import subprocess
import sys

import make_trace
from program import ROOT, ProgramTest, main

SCRIPT = ROOT / "scripts" / "profile-from-pytorch"


class FromPytorch(ProgramTest):
    def run_script(self, trace, *options):
        return subprocess.run([sys.executable, SCRIPT, self.file("trace.json", trace), *options], capture_output=True, text=True)

    def profile(self, *options, trace=None):
        ended = self.run_script(trace or make_trace.trace(), *options)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        return json.loads(ended.stdout)

    def kinds(self, profile, field="time_s"):
        sums = {}
        for kernels in profile["kernels"]:
            sums[kernels["kind"]] = round(sums.get(kernels["kind"], 0) + kernels.get(field, 0), 9)
        return sums

    def test_puts_each_kernel_in_its_kind(self):
        self.assertEqual(self.kinds(self.profile()), {
            "fill": 4e-6, "cast": 3e-6, "convolution_forward": 110e-6, "norm": 40e-6, "elementwise": 20e-6, "loss": 5e-6,
            "convolution_backward_data": 110e-6, "convolution_backward_filter": 120e-6, "accumulate": 6e-6,
            "optimizer": 16e-6, "other": 30e-6})

    def test_knows_what_a_compiler_made(self):
        for name, kind in (("triton_poi_fused_convolution_relu_0", "elementwise"), ("triton_red_fused_native_layer_norm_3", "norm"),
                           ("triton_per_fused__softmax_add_1", "norm"), ("triton_tem_fused_addmm_2", "gemm")):
            trace = make_trace.trace()
            for event in trace["traceEvents"]:
                if event["cat"] == "kernel" and event["name"] == "magic":
                    event["name"] = name
            known, before = self.kinds(self.profile(trace=trace)), self.kinds(self.profile())
            self.assertNotIn("other", known)
            self.assertAlmostEqual(known[kind], before.get(kind, 0) + 30e-6)

    def test_counts_launches_of_a_call(self):
        launches = self.kinds(self.profile(), "launches")
        self.assertEqual(launches["convolution_forward"], 2)  # with the conversion inside of it
        self.assertEqual(launches["optimizer"], 2)

    def test_counts_work_by_shapes(self):
        forward, = [k for k in self.profile()["kernels"] if k["kind"] == "convolution_forward"]
        self.assertEqual(forward["flops"], 2 * (8 * 32 * 16 * 16) * (4 * 3 * 3))
        self.assertEqual(forward["bytes"], 2 * (8 * 4 * 16 * 16 + 32 * 4 * 3 * 3 + 8 * 32 * 16 * 16))
        cast, = [k for k in self.profile()["kernels"] if k["kind"] == "cast"]
        self.assertEqual(cast["bytes"], (4 + 2) * (32 * 4 * 3 * 3))
        backward, = [k for k in self.profile()["kernels"] if k["kind"] == "convolution_backward_data"]
        self.assertEqual(backward["flops"], forward["flops"])

    def filters_of_one_channel(self, name=lambda old: old):
        trace = make_trace.trace()
        for event in trace["traceEvents"]:
            if "convolution" in event["name"] and "Input Dims" in event["args"]:
                event["args"]["Input Dims"] = [[32, 1, 3, 3] if dims == [32, 4, 3, 3] else dims for dims in event["args"]["Input Dims"]]
                event["name"] = name(event["name"])
                if "transpose" in event["name"]:  # padding, output padding, stride, dilation
                    event["args"]["Concrete Inputs"] = ["", "", "[0, 0]", "[0, 0]", "[2, 2]", "[1, 1]"]
        return [k for k in self.profile(trace=trace)["kernels"] if k["kind"].startswith("convolution")]

    def test_counts_groups_by_what_a_filter_sees(self):
        self.assertEqual({k.get("groups") for k in self.profile()["kernels"]}, {None})
        self.assertEqual({k["kind"]: k.get("groups") for k in self.filters_of_one_channel()}["convolution_forward"], 4)
        self.assertEqual({k["kind"]: k.get("groups") for k in self.filters_of_one_channel()}["convolution_backward_filter"], 4)

    def test_takes_no_transposed_convolution_for_a_grouped_one(self):
        transposed = self.filters_of_one_channel(lambda old: old.replace("cudnn_convolution", "cudnn_convolution_transpose"))
        forward, = [k for k in transposed if k["kind"] == "convolution_forward"]
        self.assertNotIn("groups", forward)
        self.assertEqual(forward["flops"], 2 * (8 * 4 * 16 * 16) * (1 * 3 * 3))
        self.assertEqual(forward["bytes"], 2 * (8 * 4 * 16 * 16 + 32 * 1 * 3 * 3 + 8 * 1 * 33 * 33))

    def test_says_precision_and_layout(self):
        forward, = [k for k in self.profile()["kernels"] if k["kind"] == "convolution_forward"]
        self.assertEqual((forward["precision"], forward["layout"]), ("bf16", "nchw"))  # converted inside of the call

    def test_says_tf32_of_a_call_that_also_converts_fp32(self):
        trace = make_trace.trace()
        for event in trace["traceEvents"]:
            event["name"] = event["name"].replace("bf16bf16_bf16f32", "tf32f32_tf32f32").replace("__nv_bfloat16", "float")
        forward, = [k for k in self.profile(trace=trace)["kernels"] if k["kind"] == "convolution_forward"]
        self.assertEqual(forward["precision"], "tf32")

    def test_says_tf32_of_a_gemm_that_is_named_for_its_instruction(self):
        trace = make_trace.trace()
        for event in trace["traceEvents"]:
            if event["cat"] == "kernel" and "bf16" in event["name"]:
                event["name"] = "void cutlass::Kernel2<cutlass_80_tensorop_s1688gemm_128x128_32x3_tn_align4>(int)"
        forward, = [k for k in self.profile(trace=trace)["kernels"] if k["kind"] == "convolution_forward"]
        self.assertEqual(forward["precision"], "tf32")

    def test_finds_copies_and_waits(self):
        profile = self.profile()
        copy = profile["copies"][0]
        self.assertEqual((copy["direction"], copy["memory"], copy["bytes"]), ("h2d", "pageable", 32768))
        self.assertEqual({w["cause"]: w["calls"] for w in profile["waits"]}, {"copy": 1, "loss": 1})

    def test_says_what_is_on(self):
        on = {"precision": "amp_bf16", "layout": "nchw", "optimizer": "foreach", "launch": "eager", "copies": "pageable"}
        self.assertEqual({**self.profile()["switches"], **on}, self.profile()["switches"])

    def test_leaves_out_what_is_before_the_first_step(self):
        self.assertEqual(self.kinds(self.profile())["other"], 30e-6)  # and not 1000 us more

    def test_says_what_it_cannot_place(self):
        ended = self.run_script(make_trace.trace())
        self.assertIn("1 kernel could not be placed", ended.stderr)
        self.assertIn("magic", ended.stderr)
        self.assertIn("could not be placed", self.profile()["note"])

    def test_takes_the_time_without_the_profiler(self):
        self.assertAlmostEqual(self.profile("--step-ms", "2.5")["step_s"], 0.0025)
        self.assertIn("timed under the profiler", self.profile()["note"])

    def test_takes_from_the_hosts_time_its_waits_and_what_the_profiler_takes(self):
        trace = make_trace.trace()
        in_step = [e for e in trace["traceEvents"] if e["ts"] >= min(e["ts"] for e in trace["traceEvents"] if e["name"] == "ProfilerStep#7")]
        operators = sum(e["cat"] == "cpu_op" for e in in_step) / 2
        calls = [e for e in in_step if e["cat"] == "cuda_runtime"]
        profiled_us = sum(e["dur"] for e in in_step if e["name"].startswith("ProfilerStep")) / 2
        waited_us = sum(e["dur"] for e in calls if "Synchronize" in e["name"]) / 2
        counted_us = 2.3 * operators + 8.0 * len(calls) / 2
        self.assertAlmostEqual(self.profile()["enqueue_s"], 1e-6 * (0.42 * (profiled_us - waited_us) * counted_us) ** 0.5, delta=2e-6)
        self.assertEqual(self.profile("--step-ms", "0.01")["enqueue_s"], 1e-5)  # no longer than the step

    def test_without_operators_the_hosts_time_is_a_share_of_what_it_takes_under_the_profiler(self):
        trace = make_trace.trace()
        trace["traceEvents"] = [e for e in trace["traceEvents"] if e["cat"] != "cpu_op"]
        self.assertGreater(self.profile(trace=trace)["enqueue_s"], 0)

    def test_takes_the_hosts_time_that_is_said(self):
        self.assertIn("--host-ms", self.profile()["note"])
        said = self.profile("--host-ms", "0.3", "--step-ms", "1")
        self.assertAlmostEqual(said["enqueue_s"], 0.0003)
        self.assertNotIn("--host-ms", said["note"])

    def test_leaves_out_what_was_launched_before_the_profiler_began(self):
        trace = make_trace.trace()
        alone = self.profile(trace=trace)
        first = min(e["ts"] for e in trace["traceEvents"] if e["name"] == "ProfilerStep#7")
        trace["traceEvents"].append({"ph": "X", "cat": "kernel", "name": "magic", "pid": 1, "tid": 7, "ts": first + 5, "dur": 700,
                                     "args": {"stream": 7, "correlation": 10**6}})  # its launch is in no record
        self.assertEqual(self.kinds(self.profile(trace=trace)), self.kinds(alone))

    def test_takes_a_launch_that_waits_for_room_for_a_wait(self):
        trace = make_trace.trace()
        alone = self.profile(trace=trace)
        for event in trace["traceEvents"]:  # all that is behind the launch of the last kernel is 5 ms later
            if event["name"] == "ProfilerStep#8":
                event["dur"] += 5000
        launch = [e for e in trace["traceEvents"] if e["name"] == "cudaLaunchKernel"][-1]
        launch["dur"] += 5000
        blocked = self.profile(trace=trace)
        host, step = (lambda p: p["enqueue_s"]), (lambda p: p["step_s"])
        self.assertAlmostEqual(host(blocked), host(alone), delta=1e-6)  # and not 30 % more
        self.assertAlmostEqual(step(blocked), step(alone) + 2500e-6, delta=1e-6)

    def of_program(self, text, *options):
        return subprocess.run([sys.executable, SCRIPT, *options, "--", sys.executable, self.file("train.py", text)], capture_output=True, text=True)

    def test_runs_a_program_whose_steps_are_marked(self):
        trains = f"""
import json, os, pathlib, cupel_step
assert callable(cupel_step.trains) and callable(cupel_step.ends)
folder = pathlib.Path(os.environ["CUPEL_STEP_FOLDER"])
(folder / "trace.json").write_text({json.dumps(make_trace.trace())!r})
(folder / "facts.json").write_text(json.dumps({{"net": "Net", "batch": 8, "parameters": 90, "rule": "adamw", "step_s": 0.002}}))
"""
        ended = self.of_program(trains)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        profile = json.loads(ended.stdout)
        self.assertEqual((profile["net"], profile["batch"], profile["parameters"], profile["step_s"]), ("Net", 8, 90, 0.002))
        self.assertEqual(profile["switches"]["rule"], "adamw")
        said = json.loads(self.of_program(trains, "--net", "mine", "--step-ms", "3").stdout)
        self.assertEqual((said["net"], said["step_s"]), ("mine", 0.003))

    def test_says_that_a_program_marked_no_steps(self):
        ended = self.of_program("print('done')")
        self.assertEqual(ended.returncode, 2)
        self.assertIn("cupel_step.ends()", ended.stderr)
        missing = subprocess.run([sys.executable, SCRIPT, "--", "no-such-program"], capture_output=True, text=True)
        self.assertEqual(missing.returncode, 2)
        self.assertIn("no-such-program", missing.stderr)

    def test_wants_a_trace_or_a_program_and_not_both(self):
        for more in ([], ["trace.json", "--", "python3"]):
            self.assertEqual(subprocess.run([sys.executable, SCRIPT, *more], capture_output=True).returncode, 2)

    def test_without_operators_goes_by_names(self):
        trace = make_trace.trace()
        trace["traceEvents"] = [e for e in trace["traceEvents"] if e["cat"] != "cpu_op"]
        kinds = self.kinds(self.profile(trace=trace))
        self.assertEqual(kinds["convolution_backward_filter"], 120e-6)
        self.assertEqual(kinds["layout"], 10e-6)

    def test_reads_a_trace_that_is_zipped(self):
        path = self.file("trace.json.gz", gzip.compress(json.dumps(make_trace.trace()).encode()))
        self.assertEqual(subprocess.run([sys.executable, SCRIPT, path], capture_output=True).returncode, 0)

    def test_refuses_what_is_no_trace(self):
        for trace in ({}, [], {"traceEvents": []}):
            ended = self.run_script(trace)
            self.assertEqual(ended.returncode, 2)
            self.assertIn("trace.json: /traceEvents", ended.stderr)

    def test_makes_what_cupel_advises_by(self):
        path = self.folder / "step.json"
        self.run_script(make_trace.trace(), "--net", "small", "--batch", "8", "--parameters", "1152", "--step-ms", "0.5",
                        "-o", path)
        results = [ROOT / f"results/nvidia-h200/{family}.json.gz" for family in ("conv", "sync", "transfer", "fusion", "memory")]
        ended = self.cupel("advise", "--step", path, "--format", "json", *results, code=0)
        pieces = {p["piece"]: p for p in json.loads(ended.out)["steps"][0]["pieces"]}
        self.assertEqual(pieces["amp"]["standing"], "on")
        self.assertEqual(pieces["tf32"]["standing"], "on")
        self.assertGreater(pieces["channels_last"]["gain_s"], 0)  # 110 us and more of convolutions
        self.assertGreater(pieces["pinned_copies"]["gain_s"], 0)
        self.assertAlmostEqual(json.loads(ended.out)["steps"][0]["other_s"], 30e-6)


if __name__ == "__main__":
    main()
