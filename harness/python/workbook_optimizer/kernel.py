"""Search, and calls of what it found: NumPy's arrays by the simulator."""
import hashlib
import json
import os
import re
import subprocess
import tempfile
from pathlib import Path

from .errors import OptimizeError, ProgramError
from .expressions import Tensor, bfloat16, float16, float32
from .program import Program, program_of

_ROOT = Path(__file__).resolve().parents[3]
_SHORT = {"f16": float16, "bf16": bfloat16, "f32": float32}
_STATUS_DOES_NOT_COMPILE, _STATUS_USAGE = 3, 2


def optimize(result, *, name="program", dtype=None, cache=None, seconds=None, gpu="h200"):
    """The fastest kernel that a search finds for an expression, or for a program's text.

    dtype: of the result; that of the widest input when absent. cache: the folder where what was found is kept. seconds:
    how long to search; then the best so far. gpu: whose modelled time decides.
    """
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name):
        raise ValueError(f"a program's name is letters, digits and _, not {name!r}")
    if isinstance(result, str):
        program = Program(result, None, None, None)
    else:
        from .expressions import type_of
        program = program_of(result, None if dtype is None else type_of(dtype), name)
    folder = _folder(cache, program.text, gpu)
    file = folder / f"{name}.wbp"
    _write(file, program.text)
    words = ["optimize", file.name, "--gpu", gpu] + ([] if seconds is None else ["--seconds", str(int(seconds))])
    found = _found(folder, words)
    explanation = _workbook(words, folder)[1]
    schedule = found["schedule"]
    if schedule["best"] is None:
        raise OptimizeError(f"no kernel was found for\n{program.text}\n{explanation}")
    if program.inputs is None:
        program = _described(program.text, found)
    made = folder / "optimized" / name
    return Kernel(name, program, found, explanation, (made / "kernels.cu").read_text(), (made / "check.cu").read_text())


def _found(folder, words):
    status, out, said = _workbook([*words, "--json"], folder)
    if status in (_STATUS_DOES_NOT_COMPILE, _STATUS_USAGE):
        raise ProgramError(said.strip() or out.strip())
    try:
        found = json.loads(out)
        if isinstance(found, list):
            raise ProgramError("a kernel has one result, and the program has several outputs: write a program for each")
        return found
    except json.JSONDecodeError:
        raise OptimizeError(f"workbook {' '.join(words)} ended with status {status}: {said or out}") from None


def _described(text, found):
    """Shapes and types of a program that came as text: as the search read it."""
    sizes = {index["name"]: index["real"] for index in found["indices"]}
    inputs = [(each["name"], tuple(sizes[dim] for dim in each["dims"]), _SHORT[each["type"]])
              for each in found["inputs"] if each["constant"] is None and not each["given"]]
    output = found["output_tensor"]
    return Program(text, inputs, tuple(sizes[dim] for dim in output["dims"]), _SHORT[output["type"]])


class Kernel:
    """A kernel that was found: called with arrays it gives an array.

    program: its text. shapes, dtypes: of the arguments, in the order of names. source: CUDA C++ that nvcc takes. plan:
    launches, cuts and modelled time, as `workbook optimize --json` has them.
    """

    def __init__(self, name, program, found, explanation, source, check):
        self.name, self.program, self.source = name, program.text, source
        self.names = [each[0] for each in program.inputs]
        self.shapes = [each[1] for each in program.inputs]
        self.dtypes = [each[2] for each in program.inputs]
        self.shape, self.dtype = program.shape, program.dtype
        self.found, self._explanation, self._check = found, explanation, check

    @property
    def plan(self):
        schedule = self.found["schedule"]
        return schedule["plans"][schedule["best"]]

    def explain(self):
        """What the search found, why it is faster, and what it was judged on."""
        return self._explanation

    def __repr__(self):
        plan = self.plan
        paths = ", ".join(launch["path"] for launch in plan["launches"])
        return f"<Kernel {self.name}({', '.join(self.names)}): {paths}; modelled {plan['us']:.4g} us>"

    def __call__(self, *arrays, **named):
        import numpy as np
        values = self._arguments(arrays, named)
        cases = b"".join(
            [np.array([index["real"] for index in self.found["indices"]], np.int32).tobytes()]
            + [_taken(np, *each).tobytes() for each in zip(self.names, self.shapes, self.dtypes, values)])
        result = np.frombuffer(self._run(cases), np.float32)
        wanted = 1
        for size in self.shape:
            wanted *= size
        if result.size != wanted:
            raise OptimizeError(f"{self.name} wrote {result.size} elements of {wanted}")
        return result.reshape(self.shape).astype(_numpy_type(np, self.dtype))

    def _arguments(self, arrays, named):
        if len(arrays) > len(self.names):
            raise TypeError(f"{self.name} takes {len(self.names)} arrays ({', '.join(self.names)}), and got {len(arrays)}")
        values = dict(zip(self.names, arrays))
        for name, array in named.items():
            if name not in self.names:
                raise TypeError(f"{self.name} has no argument {name}; it has {', '.join(self.names)}")
            if name in values:
                raise TypeError(f"{self.name} got {name} twice")
            values[name] = array
        if missing := [name for name in self.names if name not in values]:
            raise TypeError(f"{self.name} lacks {' and '.join(missing)}; it takes {', '.join(self.names)}")
        return [values[name] for name in self.names]

    def _run(self, cases):
        folder = _folder(None, self._check, self.source)
        _write(folder / "kernels.cu", self.source)
        _write(folder / "check.cu", self._check)
        with tempfile.TemporaryDirectory() as data:
            into, out = Path(data, "cases.bin"), Path(data, "results.bin")
            into.write_bytes(cases)
            status, said, errors = _workbook(["sim", str(folder / "check.cu"), "--", str(into), str(out)], folder)
            if status != 0 or not out.exists():
                raise OptimizeError(f"{self.name} did not come to its end on the simulator:\n{said}{errors}")
            return out.read_bytes()


def _numpy_type(np, dtype):
    if dtype is bfloat16:
        try:
            from ml_dtypes import bfloat16 as found
            return np.dtype(found)
        except ImportError:
            return np.float32
    return {"f16": np.float16, "f32": np.float32}[dtype.short]


def _taken(np, name, shape, dtype, value):
    """The array as float32, of which the kernel's program makes its type."""
    if isinstance(value, Tensor):
        raise TypeError(f"{name} is an expression: a kernel is called with arrays")
    if not hasattr(value, "shape") or not hasattr(value, "dtype"):
        raise TypeError(f"{name} is a {type(value).__name__}: an array of {dtype.name} is expected")
    if getattr(getattr(value, "device", None), "type", "cpu") != "cpu":
        raise TypeError(f"{name} lies on {value.device}: the simulator takes arrays of the CPU")
    array = np.asarray(value)
    if tuple(array.shape) != tuple(shape):
        raise ValueError(f"{name} has the shape {tuple(array.shape)}, and the kernel was found for {tuple(shape)}")
    kinds = (dtype.name, "float32") if dtype is bfloat16 else (dtype.name,)
    if array.dtype.name not in kinds:
        raise TypeError(f"{name} holds {array.dtype.name}, and the kernel takes {' or '.join(kinds)}: "
                        f"{name}.astype(...) converts it")
    return np.ascontiguousarray(array, dtype=np.float32)


def _folder(cache, *texts):
    """For what these texts give; of this user alone."""
    key = hashlib.sha256("\0".join(texts).encode()).hexdigest()[:16]
    base = Path(cache) if cache is not None else Path(os.environ.get("WORKBOOK_STATE") or _ROOT / ".workbook") / "python"
    folder = base / key
    folder.mkdir(parents=True, exist_ok=True)
    return folder.resolve()


def _write(file, text):
    if not file.exists() or file.read_text() != text:
        part = file.with_suffix(f".{os.getpid()}.part")
        part.write_text(text)
        part.replace(file)


def _workbook(words, folder):
    """Status, output and errors."""
    program = os.environ.get("WORKBOOK") or str(_ROOT / "bin/workbook")
    environment = dict(os.environ, NO_COLOR="1")
    done = subprocess.run([program, *words], cwd=folder, env=environment, capture_output=True, text=True)
    if done.returncode < 0:
        raise KeyboardInterrupt if done.returncode == -2 else OptimizeError(f"workbook {words[0]} was ended by a signal")
    return done.returncode, done.stdout, done.stderr
