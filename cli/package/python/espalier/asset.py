"""Assets: compiled trees, and what is bound to their names."""
from __future__ import annotations

import ctypes
import pathlib
import typing
from typing import Any, Callable, NamedTuple, Optional

from . import _c, command
from ._c import runtime
from .command import Error
from .nodes import Implementation, Node, node_class

if typing.TYPE_CHECKING:
    from .agent import Agent
    from .agents import Agents


class Place(NamedTuple):
    """A node of a tree, and where it is in the source. Stripped assets have neither names nor places."""
    name: str
    file: str
    line: int  # from 1
    column: int  # from 1, in bytes of UTF-8


def checked(status: int, what: str) -> None:
    if status != 0:
        raise Error(f"{what}: {runtime.status_text(status).decode()}")


def words_of(size_bytes: int) -> Any:
    """Memory at a multiple of 8."""
    return (ctypes.c_uint64 * max(1, (size_bytes + 7) // 8))()


class Asset:
    """Compiled trees: of a file (`Asset.read`), or of trees that are compiled now (`Asset.compile`)."""

    def __init__(self, data: bytes) -> None:
        self._bytes = words_of(len(data))
        ctypes.memmove(self._bytes, data, len(data))
        self._view = _c.AssetView()
        fault = _c.Fault()
        status = runtime.open(self._bytes, len(data), ctypes.byref(self._view), ctypes.byref(fault))
        if status != 0:
            reason = f" ({fault.reason.decode()}, at byte {fault.offset_bytes})" if fault.reason else ""
            raise Error(runtime.status_text(status).decode() + reason)
        self.hash = data[_c.ASSET_HASH].hex()
        self._bound: dict[str, type[Node]] = {}

    @classmethod
    def read(cls, path: command.PathLike) -> "Asset":
        return cls(pathlib.Path(path).read_bytes())

    @classmethod
    def compile(cls, *paths: command.PathLike, folder: Optional[command.PathLike] = None, **options: command.Option) -> "Asset":
        """Raises `Error` with the findings if the trees have errors."""
        return cls(command.compile(*paths, folder=folder, **options))

    def _tree(self, index: int) -> _c.Tree:
        return _c.Tree(ctypes.pointer(self._view), index)

    def _names(self, kind: int, tree: int = 0) -> list[str]:
        view = self._tree(tree)
        return [runtime.name(view, kind, i).decode() for i in range(runtime.count(view, kind))]

    @property
    def trees(self) -> list[str]:
        return self._names(_c.TREES)

    @property
    def behaviors(self) -> list[str]:
        """What trees call the program for: actions, or behaviours."""
        return self._names(_c.BEHAVIORS)

    @property
    def conditions(self) -> list[str]:
        """What trees ask the program."""
        return self._names(_c.CONDITIONS)

    def node(self, word: int) -> Place:
        place = runtime.node_place(ctypes.byref(self._view), word)
        return Place(runtime.node_name(ctypes.byref(self._view), word).decode(), place.file.decode(), place.line, place.column)

    def bind(self, *nodes: Implementation, **named: Implementation) -> "Asset":
        """Binds functions and classes of nodes, by their own names or the given ones, in place of earlier ones. Raises `Error` if the trees
        have behaviours or conditions of other names. Agents that were made before keep what they have."""
        bound = {**self._bound, **{node.__name__: node_class(node) for node in nodes},
                 **{name: node_class(node) for name, node in named.items()}}
        missing = [name for name in self.behaviors + self.conditions if name not in bound]
        if missing:
            raise Error("nothing is bound to " + ", ".join(f"'{name}'" for name in missing))
        self._bound = bound
        return self

    def agents(self, tree: str = "", count: int = 1, *, user: Any = None, seed: int = 1, log: Optional[Callable[[str], Any]] = None,
               script: Optional[Callable[[str], bool]] = None) -> "Agents":
        """Starts agents of a tree; without a name, of the only tree. They share a clock, and what agents of a tree share (gates, limits).
        `user` is for your nodes: `self.agent.user`. `log` gets messages of trees; `script` runs the scripts of trees that tick."""
        from .agents import Agents
        return Agents(self, tree, count, user, seed, log or (lambda text: None), script)

    def agent(self, tree: str = "", **options: Any) -> "Agent":
        """The same, of one agent."""
        agent: Agent = self.agents(tree, 1, **options)[0]
        return agent
