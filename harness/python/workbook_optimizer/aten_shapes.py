"""Operators of PyTorch that only name elements anew, take some, or set tensors side by side."""
import numbers

from . import expressions as wo
from .aten_table import aten
from .errors import ProgramError
from .expressions import Tensor


@aten("clone", "alias", "detach", "contiguous", "_to_copy", "to", "convert_element_type", "lift_fresh_copy", "type_as")
def _same(x, *rest, **options):
    """A type is that of a result: between, all is computed as float."""
    return x


@aten("dropout")
def _dropout(x, p, train):
    if train and p > 0:
        raise ProgramError("of random numbers there are none")
    return x


@aten("t", "numpy_T")
def _t(x):
    return x.T if x.ndim == 2 else x


@aten("mT", "mH", "adjoint")
def _matrix_t(x):
    return x.mT


@aten("transpose")
def _transpose(x, one, two):
    return x.swapaxes(one, two)


@aten("permute")
def _permute(x, dims):
    return x.transpose(*dims)


@aten("view", "_unsafe_view", "reshape")
def _view(x, size):
    return x.reshape(*size)


@aten("unflatten")
def _unflatten(x, dim, sizes):
    return x.unflatten(dim, sizes)


@aten("flatten")
def _flatten(x, start_dim=0, end_dim=-1):
    return x.flatten(start_dim, end_dim)


@aten("unsqueeze")
def _unsqueeze(x, dim):
    return x.unsqueeze(dim)


@aten("squeeze")
def _squeeze(x, dim=None):
    return x.squeeze(dim)


@aten("expand")
def _expand(x, size, *, implicit=False):
    return x if isinstance(x, numbers.Real) else wo.broadcast_to(x, size)


@aten("arange")
def _arange(*range_, **options):
    start, end, step = (range_ if len(range_) == 3 else (*range_, 1) if len(range_) == 2 else (0, *range_, 1))
    places = wo.arange(-int((start - end) // step))
    places = places if step == 1 else places * step
    return places if start == 0 else places + start


@aten("tril")
def _tril(x, diagonal=0):
    return wo.tril(x, diagonal)


@aten("triu")
def _triu(x, diagonal=0):
    return wo.triu(x, diagonal)


@aten("roll")
def _roll(x, shifts, dims=()):
    if not dims:
        raise ProgramError("all dimensions at once are not rolled")
    for shift, dim in zip(shifts, dims):
        x = wo.roll(x, shift, dim)
    return x


@aten("flip")
def _flip(x, dims):
    return wo.flip(x, dims)


@aten("constant_pad_nd")
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


@aten("repeat")
def _repeat(x, repeats):
    x = x[(None,) * (len(repeats) - x.ndim)] if len(repeats) > x.ndim else x
    shape = x.shape
    for dim, times in reversed(list(enumerate(repeats))):
        if times != 1:
            x = x[(slice(None),) * dim + (None,)]
            x = wo.broadcast_to(x, (*x.shape[:dim], times, *x.shape[dim + 1:]))
    return x.reshape(*(size * times for size, times in zip(shape, repeats)))


@aten("pixel_shuffle")
def _pixel_shuffle(x, by):
    *batch, channels, rows, columns = x.shape
    x = x.reshape(*batch, channels // by // by, by, by, rows, columns)
    at = len(batch)
    x = x.transpose(*range(at + 1), at + 3, at + 1, at + 4, at + 2)
    return x.reshape(*batch, channels // by // by, rows * by, columns * by)


@aten("slice")
def _slice(x, dim=0, start=None, end=None, step=1):
    return x[(slice(None),) * (dim % x.ndim) + (slice(start, end, step),)]


@aten("select")
def _select(x, dim, index):
    return x[(slice(None),) * (dim % x.ndim) + (index,)]


@aten("copy")
def _copy(x, source, non_blocking=False):
    return wo.broadcast_to(source, x.shape) if isinstance(source, Tensor) else float(source)


@aten("select_scatter")
def _select_scatter(x, source, dim, index):
    dim %= x.ndim
    return wo.where(_places(x, dim) == index % x.shape[dim], source.unsqueeze(dim) if isinstance(source, Tensor) else source, x)


@aten("slice_scatter")
def _slice_scatter(x, source, dim=0, start=None, end=None, step=1):
    dim %= x.ndim
    start, end, step = slice(start, end, step).indices(x.shape[dim])
    if step != 1:
        raise ProgramError("what is written to each few places is PyTorch's")
    if end - start == x.shape[dim] or not isinstance(source, Tensor):
        return source
    places = _places(x, dim)
    return wo.where((places >= start) & (places < end), _padded(source, dim, start, x.shape[dim] - end, 0), x)


def _places(x, dim):
    return wo.arange(x.shape[dim])[(slice(None), *(None,) * (x.ndim - 1 - dim))]


@aten("split", "split_with_sizes", "unsafe_split", "unsafe_split_with_sizes")
def _split(x, sizes, dim=0):
    return x.split(sizes, dim)


@aten("chunk")
def _chunk(x, chunks, dim=0):
    return x.chunk(chunks, dim)


@aten("unbind")
def _unbind(x, dim=0):
    return [_select(x, dim, place) for place in range(x.shape[dim])]


@aten("cat")
def _cat(tensors, dim=0):
    return wo.concatenate(tensors, dim)


@aten("stack")
def _stack(tensors, dim=0):
    return wo.stack(tensors, dim)


@aten("embedding")
def _embedding(weight, indices, *rest, **options):
    if isinstance(indices, numbers.Real):
        return weight[int(indices)]
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


@aten("index_select")
def _index_select(x, dim, index):
    return wo.take(x, index, dim)


@aten("getitem")
def _getitem(values, place):
    if not isinstance(values, list) or place >= len(values) or values[place] is None:
        raise ProgramError("of several results only the first is there")
    return values[place]
