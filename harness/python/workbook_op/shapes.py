"""Shapes as a declaration writes them, "H", "H/2", "ceil(N/256)", and the sizes that arrays give their names."""
import ast
import functools

from .errors import listed

_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")
_MOST = 1 << 40  # a size that is searched for is below it


@functools.lru_cache(maxsize=None)
def _parse(expression):
    tree = ast.parse(expression.replace("\n", " "), mode="eval").body
    names = tuple(dict.fromkeys(
        n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and n.id != "ceil"))
    return tree, names


def names_of(expression):
    """The sizes that an expression is made of."""
    return _parse(expression)[1]


def evaluate(expression, sizes):
    """Whole numbers; / is rounded down. Works on the symbolic sizes of torch.compile, too."""

    def value(node):
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.Name):
            return sizes[node.id]
        if isinstance(node, ast.Call):  # ceil(a/b)
            quotient = node.args[0]
            if isinstance(quotient, ast.BinOp) and isinstance(quotient.op, ast.Div):
                divisor = value(quotient.right)
                return (value(quotient.left) + divisor - 1) // divisor
            return value(quotient)
        if isinstance(node, ast.UnaryOp):
            return -value(node.operand)
        left, right = value(node.left), value(node.right)
        if isinstance(node.op, ast.Add):
            return left + right
        if isinstance(node.op, ast.Sub):
            return left - right
        if isinstance(node.op, ast.Mult):
            return left * right
        return left // right

    return value(_parse(expression)[0])


def _solve(expression, name, sizes, wanted):
    """The sizes `name` for which the expression is `wanted`, as (smallest, largest), or None. It grows with `name`,
    as a shape does."""

    def at(size):
        return evaluate(expression, {**sizes, name: size})

    def first(reached):
        low, high = 0, 1
        while not reached(at(high)):
            low, high = high, high * 2
            if high > _MOST:
                return None
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if reached(at(middle)) else (middle, high)
        return high

    smallest = first(lambda value: value >= wanted)
    if smallest is None or at(smallest) != wanted:
        return None
    beyond = first(lambda value: value > wanted)
    return smallest, _MOST if beyond is None else beyond - 1


def shape_text(shape):
    return "(" + ", ".join(str(s) for s in shape) + ("," if len(shape) == 1 else "") + ")"


def _axis(array, axis):
    count = len(array.shape)
    where = "" if count == 1 else f"{_ORDINALS[axis]} axis of " if axis < len(_ORDINALS) else f"axis {axis} of "
    return f"the {where}{array.name} {shape_text(array.shape)}" if where else f"{array.name} {shape_text(array.shape)}"


def sizes_of(function, names, arrays, asked, symbolic=False):
    """The sizes called `names`. `arrays` have a name, a shape and, as `declared`, the shape's expressions; `asked` are
    sizes that the caller named. Raises ValueError with what disagrees."""
    for array in arrays:
        if len(array.shape) != len(array.declared):
            raise ValueError(
                f"{function}: {array.name} has {len(array.shape)} ax{'is' if len(array.shape) == 1 else 'es'}, shape "
                f"{shape_text(array.shape)}; it is [{', '.join(array.declared)}], {len(array.declared)} "
                f"ax{'is' if len(array.declared) == 1 else 'es'}: {_reshape(array)}")
        for axis, size in enumerate(array.shape):
            if not symbolic and size == 0:
                raise ValueError(f"{function}: {_axis(array, axis)} is 0: there is nothing to compute.")
    sizes, given_by = {}, {}
    for name, size in asked.items():
        sizes[name], given_by[name] = size, f"{name}={size}"
    for array in arrays:
        for axis, (size, extent) in enumerate(zip(array.shape, array.declared)):
            if extent in names and extent not in sizes:
                sizes[extent], given_by[extent] = size, _axis(array, axis)
    for array in arrays:
        for axis, (size, extent) in enumerate(zip(array.shape, array.declared)):
            unknown = [n for n in names_of(extent) if n not in sizes]
            if len(unknown) != 1 or symbolic:
                continue
            found = _solve(extent, unknown[0], sizes, size)
            if found is None:
                raise ValueError(f"{function}: {_axis(array, axis)} is {size}, and no size {unknown[0]} makes {extent} "
                                 f"that.")
            if found[0] == found[1]:
                sizes[unknown[0]], given_by[unknown[0]] = found[0], _axis(array, axis)
    missing = [n for n in names if n not in sizes]
    if missing:
        raise ValueError(
            f"{function}: the size{'s' if len(missing) > 1 else ''} {listed(missing)} cannot be told from the arrays: "
            f"say {listed(f'{n}=...' for n in missing)}.")
    for array in arrays:
        for axis, (size, extent) in enumerate(zip(array.shape, array.declared)):
            wanted = evaluate(extent, sizes)
            if wanted == size:
                continue
            source = listed(f"{n} is {sizes[n]} by {given_by[n]}" for n in names_of(extent))
            raise ValueError(
                f"{function}: {_axis(array, axis)} is {size}, and has to be {extent}"
                f"{'' if str(wanted) == extent else f' = {wanted}'}{f': {source}' if source else ''}.")
    return {n: sizes[n] for n in names}


def _reshape(array):
    if len(array.declared) == 1:
        return f"{array.name}.reshape(-1)?"
    if len(array.shape) < len(array.declared):
        ones = ", ".join(["1"] * (len(array.declared) - len(array.shape)) + [str(s) for s in array.shape])
        return f"{array.name}.reshape({ones})?"
    kept = len(array.declared) - 1
    rest = ", ".join(["-1"] + [str(s) for s in array.shape[len(array.shape) - kept:]])
    return f"{array.name}.reshape({rest})?"
