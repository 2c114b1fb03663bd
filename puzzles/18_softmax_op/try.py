# Puzzle 18 from Python: a row that overflows in the textbook's formula, and the kernel's answer.
#   workbook op 18 try.py
import numpy as np
import puzzle18

np.set_printoptions(precision=4, suppress=True)
x = np.array([[1, 2, 4, 3], [1001, 1002, 1004, 1003]], np.float32)

with np.errstate(over="ignore", invalid="ignore"):
    print("textbook:", *(np.exp(x) / np.exp(x).sum(1, keepdims=True)), sep="\n  ")
print("kernel:", *puzzle18.block_per_row(x), sep="\n  ")
print(puzzle18.last_call.copied, "copied")

x = puzzle18.device_array(x)  # in the simulated device's memory, where results lie, too
y = puzzle18.block_per_row(x)
z = puzzle18.block_per_row(y)
print(puzzle18.last_call.copied, "copied; z[0]:", z[0])

try:
    puzzle18.block_per_row(x.T)
except ValueError as refused:
    print(refused)
