"""torch.compile(model, backend="workbook"): parts of the model become found kernels, the rest stays with PyTorch."""
import sys
from collections import namedtuple

import torch
from torch._dynamo.backends.common import aot_autograd
from torch._dynamo.backends.registry import register_backend

from . import aten, composite, partition, splits, timing
from .errors import OptimizeError, ProgramError
from .search import kernel_of

compiled = []  # a Report of each graph, the latest last
_OPTIONS = {"cache": None, "seconds": 10, "search": True, "gpu": "h200", "always": False, "quiet": False,
            "rest": "eager", "measured": True}
_SLOWER = 2.0  # times PyTorch's modelled time: so far off that it is not compiled to be measured

Choice = namedtuple("Choice", "kernel words us eager_us how")  # of a part: `words` why it has no kernel; times and whose they are


class Report:
    """What became of one graph. parts: (Choice, names of its operators). stayed: operators of PyTorch by their names, and
    why. left: parts that could be kernels and stayed, and why."""

    def __init__(self):
        self.parts, self.stayed, self.left = [], {}, []

    def __str__(self):
        lines = [f"workbook: {len(self.parts)} parts are found kernels"]
        for choice, operators in self.parts:
            lines.append(f"  {choice.kernel.name}: {', '.join(operators)}; {choice.how} {choice.us:.1f} us, "
                         f"PyTorch's {choice.eager_us:.1f}")
        for operators, words in self.left:
            lines.append(f"  stays with PyTorch: {', '.join(operators)}: {words}")
        for name, (count, words) in self.stayed.items():
            lines.append(f"  stays with PyTorch: {name}{f', {count} times' if count > 1 else ''}: {words}")
        return "\n".join(lines)


class _Call:
    """A kernel as a node of a graph of torch.fx."""

    def __init__(self, kernel):
        self.kernel = kernel
        self.__name__ = self.__qualname__ = kernel.name
        self.__module__ = __name__

    def __call__(self, *tensors):
        return self.kernel.compute([tensor.detach().contiguous() for tensor in tensors])


@register_backend(name="workbook")
def workbook_backend(graph, examples, *, options=None, mode=None):
    """options: cache, seconds (for each part), search, gpu: as `wo.optimize` has them. A part becomes a kernel where that
    is faster than PyTorch's own operators: on a GPU both are measured there, measured=False and the CPU leave it to the
    modelled times; always=True takes every kernel. quiet=True prints nothing. rest="inductor" compiles what stays."""
    unknown = set(options or ()) - set(_OPTIONS)
    if unknown:
        raise ValueError(f"the backend 'workbook' has no option {', '.join(sorted(unknown))}; it has {', '.join(_OPTIONS)}")
    asked = {**_OPTIONS, **(options or {})}

    def compile_graph(module, inputs):
        return _compiled(module, inputs, asked)
    if not torch.is_grad_enabled() or not any(isinstance(each, torch.Tensor) and each.requires_grad for each in examples):
        graph = composite.keep_whole(graph)
    return aot_autograd(fw_compiler=compile_graph)(graph, examples)


def _compiled(module, inputs, asked):
    report = Report()
    splits.prepared(module.graph)
    parts, stays = _chosen(module.graph, asked, report)
    for part, choice in parts:
        report.parts.append((choice, part.operators))
        replace_part(module.graph, part, choice.kernel, as_operator=asked["rest"] == "inductor")
    for node, words in stays.items():
        if words:
            count = report.stayed.get(str(node.target), (0, ""))[0]
            report.stayed[str(node.target)] = (count + 1, words)  # of several the last one's words
    module.graph.eliminate_dead_code()
    module.graph.lint()
    module.recompile()
    compiled.append(report)
    if not asked["quiet"]:
        print(report, file=sys.stderr)
    if asked["rest"] == "inductor":
        return _by_inductor(module, inputs)
    from functorch.compile import make_boxed_func
    return make_boxed_func(module.forward)


def _by_inductor(module, inputs):
    """What stays, in the operators that Inductor starts from."""
    from torch._dynamo.utils import detect_fake_mode
    from torch._inductor.compile_fx import compile_fx_inner
    from torch._inductor.decomposition import select_decomp_table
    from torch._inductor.virtualized import V
    from torch.fx.experimental.proxy_tensor import make_fx
    table = {**select_decomp_table(), **composite.APART}
    with V.set_fake_mode(detect_fake_mode(inputs)):
        return compile_fx_inner(make_fx(module, decomposition_table=table)(*inputs), inputs)


def _chosen(graph, asked, report):
    """Parts with their kernels. Where a product with what is around it is slower than PyTorch's, the product stays, and
    what is around it is tried without."""
    known, products = {}, {}
    asked["barred"] = {}
    while True:
        parts, stays = partition.parts_of(graph, products)
        chosen, report.left, more = [], [], {}
        known.update(_choices([part for part in parts if tuple(part.nodes) not in known], asked))
        for part in parts:
            choice = known[tuple(part.nodes)]
            if choice.words is None:
                chosen.append((part, choice))
                continue
            report.left.append((part.operators, choice.words))
            more.update({node: words for node, words in asked["barred"].items() if node in part.nodes and len(part.operators) > 1})
            if len(part.operators) > 1 and not any(node in asked["barred"] for node in part.nodes):
                more.update((node, f"with {', '.join(part.operators)}: {choice.words}") for node in part.products)
        if not more:
            return chosen, stays
        products.update(more)


def _choices(parts, asked):
    """Of each part, by its nodes."""
    made = {tuple(part.nodes): _modelled(part, asked) for part in parts}
    if asked["measured"] and not asked["always"]:
        worth = [part for part in parts if (choice := made[tuple(part.nodes)]).kernel is not None
                 and choice.us <= _SLOWER * choice.eager_us and timing.device_of(part) is not None]
        failures = timing.compiled([(made[tuple(part.nodes)].kernel, timing.device_of(part)) for part in worth])
        for part in worth:
            kernel = made[tuple(part.nodes)].kernel
            made[tuple(part.nodes)] = _measured(part, kernel, failures.get(kernel.source), asked)
    return {key: choice if choice.words else _judged(choice, asked) for key, choice in made.items()}


def _modelled(part, asked):
    gpu = partition.GPUS.get(asked["gpu"], partition.GPUS["h200"])
    eager_us = partition.modelled_of(part, gpu)
    name = "_".join(dict.fromkeys(word for word in map(_short, part.operators) if word))[:40]
    try:
        program = partition.program_of_part(part, f"part_{name}")
        kernel = kernel_of(program, program.name, asked["cache"], asked["seconds"], asked["gpu"], search=asked["search"])
    except aten.Unknown as error:
        asked["barred"][error.node] = error.words  # the next parts are without it
        return Choice(None, error.words, None, eager_us, "modelled")
    except (ProgramError, OptimizeError) as error:
        return Choice(None, _first_line(error), None, eager_us, "modelled")
    return Choice(kernel, None, kernel.plan["us"] + partition.copies_us(part, gpu), eager_us, "modelled")


def _measured(part, kernel, failure, asked):
    """Beside what it would be else."""
    by_inductor = asked["rest"] == "inductor"
    try:
        if failure is None:
            peer = partition.module_of(part)
            if by_inductor:
                with torch._guards.tracing(None):  # a graph of its own, not the model's
                    whole = _by_inductor(peer, [node.meta["val"] for node in part.inputs])
                peer = lambda *arguments: whole([*arguments])  # noqa: E731  it empties the list
            return Choice(kernel, None, *timing.times(part, kernel, peer, asked["cache"], asked["rest"]), "measured")
    except torch.OutOfMemoryError:
        failure = "there is not the memory to measure it in"
    return Choice(None, failure, None, None, "measured")


def _judged(choice, asked):
    if choice.us <= choice.eager_us or asked["always"]:
        return choice
    return choice._replace(words=f"its kernel is {choice.how} at {choice.us:.1f} us, PyTorch's at {choice.eager_us:.1f}")


def _short(operator):
    return "attention" if "scaled_dot_product" in operator else operator.strip("_")


def _first_line(error):
    return str(error).strip().split("\n")[0]


def replace_part(graph, part, kernel, as_operator):
    with graph.inserting_after(part.nodes[-1]):
        target = kernel.register_torch() if as_operator else _Call(kernel)
        made = graph.call_function(target, tuple(part.inputs[int(name[1:])] for name in kernel.names))
    arguments = []
    with graph.inserting_before(made):
        for node in made.args:
            if aten.is_complex(node):
                arguments.append(graph.call_function(torch.ops.aten.view_as_real.default, (node,)))
                continue
            argument = _permuted(graph, node, partition.order_in_memory(node.meta["val"]))
            if node.meta["val"].dtype in (torch.bool, torch.int64):
                argument = graph.call_function(torch.ops.aten._to_copy.default, (argument,), {"dtype": torch.int32})
            arguments.append(argument)
    made.args = tuple(arguments)
    with graph.inserting_after(made):
        value = part.result.meta["val"]
        result = _permuted(graph, made, partition.inverse_of(partition.order_in_memory(value)))
    result.meta = {key: value for key, value in part.result.meta.items() if key in ("val", "tensor_meta", "stack_trace")}
    part.result.replace_all_uses_with(result)
    for node in reversed(part.nodes):
        graph.erase_node(node)


def _permuted(graph, node, order):
    if order == sorted(order):
        return node
    return graph.call_function(torch.ops.aten.permute.default, (node, order))
