"""Kernels as operators of torch.library: torch.compile and torch.export keep them as they are."""
import hashlib

import torch

_operators = {}


def _results(count):
    return "Tensor" if count == 1 else f"({', '.join(['Tensor'] * count)})"


def operator_of(kernel):
    """workbook_found::NAME_HASH, which has the kernel's arguments. The same for kernels with the same source and shapes: a
    dimension of 1 is there or not, and the text the same."""
    shapes = [*kernel.shapes, *(shape for shape, _ in kernel.results)]
    key = hashlib.sha256(f"{kernel.program}\0{kernel.source}\0{shapes}".encode()).hexdigest()[:12]
    name = f"{kernel.name.lower()}_{key}"
    if name in _operators:
        return _operators[name]

    def compute(*tensors):
        return kernel.compute([tensor.detach().contiguous() for tensor in tensors])

    def made(*tensors):
        for given, tensor, dtype in zip(kernel.names, tensors, kernel.dtypes):
            if tensor.dtype != getattr(torch, dtype.name):
                raise TypeError(f"{given} holds {tensor.dtype}, and {kernel.name} takes {dtype.name}")
        results = kernel.result_shapes(kernel.sizes([tuple(tensor.shape) for tensor in tensors]))
        return kernel.given_back([tensors[0].new_empty(shape, dtype=getattr(torch, dtype.name))
                                  for shape, (_, dtype) in zip(results, kernel.results)])

    arguments = ", ".join(f"Tensor x{place}" for place in range(len(kernel.names)))
    operator = torch.library.custom_op(f"workbook_found::{name}", compute, mutates_args=(),
                                       schema=f"({arguments}) -> {_results(len(kernel.results))}")
    operator.register_fake(made)
    _operators[name] = getattr(torch.ops.workbook_found, name).default
    return _operators[name]
