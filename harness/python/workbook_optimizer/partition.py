"""A graph of aten operators, cut into parts that become kernels each; what is not known stays."""
import math
from types import SimpleNamespace

from . import aten
from .from_torch import CHOOSING, arguments_of, input_of, program_for
from .splits import SPLITS

_PRODUCTS = {"mm", "bmm", "addmm", "baddbmm", "matmul", "linear", "mv", "dot", "convolution"}
_RESHAPES = {"view", "_unsafe_view", "reshape", "unflatten", "flatten"}
_CUTS = {"slice", "select", "unbind", *SPLITS}
_TYPES = {"float16", "bfloat16", "float32"}  # of results
_VIEWS = {"t", "numpy_T", "mT", "mH", "adjoint", "transpose", "permute", "unsqueeze", "squeeze", "expand", "clone", "alias", "detach", "contiguous", "getitem",
          "scalar_tensor", "full", "zeros_like", "zeros", "new_zeros", "ones_like", "ones", "new_ones", "full_like", "new_full", "lift_fresh_copy", *_RESHAPES, *_CUTS}
_JOINS = {"cat", "stack", "roll", "flip", "constant_pad_nd"}
_REDUCTIONS = {"std", "logsumexp", "linalg_vector_norm", "max", "min", "native_group_norm", "_native_batch_norm_legit",
               "mse_loss", "kl_div", "smooth_l1_loss", "binary_cross_entropy_with_logits", "nll_loss_forward", "avg_pool2d",
               "max_pool2d_with_indices", "max_pool2d", "sum", "mean", "amax", "amin", "var", "_softmax", "softmax", "_log_softmax", "log_softmax", "layer_norm",
               "native_layer_norm", "rms_norm", "_fused_rms_norm"}
_MOST_OPERATORS = 16  # of a part, without views: a search's time grows with them


class Part:
    """Operators with one result. A node belongs to it when all who take it do: so no path leaves it and comes back."""

    def __init__(self, result):
        self.nodes, self.result = [result], result

    @property
    def inputs(self):
        """What it takes, each once, in order."""
        inside = set(self.nodes)
        return list(dict.fromkeys(each for node in self.nodes for each in arguments_of(node) if each not in inside))

    def add(self, node):
        self.nodes.insert(0, node)

    @property
    def operators(self):
        return [name for node in self.nodes if (name := aten.name_of(node.target)) not in _VIEWS]

    @property
    def products(self):
        return [each for each in self.nodes if _is_product(_work_of(each))]

    def takes(self, node):
        """Whether one more fits in. One product feeds no other: a kernel would do its work again and again; what is
        between them belongs to the first."""
        name = _work_of(node)
        if not self._parts_allow(node, name):
            return False
        if name == "clone" and _turns_what_is_computed(node) and any(_feeds(node, each, set(self.nodes)) for each in self.products):
            return False  # what computes it writes it so
        if name in _VIEWS or any(_source(each) is node for each in self.nodes):
            return True
        if len(self.operators) >= _MOST_OPERATORS:
            return False
        products = self.products
        feeds = any(_feeds(node, each, set(self.nodes)) for each in products)
        if _is_product(name):
            attention = [each for each in (node, *products) if _is_attention(_work_of(each))]
            return len(products) < 2 and not feeds and not (attention and products)
        return not (feeds and self._ends_a_product(node))

    def _parts_allow(self, node, name):
        """What a part is taken of is computed at each place that takes it: no sum, and nothing that products need. A
        reshape of it is PyTorch's, as of all arguments."""
        inside = set(self.nodes)
        moved = any(_feeds(node, each, inside) for each in self.nodes if _work_of(each) in _CUTS | _JOINS)
        into_product = (moved or name in _JOINS) and any(_feeds(node, each, inside) for each in self.products)
        return not into_product and not (moved and (_is_product(name) or name in _REDUCTIONS | _RESHAPES))

    def _ends_a_product(self, node):
        """Would a product join, if this node did?"""
        inside = {*self.nodes, node}
        stack = [node]
        while stack:
            for each in arguments_of(stack.pop()):
                if each.op == "call_function" and each not in inside and all(user in inside for user in each.users):
                    if _is_product(_work_of(each)):
                        return True
                    inside.add(each)
                    stack.append(each)
        return False


def _source(node):
    """Of a result of several, the operator that has them."""
    return node.args[0] if aten.name_of(node.target) == "getitem" else None


def _work_of(node):
    return aten.name_of((_source(node) or node).target)


def _is_attention(name):
    return "scaled_dot_product" in name


def _is_product(name):
    return name in _PRODUCTS or _is_attention(name)


def _turns_what_is_computed(node):
    """A copy in another order of what nothing else takes."""
    node = node.args[0]
    while aten.name_of(node.target) in ("t", "transpose", "permute") and len(node.users) == 1:
        node = node.args[0]
    return node.op == "call_function" and aten.name_of(node.target) not in _VIEWS and len(node.users) == 1


def _feeds(node, other, inside):
    """Is there a path, within the part?"""
    seen, stack = set(), [other]
    while stack:
        for each in arguments_of(stack.pop()):
            if each is node:
                return True
            if each in inside and each not in seen:
                seen.add(each)
                stack.append(each)
    return False


def parts_of(graph, barred=()):
    """The parts, and for each node that stays the reason in words. barred: nodes that stay, with the reason."""
    stays, known, choosing = dict(barred), {}, set()
    for node in graph.nodes:
        if node.op == "call_function" and node not in stays:
            words = _fault(node, known, stays)
            if words and (ids := _computed_ids(node, known)) is not None and not _fault(node, {**known, ids: _input(ids)}, stays):
                choosing.add(ids)
                continue
            if words:
                stays[node] = words
    parts, home = [], {}
    for node in reversed(list(graph.nodes)):
        if node.op != "call_function" or node in stays:
            continue
        homes = {home.get(user) for user in node.users}
        part = homes.pop() if len(homes) == 1 else None
        if part is not None and node not in choosing and part.takes(node):
            part.add(node)
        else:
            part = Part(node)
            parts.append(part)
        home[node] = part
    kept = []
    for part in reversed(parts):
        if part.operators and aten.shape_of(part.result) is not None:
            type_name = aten.type_name_of(part.result)
            if type_name not in _TYPES:
                words = f"gives {type_name}, and kernels give float16, bfloat16 or float32"
                stays.update((node, words if node is part.result else f"makes what {words}") for node in part.nodes)
                continue
            kept.append(part)
        else:
            stays.update((node, "") for node in part.nodes)  # views: PyTorch has them for nothing
    return kept, stays


def _fault(node, known, stays):
    """Why the language does not have this operator by itself; nothing where it has. Its arguments are taken as they
    come, by shape and type."""
    name = aten.name_of(node.target)
    if name == "getitem":
        source = node.args[0]
        if source in stays:
            return "belongs to what stays"
    values = {}
    try:
        for each in arguments_of(node):
            values[each] = known[each] if each in known else _input(each)
        made = aten.translated(node, values)
    except aten.Unknown as error:
        return error.words
    except ValueError as error:
        return str(error)
    if isinstance(made, (int, float, list)) or aten.type_name_of(node) not in _TYPES:
        known[node] = made  # such as the condition of where
    return None


def _computed_ids(node, known):
    """What chooses rows for this operator, where that is computed from other tensors."""
    place = CHOOSING.get(aten.name_of(node.target))
    ids = node.args[place] if place is not None and len(node.args) > place else None
    return ids if getattr(ids, "op", "") == "call_function" and ids in known else None


def _input(node):
    value = node.meta.get("val")
    if not hasattr(value, "shape"):
        raise ValueError(f"{node.name} is no tensor")
    shape = aten.shape_of(node)
    if any(not isinstance(size, int) for size in shape):
        raise ValueError(f"{node.name} has a size that is known when it runs: {shape}")
    if math.prod(shape) == 0:
        raise ValueError(f"{node.name} has no elements")
    return input_of(node)


def order_in_memory(value):
    """A tensor's dimensions from the outermost to the innermost, where all of it lies side by side; else as they are."""
    shape, strides = list(value.shape), value.stride()
    places = [place for place, size in enumerate(shape) if size != 1]
    sorted_places = sorted(places, key=lambda place: -strides[place])
    order = list(range(len(shape)))
    for place, taken in zip(places, sorted_places):
        order[place] = taken
    wanted = 1
    for place in reversed(sorted_places):
        if strides[place] != wanted:
            return list(range(len(shape)))
        wanted *= shape[place]
    return order


def inverse_of(order):
    return sorted(range(len(order)), key=order.__getitem__)


def program_of_part(part, name):
    """Its program; the arguments are `part.inputs`, as x0, x1, ..., and like the result as they lie in memory."""
    values = {}
    for place, node in enumerate(part.inputs):
        if aten.is_complex(node):
            values[node] = input_of(node, f"x{place}")
            continue
        value = input_of(node, f"x{place}", order_in_memory(node.meta["val"]))
        values[node] = value if isinstance(value, aten.Other) else value.transpose(inverse_of(order_in_memory(node.meta["val"])))
    aten.translate(part.nodes, values)
    result = values[part.result].transpose(order_in_memory(part.result.meta["val"]))
    return program_for(result, part.result, name)


def module_of(part):
    """PyTorch's own operators of it, as a function of `part.inputs` that gives a tuple of its result."""
    import torch.fx
    graph, made = torch.fx.Graph(), {}
    for place, node in enumerate(part.inputs):
        made[node] = graph.placeholder(f"x{place}")
    for node in part.nodes:
        made[node] = graph.node_copy(node, made.__getitem__)
    graph.output((made[part.result],))
    return torch.fx.GraphModule(torch.nn.Module(), graph)


def bytes_of(node):
    value = node.meta.get("val")
    if isinstance(value, (list, tuple)):
        value = value[0]
    if not hasattr(value, "shape"):
        return 0
    return math.prod(value.shape) * value.dtype.itemsize


def flops_of(node):
    """Of a product, by its arguments' shapes."""
    name, shapes = aten.name_of(node.target), [aten.shape_of(each) for each in arguments_of(node)]
    if _is_attention(name):
        q, k = shapes[:2]
        return 4 * math.prod(q) * k[-2]
    if name == "convolution":
        return 2 * math.prod(aten.shape_of(node)) * math.prod(shapes[1][1:])
    if name in ("addmm", "baddbmm"):
        shapes = shapes[1:]
    return 2 * math.prod(shapes[0]) * shapes[1][-1] if len(shapes) > 1 and len(shapes[1]) > 1 else 0


def modelled_of(part, gpu):
    """Microseconds of PyTorch's own kernels, one an operator: the longer of memory and arithmetic, and a launch each."""
    total = 0.0
    for node in part.nodes:
        name = aten.name_of(node.target)
        if name in _VIEWS:
            continue
        moved = bytes_of(node) + sum(bytes_of(each) for each in arguments_of(node))
        flops = flops_of(node) if _is_product(name) else 0
        total += gpu.launch_us + max(moved / gpu.bytes_per_us, flops / gpu.flops_per_us)
    return total


def copies_us(part, gpu):
    """Of the inputs that do not lie side by side, which are copied before a found kernel runs."""
    values = [node.meta.get("val") for node in part.inputs]
    return sum(gpu.launch_us + 2 * bytes_of(node) / gpu.bytes_per_us for node, value in zip(part.inputs, values)
               if hasattr(value, "is_contiguous") and not value.permute(order_in_memory(value)).is_contiguous())


GPUS = {name: SimpleNamespace(launch_us=1.5, bytes_per_us=share * bandwidth * 1e6, flops_per_us=0.6 * tensor * 1e6)
        for name, bandwidth, tensor, share in (("h200", 4.8, 990.0, 0.85), ("h100", 3.35, 990.0, 0.85),
                                               ("a100", 2.0, 312.0, 0.85))}
