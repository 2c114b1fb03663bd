"""What a call raises and warns of, beside TypeError and ValueError for arguments that do not fit."""


class KernelFinding(UserWarning):
    """What the simulator saw in a kernel that came to its end: a race, a read out of bounds ..."""


class KernelError(RuntimeError):
    """A kernel did not come to its end, or was not launched: nothing of its result can be trusted."""


def listed(words, last="and"):
    """"a, b and c"."""
    words = list(words)
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"
