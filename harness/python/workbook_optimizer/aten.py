"""PyTorch's operators (aten) in the optimizer's language: a graph's nodes become expressions.

Nothing here needs PyTorch: a node is what has op, name, target, args, kwargs and meta, as those of torch.fx do.
"""
import numbers

from . import aten_elementwise, aten_products, aten_shapes, aten_sums  # noqa: F401 (they fill the table)
from .aten_table import INSTEAD, TABLE
from .errors import ProgramError
from .expressions import Tensor


class Unknown(ProgramError):
    """An operator that the language does not have, or not so. `words`: why, without its name."""

    def __init__(self, node, words):
        self.node = node
        sign = " " if words.startswith(("is ", "gives ")) else ": "
        super().__init__(f"{node.target} ({node.name}){sign}{words}")
        self.words = words


class Other:
    """An argument of a type that no tensor of the language has."""

    def __init__(self, name, type_name):
        self.words = f"{name} is {type_name}, and tensors are float16, bfloat16 or float32"


def name_of(target):
    """ "mm" of aten.mm.default, "getitem" of operator.getitem."""
    words = str(target).split(".")
    if words[0] in ("aten", "workbook") and len(words) > 1:
        return words[1]
    return getattr(target, "__name__", str(target))


def translate(nodes, values):
    """Adds to `values`, which has what the nodes take, an expression for each of these nodes."""
    for node in nodes:
        values[node] = translated(node, values)


def translated(node, values):
    name = name_of(node.target)
    function = TABLE.get(name)
    if function is None:
        raise Unknown(node, INSTEAD.get(name, "is not known"))
    if name.startswith("bitwise_") and not is_truth(node):
        raise Unknown(node, "of whole numbers' bits there is nothing")

    def value(argument):
        if isinstance(argument, (list, tuple)):
            return [value(each) for each in argument]
        if not hasattr(argument, "op") or not hasattr(argument, "args"):
            return argument
        if isinstance(values[argument], Other):
            raise Unknown(node, values[argument].words)
        return values[argument]
    try:
        made = function(*map(value, node.args), **{key: value(each) for key, each in node.kwargs.items()})
    except Unknown:
        raise
    except ProgramError as error:
        raise Unknown(node, str(error)) from None
    except (TypeError, ValueError, AttributeError, IndexError, ArithmeticError) as error:
        raise Unknown(node, f"is not known with these arguments: {error}") from None
    wanted = shape_of(node)
    if wanted is not None and isinstance(made, Tensor) and made.shape != wanted:
        raise Unknown(node, f"gives {wanted}, and would give {made.shape}")
    return made


def type_name_of(node):
    return str(getattr(node.meta.get("val"), "dtype", "")).rsplit(".", 1)[-1]


def is_truth(node):
    return type_name_of(node) == "bool"


def shape_of(node):
    shape = getattr(node.meta.get("val"), "shape", None)
    if shape is None:
        return None
    return tuple(int(size) if isinstance(size, numbers.Integral) else size for size in shape)
