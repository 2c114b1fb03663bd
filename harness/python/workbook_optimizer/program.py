"""An expression as text of the optimizer's language."""
import keyword

from .errors import ProgramError
from .expressions import Index, Tensor, number_text

_RESERVED = {"index", "type", "input", "range", "constant", "given", "lemma", "output", "view", "inf", "sum", "mean",
             "rms", "max", "min", "exp", "pow", "where", "sqrt", "rsqrt", "silu", "gelu", "tanh", "relu", "sigmoid",
             "log", "softplus", "abs", "erf", "sin", "cos", "positive", "not_positive", "zero", "not_zero", "f16",
             "bf16", "f32"}
_TEST_SIZES = (4, 8, 5, 6, 3, 7)  # of the small shape that kernels are judged on; a size that is smaller stays
_INFIX = {"+", "-", "*", "/", ">", "<", ">=", "<=", "=="}


class Program:
    """`text`; `inputs`: name, shape and type of each, in the order of the call; `shape` and `dtype` of the result."""

    def __init__(self, text, inputs, shape, dtype):
        self.text, self.inputs, self.shape, self.dtype = text, inputs, shape, dtype


def program_of(result, dtype=None, name="program"):
    if not isinstance(result, Tensor):
        raise TypeError(f"a program's result is a wo tensor, not {type(result).__name__}")
    return _Writer(result, dtype, name).program()


class _Writer:
    def __init__(self, result, dtype, name):
        self.result, self.name = result, name
        self.order = []
        self._visit(result, set())
        self.inputs = sorted((tensor for tensor in self.order if tensor.operation == "input"),
                             key=lambda tensor: tensor.order)
        if not self.inputs:
            raise ProgramError("a program has an input")
        self.dtype = dtype or self._widest()
        self._join()
        self._name()

    def _visit(self, result, seen):
        stack = [(result, False)]
        while stack:
            tensor, done = stack.pop()
            if done:
                self.order.append(tensor)
            elif id(tensor) not in seen:
                seen.add(id(tensor))
                stack.append((tensor, True))
                for operand in reversed(tensor.operands):
                    if isinstance(operand, Tensor):
                        stack.append((operand, False))

    def _widest(self):
        return max((tensor.dtype for tensor in self.inputs), key=lambda dtype: dtype.short == "f32")

    # ---- indices ----
    def _root(self, index):
        while index in self.parents:
            index = self.parents[index]
        return index

    def _join(self):
        self.parents, dropped = {}, []
        for tensor in self.order:
            for one, two in tensor.met:
                if one.size != two.size:
                    dropped.append(one if one.size == 1 else two)
                elif self._root(one) is not self._root(two):
                    self.parents[self._root(two)] = self._root(one)
        self.dropped = {self._root(index) for index in dropped}

    def _there(self, axes):
        """The indices of a tensor in the program."""
        roots = [self._root(axis) for axis in axes if axis is not None]
        return [root for root in roots if root not in self.dropped]

    def _name(self):
        self.indices = {}
        for tensor in self.order:
            axes = self._there(tensor.axes)
            for index in axes:
                self.indices.setdefault(index, f"i{len(self.indices)}")
            if len(set(axes)) < len(axes):
                raise ProgramError(
                    f"{tensor!r} would have one index twice: two of its dimensions came from the same one. Where "
                    "they are different ones, such as rows and columns of x @ x.mT, give them inputs of their own")
        self.names, taken = {}, set(self.indices.values())
        for tensor in self.inputs:
            name = tensor.name
            while name in _RESERVED or keyword.iskeyword(name) or name in self.indices.values():
                name += "_"
            if name in taken:
                raise ProgramError(f"two inputs are called {tensor.name}")
            taken.add(name)
            self.names[id(tensor)] = name
        self.taken = taken | {"y"}

    # ---- text ----
    def program(self):
        lines, fresh = [], 0
        for tensor in self.order:
            if tensor.operation == "input":
                continue
            text = self._expression(tensor)
            if tensor.operation == "same" or (text is None):
                self.names[id(tensor)] = self._operand(tensor.operands[0])
                continue
            fresh += 1
            while f"t{fresh}" in self.taken:
                fresh += 1
            self.names[id(tensor)] = f"t{fresh}"
            lines.append(f"t{fresh} = {text}")
        head = [f"# {self.name}"]
        sizes = [f"{name} = {self._test_size(place, index.size)} {index.size}"
                 for place, (index, name) in enumerate(self.indices.items())]
        if sizes:
            head.append("index " + ", ".join(sizes))
        for tensor in self.inputs:
            head.append(f"input {self.names[id(tensor)]}{self._dims(tensor)} {tensor.dtype.short}")
            if tensor.range is not None:
                low, high = (number_text(value) for value in tensor.range)
                head.append(f"range {self.names[id(tensor)]} = {low} {high}")
        output = "y"
        while output in self.names.values() or output in self.indices.values():
            output += "_"
        lines.append(f"{output} = {self.names[id(self.result)]}")
        lines.append(f"output {output}{self._dims(self.result)} {self.dtype.short}")
        inputs = [(tensor.name, tensor.shape, tensor.dtype) for tensor in self.inputs]
        return Program("\n".join(head + lines) + "\n", inputs, self.result.shape, self.dtype)

    @staticmethod
    def _test_size(place, size):
        return min(size, _TEST_SIZES[place % len(_TEST_SIZES)])

    def _dims(self, tensor):
        axes = self._there(tensor.axes)
        return f"[{','.join(self.indices[axis] for axis in axes)}]" if axes else ""

    def _operand(self, value):
        return self.names[id(value)] if isinstance(value, Tensor) else number_text(value)

    def _index(self, index):
        """Its name, or None where the program has no such index."""
        if index is None or self._root(index) in self.dropped:
            return None
        return self.indices.get(self._root(index))

    def _expression(self, tensor):
        """None where the value is that of the first operand."""
        operation = tensor.operation
        if operation == "same":
            return None
        if operation in ("sum", "mean", "max", "min") and len(tensor.operands) == 2 and isinstance(
                tensor.operands[1], Index):
            index = self._index(tensor.operands[1])
            return None if index is None else f"{operation}({index}, {self._operand(tensor.operands[0])})"
        if operation == "matmul":
            left, right = (self._operand(value) for value in tensor.operands[:2])
            index = self._index(tensor.operands[2])
            return f"{left} * {right}" if index is None else f"sum({index}, {left} * {right})"
        values = [self._operand(value) for value in tensor.operands]
        if operation in _INFIX:
            return f"{values[0]} {operation} {values[1]}"
        if operation == "neg":
            return f"-{values[0]}"
        if operation.startswith("pow "):
            return f"pow({values[0]}, {operation[4:]})"
        return f"{operation}({', '.join(values)})"
