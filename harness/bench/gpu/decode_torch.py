#!/usr/bin/env python3
"""The decode step of Puzzle 40 at its large size in PyTorch: GPT-NeoX blocks with parallel residual, fp16, batch 1, a static KV cache. Eager
from the host, eager in a CUDA graph, and torch.compile in a CUDA graph. Prints microseconds a token."""
import statistics

import torch
from torch.nn import functional as F

LAYERS, H, HEADS, VOCAB, POSITION, CONTEXT = 32, 2560, 32, 50304, 96, 512
D, R = H // HEADS, H // HEADS // 4
dev, dt = "cuda", torch.float16
torch.manual_seed(1)


def rand(*shape, scale=1.0, mean=0.0):
    return ((torch.rand(shape, device=dev) * 2 - 1) * scale + mean).to(dt)


embed = rand(VOCAB, H)
layers = []
for _ in range(LAYERS):
    w = lambda o, i: (rand(o, i, scale=1.7 / i**0.5), rand(o, scale=0.1))
    n = lambda: (rand(H, mean=1, scale=0.3), rand(H, scale=0.2))
    layers.append((n(), n(), w(3 * H, H), w(H, H), w(4 * H, H), w(H, 4 * H)))
keys = torch.zeros(LAYERS, HEADS, CONTEXT, D, device=dev, dtype=dt).normal_()
values = torch.zeros(LAYERS, HEADS, CONTEXT, D, device=dev, dtype=dt).normal_()
final = (rand(H, mean=1, scale=0.3), rand(H, scale=0.2))
out = rand(VOCAB, H, scale=1.7 / H**0.5)
angle = torch.arange(CONTEXT, device=dev)[:, None] * 10000.0 ** (-2.0 * torch.arange(R // 2, device=dev) / R)
cos, sin = angle.cos().to(dt), angle.sin().to(dt)
token = torch.tensor([13], device=dev)
position = torch.tensor([POSITION], device=dev)
places = torch.arange(CONTEXT, device=dev)


def rotate(x, c, s):
    a, b, rest = x[..., : R // 2], x[..., R // 2 : R], x[..., R:]
    return torch.cat((a * c - b * s, b * c + a * s, rest), -1)


def attend(q, k, v, length):
    """Over the whole static cache with a mask, or over `length` tokens where that is known (no graph that moves on)."""
    if length is None:
        return F.scaled_dot_product_attention(q, k, v, attn_mask=(places <= position)[None, None, None, :])
    return F.scaled_dot_product_attention(q, k[:, :, :length], v[:, :, :length])


def step(length=None):
    x = embed[token]  # [1, H]
    c, s = cos[position], sin[position]
    for i, (n1, n2, qkv, dense, up, down) in enumerate(layers):
        a = F.linear(F.layer_norm(x, (H,), *n1), *qkv).view(1, HEADS, 1, 3 * D)
        q, k, v = a.split(D, -1)
        q, k = rotate(q, c, s), rotate(k, c, s)
        keys[i].index_copy_(1, position, k[0])
        values[i].index_copy_(1, position, v[0])
        a = attend(q, keys[i][None], values[i][None], length).reshape(1, H)
        a = F.linear(a, *dense)
        m = F.linear(F.gelu(F.linear(F.layer_norm(x, (H,), *n2), *up)), *down)
        x = x + a + m
    logits = F.linear(F.layer_norm(x, (H,), *final), out)
    return logits.argmax(-1)


def measure(name, call, rounds=25):
    for _ in range(3):
        call()
    torch.cuda.synchronize()
    begin, end, us = torch.cuda.Event(True), torch.cuda.Event(True), []
    for _ in range(rounds):
        begin.record()
        call()
        end.record()
        end.synchronize()
        us.append(begin.elapsed_time(end) * 1000)
    us.sort()
    bytes_ = 2 * (LAYERS * 12 * H * H + VOCAB * H)
    print(f"{name:44s} {statistics.median(us):9.1f} us (p10 {us[len(us)//10]:.1f}, p90 {us[len(us)*9//10]:.1f})  floor {bytes_/4.27e6:.1f} us, "
          f"{100*bytes_/4.27e6/statistics.median(us):.1f} %", flush=True)


def graphed(function):
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side), torch.no_grad():
        for _ in range(3):
            function()
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.no_grad(), torch.cuda.graph(graph):
        function()
    return graph.replay


with torch.no_grad():
    measure("eager, host, static cache with mask", step)
    measure("eager, host, cache cut to length", lambda: step(POSITION + 1))
    measure("eager, graph, static cache with mask", graphed(step))
    measure("eager, graph, cache cut to length", graphed(lambda: step(POSITION + 1)))
    compiled = torch.compile(step, fullgraph=True)
    compiled()
    measure("compile, host", compiled)
    measure("compile, graph", graphed(compiled))
