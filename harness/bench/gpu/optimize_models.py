#!/usr/bin/env python3
"""torch.compile(model, backend="workbook") of a Llama block and of Puzzle 40's decoder in plain PyTorch, beside eager and inductor: harness/gpu/optimizer_check.py
calls it.

    optimize_models.py --cache DIR --out FILE.jsonl [--prepare [--not-always] | --small] [--only NAME]

--prepare compiles without data, so that what is found lies in DIR; --small runs small models on the CPU's simulator.
"""
import argparse
import json
import sys
from pathlib import Path

import torch
import torch.nn as nn
import torch.nn.functional as F

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "harness/python"), str(Path(__file__).parent)]


def linear(inside, outside):
    return nn.Linear(inside, outside, bias=False)


class LlamaBlock(nn.Module):
    """Prefill: RMSNorm, grouped queries with rotary positions, causal; SwiGLU. No cache of keys."""

    def __init__(self, hidden=4096, heads=32, groups=8, inner=14336):
        super().__init__()
        self.heads, self.groups, self.size = heads, groups, hidden // heads
        self.before, self.between = nn.RMSNorm(hidden, eps=1e-5), nn.RMSNorm(hidden, eps=1e-5)
        self.q, self.o = linear(hidden, hidden), linear(hidden, hidden)
        self.k, self.v = (linear(hidden, groups * self.size) for _ in range(2))
        self.gate, self.up, self.down = linear(hidden, inner), linear(hidden, inner), linear(inner, hidden)

    def attention(self, n, cos, sin):
        rows, count, _ = n.shape
        q = rotated(self.q(n).view(rows, count, self.heads, self.size).transpose(1, 2), cos, sin)
        k = rotated(self.k(n).view(rows, count, self.groups, self.size).transpose(1, 2), cos, sin)
        v = self.v(n).view(rows, count, self.groups, self.size).transpose(1, 2)
        seen = F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)
        return self.o(seen.transpose(1, 2).reshape(rows, count, -1))

    def forward(self, x, cos, sin):
        x = x + self.attention(self.before(x), cos, sin)
        n = self.between(x)
        return x + self.down(F.silu(self.gate(n)) * self.up(n))


def rotated(x, cos, sin):
    one, two = x.chunk(2, -1)
    return torch.cat((one * cos - two * sin, two * cos + one * sin), -1)


class Decoder(nn.Module):
    """A token of GPT-NeoX, as Puzzle 40 decodes it: parallel residual, keys and values of earlier tokens given, none rotated."""

    def __init__(self, hidden=2560, heads=32, layers=2, vocabulary=50304):
        super().__init__()
        self.layers = nn.ModuleList(DecoderLayer(hidden, heads) for _ in range(layers))
        self.norm, self.out = nn.LayerNorm(hidden), linear(hidden, vocabulary)

    def forward(self, x, keys, values):
        for place, layer in enumerate(self.layers):
            x = layer(x, keys[place], values[place])
        return self.out(self.norm(x))


class DecoderLayer(nn.Module):
    def __init__(self, hidden, heads):
        super().__init__()
        self.heads, self.size = heads, hidden // heads
        self.one, self.two = nn.LayerNorm(hidden), nn.LayerNorm(hidden)
        self.qkv, self.dense = nn.Linear(hidden, 3 * hidden), nn.Linear(hidden, hidden)
        self.up, self.down = nn.Linear(hidden, 4 * hidden), nn.Linear(4 * hidden, hidden)

    def forward(self, x, keys, values):
        q, k, v = self.qkv(self.one(x)).view(1, self.heads, 1, 3 * self.size).split(self.size, -1)
        keys, values = torch.cat((keys, k), 2), torch.cat((values, v), 2)
        seen = F.scaled_dot_product_attention(q, keys, values).reshape(1, -1)
        return x + self.dense(seen) + self.down(F.gelu(self.up(self.two(x)), approximate="tanh"))


def llama(dtype, tokens, device, small):
    with torch.device(device):
        model = LlamaBlock(64, 4, 2, 96) if small else LlamaBlock()
    tokens = 8 if small else tokens
    angle = torch.arange(tokens)[:, None] * 10000.0 ** (-torch.arange(model.size // 2) / (model.size // 2))
    x = torch.randn(1, tokens, model.heads * model.size)
    return model.to(dtype).to(device), [t.to(dtype).to(device) for t in (x, angle.cos(), angle.sin())]


def decoder(dtype, tokens, device, small):
    with torch.device(device):
        model = Decoder(64, 4, 1, 96) if small else Decoder()
    layer = model.layers[0]
    past = (len(model.layers), 1, layer.heads, 7 if small else tokens, layer.size)
    arrays = torch.randn(1, layer.heads * layer.size), torch.randn(past), torch.randn(past)
    return model.to(dtype).to(device), [t.to(dtype).to(device) for t in arrays]


MODELS = {
    "llama block, 16 tokens, f16": (llama, torch.float16, 16),
    "decoder of puzzle 40, 2 layers and logits, 96 tokens before, f16": (decoder, torch.float16, 96),
    "llama block, 512 tokens, f16": (llama, torch.float16, 512),
    "llama block, 16 tokens, bf16": (llama, torch.bfloat16, 16),
}


class _Prepared(Exception):
    pass


def prepare(model, arrays, options):
    """Searches for every part, and runs nothing."""
    from workbook_optimizer import backend
    whole = backend._compiled

    def only_compiled(*arguments):
        whole(*arguments)
        raise _Prepared
    backend._compiled = only_compiled
    try:
        torch.compile(model, backend="workbook", options=options, dynamic=False)(*arrays)
    except Exception as error:
        if not backend.compiled:
            raise error
    finally:
        backend._compiled = whole


def measure(name, options, device, small):
    from optimize_table import off_by, timed
    from workbook_optimizer import backend
    make, dtype, tokens = MODELS[name]
    torch.manual_seed(0)
    model, arrays = make(dtype, tokens, device, small)
    expected = model.float()(*(t.float() for t in arrays))
    model = model.to(dtype)
    candidates = {"eager": model, "workbook": torch.compile(model, backend="workbook", options=options, dynamic=False)}
    backend.compiled.clear()
    row = {"model": name, "error": {}}
    if device == "cuda":
        candidates["workbook, by the model"] = torch.compile(model, backend="workbook", options={**options, "measured": False},
                                                             dynamic=False)
        candidates["workbook, rest by inductor"] = torch.compile(model, backend="workbook", dynamic=False,
                                                                 options={**options, "rest": "inductor"})
        candidates["workbook, every part"] = torch.compile(model, backend="workbook", options={**options, "always": True},
                                                           dynamic=False)
        candidates["inductor"] = torch.compile(model, dynamic=False)
    for candidate, function in list(candidates.items()):
        try:
            row["error"][candidate] = off_by(function(*arrays), expected)
        except Exception as error:
            row[f"{candidate} failed"] = f"{type(error).__name__}: {str(error).strip()[:300]}"
            del candidates[candidate]
    row["report"] = "\n".join(map(str, backend.compiled))
    if device == "cuda":
        # Weights are more than the L2 holds; only the activations would be warm in calls that follow each other.
        row["cold_us"], row["calls"], row["rounds"] = timed(candidates, arrays, lambda: [t.clone() for t in arrays])
    return row


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--cache", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--prepare", action="store_true")
    parser.add_argument("--not-always", action="store_true", help="--prepare what a call without always=True asks for")
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--warm", action="store_true", help="only what Inductor compiles, which keeps it")
    parser.add_argument("--only", default="")
    asked = parser.parse_args()
    torch.set_grad_enabled(False)
    import workbook_optimizer.backend  # noqa: F401  registers it
    options = {"cache": asked.cache, "quiet": True, "search": asked.prepare or asked.small}
    for name, (make, dtype, tokens) in MODELS.items():
        if asked.only not in name:
            continue
        torch._dynamo.reset()
        if asked.prepare:
            prepare(*make(dtype, tokens, "meta", False), {**options, "always": not asked.not_always})
            print(f"{name}:\n{workbook_optimizer.backend.compiled[-1]}", flush=True)
            continue
        if asked.warm:
            model, arrays = make(dtype, tokens, "cuda", False)
            torch.compile(model, dynamic=False)(*arrays)
            continue
        row = {"model": name}
        try:
            row = measure(name, options, "cpu" if asked.small else "cuda", asked.small)
        except Exception as error:
            row["failed"] = f"{type(error).__name__}: {str(error).strip()[:400]}"
        with open(asked.out, "a") as file:
            file.write(json.dumps(row) + "\n")
        print(row.pop("report", ""), json.dumps(row), sep="\n", flush=True)


if __name__ == "__main__":
    main()
