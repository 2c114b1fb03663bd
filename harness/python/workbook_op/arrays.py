"""Arrays of NumPy, PyTorch, CuPy, JAX and whoever else speaks DLPack: what they are, and new ones of their kind."""
import sys

from .errors import listed
from .shapes import shape_text

# A declaration's types: what DLPack calls them (code, bits), their bytes, workbook::Type, NumPy's and PyTorch's names.
TYPES = {
    "f32": ((2, 32), 4, 0, "float32", "float32"),
    "f16": ((2, 16), 2, 1, "float16", "float16"),
    "bf16": ((4, 16), 2, 2, "bfloat16", "bfloat16"),
    "i32": ((0, 32), 4, 3, "int32", "int32"),
    "u32": ((1, 32), 4, 4, "uint32", "uint32"),
    "u8": ((1, 8), 1, 5, "uint8", "uint8"),
    "i64": ((0, 64), 8, 6, "int64", "int64"),
}
_TORCH_CASTS = {"f32": ".float()", "f16": ".half()", "bf16": ".bfloat16()", "i32": ".int()", "i64": ".long()"}
_KINDS = {0: "int", 1: "uint", 2: "float", 4: "bfloat", 5: "complex", 6: "bool"}
_CPU, _CUDA, _CUDA_HOST, _CUDA_MANAGED = 1, 2, 3, 13


def bytes_of(type_name):
    return TYPES[type_name][1]


def code_of(type_name):
    return TYPES[type_name][2]


def readable_type(type_name):
    return TYPES[type_name][3]


class Given:
    """An argument: `declared` is its shape's expressions, `address` where its elements are."""

    def __init__(self, name, tensor, value, view, framework):
        self.name = name
        self.type = tensor["type"]
        self.declared = tensor["shape"]
        self.value = value
        self.view = view
        self.framework = framework
        self.shape = tuple(view.shape)
        self.address = view.address
        kind, number = view.device
        self.device = "cpu" if kind in (_CPU, _CUDA_HOST) else f"cuda:{number}"
        self.bytes = bytes_of(self.type)
        for size in self.shape:
            self.bytes *= size


def framework_of(value):
    module = type(value).__module__.split(".")[0]
    return {"jaxlib": "jax"}.get(module, module) if module in ("numpy", "torch", "cupy", "jax", "jaxlib") else "other"


def _call_of(framework, name, what):
    """How `what` is spelt: ("contiguous", name) gives "np.ascontiguousarray(x)"."""
    if what == "contiguous":
        return {"torch": f"{name}.contiguous()", "cupy": f"cupy.ascontiguousarray({name})",
                "jax": f"{name}.copy()"}.get(framework, f"np.ascontiguousarray({name})")
    cast = TYPES[what][3]
    if framework == "torch":
        return name + _TORCH_CASTS.get(what, f".to(torch.{cast})")
    return f"{name}.astype({ {'cupy': 'cupy', 'jax': 'jnp'}.get(framework, 'np') }.{cast})"


def _new_like(framework, name, tensor):
    if framework == "torch":
        return f"torch.empty(..., dtype=torch.{TYPES[tensor['type']][4]})"
    return f"np.empty(..., np.{readable_type(tensor['type'])})"


def look(compiled, function, tensor, value, writes=False):
    """`value` as the argument `tensor` (of the declaration). Raises TypeError or ValueError."""
    name = tensor["name"]
    wanted = f"{readable_type(tensor['type'])} [{', '.join(tensor['shape'])}]"
    framework = framework_of(value)
    if value is None or isinstance(value, (str, bytes, dict, type)):
        raise TypeError(f"{function}: {name} is {_kind(value)}; it has to be an array, {wanted}.")
    if isinstance(value, (list, tuple, int, float, bool)) or _is_numpy_scalar(value):
        raise TypeError(f"{function}: {name} is {_kind(value)}, not an array; {wanted} is wanted: "
                        f"np.array({name}, np.{'uint16' if tensor['type'] == 'bf16' else readable_type(tensor['type'])})")
    if framework == "torch":
        _check_torch(function, name, value)
    source = value
    if framework == "numpy" and str(value.dtype) == "bfloat16":  # of ml_dtypes, which no protocol speaks of
        source = value.view("uint16")
    if framework == "numpy" and not value.dtype.isnative:
        raise TypeError(f"{function}: {name} is {value.dtype}, in another machine's order of bytes: "
                        f"{name}.astype({name}.dtype.newbyteorder('='))")
    try:
        view = compiled.Array(_exported(source, framework))
    except TypeError:
        raise TypeError(f"{function}: {name} is {_kind(value)}{_dtype_words(value)}, which can be seen neither by "
                        f"DLPack nor as a buffer; {wanted} is wanted.") from None
    code, bits, lanes = view.type
    kind, _ = view.device
    if kind not in (_CPU, _CUDA, _CUDA_HOST, _CUDA_MANAGED):
        raise ValueError(f"{function}: {name} is on {getattr(value, 'device', 'a device')}; kernels run on the CPU's "
                         f"simulator and on NVIDIA GPUs.")
    bits_of_bfloat = tensor["type"] == "bf16" and (code, bits) == (1, 16) and framework == "numpy"
    if (code, bits) != TYPES[tensor["type"]][0] and not bits_of_bfloat or lanes != 1:
        has = f"{_KINDS.get(code, 'type ')}{bits}" if code != 6 else "bool"
        hint = _call_of(framework, name, tensor["type"])
        if tensor["type"] == "bf16" and framework in ("numpy", "other"):
            hint = "NumPy has no bfloat16; give its bits as np.uint16, or a tensor of PyTorch"
        elif writes:
            hint = f"give {_new_like(framework, name, tensor)}"
        raise TypeError(f"{function}: {name} is {has}; {wanted} is wanted: {hint}")
    given = Given(name, tensor, value, view, framework)
    if given.bytes > 0 and given.address == 0:
        raise ValueError(f"{function}: {name} {shape_text(given.shape)} has no memory: it was freed, or never had any.")
    _check_strides(function, given, writes)
    if given.address % bytes_of(given.type) != 0:
        raise ValueError(f"{function}: {name} begins in the middle of an element: {_call_of(framework, name, 'contiguous')}")
    if writes:
        _check_writable(function, given)
    return given


def _is_numpy_scalar(value):
    numpy = sys.modules.get("numpy")
    return numpy is not None and isinstance(value, numpy.generic)


def _kind(value):
    if value is None:
        return "None"
    kind = type(value)
    article = "an" if kind.__name__[0] in "aeiouAEIOU" else "a"
    return f"{article} {kind.__name__}"


def _dtype_words(value):
    return f" of {value.dtype}" if hasattr(value, "dtype") else ""


def _exported(value, framework):
    """What nanobind can look at."""
    if framework == "torch":
        value = value.detach()
    if framework in ("torch", "cupy") and is_cuda(value):
        return value.__dlpack__(stream=-1)  # nothing is to be ordered: it is their stream that is used
    return value.__dlpack__() if framework in ("torch", "jax") else value


def is_cuda(value):
    if framework_of(value) == "torch":
        return value.is_cuda
    device = getattr(value, "__dlpack_device__", None)
    if device is None:
        return False
    try:
        return int(device()[0]) in (_CUDA, _CUDA_MANAGED)
    except (TypeError, ValueError, RuntimeError, BufferError):
        return False


def _check_torch(function, name, tensor):
    import torch

    if not isinstance(tensor, torch.Tensor):
        raise TypeError(f"{function}: {name} is {_kind(tensor)}, not a tensor.")
    if tensor.layout != torch.strided:
        raise ValueError(f"{function}: {name} is {tensor.layout}: {name}.to_dense()")
    if tensor.is_conj() or tensor.is_neg():
        raise ValueError(f"{function}: {name} is a view whose values are changed when they are read: "
                         f"{name}.resolve_conj().resolve_neg()")
    if tensor.requires_grad and torch.is_grad_enabled():
        raise ValueError(f"{function}: {name} requires a gradient, and this function has none: {name}.detach(), or "
                         f"register_torch(), whose operators take part in autograd.")
    if type(tensor).__name__ == "FakeTensor":
        raise TypeError(f"{function}: torch.compile cannot look into this function: use register_torch() and its "
                        f"operators.")
    if tensor.numel() > 0 and tensor.untyped_storage().nbytes() == 0:
        raise ValueError(f"{function}: {name} {shape_text(tuple(tensor.shape))} has no memory: its storage was freed.")


def _check_strides(function, given, writes):
    wanted = 1
    for size, stride in zip(reversed(given.shape), reversed(given.view.strides)):
        if size != 1 and stride != wanted:
            break
        wanted *= size
    else:
        return
    strides = tuple(given.view.strides)
    cause = "a slice, or a view of another array"
    if len(given.shape) > 1 and strides[-1] != 1 and 1 in strides:
        cause = "a transposed view"
    elif 0 in strides:
        cause = "a broadcast view"
    elif any(s < 0 for s in strides):
        cause = "a reversed view"
    does = "writes row by row" if writes else "reads row by row"
    cure = "give an array of its own" if writes else _call_of(given.framework, given.name, "contiguous")
    raise ValueError(f"{function}: {given.name} {shape_text(given.shape)} has the strides {shape_text(strides)}, "
                     f"{cause}; a kernel {does}: {cure}")


def _check_writable(function, given):
    if given.framework == "jax":
        raise ValueError(f"{function}: {given.name} is an array of JAX, which nothing may write to: leave it away, and "
                         f"take what is returned.")
    if given.framework == "numpy" and not given.value.flags.writeable:
        raise ValueError(f"{function}: {given.name} is read-only, and the kernel writes to it: {given.name}.copy()")
    if given.framework == "other":
        try:
            read_only = memoryview(given.value).readonly
        except TypeError:
            return
        if read_only:
            raise ValueError(f"{function}: {given.name} is read-only, and the kernel writes to it.")


def check_device(function, arrays):
    """The one device that all arrays are on."""
    first = arrays[0]
    for array in arrays:
        if array.device == first.device:
            continue
        cure = f"{array.name}.to('{first.device}')" if array.framework == "torch" else f"move {array.name} to {first.device}"
        on_first = listed(a.name for a in arrays if a.device == first.device)
        raise ValueError(f"{function}: {array.name} is on {array.device}, and {on_first} on {first.device}: {cure}")
    return first.device


def result_framework(arrays):
    """Whose arrays come out: that of the first argument."""
    return arrays[0].framework if arrays[0].framework != "other" or arrays[0].device != "cpu" else "numpy"
