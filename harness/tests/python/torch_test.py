"""Found kernels with PyTorch on the CPU, by the simulator: calls, from_torch, torch.compile(backend="workbook"). Ends with 77 where there is no PyTorch.

    PYTHON harness/tests/python/torch_test.py WORKBOOK [-k NAME]     a Python that has NumPy and PyTorch; minutes
"""
import os
import pickle
import shutil
import sys
import unittest
import unittest.mock
from pathlib import Path

try:
    import torch
except ImportError:
    print("torch_test: this Python has no PyTorch: found kernels are tried on NumPy's arrays alone")
    sys.exit(77)

REPOSITORY = Path(__file__).resolve().parents[3]
WORKBOOK = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else ""
sys.path[:0] = [str(REPOSITORY / folder) for folder in ("harness/python", "harness/gpu", "harness/bench/gpu")]
import optimizer_checks  # noqa: E402
import workbook_optimizer as wo  # noqa: E402
from state import new_state  # noqa: E402
from checks import CHECKS  # noqa: E402
from optimize_models import Decoder, LlamaBlock, decoder, llama  # noqa: E402
from torch._subclasses.fake_tensor import unset_fake_temporarily  # noqa: E402
from workbook_optimizer import backend  # noqa: E402


def setUpModule():
    global state
    state = new_state("torch-test-")
    os.environ.update(WORKBOOK=WORKBOOK, WORKBOOK_STATE=state, NO_COLOR="1")


def tearDownModule():
    shutil.rmtree(state)


class Tensors(unittest.TestCase):
    def test_what_is_checked_on_a_gpu(self):
        world = optimizer_checks.World(os.path.join(state, "python"), "cpu", True)
        for check in CHECKS:
            if not getattr(check, "gpu", False):
                with self.subTest(check.__name__):
                    check(world)

    def test_what_from_torch_does_not_know_is_named(self):
        with self.assertRaises(wo.ProgramError) as caught:
            wo.from_torch(lambda x, y: torch.fft.fft(torch.cat([x, y])).abs() + x.cumsum(0)[0], torch.randn(3), torch.randn(3))
        for words in ("aten.fft_fft.default (fft_fft) is not known", "aten.cumsum.default (cumsum) is not known: a sum of all before it"):
            self.assertIn(words, str(caught.exception))
        with self.assertRaises(wo.ProgramError) as caught:
            wo.from_torch(lambda x, i: x[i], torch.randn(3), torch.tensor([1]))
        self.assertIn("aten.index.Tensor", str(caught.exception))

    def test_what_stays_with_pytorch_is_said(self):
        """Operators that the language has, and not of whole numbers; rows that such choose."""
        class Biased(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.table = torch.nn.Embedding(8, 2)

            def forward(self, x, mask):
                places = torch.arange(5)
                apart = (places[None] - places[:, None]).abs().clamp(max=7)
                scores = x @ x.mT + self.table(apart).permute(2, 0, 1)
                scores = scores + (1.0 - mask[:, None, :].to(x.dtype)) * torch.finfo(x.dtype).min
                return torch.softmax(scores, -1) @ x
        torch.manual_seed(0)
        model, x, mask = Biased(), torch.randn(2, 5, 4), torch.tensor([[1] * 5, [1, 1, 1, 0, 0]])
        f = wo.from_torch(model, x, mask, seconds=2)
        with torch.no_grad():
            torch.testing.assert_close(f(x, mask), model(x, mask), rtol=1e-4, atol=1e-4)
        self.assertIn("stays with PyTorch: aten.clamp.default: gives int64", f.explain())
        self.assertTrue(any("input x1[i" in kernel.program and "i32" in kernel.program for kernel in f.kernels), f.program)
        with self.assertRaisesRegex(ValueError, "x has the shape .*, and this chain of kernels is for"):
            f(x[:1], mask)

    def test_arguments_and_results_as_the_function_has_them(self):
        """By name, in tuples, numbers among them; a dictionary comes back."""
        class Cell(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.cell = torch.nn.LSTMCell(4, 6)

            def forward(self, x, state, *, scale=2.0):
                h, c = self.cell(x, state)
                return {"h": h * scale, "rest": [c, None, 3]}
        torch.manual_seed(0)
        model, x, state = Cell(), torch.randn(3, 4), (torch.randn(3, 6), torch.randn(3, 6))
        f = wo.from_torch(model, x, state, keywords={"scale": 3.0}, seconds=2)
        with torch.no_grad():
            got, wanted = f(x, state, scale=3.0), model(x, state, scale=3.0)
        torch.testing.assert_close((got["h"], got["rest"][0]), (wanted["h"], wanted["rest"][0]), rtol=1e-4, atol=1e-4)
        self.assertEqual(got["rest"][1:], [None, 3])
        self.assertEqual(sum("sum(" in kernel.program for kernel in f.kernels), 1)  # both are made of one product
        with self.assertRaisesRegex(TypeError, "takes 4 arguments .*, 2 by place and scale by name, and got 4 by place"):
            f(x, *state, 3.0)
        with self.assertRaisesRegex(ValueError, "scale was 3.0 when kernels were found"):
            f(x, state, scale=2.0)
        with self.assertRaisesRegex(ValueError, "x requires a gradient, .* has gradients"):
            f(x.clone().requires_grad_(), state, scale=3.0)
        twice = wo.from_torch(lambda x, by: {"y": x * by}, x, 2, seconds=2)
        torch.testing.assert_close(pickle.loads(pickle.dumps(twice))(x, 2)["y"], 2 * x)

    def test_what_a_function_writes_is_written(self):
        class Counting(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.register_buffer("seen", torch.zeros(4))

            def forward(self, x):
                self.seen += x.sum(0)
                x[:, 0] *= 2
                return torch.relu_(x + self.seen)
        model = Counting()
        f = wo.from_torch(model, torch.ones(3, 4), seconds=2)
        peer = Counting()
        for _ in range(2):
            x, y = torch.ones(3, 4), torch.ones(3, 4)
            torch.testing.assert_close(f(x), peer(y))
            torch.testing.assert_close((x, model.seen), (y, peer.seen))

    def test_layers_that_pytorch_takes_apart(self):
        class Block(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.tiles, self.ones = torch.nn.Conv2d(3, 8, 2, stride=2), torch.nn.Conv2d(8, 4, 1)
                self.groups, self.all = torch.nn.GroupNorm(2, 8), torch.nn.LayerNorm((2, 3))

            def forward(self, x):
                with torch.autocast("cpu", enabled=False):
                    return self.all(self.ones(torch.nn.functional.silu(self.groups(self.tiles(x)))))
        torch.manual_seed(0)
        model, x = Block(), torch.randn(2, 3, 4, 6)
        f = wo.from_torch(model, x, seconds=2)
        with torch.no_grad():
            torch.testing.assert_close(f(x), model(x), rtol=1e-4, atol=1e-4)
        self.assertFalse(getattr(f, "stayed", {}))

    def test_a_divergence(self):
        def divergence(x, y):
            wanted = torch.nn.functional.softmax(y, -1) * (y > 0)
            return torch.nn.functional.kl_div(torch.log_softmax(x, -1), wanted, reduction="batchmean")
        torch.manual_seed(0)
        arrays = [torch.randn(5, 8), torch.randn(5, 8)]
        torch.testing.assert_close(wo.from_torch(divergence, *arrays, seconds=2)(*arrays), divergence(*arrays), rtol=1e-4, atol=1e-4)

    def test_places_number_rows_here_and_columns_there(self):
        def contrast(x, y):
            scores, labels = torch.nn.functional.normalize(x, dim=-1) @ torch.nn.functional.normalize(y, dim=-1).T, torch.arange(5)
            return torch.nn.functional.cross_entropy(scores, labels) + torch.nn.functional.cross_entropy(scores.T, labels)
        torch.manual_seed(0)
        arrays = [torch.randn(5, 8), torch.randn(5, 8)]
        torch.testing.assert_close(wo.from_torch(contrast, *arrays, seconds=2)(*arrays), contrast(*arrays), rtol=1e-4, atol=1e-4)

    def test_a_branch_by_values_is_no_graph(self):
        with self.assertRaisesRegex(wo.ProgramError, "torch.where"):
            wo.from_torch(lambda x: x if x.sum() > 0 else -x, torch.randn(3))

    def test_a_dimension_of_one_is_there_or_not(self):
        """The text is the same then, and what torch.compile is told of the result is not."""
        arrays, shapes = (torch.randn(1, 8, 16), torch.randn(16, 12)), ((1, 8, 12), (8, 12))
        found = [wo.from_torch(lambda x, w: (x @ w).view(shape), *arrays, seconds=2) for shape in shapes]  # noqa: B023
        self.assertEqual(found[0].program, found[1].program)
        for kernel, shape in zip(found, shapes):
            (one,) = kernel.kernels
            values = dict(zip(("arguments_0", "arguments_1"), arrays))
            operator = one.register_torch()
            self.assertEqual(operator(*(values[name].to("meta") for name in one.names)).shape, shape)
            self.assertEqual(kernel(*arrays).shape, shape)

    def test_rotary_attention_of_one_product_is_one_kernel(self):
        """Queries, keys and values are cut out of one product, whose dimension is heads and their elements; halves change places."""
        def turned(x, cos, sin):
            return x * cos + torch.cat((-x[..., 2:], x[..., :2]), -1) * sin

        def attention(x, w, cos, sin):
            q, k, v = (each.view(2, 3, 2, 4).transpose(1, 2) for each in (x @ w.T).split(8, -1))
            return torch.nn.functional.scaled_dot_product_attention(
                turned(q, cos, sin), turned(k, cos, sin), v, is_causal=True).transpose(1, 2).reshape(2, 3, 8)
        torch.manual_seed(0)
        arrays = [torch.randn(2, 3, 8), torch.randn(24, 8), torch.randn(3, 4), torch.randn(3, 4)]
        f = wo.from_torch(attention, *arrays, seconds=2)
        self.assertEqual(len(f.kernels), 1)
        torch.testing.assert_close(f(*arrays), attention(*arrays), rtol=1e-4, atol=1e-4)

    def test_what_is_too_large_for_one_program_is_a_chain(self):
        """More than 64 operations; one that gives no numbers, and turns between, are PyTorch's."""
        def many(x, a, b, angle):
            for _ in range(4):
                x = torch.tanh(x @ a + 1) * 2 + torch.where(x > 0, x, 0.5 * x)
                x = torch.view_as_real(torch.view_as_complex(x.view(3, 4, 2)) * angle).flatten(1)
            return x @ b, x
        torch.manual_seed(0)
        turns = torch.polar(torch.ones(4), torch.arange(4.0))
        arrays = [torch.randn(3, 8), torch.randn(8, 8) * 0.3, torch.randn(8, 5), turns]
        f = wo.from_torch(many, *arrays, seconds=1)
        self.assertGreater(len(f.kernels), 1)
        self.assertIn("One program it is not: ", f.explain())
        for one, two in zip(f(*arrays), many(*arrays)):
            torch.testing.assert_close(one, two, rtol=1e-4, atol=1e-4)


class Backend(unittest.TestCase):
    def setUp(self):
        torch._dynamo.reset()
        backend.compiled.clear()

    def compiled(self, model, **options):
        return torch.compile(model, backend="workbook", dynamic=False, options={"quiet": True, "seconds": 5, **options})

    def same(self, model, arrays, tolerance=4e-3, **options):
        with torch.no_grad():
            got = self.compiled(model, **options)(*arrays)
            wanted = model(*arrays)
        self.assertLess(float((got - wanted).abs().max() / wanted.abs().max()), tolerance)
        return backend.compiled[-1]

    def test_a_llama_block(self):
        model, arrays = llama(torch.float16, 8, "cpu", True)
        report = self.same(model, arrays, always=True)
        parts = [operators for _, operators in report.parts]
        self.assertIn(["rms_norm", "mm", "silu", "mm", "mul"], parts)
        self.assertIn(["scaled_dot_product_attention"], parts)
        self.assertEqual(parts.count(["mm", "add"]), 2)
        self.assertEqual(report.left, [])
        self.assertEqual(parts.count(["mul", "mul", "sub", "mul", "mul", "add", "cat"]), 2)
        self.assertEqual(report.stayed, {})

    def test_arguments_and_results_lie_as_pytorch_has_them(self):
        class Turned(torch.nn.Module):
            def forward(self, q, k, v, w):
                seen = torch.nn.functional.scaled_dot_product_attention(q.transpose(1, 2), k.transpose(1, 2), v.transpose(1, 2))
                return seen.transpose(1, 2).reshape(2, 5, 32) @ w, torch.tanh(q.transpose(1, 2)), torch.stack([q[..., 0], v[..., 7]], 1)
        arrays = [torch.randn(2, 5, 4, 8) for _ in range(3)] + [torch.randn(16, 32).T]
        with torch.no_grad():
            got, wanted = self.compiled(Turned(), always=True)(*arrays), Turned()(*arrays)
        for one, two in zip(got, wanted):
            torch.testing.assert_close(one, two, rtol=1e-4, atol=1e-4)
            self.assertEqual(one.stride(), two.stride())
        report = backend.compiled[-1]
        self.assertEqual([operators for _, operators in report.parts][:2], [["scaled_dot_product_attention"], ["mm"]])
        # The weight is taken as it lies.
        self.assertIn("input x1[i4,i2,i3] f32", report.parts[1][0].kernel.program)

    def test_the_rest_by_inductor(self):
        model, arrays = llama(torch.float16, 8, "cpu", True)
        report = self.same(model, arrays, rest="inductor")
        self.assertTrue(report.parts and report.left)

    def test_what_is_measured_decides(self):
        """On a GPU the times are its own; here they are given."""
        def times_of(part, result):
            self.assertEqual(result.shape, part.result.meta["val"].shape)
            return (9.0, 8.0) if part.products else (8.0, 9.0)

        class Gpu:
            device_of, compiled = staticmethod(lambda part: 0), staticmethod(lambda kernels: self.failures)

            @staticmethod
            def times(part, kernel, peer, cache, peer_name):
                with unset_fake_temporarily():
                    arrays = [torch.randn(node.meta["val"].shape, dtype=torch.float16) for node in part.inputs]
                    return times_of(part, peer(*arrays)[0])

        self.failures = {}
        model, arrays = llama(torch.float16, 8, "cpu", True)
        with unittest.mock.patch.object(backend, "timing", Gpu), unittest.mock.patch.object(backend, "_SLOWER", 100):
            for rest in ("eager", "inductor"):
                report = self.same(model, arrays, rest=rest)
                self.assertEqual({choice.how for choice, _ in report.parts}, {"measured"})
                self.assertIn(["silu", "mul"], [operators for _, operators in report.parts])
                self.assertFalse(any("mm" in operators for _, operators in report.parts))
                self.assertIn("measured 8.0 us, PyTorch's 9.0", str(report))
                self.assertIn("mm: its kernel is measured at 9.0 us, PyTorch's at 8.0", str(report))
                torch._dynamo.reset()
            self.failures = {choice.kernel.source: "there is no nvcc" for choice, _ in report.parts}
            report = self.same(model, arrays)
            self.assertEqual(report.parts, [])
            self.assertIn("stays with PyTorch: silu, mul: there is no nvcc", str(report))

    def test_what_pytorch_does_faster_stays(self):
        model, arrays = llama(torch.float16, 8, "cpu", True)
        report = self.same(model, arrays)
        self.assertTrue(all(choice.us <= choice.eager_us for choice, _ in report.parts))
        self.assertTrue(any("modelled at" in words for _, words in report.left))

    def test_a_decoder(self):
        model, arrays = decoder(torch.float16, 7, "cpu", True)
        report = self.same(model, arrays, always=True)
        self.assertIn(["native_layer_norm", "addmm", "gelu"], [operators for _, operators in report.parts])

    def test_gradients(self):
        torch.manual_seed(0)
        layer = torch.nn.Sequential(torch.nn.LayerNorm(24), torch.nn.Linear(24, 16), torch.nn.Tanh())
        x = torch.randn(5, 24)
        layer(x).square().sum().backward()
        wanted = [each.grad.clone() for each in layer.parameters()]
        layer.zero_grad()
        self.compiled(layer, always=True)(x).square().sum().backward()
        self.assertTrue(backend.compiled[0].parts)
        for each, grad in zip(layer.parameters(), wanted):
            torch.testing.assert_close(each.grad, grad, rtol=1e-4, atol=1e-4)

    def test_sizes_that_change_stay_right(self):
        function = torch.compile(lambda x: torch.softmax(x * 2, -1), backend="workbook", options={"quiet": True, "seconds": 5, "always": True})
        for rows in (3, 4, 5):
            x = torch.randn(rows, 8)
            torch.testing.assert_close(function(x), torch.softmax(x * 2, -1))
        self.assertEqual(len(backend.compiled[0].parts), 1)
        self.assertIn("known when it runs", str(backend.compiled[-1]))

    def test_masks_rows_and_gates(self):
        """Conditions and whole numbers of 64 bits come as PyTorch has them."""
        class Model(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.rows, self.gate = torch.nn.Embedding(20, 16), torch.nn.GRUCell(16, 16)

            def forward(self, ids, mask):
                x = self.rows(ids)
                seen = mask[:, None] & (torch.arange(6) <= torch.arange(6)[:, None])
                y = torch.nn.functional.scaled_dot_product_attention(x, x, x, attn_mask=seen)
                return self.gate(y[:, -1], x[:, 0]), torch.where(mask[..., None], y, 0.5)
        torch.manual_seed(0)
        model, mask = Model(), torch.tensor([[True] * 6, [True] * 4 + [False] * 2])
        ids = torch.randint(0, 20, (2, 6))
        with torch.no_grad():
            got, wanted = self.compiled(model, always=True)(ids, mask), model(ids, mask)
        for one, two in zip(got, wanted):
            torch.testing.assert_close(one, two, rtol=1e-4, atol=1e-4)
        report = backend.compiled[-1]
        self.assertTrue(any("embedding" in operators for _, operators in report.parts))
        self.assertTrue(any("scaled_dot_product_attention" in operators for _, operators in report.parts))
        self.assertNotIn("aten.where.self", report.stayed)

    def test_an_option_that_there_is_not(self):
        with self.assertRaisesRegex(Exception, "has no option sekonds; it has cache, seconds"):
            self.compiled(lambda x: x + 1, sekonds=1)(torch.ones(3))

    def test_models_have_the_sizes_that_they_say(self):
        with torch.device("meta"):
            self.assertEqual(sum(each.numel() for each in LlamaBlock().parameters()), 218_112_000)
            self.assertEqual(len(Decoder().layers), 2)


if __name__ == "__main__":
    if len(sys.argv) > 1 and not sys.argv[1].startswith("-"):
        sys.argv[1:] = ["-k", f"{sys.argv[1]}."]
    unittest.main()
