"""A trace in the form in which PyTorch 2.11 exports one with record_shapes=True: two steps of a small net in autocast.

Of a step: a pageable copy in, a convolution forward (a cast of its weight, a conversion of its layout) and backward, a
batch norm, ReLU, a loss that is read back, gradients that are added up, SGD by foreach, and a kernel that nobody knows.
"""

import itertools

FLOAT, HALF = "float", "c10::BFloat16"


class Trace:
    def __init__(self):
        self.events, self.now, self.device, self.ids = [], 0.0, 0.0, itertools.count(1)

    def add(self, cat, name, ts, dur, tid, **args):
        self.events.append({"ph": "X", "cat": cat, "name": name, "pid": 1, "tid": tid, "ts": ts, "dur": dur, "args": args})
        return self.events[-1]

    def around(self, name, *inner, cat="cpu_op", shapes=(), types=(), strides=(), concrete=()):
        """An operator, and what is inside of it."""
        event = self.add(cat, name, self.now, 0, 10)
        if shapes:
            event["args"].update({"Input Dims": list(shapes), "Input type": list(types), "Input Strides": list(strides),
                                  "Concrete Inputs": list(concrete)})
        self.now += 1
        for call in inner:
            call()
        self.now += 1
        event["dur"] = self.now - event["ts"]

    def on_device(self, cat, name, dur, runtime, stream=7, **args):
        correlation = next(self.ids)
        self.add("cuda_runtime", runtime, self.now, 2, 10, correlation=correlation, cbid=211)
        self.now += 3
        self.device = max(self.device, self.now)
        self.add(cat, name, self.device, dur, stream, stream=stream, correlation=correlation, **args)
        self.device += dur

    def kernel(self, name, dur):
        self.on_device("kernel", name, dur, "cudaLaunchKernel")

    def wait(self):
        until = max(self.now, self.device) + 1
        self.add("cuda_runtime", "cudaStreamSynchronize", self.now, until - self.now, 10, correlation=next(self.ids))
        self.now = until + 1


IMAGE, WEIGHT, OUT = [8, 4, 16, 16], [32, 4, 3, 3], [8, 32, 16, 16]
NCHW_IMAGE, NCHW_OUT, NCHW_WEIGHT = [1024, 256, 16, 1], [8192, 256, 16, 1], [36, 9, 3, 1]


def step(t):
    elementwise = "void at::native::vectorized_elementwise_kernel<4, at::native::{}>(int)".format
    t.around("aten::copy_", lambda: t.on_device("gpu_memcpy", "Memcpy HtoD (Pageable -> Device)", 50, "cudaMemcpyAsync",
                                                bytes=32768), t.wait, shapes=[IMAGE, IMAGE], types=[FLOAT, FLOAT])
    t.around("Optimizer.zero_grad#SGD.zero_grad",
             lambda: t.around("aten::_foreach_zero_", lambda: t.kernel(
                 "void at::native::multi_tensor_apply_kernel<at::native::ZeroFunctor>(int)", 4)), cat="user_annotation")
    t.around("aten::to", lambda: t.around("aten::_to_copy", lambda: t.around(
        "aten::copy_", lambda: t.kernel(elementwise("bfloat16_copy_kernel_cuda"), 3),
        shapes=[WEIGHT, WEIGHT], types=[HALF, FLOAT], strides=[NCHW_WEIGHT, NCHW_WEIGHT])))
    t.around("aten::conv2d", lambda: t.around(
        "aten::cudnn_convolution",
        lambda: t.kernel("void cudnn::ops::nchwToNhwcKernel<__nv_bfloat16, __nv_bfloat16, float>(int)", 10),
        lambda: t.kernel("sm90_xmma_fprop_implicit_gemm_bf16bf16_bf16f32_f32_nhwckrsc_nhwc_tilesize128x128x64", 100),
        shapes=[IMAGE, WEIGHT, [], [], []], types=[HALF, HALF, "ScalarList", "ScalarList", "ScalarList"],
        strides=[NCHW_IMAGE, NCHW_WEIGHT], concrete=["", "", "[1, 1]", "[1, 1]", "[1, 1]", "1", "False", "False", "True"]))
    t.around("aten::batch_norm", lambda: t.around(
        "aten::cudnn_batch_norm", lambda: t.kernel("void cudnn::bn_fw_tr_1C11_kernel_NCHW<__nv_bfloat16, float, 512>(int)", 40),
        shapes=[OUT, [32], [32]], types=[HALF, FLOAT, FLOAT], strides=[NCHW_OUT, [1], [1]]))
    t.around("aten::relu_", lambda: t.kernel(elementwise("clamp_scalar"), 20), shapes=[OUT], types=[HALF], strides=[NCHW_OUT])
    t.around("aten::cross_entropy_loss", lambda: t.around(
        "aten::_log_softmax", lambda: t.kernel("void (anonymous namespace)::softmax_warp_forward<float>(int)", 5)))
    t.around("autograd::engine::evaluate_function: ConvolutionBackward0", lambda: t.around(
        "aten::convolution_backward",
        lambda: t.kernel("sm90_xmma_dgrad_implicit_gemm_bf16bf16_bf16f32_f32_nhwckrsc_nhwc", 110),
        lambda: t.kernel("sm90_xmma_wgrad_implicit_gemm_indexed_bf16bf16_bf16f32_f32_nhwckrsc_nhwc", 120),
        shapes=[OUT, IMAGE, WEIGHT], types=[HALF, HALF, HALF], strides=[NCHW_OUT, NCHW_IMAGE, NCHW_WEIGHT]))
    t.around("autograd::engine::evaluate_function: torch::autograd::AccumulateGrad", lambda: t.around(
        "torch::autograd::AccumulateGrad", lambda: t.around(
            "aten::add_", lambda: t.kernel(elementwise("CUDAFunctor_add<float>"), 6),
            shapes=[WEIGHT, WEIGHT], types=[FLOAT, FLOAT])))
    t.around("Optimizer.step#SGD.step", lambda: t.around("aten::_foreach_add_", *[
        lambda: t.kernel("void at::native::multi_tensor_apply_kernel<at::native::BinaryOpListAlphaFunctor>(int)", 8)] * 2),
             cat="user_annotation")
    t.around("mylib::magic", lambda: t.kernel("magic", 30))
    t.around("aten::item", lambda: t.on_device("gpu_memcpy", "Memcpy DtoH (Device -> Pageable)", 2, "cudaMemcpyAsync", bytes=4),
             t.wait)


def trace():
    t = Trace()
    t.kernel("magic", 1000)  # before the first step: not of it
    for number in (7, 8):
        t.now = t.device = max(t.now, t.device)
        t.around(f"ProfilerStep#{number}", lambda: step(t), cat="user_annotation")
    return {"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": "NVIDIA H200"}], "traceEvents": t.events}
