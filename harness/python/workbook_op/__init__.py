"""A puzzle's kernels as Python functions. `workbook op` writes a module for each puzzle, which loads this package.

    import puzzle22
    y = puzzle22.fused(x, gamma, beta, weight, bias)

Arrays come in by DLPack or the buffer protocol. Those of the CPU (NumPy, PyTorch, JAX) are computed on by the
simulator, with all its findings; those of a GPU (PyTorch, CuPy, JAX) by the GPU, on the caller's stream.
"""
from .errors import KernelError, KernelFinding
from .puzzle import load

__all__ = ["KernelError", "KernelFinding", "load"]
