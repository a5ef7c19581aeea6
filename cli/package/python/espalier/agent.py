"""One agent: its updates, what it does, and its values."""
from __future__ import annotations

import copy
import ctypes
import dataclasses
import typing
from typing import Any, Callable, NamedTuple, Optional, Union

from . import _c
from ._c import runtime
from .asset import Asset, Place, checked
from .command import Error
from .nodes import Result, c_value, python_value

if typing.TYPE_CHECKING:
    from .agents import Agents

Value = Union[bool, int, float, str, None]


class Step(NamedTuple):
    """One step of an update, for watchers."""
    kind: str  # begin, complete, interrupt, send, restart, skip, reset; condition; and those of deciders, such as activated
    node: Place
    value: Union[Result, float, bool, None] = None  # complete: its result; condition: whether it holds; of deciders: a number


_NODE_STEPS = ("begin", "complete", "interrupt", "send", "restart", "skip", "reset")
_DECIDE_STEPS = ("activated", "deactivated", "refused", "failed", "decides_again", "overrun", "begin", "ticked", "end", "visited", "goes_on",
                 "switches", "masked", "every_failed", "flags_all_failed", "flags_any_failed", "stimuli_all_failed", "stimuli_any_failed",
                 "decided", "asked", "chosen", "refused_all", "breach")


@dataclasses.dataclass(frozen=True)
class Saved:
    """What `save` makes: it can be pickled if the attributes of the nodes can be."""
    asset: str
    tree: str
    blocks: bytes
    nodes: dict[tuple[int, str, int], dict[str, Any]]  # by agent, behaviour and node
    clock_us: int
    shared: bytes = b""
    group: bytes = b""
    inboxes: tuple[tuple[int, ...], ...] = ()


class Agent:
    """One running instance of a tree. `asset.agent(...)` makes it."""

    def __init__(self, agents: Agents, number: int, block: int) -> None:
        self._agents, self.number, self._block = agents, number, block
        self._watchers: list[Callable[[Step], Any]] = []
        self._inbox: list[int] = []  # events that were queued for it

    @property
    def asset(self) -> Asset:
        return self._agents.asset

    @property
    def user(self) -> Any:
        return self._agents.user

    @property
    def seconds(self) -> float:
        """The clock."""
        return self._agents.seconds

    def update(self, seconds: float = 0.0) -> Result:
        """Advances the clock, which all agents have that were made together, and updates this one. Raises what one of its nodes raises, and
        `Error` if the update ends with an error."""
        self._agents._begin(seconds, [self])
        return self._update()

    def _update(self) -> Result:
        agents = self._agents
        agents._message = ""
        with agents._calling(self.number) as host:
            if self._watchers:
                result = runtime.update_watched(agents._view, self._block, host, ctypes.byref(self._watcher()))
            else:
                result = runtime.update(agents._view, self._block, host)
        agents._raise_fault()
        if result == Result.ERROR:
            raise Error(agents._message or f"the update of '{agents.tree}' ended with an error")
        return Result(result)

    def stop(self) -> None:
        """Leaves or interrupts what runs."""
        with self._agents._calling(self.number) as host:
            runtime.stop(self._agents._view, self._block, host)
        self._agents._raise_fault()

    # ---- Watching

    def watch(self, watcher: Callable[[Step], Any]) -> Callable[[], None]:
        """Calls a function with each step of updates, until the function that this returns is called."""
        self._watchers.append(watcher)
        return lambda: self._watchers.remove(watcher)

    def _watcher(self) -> _c.Watcher:
        def tell(kind: str, word: int, value: Union[Result, float, bool, None] = None) -> None:
            step = Step(kind, self.asset.node(word), value)
            for watcher in list(self._watchers):
                self._agents._guarded(lambda watcher=watcher: watcher(step), None)  # type: ignore[misc]

        def on_node(_: Any, step: Any) -> None:
            kind, value = _NODE_STEPS[step.contents.kind], step.contents.value
            tell(kind, step.contents.node_word, Result(value) if kind == "complete" else None)

        def on_decide(_: Any, step: Any) -> None:
            tell(_DECIDE_STEPS[step.contents.kind], step.contents.node_word, step.contents.value)

        def on_condition(_: Any, step: Any) -> None:
            tell("condition", step.contents.node_word, step.contents.holds)

        return _c.Watcher(node=_c.NodeWatch(on_node), decide=_c.DecideWatch(on_decide), step=_c.ConditionWatch(on_condition))

    @property
    def active(self) -> list[Place]:
        """The nodes that are active now, parents before their children. Of a tree that selects: nothing, see `behavior`."""
        words: list[int] = []
        runtime.visit_active(self._agents._view, self._block, _c.Visit(lambda _, word: words.append(word)), None)
        return [self.asset.node(word) for word in words]

    @property
    def behavior(self) -> Optional[str]:
        """The current behaviour, of a tree that selects."""
        number = runtime.current_behavior(self._agents._view, self._block)
        return None if number == _c.NONE else self.asset.behaviors[number]

    def text(self, *, active_only: bool = False) -> str:
        """The tree with what is active, a line a node."""
        options = _c.PrintOptions(active_only=active_only, host=ctypes.pointer(self._agents._host))
        given = (self._agents._view, self._block, ctypes.byref(options))
        buffer = ctypes.create_string_buffer(runtime.print_text(*given, None, 0) + 1)
        runtime.print_text(*given, buffer, len(buffer))
        return buffer.value.decode()

    __str__ = text

    # ---- Values

    def _find(self, kind: int, name: str) -> Optional[int]:
        number = ctypes.c_uint32()
        return number.value if runtime.find(self._agents._view, kind, name.encode(), ctypes.byref(number)) == 0 else None

    def _entry(self, name: str, path: str) -> Optional[int]:
        number = ctypes.c_uint32()
        return number.value if runtime.find_entry(self._agents._view, path.encode(), name.encode(), ctypes.byref(number)) == 0 else None

    def _found(self, name: str) -> tuple[Optional[int], Optional[int]]:
        """The variable of this name; else the entry, of the tree's own blackboard or that of a subtree: "home/target"."""
        variable = self._find(_c.VARIABLES, name)
        if variable is not None:
            return variable, None
        path, _, last = name.rpartition("/")
        entry = self._entry(name, "")
        return None, self._entry(last, path) if entry is None and path else entry

    def __getitem__(self, name: str) -> Value:
        """A variable, or an entry of a blackboard: None if it has no value. "home/target" is that of a subtree."""
        variable, entry = self._found(name)
        if variable is not None:
            return bool(runtime.variable(self._agents._view, self._block, variable))
        if entry is None:
            raise KeyError(f"'{self._agents.tree}' has no variable and no entry '{name}'")
        value = _c.Value()
        runtime.entry(self._agents._view, self._block, entry, ctypes.byref(value))
        return python_value(value)

    def __setitem__(self, name: str, value: Union[bool, int, float, str]) -> None:
        view = self._agents._view
        variable, entry = self._found(name)
        if variable is not None:
            runtime.set(view, self._block, variable, bool(value))
            return
        if entry is None:
            number = ctypes.c_uint32()
            if runtime.name_entry(view, self._block, name.encode(), ctypes.byref(number)) != 0:
                raise KeyError(f"'{self._agents.tree}' has no variable and no entry '{name}'")
            entry = number.value
        if isinstance(value, bool):
            written = runtime.set_entry_boolean(view, self._block, entry, value)
        else:
            written = runtime.set_entry(view, self._block, entry, ctypes.byref(c_value(value)))
        if not written:
            raise Error(f"{value!r} cannot be written to '{name}', which has another type")

    def signal(self, name: str, data: Any = None) -> None:
        """Raises a signal. `data` is passed to `event` of nodes; of deciders it is at most 16 bytes."""
        number = self._find(_c.SIGNALS, name)
        if number is None:
            raise KeyError(f"'{self._agents.tree}' has no signal '{name}'")
        self._raise_signal(number, data)
        self._agents._raise_fault()

    def inject(self, slot: str, tree: Optional[str], *, immediate: bool = False) -> None:
        """Puts a tree of the asset into a slot of this agent; None takes it out. The slot runs it when it begins next, or at once."""
        number, index = self._find(_c.SLOTS, slot), _c.NONE if tree is None else self._find(_c.TREES, tree)
        if number is None or index is None:
            raise KeyError(f"there is no slot '{slot}'" if number is None else f"there is no tree '{tree}'")
        with self._agents._calling(self.number) as host:
            checked(runtime.inject(self._agents._view, self._block, number, index, immediate, host), f"the slot '{slot}'")
        self._agents._raise_fault()

    def _take_inbox(self) -> None:
        inbox, self._inbox = self._inbox, []
        for number in inbox:
            self._raise_signal(number, None)

    def _raise_signal(self, number: int, data: Any) -> None:
        agents = self._agents
        given: Any = None
        if data is not None and runtime.count(agents._view, _c.STIMULI):
            given = ctypes.pointer(_c.StimulusData(bytes(data), len(data)))
        elif data is not None:
            given = ctypes.pointer(ctypes.c_uint64())  # stands for the object
        address = ctypes.cast(given, ctypes.c_void_p).value if given is not None else None
        if address is not None:
            agents._data[address] = data
        with agents._calling(self.number) as host:
            runtime.signal(agents._view, self._block, number, host, address)
        if address is not None:
            del agents._data[address]

    # ---- Saving

    def save(self) -> Saved:
        """This agent alone. Agents of trees that store are saved together: `Agents.save`."""
        agents = self._agents
        nodes = {(0, *key[1:]): copy.deepcopy(node.state) for key, node in agents._nodes.items() if key[0] == self.number}
        return Saved(agents.asset.hash, agents.tree, ctypes.string_at(self._block, agents._stride), nodes, agents._host.clock_us, inboxes=(tuple(self._inbox),))

    def restore(self, saved: Saved) -> None:
        """Puts it back, in the place of this agent, which keeps its clock. The bytes are checked, so that they may come from a file."""
        agents = self._agents
        agents._check(saved, agents._stride)
        block = agents._copied(saved.blocks)
        checked(runtime.check_agent(agents._view, block, agents._shared), "the saved agent")
        with agents._calling(self.number) as host:
            runtime.restore(agents._view, self._block, block, host)
        if ctypes.string_at(self._block, agents._stride) != saved.blocks:
            raise Error("agents of this tree are saved and restored together: Agents.save")
        self._inbox = [number for inbox in saved.inboxes for number in inbox]
        for key in [key for key in agents._nodes if key[0] == self.number]:
            del agents._nodes[key]
        agents._put_nodes(saved, self)
