"""Chromium without a window, driven over its own protocol: look, click, take a picture."""

from __future__ import annotations

import base64
import json
import subprocess
import time
import urllib.request
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

FLAGS = """--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-sync
    --disable-background-networking --disable-component-update --hide-scrollbars
    --force-device-scale-factor=1""".split()
#: The innermost visible element that shows a text.
_FIND = """(text, whole) => {
  const shown = e => e.getClientRects().length && getComputedStyle(e).visibility !== 'hidden';
  const said = e => (e.innerText || '').trim();
  const fits = e => whole ? said(e) === text : said(e).includes(text);
  const found = [...document.querySelectorAll('body *')].filter(e => shown(e) && fits(e));
  return found.filter(e => !found.some(o => o !== e && e.contains(o)));
}"""
_PLACE = f"""(text, whole) => {{
  const found = ({_FIND})(text, whole).at(-1);
  if (!found) return null;
  found.scrollIntoView({{block: 'center'}});
  const box = found.getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}}"""


class Browser:
    """One page."""

    def __init__(self, program: str, folder: Path, size: tuple[int, int] = (1900, 900)) -> None:
        self.folder = folder
        self.width = size[0]
        window = f"--window-size={size[0]},{size[1]}"
        profile = f"--user-data-dir={folder / 'profile'}"
        with (folder / "chromium.log").open("wb") as log:
            self.running = subprocess.Popen(
                [program, *FLAGS, window, profile, "--remote-debugging-port=0", "about:blank"],
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        self.count = 0
        self.open_things = ExitStack()

    def __enter__(self) -> Browser:
        told = self.folder / "profile" / "DevToolsActivePort"
        self.until(lambda: told.exists() and told.read_text("utf-8").count("\n"), 60)
        port = told.read_text("utf-8").split()[0]
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/json/list", timeout=30) as answer:
            page = next(entry for entry in json.load(answer) if entry["type"] == "page")
        opening = connect(page["webSocketDebuggerUrl"], max_size=None, ping_interval=None)
        self.wire: ClientConnection = self.open_things.enter_context(opening)
        return self

    def __exit__(self, *_: object) -> None:
        self.open_things.close()
        self.running.terminate()
        self.running.wait(30)

    def do(self, method: str, **parameters: Any) -> Any:
        """One command of the protocol, and its result."""
        self.count += 1
        self.wire.send(json.dumps({"id": self.count, "method": method, "params": parameters}))
        while True:
            answer = json.loads(self.wire.recv(timeout=60))
            if answer.get("id") == self.count:
                assert "error" not in answer, answer["error"]
                return answer["result"]

    def run(self, function: str, *arguments: Any) -> Any:
        """What a JavaScript function returns in the page."""
        call = f"({function})(...{json.dumps(arguments)})"
        result = self.do("Runtime.evaluate", expression=call, returnByValue=True)
        assert "exceptionDetails" not in result, result["exceptionDetails"]
        return result["result"].get("value")

    def open(self, url: str) -> None:
        """Go to a page."""
        self.do("Page.navigate", url=url)

    def shows(self, text: str, seconds: float = 60) -> None:
        """Wait until a text can be read."""
        self.until(lambda: text in (self.text() or ""), seconds)

    def text(self) -> str:
        """Everything that can be read."""
        return str(self.run("() => document.body ? document.body.innerText : ''"))

    def click(self, text: str, *, whole: bool = True, seconds: float = 60) -> None:
        """Press the mouse on a text, once it is there and rests."""
        place = self.until(lambda: self._resting(text, whole), seconds)
        for kind in ("mousePressed", "mouseReleased"):
            self.do("Input.dispatchMouseEvent", type=kind, x=place[0], y=place[1],
                    button="left", clickCount=1)  # fmt: skip

    def picture(self, path: Path, height: int = 757) -> None:
        """The upper part of the page as it stands now, as a PNG."""
        clip = {"x": 0, "y": 0, "width": self.width, "height": height, "scale": 1}
        data = self.do("Page.captureScreenshot", format="png", clip=clip)["data"]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(base64.b64decode(data))

    def _resting(self, text: str, whole: bool) -> list[float] | None:
        before = self.run(_PLACE, text, whole)
        time.sleep(0.3)
        return before if before and before == self.run(_PLACE, text, whole) else None

    def until(self, true: Any, seconds: float) -> Any:
        """What ``true`` returns once that is something."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            found = true()
            if found:
                return found
            time.sleep(0.25)
        if hasattr(self, "wire"):
            self.picture(self.folder / "last.png")
        raise TimeoutError(f"not seen in {seconds} s; the last page: {self.folder / 'last.png'}")
