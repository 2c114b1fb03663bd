"""Complex numbers between real ones, as rotary positions are computed: pairs of expressions, which no memory holds."""
from . import expressions as wo
from .aten_table import TABLE, aten
from .errors import ProgramError

_MOVES = ("clone", "alias", "detach", "contiguous", "transpose", "permute", "view", "_unsafe_view", "reshape", "unflatten", "flatten",
          "unsqueeze", "squeeze", "expand", "slice", "select")


class Complex:
    def __init__(self, real, imaginary):
        self.real, self.imaginary = real, imaginary

    @property
    def shape(self):
        return self.real.shape

    def each(self, function):
        return Complex(function(self.real), function(self.imaginary))


def of_pairs(x):
    """Of a tensor whose last dimension has both parts."""
    return Complex(x[..., 0], x[..., 1])


@aten("view_as_complex")
def _view_as_complex(x):
    return of_pairs(x)


@aten("view_as_real")
def _view_as_real(x):
    return wo.stack([x.real, x.imaginary], -1)


@aten("_conj", "conj", "conj_physical")
def _conj(x):
    return Complex(x.real, -x.imaginary)


@aten("real")
def _real(x):
    return x.real if isinstance(x, Complex) else x


@aten("imag")
def _imag(x):
    return x.imaginary


@aten("polar")
def _polar(size, angle):
    return Complex(size * wo.cos(angle), size * wo.sin(angle))


def _product(a, b):
    if not isinstance(b, Complex):
        return a.each(lambda part: part * b)
    if not isinstance(a, Complex):
        return b.each(lambda part: a * part)
    return Complex(a.real * b.real - a.imaginary * b.imaginary, a.real * b.imaginary + a.imaginary * b.real)


def _parts(value):
    return (value.real, value.imaginary) if isinstance(value, Complex) else (value, 0)


_OF_COMPLEX = {"mul": _product,
               "add": lambda a, b: Complex(*(one + two for one, two in zip(_parts(a), _parts(b)))),
               "sub": lambda a, b: Complex(*(one - two for one, two in zip(_parts(a), _parts(b)))),
               "abs": lambda x: wo.sqrt(x.real * x.real + x.imaginary * x.imaginary)}


def of_complex(name, arguments, options):
    """What an operator of the table gives where one of its arguments is complex; nothing where none is."""
    if not any(isinstance(each, Complex) for each in arguments) or name in ("view_as_real", "_conj", "conj", "conj_physical", "real", "imag"):
        return None
    if name in _MOVES:
        return arguments[0].each(lambda part: TABLE[name](part, *arguments[1:], **options))
    if name not in _OF_COMPLEX or options:
        raise ProgramError("of complex numbers there are sums, products and magnitudes")
    return _OF_COMPLEX[name](*arguments)
