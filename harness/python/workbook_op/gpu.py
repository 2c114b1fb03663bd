"""Calls on a GPU: the kernels, compiled by nvcc, work on the arrays' own memory and on the caller's stream. Nothing is
copied and nothing is waited for."""
import contextlib

from . import arrays as kinds
from .errors import KernelError

_DONE, _REFUSED, _FAILED = 0, 1, 2


def stream_number(stream):
    """Of a stream of PyTorch, CuPy or cuda.core, or a number itself."""
    for attribute in ("cuda_stream", "ptr"):
        if hasattr(stream, attribute):
            return int(getattr(stream, attribute))
    if hasattr(stream, "__cuda_stream__"):
        protocol = stream.__cuda_stream__
        return int((protocol() if callable(protocol) else protocol)[1])
    if isinstance(stream, int):
        return stream
    raise TypeError(f"stream is a {type(stream).__name__}; it has to be a stream of PyTorch or CuPy, or its number.")


def current_stream(framework, device):
    if framework == "torch":
        import torch

        return torch.cuda.current_stream(device).cuda_stream
    if framework == "cupy":
        import cupy

        with cupy.cuda.Device(device):
            return cupy.cuda.get_current_stream().ptr
    return 0  # the device's default stream, with which all others keep order


class Gpu:
    """The library of one puzzle."""

    def __init__(self, compiled, spec):
        self._library = compiled.Library(spec["program"])

    @contextlib.contextmanager
    def allocating(self, framework, device, stream):
        """Memory that is taken inside belongs to the stream that the kernels go to."""
        if framework == "torch":
            import torch

            if stream == torch.cuda.current_stream(device).cuda_stream:
                yield
            else:
                with torch.cuda.stream(torch.cuda.ExternalStream(stream, device=device)):
                    yield
        elif framework == "cupy":
            import cupy

            with cupy.cuda.Device(device), cupy.cuda.ExternalStream(stream, device):
                yield
        else:
            yield

    def new_array(self, shape, type_name, framework, device, zeroed=False):
        readable, torch_name = kinds.TYPES[type_name][3:]
        if framework == "torch":
            import torch

            make = torch.zeros if zeroed else torch.empty
            return make(shape, dtype=getattr(torch, torch_name), device=f"cuda:{device}")
        if framework == "cupy":
            import cupy

            if type_name == "bf16":
                raise TypeError("CuPy has no bfloat16: give tensors of PyTorch.")
            return (cupy.zeros if zeroed else cupy.empty)(shape, readable)
        if framework == "jax":
            import jax

            # Its memory is its own and nobody else has seen it yet: the kernel may write to it.
            made = jax.numpy.zeros(shape, readable, device=jax.devices("gpu")[device])
            return made.block_until_ready()
        raise TypeError("arrays of this kind can be read and not made: give the result as out=.")

    def call(self, function, variant, sizes, tensors, device, stream):
        outcome, words = self._library.call(
            variant, [(a.name, kinds.code_of(a.type), a.address) for a in tensors], list(sizes.items()), device, stream)
        if outcome == _REFUSED:
            raise ValueError(words)
        if outcome == _FAILED:
            raise KernelError(
                f"{function}: {words}. A kernel that was launched fails later, at the next call that waits: "
                f"CUDA_LAUNCH_BLOCKING=1 tells which. The same call on arrays of the CPU names the line.")
        if outcome != _DONE:
            raise RuntimeError(words)


def wait(framework, device, stream):
    """JAX orders its work by values and not by streams: what it gets has to be there."""
    if framework != "jax":
        return
    import ctypes

    driver = ctypes.CDLL("libcuda.so.1")
    code = driver.cuStreamSynchronize(ctypes.c_void_p(stream))
    if code != 0:
        raise KernelError(f"the kernel failed: CUDA error {code}")
