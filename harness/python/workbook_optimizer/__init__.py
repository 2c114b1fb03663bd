"""Kernels found by search for a few lines of Python. `workbook optimize FILE.py` runs such lines; in a Python of your
own `eval "$(workbook optimize --env)"` makes this importable.

    import numpy as np
    import workbook_optimizer as wo

    q = wo.input("q", (4, 1, 64), wo.float16)
    k = wo.input("k", (4, 256, 64), wo.float16)
    v = wo.input("v", (4, 256, 64), wo.float16)
    f = wo.optimize(wo.softmax(q @ k.mT) @ v)
    print(f.explain())
    y = f(*(np.random.randn(*shape).astype(np.float16) for shape in f.shapes))

Operators and broadcasting are NumPy's. What is computed is what `workbook optimize` takes as text: f.program.
"""
from .errors import OptimizeError, ProgramError
from .expressions import (abs, arange, bfloat16, ceil, clip, concatenate, cos, equal, erf, exp, expm1, float16, float32, floor, gelu,
                          input, int32, layer_norm, log, log1p, matmul, max, maximum, mean, min, minimum, norm, not_equal, relu,
                          rms_norm, round, rsqrt, sigmoid, sign, silu, sin, softmax, softplus, split, sqrt, square, stack, std,
                          sum, take, tanh, var, where)
from .kernel import Kernel, Kernels
from .from_torch import from_torch
from .search import optimize

__all__ = ["Kernel", "Kernels", "OptimizeError", "ProgramError", "abs", "arange", "bfloat16", "ceil", "clip", "concatenate", "cos",
           "equal", "erf", "exp", "expm1", "float16", "float32", "floor", "from_torch", "gelu", "input", "int32", "layer_norm", "log",
           "log1p", "matmul", "max", "maximum", "mean", "min", "minimum", "norm", "not_equal", "optimize", "relu", "rms_norm",
           "round", "rsqrt", "sigmoid", "sign", "silu", "sin", "softmax", "softplus", "split", "sqrt", "square", "stack", "std",
           "sum", "take", "tanh", "var", "where"]
