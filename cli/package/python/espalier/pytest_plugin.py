"""For pytest: each trace and each property is a test, and `espalier_tree` scripts a tree."""
from __future__ import annotations

import functools
import json
import os
import tempfile
from pathlib import Path
from typing import Any, Callable, Iterator, Optional

import pytest

from .command import Error, Option, Proof, prove, replay
from .script import Script


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addini("espalier_trees", type="paths", default=[],
                  help="what traces and properties are for: trees or an asset (default: the project of the nearest espalier.json, else the "
                       "nearest folder with trees, from that of the file upwards)")
    parser.addini("espalier_budget", default="", help="limit of exploration for each tree, such as 100000 or 30s: espalier prove --budget")
    parser.addini("espalier_strict", type="bool", default=False, help="warnings about traces are failures: espalier replay --strict")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> Optional[pytest.Collector]:
    kind: Any = None
    if file_path.name.endswith(".trace.jsonl"):
        kind = TraceFile
    elif file_path.name.endswith(".properties.json") or (file_path.name == "espalier.json" and properties_of(file_path)):
        kind = PropertiesFile
    return kind and kind.from_parent(parent, path=file_path)  # type: ignore[no-any-return]


def properties_of(path: Path) -> list[Any]:
    """None if it cannot be read: `prove` says what is wrong with it."""
    try:
        return list(json.loads(path.read_text(encoding="utf-8"))["properties"])
    except (ValueError, LookupError, TypeError):
        return []


class Failure(Exception):
    """The text is all that is shown."""


def trees_of(node: pytest.Item | pytest.File) -> list[Path]:
    return list(node.config.getini("espalier_trees"))


def folder_of(node: pytest.Item | pytest.File) -> Path:
    """The folder whose trees a file is for."""
    for folder in node.path.parents:
        if (folder / "espalier.json").exists() or any(folder.glob("*.xml")) or any(folder.glob("*.debt")):
            return folder
        if folder == node.config.rootpath:
            break
    return node.path.parent


class Item(pytest.Item):
    def repr_failure(self, excinfo: Any, style: Any = None) -> Any:
        return str(excinfo.value) if isinstance(excinfo.value, (Failure, Error)) else super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, 0, self.name


class TraceFile(pytest.File):
    def collect(self) -> Iterator[pytest.Item]:
        try:
            name = json.loads(self.path.read_text(encoding="utf-8").splitlines()[0])["name"]
        except (ValueError, LookupError, TypeError):  # replay says what is wrong with it
            name = "replay"
        yield TraceItem.from_parent(self, name=str(name))


class TraceItem(Item):
    def runtest(self) -> None:
        results = replay(*trees_of(self), trace=os.path.relpath(self.path, folder_of(self)), folder=folder_of(self),
                         strict=self.config.getini("espalier_strict"))
        if not results:
            raise Failure("\n".join(result.story for result in results if not result.holds))


class PropertiesFile(pytest.File):
    def collect(self) -> Iterator[pytest.Item]:
        names = [str(each["name"]) for each in properties_of(self.path) if isinstance(each, dict) and "name" in each]
        for name in names or ["prove"]:
            yield PropertyItem.from_parent(self, name=name)

    @functools.cached_property
    def proofs(self) -> list[Proof]:
        """Of all properties of the file, which share the exploration of their trees."""
        options: dict[str, Option] = {}
        if self.config.getini("espalier_budget"):
            options["budget"] = self.config.getini("espalier_budget")
        if self.path.name != "espalier.json":
            return prove(*trees_of(self), folder=folder_of(self), properties=self.path, **options)
        with tempfile.NamedTemporaryFile("w", suffix=".properties.json", encoding="utf-8") as alone:
            json.dump({"properties": properties_of(self.path)}, alone)
            alone.flush()
            return prove(*trees_of(self), folder=folder_of(self), properties=alone.name, **options)


class PropertyItem(Item):
    def runtest(self) -> None:
        assert isinstance(self.parent, PropertiesFile)
        proofs = [proof for proof in self.parent.proofs if proof.name == self.name]
        failed = [proof for proof in proofs if not proof.holds]
        if failed or not proofs:
            raise Failure("\n".join(map(self._told, failed)) or f"no tree has the property '{self.name}'")

    def _told(self, proof: Proof) -> str:
        if proof.result != "fails":
            return f"{proof.tree}: {proof.name}: {proof.result}; a larger espalier_budget may decide it"
        hint = f"\nhint: {proof.file}:{proof.line}:{proof.column}: {proof.hint}" if proof.hint else ""
        story = proof.story(*trees_of(self), folder=folder_of(self))
        return f"{proof.tree}: {proof.name}: fails\n{story}{hint}"


@pytest.fixture
def espalier_tree(request: pytest.FixtureRequest) -> Callable[..., Script]:
    """Scripts a tree: `espalier_tree("drive.xml", tree="Drive")`. Paths are relative to the folder of the test's file."""
    return functools.partial(Script, name=request.node.name, folder=request.path.parent)
