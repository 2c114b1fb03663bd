"""An expression as text of the optimizer's language."""
import keyword
import numbers
import operator

from .errors import ProgramError
from .expressions import Index, Tensor, dimensions_of, float32, int32, number_text
from .places import Places
from .space import Space

_RESERVED = {"index", "type", "input", "range", "constant", "given", "lemma", "output", "view", "inf", "sum", "mean",
             "rms", "max", "min", "exp", "pow", "where", "place", "concat", "size", "sqrt", "rsqrt", "silu", "gelu", "tanh", "relu", "sigmoid",
             "log", "softplus", "abs", "erf", "sin", "cos", "log1p", "expm1", "atan", "floor", "ceil", "round", "sign", "and", "or", "positive", "not_positive", "zero", "not_zero", "f16",
             "bf16", "f32", "i32"}
_TEST_SIZES = (4, 8, 5, 6, 3, 7)  # of the small shape that kernels are judged on; a size that is smaller stays
_OF_NUMBERS = {"same": lambda a: a, "neg": operator.neg, "+": operator.add, "-": operator.sub, "*": operator.mul, "max": max, "min": min,
               ">": operator.gt, "<": operator.lt, ">=": operator.ge, "<=": operator.le, "==": operator.eq, "!=": operator.ne}
_INFIX = {"+", "-", "*", "/", ">", "<", ">=", "<=", "==", "!="}


class Results:
    """What has `results`: shape and type of each."""

    @property
    def shape(self):
        return self.results[0][0]

    @property
    def dtype(self):
        return self.results[0][1]


class Program(Results):
    """`text`; `inputs`: name, shape and type of each, in the order of the call; `results`: shape and type of each.

    `axes`: for each input and then for each result, the index of each dimension by its name, or None where a dimension
    is no index by itself: its size is fixed, and so are those of the indices in `fixed`.
    """

    def __init__(self, text, inputs, results, axes=None, fixed=()):
        self.text, self.inputs, self.results = text, inputs, results
        self.axes, self.fixed = axes, frozenset(fixed)

    def of_result(self, place):
        """The same with one of its results."""
        count = len(self.inputs)
        return Program(self.text, self.inputs, [self.results[place]], [*self.axes[:count], self.axes[count + place]], self.fixed)


def program_of(result, dtype=None, name="program"):
    """Of a tensor, or of several; then dtype may be a list, too."""
    results = list(result) if isinstance(result, (list, tuple)) else [result]
    for each in results:
        if not isinstance(each, Tensor):
            raise TypeError(f"a program's result is a wo tensor, not {type(each).__name__}")
    if not results:
        raise ProgramError("a program has a result")
    return _Writer(results, dtype if isinstance(dtype, (list, tuple)) else [dtype] * len(results), name).program()


class _Writer(Places):
    def __init__(self, results, dtypes, name):
        self.results, self.name = results, name
        self.order, seen = [], set()
        for result in results:
            self._visit(result, seen)
        self.inputs = sorted((tensor for tensor in self.order if tensor.operation == "input"),
                             key=lambda tensor: tensor.order)
        if not self.inputs:
            raise ProgramError("a program has an input")
        self.dtypes = [dtype or self._widest() for dtype in dtypes]
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
        return max((tensor.dtype for tensor in self.inputs if tensor.dtype is not int32), default=float32,
                   key=lambda dtype: dtype.short == "f32")

    # ---- indices ----
    def _name(self):
        self.space = Space(self.order)
        self.indices = {}
        for tensor in self.order:
            axes = self.space.of(tensor.axes)
            for index in axes:
                self.indices.setdefault(index, f"i{len(self.indices)}")
            if len(set(axes)) < len(axes):
                raise ProgramError(
                    f"{tensor!r} would have one index twice: two of its dimensions came from the same one. Where "
                    "they are different ones, such as rows and columns of x @ x.mT, give them inputs of their own")
        self.cut = self._cut()
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

    def _cut(self):
        """Indices of whose places others are parts: their sizes belong together."""
        cut = set()
        for tensor in self.order:
            for axis, place in dimensions_of(tensor):
                if axis is not None and (same := self._renamed(axis, place)) is not None:
                    cut |= {index for pair in same if pair[0] is not pair[1] for index in pair}
                elif axis is not None and not self._is_whole(axis, place):
                    cut |= {*self.space.of([axis])}
                    cut |= {*self.space.of([place[0]])} if isinstance(place, tuple) and place[0] is not None else set()
        return cut

    # ---- indices that a value has, which are those of its shape but for broadcasting alone ----
    def _present(self, tensor):
        if id(tensor) not in self._has:
            if tensor.operation in ("input", "part", "place"):
                found = set(self.space.of(tensor.axes))
            elif tensor.operation == "size":
                found = set()
            else:
                found = {index for each in tensor.operands if isinstance(each, Tensor) for index in self._present(each)}
                found -= {index for each in tensor.operands if isinstance(each, Index) for index in self.space.of([each])}
            self._has[id(tensor)] = found
        return self._has[id(tensor)]

    def _spread(self, tensor, wanted):
        """Its text, with these indices in any case."""
        text = self._operand(tensor)
        for index in wanted:
            if index not in self._present(tensor):
                text = f"where({self.indices[index]} >= 0, {text}, 0)"
        return text

    # ---- text ----
    def program(self):
        self._has, self._numbers = {}, {}
        lines, fresh = [], 0
        for tensor in self.order:
            if tensor.operation == "input" or self._is_known(tensor):
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
        sizes = [f"{name} = {self._test_size(place, index)} {index.size}"
                 for place, (index, name) in enumerate(self.indices.items())]
        if sizes:
            head.append("index " + ", ".join(sizes))
        for tensor in self.inputs:
            head.append(f"input {self.names[id(tensor)]}{self._dims(tensor)} {tensor.dtype.short}")
            if tensor.range is not None:
                low, high = (number_text(value) for value in tensor.range)
                head.append(f"range {self.names[id(tensor)]} = {low} {high}")
        ends = []
        for place, (result, dtype) in enumerate(zip(self.results, self.dtypes)):
            output = "y" if len(self.results) == 1 else f"y{place}"
            while output in self.names.values() or output in self.indices.values():
                output += "_"
            lines.append(f"{output} = {self._spread(result, self.space.of(result.axes))}")
            ends.append(f"output {output}{self._dims(result)} {dtype.short}")
        inputs = [(tensor.name, tensor.shape, tensor.dtype) for tensor in self.inputs]
        results = [(result.shape, dtype) for result, dtype in zip(self.results, self.dtypes)]
        return Program("\n".join(head + lines + ends) + "\n", inputs, results, *self._places())

    def _is_known(self, tensor):
        """A number wherever it is taken, such as the place in a dimension of size 1, or what such a condition chooses: named as that."""
        values = [each if isinstance(each, numbers.Real) else self._numbers.get(id(each)) for each in tensor.operands]
        number = None
        if tensor.operation == "place":
            number = None if self.space.of(tensor.axes) else 0.0
        elif tensor.operation == "where" and values[0] is not None:
            chosen = tensor.operands[1 if values[0] else 2]
            number = chosen if isinstance(chosen, numbers.Real) else self._numbers.get(id(chosen))
            if number is None:
                self.names[id(tensor)], self._has[id(tensor)] = self._operand(chosen), self._present(chosen)
                return True
        elif tensor.operation in _OF_NUMBERS and None not in values:
            number = float(_OF_NUMBERS[tensor.operation](*values))
        if number is not None:
            self._numbers[id(tensor)], self._has[id(tensor)], self.names[id(tensor)] = number, set(), number_text(number)
        return number is not None

    def _places(self):
        """Program.axes and Program.fixed."""
        axes, fixed = [], set()
        for tensor in [*self.inputs, *self.results]:
            axes.append([])
            for axis in tensor.axes:
                index = None if axis is None else self.space.alone(axis)
                axes[-1].append(self.indices.get(index))
                if index is None and axis is not None:
                    fixed |= {self.indices[each] for each in self.space.of([axis])}
        return axes, fixed | {self.indices[each] for each in self.cut}

    def _test_size(self, place, index):
        size = index.size
        return size if index in self.cut else min(size, _TEST_SIZES[place % len(_TEST_SIZES)])

    def _dims(self, tensor):
        axes = self.space.of(tensor.axes)
        return f"[{','.join(self.indices[axis] for axis in axes)}]" if axes else ""

    def _operand(self, value):
        return self.names[id(value)] if isinstance(value, Tensor) else number_text(value)

    def _over(self, operation, index, text):
        """The sum (mean, max ...) over a dimension, which may be several indices, or none."""
        for each in reversed(self.space.of([index])):
            text = f"{operation}({self.indices[each]}, {text})"
        return text

    def _expression(self, tensor):
        """None where the value is that of the first operand."""
        operation = tensor.operation
        if operation == "same":
            return None
        if operation in ("sum", "mean", "max", "min") and len(tensor.operands) == 2 and isinstance(
                tensor.operands[1], Index):
            operand = self._spread(tensor.operands[0], self.space.of([tensor.operands[1]]))
            text = self._over(operation, tensor.operands[1], operand)
            return None if text == operand else text
        if operation == "size":  # at a call it may be smaller
            return " * ".join(f"size({self.indices[each]})" for each in self.space.of([tensor.operands[0]])) or "1"
        if operation == "place":
            return self._place(tensor.axes[0])
        if operation == "part":
            return self._part(tensor)
        if operation == "matmul":
            left, right = (self._operand(value) for value in tensor.operands[:2])
            return self._over("sum", tensor.operands[2], f"{left} * {right}")
        values = [self._operand(value) for value in tensor.operands]
        if operation in _INFIX:
            return f"{values[0]} {operation} {values[1]}"
        if operation == "neg":
            return f"-{values[0]}"
        if operation.startswith("pow "):
            return f"pow({values[0]}, {operation[4:]})"
        return f"{operation}({', '.join(values)})"
