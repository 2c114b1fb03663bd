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
    """An operator that the language does not have, or not so."""


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
        raise Unknown(f"{node.target} ({node.name}) is not known")

    def value(argument):
        if isinstance(argument, (list, tuple)):
            return [value(each) for each in argument]
        if not hasattr(argument, "op") or not hasattr(argument, "args"):
            return argument
        if isinstance(values[argument], Other):
            raise Unknown(f"{node.target} ({node.name}): {values[argument].words}")
        return values[argument]
    try:
        made = function(*map(value, node.args), **{key: value(each) for key, each in node.kwargs.items()})
    except TypeError as error:
        raise Unknown(f"{node.target} ({node.name}) is not known with these arguments: {error}") from None
    except ProgramError as error:
        raise Unknown(f"{node.target} ({node.name}): {error}") from None
    wanted = shape_of(node)
    if wanted is not None and isinstance(made, Tensor) and made.shape != wanted:
        raise Unknown(f"{node.target} ({node.name}) gives {wanted}, and would give {made.shape}")
    return made


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
    if rounding_mode is not None:
        raise ProgramError(f"rounding_mode={rounding_mode!r} is not there")
    return a / b


@_aten("pow")
def _pow(a, b):
    if not isinstance(b, numbers.Real):
        raise ProgramError("an exponent is a number")
    return {1: lambda: a, 2: lambda: a * a, -1: lambda: 1 / a, 0.5: lambda: wo.sqrt(a), -0.5: lambda: wo.rsqrt(a)}.get(
        b, lambda: a**b)()


def _unary(name, function):
    _aten(name)(lambda x: function(x))


for _name, _function in {
        "neg": lambda x: -x, "exp": wo.exp, "log": wo.log, "sqrt": wo.sqrt, "rsqrt": wo.rsqrt, "sigmoid": wo.sigmoid,
        "tanh": wo.tanh, "silu": wo.silu, "relu": wo.relu, "abs": wo.abs, "erf": wo.erf, "sin": wo.sin, "cos": wo.cos,
        "reciprocal": lambda x: 1 / x, "square": lambda x: x * x}.items():
    _unary(_name, _function)


@_aten("gelu")
def _gelu(x, *, approximate="none"):
    return wo.gelu(x) if approximate == "tanh" else 0.5 * x * (1 + wo.erf(x * math.sqrt(0.5)))


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
    if size:
        raise ProgramError("a tensor made of one number is not there: the number is")
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
    axes = [None] * (len(size) - x.ndim) + list(x.axes)
    met = []
    for place, wanted in enumerate(size):
        has = 1 if axes[place] is None else axes[place].size
        if wanted not in (-1, has):
            fresh = wo.Index(wanted)
            met += [] if axes[place] is None else [(axes[place], fresh)]
            axes[place] = fresh
    return Tensor("same", [x], axes, met)


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
    groups = q.shape[-3] // k.shape[-3] if q.ndim > 2 else 1
    shape = q.shape
    if groups > 1:
        if not enable_gqa:
            raise ProgramError(f"{q.shape[-3]} heads of queries meet {k.shape[-3]} of keys without enable_gqa")
        q = q.reshape(*shape[:-3], k.shape[-3], groups, *shape[-2:])
        k, v = (x[(slice(None),) * (x.ndim - 2) + (None,)] for x in (k, v))
    scores = wo.matmul(q, k.mT) * (scale if scale is not None else 1 / math.sqrt(shape[-1]))
    if is_causal:
        scores = wo.where(wo.arange(shape[-2])[:, None] >= wo.arange(k.shape[-2]), scores, -math.inf)
    if attn_mask is not None:
        if groups > 1 and attn_mask.ndim > 2:
            raise ProgramError("a mask with heads meets grouped queries")
        scores = scores + attn_mask
    return wo.matmul(wo.softmax(scores), v).reshape(*shape[:-1], v.shape[-1])


@_aten("arange")
def _arange(end, **options):
    return wo.arange(end)


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


@_aten("slice")
def _slice(x, dim=0, start=None, end=None, step=1):
    return x[(slice(None),) * (dim % x.ndim) + (slice(start, end, step),)]


@_aten("select")
def _select(x, dim, index):
    return x[(slice(None),) * (dim % x.ndim) + (index,)]


@_aten("split", "split_with_sizes")
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
