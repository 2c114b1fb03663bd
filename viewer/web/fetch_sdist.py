#!/usr/bin/env python3
"""Fetches one source archive of a Python package: fetch_sdist.py NAME VERSION SHA256 FILE.

`pip download` would build the package to learn its dependencies; all that is wanted here is the C++ inside.
So pip's own finder and session do the work: a configured index, proxy, certificate or login counts as it does
for `pip install`. Ends with status 1 and a sentence when the archive is not there or is another than pinned.
"""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

from pip._internal.commands.download import DownloadCommand


class FetchSdist(DownloadCommand):
    def run(self, options, args):
        name, version, wanted, target = args
        session = self.get_default_session(options)
        finder = self._build_package_finder(options, session)
        links = [each.link for each in finder.find_all_candidates(name) if str(each.version) == version and not each.link.is_wheel]
        if not links:
            print(f"fetch_sdist: the package index has no source archive of {name} {version}", file=sys.stderr)
            return 1
        digest = hashlib.sha256()
        part = Path(target + ".part")
        # Without an encoding: the archive is wanted as it lies there, not unpacked on the way.
        with session.get(links[0].url_without_fragment, stream=True, headers={"Accept-Encoding": "identity"}) as answer:
            answer.raise_for_status()
            with part.open("wb") as out:
                for chunk in answer.iter_content(1 << 16):
                    digest.update(chunk)
                    out.write(chunk)
        if digest.hexdigest() != wanted:
            part.unlink()
            print(f"fetch_sdist: {links[0].filename} is not the archive that is pinned (sha256 {digest.hexdigest()})", file=sys.stderr)
            return 1
        part.rename(target)
        return 0


if __name__ == "__main__":
    sys.exit(FetchSdist("fetch", "Fetch a source archive.").main(["--no-binary", ":all:", "--disable-pip-version-check", *sys.argv[1:]]))
