"""The operators of Puzzle 19 on arrays of NumPy: workbook op 19 try.py"""

import numpy as np
import puzzle19

random = np.random.default_rng(0)
q = random.normal(size=(50, 16)).astype(np.float32)
k = random.normal(size=(70, 16)).astype(np.float32)
v = random.normal(size=(70, 8)).astype(np.float32)


def attention(q, k, v):
    """The formula, in double: three matrices, one line each."""
    scores = q.astype(float) @ k.T / np.sqrt(q.shape[1])
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True) @ v


for name in ("unfused", "fused"):
    out = getattr(puzzle19, name)(q, k, v)
    print(f"{name}: {out.shape}, largest difference {np.abs(out - attention(q, k, v)).max():.0e}")

# One query that equals a key, enlarged: its weight is nearly 1, and out is nearly the value of that key.
out = puzzle19.vector(8 * k[3], k, v)
print("out    ", out.round(2))
print("value 3", v[3].round(2))
