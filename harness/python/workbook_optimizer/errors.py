"""What goes wrong, beside TypeError and ValueError for arguments that do not fit."""


class ProgramError(ValueError):
    """An expression, or a program text, that the optimizer's language does not have: the message says what it has."""


class OptimizeError(RuntimeError):
    """No kernel was found, or the kernel did not come to its end."""
