"""Calls on the simulator, with all its findings."""
import tempfile
from pathlib import Path

from .errors import OptimizeError
from .expressions import bfloat16


def run(kernel, given, sizes):
    import numpy as np

    cases = np.array([sizes[index["name"]] for index in kernel.found["indices"]], np.int32).tobytes()
    cases += b"".join(_floats(np, each) for each in given)
    written, shapes = np.frombuffer(_simulated(kernel, cases), np.float32), kernel.result_shapes(sizes)
    ends = np.cumsum([np.prod(shape, dtype=np.int64) for shape in shapes])
    if written.size != ends[-1]:
        raise OptimizeError(f"{kernel.name} wrote {written.size} elements of {', '.join(map(str, shapes))}")
    return kernel.given_back([_of_kind(np, given[0].framework, part.reshape(shape), dtype)
                              for part, shape, (_, dtype) in zip(np.split(written, ends[:-1]), shapes, kernel.results)])


def _floats(np, given):
    """As float32, of which the kernel's program makes its type."""
    value = given.value
    if given.framework == "torch":
        value = value.detach().float().numpy()
    return np.ascontiguousarray(value, dtype=np.float32).tobytes()


def _of_kind(np, framework, result, dtype):
    if framework == "torch":
        import torch
        return torch.from_numpy(result.copy()).to(getattr(torch, dtype.name))
    if framework == "jax":
        import jax.numpy as jnp
        return jnp.asarray(result, dtype=dtype.name)
    return result.astype(_numpy_type(np, dtype))


def _numpy_type(np, dtype):
    if dtype is bfloat16:
        try:
            from ml_dtypes import bfloat16 as found
            return np.dtype(found)
        except ImportError:
            return np.float32
    return {"f16": np.float16, "f32": np.float32}[dtype.short]


def _simulated(kernel, cases):
    from .search import folder_of, workbook, write
    folder = folder_of(None, kernel.check, kernel.source)
    write(folder / "kernels.cu", kernel.source)
    write(folder / "check.cu", kernel.check)
    with tempfile.TemporaryDirectory() as data:
        into, out = Path(data, "cases.bin"), Path(data, "results.bin")
        into.write_bytes(cases)
        status, said, errors = workbook(["sim", str(folder / "check.cu"), "--", str(into), str(out)], folder)
        if status != 0 or not out.exists():
            raise OptimizeError(f"{kernel.name} did not come to its end on the simulator:\n{said}{errors}")
        return out.read_bytes()
