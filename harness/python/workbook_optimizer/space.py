"""Which dimensions of a program's tensors are one index."""
import math

from .errors import ProgramError
from .expressions import Cut, Index, dimensions_of


def digits_of(number, sizes):
    """A place in all of them as a place in each."""
    digits = []
    for size in reversed(sizes):
        digits.append(number % size)
        number //= size
    return digits[::-1]


class Space:
    """The indices of these tensors: dimensions that met are one; one that a reshape cuts is several; those that stand
    side by side wherever they stand, after a reshape, are one."""

    def __init__(self, tensors, joins=True):
        """joins: whether those side by side become one."""
        self._parents, self._parts, self._touched, dropped = {}, {}, set(), []
        for tensor in tensors:
            for one, two in tensor.met:
                if isinstance(one, tuple):
                    self._touched |= {*one, *two}
                    dropped += [index for index in (*one, *two) if index.size == 1]
                    self._unify(one, two)
                elif one.size != two.size:
                    dropped.append(one if one.size == 1 else two)
                else:
                    self._unify((one,), (two,))
        parts = [tensor for tensor in tensors if tensor.places]
        for part in parts:
            for axis, place in zip(part.operands[0].axes, part.places):
                if isinstance(place, Cut):
                    self._unify((axis,), place.axes)
        pairs = [pair for part in parts for pair in dimensions_of(part) if isinstance(pair[1], tuple) and pair[1][0] is not None]
        while any(self._cut_alike(*pair) for pair in pairs):
            pass
        self._dropped = {self._root(index) for index in dropped}
        self._fused = {}
        if joins:
            self._fuse_around(tensors, parts, pairs)

    def _fuse_around(self, tensors, parts, pairs):
        """What a part's places are said of stays as it is; all of a dimension under other names is joined as that is."""
        lists = [self.of(tensor.axes) for tensor in tensors]
        cut = [index for part in parts for place in part.places if isinstance(place, Cut)
               for index in (*place.axes, *(each[0] for each in place.places if isinstance(each, tuple)))]
        cut += [index for axis, (index, start, step) in pairs for index in (axis, index)
                if len(self.of([axis])) > 1 and (start or step != 1 or axis.size != index.size)]
        while cut is not None:
            before, self._fused = cut, {}
            self._fuse([[*each] for each in lists] + [[leaf] for leaf in self.of(cut)])
            unlike = [index for axis, place in pairs for index in (axis, place[0]) if axis.size == place[0].size and
                      [one.size for one in self.of([axis])] != [one.size for one in self.of([place[0]])]]
            cut = [*before, *unlike] if {*unlike} - {*before} else None

    def of(self, axes):
        """The indices of a tensor in the program."""
        found = []
        for index in self._leaves([axis for axis in axes if axis is not None]):
            while index in self._fused:
                index = self._fused[index]
            if not found or found[-1] is not index or not isinstance(index, Fused):
                found.append(index)
        return found

    def all_of(self, axis):
        """The indices that it is, such of size 1 among them."""
        return self._leaves([axis], False)

    def alone(self, axis):
        """The index that this dimension is, or None where it is none or several, or a part of one."""
        found = self.of([axis])
        return found[0] if len(found) == 1 and found[0].size == axis.size else None

    def _root(self, index):
        while index in self._parents:
            index = self._parents[index]
        return index

    def _leaves(self, axes, dropped=True):
        leaves = []
        for axis in axes:
            root = self._root(axis)
            if root in self._parts:
                leaves += self._leaves(self._parts[root], dropped)
            elif not dropped or root not in self._dropped:
                leaves.append(root)
        return leaves

    def _unify(self, one, two):
        one, two = ([leaf for leaf in self._leaves(each, False) if leaf.size > 1 or len(one) == len(two) == 1]
                    for each in (one, two))
        sizes = [leaf.size for leaf in one], [leaf.size for leaf in two]
        while one and two:
            a, b = one.pop(0), two.pop(0)
            if a.size > b.size:
                a, b, one, two = b, a, two, one
            if a is b:
                continue
            if a.size == b.size:
                self._parents[b] = a
            elif b.size % a.size == 0:
                rest = Index(b.size // a.size)
                self._parts[b] = (a, rest)
                self._touched |= {a, rest}
                two = self._leaves([rest], False) + two
                one, two = [self._root(each) for each in one], [self._root(each) for each in two]
            else:
                raise ProgramError(f"a reshape of {sizes[0]} to {sizes[1]} cuts a dimension where another begins: the "
                                   "language has no index for that")
            one, two = self._leaves(one, False), self._leaves(two, False)

    def _cut_alike(self, axis, place):
        """Of a dimension and what its places are counted by, where a reshape cuts one, the other is cut, too. Whether it was."""
        index, start, step = place
        sides = [self._leaves([each], False) for each in (axis, index)]
        inner = [leaf.size for leaf in max(sides, key=len)[1:]]
        count = math.prod(inner)
        if step != 1 or not inner or start % count or axis.size % count or index.size % count:
            return False
        for one, leaves in zip((axis, index), sides):
            if len(leaves) == 1 and one.size > count:
                self._unify((one,), (Index(one.size // count), *map(Index, inner)))
                return True
            if len(leaves) == 1 and len(inner) > 1:
                self._unify((one,), tuple(map(Index, inner)))
                return True
        return False

    def _fuse(self, tensors):
        """Joins neighbours, one pair after the other."""
        touched = {leaf for index in self._touched for leaf in self._leaves([index])}
        while pair := self._neighbours(tensors, touched):
            one = Fused(pair[0].size * pair[1].size)
            self._fused[pair[0]] = self._fused[pair[1]] = one
            touched.add(one)
            for axes in tensors:
                if pair[0] in axes:
                    axes[axes.index(pair[0]):axes.index(pair[0]) + 2] = [one]

    @staticmethod
    def _neighbours(tensors, touched):
        after = {}
        for axes in tensors:
            for here, following in zip(axes, [*axes[1:], None]):
                after.setdefault(here, set()).add(following)
        before = {}
        for axes in tensors:
            for here, leading in zip(axes, [None, *axes[:-1]]):
                before.setdefault(here, set()).add(leading)
        for here, following in after.items():
            if len(following) == 1 and (other := next(iter(following))) is not None and before[other] == {here} and (
                    here in touched or other in touched):
                return here, other
        return None


class Fused(Index):
    """Of two that stand side by side wherever they stand."""
