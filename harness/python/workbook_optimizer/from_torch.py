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


def from_torch(function, *examples, name=None, **search):
    """The kernels of a function or module: its graph (torch.export) in the optimizer's language, searched as
    `optimize` does, with whose other arguments. `examples`: arguments as it will be called with; their values are not
    looked at. What comes back takes such arguments; a module's parameters are its own. What is too large for one program is
    several kernels, one behind the other.

    Raises ProgramError, which names each operator that the language does not have.
    """
    import torch

    module = function if isinstance(function, torch.nn.Module) else _Module.of(function)
    exported = torch.export.export(module, examples)
    signature = exported.graph_signature
    bound = {}
    for one, target in {**signature.inputs_to_parameters, **signature.inputs_to_buffers,
                        **signature.inputs_to_lifted_tensor_constants}.items():
        bound[one] = exported.state_dict[target] if target in exported.state_dict else exported.constants[target]
    name, names, results = name or _name(function), list(signature.user_inputs), _results_of(exported.graph)
    if len(results) > 1 and not any(each.operation == "matmul" for value, _ in results for each in all_of(value)):
        try:
            whole = program_of([value for value, _ in results], [_dtype_of(node) for _, node in results], name)
            return Traced([kernel_of(whole, name, **search)], names, bound, True)
        except ProgramError:
            pass  # too large for one, perhaps
    try:
        programs = [program_for(*each) for each in _named(results, name)]
        return Traced([kernel_of(program, program.name, **search) for program in programs], names, bound, len(results) > 1)
    except ProgramError as error:
        chain = _in_parts(exported.graph, name, search)
        if chain is None:
            raise
        return Chain(*chain, names, bound, len(results) > 1, str(error))


def _in_parts(graph, name, search):
    """Kernels and what calls them one behind the other; nothing where there is no more than one, or one is none."""
    import torch

    from . import backend, partition, splits
    splits.prepared(graph)
    parts, _ = partition.parts_of(graph)
    if len(parts) < 2:
        return None
    try:
        programs = [partition.program_of_part(part, f"{name}_{place}") for place, part in enumerate(parts)]
        kernels = [kernel_of(program, program.name, **search) for program in programs]
    except ProgramError:
        return None
    for part, kernel in zip(parts, kernels):
        backend.replace_part(graph, part, kernel, as_operator=False)
    graph.eliminate_dead_code()
    return kernels, torch.fx.GraphModule(torch.nn.Module(), graph)


def programs_of(graph, name):
    """For each result of a graph of torch.fx (or what looks like one) its program."""
    return [program_for(*each) for each in _named(_results_of(graph), name)]


def _named(results, name):
    return [(*each, name if len(results) == 1 else f"{name}_{place}") for place, each in enumerate(results)]


def _results_of(graph):
    """Expression and node of each result."""
    values, unknown, faults = {}, [], []
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
        elif node.op == "output":
            outputs = [each for each in _flat(node.args) if each is not None]
        else:
            unknown.append(node)
            faults.append(f"{node.op} {node.target} is not known")
    if faults:
        raise ProgramError("the optimizer's language lacks what this takes: " + "; ".join(faults))
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
_CHOOSING = {"embedding": 1, "index_select": 2, "nll_loss_forward": 1}  # and the argument by which


def _only_choose(node):
    """Whole numbers of 64 bits do nothing but choose rows, of which there are fewer."""
    users = [user for user in node.users if aten.name_of(user.target) not in ("zeros_like", "ones_like", "full_like")]
    return all(aten.name_of(user.target) in _CHOOSING and [place for place, each in enumerate(user.args) if each is node] == [
        _CHOOSING[aten.name_of(user.target)]] for user in users)


def converted(value):
    """A tensor of PyTorch as kernels take it."""
    import torch
    if value.dtype is torch.complex64:
        return torch.view_as_real(value)
    return value.to(torch.int32) if value.dtype in (torch.bool, torch.int64) else value


class Traced(Joined):
    """What from_torch found: called as the function is."""

    def __init__(self, kernels, names, bound, several):
        super().__init__(kernels)
        self._names, self._bound, self._several = names, bound, several

    @property
    def program(self):
        return "\n".join(kernel.program for kernel in self.kernels)

    def __call__(self, *arguments):
        if len(arguments) != len(self._names):
            raise TypeError(f"it takes {len(self._names)} arguments ({', '.join(self._names)}), and got {len(arguments)}")
        results = self._results({**{name: value.detach() for name, value in self._bound.items()}, **dict(zip(self._names, arguments))})
        return results if self._several else results[0]

    def _results(self, values):
        found = [kernel(*(converted(values[name]) for name in kernel.names)) for kernel in self.kernels]
        return tuple(one for each in found for one in (each if isinstance(each, tuple) else [each]))


class Chain(Traced):
    """Of several kernels, one behind the other. `words`: why they are no single program."""

    def __init__(self, kernels, module, names, bound, several, words):
        super().__init__(kernels, names, bound, several)
        self._module, self.words = module, words
        self._taken = [node.target for node in module.graph.nodes if node.op == "placeholder"]

    def explain(self):
        return f"One program it is not: {self.words}\n{super().explain()}"

    def _results(self, values):
        return tuple(self._module(*(values[name] for name in self._taken)))


def _name(function):
    name = getattr(function, "__name__", type(function).__name__)
    return name if name.isidentifier() else "function"


class _Module:
    @staticmethod
    def of(function):
        import torch

        class Module(torch.nn.Module):
            def forward(self, *arguments):
                return function(*arguments)
        return Module()
