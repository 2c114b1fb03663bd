"""torch.compile(model, backend="workbook"): parts of the model become found kernels, the rest stays with PyTorch."""
import sys

import torch
from torch._dynamo.backends.common import aot_autograd
from torch._dynamo.backends.registry import register_backend

from . import composite, partition
from .errors import OptimizeError, ProgramError
from .search import kernel_of

compiled = []  # a Report of each graph, the latest last
_OPTIONS = {"cache": None, "seconds": 10, "search": True, "gpu": "h200", "always": False, "quiet": False,
            "rest": "eager"}


class Report:
    """What became of one graph. parts: (kernel, names of its operators, PyTorch's modelled us). stayed: operators of
    PyTorch by their names, and why. left: parts that could be kernels and stayed, and why."""

    def __init__(self):
        self.parts, self.stayed, self.left = [], {}, []

    def __str__(self):
        lines = [f"workbook: {len(self.parts)} parts are found kernels"]
        for kernel, operators, eager_us in self.parts:
            lines.append(f"  {kernel.name}: {', '.join(operators)}; modelled {kernel.plan['us']:.1f} us, "
                         f"PyTorch's {eager_us:.1f}")
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
    """options: cache, seconds (for each part), search, gpu: as `wo.optimize` has them. always=True takes a found kernel
    also where the model has PyTorch's own as the faster. quiet=True prints nothing. rest="inductor" compiles what
    stays."""
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
    parts, stays = _chosen(module.graph, asked, report)
    for part, kernel, eager_us in parts:
        report.parts.append((kernel, part.operators, eager_us))
        _replace(module.graph, part, kernel, as_operator=asked["rest"] == "inductor")
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
        from torch._dynamo.utils import detect_fake_mode
        from torch._inductor.compile_fx import compile_fx_inner
        from torch._inductor.virtualized import V
        with V.set_fake_mode(detect_fake_mode(inputs)):
            return compile_fx_inner(module, inputs)
    from functorch.compile import make_boxed_func
    return make_boxed_func(module.forward)


def _chosen(graph, asked, report):
    """Parts with their kernels. Where a product with what is around it is slower than PyTorch's, the product stays, and
    what is around it is tried without."""
    known, products = {}, {}
    while True:
        parts, stays = partition.parts_of(graph, products)
        chosen, report.left, more = [], [], {}
        for part in parts:
            key = tuple(part.nodes)
            if key not in known:
                known[key] = _kernel(part, asked)
            kernel, words, eager_us = known[key]
            if kernel is not None:
                chosen.append((part, kernel, eager_us))
                continue
            report.left.append((part.operators, words))
            if len(part.operators) > 1:
                more.update((node, f"with {', '.join(part.operators)}: {words}") for node in part.products)
        if not more:
            return chosen, stays
        products.update(more)


def _kernel(part, asked):
    """The kernel, or why there is none; and PyTorch's modelled time."""
    gpu = partition.GPUS.get(asked["gpu"], partition.GPUS["h200"])
    eager_us = partition.modelled_of(part, gpu)
    name = "_".join(dict.fromkeys(word for word in map(_short, part.operators) if word))[:40]
    try:
        program = partition.program_of_part(part, f"part_{name}")
        kernel = kernel_of(program, program.name, asked["cache"], asked["seconds"], asked["gpu"], search=asked["search"])
    except (ProgramError, OptimizeError) as error:
        return None, _first_line(error), eager_us
    our_us = kernel.plan["us"] + partition.copies_us(part, gpu)
    if our_us > eager_us and not asked["always"]:
        return None, f"its kernel is modelled at {our_us:.1f} us, PyTorch's at {eager_us:.1f}", eager_us
    return kernel, None, eager_us


def _short(operator):
    return "attention" if "scaled_dot_product" in operator else operator.strip("_")


def _first_line(error):
    return str(error).strip().split("\n")[0]


def _replace(graph, part, kernel, as_operator):
    by_name = dict(zip((f"x{place}" for place in range(len(part.inputs))), part.inputs))
    with graph.inserting_after(part.nodes[-1]):
        target = kernel.register_torch() if as_operator else _Call(kernel)
        made = graph.call_function(target, tuple(by_name[name] for name in kernel.names))
    made.meta = {key: value for key, value in part.result.meta.items() if key in ("val", "tensor_meta", "stack_trace")}
    part.result.replace_all_uses_with(made)
    for node in reversed(part.nodes):
        graph.erase_node(node)
