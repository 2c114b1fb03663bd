"""The search: asked for with a program's text, and what it found kept on disk."""
import functools
import hashlib
import json
import numbers
import os
import re
import signal
import subprocess
from pathlib import Path
from threading import Thread, get_ident

from .errors import OptimizeError, ProgramError
from .expressions import bfloat16, float16, float32, int32, type_of
from .kernel import Kernel, Kernels
from .program import Program, program_of
from .progress import Progress

_ROOT = Path(__file__).resolve().parents[3]
_SHORT = {"f16": float16, "bf16": bfloat16, "f32": float32, "i32": int32}
_STATUS_DOES_NOT_COMPILE, _STATUS_USAGE = 3, 2
_FORMAT = 2


def optimize(result, *, name="program", dtype=None, cache=None, seconds=None, gpu="h200", measured=False, search=True):
    """The fastest kernel that a search finds for an expression, for several, or for a program's text.

    dtype: of the result; that of the widest input when absent. cache: the folder where what was found is kept, by the
    program's text; with search=False nothing else is looked at, and no `workbook` is needed. seconds: how long to
    search; then the best so far. gpu: whose modelled time decides; with measured=True it is the time on this machine's
    GPU. A list of expressions, and a text with several outputs, give a kernel that returns a tuple: in one launch where
    that is faster than a kernel each.
    """
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name):
        raise ValueError(f"a program's name is letters, digits and _, not {name!r}")
    if seconds is not None and not (isinstance(seconds, numbers.Real) and seconds > 0):
        raise ValueError(f"seconds is how long to search, a number above 0, not {seconds!r}")
    if isinstance(result, str):
        program = Program(result, None, None)
    else:
        program = program_of(result, _types_of(dtype), name)
    return kernel_of(program, name, cache, seconds, gpu, measured, search)


def kernel_of(program, name, cache=None, seconds=None, gpu="h200", measured=False, search=True):
    folder = folder_of(cache, program.text, gpu, *(["measured"] if measured else []))
    kept = folder / "found.json"
    kernels = _kernels(_kept(kept, seconds, search), program)
    if kernels is None:
        if not search:
            raise OptimizeError(f"{folder} holds no kernel for {name}, and a search was not asked for:\n{program.text}")
        records = _searched(program.text, name, folder, seconds, gpu, measured)
        write(kept, json.dumps({"format": _FORMAT, "optimizer": _version(), "seconds": seconds, "found": records}))
        kernels = _kernels(records, program)
    return kernels[0] if len(kernels) == 1 else Kernels(name, kernels)


def kernels_in(cache):
    """All that a folder given as `cache` holds: what is compiled before it is called."""
    return [kernel for file in sorted(Path(cache).glob("*/found.json"))
            for kernel in _kernels(_read(file).get("found"), Program(None, None, None)) or []]


def _kernels(records, program):
    """None where there are none, or what was kept is damaged."""
    try:
        several = len(records) > 1 and program.inputs
        return [_kernel(record, program.of_result(place) if several else program) for place, record in enumerate(records)] or None
    except (KeyError, TypeError, ValueError, IndexError, AttributeError):
        return None


def _read(file):
    try:
        kept = json.loads(file.read_text())
        return kept if isinstance(kept, dict) and kept.get("format") == _FORMAT else {}
    except (OSError, ValueError):
        return {}


def _kernel(record, program):
    described = program if program.inputs else _described(program.text, record["found"])
    return Kernel(record["name"], described, record["found"], record["source"], record["check"])


def _kept(file, seconds, search):
    """What was found before, if it is what a search would find now."""
    kept = _read(file)
    if not {"found", "seconds", "optimizer"} <= kept.keys():
        return None
    if not search:
        return kept["found"]
    longer = kept["seconds"] is None or (seconds is not None and seconds <= kept["seconds"])
    try:
        done = longer or all(record["found"]["algebra"]["complete"] and not record["found"]["schedule"].get("stopped")
                             for record in kept["found"])
    except (KeyError, TypeError, AttributeError):  # damaged
        return None
    return kept["found"] if done and kept["optimizer"] == _version() else None


@functools.cache
def _version():
    """Of the optimizer: another one may find something else."""
    digest = hashlib.sha256()
    # An installed one has no sources, and its program beside it.
    for file in [*sorted(Path(_ROOT, "harness/optimizer").rglob("*.[ch]*")), *Path(_ROOT, "bin").glob("workbook_optimizer")]:
        digest.update(file.name.encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()[:16]


def _searched(text, name, folder, seconds, gpu, measured):
    write(folder / f"{name}.wbp", text)
    words = ["optimize", f"{name}.wbp", "--gpu", gpu, "--json"]
    words += [] if seconds is None else ["--seconds", str(max(1, int(seconds)))]
    words += ["--measured"] if measured else []
    with Progress(name) as progress:
        status, out, said = workbook(words, folder, progress.line)
    if status in (_STATUS_DOES_NOT_COMPILE, _STATUS_USAGE):
        raise ProgramError(said.strip() or _error_in(out))
    try:
        found = json.loads(out)
    except json.JSONDecodeError:
        raise OptimizeError(f"workbook {' '.join(words)} ended with status {status}: {said or out}") from None
    if isinstance(found, dict) and "error" in found:
        raise OptimizeError(f"workbook {' '.join(words)} ended with status {status}: {found['error']}")
    records = []
    for one in found if isinstance(found, list) else [found]:
        if one["schedule"]["best"] is None:
            raise OptimizeError(f"no kernel was found for\n{text}\n{one['report']}")
        made = folder / "optimized" / one["program"]
        records.append({"name": one["program"], "found": _slim(one), "source": (made / "kernels.cu").read_text(),
                        "check": (made / "check.cu").read_text()})
    return records


def _error_in(out):
    """The words of {"error": ..., "exit": ...}."""
    try:
        return json.loads(out)["error"].strip()
    except (ValueError, KeyError, TypeError, AttributeError):
        return out.strip()


def _slim(found):
    """Without the other plans, and what only pictures are made of."""
    schedule = found["schedule"]
    plan = dict(schedule["plans"][schedule["best"]])
    plan["launches"] = [{key: value for key, value in launch.items() if key != "predicted"} for launch in plan["launches"]]
    kept = ("program", "title", "output", "outputs", "formula", "indices", "inputs", "report")
    algebra = {"complete": found["algebra"]["complete"]}
    return {**{key: found[key] for key in kept}, "algebra": algebra, "schedule": {**schedule, "plans": [plan], "best": 0}}


def _described(text, found):
    """Shapes and types of a program that came as text: as the search read it."""
    sizes = {index["name"]: index["real"] for index in found["indices"]}
    inputs = [each for each in found["inputs"] if each["stored"] and not each["given"]]
    outputs = found["outputs"]

    def shape(dims):
        return tuple(sizes[dim] for dim in dims)
    return Program(text, [(each["name"], shape(each["dims"]), _SHORT[each["type"]]) for each in inputs],
                   [(shape(each["dims"]), _SHORT[each["type"]]) for each in outputs], [each["dims"] for each in (*inputs, *outputs)])


def _types_of(dtype):
    if isinstance(dtype, (list, tuple)):
        return list(map(_types_of, dtype))
    return None if dtype is None else type_of(dtype)


def _state():
    if state := os.environ.get("WORKBOOK_STATE"):
        return Path(state)
    if not (_ROOT / "installed").exists():
        return _ROOT / ".workbook"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "workbook"


def folder_of(cache, *texts):
    """For what these texts give; of this user alone."""
    key = hashlib.sha256("\0".join(texts).encode()).hexdigest()[:16]
    base = Path(cache) if cache is not None else _state() / "python"
    folder = base / key
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _not_written(folder, error) from None
    return folder.resolve()


def _not_written(file, error):
    return OptimizeError(f"{file} cannot be written ({error.strerror}), and what is found is kept there; cache=... and the variable "
                         "WORKBOOK_STATE name other folders")


def write(file, text):
    """At once: who reads it meanwhile has all of it, or what was there before."""
    try:
        if file.exists() and file.read_bytes() == text.encode():
            return
        part = file.with_suffix(f".{os.getpid()}.{get_ident()}.part")
        part.write_bytes(text.encode())
        part.replace(file)
    except OSError as error:
        raise _not_written(file, error) from None


def workbook(words, folder, line=None):
    """Status, output and errors, each line of which `line` is told of while it runs. Ctrl-C ends the search, which
    keeps what it has for the next time, and is raised here."""
    program = os.environ.get("WORKBOOK") or str(_ROOT / "bin/workbook")
    environment = dict(os.environ, NO_COLOR="1")
    out, said = [], []

    def listen():
        for each in child.stderr:
            said.append(each)
            if line is not None:
                line(each.strip())
    with subprocess.Popen([program, *words], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
        readers = [Thread(target=lambda: out.append(child.stdout.read()), daemon=True), Thread(target=listen, daemon=True)]
        for reader in readers:
            reader.start()
        try:
            child.wait()
        except KeyboardInterrupt:
            _end(child)
            raise
        for reader in readers:
            reader.join()
    if child.returncode < 0:
        raise KeyboardInterrupt if child.returncode == -signal.SIGINT else OptimizeError(
            f"workbook {words[0]} was ended by a signal")
    return child.returncode, "".join(out), "".join(said)


def _end(child):
    """A terminal's Ctrl-C reaches it, too; a notebook's interrupt does not."""
    for seconds in (10, 10):
        try:
            child.wait(seconds)
            return
        except subprocess.TimeoutExpired:
            child.send_signal(signal.SIGINT)
    child.kill()
