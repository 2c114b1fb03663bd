"""A puzzle's functions as operators of PyTorch: schema, shapes for torch.compile, gradients for autograd."""
from types import SimpleNamespace

import torch

from . import arrays as kinds
from .errors import listed
from .shapes import evaluate, sizes_of

_PREFIXES = ("d_", "d", "grad_", "gradient_of_")
_registered = {}


def register(namespace, functions, gradients):
    """The operators by name. Registering once more gives the same ones, unless other gradients are named."""
    known = _registered.get(namespace)
    if known is not None:
        if gradients and known.gradients != gradients:
            raise ValueError(f"{namespace} is registered already, with the gradients {known.gradients}.")
        return known.operators
    for name, by in gradients.items():
        for each in (name, *_as_list(by)):
            if each not in functions:
                raise ValueError(f"{namespace} has no function '{each}'; there are {listed(functions)}.")
    chains = {name: _Chain(functions, name, _as_list(by)) for name, by in gradients.items()}
    operators = {name: _operator(namespace, function) for name, function in functions.items()}
    for name, chain in chains.items():
        chain.attach(operators)
    out = SimpleNamespace(**operators)
    _registered[namespace] = SimpleNamespace(operators=out, gradients=gradients)
    return out


def _as_list(by):
    return [by] if isinstance(by, str) else list(by)


def _schema(function):
    """(Tensor x, Tensor(a!) state, SymInt? N=None) -> Tensor"""
    words = []
    for tensor in function.arguments:
        alias = f"(a{len(words)}!)" if tensor in function.in_place else ""
        words.append(f"Tensor{alias} {tensor['name']}")
    words += [f"SymInt {n}" for n in function.untold]
    results = ["Tensor"] * len(function.results)
    returned = results[0] if len(results) == 1 else f"({', '.join(results)})"
    return f"({', '.join(words)}) -> {returned}"


def _operator(namespace, function):
    count = len(function.arguments)

    def split(args):
        return args[:count], dict(zip(function.untold, (int(a) for a in args[count:])))

    def compute(*args):
        tensors, sizes = split(args)
        tensors = [t if d in function.in_place else t.detach().contiguous()
                   for t, d in zip(tensors, function.arguments)]
        result = function(tensors, sizes, 3)
        return result if function.results else None

    def shapes(*args):
        tensors, asked = args[:count], dict(zip(function.untold, args[count:]))
        for declared, tensor in zip(function.arguments, tensors):
            wanted = getattr(torch, kinds.TYPES[declared["type"]][4])
            if tensor.dtype != wanted:
                raise TypeError(f"{function.full_name}: {declared['name']} is {tensor.dtype}; {wanted} is wanted")
        seen = [SimpleNamespace(name=d["name"], shape=tuple(t.shape), declared=d["shape"])
                for d, t in zip(function.arguments, tensors)]
        sizes = sizes_of(function.full_name, function.sizes, seen, asked, symbolic=True)
        made = [tensors[0].new_empty([evaluate(extent, sizes) for extent in t["shape"]],
                                     dtype=getattr(torch, kinds.TYPES[t["type"]][4])) for t in function.results]
        return None if not made else made[0] if len(made) == 1 else tuple(made)

    operator = torch.library.custom_op(
        f"{namespace}::{function.name}", compute, mutates_args=[t["name"] for t in function.in_place],
        schema=_schema(function))
    operator.register_fake(shapes)
    return operator


class _Chain:
    """The gradients of one function, by the functions that compute them. A backward function takes arguments and
    results of the forward one by their names, and the gradient of its result y as dy or grad_y; what it returns as dx
    or grad_x is the gradient of x."""

    def __init__(self, functions, name, backwards):
        self.name = name
        self.functions = functions
        self.forward = functions[name]
        self.inputs = [t["name"] for t in self.forward.arguments]
        self.outputs = [t["name"] for t in self.forward.results]
        self.steps = [(b, *self._wire(functions[b])) for b in backwards]

    def _wire(self, backward):
        takes = []
        for tensor in backward.arguments:
            word = tensor["name"]
            gradient_of = self._gradient_of(word, self.outputs)
            if word in self.inputs:
                takes.append(("input", self.inputs.index(word)))
            elif word in self.outputs:
                takes.append(("output", self.outputs.index(word)))
            elif gradient_of is not None:
                takes.append(("gradient", self.outputs.index(gradient_of)))
            else:
                raise ValueError(
                    f"{backward.full_name} takes {word}, which is neither an argument nor a result of "
                    f"{self.forward.full_name}, nor the gradient of one ({listed(f'd{o}' for o in self.outputs)}).")
        gives = []
        for tensor in backward.results:
            of = self._gradient_of(tensor["name"], self.inputs)
            gives.append(None if of is None else self.inputs.index(of))
        if all(g is None for g in gives):
            raise ValueError(f"{backward.full_name} returns {listed(t['name'] for t in backward.results)}: none is the "
                             f"gradient of an argument, such as d{self.inputs[0]}.")
        return takes, gives

    @staticmethod
    def _gradient_of(word, names):
        for prefix in _PREFIXES:
            if word.startswith(prefix) and word[len(prefix):] in names:
                return word[len(prefix):]
        return None

    def _sizes(self, inputs):
        """Of the forward function, which a backward one may not be able to tell from its own arguments."""
        count = len(self.inputs)
        seen = [SimpleNamespace(name=d["name"], shape=tuple(t.shape), declared=d["shape"])
                for d, t in zip(self.forward.arguments, inputs)]
        return sizes_of(self.forward.full_name, self.forward.sizes, seen, dict(zip(self.forward.untold, inputs[count:])),
                        symbolic=True)

    def attach(self, operators):
        kept = sorted({("input", i) for _, takes, _ in self.steps for kind, i in takes if kind == "input"} |
                      {("output", i) for _, takes, _ in self.steps for kind, i in takes if kind == "output"})
        computed = {i for _, _, gives in self.steps for i in gives if i is not None}
        untold = len(self.forward.untold)

        def setup_context(ctx, inputs, output):
            outputs = output if isinstance(output, tuple) else (output,)
            ctx.sizes = self._sizes(inputs)
            ctx.save_for_backward(*(inputs[i] if kind == "input" else outputs[i] for kind, i in kept))

        def backward(ctx, *gradients):
            for i, name in enumerate(self.inputs):
                if ctx.needs_input_grad[i] and i not in computed:
                    raise RuntimeError(f"no function computes the gradient of {name}: {listed(b for b, _, _ in self.steps)} "
                                       f"give{'s' if len(self.steps) == 1 else ''} {listed(self.inputs[i] for i in sorted(computed))}.")
            saved = dict(zip(kept, ctx.saved_tensors))
            out = [None] * (len(self.inputs) + untold)
            for name, takes, gives in self.steps:
                if not any(i is not None and ctx.needs_input_grad[i] for i in gives):
                    continue
                arguments = [gradients[i].contiguous() if kind == "gradient" else saved[kind, i] for kind, i in takes]
                arguments += [ctx.sizes[n] for n in self.functions[name].untold]
                results = operators[name](*arguments)
                for i, result in zip(gives, results if isinstance(results, (tuple, list)) else (results,)):
                    if i is not None:
                        out[i] = result
            return tuple(out)

        operators[self.name].register_autograd(backward, setup_context=setup_context)
