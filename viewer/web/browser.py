"""Chromium driven through its debugging pipe, for tests that press keys and move the mouse as a reader does.

Two descriptors and JSON between NUL bytes: it needs no port and no library.
"""

from __future__ import annotations

import base64
import json
import os
import subprocess
import tempfile
import time


class Browser:
    """One program without a screen, for many pages: to start it costs more than to open one. A context manager."""

    def __init__(self, program: str, flags: list[str]):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        theirs_in, self.out = os.pipe()
        self.back, theirs_out = os.pipe()
        # The pipe is descriptors 3 and 4 of the browser, whatever they are called here.
        wiring = f'exec "$0" "$@" 3<&{theirs_in} 4>&{theirs_out}'
        self.process = subprocess.Popen(
            ["bash", "-c", wiring, program, *flags, "--remote-debugging-pipe", f"--user-data-dir={self.profile.name}", "about:blank"],
            pass_fds=(theirs_in, theirs_out), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(theirs_in)
        os.close(theirs_out)
        self.number, self.rest = 0, b""
        self.tabs: dict[str, Tab] = {}  # by session

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self.out)  # a browser whose pipe ends goes home
        os.close(self.back)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.profile.cleanup()

    def call(self, method: str, session: str | None = None, **parameters) -> dict:
        """Sends one command and waits for its answer; of what else the browser says meanwhile errors are kept."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        while True:
            while b"\0" not in self.rest:
                if not (more := os.read(self.back, 1 << 20)):
                    raise RuntimeError(f"the browser ended during {method}")
                self.rest += more
            answer, self.rest = self.rest.split(b"\0", 1)
            answer = json.loads(answer)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            if tab := self.tabs.get(answer.get("sessionId")):
                tab.note(answer.get("method"), answer.get("params", {}))


class Tab:
    """One page in a window of its own, in real time; a context manager."""

    def __init__(self, browser: Browser, address: str, width: int, height: int, density: int = 1):
        self.browser = browser
        self.errors: list[str] = []  # of the console, and exceptions that nobody caught
        self.target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = browser.call("Target.attachToTarget", targetId=self.target, flatten=True)["sessionId"]
        browser.tabs[self.session] = self
        self.call("Runtime.enable")
        self.call("Log.enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=density, mobile=False)
        self.call("Page.navigate", url=address)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        del self.browser.tabs[self.session]
        self.browser.call("Target.closeTarget", targetId=self.target)

    def call(self, method: str, **parameters) -> dict:
        return self.browser.call(method, self.session, **parameters)

    def note(self, method: str | None, said: dict) -> None:
        if method == "Runtime.exceptionThrown":
            details = said["exceptionDetails"]
            self.errors.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Runtime.consoleAPICalled" and said["type"] == "error":
            self.errors.append(" ".join(str(each.get("value", each.get("description"))) for each in said["args"]))
        elif method == "Log.entryAdded" and said["entry"]["level"] == "error":
            self.errors.append(said["entry"]["text"])

    def value(self, expression: str):
        return self.call("Runtime.evaluate", expression=expression)["result"].get("value")

    def wait(self, expression: str, seconds: float) -> None:
        end = time.monotonic() + seconds
        while not self.value(expression):
            if time.monotonic() > end:
                raise TimeoutError(expression)
            time.sleep(0.05)

    def press(self, key: str, code: str) -> None:
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=code)

    def mouse(self, kind: str, x: float, y: float, **more) -> None:
        """`kind`: mouseMoved, mousePressed, mouseReleased, mouseWheel."""
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def click(self, x: float, y: float) -> None:
        self.mouse("mouseMoved", x, y)
        for kind in ("mousePressed", "mouseReleased"):
            self.mouse(kind, x, y, button="left", clickCount=1)

    def screenshot(self) -> bytes:
        # Written for speed its rows are not filtered, which is most of the time that reading one takes.
        return base64.b64decode(self.call("Page.captureScreenshot", format="png", optimizeForSpeed=True)["data"])
