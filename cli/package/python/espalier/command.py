"""The program `espalier`, and its results as objects."""
from __future__ import annotations

import dataclasses
import json
import os
import pathlib
import re
import subprocess
import xml.etree.ElementTree
from typing import Any, Iterable, Mapping, Optional, Sequence, Union

from ._c import beside

PathLike = Union[str, "os.PathLike[str]"]
Option = Union[bool, str, int, float, PathLike, Sequence[Union[str, PathLike]]]


class Error(Exception):
    """The program or the runtime could not do what it was asked to; the text says why."""


def program() -> str:
    """The path of the program."""
    return beside("ESPALIER_PROGRAM", "espalier")


def run(words: Iterable[PathLike], *, text: str = "", folder: Optional[PathLike] = None) -> "subprocess.CompletedProcess[bytes]":
    """Runs any command, such as `run(["fmt", "--check", "trees"])`, in this folder, with a text as its standard input."""
    return subprocess.run([program(), *(os.fspath(word) for word in words)], input=text.encode(), capture_output=True, cwd=folder, check=False)


def _words(options: Mapping[str, Option]) -> list[str]:
    """`fail_on="note"` is `--fail-on note`; True sets a flag; a sequence repeats an option."""
    words: list[str] = []
    for name, value in options.items():
        flag = "--" + name.replace("_", "-")
        values = value if isinstance(value, (list, tuple)) else [value]
        for each in values:
            if each is True:
                words.append(flag)
            elif each is not False:
                words += [flag, os.fspath(each) if isinstance(each, os.PathLike) else str(each)]
    return words


def _output(verb: str, paths: Sequence[PathLike], options: Mapping[str, Option], most: int = 2, **more: Any) -> bytes:
    """What the command writes to its standard output. Raises `Error` if its exit status is above `most`, or it failed and wrote nothing."""
    done = run([verb, *_words(options), *(["--", *paths] if paths else [])], **more)
    if done.returncode > most or (done.returncode != 0 and not done.stdout):
        raise Error(done.stderr.decode(errors="replace").strip() or f"espalier {verb} ended with exit status {done.returncode}")
    return done.stdout


# ---- Findings ----------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Finding:
    code: str
    rule: str
    severity: str  # error, warning or note
    file: str
    line: int  # from 1
    column: int  # from 1, in bytes of UTF-8
    message: str
    hint: Optional[str] = None
    end_line: int = 0
    end_column: int = 0
    related: tuple[Mapping[str, Any], ...] = ()
    fix: Optional[Mapping[str, Any]] = None
    witness: Any = None

    def __str__(self) -> str:
        hint = f" ({self.hint})" if self.hint else ""
        return f"{self.file}:{self.line}:{self.column}: {self.severity}: {self.message}{hint} [{self.rule} {self.code}]"


def _made(kind: Any, object: Mapping[str, Any]) -> Any:
    """A dataclass from a JSON object; members that this version does not know are left out."""
    names = {field.name for field in dataclasses.fields(kind)}
    members = {re.sub("[A-Z]", lambda letter: "_" + str(letter[0]).lower(), name): value for name, value in object.items()}
    return kind(**{name: tuple(value) if name in ("related", "trace") and value is not None else value
                   for name, value in members.items() if name in names})


@dataclasses.dataclass(frozen=True)
class Findings(Sequence[Finding]):
    """The findings of a run, in the order of files and lines; `summary` counts them."""
    all: tuple[Finding, ...]
    summary: Mapping[str, int]

    def __getitem__(self, index: Any) -> Any:
        return self.all[index]

    def __len__(self) -> int:
        return len(self.all)

    @property
    def errors(self) -> list[Finding]:
        return [finding for finding in self.all if finding.severity == "error"]


def lint(*paths: PathLike, folder: Optional[PathLike] = None, **options: Option) -> Findings:
    """Checks trees. Options are those of `espalier lint`: `lint("trees", baseline="accepted.json")`."""
    written = _output("lint", paths, {"format": "json", **options}, most=1, folder=folder)
    report = json.loads(written or '{"findings": [], "summary": {}}')  # it writes nothing with `write_baseline`
    return Findings(tuple(_made(Finding, finding) for finding in report["findings"]), report["summary"])


# ---- Traces and properties ---------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class TraceResult:
    file: str
    name: str
    holds: bool
    story: str  # of a trace that does not hold: what happened, and what was expected instead


@dataclasses.dataclass(frozen=True)
class Replay(Sequence[TraceResult]):
    """What came of traces. True if all expectations hold."""
    all: tuple[TraceResult, ...]

    def __getitem__(self, index: Any) -> Any:
        return self.all[index]

    def __len__(self) -> int:
        return len(self.all)

    @property
    def holds(self) -> bool:
        return all(result.holds for result in self.all)

    def __bool__(self) -> bool:
        return self.holds


def replay(*paths: PathLike, trace: Option, folder: Optional[PathLike] = None, **options: Option) -> Replay:
    """Runs traces against trees or an asset: `replay("trees", trace="low_battery.trace.jsonl")`. `trace` is a file, a folder or a
    list of them. Trees with errors, and traces that cannot be read, are results that do not hold."""
    report = _output("replay", paths, {"format": "junit", "trace": trace, **options}, folder=folder)
    results = []
    for case in xml.etree.ElementTree.fromstring(report.decode()).iter("testcase"):
        faults = [fault.text or fault.get("message") or "" for fault in case if fault.tag in ("failure", "error")]  # others are warnings
        results.append(TraceResult(case.get("classname", ""), case.get("name", ""), not faults, "\n".join(faults)))
    return Replay(tuple(results))


def events(*paths: PathLike, trace: Option, folder: Optional[PathLike] = None, **options: Option) -> list[dict[str, Any]]:
    """What happens in traces, event by event: `{"t": 0.1, "agent": 0, "event": "enter", "name": "FollowPath"}`. Raises `Error` if trees or
    traces have errors."""
    return events_of(_output("replay", paths, {"format": "jsonl", "trace": trace, **options}, folder=folder))


def events_of(output: bytes) -> list[dict[str, Any]]:
    """The events among the lines that `replay --format jsonl` writes; the others are findings."""
    lines = [json.loads(line) for line in output.decode().splitlines()]
    errors = [line for line in lines if line.get("severity") == "error" and line["rule"] != "failed-expectation"]
    if errors:
        raise Error("\n".join(str(_made(Finding, line)) for line in errors))
    return [line for line in lines if "event" in line]


@dataclasses.dataclass(frozen=True)
class Proof:
    name: str  # of the property
    tree: str
    result: str  # holds, fails or undecided
    steps: Optional[int] = None
    trace: Optional[tuple[Mapping[str, Any], ...]] = None  # the lines that show the result
    hint: Optional[str] = None
    file: Optional[str] = None
    line: int = 0
    column: int = 0

    @property
    def holds(self) -> bool:
        return self.result == "holds"

    def story(self, *paths: PathLike, folder: Optional[PathLike] = None) -> str:
        """What happens in the trace that shows the result, run against these trees."""
        lines = [{"trace": 1, "tree": self.tree, "name": self.name}, *(self.trace or ())]
        text = "".join(json.dumps(line) + "\n" for line in lines)
        done = run(["replay", "--trace", "-", "-v", *(["--", *paths] if paths else [])], text=text, folder=folder)
        return (done.stdout + done.stderr).decode(errors="replace")


def prove(*paths: PathLike, folder: Optional[PathLike] = None, **options: Option) -> list[Proof]:
    """Decides properties for all runs: `prove("trees", properties="guard.properties.json")`. Raises `Error` if the trees have errors."""
    report = json.loads(_output("prove", paths, {"format": "json", **options}, folder=folder))
    if report.get("findings"):
        raise Error("\n".join(str(_made(Finding, finding)) for finding in report["findings"]))
    return [_made(Proof, {"name": result["property"], **result}) for result in report["results"]]


def compile(*paths: PathLike, folder: Optional[PathLike] = None, **options: Option) -> bytes:
    """The asset of these trees, for `espalier.Asset`. Raises `Error` with the findings if the trees have errors."""
    done = run(["compile", "-o", "-", *_words(options), *(["--", *paths] if paths else [])], folder=folder)
    if done.returncode != 0:
        raise Error(done.stderr.decode(errors="replace").strip())
    return done.stdout


def main() -> None:
    """The command: becomes the program."""
    import sys
    path = program()
    if not pathlib.Path(path).exists():
        sys.exit(f"espalier: '{path}' is missing")
    os.execv(path, ["espalier", *sys.argv[1:]])
