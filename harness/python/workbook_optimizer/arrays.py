"""The arrays of a call: of NumPy, PyTorch, CuPy and JAX, and what is wrong with them, in words."""
from .expressions import Tensor, bfloat16

_ALIGNED = 16  # bytes: kernels load that many at once


def framework_of(value):
    module = type(value).__module__.split(".")[0]
    return {"jaxlib": "jax"}.get(module, module) if module in ("numpy", "torch", "cupy", "jax", "jaxlib") else "other"


class Given:
    """device: None for the CPU, else the GPU's number. address: on the GPU."""

    def __init__(self, name, value, framework, shape, device=None, address=None):
        self.name, self.value, self.framework = name, value, framework
        self.shape, self.device, self.address = tuple(shape), device, address


def look(kernel, name, dtype, value):
    if isinstance(value, Tensor):
        raise TypeError(f"{name} is an expression: a kernel is called with arrays")
    if not hasattr(value, "shape") or not hasattr(value, "dtype"):
        raise TypeError(f"{name} is a {type(value).__name__}: an array of {dtype.name} is expected")
    framework = framework_of(value)
    if hasattr(value, "mask") and hasattr(value, "filled"):
        raise TypeError(f"{name} is a masked array, and a kernel knows no masks: {name}.filled(0), and the mask as an input of its own")
    _check_type(name, dtype, value, framework)
    if framework == "torch":
        return _of_torch(kernel, name, value)
    if framework == "cupy":
        _check_contiguous(name, value.flags.c_contiguous, f"cupy.ascontiguousarray({name})")
        return _aligned(Given(name, value, framework, value.shape, value.device.id, value.data.ptr), f"{name}.copy()")
    if framework == "jax":
        return _of_jax(name, value)
    if hasattr(value, "__cuda_array_interface__"):
        seen = value.__cuda_array_interface__
        _check_contiguous(name, seen.get("strides") is None, "a contiguous copy")
        return _aligned(Given(name, value, framework, seen["shape"], 0, seen["data"][0]), "a copy")
    return Given(name, value, framework, value.shape)


def _check_type(name, dtype, value, framework):
    has = str(value.dtype).rsplit(".", 1)[-1]
    takes = (dtype.name, "float32") if dtype is bfloat16 and framework not in ("torch", "jax", "cupy") else (dtype.name,)
    if has not in takes:
        cast = f"{name}.to(torch.{dtype.name})" if framework == "torch" else f"{name}.astype({dtype.name!r})"
        raise TypeError(f"{name} holds {has}, and the kernel takes {' or '.join(takes)}: {cast} converts it")


def _check_contiguous(name, contiguous, cure):
    if not contiguous:
        raise ValueError(f"{name} does not lie row by row in memory: it is a slice, or a transposed or broadcast view. "
                         f"The kernel takes {cure}")


def _aligned(given, cure):
    if given.address % _ALIGNED != 0:
        raise ValueError(f"{given.name} begins at an address that is no multiple of {_ALIGNED}, as a slice may: the kernel "
                         f"takes {cure}")
    return given


def _of_torch(kernel, name, value):
    import torch

    if value.layout != torch.strided:
        raise ValueError(f"{name} is {value.layout}: {name}.to_dense()")
    if value.requires_grad and torch.is_grad_enabled():
        raise ValueError(f"{name} requires a gradient, and {kernel.name} has none: {name}.detach(), or torch.no_grad()")
    if value.device.type not in ("cpu", "cuda"):
        raise ValueError(f"{name} lies on {value.device}: kernels run on NVIDIA's GPUs, and on the CPU by the simulator")
    _check_contiguous(name, value.is_contiguous() and not value.is_conj() and not value.is_neg(), f"{name}.contiguous()")
    if value.device.type == "cpu":
        return Given(name, value, "torch", value.shape)
    return _aligned(Given(name, value, "torch", value.shape, value.device.index, value.data_ptr()), f"{name}.clone()")


def _of_jax(name, value):
    devices = list(value.devices())
    if len(devices) != 1:
        raise ValueError(f"{name} is spread over {len(devices)} devices, and a kernel runs on one")
    if devices[0].platform == "cpu":
        return Given(name, value, "jax", value.shape)
    if devices[0].platform not in ("gpu", "cuda"):
        raise ValueError(f"{name} lies on {devices[0]}: kernels run on NVIDIA's GPUs")
    value.block_until_ready()  # JAX orders by values and not by streams
    return Given(name, value, "jax", value.shape, devices[0].local_hardware_id, value.unsafe_buffer_pointer())


def device_of(kernel, given):
    """The one device that all lie on."""
    first = given[0]
    for each in given:
        if each.device != first.device:
            places = ["the CPU" if one.device is None else f"GPU {one.device}" for one in (first, each)]
            raise ValueError(f"{kernel.name}: {first.name} lies on {places[0]} and {each.name} on {places[1]}")
    return first.device
