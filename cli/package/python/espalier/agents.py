"""Agents of a tree: the calls of their nodes, updates, and saving."""
from __future__ import annotations

import contextlib
import copy
import ctypes
from typing import Any, Callable, Iterable, Iterator, Optional, Sequence

from . import _c
from ._c import runtime
from .agent import Agent, Saved
from .asset import Asset, checked, words_of
from .command import Error
from .nodes import Call, Node, Result


class Agents(Sequence[Agent]):
    """Agents of one tree, whose blocks lie one after the other. `asset.agents(...)` makes them."""

    def __init__(self, asset: Asset, tree: str, count: int, user: Any, seed: int, log: Callable[[str], Any],
                 script: Optional[Callable[[str], bool]]) -> None:
        index = ctypes.c_uint32(0)
        if tree:
            if runtime.find(asset._tree(0), _c.TREES, tree.encode(), ctypes.byref(index)) != 0:
                raise Error(f"there is no tree '{tree}', but {', '.join(asset.trees) or 'none'}")
        elif len(asset.trees) != 1:
            raise Error(f"there are {len(asset.trees)} trees: name one of {', '.join(asset.trees)}")
        self.asset, self.user, self.tree = asset, user, asset.trees[index.value]
        self._view = asset._tree(index.value)
        self._selects = runtime.leaf_count(self._view) > 0
        self._stride = (runtime.agent_bytes(self._view) + 7) // 8 * 8
        self._blocks = words_of(self._stride * count)
        self._agents = [Agent(self, number, ctypes.addressof(self._blocks) + number * self._stride) for number in range(count)]
        self._shared, self._group = words_of(runtime.shared_bytes(self._view)), words_of(runtime.group_bytes(ctypes.byref(asset._view)))
        self._scratch = words_of(runtime.scratch_bytes(self._view))
        runtime.start_shared(self._view, self._shared)
        runtime.start_group(ctypes.byref(asset._view), self._group)
        for agent in self._agents:
            runtime.start(self._view, agent._block)
            runtime.seed(self._view, agent._block, (seed + (agent.number << 32)) & 0xFFFFFFFFFFFFFFFF)
        self._nodes: dict[tuple[int, str, int], Node] = {}
        self._data: dict[int, Any] = {}  # of signals, while they are raised
        self._fault: Optional[BaseException] = None
        self._message = ""
        self._depth = 0  # of calls of the runtime
        self._bound = asset._bound
        self._signals = asset._names(_c.SIGNALS, index.value)
        self._behaviors, self._conditions = self._table(asset.behaviors), self._table(asset.conditions)
        self._host = _c.Host(behaviors=self._behaviors, conditions=self._conditions, shared=ctypes.addressof(self._shared),
                             group=ctypes.addressof(self._group), scratch=ctypes.addressof(self._scratch))
        self._host.log = _c.LogCall(lambda call, text: self._logged(text.decode(errors="replace"), log))
        self._host.queue = _c.QueueCall(self._queue)
        if script is not None:
            self._host.script = _c.ScriptCall(self._script(script))

    def __len__(self) -> int:
        return len(self._agents)

    def __getitem__(self, index: Any) -> Any:
        return self._agents[index]

    def __iter__(self) -> Iterator[Agent]:
        return iter(self._agents)

    # ---- Calls of nodes

    def _table(self, names: list[str]) -> Any:
        """The functions of each name. Only those that its class has are called."""
        table = (_c.Behavior * max(1, len(names)))()
        for number, name in enumerate(names):
            kind = self._bound.get(name)
            for call, pointer in _c.CALLS.items():
                if kind and hasattr(kind, call):
                    setattr(table[number], call, pointer(self._caller(name, call)))
        return table

    def _caller(self, behavior: str, name: str) -> Callable[[Any], Any]:
        def call(pointer: Any) -> Any:
            call = pointer.contents
            agent = self._agents[call.agent_number]
            node = self._node(agent, behavior, call.node_word)
            given = (self._signals[call.signal], self._data.get(call.data)) if name == "event" else ()
            outer, node._call = node._call, Call(pointer, agent)
            try:
                answer = self._guarded(lambda: getattr(node, name)(*given), Result.FAILURE)
            finally:
                node._call = outer
            if name == "tick":
                return _result(answer, Result.RUNNING if call.activation else Result.SUCCESS)
            if name == "decide":
                return 0.0 if answer is Result.FAILURE else float(answer)
            if name in ("allow", "is_bound", "activate", "ask"):
                return _result(answer, Result.SUCCESS) == Result.SUCCESS
            return None
        return call

    def _script(self, script: Callable[[str], bool]) -> Callable[[Any, int], bool]:
        sources = self.asset._names(_c.SCRIPTS)


        def run(_: Any, number: int) -> bool:
            return bool(self._guarded(lambda: script(sources[number]), False))
        return run

    def _node(self, agent: Agent, behavior: str, word: int) -> Node:
        key = (agent.number, behavior, word)
        node = self._nodes.get(key)
        if node is None:
            node = self._nodes[key] = self._bound[behavior]()
            node.agent = agent
        return node

    def _guarded(self, function: Callable[[], Any], instead: Any) -> Any:
        """An exception cannot pass through the runtime: the first one of an update is raised at its end."""
        if self._fault is not None:
            return instead
        try:
            return function()
        except BaseException as fault:  # pylint: disable=broad-except
            self._fault = fault
            return instead

    def _logged(self, text: str, log: Callable[[str], Any]) -> None:
        self._message = text
        self._guarded(lambda: log(text), None)

    def _queue(self, call: Any, signal: int, receivers: int) -> None:
        """An event is for the sender, its group, or its group without it (espalier_receivers). Each gets it before its next update."""
        for agent in self._agents:
            if receivers == 1 or (agent.number == call.contents.agent_number) == (receivers == 0):
                agent._inbox.append(signal)

    @contextlib.contextmanager
    def _calling(self, number: int) -> Iterator[Any]:
        """The host, for a call of the runtime for this agent, which a node of another one may make during its own."""
        outer, self._host.first_agent = self._host.first_agent, number
        self._depth += 1
        try:
            yield ctypes.byref(self._host)
        finally:
            self._depth -= 1
            self._host.first_agent = outer

    def _raise_fault(self) -> None:
        fault, self._fault = self._fault, None
        if fault is not None:
            raise fault

    # ---- Updates

    @property
    def seconds(self) -> float:
        """The clock."""
        return float(self._host.clock_us / 1e6)

    def _begin(self, seconds: float, updated: Iterable[Agent]) -> None:
        """Of an update of these agents: the clock, and what was queued for them before."""
        if self._depth:
            raise Error("a node cannot update agents that are made with its own")
        if seconds < 0:
            raise ValueError("the clock cannot go back")
        self._host.clock_us += round(seconds * 1e6)
        for agent in updated:
            agent._take_inbox()

    def update(self, seconds: float = 0.0) -> list[Result]:
        """Advances the clock, and updates the agents one after the other. Raises what one of their nodes raises, and `Error` if one ends with
        an error; the agents after it are then not updated."""
        self._begin(seconds, self._agents)
        return [agent._update() for agent in self._agents]

    def update_all(self, seconds: float = 0.0) -> None:
        """The same in one call of the runtime, for very many agents, without watchers and without results: an agent that ends with an error
        does not stop the others; `log` gets why."""
        self._begin(seconds, self._agents)
        with self._calling(0) as host:
            runtime.update_all(self._view, self._blocks, self._stride, len(self._agents), host)
        self._raise_fault()

    # ---- Saving

    def save(self) -> Saved:
        """All agents, with what they share."""
        nodes = {key: copy.deepcopy(node.state) for key, node in self._nodes.items()}
        return Saved(self.asset.hash, self.tree, bytes(self._blocks), nodes, self._host.clock_us, bytes(self._shared), bytes(self._group),
                     tuple(tuple(agent._inbox) for agent in self._agents))

    def restore(self, saved: Saved) -> None:
        """Puts all of them back, as they were. The bytes are checked, so that they may come from a file."""
        self._check(saved, self._stride * len(self._agents))
        if len(saved.shared) != len(bytes(self._shared)) or len(saved.group) != len(bytes(self._group)):
            raise Error("these agents were not saved together with what they share")
        shared, blocks = self._copied(saved.shared), self._copied(saved.blocks)
        checked(runtime.check_shared(self._view, shared), "what agents share")
        for agent in self._agents:
            checked(runtime.check_agent(self._view, ctypes.addressof(blocks) + agent.number * self._stride, shared), f"agent {agent.number}")
        for to, data in ((self._blocks, saved.blocks), (self._shared, saved.shared), (self._group, saved.group)):
            ctypes.memmove(to, data, len(data))
        self._host.clock_us = saved.clock_us
        for agent, inbox in zip(self._agents, saved.inboxes):
            agent._inbox = list(inbox)
        self._nodes = {}
        self._put_nodes(saved, None)

    def _check(self, saved: Saved, size_bytes: int) -> None:
        if saved.asset != self.asset.hash or saved.tree != self.tree:
            raise Error(f"saved of '{saved.tree}' of another asset, or of another tree than '{self.tree}'")
        if len(saved.blocks) != size_bytes:
            raise Error("another number of agents was saved")

    @staticmethod
    def _copied(data: bytes) -> Any:
        words = words_of(len(data))
        ctypes.memmove(words, data, len(data))
        return words

    def _put_nodes(self, saved: Saved, agent: Optional[Agent]) -> None:
        for (number, behavior, word), state in saved.nodes.items():
            vars(self._node(agent or self._agents[number], behavior, word)).update(copy.deepcopy(state))


def _result(answer: Any, instead: Result) -> Result:
    if answer is None:
        return instead
    if isinstance(answer, bool):
        return Result.SUCCESS if answer else Result.FAILURE
    return Result(answer)
