"""Parts of what is computed: the same expression of parts of its inputs."""
import math

from .errors import ProgramError
from .expressions import Index, Tensor, float32, places_of


def moved(tensor, changes):
    """`tensor` at other places: `changes` has for some of its indices (index or None, start, step): where x[.., i, ..] was,
    is x[.., start + step * index, ..]."""
    return _Move(tensor, changes).of(tensor, frozenset())


def _size_of(axes):
    return math.prod(axis.size for axis in axes)


def _groups(one, two):
    """What meets what, where dimensions meet: in a reshape one that stays meets its own, those that are cut or joined meet what
    they become."""
    if not isinstance(one, tuple):
        return [(one, two)]
    pairs, left, right, before, after = [], [], [], list(one), list(two)
    while before or after:
        from_before = before and (not after or _size_of(left) <= _size_of(right))
        (left if from_before else right).append((before if from_before else after).pop(0))
        if left and right and _size_of(left) == _size_of(right):
            pairs.append((left[0], right[0]) if len(left) == len(right) == 1 else (tuple(left), tuple(right)))
            left, right = [], []
    return pairs


class _Move:
    def __init__(self, tensor, changes):
        self.parents, self.made = {}, {}
        stack = [tensor]
        while stack:
            each = stack.pop()
            for one, two in (pair for met in each.met for pair in _groups(*met)):
                if not isinstance(one, tuple) and one.size == two.size and self.root(one) is not self.root(two):
                    self.parents[self.root(one)] = self.root(two)
            stack += [operand for operand in each.operands if isinstance(operand, Tensor)]
        self.changes = {self.root(index): change for index, change in changes.items()}

    def root(self, index):
        while index in self.parents:
            index = self.parents[index]
        return index

    def change(self, index, bound):
        """bound: indices that a sum around goes over, which stay."""
        return None if index is None or self.root(index) in bound else self.changes.get(self.root(index))

    def axis(self, index, bound):
        change = self.change(index, bound)
        return index if change is None else change[0]

    def of(self, tensor, bound):
        if not isinstance(tensor, Tensor):
            return tensor
        key = id(tensor), bound
        if key not in self.made:
            self.made[key] = self._made(tensor, bound)
        return self.made[key]

    def _made(self, tensor, bound):
        if tensor.operation in ("input", "part"):
            return self._part(tensor, bound)
        if tensor.operation == "place":
            return self._place(tensor, bound)
        over = [each for each in tensor.operands if isinstance(each, Index)]
        inside = bound | {self.root(each) for each in over}
        operands = [self.of(each, inside) for each in tensor.operands]
        axes = [self.axis(each, bound) for each in tensor.axes]
        if all(one is two for one, two in zip([*operands, *axes], [*tensor.operands, *tensor.axes])):
            return tensor
        met = []
        for one, two in tensor.met:
            if isinstance(one, tuple):
                for pair in _groups(one, two):
                    if isinstance(pair[0], tuple) and any(self.change(each, inside) for each in (*pair[0], *pair[1])):
                        raise ProgramError("a reshape cuts or joins the dimension of which a part is taken: take the part first")
                one, two = (tuple(axis for axis in (self.axis(each, inside) for each in side) if axis is not None)
                            for side in (one, two))
                met.append((one, two))
                continue
            one, two = self.axis(one, inside), self.axis(two, inside)
            if one is not two and one is not None and two is not None:
                met.append((one, two))
        if tensor.operation == "same" and not isinstance(operands[0], Tensor):
            return operands[0]
        return Tensor(tensor.operation, operands, axes, met, tensor.dtype, tensor.name)

    def _part(self, tensor, bound):
        places = []
        for place in places_of(tensor):
            if isinstance(place, Tensor):
                if any(self.change(axis, bound) for axis in place.axes):
                    raise ProgramError("of chosen rows no part is taken: choose fewer")
            elif change := self.change(place[0], bound):
                place = change[0], place[1] + place[2] * change[1], place[2] * change[2]
            places.append(place)
        if all(one is two or isinstance(one, tuple) and one == two for one, two in zip(places, places_of(tensor))):
            return tensor
        source = tensor if tensor.operation == "input" else tensor.operands[0]
        made = Tensor("part", [source, *(place for place in places if isinstance(place, Tensor))],
                      [self.axis(axis, bound) for axis in tensor.axes])
        made.places = places
        return made

    def _place(self, tensor, bound):
        change = self.change(tensor.axes[0], bound)
        if change is None:
            return tensor
        index, start, step = change
        if index is None:
            return float(start)
        made = Tensor("place", [], [index], (), float32)
        made = made if step == 1 else made * step
        return made if start == 0 else made + start
