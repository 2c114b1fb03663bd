"""Functions and modules of PyTorch as kernels."""
from . import aten
from .aten_complex import of_pairs
from .apart import all_of
from .errors import ProgramError
from .expressions import input as make_input, type_of
from .kernel import Joined
from .program import program_of
from .search import kernel_of

_TYPES = ("float16", "bfloat16", "float32", "int32")


def from_torch(function, *examples, keywords=None, name=None, **search):
    """The kernels of a function or module: its graph (torch.export) in the optimizer's language, searched as
    `optimize` does, with whose other arguments. `examples`: arguments as it will be called with, and `keywords` those by
    name; their values are not looked at, but of numbers, which stay as they are. What comes back takes such arguments, and
    returns what the function does, without gradients; a module's parameters are its own. What is too large for one program
    is several kernels, one behind the other, and between them PyTorch's operators where the language has them not so.

    Raises ProgramError, which names each operator that the language does not have.
    """
    import torch

    from .exported import Exported
    exported = Exported(function if isinstance(function, torch.nn.Module) else _Module.of(function), examples, keywords or {})
    name = name or _name(function)
    try:
        results = _results_of(exported.graph)
        if _share_products(results):
            raise ProgramError("several results are made of one product, which each of their kernels would compute")
        programs = _whole(results, name) or [program_for(*each) for each in _named(results, name)]
        return Traced([kernel_of(program, program.name, **search) for program in programs], exported, results)
    except ProgramError as error:
        if error.lacking:
            raise _in_its_words(error, exported.written_as) from None
        chain = _in_parts(exported.graph, name, search)
        if chain is None:
            raise
        return Chain(*chain, exported, str(error))


def _in_its_words(error, graph):
    """With the operators that the function calls, where they are as many."""
    try:
        _results_of(graph)
    except ProgramError as other:
        return other if 0 < other.lacking <= error.lacking else error
    return error


def _share_products(results):
    products = [{id(each) for each in all_of(value) if each.operation == "matmul"} for value in dict(results)]
    return len(set().union(*products)) < sum(map(len, products))


def _whole(results, name):
    """One program, where none of several results has a product; else nothing."""
    values = [value for value, _ in results]
    if len(results) < 2 or any(each.operation == "matmul" for value in values for each in all_of(value)):
        return None
    try:
        program = program_of(values, [_dtype_of(node) for _, node in results], name)
    except ProgramError:
        return None  # too large for one, perhaps
    program.name = name
    return [program]


def _in_parts(graph, name, search):
    """Kernels, what calls them one behind the other, and in words what stays with PyTorch; nothing where there is no part."""
    import torch

    from . import backend, partition, splits
    splits.prepared(graph)
    barred = {}
    while True:
        parts, stays = partition.parts_of(graph, barred)
        if not parts or len(parts) == 1 and not any(stays.values()):
            return None
        kernels = []
        try:
            for place, part in enumerate(parts):
                program = partition.program_of_part(part, f"{name}_{place}")
                kernels.append(kernel_of(program, program.name, **search))
            break
        except aten.Unknown as error:
            barred[error.node] = error.words
        except ProgramError as error:
            barred.update((node, str(error).split("\n")[0]) for node in parts[len(kernels)].nodes)
    for part, kernel in zip(parts, kernels):
        backend.replace_part(graph, part, kernel, as_operator=False)
    graph.eliminate_dead_code()
    words = {str(node.target): why for node, why in stays.items() if why}
    return kernels, torch.fx.GraphModule(torch.nn.Module(), graph), words


def programs_of(graph, name):
    """For each result of a graph of torch.fx (or what looks like one) its program."""
    return [program_for(*each) for each in _named(_results_of(graph), name)]


def _named(results, name):
    return [(*each, name if len(results) == 1 else f"{name}_{place}") for place, each in enumerate(results)]


def _results_of(graph):
    """Expression and node of each result."""
    values, unknown, faults, lacking = {}, [], [], False
    for node in graph.nodes:
        if node.op == "placeholder":
            values[node] = input_of(node)
        elif node.op == "call_function" and aten.says_nothing(node):
            continue
        elif node.op == "call_function":
            if any(argument in unknown for argument in arguments_of(node)) and aten.name_of(node.target) in aten.TABLE:
                unknown.append(node)
                continue
            try:
                values[node] = aten.translated(node, values)
            except aten.Unknown as error:
                unknown.append(node)
                faults.append(str(error))
                lacking = lacking or aten.name_of(node.target) not in aten.TABLE
        elif node.op == "output":
            outputs = [each for each in _flat(node.args) if hasattr(each, "op")]
        else:
            unknown.append(node)
            faults.append(f"{node.op} {node.target} is not known")
            lacking = True
    if faults:
        error = ProgramError("the optimizer's language lacks what this takes: " + "; ".join(faults) +
                             ('; torch.compile(..., backend="workbook") leaves such with PyTorch' if lacking else ""))
        error.lacking = len(faults) if lacking else 0
        raise error
    if not outputs:
        raise ProgramError("it returns no tensor: there is nothing to compute")
    return [(values[node], node) for node in outputs]


def _dtype_of(node):
    dtype = getattr(node.meta.get("val"), "dtype", None)
    return None if dtype is None else type_of(dtype)


def program_for(value, node, name):
    program = program_of(value, _dtype_of(node), name)
    program.name = name
    return program


def arguments_of(node):
    """Nodes that it takes."""
    return [each for each in _flat([node.args, list(node.kwargs.values())]) if hasattr(each, "op")]


def _flat(value):
    return [each for one in value for each in _flat(one)] if isinstance(value, (list, tuple)) else [value]


def input_of(node, name=None, order=None):
    """order: of its dimensions, where it is to be taken in another."""
    value = node.meta["val"]
    type_name = str(getattr(value, "dtype", type(value).__name__)).rsplit(".", 1)[-1]
    if type_name not in (*_TYPES, *_CONVERTED) or type_name == "int64" and not _only_choose(node):
        return aten.Other(node.name, type_name)
    shape = aten.shape_of(node)
    if type_name == "complex64" and order is None:
        return of_pairs(make_input(name or node.name, (*shape, 2), "float32"))
    made = make_input(name or node.name, shape if order is None else [shape[place] for place in order],
                      _CONVERTED.get(type_name, type_name), (0, 1) if type_name == "bool" else None)
    made.truth = type_name == "bool"
    return made


_CONVERTED = {"bool": "int32", "int64": "int32", "complex64": "float32"}  # what a call makes of such
CHOOSING = {"embedding": 1, "index_select": 2, "nll_loss_forward": 1}  # and the argument by which


def _only_choose(node):
    """Whole numbers of 64 bits do nothing but choose rows, of which there are fewer."""
    users = [user for user in node.users if aten.name_of(user.target) not in ("zeros_like", "ones_like", "full_like")]
    return all(aten.name_of(user.target) in CHOOSING and [place for place, each in enumerate(user.args) if each is node] == [
        CHOOSING[aten.name_of(user.target)]] for user in users)


def converted(value):
    """A tensor of PyTorch as kernels take it."""
    import torch
    if value.dtype is torch.complex64:
        return torch.view_as_real(value)
    return value.to(torch.int32) if value.dtype in (torch.bool, torch.int64) else value


class Traced(Joined):
    """What from_torch found: called as the function is. `results`: expression and node of each of the graph's."""

    def __init__(self, kernels, exported, results=()):
        super().__init__(kernels)
        self._of = exported
        output = next(node for node in exported.graph.nodes if node.op == "output")
        places = {node: place for place, (_, node) in enumerate(results)}
        # Of each of the graph's results the place among the kernels', or the value.
        self._given = [(places[each], None) if hasattr(each, "op") else (None, each) for each in _flat(output.args)] if results else []
        del exported.graph, exported.written_as

    @property
    def program(self):
        return "\n".join(kernel.program for kernel in self.kernels)

    def __call__(self, *arguments, **keywords):
        values = {**self._of.bound, **self._of.arguments(arguments, keywords)}
        results = self._results({name: value.detach() if hasattr(value, "detach") else value for name, value in values.items()})
        for name, result in zip(self._of.written, results):
            values[name].detach().copy_(result)
        return self._of.returned(results)

    def _results(self, values):
        found = [kernel(*(converted(values[name]) for name in kernel.names)) for kernel in self.kernels]
        each = [one for each in found for one in (each if isinstance(each, tuple) else [each])]
        return [value if place is None else each[place] for place, value in self._given]


class Chain(Traced):
    """Of several kernels, one behind the other. `stayed`: operators that are PyTorch's between them, and why. `words`: why they are
    no single program."""

    def __init__(self, kernels, module, stayed, exported, words):
        super().__init__(kernels, exported)
        self._module, self.stayed, self.words = module, stayed, words
        self._taken = {node.target: aten.shape_of(node) for node in module.graph.nodes if node.op == "placeholder"}

    def explain(self):
        return "\n".join([f"One program it is not: {self.words}",
                          *(f"stays with PyTorch: {name}: {words}" for name, words in self.stayed.items()), super().explain()])

    def _results(self, values):
        for name, shape in self._taken.items():
            if shape is not None and tuple(values[name].shape) != shape:
                raise ValueError(f"{name} has the shape {tuple(values[name].shape)}, and this chain of kernels is for {shape} alone")
        return [*self._module(*(values[name] for name in self._taken))]


def _name(function):
    name = getattr(function, "__name__", type(function).__name__)
    return name if name.isidentifier() else "function"


class _Module:
    @staticmethod
    def of(function):
        import torch

        class Module(torch.nn.Module):
            def forward(self, *arguments, **keywords):
                return function(*arguments, **keywords)
        return Module()
