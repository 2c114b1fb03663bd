"""Puzzle 20: the three kernels as one operator of PyTorch, workbook::convolution.

`workbook op 20` has built puzzle20, whose functions take tensors by DLPack and write into `out`. PyTorch does not
know these: to it they are calls into the unknown. Three things make an operator of them.
"""

import puzzle20
import torch

# 1. The schema: name, types of arguments and results, and that no argument is changed. custom_op reads the types from
#    the annotations. From here on torch.ops.workbook.convolution exists, and compilers may move calls of it about.


@torch.library.custom_op("workbook::convolution", mutates_args=())
def convolution(x: torch.Tensor, filter: torch.Tensor) -> torch.Tensor:
    """out[b,i] = sum over k of filter[k] * x[b,i+k]; float32, contiguous."""
    out = torch.empty_like(x)
    puzzle20.forward(x, filter, out=out)
    return out


@torch.library.custom_op("workbook::convolution_grad_x", mutates_args=())
def grad_x(grad: torch.Tensor, filter: torch.Tensor) -> torch.Tensor:
    result = torch.empty_like(grad)
    puzzle20.grad_input(grad, filter, out=result)
    return result


@torch.library.custom_op("workbook::convolution_grad_filter", mutates_args=())
def grad_filter(grad: torch.Tensor, x: torch.Tensor, taps: int) -> torch.Tensor:
    result = torch.empty(taps, dtype=x.dtype, device=x.device)
    puzzle20.grad_filter(grad, x, out=result)
    return result


# 2. What comes out of a fake tensor, which has a shape, a type and a device, and no elements: torch.compile runs the
#    program with these to learn its shapes. Whatever is said here must be what the kernels really return.


@convolution.register_fake
def _(x, filter):
    torch._check(x.dim() == 2 and filter.dim() == 1)
    return torch.empty_like(x)


@grad_x.register_fake
def _(grad, filter):
    return torch.empty_like(grad)


@grad_filter.register_fake
def _(grad, x, taps):
    return x.new_empty(taps)


# 3. Autograd: what to keep of the forward pass, and how the gradient of the result becomes the gradients of the
#    arguments. Only those that somebody needs are computed.


def keep(ctx, inputs, output):
    ctx.save_for_backward(*inputs)


def backward(ctx, grad):
    x, filter = ctx.saved_tensors
    grad = grad.contiguous()  # of sum() it is one number, expanded: strides 0
    to_x = grad_x(grad, filter) if ctx.needs_input_grad[0] else None
    to_filter = grad_filter(grad, x, filter.numel()) if ctx.needs_input_grad[1] else None
    return to_x, to_filter


convolution.register_autograd(backward, setup_context=keep)
