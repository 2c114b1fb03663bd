"""PyTorch's operators (aten) in the optimizer's language: a graph's nodes become expressions.

Nothing here needs PyTorch: a node is what has op, name, target, args, kwargs and meta, as those of torch.fx do.
"""
import itertools
import math
import numbers

from . import expressions as wo
from .errors import ProgramError
from .expressions import Tensor

TABLE = {}  # "mm": a function of the operator's arguments, in its schema's order


class Unknown(ProgramError):
    """An operator that the language does not have, or not so. `words`: why, without its name."""

    def __init__(self, node, words):
        self.node = node
        sign = " " if words.startswith(("is ", "gives ")) else ": "
        super().__init__(f"{node.target} ({node.name}){sign}{words}")
        self.words = words


class Other:
    """An argument of a type that no tensor of the language has."""

    def __init__(self, name, type_name):
        self.words = f"{name} is {type_name}, and tensors are float16, bfloat16 or float32"


def _aten(*names):
    def add(function):
        for name in names:
            TABLE[name] = function
        return function
    return add


def name_of(target):
    """ "mm" of aten.mm.default, "getitem" of operator.getitem."""
    words = str(target).split(".")
    if words[0] in ("aten", "workbook") and len(words) > 1:
        return words[1]
    return getattr(target, "__name__", str(target))


def translate(nodes, values):
    """Adds to `values`, which has what the nodes take, an expression for each of these nodes."""
    for node in nodes:
        values[node] = translated(node, values)


def translated(node, values):
    name = name_of(node.target)
    function = TABLE.get(name)
    if function is None:
        raise Unknown(node, INSTEAD.get(name, "is not known"))
    if name.startswith("bitwise_") and not is_truth(node):
        raise Unknown(node, "of whole numbers' bits there is nothing")

    def value(argument):
        if isinstance(argument, (list, tuple)):
            return [value(each) for each in argument]
        if not hasattr(argument, "op") or not hasattr(argument, "args"):
            return argument
        if isinstance(values[argument], Other):
            raise Unknown(node, values[argument].words)
        return values[argument]
    try:
        made = function(*map(value, node.args), **{key: value(each) for key, each in node.kwargs.items()})
    except Unknown:
        raise
    except ProgramError as error:
        raise Unknown(node, str(error)) from None
    except (TypeError, ValueError, AttributeError, IndexError, ArithmeticError) as error:
        raise Unknown(node, f"is not known with these arguments: {error}") from None
    wanted = shape_of(node)
    if wanted is not None and isinstance(made, Tensor) and made.shape != wanted:
        raise Unknown(node, f"gives {wanted}, and would give {made.shape}")
    return made


def type_name_of(node):
    return str(getattr(node.meta.get("val"), "dtype", "")).rsplit(".", 1)[-1]


def is_truth(node):
    return type_name_of(node) == "bool"


# Why PyTorch's own is what there is.
_ORDER = "is not known: which elements are largest is not computed here"
INSTEAD = {**dict.fromkeys(("topk", "sort", "argmax", "argmin", "argsort", "median", "kthvalue"), _ORDER),
           **dict.fromkeys(("cumsum", "cumprod", "cummax", "logcumsumexp"), "is not known: a sum of all before it is PyTorch's"),
           **dict.fromkeys(("scatter", "scatter_add", "index_put", "index_add", "index_copy"), "is not known: elements are not written to chosen places"),
           **dict.fromkeys(("convolution", "convolution_backward", "cudnn_convolution"), "is not known: convolutions of channels are PyTorch's"),
           **dict.fromkeys(("rand", "randn", "rand_like", "randn_like", "bernoulli", "native_dropout"), "is not known: of random numbers there are none"),
           "_native_batch_norm_legit_functional": "is not known: statistics that are kept from batch to batch are PyTorch's: model.eval() has none",
           "_transformer_encoder_layer_fwd": "is PyTorch's own layer in one; torch.backends.mha.set_fastpath_enabled(False) takes it apart",
           "_native_multi_head_attention": "is PyTorch's own layer in one; torch.backends.mha.set_fastpath_enabled(False) takes it apart"}


def shape_of(node):
    shape = getattr(node.meta.get("val"), "shape", None)
    if shape is None:
        return None
    return tuple(int(size) if isinstance(size, numbers.Integral) else size for size in shape)


# ---- elementwise ----
@_aten("add")
def _add(a, b, *, alpha=1):
    return a + (b if alpha == 1 else b * alpha)


@_aten("sub")
def _sub(a, b, *, alpha=1):
    return a - (b if alpha == 1 else b * alpha)


@_aten("rsub")
def _rsub(a, b, alpha=1):
    return b - (a if alpha == 1 else a * alpha)


@_aten("mul")
def _mul(a, b):
    return a * b


@_aten("div")
def _div(a, b, *, rounding_mode=None):
    if rounding_mode == "trunc":
        return wo.trunc(a / b)
    return a / b if rounding_mode is None else a // b


@_aten("floor_divide")
def _floor_divide(a, b):
    return a // b


@_aten("remainder")
def _remainder(a, b):
    return a % b


@_aten("pow")
def _pow(a, b):
    if isinstance(a, numbers.Real):
        return a**b
    if not isinstance(b, numbers.Real):
        raise ProgramError("an exponent is a number")
    return {1: lambda: a, 2: lambda: a * a, -1: lambda: 1 / a, 0.5: lambda: wo.sqrt(a), -0.5: lambda: wo.rsqrt(a)}.get(
        b, lambda: a**b)()


def _unary(name, function):
    _aten(name)(lambda x: function(x))


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


@_aten("gelu")
def _gelu(x, *, approximate="none"):
    return wo.gelu(x) if approximate == "tanh" else 0.5 * x * (1 + wo.erf(x * math.sqrt(0.5)))


@_aten("round")
def _round(x, *, decimals=0):
    return wo.round(x) if not decimals else wo.round(x * 10.0**decimals) / 10.0**decimals


@_aten("leaky_relu")
def _leaky_relu(x, negative_slope=0.01):
    return wo.leaky_relu(x, negative_slope)


@_aten("elu")
def _elu(x, alpha=1, scale=1, input_scale=1):
    if input_scale != 1:
        x = wo.where(x > 0, x, x * input_scale)
    return wo.elu(x, alpha) if scale == 1 else wo.elu(x, alpha) * scale


@_aten("celu")
def _celu(x, alpha=1.0):
    return wo.maximum(x, 0) + alpha * wo.expm1(wo.minimum(x, 0) / alpha)


@_aten("hardtanh")
def _hardtanh(x, min_val=-1, max_val=1):
    return wo.clip(x, min_val, max_val)


@_aten("lerp")
def _lerp(a, b, weight):
    return a + weight * (b - a)


@_aten("addcmul")
def _addcmul(x, a, b, *, value=1):
    return x + (a * b if value == 1 else value * (a * b))


@_aten("addcdiv")
def _addcdiv(x, a, b, *, value=1):
    return x + (a / b if value == 1 else value * (a / b))


@_aten("softplus")
def _softplus(x, beta=1, threshold=20):
    return wo.softplus(x) if beta == 1 else wo.softplus(x * beta) / beta


@_aten("maximum")
def _maximum(a, b):
    return wo.maximum(a, b)


@_aten("minimum")
def _minimum(a, b):
    return wo.minimum(a, b)


@_aten("clamp")
def _clamp(x, min=None, max=None):
    x = x if min is None else wo.maximum(x, min)
    return x if max is None else wo.minimum(x, max)


@_aten("clamp_min")
def _clamp_min(x, min):
    return wo.maximum(x, min)


for _name, _word in {"gt": ">", "lt": "<", "ge": ">=", "le": "<=", "eq": "==", "ne": "!="}.items():
    _aten(_name)(lambda a, b, word=_word: wo._elementwise(word, a, b))


@_aten("where")
def _where(condition, a, b):
    return wo.where(condition, a, b)


@_aten("masked_fill")
def _masked_fill(x, mask, value):
    return wo.where(mask, value, x)


@_aten("scalar_tensor")
def _scalar_tensor(value, **options):
    return float(value)


@_aten("full")
def _full(size, value, **options):
    return float(value)


# ---- the same elements ----
@_aten("clone", "alias", "detach", "contiguous", "_to_copy", "to", "convert_element_type", "lift_fresh_copy")
def _same(x, *rest, **options):
    """A type is that of a result: between, all is computed as float."""
    return x


@_aten("dropout")
def _dropout(x, p, train):
    if train and p > 0:
        raise ProgramError("of random numbers there are none")
    return x


@_aten("t")
def _t(x):
    return x.T if x.ndim == 2 else x


@_aten("transpose")
def _transpose(x, one, two):
    return x.swapaxes(one, two)


@_aten("permute")
def _permute(x, dims):
    return x.transpose(*dims)


@_aten("view", "_unsafe_view", "reshape")
def _view(x, size):
    return x.reshape(*size)


@_aten("unflatten")
def _unflatten(x, dim, sizes):
    dim %= x.ndim
    return x.reshape(*x.shape[:dim], *sizes, *x.shape[dim + 1:])


@_aten("flatten")
def _flatten(x, start_dim=0, end_dim=-1):
    start, end = start_dim % x.ndim, end_dim % x.ndim
    return x.reshape(*x.shape[:start], -1, *x.shape[end + 1:])


@_aten("unsqueeze")
def _unsqueeze(x, dim):
    dim %= x.ndim + 1
    return x[(slice(None),) * dim + (None,)]


@_aten("squeeze")
def _squeeze(x, dim=None):
    dims = range(x.ndim) if dim is None else dim if isinstance(dim, (list, tuple)) else [dim]
    dims = {each % x.ndim for each in dims}
    return x.reshape(*(size for place, size in enumerate(x.shape) if size != 1 or place not in dims))


@_aten("expand")
def _expand(x, size, *, implicit=False):
    return x if isinstance(x, numbers.Real) else wo.broadcast_to(x, size)


# ---- sums ----
def _dims(x, dim):
    return None if dim is None or dim == [] else dim


@_aten("sum")
def _sum(x, dim=None, keepdim=False, *, dtype=None):
    return x.sum(_dims(x, dim), keepdim)


@_aten("mean")
def _mean(x, dim=None, keepdim=False, *, dtype=None):
    return x.mean(_dims(x, dim), keepdim)


@_aten("amax")
def _amax(x, dim=(), keepdim=False):
    return x.max(_dims(x, list(dim)), keepdim)


@_aten("amin")
def _amin(x, dim=(), keepdim=False):
    return x.min(_dims(x, list(dim)), keepdim)


@_aten("var")
def _var(x, dim=None, unbiased=None, *, correction=None, keepdim=False):
    dims = _dims(x, dim)
    chosen = range(x.ndim) if dims is None else dims
    count = math.prod(x.shape[each] for each in chosen)
    less = correction if correction is not None else 0 if unbiased is False else 1
    d = x - x.mean(dims, True)
    return (d * d).mean(dims, keepdim) * (count / (count - less) if less else 1)


@_aten("std")
def _std(x, dim=None, unbiased=None, *, correction=None, keepdim=False):
    return wo.sqrt(_var(x, dim, unbiased, correction=correction, keepdim=keepdim))


@_aten("logsumexp")
def _logsumexp(x, dim, keepdim=False):
    return wo.logsumexp(x, _dims(x, dim), keepdim)


@_aten("linalg_vector_norm")
def _vector_norm(x, ord=2, dim=None, keepdim=False, *, dtype=None):
    dims = _dims(x, dim)
    if ord == 2:
        return wo.norm(x, dims, keepdim)
    if ord == 1:
        return wo.abs(x).sum(dims, keepdim)
    if ord in (math.inf, -math.inf):
        return (wo.abs(x).max if ord > 0 else wo.abs(x).min)(dims, keepdim)
    raise ProgramError(f"a norm of order {ord} is not there")


def _extreme_of(name):
    def extreme(x, dim=None, keepdim=False):
        if isinstance(dim, Tensor):  # of two tensors
            return (wo.maximum if name == "max" else wo.minimum)(x, dim)
        value = (x.max if name == "max" else x.min)(dim, keepdim)
        return value if dim is None else [value, None]
    return extreme


for _name in ("max", "min"):
    _aten(_name)(_extreme_of(_name))


def _norm_over(x, dims, eps):
    d = x - x.mean(dims, True)
    return d / wo.sqrt((d * d).mean(dims, True) + eps)


@_aten("native_group_norm")
def _group_norm(x, weight, bias, n, channels, rest, groups, eps):
    shape = x.shape
    normed = _norm_over(x.reshape(shape[0], groups, shape[1] // groups, -1), (2, 3), eps).reshape(*shape)
    return [_by_channel(normed, weight, bias), None, None]


@_aten("_native_batch_norm_legit_no_training")
def _batch_norm(x, weight, bias, mean, var, momentum, eps):
    every = (slice(None), *(None,) * (x.ndim - 2))
    return [_by_channel((x - mean[every]) / wo.sqrt(var[every] + eps), weight, bias), None, None]


@_aten("_native_batch_norm_legit")
def _instance_norm(x, weight, bias, *rest):
    if len(rest) != 3 or not rest[0]:
        raise ProgramError(INSTEAD["_native_batch_norm_legit_functional"])
    dims = tuple(place for place in range(x.ndim) if place != 1)
    return [_by_channel(_norm_over(x, dims, rest[2]), weight, bias), None, None]


def _by_channel(x, weight, bias):
    every = (slice(None), *(None,) * (x.ndim - 2))
    x = x if weight is None else x * weight[every]
    return x if bias is None else x + bias[every]


# ---- losses: of each element (reduction 0), their mean (1), their sum (2) ----
def _loss(each, reduction):
    return each if reduction == 0 else each.mean() if reduction == 1 else each.sum()


@_aten("mse_loss")
def _mse_loss(x, wanted, reduction=1):
    return _loss((x - wanted) * (x - wanted), reduction)


@_aten("smooth_l1_loss")
def _smooth_l1_loss(x, wanted, reduction=1, beta=1.0):
    away = wo.abs(x - wanted)
    return _loss(wo.where(away < beta, away * away * (0.5 / beta), away - 0.5 * beta) if beta else away, reduction)


@_aten("binary_cross_entropy_with_logits")
def _bce(x, wanted, weight=None, pos_weight=None, reduction=1):
    if pos_weight is not None:
        raise ProgramError("pos_weight is not there")
    each = wo.maximum(x, 0) - x * wanted + wo.log1p(wo.exp(-wo.abs(x)))
    return _loss(each if weight is None else each * weight, reduction)


@_aten("_softmax", "softmax")
def _softmax(x, dim, *rest, **options):
    return wo.softmax(x, dim)


@_aten("_log_softmax", "log_softmax")
def _log_softmax(x, dim, *rest, **options):
    return x - wo.log(wo.exp(x).sum(dim, True))


@_aten("layer_norm")
def _layer_norm(x, normalized_shape, weight=None, bias=None, eps=1e-5, cudnn_enable=True):
    return wo.layer_norm(x, weight, bias, eps, _last(x, normalized_shape))


@_aten("native_layer_norm")
def _native_layer_norm(x, normalized_shape, weight, bias, eps):
    return [_layer_norm(x, normalized_shape, weight, bias, eps), None, None]


@_aten("rms_norm")
def _rms_norm(x, normalized_shape, weight=None, eps=None):
    return wo.rms_norm(x, weight, 2.0**-23 if eps is None else eps, _last(x, normalized_shape))


@_aten("_fused_rms_norm")
def _fused_rms_norm(x, normalized_shape, weight, eps):
    return [_rms_norm(x, normalized_shape, weight, eps), None]


def _last(x, shape):
    if len(shape) != 1:
        raise ProgramError("a norm goes over the last dimension")
    return -1


# ---- products ----
@_aten("mm", "bmm", "matmul")
def _matmul(a, b):
    return wo.matmul(a, b)


@_aten("mv", "dot")
def _vector(a, b):
    return wo.matmul(a, b)


@_aten("addmm", "baddbmm")
def _addmm(bias, a, b, *, beta=1, alpha=1):
    product = wo.matmul(a, b)
    product = product if alpha == 1 else product * alpha
    return product if beta == 0 else product + (bias if beta == 1 else bias * beta)


@_aten("linear")
def _linear(x, weight, bias=None):
    rows = x.reshape(-1, x.shape[-1]) if x.ndim > 2 else x
    product = wo.matmul(rows, weight.T)
    product = product if bias is None else product + bias
    return product.reshape(*x.shape[:-1], weight.shape[0]) if x.ndim > 2 else product


@_aten("scaled_dot_product_attention")
def _attention(q, k, v, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False):
    if dropout_p:
        raise ProgramError("of random numbers there are none")
    if q.ndim > 2 and q.shape[-3] != k.shape[-3] and not enable_gqa:
        raise ProgramError(f"{q.shape[-3]} heads of queries meet {k.shape[-3]} of keys without enable_gqa")
    return wo.scaled_dot_product_attention(q, k, v, attn_mask, is_causal, scale, enable_gqa)


@_aten("arange")
def _arange(*range_, **options):
    start, end, step = (range_ if len(range_) == 3 else (*range_, 1) if len(range_) == 2 else (0, *range_, 1))
    places = wo.arange(-int((start - end) // step))
    places = places if step == 1 else places * step
    return places if start == 0 else places + start


@_aten("zeros_like", "zeros", "new_zeros")
def _zeros(*size, **options):
    return 0.0


@_aten("ones_like", "ones", "new_ones")
def _ones(*size, **options):
    return 1.0


@_aten("full_like", "new_full")
def _full_like(like, *value, **options):
    return float(value[-1])


@_aten("tril")
def _tril(x, diagonal=0):
    rows, columns = x.shape[-2:]
    return wo.where(wo.arange(rows)[:, None] + diagonal >= wo.arange(columns), x, 0)


@_aten("triu")
def _triu(x, diagonal=0):
    rows, columns = x.shape[-2:]
    return wo.where(wo.arange(rows)[:, None] + diagonal <= wo.arange(columns), x, 0)


@_aten("logical_and", "bitwise_and")
def _and(a, b):
    return a & b


@_aten("logical_or", "bitwise_or")
def _or(a, b):
    return a | b


@_aten("logical_xor", "bitwise_xor")
def _xor(a, b):
    return a ^ b


@_aten("roll")
def _roll(x, shifts, dims=()):
    if not dims:
        raise ProgramError("all dimensions at once are not rolled")
    for shift, dim in zip(shifts, dims):
        x = wo.roll(x, shift, dim)
    return x


@_aten("flip")
def _flip(x, dims):
    return wo.flip(x, dims)


@_aten("constant_pad_nd")
def _pad(x, pad, value=0):
    for place in range(len(pad) // 2):
        before, after = pad[2 * place:2 * place + 2]
        dim = x.ndim - 1 - place
        if min(before, after) < 0:
            raise ProgramError("less than nothing is not put beside a tensor")
        x = _padded(x, dim, before, after, value)
    return x


def _padded(x, dim, before, after, value):
    if value or not before and not after:
        if not before and not after:
            return x
        raise ProgramError(f"beside a tensor is 0, and not {value}")
    axes = list(x.axes)
    if axes[dim] is None:
        raise ProgramError("a dimension of size 1 gets nothing beside it")
    whole = axes[dim] = wo.Index(x.shape[dim] + before + after)
    return wo._moved(x, {dim: (whole, -before, 1)}, axes)


@_aten("repeat")
def _repeat(x, repeats):
    x = x[(None,) * (len(repeats) - x.ndim)] if len(repeats) > x.ndim else x
    shape = x.shape
    for dim, times in reversed(list(enumerate(repeats))):
        if times != 1:
            x = x[(slice(None),) * dim + (None,)]
            x = wo.broadcast_to(x, (*x.shape[:dim], times, *x.shape[dim + 1:]))
    return x.reshape(*(size * times for size, times in zip(shape, repeats)))


@_aten("pixel_shuffle")
def _pixel_shuffle(x, by):
    *batch, channels, rows, columns = x.shape
    x = x.reshape(*batch, channels // by // by, by, by, rows, columns)
    at = len(batch)
    x = x.transpose(*range(at + 1), at + 3, at + 1, at + 4, at + 2)
    return x.reshape(*batch, channels // by // by, rows * by, columns * by)


@_aten("avg_pool2d")
def _avg_pool(x, kernel, stride=(), padding=(0,), ceil_mode=False, count_include_pad=True, divisor_override=None):
    tiles = _tiles(x, kernel, stride, padding, ceil_mode)
    if divisor_override:
        raise ProgramError("another divisor is not there")
    return tiles.mean((-3, -1))


@_aten("max_pool2d_with_indices", "max_pool2d")
def _max_pool(x, kernel, stride=(), padding=(0,), dilation=(1,), ceil_mode=False):
    if any(each != 1 for each in (dilation if isinstance(dilation, (list, tuple)) else [dilation])):
        raise ProgramError("windows with gaps are not there")
    return [_tiles(x, kernel, stride, padding, ceil_mode).max((-3, -1)), None]


def _tiles(x, kernel, stride, padding, ceil_mode):
    kernel = list(kernel) * (2 // len(kernel))
    if (stride and list(stride) * (2 // len(stride)) != kernel) or any(padding) or ceil_mode or any(
            size % each for size, each in zip(x.shape[-2:], kernel)):
        raise ProgramError("windows that overlap, or reach beyond the picture, are PyTorch's")
    (rows, columns), (high, wide) = x.shape[-2:], kernel
    return x.reshape(*x.shape[:-2], rows // high, high, columns // wide, wide)


@_aten("slice")
def _slice(x, dim=0, start=None, end=None, step=1):
    return x[(slice(None),) * (dim % x.ndim) + (slice(start, end, step),)]


@_aten("nll_loss_forward")
def _nll_loss(x, wanted, weight, reduction, ignore_index):
    """Of log-probabilities: less the one that is chosen, where that is not to be ignored."""
    if weight is not None:
        raise ProgramError("classes' weights are not there")
    seen = wanted != ignore_index
    of_class = wo.where(wanted[..., None] == wo.arange(x.shape[-1]), x, 0).sum(-1) if x.ndim == 2 else None
    if of_class is None:
        raise ProgramError(f"a loss of {x.ndim} dimensions is not there")
    each = -wo.where(seen, of_class, 0)
    if reduction == 0:
        return [each, None]
    return [each.sum() / wo.where(seen, 1, 0).sum() if reduction == 1 else each.sum(), None]


@_aten("select")
def _select(x, dim, index):
    return x[(slice(None),) * (dim % x.ndim) + (index,)]


@_aten("split", "split_with_sizes", "unsafe_split", "unsafe_split_with_sizes")
def _split(x, sizes, dim=0):
    if isinstance(sizes, int):
        return wo.split(x, range(sizes, x.shape[dim], sizes), dim)
    return wo.split(x, list(itertools.accumulate(sizes))[:-1], dim)


@_aten("chunk")
def _chunk(x, chunks, dim=0):
    return _split(x, -(-x.shape[dim] // chunks), dim)


@_aten("cat")
def _cat(tensors, dim=0):
    return wo.concatenate(tensors, dim)


@_aten("stack")
def _stack(tensors, dim=0):
    return wo.stack(tensors, dim)


@_aten("embedding")
def _embedding(weight, indices, *rest, **options):
    start = 0
    while isinstance(indices, Tensor) and indices.operation in ("+", "same") and not indices.met:
        place, *more = indices.operands
        if more and not isinstance(more[0], numbers.Integral):
            break
        indices, start = place, start + (more[0] if more else 0)
    if isinstance(indices, Tensor) and indices.operation == "place":  # of arange
        if start < 0 or start + indices.shape[0] > weight.shape[0]:
            raise ProgramError(f"rows {start} to {start + indices.shape[0]} of {weight.shape[0]} are taken")
        return weight[start:start + indices.shape[0]]
    return weight[indices]


@_aten("index_select")
def _index_select(x, dim, index):
    return wo.take(x, index, dim)


@_aten("_scaled_dot_product_flash_attention_for_cpu")
def _flash_for_cpu(q, k, v, dropout_p=0.0, is_causal=False, *, attn_mask=None, scale=None):
    return [_grouped(q, k, v, attn_mask, dropout_p, is_causal, scale)]


@_aten("_scaled_dot_product_flash_attention")
def _flash(q, k, v, dropout_p=0.0, is_causal=False, return_debug_mask=False, *, scale=None):
    return [_grouped(q, k, v, None, dropout_p, is_causal, scale)]


@_aten("_scaled_dot_product_efficient_attention")
def _efficient(q, k, v, attn_bias, compute_log_sumexp, dropout_p=0.0, is_causal=False, *, scale=None):
    return [_grouped(q, k, v, attn_bias, dropout_p, is_causal, scale)]


@_aten("_scaled_dot_product_cudnn_attention", "_scaled_dot_product_fused_attention_overrideable")
def _cudnn(q, k, v, attn_bias, compute_log_sumexp, dropout_p=0.0, is_causal=False, return_debug_mask=False, *, scale=None):
    return [_grouped(q, k, v, attn_bias, dropout_p, is_causal, scale)]


@_aten("_scaled_dot_product_attention_math")
def _math(q, k, v, attn_mask=None, dropout_p=0.0, is_causal=False, dropout_mask=None, *, scale=None, enable_gqa=False):
    return [_grouped(q, k, v, attn_mask, dropout_p, is_causal, scale)]


def _grouped(q, k, v, attn_mask, dropout_p, is_causal, scale):
    return _attention(q, k, v, attn_mask, dropout_p, is_causal, scale=scale, enable_gqa=True)


@_aten("getitem")
def _getitem(values, place):
    if not isinstance(values, list) or place >= len(values) or values[place] is None:
        raise ProgramError("of several results only the first is there")
    return values[place]
