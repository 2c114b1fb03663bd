"""Tensor expressions: shapes as NumPy has them, each dimension tied to an index of the optimizer's language.

Dimensions that meet in an operation are one index. One of size 1 that meets a larger one is none: the tensor has one
dimension less in the program, which in memory is the same.
"""
import builtins
import itertools
import math
import numbers

from .errors import ProgramError
from .methods import Methods


class Type:
    def __init__(self, name, short):
        self.name, self.short = name, short

    def __repr__(self):
        return f"wo.{self.name}"

    def __reduce__(self):
        return self.name


float16, bfloat16, float32 = Type("float16", "f16"), Type("bfloat16", "bf16"), Type("float32", "f32")
int32 = Type("int32", "i32")  # of inputs that choose rows, table[ids], or are compared
_TYPES = {"float16": float16, "bfloat16": bfloat16, "float32": float32, "half": float16, "f16": float16,
          "bf16": bfloat16, "f32": float32, "int32": int32, "i32": int32}


def type_of(value):
    """Of wo.float16, "float16", np.float16, np.dtype("float16"), torch.float16."""
    if isinstance(value, Type):
        return value
    name = value if isinstance(value, str) else getattr(value, "name", None) or getattr(value, "__name__", str(value))
    if found := _TYPES.get(str(name).rsplit(".", 1)[-1]):
        return found
    raise ProgramError(f"{value!r} is no type of tensors here; there are wo.float16, wo.bfloat16, wo.float32, "
                       "and wo.int32 for what chooses rows")


_made = itertools.count()  # inputs, in the order of the calls of kernels


class Index:
    """A dimension of an input."""

    def __init__(self, size):
        self.size = size


_COMPARISONS = {">", "<", ">=", "<=", "==", "!="}
_OF_TRUTH = {"same", "part", "*", "max", "where"}  # of conditions they make such


class Tensor(Methods):
    """An expression. `axes`: an Index for each dimension, or None where its size is 1 for a sum's sake. `met`: pairs of
    indices that the operation makes one; of a pair of different sizes the one of size 1 is dropped. Of a reshape it is
    a pair of tuples of indices, with one product."""

    def __init__(self, operation, operands, axes, met=(), dtype=None, name=None):
        self.operation, self.operands, self.axes, self.met = operation, operands, tuple(axes), tuple(met)
        self.dtype, self.name, self.range = dtype, name, None
        self.truth = operation in _COMPARISONS or any(
            each.truth for each in operands if isinstance(each, Tensor)) and operation in _OF_TRUTH
        self.sources = frozenset().union(*(each.sources for each in operands if isinstance(each, Tensor)))
        if operation in ("input", "place"):
            self.sources = frozenset([self])
        self.places = ()  # of a part: for each dimension of its input (index or None, start, step), a tensor, or a Cut

    @property
    def shape(self):
        return tuple(1 if axis is None else axis.size for axis in self.axes)

    @property
    def ndim(self):
        return len(self.axes)

    def __repr__(self):
        return f"<wo.Tensor {self.name or self.operation} {self.shape}>"

    def transpose(self, *axes):
        if axes == (0, 1) and self.ndim == 2:
            raise ProgramError("transpose(0, 1) of two dimensions is nothing in NumPy, and swaps them in PyTorch: write x.T, or x")
        if len(axes) == 1 and not isinstance(axes[0], numbers.Integral):
            axes = tuple(axes[0])
        axes = axes or tuple(reversed(range(self.ndim)))
        if len(axes) == 2 and self.ndim > 2:
            return self.swapaxes(*axes)  # as PyTorch has it; NumPy has no such call
        if sorted(axis % self.ndim for axis in axes) != list(range(self.ndim)):
            raise ProgramError(f"transpose of {self.ndim} dimensions names each once, not {axes}")
        return self._with_axes([self.axes[axis % self.ndim] for axis in axes])

    def reshape(self, *shape):
        """Where dimensions are cut into factors or set side by side: (4, 6) becomes (4, 2, 3) or (24,), not (3, 8)."""
        if len(shape) == 1 and not isinstance(shape[0], numbers.Integral):
            shape = tuple(shape[0])
        shape = [int(size) for size in shape]
        count = math.prod(self.shape)
        if shape.count(-1) == 1:
            rest = -math.prod(shape)
            shape[shape.index(-1)] = count // rest if rest > 0 and count % rest == 0 else 0
        if math.prod(shape) != count or min_of(shape) < 1:
            raise ProgramError(f"{self.shape} cannot become {tuple(shape)}")
        axes = [None if size == 1 else Index(size) for size in shape]
        before, after = (tuple(axis for axis in each if axis is not None) for each in (self.axes, axes))
        return Tensor("same", [self], axes, [(before, after)])

    def swapaxes(self, one, two):
        axes = list(self.axes)
        for each in (one, two):
            if not -self.ndim <= each < self.ndim:
                raise ProgramError(f"{self.shape} has no axis {each}")
        axes[one], axes[two] = axes[two], axes[one]
        return self._with_axes(axes)

    def __getitem__(self, key):
        key = key if isinstance(key, tuple) else (key,)
        if any(isinstance(each, (numbers.Integral, Tensor)) or isinstance(each, slice) and each != slice(None)
               for each in key):
            return _part(self, key)
        kept = self.ndim - len([each for each in key if each is not None and each is not Ellipsis])
        axes, at = [], 0
        for each in key:
            if each is None:
                axes.append(None)
            elif each is Ellipsis:
                axes += self.axes[at:at + kept]
                at += kept
            elif each == slice(None) and at < self.ndim:
                axes.append(self.axes[at])
                at += 1
            else:
                raise ProgramError(f"a tensor has no [{each!r}]; there are x[:, None], x[...], x[:, 2:8:2], x[3] and x[ids]")
        return self._with_axes(axes + list(self.axes[at:]))

    def _with_axes(self, axes):
        return Tensor("same", [self], axes)


def _root(tensor):
    """The input, or part of one, whose dimensions a tensor's are, in another order perhaps; or what is computed."""
    while tensor.operation == "same" and not tensor.met:
        tensor = tensor.operands[0]
    return tensor


class Cut:
    """A place in a dimension that is several: `axes`, and a place in each."""

    def __init__(self, axes, places):
        self.axes, self.places = tuple(axes), tuple(places)


def places_of(tensor):
    """Of an input or a part of one, as Tensor.places."""
    return tensor.places or [(axis, 0, 1) for axis in tensor.axes]


def dimensions_of(part):
    """Of a part of an input: pairs of that input's dimensions and the places in them, none of them a Cut."""
    for axis, place in zip(part.operands[0].axes, part.places) if part.places else ():
        yield from zip(place.axes, place.places) if isinstance(place, Cut) else [(axis, place)]


def _moved(tensor, changes, axes):
    """A part of it: `changes` has, by its dimensions, (index, start, step) or a tensor that chooses rows."""
    by_axis = {tensor.axes[place]: change for place, change in changes.items()}
    chosen = {axis: by_axis.pop(axis) for axis, change in [*by_axis.items()] if isinstance(change, Tensor)}
    if chosen:
        tensor = _chosen(tensor, chosen)
    if by_axis:
        from .moved import moved
        tensor = moved(tensor, by_axis)
        if not isinstance(tensor, Tensor):
            raise ProgramError("one place of arange is a number: write the number")
    return tensor._with_axes(axes)


def _chosen(tensor, by_axis):
    """Rows of an input, or of a part of it."""
    root = _root(tensor)
    if root.operation not in ("input", "part"):
        raise ProgramError("rows are chosen of inputs, not of what is computed: choose them of the inputs that it is computed from")
    places = []
    for place in places_of(root):
        change = by_axis.get(place[0]) if isinstance(place, tuple) else None
        if change is not None and place[1:] != (0, 1):
            raise ProgramError("rows are chosen of an input, not of a part of it")
        places.append(place if change is None else change)
    made = Tensor("part", [root if root.operation == "input" else root.operands[0],
                           *(place for place in places if isinstance(place, Tensor))],
                  [axis for axis in root.axes if axis not in by_axis] + [axis for ids in by_axis.values() for axis in ids.axes])
    made.places = places
    return made


def _part(tensor, key):
    if builtins.sum(each is Ellipsis for each in key) > 1:
        raise ProgramError("'...' stands once")
    kept = tensor.ndim - len([each for each in key if each is not None and each is not Ellipsis])
    if kept < 0:
        raise ProgramError(f"{tensor.shape} has {tensor.ndim} dimensions, and {len(key)} are named")
    full = [slice(None)] * kept
    key = ([*key] + [Ellipsis]) if Ellipsis not in [each for each in key if each is Ellipsis] else [*key]
    key = [one for each in key for one in (full if each is Ellipsis else [each])]
    axes, changes, at = [], {}, 0
    for each in key:
        if each is None:
            axes.append(None)
            continue
        axis, size = tensor.axes[at], tensor.shape[at]
        if isinstance(each, Tensor):
            ids = each
            if ids.operation != "input" or ids.dtype is not int32:
                raise ProgramError("rows are chosen by an input of wo.int32")
            changes[at] = ids
            axes += ids.axes
        elif isinstance(each, numbers.Integral):
            if not -size <= each < size:
                raise ProgramError(f"{tensor.shape} has no [{each}] in dimension {at}")
            if axis is not None:
                changes[at] = (None, int(each) % size, 1)
        else:
            start, stop, step = each.indices(size)
            count = len(range(start, stop, step))
            if count == 0:
                raise ProgramError(f"nothing is left of {size} by [{start}:{stop}:{step}]")
            if axis is None or count == size and step == 1:
                axes.append(axis)
            else:
                fresh = Index(count)
                changes[at] = (fresh, start, step)
                axes.append(fresh)
        at += 1
    return _moved(tensor, changes, axes)


def arange(count, *more):
    """0, 1, ... count - 1, which no memory holds: arange(rows)[:, None] >= arange(columns) is a causal mask."""
    if more:
        raise ProgramError(f"arange takes how many places there are; others follow from those: {count} + wo.arange(n) * step")
    if not isinstance(count, numbers.Integral) or count < 1:
        raise ProgramError(f"arange: a whole number from 1 on is expected, not {count!r}")
    return Tensor("place", [], [Index(int(count))], (), float32)


def _several(tensors, who):
    tensors = list(tensors)
    if not tensors or not all(isinstance(each, Tensor) for each in tensors):
        raise TypeError(f"{who} takes a list of wo tensors")
    return tensors


def concatenate(tensors, axis=0, *, dim=None):
    tensors = _several(tensors, "concatenate")
    axis = axis if dim is None else dim
    first = tensors[0]
    axis %= first.ndim
    for each in tensors:
        if each.ndim != first.ndim or any(one != two for place, (one, two) in enumerate(zip(each.shape, first.shape))
                                          if place != axis):
            raise ProgramError(f"concatenate: {first.shape} and {each.shape} differ beside dimension {axis}")
    whole, start, parts = Index(builtins.sum(each.shape[axis] for each in tensors)), 0, []
    for each in tensors:
        axes = list(each.axes)
        axes[axis] = whole
        # One of size 1 that no index has: the same wherever it is taken.
        parts.append(each._with_axes(axes) if each.axes[axis] is None else _moved(each, {axis: (whole, -start, 1)}, axes))
        start += each.shape[axis]
    if all(_root(each).operation == "input" and each.axes[axis] is not None for each in tensors):
        result = parts[0]
        for part in parts[1:]:
            result = result + part  # outside of its input a part is 0
        return result
    place = Tensor("place", [], [whole], (), float32)[(slice(None), *(None,) * (first.ndim - 1 - axis))]
    result, end = parts[-1], start
    for part, each in zip(parts[-2::-1], tensors[::-1]):
        end -= each.shape[axis]
        result = where(place < end, part, result)
    return result


cat = concat = concatenate


def stack(tensors, axis=0, *, dim=None):
    """Side by side along a new dimension."""
    axis = axis if dim is None else dim
    tensors = _several(tensors, "stack")
    axis %= tensors[0].ndim + 1
    return concatenate([each[(*(slice(None),) * axis, None)] for each in tensors], axis)


def split(x, sections, axis=0):
    """As NumPy's: a number of equal parts, or the places where parts begin."""
    size = x.shape[axis]
    if isinstance(sections, numbers.Integral):
        if sections < 1 or size % sections:
            raise ProgramError(f"split: {size} is no multiple of {sections}")
        sections = [size // sections * part for part in range(1, sections)]
    ends = [0, *sections, size]
    before = (slice(None),) * (axis % x.ndim)
    return [x[(*before, slice(start, stop))] for start, stop in zip(ends, ends[1:])]


def take(x, ids, axis=0):
    """Rows of x: x[ids]."""
    return x[(*(slice(None),) * (axis % x.ndim), ids)]


def input(name, shape, dtype=float16, range=None):
    """A tensor that the kernel is called with. `range`: (low, high) of its elements, where they go beyond 255; low may
    be -math.inf, as in a mask that is added."""
    if not isinstance(name, str) or not name.isidentifier() or not name.isascii():
        raise ProgramError(f"an input's name is letters, digits and _, not {name!r}")
    shape = tuple(shape) if hasattr(shape, "__iter__") else (shape,)
    for size in shape:
        if not isinstance(size, numbers.Integral) or size < 1:
            raise ProgramError(f"{name}: a shape has whole numbers from 1 on, not {size!r}")
    made = Tensor("input", [], [Index(int(size)) for size in shape], (), type_of(dtype), name)
    made.range = None if range is None else (float(range[0]), float(range[1]))
    made.order = next(_made)
    return made


def min_of(sizes):
    return builtins.min(sizes, default=1)


def number_text(value):
    value = float(value)
    if math.isnan(value):
        raise ProgramError("nan is no number of a program")
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return repr(int(value)) if value == int(value) and math.fabs(value) < 1e15 else repr(value)


def _meet(one, two, met, what):
    """The index that two dimensions become."""
    if one is None or two is None:
        return one or two
    if one.size != two.size and 1 not in (one.size, two.size):
        raise ProgramError(f"{what}: sizes {one.size} and {two.size} do not fit")
    met.append((one, two))
    return two if one.size == 1 else one


def _elementwise(operation, *operands):
    values = []
    for value in operands:
        if getattr(value, "shape", None) == () and not isinstance(value, (Tensor, numbers.Real)):
            value = float(value)  # of NumPy or PyTorch, with no dimension
        if not isinstance(value, (Tensor, numbers.Real)):
            array = ": an array is an argument of the kernel, wo.input(\"a\", a.shape, a.dtype)" if hasattr(value, "shape") else ""
            raise TypeError(f"{operation} takes wo tensors and numbers, not {type(value).__name__}{array}")
        values.append(value)
    tensors = [value for value in values if isinstance(value, Tensor)]
    if not tensors:
        raise TypeError(f"{operation} takes a wo tensor")
    if len(tensors) > 1:
        values = _each_apart(values)
        tensors = [value for value in values if isinstance(value, Tensor)]
    what = f"'{operation}' of {' and '.join(str(each.shape) for each in tensors)}"
    met = []
    axes = _broadcast([tensor.axes for tensor in tensors], met, what)
    return Tensor(operation, values, axes, met)


def _each_apart(values):
    from .apart import apart
    done = []
    for value in values:
        if isinstance(value, Tensor):
            for other in [each for each in done if isinstance(each, Tensor)]:
                value = apart(other, value, range(-other.ndim, 0), range(-value.ndim, 0))
        done.append(value)
    return done


def _broadcast(all_axes, met, what):
    rank = builtins.max(len(axes) for axes in all_axes)
    result = [None] * rank
    for axes in all_axes:
        for place, axis in enumerate(reversed(axes), 1):
            result[-place] = _meet(result[-place], axis, met, what)
    return result


def _reduce(operation, tensor, axis, keepdims):
    if not isinstance(tensor, Tensor):
        raise TypeError(f"{operation} takes a wo tensor, not {type(tensor).__name__}")
    chosen = range(tensor.ndim) if axis is None else axis if isinstance(axis, (tuple, list)) else (axis,)
    places = []
    for each in chosen:
        if not isinstance(each, numbers.Integral) or not -tensor.ndim <= each < tensor.ndim:
            raise ProgramError(f"{operation}: {tensor.shape} has no axis {each}")
        places.append(each % tensor.ndim)
    result = tensor
    for place in places:
        if result.axes[place] is None:
            continue
        axes = list(result.axes)
        over, axes[place] = axes[place], None
        result = Tensor(operation, [result, over], axes)
    if keepdims:
        return result
    return result._with_axes([axis for place, axis in enumerate(result.axes) if place not in places])


def matmul(a, b):
    """As NumPy's: the last dimension of a with the last but one of b, those before broadcast."""
    for value in (a, b):
        if not isinstance(value, Tensor):
            raise TypeError(f"matmul takes wo tensors, not {type(value).__name__}")
    if a.ndim == 0 or b.ndim == 0:
        raise ProgramError("matmul: a tensor without dimensions has none to sum over")
    left, right = (a, b)
    if a.ndim == 1:
        left = a._with_axes([None, *a.axes])
    if b.ndim == 1:
        right = b._with_axes([*b.axes, None])
    what = f"matmul of {a.shape} and {b.shape}"
    from .apart import apart
    right = apart(left, right, [*range(-left.ndim, -2), "row", "sum"], [*range(-right.ndim, -2), "sum", "column"])
    met = []
    over = _meet(left.axes[-1], right.axes[-2], met, what)
    if over is not None and left.axes[-1] is not None and right.axes[-2] is not None and (
            left.axes[-1].size != right.axes[-2].size):
        raise ProgramError(f"{what}: sizes {left.axes[-1].size} and {right.axes[-2].size} do not fit")
    axes = _broadcast([left.axes[:-2], right.axes[:-2]], met, what) + [left.axes[-2], right.axes[-1]]
    product = Tensor("matmul", [left, right, over], axes, met)
    if a.ndim == 1:
        product = product._with_axes([*product.axes[:-2], product.axes[-1]])
    if b.ndim == 1:
        product = product._with_axes(product.axes[:-1])
    return product


def _function(name):
    def function(x):
        return _elementwise(name, x)
    function.__name__ = name
    function.__doc__ = f"{name} of each element."
    return function


exp, log, sqrt, rsqrt, sigmoid, silu = map(_function, ("exp", "log", "sqrt", "rsqrt", "sigmoid", "silu"))
gelu, tanh, relu, softplus, abs = map(_function, ("gelu", "tanh", "relu", "softplus", "abs"))
erf, sin, cos = map(_function, ("erf", "sin", "cos"))
log1p, expm1, floor, ceil, round, sign = map(_function, ("log1p", "expm1", "floor", "ceil", "round", "sign"))


def maximum(a, b): return _elementwise("max", a, b)
def minimum(a, b): return _elementwise("min", a, b)
def clip(x, low=None, high=None):
    x = x if low is None else maximum(x, low)
    return x if high is None else minimum(x, high)


def square(x): return x * x
def not_equal(a, b): return _elementwise("!=", a, b)
def equal(a, b): return _elementwise("==", a, b)
def sum(x, axis=None, keepdims=False): return _reduce("sum", x, axis, keepdims)
def mean(x, axis=None, keepdims=False): return _reduce("mean", x, axis, keepdims)
def max(x, axis=None, keepdims=False): return _reduce("max", x, axis, keepdims)
def min(x, axis=None, keepdims=False): return _reduce("min", x, axis, keepdims)


def var(x, axis=None, keepdims=False, correction=0):
    """As NumPy's, divided by the number of elements; PyTorch's is that with correction=1."""
    d = x - _reduce("mean", x, axis, True)
    if correction == 0:
        return _reduce("mean", d * d, axis, keepdims)
    total = _reduce("sum", d * d, axis, keepdims)
    kept = {builtins.id(each) for each in total.axes}
    counts = [Tensor("size", [each], ()) for each in x.axes if each is not None and builtins.id(each) not in kept]
    count = counts[0] if counts else 1
    for each in counts[1:]:
        count = count * each
    return total / (count - correction)


def std(x, axis=None, keepdims=False, correction=0): return sqrt(var(x, axis, keepdims, correction))
def norm(x, axis=None, keepdims=False): return sqrt(_reduce("sum", x * x, axis, keepdims))


def where(condition, a, b):
    """a where the condition is not 0, else b. With b = -inf what takes the result is exp or softmax."""
    return _elementwise("where", condition, a, b)


def softmax(x, axis=-1, *, dim=None):
    """exp(x) over its sum; what is subtracted so that nothing overflows comes with the kernel."""
    axis, e = axis if dim is None else dim, exp(x)
    return e / _reduce("sum", e, axis, True)


def rms_norm(x, weight=None, eps=1e-5, axis=-1):
    normed = x / sqrt(_reduce("mean", x * x, axis, True) + eps)
    return normed if weight is None else normed * weight


def layer_norm(x, weight=None, bias=None, eps=1e-5, axis=-1):
    d = x - _reduce("mean", x, axis, True)
    normed = d / sqrt(_reduce("mean", d * d, axis, True) + eps)
    if weight is not None:
        normed = normed * weight
    return normed if bias is None else normed + bias


from . import functions as _functions  # noqa: E402

_WRITTEN = {name: value for name, value in vars(_functions).items()
            if not name.startswith("_") and getattr(value, "__module__", None) == _functions.__name__}
globals().update(_WRITTEN)
__all__ = sorted({"abs", "arange", "bfloat16", "cat", "ceil", "clip", "concat", "concatenate", "cos", "equal", "erf", "exp", "expm1",
                  "float16", "float32", "floor", "gelu", "input", "int32", "layer_norm", "log", "log1p", "matmul", "max", "maximum",
                  "mean", "min", "minimum", "norm", "not_equal", "relu", "rms_norm", "round", "rsqrt", "sigmoid", "sign", "silu",
                  "sin", "softmax", "softplus", "split", "sqrt", "square", "stack", "std", "sum", "take", "tanh", "var", "where",
                  *_WRITTEN})
# What a tensor has as a method, too.
METHODS = {name: globals()[name] for name in (
    "exp", "log", "sqrt", "rsqrt", "sigmoid", "silu", "gelu", "tanh", "relu", "softplus", "abs", "erf", "sin", "cos", "log1p",
    "expm1", "floor", "ceil", "round", "sign", "square", *_WRITTEN.keys() - {"einsum"})}
