"""The C interface of the runtime: structures and functions as the headers of espalier declare them."""
from __future__ import annotations

import ctypes
import os
import pathlib
from ctypes import CFUNCTYPE, POINTER, Structure, c_bool, c_char, c_char_p, c_double, c_int, c_int64, c_size_t, c_uint32, c_uint64, c_void_p
from typing import Any

NONE = 0xFFFFFFFF  # no behaviour, no leaf, no rule
ASSET_HASH = slice(16, 24)  # where the bytes of an asset have their hash

# Kinds of names: espalier_kind.
TREES, BEHAVIORS, CONDITIONS, SCRIPTS, SLOTS, VARIABLES, SIGNALS, TIMESTAMPS, RULES, STIMULI = range(10)
ENTRIES = 13

# Kinds of values: espalier_value_kind.
NO_VALUE, WHOLE, UNSIGNED, REAL, TEXT = range(5)

# Types of parameters: espalier_parameter_type.
TEXT_PARAMETER, WHOLE_PARAMETER, NUMBER_PARAMETER, BOOLEAN_PARAMETER, CHOICE_PARAMETER, VECTOR_PARAMETER = range(6)


class AssetView(Structure):
    _fields_ = [("internal", c_void_p * 80), ("internal_numbers", c_uint32 * 136)]


class Tree(Structure):
    _fields_ = [("asset", POINTER(AssetView)), ("index", c_uint32)]


class Fault(Structure):
    _fields_ = [("status", c_int), ("reason", c_char_p), ("offset_bytes", c_uint64)]


class Call(Structure):
    _fields_ = [("tree", Tree), ("agent", c_void_p), ("host", c_void_p), ("user", c_void_p), ("agent_number", c_uint32),
                ("behavior", c_uint32), ("leaf", c_uint32), ("node_word", c_uint32), ("signal", c_uint32), ("data", c_void_p),
                ("activation", c_void_p), ("memory", c_void_p), ("memory_bytes", c_uint32), ("clock_us", c_uint64),
                ("active_us", c_uint64), ("passed_us", c_uint64)]


CallPointer = POINTER(Call)
DoCall = CFUNCTYPE(None, CallPointer)
ResultCall = CFUNCTYPE(c_int, CallPointer)
BoolCall = CFUNCTYPE(c_bool, CallPointer)
NumberCall = CFUNCTYPE(c_double, CallPointer)
ScriptCall = CFUNCTYPE(c_bool, CallPointer, c_uint32)
LogCall = CFUNCTYPE(None, CallPointer, c_char_p)
QueueCall = CFUNCTYPE(None, CallPointer, c_uint32, c_int)
SlotCall = CFUNCTYPE(None, CallPointer, c_uint32)

# The functions of a behaviour or a condition, in the order of espalier_behavior.
CALLS: dict[str, Any] = {"enter": DoCall, "leave": DoCall, "tick": ResultCall, "interrupt": DoCall, "reset": DoCall, "event": DoCall,
                         "allow": BoolCall, "is_bound": BoolCall, "activate": BoolCall, "deactivate": DoCall, "ask": BoolCall,
                         "decide": NumberCall}


class Behavior(Structure):
    _fields_ = [*CALLS.items(), ("user", c_void_p), ("reserved", c_void_p * 2)]


class Parameter(Structure):
    _fields_ = [("name", c_char_p), ("type", c_int), ("text", c_char_p), ("whole", c_int64), ("numbers", c_double * 3)]


class Host(Structure):
    _fields_ = [("behaviors", POINTER(Behavior)), ("user", c_void_p), ("clock_us", c_uint64), ("first_agent", c_uint32),
                ("shared", c_void_p), ("group", c_void_p), ("groups", c_void_p), ("scratch", c_void_p),
                ("conditions", POINTER(Behavior)), ("script", ScriptCall), ("log", LogCall), ("queue", QueueCall),
                ("too_deep", SlotCall), ("recorder", c_void_p), ("reserved", c_void_p * 3)]


class Value(Structure):
    _fields_ = [("kind", c_int), ("whole", c_int64), ("real", c_double), ("text", c_void_p), ("text_bytes", c_uint32)]


class Place(Structure):
    _fields_ = [("file", c_char_p), ("line", c_uint32), ("column", c_uint32)]


class StimulusData(Structure):
    _fields_ = [("bytes", c_char * 16), ("size_bytes", c_uint32)]


class NodeStep(Structure):
    _fields_ = [("kind", c_int), ("node_word", c_uint32), ("value", c_uint32)]


class ConditionStep(Structure):
    _fields_ = [("node_word", c_uint32), ("leaf_base", c_uint32), ("condition", c_uint32), ("transition", ctypes.c_int32), ("holds", c_bool)]


class DecideStep(Structure):
    _fields_ = [("kind", c_int), ("depth", c_uint32), ("node_word", c_uint32), ("other", c_uint32), ("value", c_double)]


ConditionWatch = CFUNCTYPE(None, c_void_p, POINTER(ConditionStep))
NodeWatch = CFUNCTYPE(None, c_void_p, POINTER(NodeStep))
DecideWatch = CFUNCTYPE(None, c_void_p, POINTER(DecideStep))
Visit = CFUNCTYPE(None, c_void_p, c_uint32)


class Watcher(Structure):
    _fields_ = [("step", ConditionWatch), ("user", c_void_p), ("node", NodeWatch), ("changed", c_void_p), ("decide", DecideWatch),
                ("draw", c_void_p)]


class PrintOptions(Structure):
    _fields_ = [("active_only", c_bool), ("host", POINTER(Host)), ("history", c_void_p)]


STRUCTURES: dict[str, Any] = {
    "espalier_asset": AssetView, "espalier_tree": Tree, "espalier_fault": Fault, "espalier_call": Call, "espalier_behavior": Behavior,
    "espalier_parameter": Parameter, "espalier_host": Host, "espalier_value": Value, "espalier_place": Place,
    "espalier_stimulus_data": StimulusData, "espalier_node_step": NodeStep, "espalier_step": ConditionStep,
    "espalier_decide_step": DecideStep, "espalier_watcher": Watcher, "espalier_print_options": PrintOptions}

# NAME without the prefix: result, arguments.
_FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {
    "status_text": (c_char_p, [c_int]),
    "open": (c_int, [c_void_p, c_size_t, POINTER(AssetView), POINTER(Fault)]),
    "count": (c_uint32, [Tree, c_int]),
    "name": (c_char_p, [Tree, c_int, c_uint32]),
    "find": (c_int, [Tree, c_int, c_char_p, POINTER(c_uint32)]),
    "agent_bytes": (c_size_t, [Tree]),
    "scratch_bytes": (c_size_t, [Tree]),
    "shared_bytes": (c_size_t, [Tree]),
    "group_bytes": (c_size_t, [POINTER(AssetView)]),
    "start": (None, [Tree, c_void_p]),
    "start_shared": (None, [Tree, c_void_p]),
    "start_group": (None, [POINTER(AssetView), c_void_p]),
    "seed": (None, [Tree, c_void_p, c_uint64]),
    "stop": (None, [Tree, c_void_p, POINTER(Host)]),
    "variable": (c_bool, [Tree, c_void_p, c_uint32]),
    "set": (None, [Tree, c_void_p, c_uint32, c_bool]),
    "signal": (None, [Tree, c_void_p, c_uint32, POINTER(Host), c_void_p]),
    "update": (c_int, [Tree, c_void_p, POINTER(Host)]),
    "update_all": (None, [Tree, c_void_p, c_size_t, c_size_t, POINTER(Host)]),
    "update_watched": (c_int, [Tree, c_void_p, POINTER(Host), POINTER(Watcher)]),
    "visit_active": (None, [Tree, c_void_p, Visit, c_void_p]),
    "restore": (None, [Tree, c_void_p, c_void_p, POINTER(Host)]),
    "check_agent": (c_int, [Tree, c_void_p, c_void_p]),
    "check_shared": (c_int, [Tree, c_void_p]),
    "leaf_count": (c_uint32, [Tree]),
    "current_behavior": (c_uint32, [Tree, c_void_p]),
    "inject": (c_int, [Tree, c_void_p, c_uint32, c_uint32, c_bool, POINTER(Host)]),
    "find_port": (c_int, [CallPointer, c_char_p, POINTER(c_uint32)]),
    "read_port": (c_bool, [CallPointer, c_uint32, POINTER(Value), c_char_p]),
    "write_port": (c_bool, [CallPointer, c_uint32, POINTER(Value)]),
    "write_port_boolean": (c_bool, [CallPointer, c_uint32, c_bool]),
    "find_parameter": (c_int, [CallPointer, c_char_p, POINTER(Parameter)]),
    "find_entry": (c_int, [Tree, c_char_p, c_char_p, POINTER(c_uint32)]),
    "name_entry": (c_int, [Tree, c_void_p, c_char_p, POINTER(c_uint32)]),
    "entry": (c_bool, [Tree, c_void_p, c_uint32, POINTER(Value)]),
    "set_entry": (c_bool, [Tree, c_void_p, c_uint32, POINTER(Value)]),
    "set_entry_boolean": (c_bool, [Tree, c_void_p, c_uint32, c_bool]),
    "node_name": (c_char_p, [POINTER(AssetView), c_uint32]),
    "node_place": (Place, [POINTER(AssetView), c_uint32]),
    "print_text": (c_size_t, [Tree, c_void_p, POINTER(PrintOptions), c_char_p, c_size_t])}


class Runtime:
    """The functions of the library, as attributes without the prefix: `runtime.update(tree, block, host)`. Loaded when first used."""

    _library: Any = None

    def __getattr__(self, name: str) -> Any:
        if name not in _FUNCTIONS:
            raise AttributeError(f"the runtime has no function '{name}'")
        if self._library is None:
            self._library = ctypes.CDLL(beside("ESPALIER_LIBRARY", "libespalier.so"))
        function = getattr(self._library, f"espalier_{name}")
        function.restype, function.argtypes = _FUNCTIONS[name]
        setattr(self, name, function)
        return function


def beside(variable: str, name: str) -> str:
    """A file that comes with this package, or the one that a variable of the environment names in its place."""
    return os.environ.get(variable) or str(pathlib.Path(__file__).resolve().parent / "native" / name)


runtime = Runtime()
