"""The programs of harness/bench/optimize_programs as a PyTorch user writes them. A function takes a program's inputs in its order."""
from types import SimpleNamespace

import torch
import torch.nn.functional as F

EPS = 1e-5


def sdpa(q, k, v):
    return F.scaled_dot_product_attention(q[None], k[None], v[None], scale=1.0)[0]


def sdpa_keys_last(q, k, v):
    return sdpa(q, k.mT, v)


def products_keys_last(q, k, v):
    return torch.softmax(q @ k, -1) @ v


def causal(q, k, v, m):
    return F.scaled_dot_product_attention(q[None], k[None], v[None], is_causal=True, scale=1.0)[0]


def causal_mask(q, k, v, m):
    return F.scaled_dot_product_attention(q[None], k[None], v[None], attn_mask=m.to(q.dtype), scale=1.0)[0]


def causal_factor(q, k, v, m):
    p = torch.exp((q @ k.mT).float()) * m
    return (p / p.sum(-1, keepdim=True)).to(q.dtype) @ v


def rms_linear(x, g, w):
    return F.rms_norm(x, x.shape[-1:], g, EPS) @ w


def rms_linear_t(x, g, w):
    return F.linear(F.rms_norm(x, x.shape[-1:], g, EPS), w)


def twice(x, w):
    a = x @ w
    return F.silu(a) * a + a


def experts(x, a, c):
    return torch.exp(x @ a) @ c


def mlp_gelu(x, w1, b1, w2, b2):
    return torch.addmm(b2, F.gelu(torch.addmm(b1, x, w1), approximate="tanh"), w2)


def swiglu_down(x, wg, wu, wd):
    return (F.silu(x @ wg) * (x @ wu)) @ wd


def over_its_sum(x):
    s = x.sum(-1)
    return x / s[:, None], s


def gain_gradient(dy, x, r):
    return (dy.float() * x * r[:, None]).sum(0).to(dy.dtype)


def group_norm(x, w, z):
    n, g, c, p = x.shape
    return F.group_norm(x.reshape(n, g * c, p), g, w.reshape(-1), z.reshape(-1), EPS).reshape(n, g, c, p)


def batch_norm(x, w, z):
    return F.batch_norm(x, None, None, w, z, training=True, eps=EPS)


def mean_var(x):
    return torch.var(x, -1, correction=0)


# By program: ways to write it, the first the most natural; the best of all counts. scale: of an input's deviation, by its
# place, so that values are of the size that such a tensor has.
def _of(*functions, **scale):
    return SimpleNamespace(functions=functions, scale={int(key[1:]): value for key, value in scale.items()})


PROGRAMS = {
    "attn_bf16": _of(sdpa, _0=0.09),
    "attn_f16": _of(sdpa, _0=0.09),
    "attn_seed": _of(products_keys_last, sdpa_keys_last, _0=0.09),
    "attn_seed_ntd": _of(sdpa, _0=0.09),
    "big_gemm": _of(torch.matmul),
    "batch_norm": _of(batch_norm),
    "bmm_one": _of(torch.matmul),
    "causal_add": _of(causal, causal_mask, _0=0.12),
    "causal_mul": _of(causal, causal_factor, _0=0.12),
    "chain2": _of(lambda a, b, c: (a @ b) @ c, lambda a, b, c: a @ (b @ c), _1=0.016, _2=0.016),
    "chain3": _of(lambda a, b, c: (a @ b) @ c, _1=0.12, _2=0.03),
    "colsum": _of(lambda dy: dy.sum(0)),
    "column_max": _of(lambda x: x.amax(0)),
    "copyin": _of(lambda x: x.clone()),
    "dup": _of(twice, _1=0.016),
    "exp_t": _of(lambda x: torch.exp(x).T.contiguous()),
    "gain_gradient": _of(gain_gradient),
    "gemv": _of(torch.mv),
    "group_norm": _of(group_norm),
    "gqa_folded": _of(sdpa, _0=0.09),
    "huge_gemm": _of(torch.matmul),
    "linear_t": _of(F.linear),
    "ln_only": _of(lambda x, g, beta: F.layer_norm(x, x.shape[-1:], g, beta, EPS)),
    "logsoftmax": _of(lambda x: torch.log_softmax(x, -1)),
    "long_rows": _of(lambda x: x.float().square().sum(-1)),
    "long_softmax": _of(lambda x: torch.softmax(x, -1)),
    "m_gqa": _of(products_keys_last, sdpa_keys_last, _0=0.12),
    "m_mha": _of(products_keys_last, sdpa_keys_last, _0=0.12),
    "m_moe": _of(experts, _1=0.012, _2=0.016),
    "m_rmsnorm": _of(lambda x, w: F.rms_norm(x, x.shape[-1:], None, 0.0) @ w, _1=0.012),
    "meanvar2": _of(mean_var, lambda x: (x * x).mean(-1) - x.mean(-1) ** 2),
    "mlp_gelu": _of(mlp_gelu, _1=0.03, _3=0.016),
    "neg": _of(torch.neg),
    "outer": _of(torch.outer),
    "ragged_softmax": _of(lambda x: torch.softmax(x, -1)),
    "rms_bf16": _of(rms_linear, _2=0.016),
    "rms_t": _of(rms_linear_t, _2=0.016),
    "softmax_columns": _of(lambda x: torch.softmax(x, 0)),
    "softmax_max": _of(lambda x: torch.softmax(x, -1)),
    "swiglu_down": _of(swiglu_down, _1=0.016, _2=0.016, _3=0.01),
    "tiny": _of(torch.matmul),
    "twoout": _of(over_its_sum),
    "var_rows": _of(lambda x: torch.var(x, 0, correction=0)),
    "var_wide": _of(lambda x: torch.var(x.float(), 0, correction=0)),
    "vocab_softmax": _of(lambda x: torch.softmax(x, -1)),
}


def inputs_of(name, kernel, device="cuda"):
    """One set, of deviation 1 but for `scale`; the masks of causal programs are masks."""
    made = []
    for place, (shape, dtype) in enumerate(zip(kernel.shapes, kernel.dtypes)):
        dtype = getattr(torch, dtype.name)
        if name in ("causal_add", "causal_mul") and place == 3:
            mask = torch.ones(shape, device=device).tril()
            made.append((mask if name == "causal_mul" else mask.log()).to(dtype))
        else:
            made.append(torch.randn(shape, device=device, dtype=dtype) * PROGRAMS[name].scale.get(place, 1.0))
    return made
