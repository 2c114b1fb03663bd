"""Products of PyTorch's, and attention under its many names."""
from . import expressions as wo
from .aten_table import aten
from .errors import ProgramError


@aten("mm", "bmm", "matmul")
def _matmul(a, b):
    return wo.matmul(a, b)


@aten("mv", "dot")
def _vector(a, b):
    return wo.matmul(a, b)


@aten("einsum")
def _einsum(equation, tensors, *, path=None):
    return wo.einsum(equation, *tensors)


@aten("addmm", "baddbmm")
def _addmm(bias, a, b, *, beta=1, alpha=1):
    product = wo.matmul(a, b)
    product = product if alpha == 1 else product * alpha
    return product if beta == 0 else product + (bias if beta == 1 else bias * beta)


@aten("linear")
def _linear(x, weight, bias=None):
    rows = x.reshape(-1, x.shape[-1]) if x.ndim > 2 else x
    product = wo.matmul(rows, weight.T)
    product = product if bias is None else product + bias
    return product.reshape(*x.shape[:-1], weight.shape[0]) if x.ndim > 2 else product


@aten("conv1d", "conv2d")
def _conv(x, weight, bias=None, stride=(1,), padding=(0,), dilation=(1,), groups=1):
    return _convolution(x, weight, bias, stride, padding, dilation, False, (0,), groups)


@aten("convolution")
def _convolution(x, weight, bias, stride, padding, dilation, transposed, output_padding, groups):
    """Of single places, or of tiles: a product with channels."""
    size = weight.shape[2:]
    count = len(size)
    stride = list(stride) * (count // len(stride))
    tiles = list(size) == stride and not any(one % two for one, two in zip(x.shape[2:], size))
    if isinstance(padding, str) or any(padding) or transposed or groups != 1 or not (tiles or size == (1,) * count):
        raise ProgramError("convolutions of channels are PyTorch's, but those of single places and of tiles")
    if not tiles:
        x = x[(..., *(slice(None, None, each) for each in stride))]
    n, channels, *shape = x.shape
    if size == (1,) * count:
        result = wo.matmul(weight.reshape(weight.shape[0], channels), x.reshape(n, channels, -1))
        result = result if bias is None else result + bias[:, None]
        return result.reshape(n, weight.shape[0], *shape)
    apart = [each for one, two in zip(shape, size) for each in (one // two, two)]
    rows, within = "hijk"[:count], "xyz"[:count]
    result = wo.einsum(f"nc{''.join(one + two for one, two in zip(rows, within))},oc{within}->no{rows}", x.reshape(n, channels, *apart), weight)
    return result if bias is None else result + bias[(slice(None), *(None,) * count)]


@aten("scaled_dot_product_attention")
def _attention(q, k, v, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False):
    if dropout_p:
        raise ProgramError("of random numbers there are none")
    if q.ndim > 2 and q.shape[-3] != k.shape[-3] and not enable_gqa:
        raise ProgramError(f"{q.shape[-3]} heads of queries meet {k.shape[-3]} of keys without enable_gqa")
    return wo.scaled_dot_product_attention(q, k, v, attn_mask, is_causal, scale, enable_gqa)


@aten("_scaled_dot_product_flash_attention_for_cpu")
def _flash_for_cpu(q, k, v, dropout_p=0.0, is_causal=False, *, attn_mask=None, scale=None):
    return [_grouped(q, k, v, attn_mask, dropout_p, is_causal, scale)]


@aten("_scaled_dot_product_flash_attention")
def _flash(q, k, v, dropout_p=0.0, is_causal=False, return_debug_mask=False, *, scale=None):
    return [_grouped(q, k, v, None, dropout_p, is_causal, scale)]


@aten("_scaled_dot_product_efficient_attention")
def _efficient(q, k, v, attn_bias, compute_log_sumexp, dropout_p=0.0, is_causal=False, *, scale=None):
    return [_grouped(q, k, v, attn_bias, dropout_p, is_causal, scale)]


@aten("_scaled_dot_product_cudnn_attention", "_scaled_dot_product_fused_attention_overrideable")
def _cudnn(q, k, v, attn_bias, compute_log_sumexp, dropout_p=0.0, is_causal=False, return_debug_mask=False, *, scale=None):
    return [_grouped(q, k, v, attn_bias, dropout_p, is_causal, scale)]


@aten("_scaled_dot_product_attention_math")
def _math(q, k, v, attn_mask=None, dropout_p=0.0, is_causal=False, dropout_mask=None, *, scale=None, enable_gqa=False):
    return [_grouped(q, k, v, attn_mask, dropout_p, is_causal, scale)]


def _grouped(q, k, v, attn_mask, dropout_p, is_causal, scale):
    return _attention(q, k, v, attn_mask, dropout_p, is_causal, scale=scale, enable_gqa=True)
