"""What `workbook op` promises, with NumPy and the simulator: results, exceptions, findings, memory.

    build/op/venv/bin/python harness/tests/python/op_test.py WORKBOOK [-k NAME]
"""
import contextlib
import io
import os
import subprocess
import sys
import unittest
import warnings
from pathlib import Path

import numpy as np

from checkout import Checkout

WORKBOOK = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else ""


def setUpModule():
    global checkout
    checkout = Checkout(WORKBOOK)


def tearDownModule():
    checkout.remove()


def layernorm_linear_arrays(b=2, s=3, h=33, o=7):
    random = np.random.default_rng(22)
    draw = lambda *shape: random.standard_normal(shape).astype(np.float32)
    return draw(b, s, h), draw(h), draw(h), draw(o, h), draw(o)


def layernorm_linear(x, gamma, beta, weight, bias):
    x = x.astype(np.float64)
    row = (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-5) * gamma + beta
    return row @ weight.T + bias


class Test(unittest.TestCase):
    def says(self, kind, words, function, *args, **kwargs):
        """The call raises that, and all of the words are in what it says."""
        with self.assertRaises(kind) as caught:
            function(*args, **kwargs)
        said = " ".join(str(caught.exception).split())
        for word in [words] if isinstance(words, str) else words:
            self.assertIn(word, said)


class Results(Test):
    @classmethod
    def setUpClass(cls):
        cls.puzzle = checkout.module(22)

    def test_every_variant_agrees_with_numpy(self):
        arrays = layernorm_linear_arrays()
        for function in (self.puzzle.unfused, self.puzzle.fused, self.puzzle.fused_block):
            with self.subTest(function.__name__), warnings.catch_warnings():
                warnings.simplefilter("error")
                y = function(*arrays)
                self.assertEqual((y.dtype, y.shape), (np.float32, (2, 3, 7)))
                np.testing.assert_allclose(y, layernorm_linear(*arrays), atol=2e-5)

    def test_keywords_are_the_tensors(self):
        x, gamma, beta, weight, bias = layernorm_linear_arrays()
        y = self.puzzle.fused(bias=bias, weight=weight, beta=beta, gamma=gamma, x=x)
        np.testing.assert_allclose(y, layernorm_linear(x, gamma, beta, weight, bias), atol=2e-5)

    def test_out_is_written_and_returned(self):
        arrays = layernorm_linear_arrays()
        out = np.zeros((2, 3, 7), np.float32)
        address = out.ctypes.data
        y = self.puzzle.fused(*arrays, out=out)
        self.assertIs(y, out)
        self.assertEqual(out.ctypes.data, address)
        np.testing.assert_allclose(out, layernorm_linear(*arrays), atol=2e-5)

    def test_read_only_inputs_are_read(self):
        arrays = layernorm_linear_arrays()
        for array in arrays:
            array.flags.writeable = False
        np.testing.assert_allclose(self.puzzle.fused(*arrays), layernorm_linear(*arrays), atol=2e-5)

    def test_other_makers_of_buffers(self):
        import array

        module = checkout.module(4)
        values = array.array("f", [1.0, 2.0, 3.0])
        self.assertIs(module.update(values), values)
        self.assertEqual(list(values), [3.0, 5.0, 7.0])

    def test_help_and_signature(self):
        import inspect

        self.assertEqual(str(inspect.signature(self.puzzle.fused)),
                         "(x, gamma, beta, weight, bias, *, out=None, stream=None)")
        self.assertIn("weight  float32 [O, H]", self.puzzle.fused.__doc__)
        self.assertIn("fused_block(x, gamma", self.puzzle.__doc__)


class Types(Test):
    def test_f16_with_an_expression_for_a_shape(self):
        a = np.arange(7, dtype=np.float16)
        out = checkout.module(1).pairs(a)
        self.assertEqual(out.dtype, np.float16)
        np.testing.assert_array_equal(out, a + a)

    def test_i32_indices(self):
        table = np.arange(20, dtype=np.float32).reshape(5, 4)
        index = np.array([4, 0, 2], np.int32)
        np.testing.assert_array_equal(checkout.module(2).flat(table, index), table[index])

    def test_u8_in_and_zeroed_u32_out(self):
        values = np.array([3, 3, 255, 0], np.uint8)
        np.testing.assert_array_equal(checkout.module(3).atomics(values), np.bincount(values, minlength=256))

    def test_i64_and_two_results(self):
        x = np.random.default_rng(5).uniform(-10, 10, (6, 9)).astype(np.float32)
        where, total = checkout.module(5).rows(x)
        self.assertEqual((where.dtype, total.dtype), (np.int64, np.float32))
        np.testing.assert_allclose(total, np.exp(x).sum(1), rtol=1e-4)
        out = (np.empty(6, np.int64), np.empty(6, np.float32))
        again = checkout.module(5).rows(x, out=out)
        self.assertIs(again[0], out[0])
        np.testing.assert_array_equal(out[0], where)

    def test_bf16_is_bits_in_numpy(self):
        bits = (np.array([1.0, 2.0, 1.5, 1.25], np.float32).view(np.uint32) >> 16).astype(np.uint16)
        module = checkout.module(10)
        out = module.block(bits)
        self.assertEqual((out.dtype, out.shape), (np.uint16, (2,)))
        self.says(TypeError, ["float32", "NumPy has no bfloat16"], module.block, np.ones(4, np.float32))

    def test_streams_and_graphs_run(self):
        a = np.linspace(-1, 1, 70, dtype=np.float32)
        for number, name in ((6, "graph"), (7, "streams")):
            self.assertTrue(np.isfinite(getattr(checkout.module(number), name)(a)).all())

    def test_a_size_that_no_array_tells(self):
        module = checkout.module(9)
        gradient = np.ones(1, np.float32)
        self.says(ValueError, ["the size N cannot be told from the arrays", "N=..."], module.backward, gradient)
        self.assertEqual(module.backward(gradient, N=8).shape, (8,))
        self.assertEqual(module.backward(gradient, out=np.empty(5, np.float32)).shape, (5,))


class Memory(Test):
    def test_in_place_changes_the_array_that_was_given(self):
        module = checkout.module(4)
        x = np.arange(100, dtype=np.float32)
        expected, address = 2 * x + 1, x.ctypes.data
        self.assertIs(module.update(x), x)
        self.assertEqual(x.ctypes.data, address)
        np.testing.assert_array_equal(x, expected)

    def test_device_arrays_and_results_are_not_copied(self):
        module = checkout.module(22)
        arrays = [module.device_array(a) for a in layernorm_linear_arrays()]
        out = module.device_array(np.zeros((2, 3, 7), np.float32))
        module.fused(*arrays, out=out)
        self.assertEqual(module.last_call.copied, [])
        self.assertEqual(module.last_call.addresses["x"], arrays[0].ctypes.data)
        self.assertEqual(module.last_call.addresses["y"], out.ctypes.data)
        np.testing.assert_allclose(out, layernorm_linear(*arrays), atol=2e-5)

    def test_a_kernel_writes_the_very_pages_that_numpy_reads(self):
        module = checkout.module(4)
        x = module.device_array(np.arange(5000, dtype=np.float32))
        window = x[1000:1010]  # NumPy's view of the same memory, made before the call
        module.update(x)
        self.assertEqual(module.last_call.copied, [])
        np.testing.assert_array_equal(window, 2 * np.arange(1000, 1010) + 1)

    def test_a_result_goes_on_to_the_next_call_without_a_copy(self):
        module = checkout.module(1)
        first = module.pairs(np.ones(5, np.float16))
        self.assertEqual(module.last_call.copied, ["a"])
        module.pairs(first)
        self.assertEqual(module.last_call.copied, [])

    def test_a_part_of_a_device_array_is_copied_and_right(self):
        module = checkout.module(4)
        x = module.device_array(np.arange(8, dtype=np.float32))
        module.update(x[4:])
        self.assertEqual(module.last_call.copied, ["x"])
        np.testing.assert_array_equal(x, [0, 1, 2, 3, 9, 11, 13, 15])

    def test_one_array_in_two_places(self):
        module = checkout.module(22)
        x, gamma, _, weight, bias = layernorm_linear_arrays()
        np.testing.assert_allclose(module.fused(x, gamma, gamma, weight, bias),
                                   layernorm_linear(x, gamma, gamma, weight, bias), atol=2e-5)

    def test_memory_is_given_back(self):
        module = checkout.module(1)
        files = len(os.listdir("/proc/self/fd"))
        for _ in range(3):
            module.pairs(np.ones(5, np.float16))
        self.assertLessEqual(len(os.listdir("/proc/self/fd")), files + 1)


class Arguments(Test):
    @classmethod
    def setUpClass(cls):
        cls.puzzle = checkout.module(22)
        cls.arrays = layernorm_linear_arrays(2, 3, 8, 8)

    def refused(self, kind, words, **changed):
        arguments = dict(zip(("x", "gamma", "beta", "weight", "bias"), self.arrays), **changed)
        self.says(kind, words, self.puzzle.fused, **arguments)

    def test_type(self):
        x = self.arrays[0]
        self.refused(TypeError, ["x is float64; float32 [B, S, H] is wanted", "x.astype(np.float32)"], x=x.astype(float))
        self.refused(TypeError, "gamma is int32", gamma=np.ones(8, np.int32))
        self.refused(TypeError, "gamma is bool", gamma=np.ones(8, bool))
        self.refused(TypeError, "another machine's order of bytes", gamma=self.arrays[1].astype(">f4"))

    def test_no_array(self):
        self.refused(TypeError, ["gamma is a list, not an array", "np.array(gamma, np.float32)"], gamma=[1.0] * 8)
        self.refused(TypeError, "bias is a float, not an array", bias=1.0)
        self.refused(TypeError, "bias is None", bias=None)
        self.refused(TypeError, "bias is an object", bias=object())
        self.refused(TypeError, "float32 [O] is wanted", bias=np.array(["a"]))

    def test_rank(self):
        x = self.arrays[0]
        self.refused(ValueError, ["x has 2 axes, shape (6, 8); it is [B, S, H], 3 axes", "x.reshape(1, 6, 8)"],
                     x=x.reshape(6, 8))
        self.refused(ValueError, ["gamma has 2 axes", "gamma.reshape(-1)"], gamma=np.ones((1, 8), np.float32))
        self.refused(ValueError, "bias has 0 axes", bias=np.array(1.0, np.float32))

    def test_shape_names_the_dimension_and_both_arrays(self):
        self.refused(ValueError, ["gamma (9,) is 9, and has to be H = 8", "H is 8 by the third axis of x (2, 3, 8)"],
                     gamma=np.ones(9, np.float32))
        self.refused(ValueError, ["the second axis of weight (8, 5) is 5", "H is 8"], weight=np.ones((8, 5), np.float32))
        self.refused(ValueError, ["y (2, 3, 7) is 7, and has to be O = 8"], out=np.empty((2, 3, 7), np.float32))
        self.refused(ValueError, "is 0: there is nothing to compute", x=np.empty((0, 3, 8), np.float32))

    def test_strides(self):
        weight = self.arrays[3]
        self.refused(ValueError, ["weight (8, 8) has the strides (1, 8), a transposed view",
                                  "np.ascontiguousarray(weight)"], weight=weight.T)
        self.refused(ValueError, ["a slice", "np.ascontiguousarray(gamma)"], gamma=np.ones(16, np.float32)[::2])
        self.refused(ValueError, "a broadcast view", gamma=np.broadcast_to(np.float32(1), 8))
        self.refused(ValueError, "a reversed view", gamma=np.ones(8, np.float32)[::-1])
        self.refused(ValueError, "writes row by row", out=np.empty((8, 3, 2), np.float32).T)

    def test_strides_of_axes_of_one_do_not_matter(self):
        x, gamma, beta, weight, bias = layernorm_linear_arrays(1, 3, 8, 8)
        turned = np.ascontiguousarray(x.transpose(1, 2, 0)).transpose(2, 0, 1)
        np.testing.assert_array_equal(self.puzzle.fused(turned, gamma, beta, weight, bias),
                                      self.puzzle.fused(x, gamma, beta, weight, bias))

    def test_output(self):
        out = np.empty((2, 3, 8), np.float32)
        out.flags.writeable = False
        self.refused(ValueError, ["y is read-only, and the kernel writes to it"], out=out)
        self.refused(TypeError, ["y is float64", "np.empty(..., np.float32)"], out=np.empty((2, 3, 8)))
        self.says(ValueError, "x is read-only", checkout.module(4).update, np.frombuffer(b"1234", np.float32))
        self.says(TypeError, "out has to be a tuple of 2 arrays: where and total", checkout.module(5).rows,
                  np.ones((2, 2), np.float32), out=np.empty(2, np.int64))

    def test_names(self):
        self.refused(TypeError, ["has no argument 'wieght'", "Did you mean weight?"], wieght=1)
        self.says(TypeError, ["missing a required argument: 'gamma'"], self.puzzle.fused, self.arrays[0])
        self.says(TypeError, "too many positional arguments", self.puzzle.fused, *self.arrays, 1)
        self.refused(ValueError, "stream belongs to a GPU", stream=0)
        self.refused(TypeError, "stream is a str", stream="mine")

    def test_refused_sizes(self):
        x, gamma, beta, weight, bias = layernorm_linear_arrays(1, 1, 1025, 2)
        self.says(ValueError, "--unfused gives each element of a row a thread: H is at most 1024.", self.puzzle.unfused,
                  x, gamma, beta, weight, bias)

    def test_a_shape_that_no_size_makes(self):
        self.says(ValueError, ["a (6,) is 6, and no size P makes 2*P+1 that"], checkout.module(1).pairs,
                  np.ones(6, np.float16))


class Kernels(Test):
    UPDATE = "if (i < size) x[i] = 2.0f * x[i] + 1.0f;"

    def edited(self, line):
        return checkout.edited("04_in_place", self.UPDATE, line)

    def test_empty_regions(self):
        puzzle = checkout.module(22, "learner")
        self.says(NotImplementedError, ["fused holds no code yet", "Open: puzzles/22_layernorm_linear/kernels.cu:",
                                        "'fused_statistics', between FILL ME IN and END", "workbook hint 22"],
                  puzzle.fused, *layernorm_linear_arrays())

    def test_a_finding_is_a_warning_with_the_terminals_words(self):
        module = self.edited("x[i] = 2.0f * x[i] + 1.0f;")  # no guard
        x = np.zeros(100, np.float32)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            module.update(x)
        self.assertEqual([w.category.__name__ for w in caught], ["KernelFinding"])
        words = str(caught[0].message)
        self.assertIn("kernels.cu:6: error:", words)
        self.assertIn("x[100]", words)
        self.assertIn("Try: ", words)
        self.assertEqual(Path(caught[0].filename).name, "op_test.py")
        terminal = subprocess.run([WORKBOOK, "run", "4"], capture_output=True, text=True).stdout
        self.assertIn(words.strip().splitlines()[0], terminal)
        np.testing.assert_array_equal(x, 1)

    def test_what_nothing_wrote_is_said(self):
        text = "out[i] = __hadd(a[i], a[i]);"
        module = checkout.edited("01_half_odd", "else if (i < size)\n    " + text, "")
        with self.assertWarnsRegex(module.KernelFinding, r"nothing was written to out\[6\], of 7"):
            module.pairs(np.ones(7, np.float16))

    def test_a_crash_is_an_exception_and_python_goes_on(self):
        for line, words in (("if (i < size) x[i] = 7 / (size - 100);", "divided an integer by zero"),
                            ("if (i == 3) *reinterpret_cast<float*>(8) = 1;", "")):
            module = self.edited(line)
            self.says(module.KernelError, words, module.update, np.zeros(100, np.float32))
        self.assertEqual(checkout.module(4).update(np.zeros(1, np.float32))[0], 1)

    def test_endless_loops_and_the_time_limit(self):
        module = self.edited("while (x[0] == 0.0f) x[1] = 0.0f;")
        self.says(module.KernelError, "", module.update, np.zeros(2, np.float32))
        module = self.edited("for (volatile long k = 0; k < 400000000; ++k) {}")
        module.time_limit = 0.5
        self.says(module.KernelError, "", module.update, np.zeros(2, np.float32))

    def test_a_deadlock(self):
        module = self.edited("while (atomicAdd(&x[1], 0.0f) == 0.0f) {}")  # a flag that nobody raises
        self.says(module.KernelError, "kernels.cu:6", module.update, np.zeros(2, np.float32))

    def test_what_does_not_compile_says_so_at_import(self):
        with self.assertRaises(ImportError) as caught:
            self.edited("if (i < size) x[i] = nothing;")
        self.assertIn("kernels.cu:6", str(caught.exception))
        self.assertIn("nothing", str(caught.exception))

    def test_printf_reaches_python(self):
        module = self.edited('if (i == 0) printf("from thread %d\\n", i);')
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            module.update(np.zeros(1, np.float32))
        self.assertEqual(out.getvalue(), "from thread 0\n")

    def test_an_import_builds_what_was_saved(self):
        self.assertEqual(self.edited("if (i < size) x[i] = 3;").update(np.zeros(1, np.float32))[0], 3)
        self.assertEqual(self.edited("if (i < size) x[i] = 4;").update(np.zeros(1, np.float32))[0], 4)

    def test_a_build_meanwhile_changes_no_loaded_module(self):
        old = self.edited("if (i < size) x[i] = 5;")
        new = self.edited("if (i < size) x[i] = 6;")
        self.assertEqual((old.update(np.zeros(1, np.float32))[0], new.update(np.zeros(1, np.float32))[0]), (5, 6))


class CommandLine(Test):
    def test_shows_where_it_is_and_what_to_type(self):
        said = checkout.workbook("op", "22", "--solution")
        self.assertIn("puzzle22.fused_block()", said)
        self.assertIn("import puzzle22", said)
        self.assertIn("[", checkout.workbook("op", "22", "--solution", "try.py"))
        self.assertIn("There is no file nothing.py", checkout.workbook("op", "22", "nothing.py", status=2))

    def test_a_script_gets_its_arguments_and_its_status_is_the_commands(self):
        script = checkout.root / "arguments.py"
        script.write_text("import sys, puzzle04\nprint(sys.argv[1:], puzzle04.update.variant)\nsys.exit(7)\n")
        self.assertIn("['a', '--b'] update", checkout.workbook("op", "4", str(script), "a", "--b", status=7))

    def test_env(self):
        path = checkout.workbook("op", "22", "--env")
        self.assertIn(f"export PYTHONPATH='{checkout.state}/op/learner'", path)

    def test_a_program_has_nothing_to_call(self):
        self.assertIn("is a program of its own", checkout.workbook("op", "8", status=2))


if __name__ == "__main__":
    unittest.main(verbosity=1)
