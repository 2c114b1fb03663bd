"""Which is faster on this machine's GPU: a part's found kernel, or PyTorch's own operators."""
import json
import os
import statistics
from concurrent.futures import ThreadPoolExecutor

import torch
from torch._subclasses.fake_tensor import unset_fake_temporarily

from . import gpu
from .from_torch import converted
from .graph_times import graph_of, time_us
from .partition import order_in_memory
from .search import folder_of, write

_ROUNDS = 15
_FLUSH_BYTES = 256 << 20  # more than any L2 holds


def device_of(part):
    """The GPU's number where its result lies on one."""
    device = getattr(part.result.meta.get("val"), "device", None)
    return (device.index or 0) if getattr(device, "type", "") == "cuda" else None


def compiled(kernels):
    """Compiles each of [(kernel, number of its GPU)], by as many compilers as there are processors: then a call finds it.
    Gives why not, by the kernel's source, where there is a reason."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        running = {kernel.source: pool.submit(gpu.compiled, kernel, gpu.architecture(device)) for kernel, device in kernels}
    failed = {source: done.exception() for source, done in running.items()}
    return {source: str(error).strip().split("\n")[0] for source, error in failed.items() if error is not None}


def times(part, kernel, peer, cache, peer_name):
    """Microseconds of the kernel and of `peer`, a function of `part.inputs`: medians in turns, each with a cold L2, in a CUDA
    graph of its own. Kept in the cache by GPU, PyTorch's version and how the arguments lie."""
    device, values = device_of(part), [node.meta["val"] for node in part.inputs]
    lie = [(tuple(each.shape), each.stride(), str(each.dtype)) for each in values]
    told = kernel.program, kernel.source, str(lie), peer_name, torch.__version__, torch.cuda.get_device_name(device)
    file = folder_of(cache, *told) / "timed.json"
    try:
        kernel_us, peer_us = json.loads(file.read_text())["us"]
        return float(kernel_us), float(peer_us)
    except (OSError, ValueError, KeyError, TypeError):
        pass
    with unset_fake_temporarily(), torch.no_grad(), torch.cuda.device(device):
        arguments = [_made(each) for each in values]
        given = [arguments[int(name[1:])] for name in kernel.names]  # x0, x1, ... as part.inputs
        given = [converted(each.permute(order_in_memory(each))) for each in given]
        found = _medians([lambda: kernel.compute([each.contiguous() for each in given]), lambda: peer(*arguments)])
    write(file, json.dumps({"us": found}))
    return tuple(found)


def _made(value):
    """Such an argument. Whole numbers are places in tables, of which all have a first."""
    made = torch.empty_strided(value.shape, value.stride(), dtype=value.dtype, device=value.device)
    return made.normal_() if made.is_floating_point() else made.zero_()


def _medians(functions):
    graphs = [graph_of(function, [()], 1) for function in functions]
    buffer = torch.zeros(_FLUSH_BYTES // 4, device="cuda", dtype=torch.int32)
    samples = [[] for _ in graphs]
    for number in range(-2, _ROUNDS):  # two rounds to raise the clocks
        for graph, taken in zip(graphs, samples):
            buffer.amax()  # read, not written: lines that were written would go out in the timed part
            sample = time_us(graph.replay)
            if number >= 0:
                taken.append(sample)
    return [statistics.median(each) for each in samples]
