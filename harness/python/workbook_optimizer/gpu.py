"""Calls on a GPU: the kernels, compiled by nvcc when they are first called, work on the arrays' own memory and on the
caller's stream. Nothing is copied and nothing is waited for."""
import contextlib
import ctypes
import os
import re
import shutil
import subprocess
from pathlib import Path

from .errors import OptimizeError

_LINE = 256  # bytes: where each part of the scratch memory begins
_SIZE = re.compile(r"const int (\w+) = sizes\[(\d+)\];")
_TENSOR = re.compile(r"auto\* const (\w+) = (input|allocated)<(\w+)>\((?:cases, )?(.+)\);")
_LAUNCH = re.compile(r"check\((launch_\w+\(.*)\), \"launch\"\);")


def run(kernel, given, device, sizes):
    from workbook_op.gpu import current_stream, wait
    frameworks = {each.framework for each in given}
    framework = given[0].framework
    if len(frameworks) > 1:
        raise TypeError(f"{kernel.name}: its arguments are of {' and '.join(sorted(frameworks))}; one kind is wanted")
    if kernel._library is None:
        kernel._library = Library(kernel, device)
    library = kernel._library
    stream = current_stream(framework, device)
    with _on(framework, device):
        results = [_new(framework, shape, dtype.name, device) for shape, (_, dtype) in zip(kernel.result_shapes(sizes), kernel.results)]
        numbers = (ctypes.c_int * len(kernel.found["indices"]))(*(sizes[each["name"]] for each in kernel.found["indices"]))
        bytes_ = library.scratch(numbers)
        # The framework's own allocator: the memory goes back to it, and is used again behind the kernels on the stream.
        scratch, scratch_address = _new(framework, (bytes_,), "uint8", device) if bytes_ else (None, 0)
        tensors = (ctypes.c_void_p * (len(given) + len(results)))(*(each.address for each in given), *(address for _, address in results))
        status = library.call(tensors, scratch_address, numbers, stream, device)
    if status != 0:
        raise OptimizeError(f"{kernel.name}: {library.words(status).decode()}. A kernel that was launched fails later, at the "
                            "next call that waits: CUDA_LAUNCH_BLOCKING=1 tells which.")
    wait(framework, device, stream)
    del scratch
    return kernel.given_back([result for result, _ in results])


def _on(framework, device):
    if framework == "torch":
        import torch
        return torch.cuda.device(device)
    if framework == "cupy":
        import cupy
        return cupy.cuda.Device(device)
    return contextlib.nullcontext()


def _new(framework, shape, type_name, device):
    """An array and where it lies."""
    if framework == "torch":
        import torch
        made = torch.empty(shape, dtype=getattr(torch, type_name), device=f"cuda:{device}")
        return made, made.data_ptr()
    if framework == "cupy":
        import cupy
        made = cupy.empty(shape, type_name)
        return made, made.data.ptr
    if framework == "jax":
        import jax
        place = next(each for each in jax.devices("gpu") if each.local_hardware_id == device)
        made = jax.device_put(jax.numpy.zeros(shape, type_name), place).block_until_ready()
        return made, made.unsafe_buffer_pointer()
    raise TypeError("arrays of this kind can be read and not made: give tensors of PyTorch, CuPy or JAX")


class Library:
    """A kernel compiled for one kind of GPU: kept on disk, and loaded into this process."""

    def __init__(self, kernel, device):
        library = ctypes.CDLL(str(compiled(kernel, architecture(device))))
        self.scratch, self.call, self.words = library.workbook_scratch, library.workbook_call, library.workbook_words
        self.scratch.argtypes, self.scratch.restype = [ctypes.c_void_p], ctypes.c_size_t
        self.call.argtypes = [ctypes.c_void_p] * 4 + [ctypes.c_int]
        self.words.restype = ctypes.c_char_p


def architecture(device):
    driver = ctypes.CDLL("libcuda.so.1")
    driver.cuInit(0)
    numbers = []
    for attribute in (75, 76):  # CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, ..._MINOR
        number = ctypes.c_int()
        if driver.cuDeviceGetAttribute(ctypes.byref(number), attribute, device) != 0:
            raise OptimizeError(f"the driver does not know GPU {device}")
        numbers.append(number.value)
    # The architecture's own instructions: groups of warps multiply on Hopper by what no later GPU has.
    return "sm_{}{}{}".format(*numbers, "a" if numbers[0] == 9 else "")


def compiled(kernel, arch):
    """The file of the library, made where it is not there yet."""
    from .search import folder_of, write
    text = call_text(kernel)
    folder = folder_of(None, kernel.source, text, arch)
    library = folder / f"{kernel.name}.so"
    if library.exists():
        return library
    write(folder / "kernels.cu", kernel.source)
    write(folder / "call.cu", text)
    part = folder / f"{kernel.name}.{os.getpid()}.so"
    command = [_nvcc(), "-std=c++20", "-O3", "-lineinfo", f"-gencode=arch={arch.replace('sm', 'compute')},code={arch}", "-shared", "-Xcompiler", "-fPIC",
               str(folder / "call.cu"), "-o", str(part)]
    done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        raise OptimizeError(f"nvcc does not compile {kernel.name}:\n{' '.join(command)}\n{done.stderr or done.stdout}")
    part.replace(library)
    return library


def _nvcc():
    home = os.environ.get("CUDA_HOME") or "/usr/local/cuda"
    found = os.environ.get("WORKBOOK_NVCC") or shutil.which("nvcc") or shutil.which(str(Path(home, "bin/nvcc")))
    if not found:
        raise OptimizeError("there is no nvcc, which compiles kernels for a GPU: CUDA's toolkit has it. On tensors of the "
                            "CPU a call needs none")
    return found


def call_text(kernel):
    """The kernels behind two functions of C. What check.cu allocates is the scratch memory's layout."""
    body = kernel.check
    sizes, tensors, launch = _SIZE.findall(body), _TENSOR.findall(body), _LAUNCH.search(body)
    inputs = [each for each in tensors if each[1] == "input"]
    made = [each for each in tensors if each[1] == "allocated"]
    # In the order of the results, which is that of their allocations.
    outputs = [each["name"] for each in kernel.found["outputs"]]
    places = {name: len(inputs) + place for place, output in enumerate(outputs) for name, *_ in made if _is(name, output)}
    if launch is None or len(inputs) != len(kernel.inputs) or len(places) != len(outputs):
        raise OptimizeError(f"{kernel.name}: its check.cu is of another version of the workbook; search anew")
    lines = ['#include "kernels.cu"', "namespace {",
             f"constexpr std::size_t rounded(std::size_t bytes) {{ return (bytes + {_LINE - 1}) / {_LINE} * {_LINE}; }}", "}"]
    named = [f"  [[maybe_unused]] const int {name} = sizes[{place}];" for name, place in sizes]
    scratch = [each for each in made if each[0] not in places]
    lines += ['extern "C" std::size_t workbook_scratch(const int* sizes) {', *named, "  std::size_t bytes = 0;"]
    lines += [f"  bytes += rounded(sizeof({kind}) * ({count}));" for _, _, kind, count in scratch]
    lines += ["  return bytes;", "}",
              'extern "C" int workbook_call(void* const* tensors, char* scratch, const int* sizes, void* stream, int device) {',
              *named]
    for place, (name, _, kind, _) in enumerate(inputs):
        lines.append(f"  [[maybe_unused]] auto* const {name} = static_cast<const {kind}*>(tensors[{place}]);")
    for name, _, kind, count in made:
        if name in places:
            lines.append(f"  auto* const {name} = static_cast<{kind}*>(tensors[{places[name]}]);")
        else:
            lines += [f"  auto* const {name} = reinterpret_cast<{kind}*>(scratch);",
                      f"  scratch += rounded(sizeof({kind}) * ({count}));"]
    return "\n".join([*lines, "  int before = 0;", "  cudaGetDevice(&before);",
                      "  if (before != device) cudaSetDevice(device);",
                      f"  const cudaError_t error = {launch[1]}, static_cast<cudaStream_t>(stream));",
                      "  if (before != device) cudaSetDevice(before);", "  return error;", "}",
                      'extern "C" const char* workbook_words(int error) {',
                      "  return cudaGetErrorString(static_cast<cudaError_t>(error));", "}", ""])


def _is(name, output):
    """Names that C++ has, or that stand twice, are written with a _ behind them."""
    return name.rstrip("_") == output.rstrip("_")
