"""Checks that print a line each: functions that take a world and give a note or nothing, and raise where something is wrong."""
import time
import traceback

CHECKS = []


def check(function):
    CHECKS.append(function)
    return function


def on_gpu(function):
    function.gpu = True
    return function


def says(kind, words, function, *args, **kwargs):
    try:
        function(*args, **kwargs)
    except kind as error:
        said = " ".join(str(error).split())
        assert words in said, f"{words!r} is not in: {said}"
        return
    raise AssertionError(f"no {kind.__name__} that says {words!r}")


def run_checks(world, device, names):
    """Those whose names hold one of `names`, or all; on the CPU none that wants a GPU. Gives how many failed."""
    failed = 0
    for function in CHECKS:
        if names and not any(name in function.__name__ for name in names):
            continue
        if getattr(function, "gpu", False) and device != "cuda":
            continue
        begun = time.perf_counter()
        try:
            note = function(world)
            words = f"ok      {function.__name__} {time.perf_counter() - begun:.1f} s{f': {note}' if note else ''}"
        except Exception:
            failed += 1
            words = f"FAILED  {function.__name__}\n{traceback.format_exc()}"
        print(words, flush=True)
    return failed
