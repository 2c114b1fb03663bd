"""Operands that are made of the same inputs: where one index would stand at two dimensions of a result, as in x @ x.T or in
queries and keys of one x, the second operand is the same expression with an index of its own there."""
from .expressions import Cut, Index, Tensor, float32, places_of
from .space import Space


def apart(one, two, at_one, at_two):
    """`two`. at_one, at_two: for each dimension where in the result, or in a sum, it meets the other's."""
    if not one.sources & two.sources:
        return two
    space, places = Space([*all_of(one), *all_of(two)], joins=False), {}
    for axis, at in zip(one.axes, at_one):
        for leaf in _leaves(space, axis):
            places[leaf] = at
    twice = {leaf for axis, at in zip(two.axes, at_two) for leaf in _leaves(space, axis) if places.get(leaf, at) != at}
    # Two that would become one, and stand side by side somewhere: weights[j, i] where z[j] meets x[i].
    by_place, beside = {at: _leaves(space, axis) for axis, at in zip(one.axes, at_one)}, None
    for axis, at in zip(two.axes, at_two):
        for here, there in zip(by_place.get(at, []), _leaves(space, axis)):
            if here is not there and here.size == there.size:
                beside = beside or [set(space.of(each.axes)) for each in (*all_of(one), *all_of(two))]
                twice |= {there} if any({here, there} <= leaves for leaves in beside) else set()
    # Likewise where a reshape cuts one of them.
    axes = {at: axis for axis, at in zip(one.axes, at_one) if axis is not None}
    for axis, at in zip(two.axes, at_two):
        here, there = by_place.get(at, []), _leaves(space, axis)
        if len(here) != len(there) and axis is not None and at in axes and axes[at].size == axis.size and _stands_twice(
                one, two, Tensor("same", [], (), [((axes[at],), (axis,))])):
            twice |= {*there}
    return _Renamed(space, twice).of(two) if twice else two


def _stands_twice(one, two, meeting):
    """Whether one index would stand at two dimensions of what they are made of."""
    tensors = [*all_of(one), *all_of(two)]
    space = Space([*tensors, meeting], joins=False)
    return any(len({*leaves}) < len(leaves) for leaves in (space.of(each.axes) for each in tensors))


def _leaves(space, axis):
    return [] if axis is None else space.of([axis])


def fresh_places(value):
    """What is made of arange alone, with indices of its own: rows are numbered by it here, and columns there."""
    if not isinstance(value, Tensor) or not value.sources or any(each.operation != "place" for each in value.sources):
        return value
    space = Space([*all_of(value)], joins=False)
    return _Renamed(space, {leaf for each in all_of(value) for leaf in space.of([axis for axis in each.axes if axis is not None])}).of(value)


def all_of(tensor):
    """It, and what it is made of."""
    found, stack = {}, [tensor]
    while stack:
        each = stack.pop()
        if id(each) not in found:
            found[id(each)] = each
            stack += [operand for operand in each.operands if isinstance(operand, Tensor)]
    return found.values()


class _Renamed:
    def __init__(self, space, twice):
        self.space, self.twice, self.fresh, self.made = space, twice, {}, {}

    def axis(self, axis):
        if axis is None or not self.twice.intersection(_leaves(self.space, axis)):
            return axis
        return self.fresh.setdefault(axis, Index(axis.size))

    def of(self, tensor):
        if id(tensor) not in self.made:
            self.made[id(tensor)] = self._made(tensor), tensor  # which keeps its id
        return self.made[id(tensor)][0]

    def _made(self, tensor):
        axes = [self.axis(each) for each in tensor.axes]
        if tensor.operation == "place":
            return tensor if axes[0] is tensor.axes[0] else Tensor("place", [], axes, (), float32)
        if tensor.operation in ("input", "part"):
            return self._part(tensor, axes)
        operands = [self.of(each) if isinstance(each, Tensor) else self.axis(each) if isinstance(each, Index) else each
                    for each in tensor.operands]
        if all(one is two for one, two in zip([*operands, *axes], [*tensor.operands, *tensor.axes])):
            return tensor
        return Tensor(tensor.operation, operands, axes, self._met(tensor), tensor.dtype, tensor.name)

    def _part(self, tensor, axes):
        places = [self._place(place) for place in places_of(tensor)]
        if all(one is two for one, two in zip(axes, tensor.axes)):
            return tensor
        source = tensor if tensor.operation == "input" else tensor.operands[0]
        made = Tensor("part", [source, *(place for place in places if isinstance(place, Tensor))], axes, self._met(tensor))
        made.places = places
        return made

    def _place(self, place):
        if isinstance(place, Cut):
            return Cut(place.axes, map(self._place, place.places))
        return self.of(place) if isinstance(place, Tensor) else (self.axis(place[0]), *place[1:])

    def _met(self, tensor):
        return [(tuple(map(self.axis, one)), tuple(map(self.axis, two))) if isinstance(one, tuple) else
                (self.axis(one), self.axis(two)) for one, two in tensor.met]
