"""The workloads of fusion.py: what a puzzle computes, as a PyTorch user writes it, with inputs of the puzzle's real shape."""
import math

import torch
import torch.nn.functional as F

COPY_BYTES_PER_US = 4.27e6  # of an H200, measured: a copy of 1 GiB
FP32_FLOPS_PER_US = 60e6    # likewise: multiply-adds


def normal(*shape, dtype=torch.float32, mean=0.0, deviation=1.0):
    return (torch.randn(*shape, device="cuda") * deviation + mean).to(dtype)


def layernorm_residual(x, residual, gamma, beta):
    return F.layer_norm(x, x.shape[-1:], gamma, beta, 1e-5) + residual


def gelu_chain(x):
    return 0.5 * x * (1 + torch.tanh(0.79788456 * (x + 0.044715 * x * x * x)))


def softmax_by_hand(x):
    shifted = x - x.max(dim=1, keepdim=True)[0]
    powers = torch.exp(shifted)
    return powers / powers.sum(dim=1, keepdim=True)


def layernorm_linear(x, gamma, beta, weight, bias):
    return F.linear(F.layer_norm(x, x.shape[-1:], gamma, beta, 1e-5), weight, bias)


def layernorm_linear_backward(dy, x, gamma, beta, weight):
    """What autograd computes in the backward pass, from the inputs alone: the statistics are taken anew, as the puzzle does."""
    rows, hidden = x.shape[0] * x.shape[1], x.shape[-1]
    dy2, x2 = dy.reshape(rows, -1), x.reshape(rows, hidden)
    normalised, mean, inv_std = torch.native_layer_norm(x2, (hidden,), gamma, beta, 1e-5)
    dn = dy2 @ weight
    dx, dgamma, dbeta = torch.ops.aten.native_layer_norm_backward(dn, x2, (hidden,), mean, inv_std, gamma, beta, (True, True, True))
    return dx.reshape(x.shape), dgamma, dbeta, dy2.t() @ normalised, dy2.sum(0)


def rmsnorm_linear(x, g, w):
    return F.rms_norm(x, x.shape[-1:], g, 1e-5) @ w


def lora_linear(x, w, a, u):
    return x @ w + (x @ a) @ u


def lora_addmm(x, w, a, u):
    return torch.addmm(x @ w, x @ a, u)


def gated_mlp(x, u, w, uw):
    return F.silu(x @ u) * (x @ w)


def gated_mlp_interleaved(x, u, w, uw):
    both = (x @ uw).view(x.shape[0], -1, 2)
    return F.silu(both[..., 0]) * both[..., 1]


def normalized_heads(q, k, gq, gk):
    return F.rms_norm(q, q.shape[-1:], gq, 1e-5), F.rms_norm(k, k.shape[-1:], gk, 1e-5)


def qknorm_attention(q, k, v, gq, gk):
    qn, kn = normalized_heads(q, k, gq, gk)
    return torch.softmax(qn @ kn.transpose(-1, -2) / math.sqrt(q.shape[-1]), -1) @ v


def qknorm_sdpa(q, k, v, gq, gk):
    qn, kn = normalized_heads(q, k, gq, gk)
    return F.scaled_dot_product_attention(qn[None], kn[None], v[None])[0]


def latent_attention(qn, qr, ckv, kr, wk, wv):
    keys, values = torch.einsum("tc,acd->atd", ckv, wk), torch.einsum("tc,ace->ate", ckv, wv)
    scores = torch.einsum("ad,atd->at", qn, keys) + qr @ kr.T
    return torch.einsum("at,ate->ae", torch.softmax(scores, -1), values)


def latent_attention_absorbed(qn, qr, ckv, kr, wk, wv):
    latent = torch.einsum("ad,acd->ac", qn, wk)
    weights = torch.softmax(latent @ ckv.T + qr @ kr.T, -1)
    return torch.einsum("ac,ace->ae", weights @ ckv, wv)


class Workload:
    """`ours`: variants of a puzzle by name; `theirs`: PyTorch's functions, each eager and compiled. All take what inputs() gives, by keyword.
    `found`: the program of `workbook optimize` that computes the same, and its sizes."""

    def __init__(self, puzzle, name, inputs, ours, theirs, floor_us, tolerance, found=None):
        self.puzzle, self.name, self.inputs, self.ours, self.theirs = puzzle, name, inputs, ours, theirs
        self.floor_us, self.tolerance, self.found = floor_us, tolerance, found


def workloads():
    types = {"f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16}
    eps = {"f32": 2e-5, "f16": 8e-3, "bf16": 6e-2}
    for name, dtype in types.items():
        variants = {"f32": ["unfused", "fused", "welford", "vector"], "f16": ["vector_f16"], "bf16": ["vector_bf16"]}[name]
        for shape in ((1, 1, 2560), (2, 128, 2560), (4, 256, 2560), (1, 2048, 2560), (16, 2048, 2560)):
            moved = (3 * math.prod(shape) + 2 * shape[-1]) * dtype.itemsize
            yield Workload(39, f"LN + residual {name} {list(shape)}",
                           lambda s=shape, d=dtype: {"x": normal(*s, dtype=d), "residual": normal(*s, dtype=d), "gamma": normal(s[-1], dtype=d),
                                                     "beta": normal(s[-1], dtype=d)},
                           variants, {"layer_norm, add": layernorm_residual}, moved / COPY_BYTES_PER_US, eps[name])
    for count in (1 << 24, 1 << 28):
        yield Workload(36, f"GELU, tanh form, f32 [{count}]", lambda n=count: {"x": normal(n)}, ["chain", "fused", "vector"],
                       {"by hand": gelu_chain, "F.gelu": lambda x: F.gelu(x, approximate="tanh")}, 8 * count / COPY_BYTES_PER_US, 1e-5)
    for rows, columns in ((2048, 8192), (16384, 16384)):
        yield Workload(37, f"softmax f32 [{rows}, {columns}]", lambda r=rows, c=columns: {"x": normal(r, c)}, ["five", "three", "online", "registers"],
                       {"by hand": softmax_by_hand, "F.softmax": lambda x: torch.softmax(x, 1)}, 8 * rows * columns / COPY_BYTES_PER_US, 1e-6)
    for b, s, h, o in ((4, 4, 8, 16), (8, 512, 768, 3072)):
        def inputs(b=b, s=s, h=h, o=o):
            return {"x": normal(b, s, h, mean=0.75, deviation=1.5), "gamma": normal(h, mean=1.0, deviation=0.5), "beta": normal(h),
                    "weight": normal(o, h, deviation=0.25), "bias": normal(o)}

        def gradients(b=b, s=s, h=h, o=o):
            given = inputs(b, s, h, o)
            del given["bias"]
            return {"dy": normal(b, s, o), **given}

        product_us = 2 * b * s * h * o / FP32_FLOPS_PER_US
        yield Workload(22, f"LN + Linear f32 {[b, s, h, o]}", inputs, ["unfused", "fused_block", "fused_tiled"],
                       {"layer_norm, linear": layernorm_linear}, product_us, 2e-3)
        yield Workload(22, f"LN + Linear backward f32 {[b, s, h, o]}", gradients, ["backward_unfused", "backward_fused", "backward_two_stage"],
                       {"aten": layernorm_linear_backward}, 2 * product_us, 5e-2)
    yield from small_programs()


def small_programs():
    """Puzzles 41 to 45, f16 with sums in float."""
    half = torch.float16

    def floor_of(inputs, result):  # every input and output moved once
        return 2 * (sum(t.numel() for t in inputs.values()) + math.prod(result)) / COPY_BYTES_PER_US

    def work(puzzle, name, inputs, result, ours, theirs, found, unread=()):
        read = {key: t for key, t in inputs().items() if key not in unread}
        return Workload(puzzle, name, inputs, ours, theirs, floor_of(read, result), 1e-2, found)

    for b in (1, 16, 256):
        h, o = 4096, 6144
        yield work(41, f"RMSNorm + Linear f16 {[b, h, o]}",
                   lambda b=b, h=h, o=o: {"x": normal(b, h, dtype=half), "g": normal(h, dtype=half, mean=1.0, deviation=0.3),
                                "w": normal(h, o, dtype=half, deviation=h**-0.5)},
                   (b, o), ["unfused", "fused", "fused_tiled", "split", "tensor"], {"rms_norm, product": rmsnorm_linear},
                   ("rmsnorm_linear", {"b": b, "h": h, "o": o}))
    for h in (256, 4096):
        b, o, r = 16, 4096, 16
        yield work(42, f"LoRA + Linear f16 {[b, h, o, r]}",
                   lambda b=b, h=h, o=o, r=r: {"x": normal(b, h, dtype=half), "w": normal(h, o, dtype=half, deviation=h**-0.5),
                                "a": normal(h, r, dtype=half, deviation=h**-0.5), "u": normal(r, o, dtype=half, deviation=r**-0.5)},
                   (b, o), ["unfused", "two", "fused", "concat", "tensor"], {"by hand": lora_linear, "addmm": lora_addmm},
                   ("lora_linear", {"b": b, "h": h, "o": o, "r": r}))

    def mlp(b, h, o):
        u, w = (normal(h, o, dtype=half, deviation=h**-0.5) for _ in range(2))
        return {"x": normal(b, h, dtype=half), "u": u, "w": w, "uw": torch.stack((u, w), -1).reshape(h, 2 * o)}

    b, h, o = 8, 4096, 4096
    yield work(43, f"gated MLP f16 {[b, h, o]}", lambda b=b, h=h, o=o: mlp(b, h, o), (b, o), ["unfused", "epilogue", "fused", "interleaved", "split", "tensor"],
               {"by hand": gated_mlp, "interleaved": gated_mlp_interleaved}, ("gated_mlp", {"b": b, "h": h, "o": o}), unread=("uw",))
    s, t, d = 256, 4096, 64
    for n in (2, 16):
        yield work(44, f"QK-Norm attention f16 {[n, s, t, d]}",
                   lambda n=n, s=s, t=t, d=d: {"q": normal(n, s, d, dtype=half), "k": normal(n, t, d, dtype=half), "v": normal(n, t, d, dtype=half),
                                "gq": normal(d, dtype=half, mean=1.0, deviation=0.3), "gk": normal(d, dtype=half, mean=1.0, deviation=0.3)},
                   (n, s, d), ["unfused", "norms_inside", "flash", "split", "tensor"], {"by hand": qknorm_attention, "SDPA": qknorm_sdpa}, None)
        # Times 8 and divided by the root of 64: what `workbook optimize` is given, which has neither gains nor a scale.
        yield work(44, f"QK-Norm attention f16 {[n, s, t, d]}, without gains",
                   lambda n=n, s=s, t=t, d=d: {"q": normal(n, s, d, dtype=half), "k": normal(n, t, d, dtype=half), "v": normal(n, t, d, dtype=half),
                                "gq": torch.full((d,), 8.0, device="cuda", dtype=half), "gk": torch.ones(d, device="cuda", dtype=half)},
                   (n, s, d), ["split", "tensor"], {"by hand": qknorm_attention, "SDPA": qknorm_sdpa},
                   ("qknorm_attention", {"n": n, "s": s, "t": t, "d": d}))
    a, t, c, r, d = 16, 4096, 512, 64, 128
    yield work(45, f"latent attention f16 {[a, t, c, r, d, d]}",
               lambda a=a, t=t, c=c, r=r, d=d: {"qn": normal(a, d, dtype=half, deviation=d**-0.5), "qr": normal(a, r, dtype=half, deviation=r**-0.5),
                        "ckv": normal(t, c, dtype=half), "kr": normal(t, r, dtype=half),
                        "wk": normal(a, c, d, dtype=half, deviation=c**-0.5), "wv": normal(a, c, d, dtype=half, deviation=c**-0.5)},
               (a, d), ["unfused", "absorbed", "flash", "split", "tensor"], {"by hand": latent_attention, "absorbed": latent_attention_absorbed},
               ("mla_decode", {"a": a, "t": t, "c": c, "r": r, "d": d, "e": d}))
