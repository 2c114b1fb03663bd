#!/usr/bin/env python3
"""Trains the little byte-level GPT-NeoX model of this puzzle on the text of text.h and writes model.safetensors.

    python3 train.py [STEPS]          needs PyTorch, a CPU is enough: a few minutes

The architecture is that of Biderman et al., "Pythia" (2023), at toy size: pre-LN blocks with the parallel residual
x + attention(LN1(x)) + mlp(LN2(x)), rotary embedding on the first quarter of each head, GELU, no weight shared between
embedding and output. Weights are stored as float16, each matrix as [outputs, inputs]. The model has seen every byte of its
text many times: it knows it by heart, and that is what the puzzle wants to see.
"""

import json
import math
import re
import struct
import sys
from pathlib import Path

import torch
from torch.nn import functional as F

HERE = Path(__file__).resolve().parent
LAYERS, HIDDEN, HEADS, VOCABULARY, CONTEXT = 2, 64, 4, 256, 128
HEAD = HIDDEN // HEADS
ROTARY = HEAD // 4
BASE = 10000.0


def parameters() -> dict[str, torch.Tensor]:
    """Fresh weights by name: matrices small and random, more so where they add to the residual; gammas 1."""
    shapes = {"embed_in.weight": (VOCABULARY, HIDDEN)}
    for layer in range(LAYERS):
        at = f"layers.{layer}."
        shapes |= {at + "input_layernorm.weight": (HIDDEN,), at + "input_layernorm.bias": (HIDDEN,),
                   at + "attention.query_key_value.weight": (3 * HIDDEN, HIDDEN), at + "attention.query_key_value.bias": (3 * HIDDEN,),
                   at + "attention.dense.weight": (HIDDEN, HIDDEN), at + "attention.dense.bias": (HIDDEN,),
                   at + "post_attention_layernorm.weight": (HIDDEN,), at + "post_attention_layernorm.bias": (HIDDEN,),
                   at + "mlp.dense_h_to_4h.weight": (4 * HIDDEN, HIDDEN), at + "mlp.dense_h_to_4h.bias": (4 * HIDDEN,),
                   at + "mlp.dense_4h_to_h.weight": (HIDDEN, 4 * HIDDEN), at + "mlp.dense_4h_to_h.bias": (HIDDEN,)}
    shapes |= {"final_layer_norm.weight": (HIDDEN,), "final_layer_norm.bias": (HIDDEN,), "embed_out.weight": (VOCABULARY, HIDDEN)}
    made = {}
    for name, shape in shapes.items():
        if "norm" in name and name.endswith("weight"):
            value = torch.ones(shape)
        elif name.endswith("bias"):
            value = torch.zeros(shape)
        else:
            value = torch.randn(shape) * 0.08 / (math.sqrt(2 * LAYERS) if "dense.weight" in name or "4h_to_h" in name else 1)
        made[name] = value.requires_grad_()
    return made


def rotate(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
    """The first ROTARY elements of each head turned by their position: i together with i + ROTARY / 2."""
    half = ROTARY // 2
    a, b, rest = x[..., :half], x[..., half:ROTARY], x[..., ROTARY:]
    return torch.cat((a * cos - b * sin, b * cos + a * sin, rest), -1)


def forward(w: dict[str, torch.Tensor], tokens: torch.Tensor) -> torch.Tensor:
    """Logits of each position of tokens [B, T]."""
    batch, length = tokens.shape
    angle = torch.arange(length)[:, None] * BASE ** (-2.0 * torch.arange(ROTARY // 2) / ROTARY)
    cos, sin = angle.cos(), angle.sin()
    x = w["embed_in.weight"][tokens]
    for layer in range(LAYERS):
        at = f"layers.{layer}."
        norm = F.layer_norm(x, (HIDDEN,), w[at + "input_layernorm.weight"], w[at + "input_layernorm.bias"])
        qkv = F.linear(norm, w[at + "attention.query_key_value.weight"], w[at + "attention.query_key_value.bias"])
        # A head's q, k and v lie side by side, as in GPT-NeoX.
        q, k, v = qkv.view(batch, length, HEADS, 3 * HEAD).transpose(1, 2).split(HEAD, -1)
        attended = F.scaled_dot_product_attention(rotate(q, cos, sin), rotate(k, cos, sin), v, is_causal=True)
        attended = attended.transpose(1, 2).reshape(batch, length, HIDDEN)
        attended = F.linear(attended, w[at + "attention.dense.weight"], w[at + "attention.dense.bias"])
        norm = F.layer_norm(x, (HIDDEN,), w[at + "post_attention_layernorm.weight"], w[at + "post_attention_layernorm.bias"])
        inner = F.gelu(F.linear(norm, w[at + "mlp.dense_h_to_4h.weight"], w[at + "mlp.dense_h_to_4h.bias"]))
        x = x + attended + F.linear(inner, w[at + "mlp.dense_4h_to_h.weight"], w[at + "mlp.dense_4h_to_h.bias"])
    x = F.layer_norm(x, (HIDDEN,), w["final_layer_norm.weight"], w["final_layer_norm.bias"])
    return F.linear(x, w["embed_out.weight"])


def save(w: dict[str, torch.Tensor], path: Path) -> None:
    """The safetensors format: 8 bytes of length, a JSON header, the numbers of each tensor."""
    header, data = {"__metadata__": {"layers": str(LAYERS), "heads": str(HEADS), "rotary": str(ROTARY)}}, b""
    for name, value in w.items():
        raw = value.detach().half().contiguous().numpy().tobytes()
        header[name] = {"dtype": "F16", "shape": list(value.shape), "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)


def main() -> None:
    torch.manual_seed(40)
    torch.set_num_threads(1)
    text = re.search(r'R"TEXT\((.*)\)TEXT"', (HERE / "text.h").read_text(encoding="ascii"), re.DOTALL)[1]
    tokens = torch.tensor(list(text.encode("ascii")))
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else 800
    w = parameters()
    optimizer = torch.optim.AdamW(w.values(), lr=3e-3, betas=(0.9, 0.98), weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 4e-3, total_steps=steps, pct_start=0.05)
    for step in range(steps):
        # One sequence in sixteen begins where the text does, so that the model also knows how to begin.
        starts = torch.randint(0, len(tokens) - CONTEXT - 1, (16,))
        starts[:1] = 0
        windows = tokens[starts[:, None] + torch.arange(CONTEXT + 1)]
        loss = F.cross_entropy(forward(w, windows[:, :-1]).flatten(0, 1), windows[:, 1:].flatten())
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(list(w.values()), 1.0)
        optimizer.step()
        schedule.step()
        if step % 100 == 0:
            print(f"step {step}: loss {loss.item():.3f}", flush=True)
    save(w, HERE / "model.safetensors")
    with torch.no_grad():
        stored = {name: value.half().float() for name, value in w.items()}
        logits = forward(stored, tokens[None, :CONTEXT])[0]
        print(f"perplexity of the first {CONTEXT} bytes: {F.cross_entropy(logits[:-1], tokens[1:CONTEXT]).exp().item():.4f}")


if __name__ == "__main__":
    main()
