"""How BehaviorTree.CPP's trees run, as plain recursion over objects: slow, and close to the words of the rules. It shares no code
with espalier; polling.py compares the two.
"""
from polling_controls import Controls
from polling_nodes import COMPLETED, FAILURE, IDLE, RUNNING, SKIPPED, SUCCESS, Decorators, Leaves
from polling_values import SIGNED, UNSIGNED, Throw, fitted, from_text, joined_text, run_script, truth

MAX_ROUNDS = 1000


class Node:
    def __init__(self, kind, children=(), ports=None, hooks=None, name=None):
        self.kind, self.children, self.ports, self.hooks = kind, list(children), ports or {}, hooks or {}
        self.name = name  # None: the kind
        self.status, self.board, self.number, self.path, self.v = IDLE, None, 0, "", {}

    def nodes(self):
        yield self
        for child in self.children:
            yield from child.nodes()


class Timer:
    def __init__(self, node, due):
        self.node, self.due, self.is_set = node, due, True


class Model(Controls, Decorators, Leaves):
    """One agent. `host(kind, node)` gives the answer of a host node: (answer, outputs)."""

    def __init__(self, root, host, declared):
        self.root, self.host, self.declared = root, host, declared
        self.now, self.events, self.timers, self.signal = 0, [], [], False
        for node in root.nodes():
            self.forget(node)

    # ---- Ports
    def read(self, node, port):
        """The value of a port: a literal, or ("{}", key). Throws."""
        value = node.ports.get(port, self.declared.get(node.kind, {}).get(port, (None, None, None))[2])
        type_ = self.declared.get(node.kind, {}).get(port, (None, None, None))[1]
        if value is None:
            raise Throw("no port")
        if not isinstance(value, tuple):
            return value
        entry = node.board.find(value[1])
        if entry is None or entry.value is None:
            raise Throw("no value")
        kind, found, _ = entry.value
        if type_ == "text":
            return joined_text(entry.value)
        if kind == "text":
            return from_text(found, type_ or "text")[1]
        if type_ in SIGNED + UNSIGNED:
            return fitted(entry.value, None, type_)[1]
        return float(found) if type_ == "double" else found

    def try_read(self, node, port, otherwise=None):
        try:
            return self.read(node, port)
        except Throw:
            return otherwise

    def write(self, node, port, value):
        pointer = node.ports.get(port)
        if isinstance(pointer, tuple):
            type_ = self.declared[node.kind][port][1]
            kind = "text" if type_ == "text" else "real" if type_ == "double" else "whole"
            node.board.write(pointer[1], (kind, value, type_), type_)

    # ---- Updates
    def update(self, now):
        self.now_end = now
        try:
            self.fire(now)
            self.now = now
            for _ in range(MAX_ROUNDS):
                self.signal = False
                status = self.execute(self.root)
                self.fire(now)
                if status != RUNNING or not self.signal:
                    break
            else:
                raise Throw("endless")
            if status in COMPLETED:
                self.root.status = IDLE
        except Throw:
            status = "error"
            self.now = now
            self.halt_tree()
        self.events.append(f"status {status}")
        return status

    def halt_tree(self):
        for node in (self.root, *self.root.nodes()):
            try:
                self.halt(node)
            except Throw:
                pass
        self.root.status = IDLE

    def fire(self, now):
        while True:
            due = [timer for timer in self.timers if timer.is_set and timer.due <= now]
            if not due:
                return
            timer = min(due, key=lambda each: each.due)  # the first of equal ones: they are in the order they were set
            timer.is_set = False
            self.timers.remove(timer)
            self.now = timer.due
            node = timer.node
            if node.kind == "Timeout":
                if node.children[0].status == RUNNING:
                    node.v["expired"] = True
                    self.reset(node.children[0])
                    self.signal = True
            else:
                node.v["complete"] = True
                self.signal = True
            self.now = now

    def set_timer(self, node, milliseconds):
        node.v["timer"] = Timer(node, self.now + milliseconds)
        self.timers.append(node.v["timer"])

    def clear_timer(self, node):
        timer = node.v.pop("timer", None)
        if timer in self.timers:
            self.timers.remove(timer)

    def execute(self, node):
        status = self.precondition(node)
        if status is None:
            status = getattr(self, "tick_" + self.function(node))(node)
        if status in COMPLETED:
            self.hook(node, "_onSuccess" if status == SUCCESS else "_onFailure")
            self.hook(node, "_post")
        if status != SKIPPED:
            node.status = status
        if self.is_decorator(node) and node.children[0].status in COMPLETED:
            node.children[0].status = IDLE
        return status

    def hook(self, node, name):
        if name in node.hooks:
            run_script(node.board, node.hooks[name])

    def holds(self, node, name):
        return truth(run_script(node.board, node.hooks[name]))

    def precondition(self, node):
        if node.status == IDLE:
            for name, status in (("_failureIf", FAILURE), ("_successIf", SUCCESS), ("_skipIf", SKIPPED)):
                if name in node.hooks and self.holds(node, name):
                    return status
            if "_while" in node.hooks and not self.holds(node, "_while"):
                return SKIPPED
        elif node.status == RUNNING and "_while" in node.hooks and not self.holds(node, "_while"):
            self.halt(node)
            return SKIPPED
        return None

    def halt(self, node):
        self.halted(node)
        self.hook(node, "_onHalted")

    def reset(self, node):
        if node.status == RUNNING:
            self.halt(node)
        node.status = IDLE

    def reset_all(self, node, but=None):
        for child in node.children:
            if child is not but:
                self.reset(child)

    def halted(self, node):
        kind = node.kind
        if kind == "TryCatch" and self.try_read(node, "catch_on_halt", False) and not node.v["caught"] and node.status != IDLE:
            last = node.children[-1]
            self.reset_all(node, last)
            if self.execute(last) == RUNNING:
                self.reset(last)
        if kind in ("SkipUnlessUpdated", "WaitValueUpdate"):
            node.v["inside"] = False
        elif kind not in ("SequenceWithMemory", "RunOnce", "Precondition", "WasEntryUpdated", "SingleTrigger", "RateController",
                          "PersistentSequence"):
            self.clear_timer(node)
            self.forget(node)
        if self.function(node) == "action" and node.status == RUNNING:
            node.status = IDLE
            self.events.append(f"interrupt {node.kind}")
        self.reset_all(node)
        node.status = IDLE

    def forget(self, node):
        node.v = {"i": 0, "skips": 0, "done": {}, "at": 0, "running": None, "caught": False, "last": 0, "tries": 0, "failed": 0,
                  "count": 0, "started": False, "expired": False, "complete": False, "ticked": None, "open": False, "seen": 0,
                  "inside": False, "first": False, "start": 0, "hz": 0.0, "child_running": False, "queue": None}

    @staticmethod
    def is_decorator(node):
        return node.kind in ("Inverter", "ForceSuccess", "ForceFailure", "KeepRunningUntilFailure", "Repeat", "RetryUntilSuccessful",
                             "Timeout", "Delay", "RunOnce", "Precondition", "SkipUnlessUpdated", "WaitValueUpdate", "SubTree",
                             "RateController", "SingleTrigger", "LoopInt", "Gate")

    def function(self, node):
        functions = {"Sequence": "list", "AsyncSequence": "list", "SequenceWithMemory": "list", "Fallback": "list", "AsyncFallback": "list",
                     "ReactiveSequence": "reactive", "ReactiveFallback": "reactive", "ForceSuccess": "force", "ForceFailure": "force",
                     "Repeat": "repeat", "RetryUntilSuccessful": "repeat", "SkipUnlessUpdated": "updated", "WaitValueUpdate": "updated",
                     "AlwaysSuccess": "always", "AlwaysFailure": "always", "Switch2": "switch", "Switch3": "switch"}
        if node.kind in functions:
            return functions[node.kind]
        if node.kind in self.declared and "as" in self.declared[node.kind]:
            return self.declared[node.kind]["as"]
        return node.kind.lower()
