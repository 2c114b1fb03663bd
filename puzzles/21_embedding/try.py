"""The operator of Puzzle 21 on arrays of NumPy: workbook op 21 try.py"""

import numpy as np
import puzzle21

words = ["<none>", "a", "warp", "reads", "rows", "of", "the", "table"]
random = np.random.default_rng(0)
table = random.normal(size=(len(words), 16)).astype(np.float32)

# Two texts of different lengths: the shorter one is filled up with -1.
index = np.array([[1, 2, 3, 4, 5, 6, 7], [4, 5, 4, -1, -1, -1, -1]], dtype=np.int64)
out = puzzle21.coalesced(index, table)
print(out.shape)
print("position [1,2] is the row of", repr(words[4]) + ":", np.array_equal(out[1, 2], table[4]))
print("position [1,3] is zeros:", not out[1, 3].any())
print("as NumPy's own gather:", np.array_equal(out[0], table[index[0]]))

# What NumPy makes of -1 is the last row: the same index, another agreement.
print("table[-1] of NumPy is the row of", repr(words[-1]))
