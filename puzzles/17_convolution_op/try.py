"""The operator of Puzzle 17 on arrays of NumPy: workbook op 17 try.py"""

import numpy as np
import puzzle17

np.set_printoptions(precision=3, suppress=True)
random = np.random.default_rng(0)
x = random.normal(size=(3, 500)).astype(np.float32)  # three signals
smooth = np.full(5, 0.2, dtype=np.float32)  # the mean of five

out = puzzle17.batch(x, smooth)
print(out.shape, out.dtype)
print(out[0, :3], "is", x[0, :5].mean(), "and so on")

# What NumPy makes of it: the filter turned round, and zeros behind the end.
expected = np.array([np.convolve(row, smooth[::-1], "full")[4:] for row in x])
print("largest difference:", f"{np.abs(out - expected).max():.0e}")

# Any number of rows, elements and taps; what a function has no room for it refuses.
long_filter = random.normal(size=300).astype(np.float32)
print(puzzle17.pieces(x, long_filter).shape)
try:
    puzzle17.batch(x, long_filter)
except Exception as error:
    print(f"{type(error).__name__}: {error}")

# Arrays that lie on the device already stay there.
x_there, filter_there = puzzle17.device_array(x), puzzle17.device_array(smooth)
puzzle17.batch(x, smooth)
print("copied for NumPy's arrays:", puzzle17.last_call.copied)
out_there = puzzle17.batch(x_there, filter_there)
print("copied for the device's:", puzzle17.last_call.copied)
