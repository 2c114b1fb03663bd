"""A function's or module's graph, as torch.export has it, without writes in place, in operators of the language where PyTorch
takes others apart."""
import torch
from torch.fx.experimental.symbolic_shapes import GuardOnDataDependentSymNode
from torch.utils import _pytree as pytree

from . import aten
from .errors import ProgramError

_DEPTH = 4  # operators are made of such as are made of others


class Exported:
    """graph: of torch.fx; written_as: before operators were taken apart. names: of the arguments, one behind the other. numbers: by their names, those that are none, and stay what
    they were. bound: by their names, a module's own tensors. written: names of those among `names` and `bound` that the graph's first
    results are written to."""

    def __init__(self, module, examples, keywords):
        program = _exported(module, examples, keywords).run_decompositions({})
        self.written_as = program.graph
        program = _taken_apart(program)
        signature = program.graph_signature
        self.graph, self.spec, self.results = program.graph, program.call_spec.in_spec, program.call_spec.out_spec
        placeholders = [node.name for node in self.graph.nodes if node.op == "placeholder"]
        targets = {**signature.inputs_to_parameters, **signature.inputs_to_buffers, **signature.inputs_to_lifted_tensor_constants}
        self.bound = {one: program.state_dict[target] if target in program.state_dict else program.constants[target]
                      for one, target in targets.items()}
        self.names = [one for one in placeholders if one not in self.bound]
        self.numbers = {name: value for name, value in zip(self.names, signature.user_inputs) if value != name}
        holders = {target: one for one, target in targets.items()}
        written = {**signature.buffers_to_mutate, **signature.user_inputs_to_mutate}
        self.written = [holders.get(target, target) for target in written.values()]

    def arguments(self, examples, keywords):
        """By their names. Raises TypeError where they are others than at the search."""
        order = self.spec.child(1).context
        if set(order) == set(keywords):
            keywords = {name: keywords[name] for name in order}
        given, spec = pytree.tree_flatten((examples, keywords))
        if spec != self.spec:
            raise TypeError(f"it takes {len(self.names)} arguments ({', '.join(self.names)}), {_words(self.spec)}, and got {_words(spec)}")
        for name, value in zip(self.names, given):
            if getattr(value, "requires_grad", False) and torch.is_grad_enabled():
                raise ValueError(f"{name} requires a gradient, and found kernels have none: {name}.detach(), or torch.no_grad(); "
                                 'torch.compile(..., backend="workbook") has gradients')
            if name in self.numbers and value != self.numbers[name]:
                raise ValueError(f"{name} was {self.numbers[name]!r} when kernels were found, which is part of them, and is {value!r}")
        return dict(zip(self.names, given))

    def returned(self, results):
        """What the function returns, of all that the graph gives."""
        return pytree.tree_unflatten(results[len(self.written):], self.results)


def _words(spec):
    places, keywords = spec.child(0).num_children, spec.child(1).context
    return f"{places} by place" + (f" and {', '.join(keywords)} by name" if keywords else "")


def _exported(module, examples, keywords):
    try:
        return torch.export.export(module, examples, keywords)
    except (GuardOnDataDependentSymNode, torch._dynamo.exc.UserError) as error:
        raise ProgramError("torch.export has no one graph of this, as where a tensor's values decide what comes next: torch.where(condition, a, b) "
                           'chooses within one, and torch.compile(..., backend="workbook") makes several graphs. It says: '
                           + str(error).strip().split("\n")[0]) from error


def _taken_apart(program):
    for _ in range(_DEPTH):
        lacking = {node.target for node in program.graph.nodes if node.op == "call_function" and aten.name_of(node.target) not in aten.TABLE}
        ways = {operator: way for operator, way in torch.export.default_decompositions().items() if operator in lacking}
        if not ways:
            break
        program = program.run_decompositions(ways)
    return program
