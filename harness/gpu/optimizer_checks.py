#!/usr/bin/env python3
"""What found kernels promise on PyTorch's tensors, and on CuPy's and JAX's: a line a check. harness/gpu/optimizer_check.py calls it, with kernels that were
searched for before; on the CPU all but streams and graphs runs on the simulator.

    optimizer_checks.py --cache DIR [--device cuda|cpu] [--search] [NAME ...]
"""
import argparse
import math
import os
import pickle
import sys
import time
from pathlib import Path

import torch
import torch.nn.functional as F

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "harness/python"))
import workbook_optimizer as wo  # noqa: E402
from checks import check, on_gpu, run_checks, says  # noqa: E402


def attention(**search):
    q, k, v = wo.input("q", (4, 16, 64)), wo.input("k", (4, 96, 64)), wo.input("v", (4, 96, 64))
    return wo.optimize(wo.softmax(q @ k.mT / 8) @ v, name="attention", **search)


def rms_linear(**search):
    x, g, w = wo.input("x", (16, 256)), wo.input("g", (256,)), wo.input("w", (256, 192))
    return wo.optimize(wo.rms_norm(x, g) @ w, name="rms_linear", **search)


def gated(**search):
    x, a, b = wo.input("x", (8, 128)), wo.input("a", (128, 96)), wo.input("b", (128, 96))
    return wo.optimize(wo.silu(x @ a) * (x @ b), name="gated", **search)


def norm_f32(**search):
    x, g, b = wo.input("x", (33, 257), wo.float32), wo.input("g", (257,), wo.float32), wo.input("b", (257,), wo.float32)
    return wo.optimize(wo.layer_norm(x, g, b), name="norm", **search)


def bfloat(**search):
    x, w = wo.input("x", (8, 128), wo.bfloat16), wo.input("w", (128, 64), wo.bfloat16)
    return wo.optimize(wo.relu(x @ w), name="bfloat", **search)


def gemv(**search):
    a, x = wo.input("a", (320, 512)), wo.input("x", (512,))
    return wo.optimize(a @ x, name="gemv", **search)


def one_query(**search):
    q, k, v = wo.input("q", (8, 1, 64)), wo.input("k", (8, 64, 512)), wo.input("v", (8, 512, 64))
    return wo.optimize(wo.softmax(q @ k / 8) @ v, name="one_query", **search)


def masked(**search):
    s, m = wo.input("s", (12, 64), wo.float32), wo.input("m", (12, 64), wo.float32, range=(-math.inf, 0))
    return wo.optimize(wo.softmax(s + m), name="masked", **search)


def two_results(**search):
    return wo.optimize("index b = 4 24, h = 8 100\ninput x[b,h] f32\ns = sum(h, x)\ny = x * x\noutput y[b,h] f32, s[b] f32\n", name="two", **search)


def outer(**search):
    a, b = wo.input("a", (40, 1), wo.float32), wo.input("b", (1, 56), wo.float32)
    return wo.optimize(wo.tanh(a) + b, name="outer_sum", **search)


class Gated(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = torch.nn.RMSNorm(64, eps=1e-5)
        self.gate, self.up = (torch.nn.Linear(64, 96, bias=False) for _ in range(2))

    def forward(self, x):
        n = self.norm(x)
        return F.silu(self.gate(n)) * self.up(n)


def causal(q, k, v):
    return F.scaled_dot_product_attention(q, k, v, is_causal=True)


def traced_causal(device="cpu", **search):
    examples = [torch.empty(1, 2, 16, 64, dtype=torch.float16, device=device) for _ in range(3)]
    return wo.from_torch(causal, *examples, name="causal", **search)


def traced_module(device="cpu", **search):
    torch.manual_seed(1)
    module = Gated().half().to(device)
    traced = wo.from_torch(module, torch.empty(2, 8, 64, dtype=torch.float16, device=device), name="gated_module", **search)
    traced.module = module
    return traced


KERNELS = {each.__name__: each for each in (attention, rms_linear, gated, norm_f32, bfloat, gemv, one_query, masked, two_results, outer, traced_causal,
                                            traced_module)}
# The same in PyTorch, of arguments in double.
EXPECTED = {
    "attention": lambda q, k, v: torch.softmax(q @ k.mT / 8, -1) @ v,
    "rms_linear": lambda x, g, w: F.rms_norm(x, x.shape[-1:], g, 1e-5) @ w,
    "gated": lambda x, a, b: F.silu(x @ a) * (x @ b),
    "norm_f32": lambda x, g, b: F.layer_norm(x, x.shape[-1:], g, b, 1e-5),
    "bfloat": lambda x, w: torch.relu(x @ w),
    "gemv": lambda a, x: a @ x,
    "one_query": lambda q, k, v: torch.softmax(q @ k / 8, -1) @ v,
    "masked": lambda s, m: torch.softmax(s + m, -1),
    "two_results": lambda x: (x * x, x.sum(-1)),
    "outer": lambda a, b: torch.tanh(a) + b,
}
TOLERANCE = {torch.float16: 2e-3, torch.bfloat16: 1.6e-2, torch.float32: 2e-5}


class World:
    def __init__(self, cache, device, search):
        self.device, self.search, self.found = device, {"cache": cache, "search": search}, {}

    def kernel(self, name):
        if name not in self.found:
            more = {"device": self.device} if name.startswith("traced") else {}
            self.found[name] = KERNELS[name](**self.search, **more)
        return self.found[name]

    def arrays(self, name, seed=0):
        torch.manual_seed(seed)
        kernel = self.kernel(name)
        made = [torch.randn(shape).to(getattr(torch, dtype.name)) for shape, dtype in zip(kernel.shapes, kernel.dtypes)]
        if name == "masked":
            made[1] = torch.ones_like(made[1]).tril(10).log()
        return [each.to(self.device) for each in made]


def close(got, expected):
    got, expected = (each if isinstance(each, tuple) else (each,) for each in (got, expected))
    for g, e in zip(got, expected, strict=True):
        assert g.shape == e.shape, f"{g.shape} instead of {e.shape}"
        limit = TOLERANCE[g.dtype] * max(1.0, float(e.abs().max()))
        error = float((g.double() - e.double()).abs().max())
        assert error <= limit, f"off by {error:.2e}, {limit:.2e} is allowed"


def double(arrays):
    return [each.double() for each in arrays]


@check
def ten_programs_agree_with_torch(w):
    for name, function in EXPECTED.items():
        for seed in (0, 1):
            arrays = w.arrays(name, seed)
            got = w.kernel(name)(*arrays)
            for each in got if isinstance(got, tuple) else (got,):
                assert each.device == arrays[0].device, each.device
            try:
                close(got, function(*double(arrays)))
            except AssertionError as error:
                raise AssertionError(f"{name}: {error}") from None


@check
def smaller_sizes(w):
    q, k, v = w.arrays("attention")
    for rows, keys in ((16, 96), (3, 41), (1, 1)):
        few = [q[:, :rows].contiguous(), k[:, :keys].contiguous(), v[:, :keys].contiguous()]
        close(w.kernel("attention")(*few), EXPECTED["attention"](*double(few)))
    x, g, b = w.arrays("norm_f32")
    few = [x[:5, :100].contiguous(), g[:100].clone(), b[:100].clone()]
    close(w.kernel("norm_f32")(*few), EXPECTED["norm_f32"](*double(few)))
    says(ValueError, "dimensions 0, 1, 2 may be smaller", w.kernel("attention"), torch.cat((q, q), 1), k, v)
    says(ValueError, "where it has 40 the arguments before it have 41", w.kernel("attention"), q, k[:, :41].contiguous(), v[:, :40].contiguous())


@check
def functions_and_modules_of_torch(w):
    torch.manual_seed(3)
    arrays = [torch.randn(1, 2, 16, 64, device=w.device).half() for _ in range(3)]
    close(w.kernel("traced_causal")(*arrays), causal(*double(arrays)))
    x = torch.randn(2, 8, 64, device=w.device).half()
    traced = w.kernel("traced_module")
    with torch.no_grad():
        close(traced(x), traced.module.double()(x.double()))
    traced.module.half()


@check
def tensors_that_do_not_fit_are_refused(w):
    q, k, v = w.arrays("attention")
    f = w.kernel("attention")
    says(TypeError, "q holds float32, and the kernel takes float16: q.to(torch.float16)", f, q.float(), k, v)
    says(ValueError, "k does not lie row by row in memory", f, q, k.mT.contiguous().mT, v)
    says(ValueError, "v requires a gradient", f, q, k, v.clone().requires_grad_())
    says(TypeError, "lacks v", f, q, k)
    says(ValueError, "to_dense()", f, q.to_sparse(), k, v)


@check
@on_gpu
def arrays_on_two_devices_are_refused(w):
    q, k, v = w.arrays("attention")
    says(ValueError, "q lies on GPU 0 and k on the CPU", w.kernel("attention"), q, k.cpu(), v)
    moved = torch.empty(q.numel() + 1, dtype=q.dtype, device=w.device)[1:].view(q.shape)
    says(ValueError, "begins at an address that is no multiple of 16", w.kernel("attention"), moved, k, v)


@check
@on_gpu
def arrays_of_the_cpu_are_refused_or_simulated(w):
    if not os.path.exists(os.environ.get("WORKBOOK", "")):
        return "there is no workbook here to simulate with"
    arrays = [each.cpu() for each in w.arrays("gemv")]
    close(w.kernel("gemv")(*arrays), EXPECTED["gemv"](*double(arrays)))
    return None


@check
def opcheck_finds_nothing(w):
    for name in ("attention", "norm_f32"):
        result = torch.library.opcheck(w.kernel(name).register_torch(), tuple(w.arrays(name)))
        assert set(result.values()) == {"SUCCESS"}, result


@check
def compile_keeps_the_operator(w):
    f, arrays = w.kernel("rms_linear"), w.arrays("rms_linear")
    seen = []

    def block(x, g, weight):
        return torch.relu(f(x * 2, g, weight)) + 1

    def backend(graph, examples):
        seen.extend(str(node.target) for node in graph.graph.nodes)
        return graph.forward
    expected = torch.relu(EXPECTED["rms_linear"](*double([arrays[0] * 2, *arrays[1:]]))) + 1
    close(torch.compile(block, fullgraph=True, backend=backend)(*arrays), expected)
    assert any("workbook_found.rms_linear" in each for each in seen), seen
    torch._dynamo.reset()
    if w.device == "cuda":
        close(torch.compile(block, fullgraph=True)(*arrays), expected)


@check
def pickled(w):
    arrays = w.arrays("gated")
    again = pickle.loads(pickle.dumps(w.kernel("gated")))
    assert torch.equal(again(*arrays), w.kernel("gated")(*arrays)) and again.plan == w.kernel("gated").plan


@check
@on_gpu
def work_goes_onto_the_current_stream(w):
    f, arrays = w.kernel("rms_linear"), w.arrays("rms_linear")
    expected = EXPECTED["rms_linear"](*double(arrays))
    kept = arrays[0].clone()
    f(*arrays)
    arrays[0].zero_()
    torch.cuda.synchronize()
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        torch.cuda._sleep(200_000_000)  # about a tenth of a second
        arrays[0].copy_(kept, non_blocking=True)
        y = f(*arrays)
        assert not stream.query(), "the call waited for the GPU"
    stream.synchronize()
    close(y, expected)


@check
@on_gpu
def a_cuda_graph_captures_it(w):
    for name in ("attention", "one_query", "gated"):
        f, arrays = w.kernel(name), w.arrays(name)
        f(*arrays)
        torch.cuda.synchronize()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            y = f(*arrays)
        for each, other in zip(arrays, w.arrays(name, 7)):
            each.copy_(other)
        graph.replay()
        close(y, EXPECTED[name](*double(arrays)))


@check
@on_gpu
def only_result_and_scratch_are_allocated(w):
    words = []
    for name in ("rms_linear", "one_query"):
        f, arrays = w.kernel(name), w.arrays(name)
        f(*arrays)
        torch.cuda.synchronize()
        torch.cuda.reset_peak_memory_stats()
        before = torch.cuda.memory_allocated()
        y = f(*arrays)
        more = torch.cuda.max_memory_allocated() - before - y.numel() * y.element_size()
        assert torch.cuda.memory_allocated() - before <= y.numel() * y.element_size() + 511, "scratch memory was kept"
        words.append(f"{name} {more} bytes of scratch")
    return ", ".join(words)


@check
@on_gpu
def cupy_arrays(w):
    try:
        import cupy
    except ImportError:
        return "no CuPy"
    arrays = w.arrays("rms_linear")
    given = [cupy.from_dlpack(each) for each in arrays]
    y = w.kernel("rms_linear")(*given)
    assert isinstance(y, cupy.ndarray)
    cupy.cuda.get_current_stream().synchronize()
    close(torch.from_dlpack(y), EXPECTED["rms_linear"](*double(arrays)))
    says(ValueError, "cupy.ascontiguousarray(w)", w.kernel("rms_linear"), *given[:2], cupy.ones((192, 256), "float16").T)
    says(TypeError, "one kind is wanted", w.kernel("rms_linear"), given[0], *arrays[1:])
    return None


@check
@on_gpu
def jax_arrays(w):
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
    try:
        import jax
    except ImportError:
        return "no JAX"
    if not any(each.platform == "gpu" for each in jax.devices()):
        return "JAX without a GPU"
    for name in ("norm_f32", "attention"):
        arrays = w.arrays(name)
        y = w.kernel(name)(*(jax.device_put(each.cpu().numpy(), jax.devices("gpu")[0]) for each in arrays))
        assert isinstance(y, jax.Array), type(y)
        close(torch.from_dlpack(y), EXPECTED[name](*double(arrays)))
    return None


@check
@on_gpu
def what_a_call_costs(w):
    words = []
    f, arrays = w.kernel("gemv"), w.arrays("gemv")
    for name, function in (("plain", f), ("operator", f.register_torch())):
        for _ in range(50):
            function(*arrays)
        torch.cuda.synchronize()
        begun = time.perf_counter()
        for _ in range(500):
            function(*arrays)
        words.append(f"{name} {1e6 * (time.perf_counter() - begun) / 500:.0f} us")
        torch.cuda.synchronize()
    return ", ".join(words)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--cache")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--search", action="store_true", help="for what --cache lacks")
    parser.add_argument("names", nargs="*")
    asked = parser.parse_args()
    world = World(asked.cache, asked.device, asked.search)
    sys.exit(1 if run_checks(world, asked.device, asked.names) else 0)


if __name__ == "__main__":
    main()
