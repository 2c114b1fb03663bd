"""An expression as text of the optimizer's language."""
import keyword
import math
import numbers
import operator

from .errors import ProgramError
from .expressions import Index, Tensor, dimensions_of, float32, int32, number_text
from .space import Fused, Space, digits_of

_RESERVED = {"index", "type", "input", "range", "constant", "given", "lemma", "output", "view", "inf", "sum", "mean",
             "rms", "max", "min", "exp", "pow", "where", "place", "concat", "size", "sqrt", "rsqrt", "silu", "gelu", "tanh", "relu", "sigmoid",
             "log", "softplus", "abs", "erf", "sin", "cos", "log1p", "expm1", "atan", "floor", "ceil", "round", "sign", "and", "or", "positive", "not_positive", "zero", "not_zero", "f16",
             "bf16", "f32", "i32"}
_TEST_SIZES = (4, 8, 5, 6, 3, 7)  # of the small shape that kernels are judged on; a size that is smaller stays
_OF_NUMBERS = {"same": lambda a: a, "neg": operator.neg, "+": operator.add, "-": operator.sub, "*": operator.mul, "max": max, "min": min,
               ">": operator.gt, "<": operator.lt, ">=": operator.ge, "<=": operator.le, "==": operator.eq, "!=": operator.ne}
_INFIX = {"+", "-", "*", "/", ">", "<", ">=", "<=", "==", "!="}


class Program:
    """`text`; `inputs`: name, shape and type of each, in the order of the call; `shape` and `dtype` of the result.

    `axes`: for each input and then for the result, the index of each dimension by its name, or None where a dimension
    is no index by itself: its size is fixed, and so are those of the indices in `fixed`.
    """

    def __init__(self, text, inputs, shape, dtype, axes=None, fixed=()):
        self.text, self.inputs, self.shape, self.dtype = text, inputs, shape, dtype
        self.axes, self.fixed = axes, frozenset(fixed)


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

    def _renamed(self, axis, place):
        """Pairs of indices of a dimension, and of all of it under other names; or None where it is a part."""
        if isinstance(place, Tensor) or place[0] is None or place[1:] != (0, 1) or place[0].size != axis.size:
            return None
        pairs = list(zip(self.space.of([axis]), new := self.space.of([place[0]])))
        return pairs if len(new) == len(self.space.of([axis])) and all(one.size == two.size for one, two in pairs) else None

    @staticmethod
    def _is_whole(axis, place):
        return isinstance(place, Tensor) or place == (axis, 0, 1)

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
        output = "y"
        while output in self.names.values() or output in self.indices.values():
            output += "_"
        lines.append(f"{output} = {self._spread(self.result, self.space.of(self.result.axes))}")
        lines.append(f"output {output}{self._dims(self.result)} {self.dtype.short}")
        inputs = [(tensor.name, tensor.shape, tensor.dtype) for tensor in self.inputs]
        text = "\n".join(head + lines) + "\n"
        return Program(text, inputs, self.result.shape, self.dtype, *self._places())

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
        for tensor in [*self.inputs, self.result]:
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

    def _place(self, axis, written="place({})"):
        """Where in a dimension, as a sum over the indices that it is."""
        terms, after = [], 1
        for index in reversed(self.space.of([axis])):
            terms.append((after, written.format(self.indices[index])))
            after *= index.size
        return " + ".join(text if times == 1 else f"{times} * {text}" for times, text in reversed(terms)) or "0"

    def _part(self, tensor):
        source, places, done = tensor.operands[0], [], []
        for axis, place in dimensions_of(tensor):
            if axis is None or not self.space.of([axis]):
                continue
            if (same := self._renamed(axis, place)) is not None:
                # Of two that are one in this program once.
                places += [self.indices[new] for old, new in same if not (done and isinstance(old, Fused) and done[-1] is old)]
                done += [old for old, _ in same]
                continue
            done.append(None)
            if isinstance(place, Tensor):
                if self.space.alone(axis) is None:
                    raise ProgramError(f"{source.name}: a reshape cuts or joins the dimension of {axis.size} of which rows are chosen")
                places.append(self.names[id(place)])
                continue
            index, start, step = place
            if index is None and not 0 <= start < axis.size:
                return "0"  # all of it lies outside
            places += self._digits(source, axis, index, start, step)
        return f"{self.names[id(source)]}[{', '.join(places)}]"

    def _digits(self, source, axis, index, start, step):
        """Where in each index of a dimension of an input a part of that is."""
        sizes = [each.size for each in self.space.of([axis])]
        if index is None:
            return [str(digit) for digit in digits_of(start, sizes)]
        counts, inner = self.space.of([index]), math.prod(sizes[1:])
        rest = counts[len(counts) - len(sizes) + 1:]
        if math.prod(sizes) != axis.size or len(sizes) > 1 and (
                step != 1 or start % inner or [each.size for each in rest] != sizes[1:]):
            raise ProgramError(f"{source.name}: a reshape cuts or joins the dimension of {axis.size} of which a part is "
                               "taken: take the part first")
        first = counts[:len(counts) - len(rest)]
        return [self._line(first, start // inner, step), *(self.indices[each] for each in rest)]

    def _line(self, indices, start, step):
        terms, times = [], step
        for index in reversed(indices):
            terms.append(self.indices[index] if times == 1 else f"{times} * {self.indices[index]}")
            times *= index.size
        text = " + ".join(reversed(terms))
        return str(start) if not text else text if start == 0 else f"{text} {'+' if start > 0 else '-'} {abs(start)}"
