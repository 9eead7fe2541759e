"""Debian's Chromium, driven by Playwright: what every test in a browser starts from."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
WIDTHS = (360, 768, 1440)


def executable() -> str:
    """Where Chromium is; the tests do not pass without it."""
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if found is None:
        pytest.fail("Chromium is not installed; run `make browser` as root, or install the package chromium yourself")
    return found


@contextmanager
def browser() -> Iterator[Browser]:
    """A browser with a fresh profile of its own, which Playwright makes and removes."""
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=executable(), headless=True, args=list(FLAGS))
        try:
            yield running
        finally:
            running.close()


@dataclass
class Opened:
    """A page with everything that it complained about and asked for."""

    page: Page
    complaints: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    @property
    def outside(self) -> list[str]:
        """Requests for anything but the file itself and what it carries."""
        own = self.page.url.split("#")[0]
        return [url for url in self.requests if not url.startswith("data:") and url.split("#")[0] != own]


def opened(running: Browser, file: Path, width: int = 1200, anchor: str = "", **options: Any) -> Opened:
    """The file in a context of its own; `options` are those of the context, such as java_script_enabled=False."""
    page = running.new_context(viewport={"width": width, "height": 900}, **options).new_page()
    found = Opened(page)
    page.on("console", lambda message: found.complaints.append(message.text) if message.type != "log" else None)
    page.on("pageerror", lambda error: found.complaints.append(str(error)))
    page.on("request", lambda request: found.requests.append(request.url))
    page.goto(file.resolve().as_uri() + anchor)
    return found


def overflow(page: Page) -> int:
    """Pixels by which the page is wider than its window."""
    return int(page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"))
