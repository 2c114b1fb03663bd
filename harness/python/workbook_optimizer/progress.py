"""That a search goes on, and what it has: a line that is written over on a terminal or below a notebook's cell."""
import sys
import threading
import time


class Progress:
    """Says nothing where nobody looks on, nor of a search that is done at once."""

    _FIRST, _EACH = 1.0, 1.0  # seconds

    def __init__(self, name):
        self._name, self._best, self._shown = name, "", None
        self._done = threading.Event()
        self._display = _notebook_display()
        self._there = self._display is not None or sys.stderr is not None and sys.stderr.isatty()

    def line(self, words):
        """Of what the search says by itself."""
        if words.startswith("best so far"):
            self._best = "; " + " ".join(words.split())

    def __enter__(self):
        self._begun = time.monotonic()
        if self._there:
            self._thread = threading.Thread(target=self._show, daemon=True)
            self._thread.start()
        return self

    def __exit__(self, *error):
        if self._there:
            self._done.set()
            self._thread.join()
            self._write("")

    def _show(self):
        wait = self._FIRST
        while not self._done.wait(wait):
            self._write(f"workbook: {self._name}, {time.monotonic() - self._begun:.0f} s{self._best}")
            wait = self._EACH

    def _write(self, text):
        if self._display is None:
            sys.stderr.write("\r\033[K" + text)
            sys.stderr.flush()
        elif self._shown is None:
            if text:
                self._shown = self._display({"text/plain": text}, raw=True, display_id=True)
        else:
            self._shown.update({"text/plain": text}, raw=True)


def _notebook_display():
    """IPython's display, where it has a notebook's front end."""
    module = sys.modules.get("IPython")
    shell = module.get_ipython() if module is not None else None
    if shell is None or type(shell).__name__ != "ZMQInteractiveShell":
        return None
    from IPython.display import display
    return display
