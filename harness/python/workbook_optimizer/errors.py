"""What goes wrong, beside TypeError and ValueError for arguments that do not fit."""


class ProgramError(ValueError):
    """An expression, or a program text, that the optimizer's language does not have: the message says what it has."""

    lacking = 0  # faults of a graph, where some are of PyTorch's operators that the language has not in any form


class OptimizeError(RuntimeError):
    """No kernel was found, or the kernel did not come to its end."""
