"""A kernel that was found, and its calls: NumPy's arrays and tensors of the CPU by the simulator, those of a GPU where
they lie."""
import sys

from . import arrays as kinds
from .arrays import framework_of
from .program import Results


class Kernel(Results):
    """Called with arrays it gives an array of their kind, or a tuple of such.

    program: its text. names, shapes, dtypes: of the arguments. source: CUDA C++ that nvcc takes. plan: launches, cuts and
    modelled time, as `workbook optimize --json` has them. In shapes, a dimension that is an index by itself may be
    smaller at a call.
    """

    def __init__(self, name, program, found, source, check):
        self.name, self.program, self.source = name, program.text, source
        self.inputs = program.inputs
        self.names, self.shapes, self.dtypes = ([each[place] for each in self.inputs] for place in range(3))
        self.results = program.results  # shape and type of each
        self.found, self.check = found, check
        count = len(self.inputs)
        self._axes, self._result_axes, self._fixed = program.axes[:count], program.axes[count:], program.fixed
        self._start()

    def _start(self):
        self._compiling = self._operator = self._library = None
        if "torch" in sys.modules:
            self.register_torch()

    def __getstate__(self):
        return {key: value for key, value in self.__dict__.items() if key not in ("_compiling", "_operator", "_library")}

    def __setstate__(self, state):
        self.__dict__.update(state)
        self._start()

    @property
    def plan(self):
        schedule = self.found["schedule"]
        return schedule["plans"][schedule["best"]]

    def explain(self):
        """What the search found, why it is faster, and what it was judged on."""
        return self.found["report"]

    def __repr__(self):
        plan = self.plan
        paths = ", ".join(launch["path"] for launch in plan["launches"])
        return f"<Kernel {self.name}({', '.join(self.names)}): {paths}; modelled {plan['us']:.4g} us>"

    def register_torch(self):
        """The operator of torch.library that torch.compile keeps. Done by itself where torch is imported first."""
        if self._operator is None:
            import torch

            from .torch_ops import operator_of
            self._operator = operator_of(self)
            self._compiling = torch.compiler.is_compiling
        return self._operator

    def __call__(self, *arrays, **named):
        values = self._arguments(arrays, named)
        if self._compiling is not None and self._compiling():
            return self._operator(*values)
        return self.compute(values)

    def compute(self, values):
        """Of as many arrays as there are names, at once and outside of any graph."""
        if all(framework_of(value) == "torch" for value in values):
            if self._operator is None:
                self.register_torch()
            if any(_is_traced(value) for value in values):
                return self._operator(*values)
        given = [kinds.look(self, *each) for each in zip(self.names, self.dtypes, values)]
        device = kinds.device_of(self, given)
        sizes = self.sizes([each.shape for each in given])
        if device is None:
            from .simulator import run
            return run(self, given, sizes)
        from .gpu import run
        return run(self, given, device, sizes)

    def _arguments(self, arrays, named):
        if len(arrays) > len(self.names):
            raise TypeError(f"{self.name} takes {len(self.names)} arrays ({', '.join(self.names)}), and got {len(arrays)}")
        values = dict(zip(self.names, arrays))
        for name, array in named.items():
            if name not in self.names:
                raise TypeError(f"{self.name} has no argument {name}; it has {', '.join(self.names)}")
            if name in values:
                raise TypeError(f"{self.name} got {name} twice")
            values[name] = array
        if missing := [name for name in self.names if name not in values]:
            raise TypeError(f"{self.name} lacks {' and '.join(missing)}; it takes {', '.join(self.names)}")
        return [values[name] for name in self.names]

    def sizes(self, shapes):
        """Of each index, by its name, for arguments of these shapes."""
        real = {index["name"]: index["real"] for index in self.found["indices"]}
        sizes = {}
        for name, shape, wanted, axes in zip(self.names, shapes, self.shapes, self._axes):
            fits = len(shape) == len(wanted)
            for size, most, index in zip(shape, wanted, axes):
                if index is None or index in self._fixed:
                    fits &= size == most
                elif 1 <= size <= most:
                    if sizes.setdefault(index, size) != size:
                        raise ValueError(f"{self.name}: {name} has the shape {tuple(shape)}, and where it has {size} the "
                                         f"arguments before it have {sizes[index]}")
                else:
                    fits = False
            if not fits:
                raise ValueError(f"{name} has the shape {tuple(shape)}, and the kernel was found for {tuple(wanted)}"
                                 f"{self._freedom(axes)}")
        return {**real, **sizes}

    def _freedom(self, axes):
        free = [place for place, index in enumerate(axes) if index is not None and index not in self._fixed]
        if not free:
            return ""
        return f"; {'dimensions' if len(free) > 1 else 'dimension'} {', '.join(map(str, free))} may be smaller"

    def result_shapes(self, sizes):
        return [tuple(size if index is None else sizes[index] for size, index in zip(shape, axes))
                for (shape, _), axes in zip(self.results, self._result_axes)]

    def given_back(self, values):
        """One result as it is, several as a tuple."""
        return values[0] if len(self.results) == 1 else tuple(values)


def _is_traced(value):
    """A tensor without values: of torch.export, make_fx, FakeTensorMode."""
    return type(value).__name__ in ("FakeTensor", "FunctionalTensor", "ProxyTensor") or getattr(
        getattr(value, "device", None), "type", "") == "meta"


class Joined:
    """What several kernels are together."""

    def __init__(self, kernels):
        self.kernels = kernels

    def __repr__(self):
        return "\n".join(map(repr, self.kernels))

    def explain(self):
        return "\n".join(kernel.explain() for kernel in self.kernels)

    @property
    def plan(self):
        return [kernel.plan for kernel in self.kernels]

    @property
    def source(self):
        return "\n".join(kernel.source for kernel in self.kernels)


class Kernels(Joined):
    """Of a program with several outputs: called, it gives all of them."""

    def __init__(self, name, kernels):
        super().__init__(kernels)
        self.name = name
        self.names, self.shapes, self.dtypes = [], [], []
        for kernel in kernels:
            for name, shape, dtype in zip(kernel.names, kernel.shapes, kernel.dtypes):
                if name not in self.names:
                    self.names.append(name), self.shapes.append(shape), self.dtypes.append(dtype)

    def __call__(self, *arrays, **named):
        values = dict(zip(self.names, Kernel._arguments(self, arrays, named)))
        return tuple(kernel(*(values[name] for name in kernel.names)) for kernel in self.kernels)
