"""What an expression can be asked for by its operators and methods: NumPy's names, and PyTorch's where those differ."""
import math
import numbers

from .errors import ProgramError


def _from(name):
    from . import expressions
    return getattr(expressions, name)


def _elementwise(*operands): return _from("_elementwise")(*operands)


_PLACES = "where the largest element lies is not computed here: x.max(axis) is the element"
_TYPE = "the type of the result is wo.optimize(y, dtype=...); between, all is computed as float"
INSTEAD = {**dict.fromkeys(("argmax", "argmin", "topk", "sort", "argsort", "median", "unique", "nonzero"), _PLACES),
           **dict.fromkeys(("astype", "to", "type", "half", "bfloat16", "int", "long", "bool", "cpu", "cuda", "numpy"), _TYPE),
           **dict.fromkeys(("item", "tolist", "data", "dtype_of", "all", "any"), "a tensor's values are known when the kernel runs"),
           **dict.fromkeys(("backward", "grad", "requires_grad_"), "there are no gradients here"),
           **dict.fromkeys(("zeros", "ones", "full", "zeros_like", "ones_like", "full_like", "empty", "eye", "tensor", "array"),
                           "a tensor of one number is not needed: numbers stand by themselves, as in x + 1; a unit matrix is "
                           "wo.equal(wo.arange(n)[:, None], wo.arange(n))"),
           **dict.fromkeys(("rand", "randn", "dropout", "bernoulli"),
                           "of random numbers there are none: give them as an input"),
           **dict.fromkeys(("repeat", "tile", "repeat_interleave"),
                           "a dimension is not repeated: x[:, None] broadcasts along a new one, which a reshape joins with its neighbour"),
           **dict.fromkeys(("diagonal", "diag", "trace"),
                           "a diagonal is a sum under a mask: wo.where(wo.arange(n)[:, None] == wo.arange(n), x, 0).sum(-1)"),
           **dict.fromkeys(("conv1d", "conv2d", "conv_transpose2d", "max_pool2d", "avg_pool2d"),
                           "a window is not written so: a convolution of several places is a sum of slices, x[..., k:k + n] * w[k]"),
           "cumsum": "a cumulative sum is one under a mask: "
                     "wo.where(wo.arange(n)[:, None] >= wo.arange(n), x[..., None, :], 0).sum(-1)",
           "prod": "a product of positive elements is wo.exp(wo.log(x).sum(axis))",
           "linear": "a linear layer is x @ w.T + b", "cross_entropy": "a loss is wo.logsumexp(x, -1) less the element that is chosen"}


def _one(name, given, other, value):
    """An argument that NumPy and PyTorch call by different names."""
    if value is None:
        return given
    if given not in (None, False):
        raise TypeError(f"{name} and {other} are the same: give one")
    return value


_SIGNS = {"add": "+", "subtract": "-", "multiply": "*", "divide": "/", "true_divide": "/", "greater": ">", "less": "<",
          "greater_equal": ">=", "less_equal": "<=", "equal": "==", "not_equal": "!=", "logical_and": "*", "logical_or": "max"}
_SPECIAL = {"_negative": lambda x: -x, "_power": lambda x, by: x**by, "_floor_divide": lambda x, by: x // by,
            "remainder": lambda x, by: x % by}


class Methods:
    """Of expressions.Tensor."""

    def __array_ufunc__(self, ufunc, method, *operands, **options):
        """np.exp(x) as wo.exp(x); NumPy's arrays leave operators to this class."""
        name = ufunc.__name__
        if method != "__call__" or options:
            raise TypeError(f"np.{name} takes wo tensors one by one, without options")
        sign = _SIGNS.get(name)
        return _elementwise(sign, *operands) if sign else self.__array_function__(ufunc, (), operands, {})

    def __array_function__(self, function, types, arguments, named):
        name = {"absolute": "abs", "negative": "_negative", "power": "_power", "rint": "round", "amax": "max", "amin": "min",
                "floor_divide": "_floor_divide"}.get(function.__name__, function.__name__)
        if name in _SPECIAL:
            return _SPECIAL[name](*arguments)
        if name not in _from("__all__"):
            raise TypeError(f"np.{name} takes no wo tensors: {INSTEAD.get(name, 'wo has no such function')}")
        return _from(name)(*arguments, **named)

    __hash__ = object.__hash__

    def __bool__(self):
        raise ProgramError("a tensor's values are known when the kernel runs: choose with wo.where(condition, a, b), and join "
                           "comparisons with &, as in (0 < x) & (x < 1); the larger of two is wo.maximum(a, b)")

    def __len__(self):
        if not self.ndim:
            raise TypeError("a tensor without dimensions has no len()")
        return self.shape[0]

    def __iter__(self):
        return (self[place] for place in range(len(self)))

    def __add__(self, other): return _elementwise("+", self, other)
    def __radd__(self, other): return _elementwise("+", other, self)
    def __sub__(self, other): return _elementwise("-", self, other)
    def __rsub__(self, other): return _elementwise("-", other, self)
    def __mul__(self, other): return _elementwise("*", self, other)
    def __rmul__(self, other): return _elementwise("*", other, self)
    def __truediv__(self, other): return _elementwise("/", self, other)
    def __rtruediv__(self, other): return _elementwise("/", other, self)
    def __floordiv__(self, other): return _elementwise("floor", self / other)
    def __rfloordiv__(self, other): return _elementwise("floor", other / self)
    def __mod__(self, other): return self - self // other * other
    def __rmod__(self, other): return other - other // self * self
    def __gt__(self, other): return _elementwise(">", self, other)
    def __lt__(self, other): return _elementwise("<", self, other)
    def __ge__(self, other): return _elementwise(">=", self, other)
    def __le__(self, other): return _elementwise("<=", self, other)
    def __eq__(self, other): return self._compared("==", other)
    def __ne__(self, other): return self._compared("!=", other)
    def __and__(self, other): return _elementwise("*", self, other)  # of conditions
    __rand__ = __and__
    def __or__(self, other): return _elementwise("max", self, other)  # of conditions
    __ror__ = __or__
    def __xor__(self, other): return _elementwise("!=", self, other)  # of conditions
    def __invert__(self): return _elementwise("where", self, 0, 1)
    def __neg__(self): return _elementwise("neg", self)
    def __abs__(self): return _elementwise("abs", self)
    def __pos__(self): return self
    def __round__(self, digits=None): return _elementwise("round", self) if not digits else NotImplemented
    def __floor__(self): return _elementwise("floor", self)
    def __ceil__(self): return _elementwise("ceil", self)
    def __matmul__(self, other): return _from("matmul")(self, other)
    def __rmatmul__(self, other): return _from("matmul")(other, self)

    def _compared(self, sign, other):
        if isinstance(other, (Methods, numbers.Real)) or hasattr(other, "shape") or isinstance(other, list):
            return _elementwise(sign, self, other)
        return NotImplemented

    def __pow__(self, exponent):
        if not isinstance(exponent, numbers.Real):
            raise ProgramError("an exponent is a number; of an x that is positive, x to the power of p is wo.exp(p * wo.log(x))")
        return _elementwise(f"pow {_from('number_text')(exponent)}", self)

    def __rpow__(self, base):
        if not isinstance(base, numbers.Real) or base <= 0:
            raise ProgramError(f"what has a tensor as its exponent is a positive number, not {base!r}")
        return _elementwise("exp", self * math.log(base))

    def sum(self, axis=None, keepdims=False, *, dim=None, keepdim=None): return self._reduced("sum", axis, keepdims, dim, keepdim)
    def mean(self, axis=None, keepdims=False, *, dim=None, keepdim=None): return self._reduced("mean", axis, keepdims, dim, keepdim)
    def max(self, axis=None, keepdims=False, *, dim=None, keepdim=None): return self._reduced("max", axis, keepdims, dim, keepdim)
    def min(self, axis=None, keepdims=False, *, dim=None, keepdim=None): return self._reduced("min", axis, keepdims, dim, keepdim)
    amax, amin = max, min

    def var(self, axis=None, keepdims=False, correction=0, *, ddof=None, dim=None, keepdim=None):
        return self._reduced("var", axis, keepdims, dim, keepdim, correction if ddof is None else ddof)

    def std(self, axis=None, keepdims=False, correction=0, *, ddof=None, dim=None, keepdim=None):
        return self._reduced("std", axis, keepdims, dim, keepdim, correction if ddof is None else ddof)

    def norm(self, axis=None, keepdims=False, *, dim=None, keepdim=None): return self._reduced("norm", axis, keepdims, dim, keepdim)
    def logsumexp(self, axis=None, keepdims=False, *, dim=None, keepdim=None): return self._reduced("logsumexp", axis, keepdims, dim, keepdim)

    def _reduced(self, name, axis, keepdims, dim, keepdim, *rest):
        return _from(name)(self, _one("axis", axis, "dim", dim), _one("keepdims", keepdims, "keepdim", keepdim), *rest)

    def softmax(self, axis=-1, *, dim=None): return _from("softmax")(self, axis if dim is None else dim)
    def log_softmax(self, axis=-1, *, dim=None): return _from("log_softmax")(self, axis if dim is None else dim)
    def clip(self, low=None, high=None, *, min=None, max=None): return _from("clip")(self, low if min is None else min, high if max is None else max)
    clamp = clip

    def add(self, other): return self + other
    def sub(self, other): return self - other
    def mul(self, other): return self * other
    multiply = mul
    def div(self, other): return self / other
    def pow(self, exponent): return self**exponent
    def matmul(self, other): return self @ other
    mm = bmm = dot = matmul
    def masked_fill(self, mask, value): return _from("where")(mask, value, self)
    def where(self, condition, other): return _from("where")(condition, self, other)
    def float(self): return self
    contiguous = clone = detach = copy = float

    @property
    def size(self):
        return math.prod(self.shape)

    @property
    def T(self): return self.transpose()

    @property
    def mT(self): return self.swapaxes(-1, -2)

    def t(self): return self.transpose()
    def numel(self): return self.size
    def dim(self): return self.ndim
    def permute(self, *axes): return self.transpose(axes[0] if len(axes) == 1 else axes)
    def view(self, *shape): return self.reshape(*shape)
    def ravel(self): return self.reshape(-1)

    def flatten(self, start=0, end=-1):
        start, end = start % self.ndim, end % self.ndim
        return self.reshape(*self.shape[:start], -1, *self.shape[end + 1:])

    def unflatten(self, axis, sizes):
        axis %= self.ndim
        return self.reshape(*self.shape[:axis], *sizes, *self.shape[axis + 1:])

    def squeeze(self, axis=None, *, dim=None):
        chosen = _one("axis", axis, "dim", dim)
        chosen = range(self.ndim) if chosen is None else chosen if isinstance(chosen, (tuple, list)) else (chosen,)
        dropped = {each % self.ndim for each in chosen}
        return self.reshape(*(size for place, size in enumerate(self.shape) if size != 1 or place not in dropped))

    def unsqueeze(self, axis):
        return self[(slice(None),) * (axis % (self.ndim + 1)) + (None,)]

    def expand(self, *shape): return _from("broadcast_to")(self, shape[0] if len(shape) == 1 and not isinstance(shape[0], numbers.Integral) else shape)
    def expand_as(self, other): return _from("broadcast_to")(self, other.shape)
    def roll(self, shift, axis): return _from("roll")(self, shift, axis)
    def flip(self, axis): return _from("flip")(self, axis)

    def split(self, size, axis=0, *, dim=None):
        """As PyTorch's: parts of this size, or of these sizes."""
        axis = axis if dim is None else dim
        sizes = [size] * (self.shape[axis] // size) if isinstance(size, numbers.Integral) else list(size)
        sizes += [self.shape[axis] - sum(sizes)] if sum(sizes) < self.shape[axis] else []
        ends = [sum(sizes[:place]) for place in range(1, len(sizes))]
        return _from("split")(self, ends, axis)

    def chunk(self, chunks, axis=0, *, dim=None):
        axis = axis if dim is None else dim
        return self.split(-(-self.shape[axis] // chunks), axis)

    def __getattr__(self, name):
        """x.exp() as wo.exp(x), and words for what there is not."""
        if name.startswith("__"):
            raise AttributeError(name)
        function = _from("METHODS").get(name)
        if function is not None:
            return lambda *more, **named: function(self, *more, **named)
        raise AttributeError(INSTEAD.get(name) or f"a tensor has no {name!r}{like(name, [*_from('METHODS'), *dir(type(self))])}")


def like(name, known):
    """ "; is softmax meant?" or nothing."""
    import difflib
    found = difflib.get_close_matches(name.lower(), [each for each in known if not each.startswith("_")], 1)
    return f"; is {found[0]} meant?" if found else ""
