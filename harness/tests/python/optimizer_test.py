"""What the package workbook_optimizer promises, with NumPy and the simulator: texts, results, refusals, pickles.

    build/op/venv/bin/python harness/tests/python/optimizer_test.py WORKBOOK [-k NAME]
"""
import json
import math
import os
import pickle
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np

REPOSITORY = Path(__file__).resolve().parents[3]
WORKBOOK = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else ""
sys.path.insert(0, str(REPOSITORY / "harness/python"))
import workbook_optimizer as wo  # noqa: E402
from state import new_state  # noqa: E402

random = np.random.default_rng(0)


def setUpModule():
    global state
    state = new_state("optimizer-test-")
    os.environ.update(WORKBOOK=WORKBOOK, WORKBOOK_STATE=state, NO_COLOR="1")


def tearDownModule():
    shutil.rmtree(state)


def text(result):
    """A program's lines but for title and sizes."""
    from workbook_optimizer.program import program_of
    return program_of(result).text.split("\n", 2)[2]


def half(*shape):
    return random.standard_normal(shape).astype(np.float16)


class Test(unittest.TestCase):
    def says(self, kind, words, function, *args, **kwargs):
        with self.assertRaises(kind) as caught:
            function(*args, **kwargs)
        self.assertIn(words, " ".join(str(caught.exception).split()))

    def near(self, got, wanted, tolerance=2e-3):
        self.assertEqual(got.shape, wanted.shape)
        np.testing.assert_allclose(got.astype(np.float64), wanted, rtol=tolerance, atol=tolerance)


class Texts(Test):
    def test_matmul_broadcasts_and_names_indices(self):
        x, w = wo.input("x", (5, 4, 8)), wo.input("w", (8, 6))
        self.assertEqual(text(x @ w), "input x[i0,i1,i2] f16\ninput w[i2,i3] f16\nt1 = sum(i2, x * w)\ny = t1\n"
                                      "output y[i0,i1,i3] f16\n")

    def test_a_dimension_of_size_1_that_meets_a_larger_one_is_none(self):
        x, y = wo.input("x", (4, 1, 8), wo.float32), wo.input("y", (4, 5, 1), wo.float32)
        self.assertIn("input x[i0,i1] f32", text(x + y))
        self.assertIn("input y[i0,i2] f32", text(x + y))
        self.assertEqual((x + y).shape, (4, 5, 8))
        self.assertIn("output y_[i0,i2,i1] f32", text(x + y))
        # Where it meets none it stays one.
        self.assertIn("input x[i0,i1,i2] f32", text(-x))

    def test_part_of_what_stays_in_a_reshape(self):
        x, w = wo.input("x", (2, 5, 8)), wo.input("w", (8, 12))
        rows = (x.reshape(10, 8) @ w).reshape(2, 5, 12)
        found = text(rows[..., 4:8] * rows[..., 8:])
        self.assertIn("= w[i1, i3 + 4]", found)
        self.assertIn("= w[i1, i3 + 8]", found)
        self.assertIn("= x[i0, i3 + 1, i2]", text(rows[:, 1:]))

    def test_part_of_what_a_reshape_cuts_or_joins(self):
        x, w, c = wo.input("x", (2, 5, 8)), wo.input("w", (12, 8)), wo.input("c", (5, 4))
        heads = (x.reshape(10, 8) @ w.T).reshape(2, 5, 3, 4).swapaxes(1, 2)
        found = text(heads * c + wo.concatenate([-heads[..., 2:], heads[..., :2]], -1) * c)
        # The dimension of 12 is two indices; a half of the second is taken, and of the first all.
        self.assertIn("input w[i3,i4,i2] f16", found)
        self.assertIn("= w[i3, i4 + 2, i2]", found)
        self.assertIn("= w[i3, i4 - 2, i2]", found)
        q, k, v = (each.reshape(2, 5, 3, 4) for each in wo.split((x.reshape(10, 8) @ wo.input("a", (36, 8)).T).reshape(2, 5, 36), 3, -1))
        self.assertIn("= a[i4 + 6, i5, i1]", text((q * k + v)[..., 0:2]))
        joined = wo.input("z", (2, 5, 8)).reshape(10, 8)
        self.assertIn("= z[0, i1]", text(joined[:5] * 2))
        self.assertIn("= z[1, 2, i2]", text(joined[7] * 2))
        self.says(wo.ProgramError, "take the part first", lambda: joined[1:])

    def test_places_that_meet_themselves_and_such_of_one_element(self):
        i, x = wo.arange(5), wo.input("x", (5, 5))
        self.assertIn(" >= ", text(wo.where(i[:, None] >= i, x, 0)))
        one = wo.arange(1)
        self.assertEqual(text(wo.where(one[:, None] >= one, wo.input("x", (2, 4)), 0)), "input x[i0,i1] f16\ny = x\noutput y[i0,i1] f16\n")

    def test_sums_and_views(self):
        x = wo.input("x", (4, 8))
        self.assertEqual(x.sum().shape, ())
        self.assertEqual(x.mean(-1, keepdims=True).shape, (4, 1))
        self.assertEqual(x.T[:, None, :].shape, (8, 1, 4))
        self.assertIn("t1 = sum(i0, x)", text(x.sum(0)))
        self.assertIn("output y[i1,i0] f16", text(wo.exp(x).T))

    def test_what_the_language_lacks_is_refused_in_words(self):
        x = wo.input("x", (4, 8))
        self.says(wo.ProgramError, "matmul of (4, 8) and (4, 8): sizes 8 and 4 do not fit", lambda: x @ x)
        self.says(wo.ProgramError, "a tensor has no ['a']", lambda: x["a"])
        self.says(wo.ProgramError, "choose with wo.where", lambda: 1 if x else 2)
        self.says(wo.ProgramError, "(4, 8) has no axis 2", x.sum, 2)
        self.says(wo.ProgramError, "is no type of tensors", wo.input, "z", (4,), "int8")
        self.says(wo.ProgramError, "whole numbers from 1 on, not 0", wo.input, "z", (0,))
        self.says(TypeError, "takes wo tensors and numbers, not ndarray", lambda: x + half(4, 8))
        self.says(wo.ProgramError, "two inputs are called x", text, x + wo.input("x", (4, 8)))

    def test_a_name_that_is_a_word_of_the_language_is_changed(self):
        self.assertIn("input exp_[i0] f16", text(wo.input("exp", (4,)) + 1))

    def test_what_pytorch_users_write(self):
        x, n = wo.input("x", (4, 8), wo.float32), wo.input("n", (4, 1), wo.int32)
        self.assertIn("t1 = abs(x)\nt2 = sqrt(t1)", text(abs(x).sqrt()))
        self.assertIn("t1 = max(x, 0)\nt2 = min(t1, 6)", text(x.clamp(0, 6)))
        self.assertIn("t4 = sum(i1, t3)\nt5 = size(i1)\nt6 = t5 - 1\nt7 = t4 / t6", text(x.var(-1, correction=1)))
        self.assertIn("t4 = mean(i0, t3)\nt5 = sqrt(t4)", text(x.std(0)))
        self.assertIn("t2 = sum(i1, t1)\nt3 = sqrt(t2)", text(wo.norm(x, -1)))
        self.assertIn("t2 = t1 < n", text(wo.where(wo.arange(8) < n, x, 0)))
        self.assertIn("max(t1, t2)", text(wo.where((x > 0) | (x < -1), x, 0)))
        self.says(AttributeError, "x.max(axis) is the element", lambda: x.argmax(-1))
        self.says(AttributeError, "a cumulative sum is one under a mask", lambda: x.cumsum(0))
        self.says(AttributeError, "a tensor has no 'foo'", lambda: x.foo)

    def test_an_index_that_meets_itself_is_two(self):
        x, w, s = wo.input("x", (4, 6)), wo.input("w", (6, 6)), wo.input("s", (5, 5))
        self.assertEqual(text(x @ x.T), "input x[i0,i1] f16\nt1 = x[i2, i1]\nt2 = sum(i1, x * t1)\ny = t2\noutput y[i0,i2] f16\n")
        self.assertIn("t1 = s[i1, i0]\nt2 = s + t1", text(s + s.T))
        self.assertIn("t1 = s[i1, i2]\nt2 = sum(i1, s * t1)", text(s @ s))
        q, k = ((x @ each).reshape(4, 3, 2).swapaxes(0, 1) for each in (w, wo.input("u", (6, 6))))
        self.assertEqual((q @ k.mT).shape, (3, 4, 4))
        self.assertIn("t2 = x[i4, i1]", text(wo.softmax(q @ k.mT)))
        self.assertIn("input y[i0] f16\nt1 = x * y", text(x * wo.input("y", (4, 1))))  # others stay as they are

    def test_comparisons_are_expressions_and_what_decides_nothing_says_so(self):
        x, z = wo.input("x", (4, 6), wo.float32), wo.input("z", (4, 6), wo.float32)
        self.assertIn("t1 = x == z\nt2 = where(t1, x, 0)", text(wo.where(x == z, x, 0)))
        self.assertIn("t1 = x != 0", text((x != 0) * z))
        self.assertIn("where(t1, 0, 1)", text(~(x > 0)))
        self.assertIn("t1 = x / 2\nt2 = floor(t1)\nt3 = t2 * 2\nt4 = x - t3", text(x % 2))
        self.assertIn("exp(t1)", text(2**x))
        self.says(wo.ProgramError, "(0 < x) & (x < 1)", lambda: 0 < x < 1)
        self.says(wo.ProgramError, "wo.maximum(a, b)", max, x, z)
        self.assertFalse(x == None)  # noqa: E711
        self.assertEqual(len({x, z, x}), 2)
        self.says(TypeError, "an array is an argument of the kernel", lambda: x == half(4, 6))

    def test_names_of_numpy_and_pytorch(self):
        x, z, q = wo.input("x", (4, 6)), wo.input("z", (4, 6)), wo.input("q", (2, 3, 4, 8))
        for one, two in ((x.mean(dim=-1, keepdim=True), x.mean(-1, True)), (np.exp(x), wo.exp(x)), (np.add(x, z), x + z),
                         (x.std(-1, ddof=1), x.std(-1, correction=1)), (x.split(4, 1)[1], x[:, 4:]), (x.chunk(2, -1)[1], x[:, 3:]),
                         (x.masked_fill(x > 0, 0), wo.where(x > 0, 0, x)), (wo.softmax(x, dim=0), wo.softmax(x, 0)),
                         (wo.cat([x, z], dim=1), wo.concatenate([x, z], 1)), (np.sum(x, axis=1), x.sum(1)), (x.flatten(), x.reshape(24)),
                         (q.transpose(1, 2), q.swapaxes(1, 2)), (q.flatten(1, 2), q.reshape(2, 12, 8)), (x.unsqueeze(0), x[None]),
                         (np.float32(2) * x, 2 * x), (x + np.array(3.0), x + 3), (wo.einsum("ij,kj->ik", x, z), x @ z.T)):
            self.assertEqual(text(one).split("input", 1)[1].replace("t1 = x * z\nt2 = sum(i1, t1)\ny = t2", "t1 = sum(i1, x * z)\ny = t1"),
                             text(two).split("input", 1)[1])
        self.assertIn("where(i2 >= 0, x, 0)", text(wo.broadcast_to(x, (3, 4, 6))))
        self.assertIn("t1 = sum(i2, where(i2 >= 0, x, 0))", text(x.expand(3, 4, 6).sum(0)))
        self.assertIn("where(", text(wo.stack([x, z], -1)))
        self.says(wo.ProgramError, "swaps them in PyTorch: write x.T, or x", x.transpose, 0, 1)
        self.says(AttributeError, "is softmax meant?", lambda: x.softmaks())
        self.says(AttributeError, "is softmax meant?", lambda: wo.softmaks)
        self.says(AttributeError, "numbers stand by themselves", lambda: wo.ones_like(x))
        self.says(wo.ProgramError, "a letter stands once in 'ii'", wo.einsum, "ii->i", x)
        self.says(TypeError, "np.median takes no wo tensors", np.median, x)

    def test_reshapes_cut_indices_and_join_them(self):
        x, w = wo.input("x", (2, 5, 24)), wo.input("w", (12, 24))
        self.assertEqual(text((x.reshape(-1, 24) @ w.T).reshape(2, 5, 12)),  # rows are one index
                         "input x[i0,i1] f16\ninput w[i2,i1] f16\nt1 = sum(i1, x * w)\ny = t1\noutput y[i0,i2] f16\n")
        q, k = wo.input("q", (5, 24)), wo.input("k", (7, 24))
        heads = q.reshape(5, 4, 6).swapaxes(0, 1) @ k.reshape(7, 4, 6).transpose(1, 2, 0)
        self.assertEqual(heads.shape, (4, 5, 7))
        self.assertEqual(text(heads), "input q[i0,i1,i2] f16\ninput k[i3,i1,i2] f16\nt1 = sum(i2, q * k)\ny = t1\n"
                                      "output y[i1,i0,i3] f16\n")
        self.says(wo.ProgramError, "(5, 24) cannot become (5, 7)", q.reshape, 5, 7)
        self.says(wo.ProgramError, "cuts a dimension where another begins", text, wo.input("z", (4, 6)).reshape(3, 8) + 1)

    def test_two_programs_of_the_same_inputs_know_nothing_of_each_other(self):
        x, y, z = wo.input("x", (4, 1)), wo.input("y", (4, 8)), wo.input("z", (4, 1))
        before = text(x * z)
        text(x * y)
        self.assertEqual(text(x * z), before)


class Calls(Test):
    def test_attention(self):
        q = wo.input("q", (2, 3, 16))
        k, v = wo.input("k", (2, 40, 16)), wo.input("v", (2, 40, 16))
        f = wo.optimize(wo.softmax(q @ k.mT / 4) @ v, name="attention")
        arrays = half(2, 3, 16), half(2, 40, 16), half(2, 40, 16)
        got = f(*arrays)
        self.assertEqual(got.dtype, np.float16)
        q, k, v = (array.astype(np.float64) for array in arrays)
        e = np.exp(q @ k.swapaxes(-1, -2) / 4)
        self.near(got, e / e.sum(-1, keepdims=True) @ v)
        self.near(f(q=arrays[0], v=arrays[2], k=arrays[1]), got.astype(np.float64))
        self.assertIn("__global__", f.source)
        self.assertIn("modelled", f.explain())
        self.assertGreater(f.plan["us"], 0)
        again = pickle.loads(pickle.dumps(f))
        self.near(again(*arrays), got.astype(np.float64))
        self.says(ValueError, "k has the shape (2, 41, 16), and the kernel was found for (2, 40, 16); dimensions 0, 1, 2 may "
                              "be smaller", f, arrays[0], half(2, 41, 16), arrays[2])
        self.says(ValueError, "where it has 40 the arguments before it have 7", f, arrays[0], half(2, 7, 16), arrays[2])
        few = [array[:, :count] for array, count in zip(arrays, (2, 33, 33))]
        e = np.exp(few[0].astype(np.float64) @ few[1].astype(np.float64).swapaxes(-1, -2) / 4)
        self.near(f(*few), e / e.sum(-1, keepdims=True) @ few[2].astype(np.float64))
        self.says(TypeError, "q holds float32, and the kernel takes float16", f, arrays[0].astype(np.float32), *arrays[1:])
        self.says(TypeError, "lacks k and v", f, arrays[0])
        self.says(TypeError, "takes 3 arrays (q, k, v), and got 4", f, *arrays, arrays[0])
        self.says(TypeError, "has no argument w", f, *arrays[:2], w=arrays[2])
        self.says(TypeError, "q is a list", f, [1.0], *arrays[1:])
        self.says(TypeError, "q is a masked array", f, np.ma.masked_array(arrays[0]), *arrays[1:])
        self.says(TypeError, "q.astype('float16') converts it", f, arrays[0].astype(np.float64), *arrays[1:])

    def test_a_norm_a_mask_and_broadcasting(self):
        x, w, m = wo.input("x", (5, 32), wo.float32), wo.input("w", (32,), wo.float32), wo.input("m", (5, 1), wo.float32)
        f = wo.optimize(wo.where(m > 0, wo.rms_norm(x, w), -x), name="masked")
        a, b = (random.standard_normal(shape).astype(np.float32) for shape in ((5, 32), (32,)))
        c = np.array([[1.0], [0.0], [2.0], [-1.0], [0.5]], np.float32)
        normed = a / np.sqrt((a.astype(np.float64)**2).mean(-1, keepdims=True) + 1e-5) * b
        self.near(f(a, b, c), np.where(c > 0, normed, -a), 1e-5)

    def test_minus_infinity_in_a_mask(self):
        s, m = wo.input("s", (4, 64), wo.float32), wo.input("m", (4, 64), wo.float32, range=(-math.inf, 0))
        f = wo.optimize(wo.softmax(s + m), name="mask")
        scores = random.standard_normal((4, 64)).astype(np.float32)
        mask = np.where(np.arange(64) <= np.arange(4)[:, None], 0, -np.inf).astype(np.float32)
        e = np.exp(scores + mask)
        self.near(f(scores, mask), e / e.sum(-1, keepdims=True), 1e-5)

    def test_places_parts_and_rows(self):
        q, k, v = (wo.input(name, (2, 9, 8)) for name in "qkv")
        rows, columns = wo.arange(9)[:, None], wo.arange(9)
        seen = (rows >= columns) & (rows < columns + 4)
        f = wo.optimize(wo.softmax(wo.where(seen, q @ k.mT, -math.inf)) @ v, seconds=3)
        a, b, c = half(2, 9, 8), half(2, 9, 8), half(2, 9, 8)
        i, j = np.arange(9)[:, None], np.arange(9)
        p = np.where((i >= j) & (i < j + 4), np.exp(a.astype(float) @ b.astype(float).swapaxes(1, 2)), 0)
        self.near(f(a, b, c), (p / p.sum(-1, keepdims=True)) @ c.astype(float), 1e-2)

        x, z, e, ids = wo.input("x", (4, 6)), wo.input("z", (4, 3)), wo.input("e", (11, 9)), wo.input("ids", (4,), wo.int32)
        one, two = wo.split(x, 2, 1)
        f = wo.optimize(wo.concatenate([x, z], 1) + e[ids], seconds=2)
        a, b, c, d = half(4, 6), half(4, 3), half(11, 9), np.array([10, 0, 3, 3], np.int32)
        self.near(f(a, b, c, d), np.concatenate([a, b], 1).astype(float) + c[d])
        f = wo.optimize(one * two + x[:, ::2] + x[1, 2:5], seconds=2)
        self.near(f(a), a[:, :3].astype(float) * a[:, 3:] + a[:, ::2] + a[1, 2:5])

    def test_parts_of_what_is_computed(self):
        x, c, s, w = (wo.input(name, shape, wo.float32) for name, shape in (("x", (2, 5, 8)), ("c", (5, 4)), ("s", (5, 4)), ("w", (8, 6))))
        a, b, d, e = (random.standard_normal(each.shape).astype(np.float32) for each in (x, c, s, w))
        one, two = wo.split(x, 2, 2)
        f = wo.optimize(wo.concatenate([one * c - two * s, two * c + one * s], 2), seconds=2)
        self.assertEqual(len(f.plan["launches"]), 1)
        left, right = a[..., :4], a[..., 4:]
        self.near(f(a, b, d), np.concatenate([left * b - right * d, right * b + left * d], 2), 1e-5)
        p = np.exp(a) / np.exp(a).sum(-1, keepdims=True)
        seen = np.where(np.arange(5)[:, None] >= np.arange(8), a, 0)
        for made, arrays, wanted in (
                (wo.softmax(x)[:, 1:3, 2:6], [a], p[:, 1:3, 2:6]),
                ((x @ w)[:, 2, ::2], [a, e], (a @ e)[:, 2, ::2]),
                (wo.where(wo.arange(5)[:, None] >= wo.arange(8), x, 0)[:, 1:4, 3], [a], seen[:, 1:4, 3]),
                (wo.exp(x.transpose(1, 0, 2))[2, :, -1], [a], np.exp(a[:, 2, -1])),
                (wo.concatenate([x[:, :, 6:], x[:, :, :2]], 2), [a], np.concatenate([a[..., 6:], a[..., :2]], 2)),
                (wo.concatenate([x, wo.sum(x, 1, True)], 1), [a], np.concatenate([a, a.sum(1, keepdims=True)], 1)),
                (wo.stack([x[:, :, 0], x[:, :, 1] * 2, wo.relu(x)[:, :, 7]], 1), [a],
                 np.stack([a[..., 0], a[..., 1] * 2, np.maximum(a[..., 7], 0)], 1))):
            with self.subTest(text(made)):
                self.near(wo.optimize(made, seconds=2)(*arrays), wanted, 1e-5)

    def test_short_rows(self):
        x = wo.input("x", (7, 3, 20))
        f = wo.optimize(wo.softmax(x), seconds=2)
        self.assertIn("kRowsBeside", f.source)
        a = half(7, 3, 20)
        e = np.exp(a.astype(float))
        self.near(f(a), e / e.sum(-1, keepdims=True))

    def test_parts_that_there_are_not(self):
        x, ids = wo.input("x", (4, 6)), wo.input("ids", (4,), wo.int32)
        self.says(wo.ProgramError, "rows are chosen of inputs, not of what is computed", lambda: wo.exp(x)[ids])
        self.says(wo.ProgramError, "take the part first", lambda: x.reshape(24)[1:])
        self.says(wo.ProgramError, "write the number", lambda: wo.arange(4)[2])
        self.says(TypeError, "stack takes a list of wo tensors", lambda: wo.stack([]))
        self.says(wo.ProgramError, "has no [9] in dimension 0", lambda: x[9])
        self.says(wo.ProgramError, "6 is no multiple of 4", lambda: wo.split(x, 4, 1))
        self.says(wo.ProgramError, "nothing is left of 4", lambda: x[3:3])

    def test_text_and_what_it_is_refused_for(self):
        f = wo.optimize("index b = 2 3, h = 4 40\ninput x[b,h] f32\ny = x / sum(h, x * x)\noutput y[b,h] f32\n")
        x = random.standard_normal((3, 40)).astype(np.float32)
        self.near(f(x), x / (x * x).sum(-1, keepdims=True), 1e-5)
        self.says(wo.ProgramError, "program.wbp:1:1: there is no `output` line", wo.optimize, "")
        self.says(wo.ProgramError, "there is no function 'foo'; there are sum", wo.optimize,
                  "index b = 2\ninput x[b]\ny = foo(x)\noutput y[b]\n")

    def test_text_with_places_is_called_with_what_it_declares(self):
        f = wo.optimize("index b = 2 3, s = 2 4, t = 2 6\ninput x[b,t] f32, n[b] i32\n"
                        "y = sum(t, where(t <= s and t < n, x[b,t] + x[b,t + 1], 0))\noutput y[b,s] f32\n")
        self.assertEqual((f.names, f.shapes), (["x", "n"], [(3, 6), (3,)]))
        x, n = random.standard_normal((3, 6)).astype(np.float32), np.array([1, 3, 6], np.int32)
        pairs = x + np.pad(x, ((0, 0), (0, 1)))[:, 1:]
        places = np.arange(6)
        seen = (places <= np.arange(4)[:, None])[None] & (places < n[:, None, None])
        self.near(f(x, n), (pairs[:, None] * seen).sum(-1), 1e-5)

    def test_several_outputs(self):
        f = wo.optimize("index b = 2 3, h = 4 40\ninput x[b,h] f32\ns = sum(h, x)\ny = x * x\noutput y[b,h] f32, s[b] f32\n")
        x = random.standard_normal((3, 40)).astype(np.float32)
        y, s = f(x)
        self.near(y, x.astype(np.float64)**2, 1e-5)
        self.near(s, x.astype(np.float64).sum(-1), 1e-4)
        self.assertEqual([len(f.plan["launches"]), f.names], [1, ["x"]])
        self.assertIn("launch_program(float* y, float* s, const float* x, ", f.source)
        # One that has a product is a kernel of its own.
        w = wo.input("w", (40, 5), wo.float32)
        f = wo.optimize((wo.input("x", (3, 40), wo.float32) @ w, wo.exp(w)), seconds=2)
        self.assertEqual([len(f.kernels), f.names], [2, ["w", "x"]])
        e = random.standard_normal((40, 5)).astype(np.float32)
        y, s = f(e, x)
        self.near(y, x.astype(np.float64) @ e, 1e-4)
        self.near(s, np.exp(e.astype(np.float64)), 1e-5)

    def test_results_of_the_same_loops_are_one_launch(self):
        p, g, m = (wo.input(name, (5, 40), wo.float32) for name in "pgm")
        more = m * 0.9 + g
        f = wo.optimize([p - more * 0.1, more], dtype=["float32", "float16"], seconds=2)
        self.assertEqual([len(f.plan["launches"]), f.source.count("__global__")], [1, 1])
        p, g, m = (random.standard_normal((5, 40)).astype(np.float32) for _ in range(3))
        one, two = f(p, g, m)
        self.assertEqual([one.dtype, two.dtype], [np.float32, np.float16])
        self.near(two, m * 0.9 + g, 2e-3)
        self.near(one, p - (m * 0.9 + g) * 0.1, 1e-5)  # of what is not rounded yet
        self.assertEqual([each.shape for each in pickle.loads(pickle.dumps(f))(p[:2], g[:2], m[:2])], [(2, 40), (2, 40)])
        self.says(wo.ProgramError, "a program has a result", wo.optimize, [])

    def test_what_was_found_is_kept(self):
        x = wo.input("x", (6, 10), wo.float32)
        with tempfile.TemporaryDirectory() as cache:
            self.says(wo.OptimizeError, "holds no kernel for kept, and a search was not asked for", wo.optimize, x + 1, name="kept",
                      cache=cache, search=False)
            wo.optimize(x + 1, name="kept", cache=cache)
            file, = Path(cache).glob("*/found.json")
            before = os.environ["WORKBOOK"]
            os.environ["WORKBOOK"] = "/nothing"  # who is asked for nothing need not be there
            try:
                self.assertIn("modelled", wo.optimize(x + 1, name="kept", cache=cache).explain())
                self.assertIn("modelled", wo.optimize(x + 1, name="kept", cache=cache, seconds=5, search=False).explain())
                kept = json.loads(file.read_text())
                file.write_text(json.dumps({**kept, "optimizer": "another"}))
                wo.optimize(x + 1, name="kept", cache=cache, search=False)
                self.assertRaises(FileNotFoundError, wo.optimize, x + 1, name="kept", cache=cache)
                program = Path(cache, "workbook")
                program.write_text("#!/bin/sh\necho '{\"error\":\"It is not built.\",\"exit\":5}'\nexit 5\n")
                program.chmod(0o755)
                os.environ["WORKBOOK"] = str(program)
                self.says(wo.OptimizeError, "ended with status 5: It is not built.", wo.optimize, x + 1, name="kept", cache=cache)
            finally:
                os.environ["WORKBOOK"] = before
            for damaged in ("{", "[]", json.dumps({**kept, "found": [{}]}), json.dumps({"format": 1})):
                file.write_text(damaged)
                self.says(wo.OptimizeError, "holds no kernel for kept", wo.optimize, x + 1, name="kept", cache=cache, search=False)
            wo.optimize(x + 1, name="kept", cache=cache)
            self.assertEqual(json.loads(file.read_text())["optimizer"], kept["optimizer"])
            self.says(wo.OptimizeError, "cannot be written", wo.optimize, x + 1, name="kept", cache=file)
        self.says(ValueError, "seconds is how long to search", wo.optimize, x + 1, seconds="fast")

    def test_the_command_runs_a_script(self):
        with tempfile.TemporaryDirectory() as folder:
            script = Path(folder, "mine.py")
            script.write_text("import numpy as np\nimport workbook_optimizer as wo\n"
                              "f = wo.optimize(wo.input('x', (8,), wo.float32) * 2)\n"
                              "print(f(np.arange(8, dtype=np.float32)).sum())\n")
            done = subprocess.run([WORKBOOK, "optimize", str(script)], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(done.stdout, "56.0\n")
        said = subprocess.run([WORKBOOK, "optimize", "--env"], capture_output=True, text=True).stdout
        self.assertIn("harness/python'", said)


if __name__ == "__main__":
    if len(sys.argv) > 1 and not sys.argv[1].startswith("-"):
        sys.argv[1:] = ["-k", f"{sys.argv[1]}."]
    unittest.main()
