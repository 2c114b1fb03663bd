"""The module of one puzzle: a function for each variant, made from the puzzle's declaration."""
import difflib
import importlib.machinery
import importlib.util
import inspect
import json
import os
import subprocess
import sys
import sysconfig
import time
from types import SimpleNamespace

from . import arrays as kinds
from .errors import KernelError, KernelFinding, listed
from .gpu import Gpu, current_stream, stream_number, wait
from .shapes import evaluate, names_of, sizes_of
from .simulator import Simulator, device_array

_TIME_LIMIT = 60.0  # seconds that a call on the simulator may take


class Call:
    """What the last call did: `device`, the `addresses` that it was given, and what was `copied`."""

    def __init__(self, function, device, addresses, copied, findings, seconds):
        self.function = function
        self.device = device
        self.addresses = addresses
        self.copied = copied
        self.findings = findings
        self.seconds = seconds

    def __repr__(self):
        copied = listed(self.copied) if self.copied else "nothing"
        return f"<{self.function} on {self.device}: {copied} copied, {1000 * self.seconds:.1f} ms>"


def _load_compiled(folder):
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    file = os.path.join(folder, "_workbook_arrays" + suffix)
    if not os.path.exists(file):
        raise ImportError(f"this Python's part of the workbook is not built yet ({os.path.basename(file)}): run\n"
                          f"  workbook op --python {sys.executable}")
    loader = importlib.machinery.ExtensionFileLoader("_workbook_arrays", file)
    module = sys.modules.get("_workbook_arrays")
    if module is None:
        spec = importlib.util.spec_from_file_location("_workbook_arrays", file, loader=loader)
        module = sys.modules["_workbook_arrays"] = importlib.util.module_from_spec(spec)
        loader.exec_module(module)
    return module


class Puzzle:
    """A puzzle's builds, made when they are first needed."""

    def __init__(self, place, module):
        self.place = SimpleNamespace(**place)
        self.module = module
        self.compiled = _load_compiled(self.place.compiled)
        self.spec = self.ask("--json")
        self.calls = self.spec["calls"]
        self.simulator = Simulator(self.ask, self.spec, self.place.root)
        self._gpu = None

    def ask(self, *words):
        command = [self.place.workbook, "op", str(self.place.number), *words]
        if self.place.origin == "solution":
            command.append("--solution")
        environment = dict(os.environ, WORKBOOK_ROOT=self.place.root, WORKBOOK_STATE=self.place.state, NO_COLOR="1")
        answer = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                stdin=subprocess.DEVNULL)
        try:
            said = json.loads(answer.stdout)
        except ValueError:
            raise ImportError(f"{' '.join(command)} failed:\n{answer.stdout}{answer.stderr}") from None
        if "error" in said:
            raise ImportError("\n" + said["error"].strip())
        return said

    @property
    def gpu(self):
        if self._gpu is None:
            self._gpu = Gpu(self.compiled, self.ask("--json", "--backend", "cuda"))
        return self._gpu


class Function:
    """A variant as a function of arrays."""

    def __init__(self, puzzle, variant):
        self.puzzle = puzzle
        self.variant = variant
        self.name = variant["name"].replace("-", "_")
        self.full_name = f"{puzzle.module.__name__}.{self.name}"
        tensors = variant["tensors"]
        self.sizes = list(variant["teaching"])
        self.in_place = [t for t in tensors if t["role"] == "output" and t["start"] == "filled"]
        self.arguments = [t for t in tensors if t["role"] == "input"] + self.in_place
        self.results = [t for t in tensors if t["role"] == "output" and t["start"] != "filled"]
        self.intermediates = [t for t in tensors if t["role"] == "intermediate"]
        extents = {extent for t in self.arguments for extent in t["shape"]}
        self.untold = [n for n in self.sizes if all(n not in names_of(extent) for extent in extents)]
        # Of these one can be in doubt, where a shape is H/2.
        self.nameable = [n for n in self.sizes if n not in extents]
        self.signature = self._make_signature()
        self.doc = self._make_doc()

    def _make_signature(self):
        parameter = inspect.Parameter
        words = [parameter(t["name"], parameter.POSITIONAL_OR_KEYWORD) for t in self.arguments]
        words += [parameter(n, parameter.KEYWORD_ONLY, default=None) for n in self.nameable]
        if self.results:
            words.append(parameter("out", parameter.KEYWORD_ONLY, default=None))
        words.append(parameter("stream", parameter.KEYWORD_ONLY, default=None))
        return inspect.Signature(words)

    def _make_doc(self):
        names = [t["name"] for t in self.arguments] + [t["name"] for t in self.results]
        width = max(len(n) for n in names)

        def line(tensor, also=""):
            shape = ", ".join(tensor["shape"])
            return f"    {tensor['name']:<{width}}  {kinds.readable_type(tensor['type'])} [{shape}]{also}"

        lines = [f"{self.variant['title']}: {self.variant['summary']}.", "", "Arguments:"]
        lines += [line(t, ", changed in place" if t in self.in_place else "") for t in self.arguments]
        if self.results:
            lines += ["Returns:"] + [line(t) for t in self.results]
            shape = "a tuple of them" if len(self.results) > 1 else "an array"
            lines += ["", f"out     {shape} to write into, in place of a new one"]
        lines.append("stream  of a GPU: a stream of PyTorch or CuPy, or its number; the current one when absent")
        if self.nameable:
            lines.append(f"{listed(self.nameable)}: size{'s' if len(self.nameable) > 1 else ''} to be given where the "
                         f"arrays do not tell {'them' if len(self.nameable) > 1 else 'it'}")
        return "\n".join(lines)

    def __call__(self, args, kwargs, stack_level):
        if words := self.puzzle.spec["unfilled"].get(self.variant["name"]):
            raise NotImplementedError(f"{self.full_name} holds no code yet.\n{words.rstrip()}")
        values = self._bind(args, kwargs)
        asked = {n: values[n] for n in self.nameable if values.get(n) is not None}
        stream = None if values.get("stream") is None else stream_number(values["stream"])
        look = self._looker()
        given = [look(t, values[t["name"]], t in self.in_place) for t in self.arguments]
        out = self._outputs_given(values.get("out"), look)
        device = kinds.check_device(self.full_name, given + [o for o in out if o is not None] or given)
        sizes = sizes_of(self.full_name, self.sizes, given + [o for o in out if o is not None], asked)
        if stream is not None and device == "cpu":
            raise ValueError(f"{self.full_name}: stream belongs to a GPU, and the arrays are on the CPU.")
        run = self._on_simulator if device == "cpu" else self._on_gpu
        return run(given, out, sizes, device, stream, look, stack_level + 1)

    def _bind(self, args, kwargs):
        names = list(self.signature.parameters)
        for word in kwargs:
            if word in names:
                continue
            near = difflib.get_close_matches(word, names, 1, 0.5)
            likely = f" Did you mean {near[0]}?" if near else ""
            raise TypeError(f"{self.full_name} has no argument '{word}'.{likely} There are {listed(names)}.")
        try:
            return dict(self.signature.bind(*args, **kwargs).arguments)
        except TypeError as error:
            wanted = ", ".join(t["name"] for t in self.arguments)
            raise TypeError(f"{self.full_name}({wanted}): {error}.") from None

    def _looker(self):
        def look(tensor, value, writes):
            return kinds.look(self.puzzle.compiled, self.full_name, tensor, value, writes)

        return look

    def _outputs_given(self, out, look):
        if out is None:
            return [None] * len(self.results)
        if len(self.results) == 1 and not isinstance(out, (tuple, list)):
            out = [out]
        if not isinstance(out, (tuple, list)) or len(out) != len(self.results):
            raise TypeError(f"{self.full_name}: out has to be a tuple of {len(self.results)} arrays: "
                            f"{listed(t['name'] for t in self.results)}.")
        return [None if o is None else look(t, o, True) for t, o in zip(self.results, out)]

    def _shape(self, tensor, sizes):
        return tuple(evaluate(extent, sizes) for extent in tensor["shape"])

    def _on_simulator(self, given, out, sizes, device, stream, look, stack_level):
        simulator = self.puzzle.simulator
        framework = kinds.result_framework(given or out)
        made = []
        for i, tensor in enumerate(self.results):
            if out[i] is None:
                out[i] = look(tensor, simulator.new_array(self._shape(tensor, sizes), tensor["type"], framework), True)
                made.append(out[i])
        limit = getattr(self.puzzle.module, "time_limit", _TIME_LIMIT)
        written = out + given[len(given) - len(self.in_place):]
        copied, findings, seconds = simulator.call(self.variant["name"], sizes, given, written, limit, stack_level + 1)
        self._note("cpu (simulator)", given + out, copied, findings, seconds)
        results = [o.value for o in out]
        if framework == "jax":
            import jax

            results = [jax.numpy.asarray(o.value) if o in made else o.value for o in out]
        return self._returned(results, given)

    def _on_gpu(self, given, out, sizes, device, stream, look, stack_level):
        begun = time.perf_counter()
        gpu = self.puzzle.gpu
        number = int(device.split(":")[1])
        framework = kinds.result_framework(given)
        if stream is None:
            stream = current_stream(framework, number)
        wait_before = [a.value for a in given if a.framework == "jax"]
        for value in wait_before:
            value.block_until_ready()
        with gpu.allocating(framework, number, stream):
            for i, tensor in enumerate(self.results):
                if out[i] is None:
                    shape = self._shape(tensor, sizes)
                    made = gpu.new_array(shape, tensor["type"], framework, number, tensor["start"] == "zeroed")
                    out[i] = look(tensor, made, framework != "jax")
            between = [look(t, gpu.new_array(self._shape(t, sizes), t["type"], framework, number,
                                             t["start"] == "zeroed"), framework != "jax")
                       for t in self.intermediates]
        gpu.call(self.full_name, self.variant["name"], sizes, given + out + between, number, stream)
        wait(framework, number, stream)
        self._note(device, given + out, [], [], time.perf_counter() - begun)
        return self._returned([o.value for o in out], given)

    def _note(self, device, tensors, copied, findings, seconds):
        self.puzzle.module.last_call = Call(self.full_name, device, {t.name: t.address for t in tensors}, copied,
                                            findings, seconds)

    def _returned(self, results, given):
        results = results + [g.value for g in given[len(given) - len(self.in_place):]]
        return results[0] if len(results) == 1 else tuple(results)


def _as_python_function(function):
    def call(*args, **kwargs):
        return function(args, kwargs, 2)

    call.__name__ = function.name
    call.__qualname__ = function.name
    call.__module__ = function.puzzle.module.__name__
    call.__signature__ = function.signature
    call.__doc__ = function.doc
    call.variant = function.variant["name"]
    return call


def load(name, **place):
    """Fills the module called `name`; `workbook op` writes the line that calls this."""
    module = sys.modules[name]
    puzzle = Puzzle(place, module)
    functions = {}
    for variant in puzzle.calls["variants"]:
        function = Function(puzzle, variant)
        functions[function.name] = function
        setattr(module, function.name, _as_python_function(function))
    lines = [f"Puzzle {puzzle.calls['number']:02}, {puzzle.calls['title']}: {puzzle.calls['summary']}.", ""]
    lines += [f"{f.name}{f.signature}" for f in functions.values()]
    lines += ["", "device_array(x)   a copy of x in the simulated device's memory: calls on it copy nothing",
              "register_torch()  the functions as operators of PyTorch",
              "last_call         what the last call did",
              "time_limit        seconds that a call on the simulator may take"]
    module.__doc__ = "\n".join(lines)
    module.time_limit = _TIME_LIMIT
    module.last_call = None
    module.KernelError, module.KernelFinding = KernelError, KernelFinding

    def register_torch(gradients=None):
        """The functions as operators of PyTorch, torch.ops.puzzleNN.NAME: for torch.compile and, where `gradients`
        names for a function the one (or several) that computes its gradients, for autograd. Returns the operators."""
        from .torch_ops import register

        return register(name, functions, gradients or {})

    module.device_array, module.register_torch = device_array, register_torch
