"""How far long work is, on stderr: one line rewritten on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import shutil
import sys
import time

import click

EVERY_SECONDS = 30.0
"""How often a line is written where lines cannot be rewritten."""
BAR = 20
WIDEST = 120


class Progress:
    """Work of `total` parts, some of them `done` before."""

    def __init__(self, total: int, done: int = 0, what: str = "games", to: str = "play") -> None:
        self.total, self.done, self.what = total, done, what
        self._before, self._start = done, time.monotonic()
        self._said = self._start
        self._terminal = sys.stderr.isatty()
        if self._terminal:
            self._rewrite(self._line(""))
        else:
            click.echo(f"montego: {total - done} {what} to {to}", err=True)

    def show(self, done: int, news: str = "", total: int | None = None) -> None:
        """Some more is done."""
        self.done, self.total = done, self.total if total is None else total
        now = time.monotonic()
        if self._terminal:
            self._rewrite(self._line(news))
        elif now - self._said >= EVERY_SECONDS:
            self._said = now
            click.echo(f"montego: {self._line(news)}", err=True)

    def _line(self, news: str) -> str:
        share = self.done / self.total if self.total else 1.0
        parts = [f"{self.done} of {self.total} {self.what}", f"{duration(self.left)} left" if self.left else "", news]
        filled = round(BAR * min(share, 1.0))
        bar = f"[{'#' * filled}{'.' * (BAR - filled)}] " if self._terminal else ""
        return bar + ", ".join(filter(None, parts))

    @property
    def left(self) -> float | None:
        """Seconds, by the speed so far; None as long as there is none."""
        new = self.done - self._before
        return (time.monotonic() - self._start) / new * max(0, self.total - self.done) if new else None

    def _rewrite(self, text: str) -> None:
        width = max(1, min(WIDEST, shutil.get_terminal_size().columns - 1))  # a line that wraps cannot be rewritten
        click.echo(f"\r{text:<{width}.{width}}", nl=False, err=True)

    def close(self) -> None:
        if self._terminal:
            self._rewrite("")
            click.echo("\r", nl=False, err=True)


def duration(seconds: float | None) -> str:
    whole = round(seconds or 0)
    if whole < 120:
        return f"{whole} s"
    return f"{whole // 60} min" if whole < 7200 else f"{whole // 3600} h {whole // 60 % 60} min"
