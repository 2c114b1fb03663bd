"""PyTorch's operators (aten) in the optimizer's language: a graph's nodes become expressions.

Nothing here needs PyTorch: a node is what has op, name, target, args, kwargs and meta, as those of torch.fx do.
"""
import numbers

from . import aten_elementwise, aten_products, aten_shapes, aten_sums  # noqa: F401 (they fill the table)
from .apart import fresh_places
from .aten_complex import Complex, of_complex
from .aten_table import INSTEAD, TABLE
from .errors import ProgramError
from .expressions import Tensor, broadcast_to


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
    if name.startswith(("bitwise_", "__")) and not is_truth(node):
        raise Unknown(node, "of whole numbers' bits there is nothing")

    def value(argument):
        if isinstance(argument, (list, tuple)):
            return [value(each) for each in argument]
        if not hasattr(argument, "op") or not hasattr(argument, "args"):
            return argument
        if isinstance(values[argument], Other):
            raise Unknown(node, values[argument].words)
        return fresh_places(values[argument])
    try:
        arguments, options = [*map(value, node.args)], {key: value(each) for key, each in node.kwargs.items()}
        made = of_complex(name, arguments, options) or function(*arguments, **options)
    except Unknown:
        raise
    except ProgramError as error:
        raise Unknown(node, str(error)) from None
    except (TypeError, ValueError, AttributeError, IndexError, ArithmeticError) as error:
        raise Unknown(node, f"is not known with these arguments: {error}") from None
    wanted = shape_of(node)
    if wanted is not None and isinstance(made, Tensor) and made.shape != wanted and _broadcasts(made.shape, wanted):
        made = broadcast_to(made, wanted)  # numbers for all of a tensor have no shape here
    if wanted is not None and isinstance(made, (Complex, Tensor)) and made.shape != wanted:
        raise Unknown(node, f"gives {wanted}, and would give {made.shape}")
    return made


def _broadcasts(shape, wanted):
    return len(shape) <= len(wanted) and all(isinstance(two, int) and one in (1, two) for one, two in zip(shape[::-1], wanted[::-1]))


def type_name_of(node):
    return str(getattr(node.meta.get("val"), "dtype", "")).rsplit(".", 1)[-1]


def says_nothing(node):
    """It checks what is known, and has no result."""
    return name_of(node.target) in _CHECKS


_CHECKS = {"_assert_tensor_metadata", "_assert_scalar", "_assert_async", "sym_constrain_range_for_size"}


def is_truth(node):
    return type_name_of(node) == "bool"


def is_complex(node):
    return type_name_of(node).startswith("complex")


def shape_of(node):
    shape = getattr(node.meta.get("val"), "shape", None)
    if shape is None:
        return None
    return tuple(int(size) if isinstance(size, numbers.Integral) else size for size in shape)
