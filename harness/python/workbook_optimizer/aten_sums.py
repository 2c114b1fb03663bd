"""Operators of PyTorch that go over dimensions: sums, norms, softmaxes, losses, pools."""
import math

from . import expressions as wo
from .aten_table import INSTEAD, aten
from .errors import ProgramError
from .expressions import Tensor


def _dims(x, dim):
    return None if dim is None or dim == [] else dim


@aten("sum")
def _sum(x, dim=None, keepdim=False, *, dtype=None):
    return x.sum(_dims(x, dim), keepdim)


@aten("mean")
def _mean(x, dim=None, keepdim=False, *, dtype=None):
    return x.mean(_dims(x, dim), keepdim)


@aten("amax")
def _amax(x, dim=(), keepdim=False):
    return x.max(_dims(x, list(dim)), keepdim)


@aten("amin")
def _amin(x, dim=(), keepdim=False):
    return x.min(_dims(x, list(dim)), keepdim)


@aten("var")
def _var(x, dim=None, unbiased=None, keepdim=False, *, correction=None):
    if isinstance(dim, bool):
        dim, unbiased = None, dim
    dims = _dims(x, dim)
    chosen = range(x.ndim) if dims is None else dims
    count = math.prod(x.shape[each] for each in chosen)
    less = correction if correction is not None else 0 if unbiased is False else 1
    d = x - x.mean(dims, True)
    return (d * d).mean(dims, keepdim) * (count / (count - less) if less else 1)


@aten("std")
def _std(x, dim=None, unbiased=None, keepdim=False, *, correction=None):
    return wo.sqrt(_var(x, dim, unbiased, keepdim, correction=correction))


@aten("logsumexp")
def _logsumexp(x, dim, keepdim=False):
    return wo.logsumexp(x, _dims(x, dim), keepdim)


@aten("linalg_vector_norm")
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
    aten(_name)(_extreme_of(_name))


@aten("native_group_norm")
def _group_norm(x, weight, bias, n, channels, rest, groups, eps):
    shape = x.shape
    normed = wo.layer_norm(x.reshape(shape[0], groups, shape[1] // groups, -1), eps=eps, axis=(2, 3)).reshape(*shape)
    return [_by_channel(normed, weight, bias), None, None]


@aten("_native_batch_norm_legit_no_training")
def _batch_norm(x, weight, bias, mean, var, momentum, eps):
    every = (slice(None), *(None,) * (x.ndim - 2))
    return [_by_channel((x - mean[every]) / wo.sqrt(var[every] + eps), weight, bias), None, None]


@aten("_native_batch_norm_legit")
def _instance_norm(x, weight, bias, *rest):
    if len(rest) != 3 or not rest[0]:
        raise ProgramError(INSTEAD["_native_batch_norm_legit_functional"])
    dims = tuple(place for place in range(x.ndim) if place != 1)
    return [_by_channel(wo.layer_norm(x, eps=rest[2], axis=dims), weight, bias), None, None]


def _by_channel(x, weight, bias):
    every = (slice(None), *(None,) * (x.ndim - 2))
    x = x if weight is None else x * weight[every]
    return x if bias is None else x + bias[every]


# Losses are of each element (reduction 0), their mean (1) or their sum (2).
def _loss(each, reduction):
    return each if reduction == 0 else each.mean() if reduction == 1 else each.sum()


@aten("mse_loss")
def _mse_loss(x, wanted, reduction=1):
    return _loss((x - wanted) * (x - wanted), reduction)


@aten("smooth_l1_loss")
def _smooth_l1_loss(x, wanted, reduction=1, beta=1.0):
    away = wo.abs(x - wanted)
    return _loss(wo.where(away < beta, away * away * (0.5 / beta), away - 0.5 * beta) if beta else away, reduction)


@aten("kl_div")
def _kl_div(x, wanted, reduction=1, *, log_target=False):
    tiny = 2.0**-126  # nothing of what is 0
    each = wo.exp(wanted) * (wanted - x) if log_target else wanted * (wo.log(wo.maximum(wanted, tiny)) - x)
    return _loss(each, reduction)


@aten("binary_cross_entropy_with_logits")
def _bce(x, wanted, weight=None, pos_weight=None, reduction=1):
    if pos_weight is not None:
        raise ProgramError("pos_weight is not there")
    each = wo.maximum(x, 0) - x * wanted + wo.log1p(wo.exp(-wo.abs(x)))
    return _loss(each if weight is None else each * weight, reduction)


@aten("_softmax", "softmax")
def _softmax(x, dim, *rest, **options):
    return wo.softmax(x, dim)


@aten("_log_softmax", "log_softmax")
def _log_softmax(x, dim, *rest, **options):
    return x - wo.log(wo.exp(x).sum(dim, True))


@aten("layer_norm")
def _layer_norm(x, normalized_shape, weight=None, bias=None, eps=1e-5, cudnn_enable=True):
    return wo.layer_norm(x, weight, bias, eps, _last(x, normalized_shape))


@aten("native_layer_norm")
def _native_layer_norm(x, normalized_shape, weight, bias, eps):
    return [_layer_norm(x, normalized_shape, weight, bias, eps), None, None]


@aten("rms_norm")
def _rms_norm(x, normalized_shape, weight=None, eps=None):
    return wo.rms_norm(x, weight, 2.0**-23 if eps is None else eps, _last(x, normalized_shape))


@aten("_fused_rms_norm")
def _fused_rms_norm(x, normalized_shape, weight, eps):
    return [_rms_norm(x, normalized_shape, weight, eps), None]


def _last(x, shape):
    return tuple(range(-len(shape), 0))


@aten("avg_pool2d")
def _avg_pool(x, kernel, stride=(), padding=(0,), ceil_mode=False, count_include_pad=True, divisor_override=None):
    tiles = _tiles(x, kernel, stride, padding, ceil_mode)
    if divisor_override:
        raise ProgramError("another divisor is not there")
    return tiles.mean((-3, -1))


@aten("max_pool2d_with_indices", "max_pool2d")
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


@aten("nll_loss_forward")
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
