"""A state folder of a test's own; what is compiled in advance is shared with other tests."""
import os
import tempfile
from pathlib import Path


def new_state(prefix):
    state = Path(tempfile.mkdtemp(prefix=prefix))
    share_cache(state)
    return str(state)


def share_cache(state):
    if cache := os.environ.get("WORKBOOK_TEST_CACHE"):
        os.makedirs(cache, exist_ok=True)
        (state / "cache").symlink_to(cache)
