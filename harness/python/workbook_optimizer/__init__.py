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
from . import expressions as _expressions
from .errors import OptimizeError, ProgramError
from .expressions import *  # noqa: F401, F403
from .from_torch import from_torch
from .kernel import Kernel, Kernels
from .methods import INSTEAD as _INSTEAD
from .methods import like as _like
from .search import optimize

__all__ = ["Kernel", "Kernels", "OptimizeError", "ProgramError", "from_torch", "optimize", *_expressions.__all__]


def __getattr__(name):
    if name.startswith("_"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    raise AttributeError(_INSTEAD.get(name) or f"workbook_optimizer has no {name!r}{_like(name, _expressions.__all__)}")
