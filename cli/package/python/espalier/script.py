"""Scripts a tree in Python: each call is a line of a trace, and `expect` replays the lines so far."""
from __future__ import annotations

import json
import pathlib
from typing import Any, Mapping, Optional, Sequence, Union

from .command import Error, Option, PathLike, _words, events_of, run

Answer = Union[bool, int, float, str, Mapping[str, Any], Sequence[Any]]


class Script:
    """A trace of a tree: `Script("drive.xml", tree="Drive")`. Without paths it is of the project of the nearest `espalier.json`, else of the
    folder. `header` has other keys of the first line of a trace, such as `agents=2` and `seed=7`; the manual of traces explains all lines.
    Names that are no Python names are given as an object: `host({"Move@12": "success"})`."""

    def __init__(self, *paths: PathLike, tree: str = "", name: str = "", folder: Optional[PathLike] = None,
                 options: Optional[Mapping[str, Option]] = None, **header: Any) -> None:
        self._paths, self._folder, self._options = paths, folder, options or {}
        first = {"trace": 1, "tree": tree, "name": name, **header}
        self.lines: list[dict[str, Any]] = [{key: value for key, value in first.items() if value != ""}]

    def line(self, **keys: Any) -> "Script":
        """Adds any line: `line(spawn=2, tree="Guard")`."""
        self.lines.append(keys)
        return self

    def host(self, answers: Mapping[str, Answer] = {}, /, **named: Answer) -> "Script":
        """What nodes answer from now on: `host(IsBatteryLow=False, FollowPath="running")`; a list is used one a call."""
        return self.line(host={**answers, **named})

    def set(self, values: Mapping[str, Any] = {}, /, **named: Any) -> "Script":
        """Sets variables, or entries of the blackboard."""
        return self.line(set={**values, **named})

    def signal(self, name: str, **more: Any) -> "Script":
        return self.line(signal=name, **more)

    def tick(self, seconds: float = 0.1, **more: Any) -> "Script":
        """Advances the clock, and updates."""
        return self.line(tick=seconds, **more)

    def expect(self, values: Mapping[str, Any] = {}, /, **named: Any) -> "Script":
        """What must hold now: `expect(running=["FollowPath"], status="running")`. Raises `AssertionError` with the story if it does not."""
        __tracebackhide__ = True
        self.line(expect={**values, **named})
        done = self._replay("-v")
        if done.returncode == 2:
            raise Error(done.stderr.decode(errors="replace").strip())
        if done.returncode != 0:
            raise AssertionError((done.stdout + done.stderr).decode(errors="replace").strip())
        return self

    @property
    def text(self) -> str:
        """The trace."""
        return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in self.lines)

    def write(self, path: PathLike) -> None:
        """Keeps it as a file, `NAME.trace.jsonl`."""
        pathlib.Path(path).write_text(self.text, encoding="utf-8")

    @property
    def events(self) -> list[dict[str, Any]]:
        """What has happened so far: `{"t": 0.1, "agent": 0, "event": "enter", "name": "FollowPath"}`."""
        return events_of(self._replay("--format", "jsonl").stdout)

    def _replay(self, *words: str) -> Any:
        paths = ["--", *self._paths] if self._paths else []
        return run(["replay", "--trace", "-", *words, *_words(self._options), *paths], text=self.text, folder=self._folder)
