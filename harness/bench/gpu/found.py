"""What `workbook optimize` finds, as a Python function on tensors of a GPU."""
import ctypes
import re
import subprocess
from pathlib import Path

import torch

SCRATCH_BYTES = 256 << 20  # of each tensor that crosses launches: the signature does not say how large it is
SIGNATURE = re.compile(r"inline cudaError_t launch_(\w+)\((.*?)cudaStream_t stream")
PARAMETER = re.compile(r"(const )?(\w+)(\*?) (\w+), ")


def found_by_search(workbook, program, sizes, result, folder):
    """The best plan's kernels for these sizes, compiled by nvcc; None, with a word on why, where there is none. `result`: shape and type."""
    folder = Path(folder) / "-".join([program, *(f"{name}{size}" for name, size in sizes.items())])
    folder.mkdir(parents=True)
    words = [f"--size={name}={size}" for name, size in sizes.items()]
    run = subprocess.run([workbook, "optimize", program, *words, "--emit-only"], cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    source = folder / "optimized" / program / "kernels.cu"
    if run.returncode or not source.exists():
        print(f"nothing found for {program}: {run.stdout.strip()[-300:]}")
        return None
    name, parameters = SIGNATURE.search(source.read_text()).groups()
    parameters = PARAMETER.findall(parameters.replace("[[maybe_unused]] ", ""))
    declared = ", ".join(f"{const}{kind}{star} {what}" for const, kind, star, what in parameters)
    wrapper = folder / "wrapper.cu"
    wrapper.write_text(f'#include "optimized/{program}/kernels.cu"\n'
                       f'extern "C" int launch({declared}, cudaStream_t stream) {{\n'
                       f'  return launch_{name}({", ".join(p[3] for p in parameters)}, stream);\n}}\n')
    library = folder / "found.so"
    # Groups of warps multiply by what is Hopper's own.
    arch = "sm_90a" if torch.cuda.get_device_capability()[0] == 9 else "native"
    # Bound to the runtime within: PyTorch has brought one of its own.
    subprocess.run(["nvcc", "-O3", "-std=c++20", f"-arch={arch}", "-shared", "-Xcompiler", "-fPIC", "-Xlinker", "-Bsymbolic", "-o", library, wrapper],
                   check=True)
    launch = ctypes.CDLL(str(library)).launch
    shape, dtype = result
    pointers = [p for p in parameters if p[2]]

    def function(**inputs):
        out = torch.empty(shape, device="cuda", dtype=dtype)
        kept = []  # until the launch
        arguments = []
        for const, _, _, what in pointers:
            if what in inputs:
                tensor = inputs[what]
            elif not const and what == pointers[0][3]:
                tensor = out
            else:
                tensor = scratch(what)
            kept.append(tensor)
            arguments.append(ctypes.c_void_p(tensor.data_ptr()))
        arguments += [ctypes.c_int(sizes[what.removesuffix("_size")]) for _, _, star, what in parameters if not star]
        status = launch(*arguments, ctypes.c_void_p(torch.cuda.current_stream().cuda_stream))
        if status:
            raise ValueError(f"launch_{name} says error {status}")
        return out

    crossing = {}

    def scratch(what):
        if what not in crossing:
            crossing[what] = torch.empty(SCRATCH_BYTES // 4, device="cuda")
        return crossing[what]

    return function
