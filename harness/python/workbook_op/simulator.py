"""Calls on the simulator: the child program of `workbook run` computes on the arrays, so that a kernel that crashes,
waits for ever or takes all memory ends that program and not this one.

The simulated device has memory of its own, as a GPU has: files in memory, which this process and the child both map.
What a call returns lies there, and so does what device_array() makes: given to another call it is not copied. Other
arrays are copied there and, where a kernel writes to them, back.
"""
import bisect
import ctypes
import json
import mmap
import os
import select
import shutil
import subprocess
import sys
import tempfile
import time
import warnings
import weakref

import numpy as np

from . import arrays as kinds
from .errors import KernelError, KernelFinding

_NUMPY = {"f32": "float32", "f16": "float16", "bf16": "uint16", "i32": "int32", "u32": "uint32", "u8": "uint8",
          "i64": "int64"}


class _DeviceMemory:
    """Which addresses of this process are the simulated device's: files in memory."""

    def __init__(self):
        self._starts = []
        self._files = {}  # start: descriptor, bytes

    def array(self, shape, type_name):
        bytes_wanted = kinds.bytes_of(type_name)
        for size in shape:
            bytes_wanted *= size
        file = os.memfd_create("workbook")
        pages = max(1, -(-bytes_wanted // mmap.PAGESIZE))
        os.ftruncate(file, pages * mmap.PAGESIZE)
        memory = mmap.mmap(file, pages * mmap.PAGESIZE)
        array = np.frombuffer(memory, _NUMPY[type_name], count=bytes_wanted // kinds.bytes_of(type_name)).reshape(shape)
        start = array.ctypes.data
        bisect.insort(self._starts, start)
        self._files[start] = (file, bytes_wanted)
        weakref.finalize(memory, self._forget, start, file)
        return array

    def _forget(self, start, file):
        self._starts.remove(start)
        del self._files[start]
        os.close(file)

    def file_of(self, address, byte_count):
        """The file whose pages begin at `address`, or None: a part of an array is no tensor of its own."""
        file, held = self._files.get(address, (None, 0))
        return file if byte_count <= held else None


_memory = _DeviceMemory()


def _as_framework(array, framework, type_name):
    if framework == "torch":
        import torch

        tensor = torch.from_numpy(array)
        return tensor.view(torch.bfloat16) if type_name == "bf16" else tensor
    return array


def device_array(value):
    """A copy of the array in the simulated device's memory."""
    framework = kinds.framework_of(value)
    if framework == "torch":
        types = {f"torch.{t[4]}": name for name, t in kinds.TYPES.items()}
        type_name = types[str(value.dtype)]
        copy = _as_framework(_memory.array(tuple(value.shape), type_name), framework, type_name)
        copy.copy_(value.detach())
        return copy
    value = np.asarray(value)
    types = {t[3]: name for name, t in kinds.TYPES.items()}
    if value.dtype.name not in types and value.dtype.name != "uint16":
        raise TypeError(f"no puzzle computes on {value.dtype}; there are {', '.join(types)}")
    copy = _memory.array(value.shape, types.get(value.dtype.name, "bf16"))
    copy[...] = value
    return copy


def _ended_within(child, seconds):
    """Without the sleeps of Popen.wait(), which are longer than a small kernel takes."""
    try:
        handle = os.pidfd_open(child.pid)
    except (AttributeError, OSError):  # an older kernel, or a container
        try:
            return child.wait(seconds) is not None
        except subprocess.TimeoutExpired:
            return False
    try:
        return bool(select.select([handle], [], [], seconds)[0])
    finally:
        os.close(handle)


class Simulator:
    """The builds of one puzzle. `ask` runs `workbook op NN` with more words and returns what it answers."""

    def __init__(self, ask, spec, root):
        self._ask = ask
        self._root = root
        self._source = spec["source"]
        # Kept open: a build of later changes puts another file in its place.
        self._program = os.open(spec["program"], os.O_RDONLY)

    def new_array(self, shape, type_name, framework):
        return _as_framework(_memory.array(shape, type_name), framework, type_name)

    def call(self, variant, sizes, given, results, limit, stack_level):
        """`given` are arguments, `results` those that are written: a Given each, with `start`, the declaration's.
        The call's record."""
        begun = time.perf_counter()
        request, files, back, copied = {}, [], [], []
        for array in given + [r for r in results if all(r is not g for g in given)]:
            is_read = any(array is g for g in given)
            file = _memory.file_of(array.address, array.bytes)
            if file is None:
                stand_in = _memory.array(array.shape, array.type)
                file = _memory.file_of(stand_in.ctypes.data, array.bytes)
                if is_read:
                    ctypes.memmove(stand_in.ctypes.data, array.address, array.bytes)
                if any(array is r for r in results):
                    back.append((array, stand_in))
                else:
                    back.append((None, stand_in))  # kept until the child has ended
                copied.append(array.name)
            request[array.name] = {"file": file, "given": is_read}
            files.append(file)
        folder = tempfile.mkdtemp(prefix="workbook-op-")
        try:
            findings = self._run(variant, {"sizes": sizes, "tensors": request}, files, folder, limit, stack_level + 1)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        for array, stand_in in back:
            if array is not None:
                ctypes.memmove(array.address, stand_in.ctypes.data, array.bytes)
        return copied, findings, time.perf_counter() - begun

    def _run(self, variant, request, files, folder, limit, stack_level):
        call = os.path.join(folder, "call.json")
        with open(call, "w") as file:
            json.dump(request, file)
        command = [f"/proc/self/fd/{self._program}", "--variant", variant, "--phase", "call", "--call", call, "--out",
                   folder]
        output = os.path.join(folder, "output.txt")
        with open(output, "wb") as written, open(os.path.join(folder, "errors.txt"), "wb") as complaints:
            child = subprocess.Popen(command, pass_fds=[self._program, *files], stdout=written, stderr=complaints,
                                     stdin=subprocess.DEVNULL, cwd=self._root)
            try:
                if _ended_within(child, limit):
                    ended = str(child.wait())
                else:
                    ended = "timeout"
                    child.terminate()  # it says where it was
                    _ended_within(child, 10)
            finally:
                if child.poll() is None:
                    child.kill()
                    child.wait()
        with open(output, errors="replace") as file:
            shutil.copyfileobj(file, sys.stdout)
        with open(os.path.join(folder, "errors.txt"), errors="replace") as file:
            complaint = file.read()
        if ended == "2":
            raise ValueError(complaint.strip())
        if ended == "5":
            raise RuntimeError(complaint.strip())
        sys.stderr.write(complaint)
        if ended == "0":
            with open(os.path.join(folder, "report.json")) as file:
                if not json.load(file)["findings"]:
                    return []
        return self._explain(folder, ended, limit, stack_level + 1)

    def _explain(self, folder, ended, limit, stack_level):
        with open(os.path.join(folder, "kernels.cu"), "w") as file:
            file.write(self._source)
        said = self._ask("--words", folder, "--ended", ended, "--limit", str(int(limit * 1000)))
        words = said["words"].strip()
        if said["ended"]:
            raise KernelError(words)
        warnings.warn("\n" + words, KernelFinding, stacklevel=stack_level + 1)
        return [words]
