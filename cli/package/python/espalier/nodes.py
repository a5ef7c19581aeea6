"""Nodes of trees as Python functions and classes, with typed ports."""
from __future__ import annotations

import ctypes
import enum
import inspect
import typing
from typing import Any, Callable, Generic, Optional, TypeVar, Union, overload

from . import _c
from ._c import runtime
from .command import Error

if typing.TYPE_CHECKING:
    from .agent import Agent

T = TypeVar("T")
Answer = Union["Result", bool, None]


class Result(enum.IntEnum):
    """The result of an update, or of a node. Nodes may also answer True (success), False (failure) and None (success; in deciders: it
    continues)."""
    RUNNING = 0
    FAILURE = 1
    SUCCESS = 2
    STOPPED = 3
    ERROR = 4
    SKIPPED = 5


class _Missing(enum.Enum):
    MISSING = 0


MISSING = _Missing.MISSING


class Call:
    """The node that the runtime calls, while it does."""

    def __init__(self, pointer: Any, agent: "Agent") -> None:
        self._pointer = pointer
        self.agent = agent
        self.word: int = pointer.contents.node_word

    @property
    def name(self) -> str:
        """Of the node, as its author named it."""
        return self.agent.asset.node(self.word).name

    @property
    def seconds(self) -> float:
        """The clock."""
        return float(self._pointer.contents.clock_us / 1e6)

    def read(self, port: str) -> Any:
        """The value of an input, or of an attribute: a number, a text, a truth value or a list of three numbers. Raises `KeyError` if there
        is none."""
        number = ctypes.c_uint32()
        if runtime.find_port(self._pointer, port.encode(), ctypes.byref(number)) == 0:
            value = _c.Value()
            if runtime.read_port(self._pointer, number, ctypes.byref(value), ctypes.create_string_buffer(32)):
                return python_value(value)
        parameter = _c.Parameter()
        if runtime.find_parameter(self._pointer, port.encode(), ctypes.byref(parameter)) == 0:
            return _parameter_value(parameter)
        raise KeyError(port)

    def write(self, port: str, value: Union[bool, int, float, str]) -> None:
        """Writes an output. Raises `Error` if the node has no such output, or its entry has another type."""
        number = ctypes.c_uint32()
        if runtime.find_port(self._pointer, port.encode(), ctypes.byref(number)) != 0:
            raise Error(f"{self.name} has no port '{port}'")
        if isinstance(value, bool):
            written = runtime.write_port_boolean(self._pointer, number, value)
        else:
            written = runtime.write_port(self._pointer, number, ctypes.byref(c_value(value)))
        if not written:
            raise Error(f"{self.name}: {value!r} cannot be written to the port '{port}'")


def python_value(value: _c.Value) -> Union[int, float, str, None]:
    if value.kind in (_c.WHOLE, _c.UNSIGNED):
        return int(value.whole)
    if value.kind == _c.REAL:
        return float(value.real)
    if value.kind == _c.TEXT:
        return ctypes.string_at(value.text, value.text_bytes).decode(errors="replace")
    return None


def c_value(value: Union[int, float, str]) -> _c.Value:
    if isinstance(value, int):
        return _c.Value(kind=_c.WHOLE, whole=value)
    if isinstance(value, float):
        return _c.Value(kind=_c.REAL, real=value)
    text = str(value).encode()
    made = _c.Value(kind=_c.TEXT, text=ctypes.cast(ctypes.c_char_p(text), ctypes.c_void_p), text_bytes=len(text))
    made.keeps = text  # the pointer is valid for as long as the value
    return made


def _parameter_value(parameter: _c.Parameter) -> Any:
    if parameter.type == _c.WHOLE_PARAMETER:
        return int(parameter.whole)
    if parameter.type == _c.BOOLEAN_PARAMETER:
        return bool(parameter.whole)
    if parameter.type == _c.NUMBER_PARAMETER:
        return float(parameter.numbers[0])
    if parameter.type == _c.VECTOR_PARAMETER:
        return list(parameter.numbers)
    return parameter.text.decode(errors="replace")


def _boolean(value: Any) -> bool:
    if isinstance(value, str):
        if value.lower() not in ("true", "false", "1", "0"):
            raise ValueError(f"'{value}' is not a truth value")
        return value.lower() in ("true", "1")
    return bool(value)


def _read(call: Call, port: str, convert: Callable[[Any], T], default: Union[T, _Missing]) -> T:
    try:
        value = call.read(port)
    except KeyError:
        if default is not MISSING:
            return default
        raise Error(f"{call.name}: the port '{port}' has no value") from None
    try:
        return typing.cast(T, _boolean(value)) if convert is bool else convert(value)
    except (TypeError, ValueError) as fault:
        raise Error(f"{call.name}: the port '{port}' has {value!r}: {fault}") from fault


class Input(Generic[T]):
    """An input port of a node class: `speed = Input(float, default=0.5)`. The type may be any function that takes the value: a text, or a
    number."""

    def __init__(self, type: Callable[[Any], T], *, default: Union[T, _Missing] = MISSING, name: str = "") -> None:
        self._type, self._default, self.name = type, default, name

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = self.name or name

    @overload
    def __get__(self, node: None, owner: type) -> "Input[T]": ...
    @overload
    def __get__(self, node: "Node", owner: type) -> T: ...
    def __get__(self, node: Optional["Node"], owner: type) -> Union["Input[T]", T]:
        if node is None:
            return self
        value: T = _read(node.call, self.name, self._type, self._default)
        return value


class Output(Generic[T]):
    """An output port of a node class: `distance = Output(float)`, set by `self.distance = 1.5`. What is not a number, a text or a truth
    value is written as its text."""

    def __init__(self, type: Callable[[Any], T], *, name: str = "") -> None:
        self._type, self.name = type, name

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = self.name or name

    @overload
    def __get__(self, node: None, owner: type) -> "Output[T]": ...
    @overload
    def __get__(self, node: "Node", owner: type) -> T: ...
    def __get__(self, node: Optional["Node"], owner: type) -> Union["Output[T]", T]:
        if node is None:
            return self
        raise AttributeError(f"'{self.name}' is an output: it can only be set")

    def __set__(self, node: "Node", value: T) -> None:
        given: Any = self._type(value) if isinstance(self._type, type) and issubclass(self._type, (int, float)) else value
        node.call.write(self.name, given if isinstance(given, (bool, int, float, str)) else str(given))


class Node:
    """A node with functions of the names that the runtime calls: `enter`, `tick`, `leave`, `interrupt`, `reset`, `event(signal, data)`, `allow`,
    `is_bound`, `activate`, `deactivate`; of conditions `tick`, `ask` or `decide`. The manual says which of them each kind of tree calls.

    Each agent has an object of its own for each node in the tree, made without arguments when the node is first called. Its attributes
    are saved and restored with the agent."""

    agent: "Agent"
    _call: Optional[Call] = None

    @property
    def call(self) -> Call:
        """Only while the runtime calls the node."""
        if self._call is None:
            raise Error(f"{type(self).__name__}: ports are there only during a call of the runtime")
        return self._call

    @property
    def state(self) -> dict[str, Any]:
        """What is saved of it."""
        return {name: value for name, value in vars(self).items() if name not in ("agent", "_call")}


# What is bound to a name: a class or a function.
Implementation = Union[type[Node], Callable[..., Any]]


def node_class(implementation: Implementation) -> type[Node]:
    """A function as a class. It is called by `tick` of actions and conditions, by `ask` and `decide` of conditions, and by `enter` in trees
    that select. Its arguments are input ports, by name and type; one of the type `Call` or `Agent` is the call or the agent."""
    if isinstance(implementation, type):
        if not issubclass(implementation, Node):
            raise Error(f"{implementation.__name__} is not a class of nodes: it has to be derived from espalier.Node")
        return implementation
    from .agent import Agent
    name = getattr(implementation, "__name__", repr(implementation))
    hints = typing.get_type_hints(implementation) if inspect.isroutine(implementation) else {}
    given: list[tuple[str, Callable[[Call], Any]]] = []
    for parameter in inspect.signature(implementation).parameters.values():
        kind = hints.get(parameter.name, str)
        if kind is Call:
            given.append((parameter.name, lambda call: call))
        elif kind is Agent:
            given.append((parameter.name, lambda call: call.agent))
        elif callable(kind):
            default = MISSING if parameter.default is inspect.Parameter.empty else parameter.default
            given.append((parameter.name, lambda call, port=parameter.name, kind=kind, default=default:  # type: ignore[misc]
                          _read(call, port, kind, default)))
        else:
            raise Error(f"{name}: the type of '{parameter.name}' is not one that a value can be converted to")

    def called(self: Node) -> Any:
        return implementation(**{each: read(self.call) for each, read in given})

    def entered(self: Node) -> None:
        if self.call._pointer.contents.leaf != _c.NONE:
            called(self)

    return type(name, (Node,), {"tick": called, "ask": called, "decide": called, "enter": entered})
