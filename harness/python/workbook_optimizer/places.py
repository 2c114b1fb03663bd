"""Where in an input a part of it lies, as text of the optimizer's language."""
import math

from .errors import ProgramError
from .expressions import Tensor, dimensions_of
from .space import Fused, digits_of


class Places:
    """Of what has `space`, the names of `indices` and `names` of tensors: program.py's writer."""

    def _renamed(self, axis, place):
        """Pairs of indices of a dimension, and of all of it under other names; or None where it is a part."""
        if isinstance(place, Tensor) or place[0] is None or place[1:] != (0, 1) or place[0].size != axis.size:
            return None
        pairs = list(zip(self.space.of([axis]), new := self.space.of([place[0]])))
        return pairs if len(new) == len(self.space.of([axis])) and all(one.size == two.size for one, two in pairs) else None

    @staticmethod
    def _is_whole(axis, place):
        return isinstance(place, Tensor) or place == (axis, 0, 1)

    def _place(self, axis, written="place({})"):
        """Where in a dimension, as a sum over the indices that it is."""
        terms, after = [], 1
        for index in reversed(self.space.of([axis])):
            terms.append((after, written.format(self.indices[index])))
            after *= index.size
        return " + ".join(text if times == 1 else f"{times} * {text}" for times, text in reversed(terms)) or "0"

    def _part(self, tensor):
        source, places, done = tensor.operands[0], [], []
        for axis, place in dimensions_of(tensor):
            if axis is None or not self.space.of([axis]):
                continue
            if (same := self._renamed(axis, place)) is not None:
                # Of two that are one in this program once.
                places += [self.indices[new] for old, new in same if not (done and isinstance(old, Fused) and done[-1] is old)]
                done += [old for old, _ in same]
                continue
            done.append(None)
            if isinstance(place, Tensor):
                if self.space.alone(axis) is None:
                    raise ProgramError(f"{source.name}: a reshape cuts or joins the dimension of {axis.size} of which rows are chosen")
                places.append(self.names[id(place)])
                continue
            index, start, step = place
            if index is None and not 0 <= start < axis.size:
                return "0"  # all of it lies outside
            places += self._digits(source, axis, index, start, step)
        return f"{self.names[id(source)]}[{', '.join(places)}]"

    def _digits(self, source, axis, index, start, step):
        """Where in each index of a dimension of an input a part of that is."""
        sizes = [each.size for each in self.space.of([axis])]
        if index is None:
            return [str(digit) for digit in digits_of(start, sizes)]
        counts, inner = self.space.of([index]), math.prod(sizes[1:])
        rest = counts[len(counts) - len(sizes) + 1:]
        if math.prod(sizes) != axis.size or len(sizes) > 1 and (
                step != 1 or start % inner or [each.size for each in rest] != sizes[1:]):
            raise ProgramError(f"{source.name}: a reshape cuts or joins the dimension of {axis.size} of which a part is "
                               "taken: take the part first")
        first = counts[:len(counts) - len(rest)]
        return [self._line(first, start // inner, step), *(self.indices[each] for each in rest)]

    def _line(self, indices, start, step):
        terms, times = [], step
        for index in reversed(indices):
            terms.append(self.indices[index] if times == 1 else f"{times} * {self.indices[index]}")
            times *= index.size
        text = " + ".join(reversed(terms))
        return str(start) if not text else text if start == 0 else f"{text} {'+' if start > 0 else '-'} {abs(start)}"
