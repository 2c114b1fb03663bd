"""Graphs of PyTorch's operators as programs, and cut into parts; none of it needs PyTorch. What runs on tensors is in
torch_test.py.

    build/op/venv/bin/python harness/tests/python/translation_test.py WORKBOOK [-k NAME]
"""
import math
import sys
import unittest
from operator import getitem
from pathlib import Path
from types import SimpleNamespace

del sys.argv[1:3 if sys.argv[2:3] == [""] else 2]
sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "harness/python"))
import workbook_optimizer as wo  # noqa: E402
from workbook_optimizer import aten, gpu, partition  # noqa: E402
from workbook_optimizer.from_torch import programs_of  # noqa: E402


class Dtype(str):
    @property
    def itemsize(self):
        return 2 if "16" in self else 4


class Value:
    """What torch.fx keeps of a tensor that has no elements yet."""

    def __init__(self, shape, dtype, strides=None):
        self.shape, self.dtype, self._strides = shape, Dtype(dtype), strides

    def stride(self):
        return self._strides or tuple(math.prod(self.shape[place + 1:]) for place in range(len(self.shape)))

    def is_contiguous(self):
        return self.stride() == Value(self.shape, self.dtype).stride()

    def permute(self, order):
        return Value(tuple(self.shape[place] for place in order), self.dtype, tuple(self.stride()[place] for place in order))


class Node:
    def __init__(self, op, name, target, args, kwargs, value):
        self.op, self.name, self.target, self.args, self.kwargs = op, name, target, args, kwargs
        self.meta = {"val": value}
        self.users = {}

    def __repr__(self):
        return self.name


class Graph:
    """As torch.fx.Graph, as far as it is looked at."""

    def __init__(self):
        self.nodes = []

    def input(self, name, *shape, dtype="float16", strides=None):
        return self._add(Node("placeholder", name, name, (), {}, Value(shape, dtype, strides)))

    def call(self, target, *args, shape=None, dtype="float16", **kwargs):
        node = Node("call_function", f"n{len(self.nodes)}", target, args, kwargs, None if shape is None else Value(shape, dtype))
        return self._add(node)

    def output(self, *results):
        self._add(Node("output", "output", "output", (results,), {}, None))
        return self

    def _add(self, node):
        self.nodes.append(node)
        for each in partition.arguments_of(node):
            each.users[node] = None
        return node


def lines(graph):
    """Of each program, without title and sizes."""
    return [program.text.split("\n", 2)[2] for program in programs_of(graph, "program")]


class Test(unittest.TestCase):
    def says(self, kind, words, function, *args, **kwargs):
        with self.assertRaises(kind) as caught:
            function(*args, **kwargs)
        self.assertIn(words, " ".join(str(caught.exception).split()))


class Programs(Test):
    def test_a_linear_layer_over_rows(self):
        g = Graph()
        x, w, b = g.input("x", 2, 5, 24), g.input("w", 12, 24), g.input("b", 12)
        rows = g.call("aten.view.default", x, [10, 24], shape=(10, 24))
        t = g.call("aten.t.default", w, shape=(24, 12))
        y = g.call("aten.addmm.default", b, rows, t, shape=(10, 12))
        y = g.call("aten.view.default", y, [2, 5, 12], shape=(2, 5, 12))
        g.output(g.call("aten.gelu.default", y, shape=(2, 5, 12), approximate="tanh"))
        whole, = lines(g)
        self.assertIn("input x[i0,i1] f16\ninput w[i2,i1] f16\ninput b[i2] f16\nt1 = sum(i1, x * w)\nt2 = t1 + b\n", whole)
        self.assertIn("gelu(t2)", whole)
        g = Graph()
        x, w = g.input("x", 2, 5, 24), g.input("w", 12, 24)
        g.output(g.call("aten.linear.default", x, w, shape=(2, 5, 12)))
        self.assertIn("t1 = sum(i1, x * w)\ny = t1\noutput y[i0,i2] f16", lines(g)[0])

    def test_each_elementwise_operator(self):
        for target, args, text in (("neg", (), "-x"), ("rsqrt", (), "rsqrt(x)"), ("pow", (2,), "x * x"), ("pow", (3,), "pow(x, 3)"),
                                   ("pow", (-0.5,), "rsqrt(x)"), ("rsub", (1,), "1 - x"), ("clamp", (0, 6), "max(x, 0)"),
                                   ("silu", (), "silu(x)"), ("reciprocal", (), "1 / x"), ("gelu", (), "erf(t"),
                                   ("add", (1,), "x + 1"), ("gt", (0,), "x > 0"), ("_to_copy", (), "y = x")):
            g = Graph()
            g.output(g.call(f"aten.{target}.default", g.input("x", 4, dtype="float32"), *args, shape=(4,), dtype="float32"))
            self.assertIn(text, lines(g)[0], target)

    def test_sums_and_norms(self):
        for target, args, shape, text in (("sum.dim_IntList", ([1],), (4,), "sum(i1, x)"), ("mean.dim", ([-1], True), (4, 1), "mean(i1, x)"),
                                          ("amax.default", ([0],), (8,), "max(i0, x)"), ("_softmax.default", (-1, False), (4, 8), "t1 = exp(x)"),
                                          ("_log_softmax.default", (1, False), (4, 8), "log("), ("var.correction", ([1],), (4,), "* 1.14285"),
                                          ("rms_norm.default", ([8],), (4, 8), "sqrt("), ("layer_norm.default", ([8],), (4, 8), "mean(i1, ")):
            g = Graph()
            g.output(g.call(f"aten.{target}", g.input("x", 4, 8), *args, shape=shape))
            self.assertIn(text, lines(g)[0], target)
        g = Graph()
        x, w, b = g.input("x", 4, 8), g.input("w", 8), g.input("b", 8)
        norm = g.call("aten.native_layer_norm.default", x, [8], w, b, 1e-5)
        g.output(g.call(getitem, norm, 0, shape=(4, 8)))
        self.assertIn("* w", lines(g)[0])

    def test_functions_of_elements(self):
        for target, args, text in (("leaky_relu", (0.2,), "0.2 * "), ("elu", (), "expm1("), ("hardtanh", (0, 6), "min(t1, 6)"), ("mish", (), "softplus("),
                                   ("floor_divide", (2,), "floor("), ("remainder", (2,), "floor("), ("round", (), "round(x)"), ("log2", (), "log(x)"),
                                   ("trunc", (), "sign(x)"), ("erfc", (), "1 - "), ("div.Tensor_mode", (2,), "floor("), ("roll", ([1], [0]), "x[i0"),
                                   ("flip", ([0],), "x[-1 * i"), ("lerp", (3.0, 0.5), "0.5 * ")):
            g = Graph()
            options = {"rounding_mode": "floor"} if "mode" in target else {}
            g.output(g.call(f"aten.{target}" if "." in target else f"aten.{target}.default", g.input("x", 4, dtype="float32"), *args,
                            shape=(4,), dtype="float32", **options))
            self.assertIn(text, lines(g)[0].replace("x[3 - i", "x[-1 * i"), target)
        g = Graph()
        g.output(g.call("aten.pow.Scalar", 2, g.input("x", 4), shape=(4,)))
        self.assertIn("exp(t1)", lines(g)[0])

    def test_norms_of_groups_and_channels(self):
        g = Graph()
        x, w, b = g.input("x", 2, 8, 5, 5), g.input("w", 8), g.input("b", 8)
        norm = g.call("aten.native_group_norm.default", x, w, b, 2, 8, 25, 4, 1e-5)
        g.output(g.call(getitem, norm, 0, shape=(2, 8, 5, 5)))
        self.assertIn("t1 = mean(i2, x)\nt2 = mean(i3, t1)", lines(g)[0])
        g = Graph()
        x, w, b, m, v = g.input("x", 2, 8, 5, 5), *(g.input(name, 8) for name in "wbmv")
        norm = g.call("aten._native_batch_norm_legit_no_training.default", x, w, b, m, v, 0.1, 1e-5)
        g.output(g.call(getitem, norm, 0, shape=(2, 8, 5, 5)))
        self.assertIn("t1 = x - m\nt2 = v + 1e-05\nt3 = sqrt(t2)\nt4 = t1 / t3", lines(g)[0])

    def test_masks_that_are_conditions_and_rows_of_64_bits(self):
        g = Graph()
        q, k, m = g.input("q", 1, 4, 6, 16), g.input("k", 1, 4, 7, 16), g.input("m", 6, 7, dtype="bool")
        g.output(g.call("aten.scaled_dot_product_attention.default", q, k, k, m, shape=(1, 4, 6, 16)))
        text, = lines(g)
        self.assertIn(" i32\nrange m = 0 1", text)
        self.assertIn("where(m, ", text)
        g = Graph()
        g.output(g.call("aten.embedding.default", g.input("table", 100, 8), g.input("ids", 5, dtype="int64"), shape=(5, 8)))
        self.assertIn("t1 = table[ids, i1]\n", lines(g)[0])
        g = Graph()
        places = g.call("aten.arange.start_step", 2, 7, 1, shape=(5,), dtype="int64")
        g.output(g.call("aten.embedding.default", g.input("table", 100, 8), places, shape=(5, 8)))
        self.assertIn("t4 = table[i", lines(g)[0].replace("t1 = table", "t4 = table"))

    def test_masks_of_places_are_whole_numbers_between(self):
        g = Graph()
        rows, columns = (g.call("aten.arange.default", 6, shape=(6,), dtype="int64") for _ in range(2))
        rows = g.call("aten.unsqueeze.default", rows, 1, shape=(6, 1), dtype="int64")
        seen = g.call("aten.le.Tensor", columns, g.call("aten.add.Tensor", rows, 2, shape=(6, 1), dtype="int64"), shape=(6, 6), dtype="bool")
        unseen = g.call("aten.bitwise_not.default", seen, shape=(6, 6), dtype="bool")
        y = g.call("aten.masked_fill.Scalar", g.input("x", 6, 6), unseen, -1e9, shape=(6, 6))
        parts, stays = partition.parts_of(g.output(y))
        self.assertEqual([len(parts), stays], [1, {}])
        self.assertIn("where(t", partition.program_of_part(parts[0], "part").text)

    def test_attention_of_each_device_is_one_program(self):
        texts = set()
        for target, rest, several in (("_scaled_dot_product_flash_attention", (0.0, True, False), True),
                                      ("_scaled_dot_product_flash_attention_for_cpu", (0.0, True), True),
                                      ("_scaled_dot_product_efficient_attention", (None, False, 0.0, True), True),
                                      ("_scaled_dot_product_cudnn_attention", (None, False, 0.0, True, False), True),
                                      ("scaled_dot_product_attention", (None, 0.0, True), False)):
            g = Graph()
            q, k, v = g.input("q", 1, 4, 6, 16), g.input("k", 1, 2, 6, 16), g.input("v", 1, 2, 6, 16)
            more = {} if several else {"enable_gqa": True}
            y = g.call(f"aten.{target}.default", q, k, v, *rest, shape=None if several else (1, 4, 6, 16), **more)
            g.output(g.call(getitem, y, 0, shape=(1, 4, 6, 16)) if several else y)
            texts.add(lines(g)[0])
        text, = texts
        self.assertNotIn("causal", text)
        self.assertIn(" >= ", text)
        self.assertIn("-inf)", text)
        self.assertIn("input q[i2,i3,i0,i4] f16\ninput k[i2,i1,i4] f16", text)
        self.assertIn("* 0.25", text)
        self.assertIn("output y[i2,i3,i0,i5] f16", text)

    def test_parts(self):
        g = Graph()
        x = g.input("x", 4, 6)
        first, second = (g.call("aten.slice.Tensor", x, 1, start, start + 3, shape=(4, 3)) for start in (0, 3))
        g.output(g.call("aten.mul.Tensor", first, second, shape=(4, 3)))
        self.assertIn("t1 = x[i0, i2]\nt2 = x[i0, i2 + 3]\nt3 = t1 * t2\n", lines(g)[0])

        g = Graph()
        x, z = g.input("x", 4, 6), g.input("z", 4, 2)
        g.output(g.call("aten.cat.default", [x, z], 1, shape=(4, 8)))
        self.assertIn("t1 = x[i0, i2]\nt2 = z[i0, i2 - 6]\nt3 = t1 + t2\n", lines(g)[0])

        g = Graph()
        table, ids = g.input("table", 100, 8), g.input("ids", 5, dtype="int32")
        g.output(g.call("aten.embedding.default", table, ids, shape=(5, 8)))
        self.assertIn("input ids[i2] i32\nt1 = table[ids, i1]\n", lines(g)[0])

        g = Graph()
        x = g.input("x", 6, 6)
        g.output(g.call("aten.tril.default", x, shape=(6, 6)))
        self.assertIn(" >= ", lines(g)[0])

    def test_rotary_positions_as_complex_numbers(self):
        g = Graph()
        x, turns = g.input("x", 5, 3, 8), g.input("turns", 5, 1, 4, dtype="complex64")
        pairs = g.call("aten.view.default", x, [5, 3, 4, 2], shape=(5, 3, 4, 2))
        product = g.call("aten.mul.Tensor", g.call("aten.view_as_complex.default", pairs, shape=(5, 3, 4), dtype="complex64"), turns,
                         shape=(5, 3, 4), dtype="complex64")
        real = g.call("aten.view_as_real.default", product, shape=(5, 3, 4, 2))
        g.output(g.call("aten.view.default", real, [5, 3, 8], shape=(5, 3, 8)))
        found, = lines(g)
        self.assertIn("input turns[i1,i3,i5] f32\n", found)
        self.assertIn("t3 = x[i1, i2, i3, 0]\nt4 = turns[i1, i3, 0]\n", found)
        g = Graph()
        z = g.input("z", 4, dtype="complex64")
        g.output(g.call("aten.exp.default", z, shape=(4,), dtype="complex64"))
        self.says(wo.ProgramError, "of complex numbers there are sums, products and magnitudes", programs_of, g, "program")

    def test_what_only_checks_is_passed_over(self):
        g = Graph()
        x = g.input("x", 3, 4)
        g.call("aten._assert_tensor_metadata.default", x, shape=())
        g.output(g.call("aten.exp.default", g.call("aten.type_as.default", x, x, shape=(3, 4)), shape=(3, 4)))
        self.assertIn("t1 = exp(x)", lines(g)[0])

    def test_one_row_for_all(self):
        """Of an embedding by zeros_like(ids)."""
        g = Graph()
        table, ids = g.input("table", 11, 8), g.input("ids", 5, dtype="int64")
        zeros = g.call("aten.zeros_like.default", ids, shape=(5,), dtype="int64")
        rows = g.call("aten.embedding.default", table, zeros, shape=(5, 8))
        g.output(g.call("aten.add.Tensor", rows, g.input("x", 5, 8), shape=(5, 8)))
        self.assertIn("t1 = table[0, i1]", lines(g)[0])

    def test_expanded_heads(self):
        g = Graph()
        q, k = g.input("q", 4, 6, 16), g.input("k", 2, 7, 16)
        many = g.call("aten.unsqueeze.default", k, 1, shape=(2, 1, 7, 16))
        many = g.call("aten.expand.default", many, [2, 2, 7, 16], shape=(2, 2, 7, 16))
        many = g.call("aten.clone.default", many, shape=(2, 2, 7, 16))
        many = g.call("aten.view.default", many, [4, 7, 16], shape=(4, 7, 16))
        many = g.call("aten.transpose.int", many, -1, -2, shape=(4, 16, 7))
        g.output(g.call("aten.bmm.default", q, many, shape=(4, 6, 7)))
        self.assertEqual(lines(g)[0], "input q[i0,i1,i2,i3] f16\ninput k[i0,i4,i3] f16\nt1 = sum(i3, q * k)\ny = t1\noutput y[i0,i1,i2,i4] f16\n")

    def test_what_is_not_known_is_named(self):
        g = Graph()
        x, i = g.input("x", 4, 8), g.input("i", 3, dtype="int64")
        a = g.call("aten.cumsum.default", x, 0, shape=(4, 8))
        b = g.call("aten.index.Tensor", g.call("aten.exp.default", a, shape=(4, 8)), [i], shape=(3, 8))
        g.output(b)
        self.says(wo.ProgramError, "aten.cumsum.default (n2) is not known: a sum of all before it is PyTorch's; aten.index.Tensor (n4) is "
                                   "not known", programs_of, g, "program")
        g = Graph()
        g.output(g.call("aten.add.Tensor", g.input("i", 3, dtype="int64"), 1, shape=(3,), dtype="int64"))
        self.says(wo.ProgramError, "i is int64, and tensors are float16, bfloat16 or float32", programs_of, g, "program")
        g = Graph()
        g.output(g.call("aten.dropout.default", g.input("x", 3), 0.5, True, shape=(3,)))
        self.says(wo.ProgramError, "of random numbers there are none", programs_of, g, "program")
        g = Graph()
        g.output(g.call("aten.bitwise_and.Scalar", g.input("i", 3, dtype="int32"), 3, shape=(3,), dtype="int32"))
        self.says(wo.ProgramError, "of whole numbers' bits there is nothing", programs_of, g, "program")
        g = Graph()  # what goes wrong inside is words, too
        g.output(g.call("aten.sum.dim_IntList", g.call("aten.zeros.default", [3, 4], shape=(3, 4)), [0], shape=(4,)))
        self.says(wo.ProgramError, "is not known with these arguments", programs_of, g, "program")

    def test_several_results_are_several_programs(self):
        g = Graph()
        x = g.input("x", 4, 8)
        e = g.call("aten.exp.default", x, shape=(4, 8))
        g.output(e, g.call("aten.sum.dim_IntList", e, [1], shape=(4,)))
        self.assertEqual([program.name for program in programs_of(g, "two")], ["two_0", "two_1"])


class Parts(Test):
    def parts(self, graph, barred=()):
        parts, stays = partition.parts_of(graph, barred)
        return [part.operators for part in parts], {str(node.target): words for node, words in stays.items() if words}

    def block(self):
        """RMSNorm, three projections of it; a gated product and its way back."""
        g = Graph()
        x, w = g.input("x", 16, 64), g.input("w", 64)
        a, b, c = (g.input(name, 64, 64) for name in "abc")
        n = g.call("workbook.rms_norm.default", x, [64], w, 1e-5, shape=(16, 64))
        q, k = (g.call("aten.mm.default", n, each, shape=(16, 64)) for each in (a, b))
        z = g.call("aten.mul.Tensor", g.call("aten.silu.default", q, shape=(16, 64)), k, shape=(16, 64))
        d = g.call("aten.mm.default", z, c, shape=(16, 64))
        return g, x, g.call("aten.add.Tensor", x, d, shape=(16, 64))

    def test_what_only_one_takes_joins_it(self):
        g, _, y = self.block()
        operators, stays = self.parts(g.output(y))
        # One product feeds no other; what is between them goes with the first.
        self.assertEqual(operators, [["rms_norm", "mm", "mm", "silu", "mul"], ["mm", "add"]])
        self.assertEqual(stays, {})

    def test_what_several_take_is_a_part(self):
        g, x, y = self.block()
        norm = next(node for node in g.nodes if "rms_norm" in str(node.target))
        other = g.call("aten.mm.default", norm, g.input("e", 64, 8), shape=(16, 8))
        operators, _ = self.parts(g.output(y, other))
        self.assertEqual(operators, [["rms_norm"], ["mm", "mm", "silu", "mul"], ["mm", "add"], ["mm"]])

    def test_what_is_not_known_stays_and_parts_around_it(self):
        g = Graph()
        x = g.input("x", 4, 8)
        a = g.call("aten.exp.default", x, shape=(4, 8))
        b = g.call("aten.cumsum.default", a, 0, shape=(4, 8))
        c = g.call("aten.mul.Tensor", b, x, shape=(4, 8))
        operators, stays = self.parts(g.output(c))
        self.assertEqual(operators, [["exp"], ["mul"]])
        self.assertEqual(stays, {"aten.cumsum.default": "is not known: a sum of all before it is PyTorch's"})

    def test_what_gives_no_numbers_stays_and_says_what_it_gives(self):
        g = Graph()
        y = g.call("aten.gt.Scalar", g.input("x", 4, 8), 0, shape=(4, 8), dtype="bool")
        self.assertEqual(self.parts(g.output(y))[1], {"aten.gt.Scalar": "gives bool, and kernels give float16, bfloat16 or float32"})

    def test_weights_by_gates_are_one_part(self):
        """z * h where z comes of h: its dimension is summed over and stands in the result."""
        g = Graph()
        h, w = g.input("h", 3, 12), g.input("w", 12, 12)
        z = g.call("aten.sigmoid.default", g.call("aten.mm.default", h, w, shape=(3, 12)), shape=(3, 12))
        text, = lines(g.output(g.call("aten.mul.Tensor", z, h, shape=(3, 12))))
        self.assertIn("= h[i0, i2]", text)

    def test_two_dimensions_that_are_one_are_named_once(self):
        g = Graph()
        x = g.input("x", 2, 4, 6, 8)
        text, = lines(g.output(g.call("aten.scaled_dot_product_attention.default", x, x, x, shape=(2, 4, 6, 8))))
        self.assertIn("= x[i0, i3, i2]", text)

    def test_views_alone_are_pytorchs(self):
        g = Graph()
        x = g.input("x", 4, 8)
        operators, stays = self.parts(g.output(g.call("aten.transpose.int", x, 0, 1, shape=(8, 4))))
        self.assertEqual([operators, stays], [[], {}])

    def test_a_product_that_is_barred(self):
        g, _, y = self.block()
        g.output(y)
        products = {node: "slower" for node in g.nodes if node.target == "aten.mm.default"}
        operators, stays = self.parts(g, products)
        self.assertEqual(operators, [["rms_norm"], ["silu", "mul"], ["add"]])
        self.assertEqual(stays, {"aten.mm.default": "slower"})

    def test_attention_and_its_result(self):
        g = Graph()
        q, w = g.input("q", 1, 2, 6, 16), g.input("w", 16, 16)
        seen = g.call("aten._scaled_dot_product_flash_attention.default", q, q, q)
        first = g.call(getitem, seen, 0, shape=(1, 2, 6, 16))
        rows = g.call("aten.view.default", first, [12, 16], shape=(12, 16))
        operators, _ = self.parts(g.output(g.call("aten.mm.default", rows, w, shape=(12, 16))))
        self.assertEqual(operators, [["_scaled_dot_product_flash_attention"], ["mm"]])

    def test_a_size_that_is_known_later_stays(self):
        class Symbol:
            def __repr__(self):
                return "s0"
        g = Graph()
        x = g.input("x", Symbol(), 8)
        _, stays = self.parts(g.output(g.call("aten.exp.default", x, shape=(Symbol(), 8))))
        self.assertIn("known when it runs", stays["aten.exp.default"])

    def test_programs_of_parts_and_what_pytorch_would_take(self):
        g, _, y = self.block()
        parts, _ = partition.parts_of(g.output(y))
        program = partition.program_of_part(parts[1], "part")
        self.assertIn("input x0[i0,i2] f16\ninput x1[i2,i1] f16\ninput x2[i0,i1] f16", program.text)
        h200 = partition.GPUS["h200"]
        self.assertAlmostEqual(partition.modelled_of(parts[1], h200), 2 * 1.5 + (16 * 64 * 2 * 5 + 64 * 64 * 2) / h200.bytes_per_us)
        self.assertEqual(partition.copies_us(parts[1], h200), 0)
        g = Graph()
        part, = partition.parts_of(g.output(g.call("aten.exp.default", g.input("x", 64, 64, strides=(128, 1)), shape=(64, 64))))[0]
        self.assertAlmostEqual(partition.copies_us(part, h200), 1.5 + 2 * 64 * 64 * 2 / h200.bytes_per_us)

    def test_arguments_are_taken_as_they_lie(self):
        g = Graph()
        part, = partition.parts_of(g.output(g.call("aten.exp.default", g.input("x", 2, 3, 4, strides=(4, 8, 1)), shape=(2, 3, 4))))[0]
        text = partition.program_of_part(part, "part").text
        self.assertIn("input x0[i0,i1,i2] f16\n", text)
        self.assertIn("output y[i1,i0,i2] f16\n", text)
        self.assertEqual(partition.copies_us(part, partition.GPUS["h200"]), 0)
        for shape, strides, order in (((2, 3, 4), (12, 4, 1), [0, 1, 2]), ((2, 1, 4), (4, 77, 1), [0, 1, 2]),
                                      ((2, 3, 4), (1, 2, 6), [2, 1, 0]), ((2, 3), (4, 1), [0, 1]), ((), (), [])):
            self.assertEqual(partition.order_in_memory(Value(shape, "float16", strides)), order)
            self.assertEqual([order[place] for place in partition.inverse_of(order)], list(range(len(shape))))

    def rotated(self, g, x, turned):
        one, two = (g.call("aten.slice.Tensor", x, 2, start, start + 4, shape=(2, 6, 4)) for start in (0, 4))
        c = g.input("c", 6, 4)
        half = g.call("aten.mul.Tensor", one, c, shape=(2, 6, 4))
        return g.call("aten.cat.default", [half, g.call("aten.neg.default", two, shape=(2, 6, 4))][::turned], 2, shape=(2, 6, 8))

    def test_parts_of_what_is_computed(self):
        g = Graph()
        y = self.rotated(g, g.input("x", 2, 6, 8), 1)
        parts, stays = partition.parts_of(g.output(y))
        self.assertEqual([[part.operators for part in parts], stays], [[["mul", "neg", "cat"]], {}])
        self.assertIn("= where(", partition.program_of_part(parts[0], "part").text)

    def test_what_parts_are_taken_of_is_computed_once(self):
        """Products and sums do not join what takes parts of them, and rotated queries do not join an attention."""
        g = Graph()
        x, w = g.input("x", 12, 8), g.input("w", 8, 8)
        q = g.call("aten.view.default", g.call("aten.mm.default", x, w, shape=(12, 8)), [2, 6, 8], shape=(2, 6, 8))
        n = g.call("aten.softmax.int", g.input("z", 2, 6, 8), -1, shape=(2, 6, 8))
        q, k = self.rotated(g, q, 1), self.rotated(g, n, -1)
        operators, _ = self.parts(g.output(g.call("aten.scaled_dot_product_attention.default", q, k, k, shape=(2, 6, 8))))
        self.assertEqual(sorted(map(len, operators)), [1, 1, 1, 3, 3])

    def test_a_copy_in_another_order_is_written_by_what_computes_it(self):
        g = Graph()
        x, w = g.input("x", 2, 6, 4), g.input("w", 8, 8)
        e = g.call("aten.exp.default", x, shape=(2, 6, 4))
        c = g.call("aten.clone.default", g.call("aten.transpose.int", e, 0, 1, shape=(6, 2, 4)), shape=(6, 2, 4))
        y = g.call("aten.mm.default", g.call("aten.view.default", c, [6, 8], shape=(6, 8)), w, shape=(6, 8))
        parts, _ = partition.parts_of(g.output(y))
        self.assertEqual([part.operators for part in parts], [["exp"], ["mm"]])
        self.assertIn("output y[i1,i0,i2] f16", partition.program_of_part(parts[0], "part").text)


class Wrapped(Test):
    CHECK = """    [[maybe_unused]] const int b_size = sizes[0];
    auto* const x = input<half>(cases, std::size_t{1} * b_size);
    auto* const y = allocated<float>(std::size_t{1} * b_size);
    auto* const t1 = allocated<float>(std::size_t{1} * b_size * 3);
    check(launch_it(y, x, t1, b_size), "launch");
"""

    def kernel(self, check, outputs=("y",)):
        return SimpleNamespace(name="it", check=check, inputs=[("x",)], found={"outputs": [{"name": name} for name in outputs]}, results=outputs)

    def test_scratch_memory_is_what_the_check_allocates(self):
        text = gpu.call_text(self.kernel(self.CHECK))
        self.assertIn("bytes += rounded(sizeof(float) * (std::size_t{1} * b_size * 3));", text)
        self.assertEqual(text.count("bytes += "), 1)
        self.assertIn("auto* const y = static_cast<float*>(tensors[1]);", text)
        self.assertIn("launch_it(y, x, t1, b_size, static_cast<cudaStream_t>(stream));", text)

    def test_several_outputs_are_arguments(self):
        text = gpu.call_text(self.kernel(self.CHECK.replace("t1", "s"), ("y", "s")))
        self.assertIn("auto* const y = static_cast<float*>(tensors[1]);", text)
        self.assertIn("auto* const s = static_cast<float*>(tensors[2]);", text)
        self.assertNotIn("bytes += ", text)

    def test_another_check_is_refused(self):
        self.says(wo.OptimizeError, "of another version of the workbook; search anew", gpu.call_text, self.kernel("int main() {}"))


if __name__ == "__main__":
    if len(sys.argv) > 1 and not sys.argv[1].startswith("-"):
        sys.argv[1:] = ["-k", f"{sys.argv[1]}."]
    unittest.main()
