"""Parts of what is computed: the same expression of parts of its inputs."""
import math

from .apart import all_of
from .errors import ProgramError
from .expressions import Cut, Index, Tensor, float32, places_of
from .space import Space, digits_of

_CUTS = "a reshape cuts or joins the dimension of which a part is taken: take the part first"


def moved(tensor, changes):
    """`tensor` at other places: `changes` has for some of its indices (index or None, start, step): where x[.., i, ..] was,
    is x[.., start + step * index, ..]."""
    return _Move(tensor, changes).of(tensor, frozenset())


class _Move:
    """What changes is said of the indices that dimensions are in the end: of one that a reshape cuts, of each of its parts."""

    def __init__(self, tensor, changes):
        self.space, self.changes, self.made = Space(all_of(tensor), joins=False), {}, {}
        self.joined = {}  # a dimension that is several, by these
        for axis, change in changes.items():
            self._add(axis, *change)

    def leaves(self, axis):
        return self.space.all_of(axis)

    def _add(self, axis, index, start, step):
        first, *rest = leaves = self.leaves(axis)
        inner = math.prod(leaf.size for leaf in rest)
        if not rest:
            self.changes[first] = index, start, step
        elif index is None:
            self.changes.update((leaf, (None, digit, 1)) for leaf, digit in zip(leaves, digits_of(start, [leaf.size for leaf in leaves])))
        elif step == 1 and start % inner == index.size % inner == 0:
            outer = None if index.size == inner else Index(index.size // inner)
            self.changes[first] = outer, start // inner, 1
            self.joined[(*([outer] if outer else []), *rest)] = index
        else:
            raise ProgramError(_CUTS)

    def change(self, leaf, bound):
        """bound: indices that a sum around goes over, which stay."""
        return None if leaf in bound else self.changes.get(leaf)

    def is_changed(self, axis, bound):
        return axis is not None and any(self.change(leaf, bound) for leaf in self.leaves(axis))

    def parts(self, axis, bound):
        """What its leaves become."""
        changes = [(leaf, self.change(leaf, bound)) for leaf in self.leaves(axis)]
        return tuple(index for index in (change[0] if change else leaf for leaf, change in changes) if index is not None)

    def axis(self, axis, bound):
        if not self.is_changed(axis, bound):
            return axis
        parts = self.parts(axis, bound)
        if len(parts) > 1 or parts in self.joined:
            return self.joined.setdefault(parts, Index(math.prod(part.size for part in parts)) if len(parts) > 1 else None)
        return parts[0] if parts else None

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
        inside = bound.union(*map(self.leaves, over))
        operands = [self.of(each, inside) for each in tensor.operands]
        axes = [self.axis(each, bound) for each in tensor.axes]
        if all(one is two for one, two in zip([*operands, *axes], [*tensor.operands, *tensor.axes])):
            return tensor
        if tensor.operation == "same" and not isinstance(operands[0], Tensor):
            return operands[0]
        return Tensor(tensor.operation, operands, axes, self._met(tensor, bound, inside), tensor.dtype, tensor.name)

    def _met(self, tensor, bound, inside):
        met = []
        for one, two in tensor.met:
            if isinstance(one, tuple):
                one, two = (tuple(axis for axis in (self.axis(each, inside) for each in side) if axis is not None)
                            for side in (one, two))
                met.append((one, two))
                continue
            one, two = self.axis(one, inside), self.axis(two, inside)
            if one is not two and one is not None and two is not None:
                met.append((one, two))
        for axis in tensor.axes:
            if self.is_changed(axis, bound) and ((new := self.axis(axis, bound)),) != (parts := self.parts(axis, bound)) and new is not None:
                met.append(((new,), parts))
        return met

    def _part(self, tensor, bound):
        places = [self._placed(place, axis, bound) for place, axis in zip(places_of(tensor), (
            tensor if tensor.operation == "input" else tensor.operands[0]).axes)]
        if all(one is two or isinstance(one, tuple) and one == two for one, two in zip(places, places_of(tensor))):
            return tensor
        source = tensor if tensor.operation == "input" else tensor.operands[0]
        made = Tensor("part", [source, *(place for place in places if isinstance(place, Tensor))],
                      [self.axis(axis, bound) for axis in tensor.axes], self._met(tensor, bound, bound))
        made.places = places
        return made

    def _placed(self, place, axis, bound):
        """Where in a dimension of an input it is then."""
        if isinstance(place, Cut):
            made = [self._placed(*each, bound) for each in zip(place.places, place.axes)]
            if all(one is two or one == two for one, two in zip(made, place.places)):
                return place
            flat = [each for one, old in zip(made, place.axes)
                    for each in (zip(one.axes, one.places) if isinstance(one, Cut) else [(old, one)])]
            return Cut(*zip(*flat))
        if isinstance(place, Tensor):
            if any(self.is_changed(each, bound) for each in place.axes):
                raise ProgramError("of chosen rows no part is taken: choose fewer")
            return place
        index, start, step = place
        if not self.is_changed(index, bound):
            return place
        _, *rest = leaves = self.leaves(index)
        inner = math.prod(leaf.size for leaf in rest)
        if rest and (step != 1 or start % inner or axis.size % inner):
            raise ProgramError(_CUTS)
        # Where the dimension has that index, its parts are; where it is counted by another, they are its own.
        axes = leaves if axis is index else [Index(axis.size // inner), *(Index(leaf.size) for leaf in rest)]
        starts = [start // inner, *(0 for _ in rest)]
        places = []
        for leaf, start in zip(leaves, starts):
            change = self.change(leaf, bound)
            places.append((change[0], start + step * change[1], step * change[2]) if change else (leaf, start, step))
        return Cut(axes, places) if rest else places[0]

    def _place(self, tensor, bound):
        axis, = tensor.axes
        if not self.is_changed(axis, bound):
            return tensor
        value, axes = 0.0, []
        for leaf in self.leaves(axis):
            index, start, step = self.change(leaf, bound) or (leaf, 0, 1)
            digit = float(start)
            if index is not None:
                axes.append(index)
                digit = Tensor("place", [], [index], (), float32)
                digit = digit if step == 1 else digit * step
                digit = digit if start == 0 else digit + start
                value = value[..., None] if isinstance(value, Tensor) else value
            value = value * leaf.size + digit if isinstance(value, Tensor) or value else digit
        if len(axes) < 2 and tuple(axes) not in self.joined:
            return value
        return Tensor("same", [value], [self.axis(axis, bound)], [((self.axis(axis, bound),), tuple(axes))])
