"""Operators of PyTorch that compute each element by itself, and numbers for all of them."""
import numbers

from . import expressions as wo
from .aten_table import aten
from .errors import ProgramError


@aten("add")
def _add(a, b, *, alpha=1):
    return a + (b if alpha == 1 else b * alpha)


@aten("sub")
def _sub(a, b, *, alpha=1):
    return a - (b if alpha == 1 else b * alpha)


@aten("rsub")
def _rsub(a, b, alpha=1):
    return b - (a if alpha == 1 else a * alpha)


@aten("mul")
def _mul(a, b):
    return a * b


@aten("div")
def _div(a, b, *, rounding_mode=None):
    if rounding_mode == "trunc":
        return wo.trunc(a / b)
    return a / b if rounding_mode is None else a // b


@aten("floor_divide")
def _floor_divide(a, b):
    return a // b


@aten("remainder")
def _remainder(a, b):
    return a % b


@aten("pow")
def _pow(a, b):
    if isinstance(a, numbers.Real):
        return a**b
    if not isinstance(b, numbers.Real):
        raise ProgramError("an exponent is a number")
    return {1: lambda: a, 2: lambda: a * a, -1: lambda: 1 / a, 0.5: lambda: wo.sqrt(a), -0.5: lambda: wo.rsqrt(a)}.get(
        b, lambda: a**b)()


def _unary(name, function):
    aten(name)(lambda x: function(x))


for _name, _function in {
        "neg": lambda x: -x, "exp": wo.exp, "log": wo.log, "sqrt": wo.sqrt, "rsqrt": wo.rsqrt, "sigmoid": wo.sigmoid,
        "tanh": wo.tanh, "silu": wo.silu, "relu": wo.relu, "abs": wo.abs, "erf": wo.erf, "sin": wo.sin, "cos": wo.cos,
        "reciprocal": lambda x: 1 / x, "square": lambda x: x * x, "log1p": wo.log1p, "expm1": wo.expm1, "floor": wo.floor,
        "ceil": wo.ceil, "trunc": wo.trunc, "sign": wo.sign, "sgn": wo.sign, "tan": wo.tan, "sinh": wo.sinh, "cosh": wo.cosh,
        "log2": wo.log2, "log10": wo.log10, "exp2": wo.exp2, "atan": lambda x: wo._elementwise("atan", x),
        "frac": lambda x: x - wo.trunc(x), "erfc": lambda x: 1 - wo.erf(x), "hardswish": wo.hardswish, "hardsigmoid": wo.hardsigmoid,
        "mish": wo.mish, "relu6": wo.relu6, "selu": wo.selu, "log_sigmoid": wo.logsigmoid,
        "log_sigmoid_forward": lambda x: [wo.logsigmoid(x), None],
        "logical_not": lambda x: wo.where(x, 0, 1), "bitwise_not": lambda x: wo.where(x, 0, 1)}.items():
    _unary(_name, _function)


@aten("gelu")
def _gelu(x, *, approximate="none"):
    return wo.gelu(x) if approximate == "tanh" else wo.gelu_erf(x)


@aten("round")
def _round(x, *, decimals=0):
    return wo.round(x) if not decimals else wo.round(x * 10.0**decimals) / 10.0**decimals


@aten("leaky_relu")
def _leaky_relu(x, negative_slope=0.01):
    return wo.leaky_relu(x, negative_slope)


@aten("elu")
def _elu(x, alpha=1, scale=1, input_scale=1):
    if input_scale != 1:
        x = wo.where(x > 0, x, x * input_scale)
    return wo.elu(x, alpha) if scale == 1 else wo.elu(x, alpha) * scale


@aten("celu")
def _celu(x, alpha=1.0):
    return wo.maximum(x, 0) + alpha * wo.expm1(wo.minimum(x, 0) / alpha)


@aten("hardtanh")
def _hardtanh(x, min_val=-1, max_val=1):
    return wo.clip(x, min_val, max_val)


@aten("lerp")
def _lerp(a, b, weight):
    return a + weight * (b - a)


@aten("addcmul")
def _addcmul(x, a, b, *, value=1):
    return x + (a * b if value == 1 else value * (a * b))


@aten("addcdiv")
def _addcdiv(x, a, b, *, value=1):
    return x + (a / b if value == 1 else value * (a / b))


@aten("softplus")
def _softplus(x, beta=1, threshold=20):
    return wo.softplus(x) if beta == 1 else wo.softplus(x * beta) / beta


@aten("maximum")
def _maximum(a, b):
    return wo.maximum(a, b)


@aten("minimum")
def _minimum(a, b):
    return wo.minimum(a, b)


@aten("clamp")
def _clamp(x, min=None, max=None):
    return wo.clip(x, min, max)


@aten("clamp_min")
def _clamp_min(x, min):
    return wo.maximum(x, min)


for _name, _word in {"gt": ">", "lt": "<", "ge": ">=", "le": "<=", "eq": "==", "ne": "!="}.items():
    aten(_name)(lambda a, b, word=_word: wo._elementwise(word, a, b))


@aten("where")
def _where(condition, a, b):
    return wo.where(condition, a, b)


@aten("masked_fill")
def _masked_fill(x, mask, value):
    return wo.where(mask, value, x)


@aten("scalar_tensor")
def _scalar_tensor(value, **options):
    return float(value)


@aten("full")
def _full(size, value, **options):
    return float(value)


@aten("zeros_like", "zeros", "new_zeros")
def _zeros(*size, **options):
    return 0.0


@aten("ones_like", "ones", "new_ones")
def _ones(*size, **options):
    return 1.0


@aten("full_like", "new_full")
def _full_like(like, *value, **options):
    return float(value[-1])


@aten("logical_and", "bitwise_and", "__and__")
def _and(a, b):
    return a & b


@aten("logical_or", "bitwise_or", "__or__")
def _or(a, b):
    return a | b


@aten("logical_xor", "bitwise_xor", "__xor__")
def _xor(a, b):
    return a ^ b
