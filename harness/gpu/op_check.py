#!/usr/bin/env python3
"""What `workbook op` promises with PyTorch: no copies, the caller's stream, torch.compile, autograd, CUDA graphs, and
exceptions that help; with CuPy and JAX where they are.

    harness/gpu/op_check.py [--workbook PROGRAM] [--device cuda|cpu] [NAME ...]

On the CPU the same runs on the simulator, but for streams and graphs. Prints a line a check and ends with 1 where one
fails, with 77 where there is no PyTorch. Needs a build for the GPU: WORKBOOK_PRESET=cuda bin/workbook doctor.
"""
import argparse
import os
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "harness/tests/python"))

try:
    import torch
except ImportError:
    print("op_check: this Python has no PyTorch")
    sys.exit(77)

from checkout import Checkout  # noqa: E402
from checks import check, on_gpu, run_checks, says  # noqa: E402


class World:
    def __init__(self, program, device):
        self.device = device
        self.checkout = Checkout(program)
        self.puzzle22 = self.checkout.module(22)
        self.operators22 = self.puzzle22.register_torch()

    def arrays(self, b=2, s=3, h=64, o=48):
        torch.manual_seed(22)
        shapes = ((b, s, h), (h,), (h,), (o, h), (o,))
        return [torch.randn(shape, device=self.device) for shape in shapes]


def reference(x, gamma, beta, weight, bias):
    row = torch.nn.functional.layer_norm(x.double(), x.shape[-1:], gamma.double(), beta.double(), 1e-5)
    return torch.nn.functional.linear(row, weight.double(), bias.double())


def close(got, expected, tolerance=1e-4):
    torch.testing.assert_close(got.double(), expected.double(), atol=tolerance, rtol=tolerance)


@check
def every_variant_agrees_with_torch(w):
    for name in ("unfused", "fused", "fused_block"):
        for sizes in ((2, 3, 64, 48), (1, 1, 1, 1), (3, 11, 33, 70)):
            arrays = w.arrays(*sizes)
            y = getattr(w.puzzle22, name)(*arrays)
            assert y.device == arrays[0].device and y.dtype == torch.float32
            close(y, reference(*arrays))


@check
def the_arrays_own_memory_is_used(w):
    arrays = w.arrays()
    out = torch.empty(2, 3, 48, device=w.device)
    y = w.puzzle22.fused(*arrays, out=out)
    last = w.puzzle22.last_call
    assert y is out and last.addresses["y"] == out.data_ptr()
    assert [last.addresses[n] for n in ("x", "gamma", "beta", "weight", "bias")] == [a.data_ptr() for a in arrays]
    if w.device == "cuda":
        assert last.copied == [] and last.device == "cuda:0", last
    close(out, reference(*arrays))


@check
@on_gpu
def nothing_is_allocated_but_the_result(w):
    arrays = w.arrays(4, 64, 256, 512)
    w.puzzle22.fused(*arrays)
    torch.cuda.synchronize()
    torch.cuda.reset_peak_memory_stats()
    before = torch.cuda.memory_allocated()
    y = w.puzzle22.fused(*arrays)
    assert torch.cuda.max_memory_allocated() - before == y.numel() * 4
    out = torch.empty_like(y)
    before = torch.cuda.memory_allocated()
    torch.cuda.reset_peak_memory_stats()
    w.puzzle22.fused(*arrays, out=out)
    assert torch.cuda.max_memory_allocated() == before


@check
@on_gpu
def work_goes_onto_the_current_stream(w):
    arrays = w.arrays()
    expected = reference(*arrays)
    kept = arrays[0].clone()
    arrays[0].zero_()
    w.puzzle22.fused(*arrays)
    torch.cuda.synchronize()
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        torch.cuda._sleep(200_000_000)  # about a tenth of a second
        arrays[0].copy_(kept, non_blocking=True)
        y = w.puzzle22.fused(*arrays)
        assert not stream.query(), "the call waited for the GPU"
    stream.synchronize()
    close(y, expected)


@check
@on_gpu
def a_stream_can_be_named(w):
    arrays = w.arrays()
    expected = reference(*arrays)
    kept = arrays[0].clone()
    arrays[0].zero_()
    torch.cuda.synchronize()
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        torch.cuda._sleep(200_000_000)
        arrays[0].copy_(kept, non_blocking=True)
    for named in (stream, stream.cuda_stream):
        y = w.puzzle22.fused(*arrays, stream=named)
        stream.synchronize()
        close(y, expected)


@check
@on_gpu
def a_cuda_graph_can_capture_it(w):
    arrays = w.arrays()
    w.puzzle22.unfused(*arrays)
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        y = w.puzzle22.unfused(*arrays)
    arrays[0].normal_()
    graph.replay()
    close(y, reference(*arrays))


@check
@on_gpu
def arrays_on_two_devices_are_refused(w):
    arrays = w.arrays()
    says(ValueError, "gamma is on cpu, and x, beta, weight and bias on cuda:0: gamma.to('cuda:0')", w.puzzle22.fused,
         arrays[0], arrays[1].cpu(), *arrays[2:])
    says(ValueError, "y is on cpu", w.puzzle22.fused, *arrays, out=torch.empty(2, 3, 48))


@check
@on_gpu
def arrays_of_the_cpu_run_on_the_simulator(w):
    arrays = [a.cpu() for a in w.arrays()]
    close(w.puzzle22.fused(*arrays), reference(*arrays))
    assert w.puzzle22.last_call.device == "cpu (simulator)"


@check
def tensors_that_do_not_fit_are_refused(w):
    x, gamma, beta, weight, bias = w.arrays(2, 3, 64, 64)
    fused = w.puzzle22.fused
    says(TypeError, "x is float64; float32 [B, S, H] is wanted: x.float()", fused, x.double(), gamma, beta, weight, bias)
    says(TypeError, "gamma is bfloat16", fused, x, gamma.bfloat16(), beta, weight, bias)
    says(ValueError, "weight (64, 64) has the strides (1, 64), a transposed view; a kernel reads row by row: weight.contiguous()",
         fused, x, gamma, beta, weight.T, bias)
    says(ValueError, "a broadcast view", fused, x, gamma[:1].expand(64), beta, weight, bias)
    says(ValueError, "gamma requires a gradient, and this function has none: gamma.detach()", fused, x,
         gamma.clone().requires_grad_(), beta, weight, bias)
    says(ValueError, "gamma (63,) is 63, and has to be H = 64", fused, x, gamma[:63], beta, weight, bias)
    says(ValueError, "to_dense()", fused, x, gamma.to_sparse(), beta, weight, bias)
    freed = torch.randn(64, device=w.device)
    freed.untyped_storage().resize_(0)
    says(ValueError, "has no memory: its storage was freed", fused, x, freed, beta, weight, bias)
    says(ValueError, "--unfused gives each element of a row a thread: H is at most 1024.", w.puzzle22.unfused,
         *w.arrays(1, 1, 1025, 2))


@check
def other_types_work(w):
    one = w.checkout.module(1)
    half = torch.arange(7, device=w.device).half()
    assert torch.equal(one.pairs(half), half + half)
    bfloat = torch.tensor([1.0, 2.0, 1.5, 1.25], device=w.device, dtype=torch.bfloat16)
    out = w.checkout.module(10).block(bfloat)
    assert out.dtype == torch.bfloat16 and out.shape == (2,)
    where, total = w.checkout.module(5).rows(torch.randn(6, 9, device=w.device))
    assert where.dtype == torch.int64 and total.dtype == torch.float32
    counts = w.checkout.module(3).atomics(torch.tensor([3, 3, 255], dtype=torch.uint8, device=w.device))
    assert counts.to(torch.int64)[[3, 255, 0]].tolist() == [2, 1, 0]
    x = torch.arange(100.0, device=w.device)
    assert w.checkout.module(4).update(x) is x and torch.equal(x, 2 * torch.arange(100.0, device=w.device) + 1)


@check
def opcheck_finds_nothing(w):
    names = ("test_schema", "test_autograd_registration", "test_faketensor", "test_aot_dispatch_dynamic")
    for name in ("unfused", "fused"):
        result = torch.library.opcheck(getattr(w.operators22, name), w.arrays(1, 2, 8, 4), test_utils=names)
        assert set(result.values()) == {"SUCCESS"}, result
    in_place = w.checkout.module(4).register_torch()
    result = torch.library.opcheck(in_place.update, (torch.arange(8.0, device=w.device),), test_utils=names)
    assert set(result.values()) == {"SUCCESS"}, result


@check
def compile_takes_the_operator_whole(w):
    def block(x, gamma, beta, weight, bias):
        return torch.relu(w.operators22.fused(x * 2, gamma, beta, weight, bias)) + 1

    arrays = w.arrays()
    expected = torch.relu(reference(arrays[0] * 2, *arrays[1:])) + 1
    compiled = torch.compile(block, fullgraph=True)
    close(compiled(*arrays), expected)
    dynamic = torch.compile(block, fullgraph=True, dynamic=True)
    for sizes in ((2, 3, 64, 48), (5, 2, 40, 8)):
        arrays = w.arrays(*sizes)
        close(dynamic(*arrays), torch.relu(reference(arrays[0] * 2, *arrays[1:])) + 1)


@check
def gradients_are_the_backward_variants(w):
    puzzle = w.checkout.module(9)
    operators = puzzle.register_torch(gradients={"mean": "backward"})
    x = torch.rand(12, device=w.device, requires_grad=True)
    operators.mean(x).sum().backward()
    close(x.grad, torch.full_like(x, 1 / 12))
    # In float the differences of gradcheck need a wide step.
    assert torch.autograd.gradcheck(operators.mean, (x,), eps=1e-2, atol=1e-3, rtol=1e-3)
    compiled = torch.compile(lambda x: operators.mean(x * x), fullgraph=True)
    x.grad = None
    compiled(x).sum().backward()
    close(x.grad, 2 * x.detach() / 12)
    result = torch.library.opcheck(operators.mean, (torch.rand(8, device=w.device, requires_grad=True),))
    assert set(result.values()) == {"SUCCESS"}, result
    says(ValueError, "has no function 'bakward'", w.checkout.module(9).register_torch, gradients={"mean": "bakward"})


@check
def findings_and_empty_regions(w):
    module = w.checkout.module(22, "learner")
    says(NotImplementedError, "holds no code yet", module.fused, *w.arrays())


@check
@on_gpu
def a_launch_that_fails_is_said(w):
    wrong = w.checkout.edited("04_in_place", "__global__ void update_kernel(", "__global__ void __launch_bounds__(32) update_kernel(")
    says(wrong.KernelError, "update", wrong.update, torch.zeros(100, device=w.device))
    x = torch.zeros(4, device=w.device)
    w.checkout.module(4).update(x)  # and the device is still there
    assert x.tolist() == [1.0] * 4


@check
@on_gpu
def cupy_arrays(w):
    try:
        import cupy
    except ImportError:
        return "no CuPy"
    arrays = [cupy.from_dlpack(a) for a in w.arrays()]
    y = w.puzzle22.fused(*arrays)
    assert isinstance(y, cupy.ndarray) and w.puzzle22.last_call.addresses["x"] == arrays[0].data.ptr
    close(torch.from_dlpack(y), reference(*w.arrays()))
    stream = cupy.cuda.Stream()
    y = w.puzzle22.fused(*arrays, stream=stream)
    stream.synchronize()
    close(torch.from_dlpack(y), reference(*w.arrays()))
    says(ValueError, "cupy.ascontiguousarray(weight)", w.puzzle22.fused, *arrays[:3], cupy.ones((64, 48), "float32").T,
         arrays[4])
    return None


@check
def jax_arrays(w):
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
    try:
        import jax
    except ImportError:
        return "no JAX"
    if w.device == "cuda" and not any(d.platform == "gpu" for d in jax.devices()):
        return "JAX without a GPU"
    arrays = [jax.numpy.asarray(a.cpu().numpy()) for a in w.arrays()]
    y = w.puzzle22.fused(*arrays)
    assert isinstance(y, jax.Array), type(y)
    close(torch.from_dlpack(y).cpu(), reference(*[a.cpu() for a in w.arrays()]))
    says(ValueError, "y is an array of JAX, which nothing may write to", w.puzzle22.fused, *arrays, out=y)
    return None


@check
@on_gpu
def what_a_call_costs(w):
    x = torch.zeros(1, device=w.device)
    four = w.checkout.module(4)
    operator = four.register_torch().update
    words = []
    for name, function in (("plain", four.update), ("operator", operator)):
        for _ in range(50):
            function(x)
        torch.cuda.synchronize()
        begun = time.perf_counter()
        for _ in range(500):
            function(x)
        words.append(f"{name} {1e6 * (time.perf_counter() - begun) / 500:.0f} us")
        torch.cuda.synchronize()
    return ", ".join(words)


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--workbook", default=str(ROOT / "build/workbook/harness/cli/workbook"))
    options.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    options.add_argument("names", nargs="*")
    asked = options.parse_args()
    if os.system(f"'{ROOT}/harness/python/prepare.sh' '{sys.executable}'") != 0:
        sys.exit(5)
    world = World(asked.workbook, asked.device)
    print(f"op_check: PyTorch {torch.__version__} on {torch.cuda.get_device_name() if asked.device == 'cuda' else 'the simulator'}")
    failed = run_checks(world, asked.device, asked.names)
    world.checkout.remove()
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
