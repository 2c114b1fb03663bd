"""Operators of PyTorch that it takes apart in another way on each device: kept whole until parts are found. What stays
runs as it would have."""
import torch
import torch.nn.functional as F

_ATTENTION = F.scaled_dot_product_attention


def _rms_norm_of(x: torch.Tensor, normalized_shape: list[int], weight: torch.Tensor | None = None,
                 eps: float | None = None) -> torch.Tensor:
    return F.rms_norm(x, normalized_shape, weight, eps)


_rms_norm = torch.library.custom_op("workbook::rms_norm", _rms_norm_of, mutates_args=())


@_rms_norm.register_fake
def _(x, normalized_shape, weight=None, eps=None):
    return torch.empty_like(x)


def _attention_of(query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, attn_mask: torch.Tensor | None = None,
                  dropout_p: float = 0.0, is_causal: bool = False, scale: float | None = None,
                  enable_gqa: bool = False) -> torch.Tensor:
    result = _ATTENTION(query, key, value, attn_mask, dropout_p, is_causal, scale=scale, enable_gqa=enable_gqa)
    wanted = _result_of_attention(query, value)
    if result.stride() == wanted.stride():
        return result.clone() if any(result is each for each in (query, key, value)) else result
    return wanted.copy_(result)


_attention = torch.library.custom_op("workbook::scaled_dot_product_attention", _attention_of, mutates_args=())


@_attention.register_fake
def _(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False):
    return _result_of_attention(query, value)


def _result_of_attention(query, value):
    """Laid out as the queries are, which is how PyTorch's kernels lay it out."""
    shape = (*query.shape[:-1], value.shape[-1])
    return torch.empty_like(query) if shape == tuple(query.shape) else query.new_empty(shape)


_WHOLE = {torch.rms_norm: torch.ops.workbook.rms_norm.default, F.rms_norm: torch.ops.workbook.rms_norm.default,
          _ATTENTION: torch.ops.workbook.scaled_dot_product_attention.default}

# The same in operators that Inductor knows.
APART = {torch.ops.workbook.rms_norm.default: _rms_norm_of, torch.ops.workbook.scaled_dot_product_attention.default: _attention_of}


def keep_whole(graph):
    """In a graph of torch.compile whose results need no gradients."""
    for node in graph.graph.nodes:
        if node.op == "call_function" and node.target in _WHOLE:
            node.target = _WHOLE[node.target]
    graph.recompile()
    return graph
