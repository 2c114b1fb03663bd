"""The gradients of Puzzle 20 without PyTorch, by hand: workbook op 20 try.py"""

import numpy as np
import puzzle20

random = np.random.default_rng(0)
x = random.normal(size=(3, 150)).astype(np.float32)
wanted = random.normal(size=5).astype(np.float32)
target = puzzle20.forward(x, wanted)

# A gradient tells by how much the loss grows for a small step. So it can be measured.
taps = np.zeros(5, dtype=np.float32)


def loss(taps):
    return np.square(puzzle20.forward(x, taps) - target).mean()


grad = 2 * (puzzle20.forward(x, taps) - target) / target.size  # of the loss by each element of out
by_kernel = puzzle20.grad_filter(grad, x, K=5)
step = np.float32(0.1)
measured = [(loss(taps + step * unit) - loss(taps - step * unit)) / (2 * step) for unit in np.eye(5, dtype=np.float32)]
print("gradient by the kernels:", by_kernel.round(3))
print("by steps of the loss:   ", np.array(measured).round(3))

# Thirty steps against the gradient find the filter that made the target.
for _ in range(30):
    grad = 2 * (puzzle20.forward(x, taps) - target) / target.size
    taps -= np.float32(0.3) * puzzle20.grad_filter(grad, x, K=5)
print("learned:", taps.round(2))
print("wanted: ", wanted.round(2))
