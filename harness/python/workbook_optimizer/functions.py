"""Functions that are written with those of the language: NumPy's and PyTorch's by their names."""
import math
import numbers

from . import expressions as wo
from .errors import ProgramError
from .expressions import Index, Tensor


def log2(x): return wo.log(x) / math.log(2)
def log10(x): return wo.log(x) / math.log(10)
def exp2(x): return wo.exp(x * math.log(2))
def tan(x): return wo.sin(x) / wo.cos(x)
def sinh(x): return (wo.expm1(x) - wo.expm1(-x)) / 2
def cosh(x): return (wo.exp(x) + wo.exp(-x)) / 2
def reciprocal(x): return 1 / x
def trunc(x): return wo.sign(x) * wo.floor(wo.abs(x))
def leaky_relu(x, negative_slope=0.01): return wo.maximum(x, 0) + negative_slope * wo.minimum(x, 0)
def elu(x, alpha=1.0): return wo.maximum(x, 0) + alpha * wo.expm1(wo.minimum(x, 0))
def selu(x): return 1.0507009873554805 * wo.maximum(x, 0) + 1.7580993408473766 * wo.expm1(wo.minimum(x, 0))
def mish(x): return x * wo.tanh(wo.softplus(x))
def relu6(x): return wo.clip(x, 0, 6)
def hardtanh(x, low=-1.0, high=1.0): return wo.clip(x, low, high)
def hardsigmoid(x): return wo.clip(x + 3, 0, 6) / 6
def hardswish(x): return x * wo.clip(x + 3, 0, 6) / 6
def softsign(x): return x / (1 + wo.abs(x))
def logsigmoid(x): return -wo.softplus(-x)
def gelu_erf(x): return 0.5 * x * (1 + wo.erf(x * math.sqrt(0.5)))


def logsumexp(x, axis=None, keepdims=False): return wo.log(wo.exp(x).sum(axis, keepdims))
def log_softmax(x, axis=-1): return x - logsumexp(x, axis, True)
def dot(a, b): return wo.matmul(a, b)
def transpose(x, axes=None): return x.transpose(*(axes or ()))
def reshape(x, shape): return x.reshape(shape)
def swapaxes(x, one, two): return x.swapaxes(one, two)
def expand_dims(x, axis): return x.unsqueeze(axis)
def squeeze(x, axis=None): return x.squeeze(axis)


def outer(a, b):
    if a.ndim != 1 or b.ndim != 1:
        raise ProgramError(f"outer takes two tensors of one dimension, not {a.shape} and {b.shape}")
    return a[:, None] * b


def tril(x, k=0): return wo.where(wo.arange(x.shape[-2])[:, None] + k >= wo.arange(x.shape[-1]), x, 0)
def triu(x, k=0): return wo.where(wo.arange(x.shape[-2])[:, None] + k <= wo.arange(x.shape[-1]), x, 0)


def flip(x, axis):
    for each in axis if isinstance(axis, (tuple, list)) else (axis,):
        x = x[(*(slice(None),) * (each % x.ndim), slice(None, None, -1))]
    return x


def roll(x, shift, axis):
    shift %= x.shape[axis]
    before = (slice(None),) * (axis % x.ndim)
    return wo.concatenate([x[(*before, slice(-shift, None))], x[(*before, slice(None, -shift))]], axis) if shift else x


def broadcast_to(x, shape):
    if len(shape) < x.ndim:
        raise ProgramError(f"{x.shape} cannot become {tuple(shape)}")
    axes, met = [None] * (len(shape) - x.ndim) + list(x.axes), []
    for place, wanted in enumerate(shape):
        has = 1 if axes[place] is None else axes[place].size
        if wanted in (-1, has):
            continue
        if has != 1:
            raise ProgramError(f"{x.shape} cannot become {tuple(shape)}: {has} is no 1")
        fresh = Index(int(wanted))
        met += [] if axes[place] is None else [(axes[place], fresh)]
        axes[place] = fresh
    return Tensor("same", [x], axes, met)


def scaled_dot_product_attention(q, k, v, attn_mask=None, is_causal=False, scale=None, enable_gqa=False):
    """As PyTorch's. attn_mask is added, or says where there is something to see."""
    groups = q.shape[-3] // k.shape[-3] if q.ndim > 2 and enable_gqa else 1
    shape = q.shape
    if groups > 1:
        q = q.reshape(*shape[:-3], k.shape[-3], groups, *shape[-2:])
        k, v = (x[(slice(None),) * (x.ndim - 2) + (None,)] for x in (k, v))
    scores = wo.matmul(q, k.mT) * (scale if scale is not None else 1 / math.sqrt(shape[-1]))
    if is_causal:
        scores = wo.where(wo.arange(shape[-2])[:, None] >= wo.arange(k.shape[-2]), scores, -math.inf)
    if attn_mask is not None:
        if groups > 1 and attn_mask.ndim > 2:
            heads = attn_mask.shape[-3]
            attn_mask = (attn_mask[(..., None, slice(None), slice(None))] if heads == 1 else
                         attn_mask.reshape(*attn_mask.shape[:-3], heads // groups, groups, *attn_mask.shape[-2:]))
        scores = wo.where(attn_mask, scores, -math.inf) if attn_mask.truth else scores + attn_mask
    return wo.matmul(wo.softmax(scores), v).reshape(*shape[:-1], v.shape[-1])


attention = scaled_dot_product_attention


def einsum(subscripts, *tensors):
    """As NumPy's, of one tensor or two at a time: "bhqd,bhkd->bhqk"; a letter stands once in each."""
    sides = subscripts.replace(" ", "").split("->")
    letters = sides[0].split(",")
    if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)):
        tensors = tuple(tensors[0])
    if "..." in subscripts or len(sides) > 2:
        raise ProgramError(f"einsum: {subscripts!r} names each dimension by a letter, as 'bhqd,bhkd->bhqk' does")
    if len(letters) != len(tensors):
        raise ProgramError(f"einsum: {subscripts!r} is of {len(letters)} tensors, and {len(tensors)} are given")
    result = sides[1] if len(sides) == 2 else "".join(sorted(each for each in {*sides[0]} - {","} if sides[0].count(each) == 1))
    for names, tensor in zip(letters, tensors):
        if len({*names}) < len(names):
            raise ProgramError(f"einsum: a letter stands once in {names!r}; a diagonal is not there")
        if len(names) != tensor.ndim:
            raise ProgramError(f"einsum: {names!r} is of {len(names)} dimensions, and the tensor has {tensor.shape}")
    if missing := [each for each in result if each not in sides[0]] or len({*result}) < len(result):
        raise ProgramError(f"einsum: the result {result!r} has each letter once, of those before it: {missing}")
    names, value = letters[0], tensors[0]
    for place in range(1, len(tensors)):
        names, value = _product(names, value, letters[place], tensors[place], {*result, *"".join(letters[place + 1:])})
    names, value = _summed(names, value, {*result})
    return _ordered(names, value, result)


def _ordered(names, x, order):
    places = [names.index(each) for each in order]
    return x if places == sorted(places) else x.transpose(*places)


def _product(one, a, two, b, wanted):
    """Names and value of a product, summed over what nobody wants later."""
    one, a = _summed(one, a, {*two} | wanted)
    two, b = _summed(two, b, {*one} | wanted)
    order = one + "".join(each for each in two if each not in one)
    return _summed(order, _spread(one, a, order) * _spread(two, b, order), wanted)


def _summed(names, x, wanted):
    places = tuple(place for place, each in enumerate(names) if each not in wanted)
    return "".join(each for each in names if each in wanted), x.sum(places) if places else x


def _spread(names, x, order):
    """Its dimensions in this order, one of size 1 for each that it lacks."""
    x = _ordered(names, x, [each for each in order if each in names])
    return x[tuple(slice(None) if each in names else None for each in order)]
