"""A real browser and a real server for tests: what a person would do, and nothing else."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

TOKEN = "the-tests-own"
SHOTS = Path(__file__).parents[2] / "build" / "screenshots"
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--force-device-scale-factor=1",
)
# A page with a field at its bottom has another frame
MAIN = (
    "(document.querySelector('[data-testid=stMain]')"
    " ?? document.querySelector('[data-testid=stAppViewContainer]'))"
)
BUSY = (
    "[data-testid=stApp][data-test-script-state=running],[data-testid=stStatusWidget],"
    "[data-testid=stAppSkeleton],[data-testid=stSkeleton],[data-stale=true]"
)


def missing() -> str | None:
    """Why there can be no browser here, with the cure."""
    if not (shutil.which("chromium") and shutil.which("chromedriver")):
        return "no browser here (Debian: apt-get install chromium chromium-driver)"
    try:
        import selenium  # noqa: F401
    except ModuleNotFoundError:
        return "no selenium here: pip install selenium"
    return None


class Server:
    """`arena ui` on a free port."""

    def __init__(self, db: str, state: Path, *arguments: str, port: int = 0) -> None:
        self.process = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "arena",
                "ui",
                "--port",
                str(port),
                "--db",
                db,
                "--state",
                str(state),
                *arguments,
            ],
            stderr=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            text=True,
            start_new_session=True,
            env=os.environ | {"OMP_NUM_THREADS": "1", "ARENA_UI_TOKEN": TOKEN},
        )
        assert self.process.stderr is not None
        line = self.process.stderr.readline()
        result = re.search(r"http://\S+:(\d+)\S*", line)
        assert result, line
        self.url, self.port = result.group(0).partition("?")[0].rstrip("/"), int(result.group(1))
        self._up()

    def _up(self) -> None:
        import httpx

        def answers() -> bool:
            try:
                return httpx.get(f"{self.url}/_stcore/health").status_code == 200
            except httpx.HTTPError:
                return False

        until(answers, 60, "the server's health")

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.kill()


def until(true: Callable[[], Any], seconds: float, what: str) -> Any:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if result := true():
            return result
        time.sleep(0.05)
    raise AssertionError(f"waited {seconds:g} s in vain for {what}")


class Browser:
    """Sees text and presses keys."""

    def __init__(self, size: str = "1366,768", *more: str) -> None:
        from selenium import webdriver
        from selenium.webdriver.chrome.service import Service

        self._profile = tempfile.mkdtemp(prefix="arena-browser-")
        options = webdriver.ChromeOptions()
        options.binary_location = shutil.which("chromium") or ""
        for flag in (*FLAGS, f"--user-data-dir={self._profile}", f"--window-size={size}", *more):
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
        width, height = map(int, size.split(","))
        # the window of a headless browser has bars of its own; the page is what must have the size
        self.driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False},
        )

    def close(self) -> None:
        self.driver.quit()
        shutil.rmtree(self._profile, ignore_errors=True)

    def open(self, server: Server, page: str, **parameters: str | list[str]) -> None:
        if not any(c["name"] == f"arena-token-{server.port}" for c in self.driver.get_cookies()):
            parameters = {"token": TOKEN, **parameters}
        query = f"?{urlencode(parameters, doseq=True, quote_via=quote)}" if parameters else ""
        self.driver.get(f"{server.url}/{page}{query}")
        self.settle()

    def reload(self) -> None:
        self.driver.refresh()
        self.settle()

    def settle(self, quiet: float = 0.4, seconds: float = 60) -> None:
        """Waits until the page has stopped changing."""
        since, last = time.monotonic(), ""

        def still() -> bool:
            nonlocal since, last
            now = self.driver.execute_script(
                "const b=document.querySelectorAll(arguments[0]).length;"
                f"const m={MAIN}; return b + '|' + (m ? m.innerText : '') + '|' + location.href",
                BUSY,
            )
            if now != last or not now.startswith("0|") or "||" in now[:3]:
                last, since = now, time.monotonic()
            return time.monotonic() - since > quiet

        try:
            until(still, seconds, "the page to settle")
        except AssertionError:
            self.shot("unsettled")
            raise

    def text(self) -> str:
        return str(self.driver.execute_script(f"return {MAIN}?.innerText ?? ''"))

    def sees(self, words: str, seconds: float = 30) -> None:
        until(lambda: words in self.text(), seconds, f"'{words}' in: {self.text()[:1500]}")

    def press(self, *keys: str) -> None:
        from selenium.webdriver.common.action_chains import ActionChains

        ActionChains(self.driver).send_keys(*keys).perform()

    def click(self, label: str, *, settled: bool = True) -> None:
        """A button, tab or link by its words; some pages do not settle behind it."""
        path = (
            f"//*[self::button or self::a or self::summary][contains(normalize-space(.), {_quoted(label)})]"
            "[not(@disabled)]"
        )
        self._click(path, label)
        if settled:
            self.settle()

    def _click(self, path: str, what: str) -> None:
        def done() -> bool:
            from selenium.common.exceptions import WebDriverException

            for result in self.driver.find_elements("xpath", path):
                try:
                    if result.is_displayed():
                        self.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", result)
                        result.click()
                        return True
                except WebDriverException:
                    continue
            return False

        until(done, 30, f"'{what}' to click in: {self.text()[:800]}")

    def write(self, label: str, text: str, *, enter: bool = True) -> None:
        """Into the input of that label."""
        from selenium.webdriver.common.keys import Keys

        path = f"//input[@aria-label={_quoted(label)}] | //textarea[@aria-label={_quoted(label)}]"
        field = until(lambda: self.driver.find_elements("xpath", path), 30, f"the field '{label}'")[0]
        field.click()
        field.send_keys(Keys.CONTROL, "a")
        field.send_keys(text)
        if enter:
            field.send_keys(Keys.ENTER)
        self.settle()

    def choose(self, label: str, option: str) -> None:
        """In a selectbox."""
        self.write(label, option)

    def follow(self, words: str, *, settled: bool = True) -> None:
        """A link in a list or a table, by words that it contains."""
        self._click(f"//*[@role='link'][contains(normalize-space(.), {_quoted(words)})]", words)
        if settled:
            self.settle()

    def shot(self, name: str) -> Path:
        SHOTS.mkdir(parents=True, exist_ok=True)
        path = SHOTS / f"{name}.png"
        self.driver.save_screenshot(str(path))
        return path

    def run(self, script: str, *arguments: Any) -> Any:
        return self.driver.execute_script(script, *arguments)

    def requests(self) -> list[str]:
        """Addresses that the page asked for since the last call."""
        import json

        collected = []
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                collected.append(message["params"]["request"]["url"])
        return collected


def _quoted(text: str) -> str:
    """As an XPath string."""
    return f'"{text}"' if '"' not in text else f"'{text}'"
