#!/usr/bin/env python3
"""Compares replays of random trees of BehaviorTree.CPP with polling_model.py: polling.py ESPALIER [COUNT [SEED [FOLDER]]]

Each tree is run by the model with a random trace, and what it does is written into the trace as expectations; then `espalier
replay` runs all of them. With FOLDER the project is left there.
"""
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
from xml.sax.saxutils import quoteattr

from polling_model import FAILURE, RUNNING, SKIPPED, SUCCESS, Model, Node
from polling_values import Board, from_text

IN, OUT = "input", "output"
DECLARED = {
    "MoveTo": {"as": "action", "goal": (IN, "text", None)},
    "Aim": {"as": "action", "angle": (IN, "double", 1.5)},
    "Look": {"as": "action", "found": (OUT, "int", None)},
    "Hide": {"as": "action"},
    "Say": {"as": "sync", "what": (IN, "text", "hello")},
    "IsNear": {"as": "condition", "limit": (IN, "int", 3)},
    "IsSafe": {"as": "condition"},
    "Gate": {"as": "gate"},
    "Parallel": {"success_count": (IN, "int", -1), "failure_count": (IN, "int", 1)},
    "ParallelAll": {"max_failures": (IN, "int", 1)},
    "TryCatch": {"catch_on_halt": (IN, "bool", False)},
    "RecoveryNode": {"number_of_retries": (IN, "int", 1)},
    "Repeat": {"num_cycles": (IN, "int", None)},
    "RetryUntilSuccessful": {"num_attempts": (IN, "int", None)},
    "Timeout": {"msec": (IN, "unsigned", None)},
    "Delay": {"delay_msec": (IN, "unsigned", None)},
    "Sleep": {"msec": (IN, "unsigned", None)},
    "RunOnce": {"then_skip": (IN, "bool", True)},
    "Precondition": {"else": (IN, None, "FAILURE")},
    "LoopInt": {"value": (OUT, "int", None), "if_empty": (IN, None, "SUCCESS")},
    "RateController": {"hz": (IN, "double", 10.0)},
    "Switch2": {"variable": (IN, "text", None), "case_1": (IN, "text", None), "case_2": (IN, "text", None)},
    "SetBlackboard": {"value": (IN, None, None), "output_key": (IN, "text", None)},
}
KINDS = {"action": "Action", "sync": "Action", "condition": "Condition", "gate": "Decorator"}
LISTS = ["Sequence", "Fallback", "AsyncSequence", "AsyncFallback", "SequenceWithMemory", "ReactiveSequence", "ReactiveFallback"]
CONTROLS = LISTS + LISTS + ["Parallel", "ParallelAll", "IfThenElse", "WhileDoElse", "Switch2", "TryCatch", "PipelineSequence",
                            "RecoveryNode", "RoundRobin", "NonblockingSequence"]
DECORATORS = ["Inverter", "ForceSuccess", "ForceFailure", "KeepRunningUntilFailure", "Repeat", "RetryUntilSuccessful", "Timeout", "Delay",
              "RunOnce", "Precondition", "SkipUnlessUpdated", "WaitValueUpdate", "RateController", "SingleTrigger", "LoopInt", "Gate",
              "SubTree"]
LEAVES = ["AlwaysSuccess", "AlwaysFailure", "Script", "ScriptCondition", "SetBlackboard", "UnsetBlackboard", "Sleep", "WasEntryUpdated"]
HOSTS = ["MoveTo", "Aim", "Look", "Hide", "Say", "IsNear", "IsSafe"] * 3
EVENTS = ["enter", "tick", "leave", "interrupt", "ask", "read", "status"]


# ---- Trees

class Maker:
    def __init__(self, chance, name):
        self.chance, self.name, self.trees, self.inside = chance, name, [], False

    def tree(self):
        root = self.node(4)
        self.trees.append((self.name, root))
        return root

    # In a subtree: p is a whole number, q a text.
    def whole_key(self):
        return self.chance.choice(["p", "p", "@n"] if self.inside else ["n", "m"])

    def text_key(self):
        return "q" if self.inside else "mode"

    def condition(self):
        kind = self.chance.randrange(8)
        if kind < 4:
            operator = self.chance.choice(["==", "!=", "<", ">", "<=", ">="])
            return (operator, ("name", self.whole_key()), ("number", self.chance.randrange(6)))
        if kind < 6:
            return (self.chance.choice(["==", "!="]), ("name", self.text_key()), ("text", self.chance.choice(["fast", "slow"])))
        if kind == 6:
            return ("not", self.condition())
        return (self.chance.choice(["&&", "||"]), self.condition(), self.condition())

    def assignment(self):
        key = self.whole_key()
        kind = self.chance.randrange(12)
        if kind < 4:
            return (":=", key, (self.chance.choice(["+", "-"]), ("name", key), ("number", 1)))
        if kind < 6:
            return (self.chance.choice(["+=", "-=", "="]), key, ("number", self.chance.randrange(4)))
        if kind == 6:
            return (":=", self.text_key(), ("if", self.condition(), ("text", "fast"), ("text", "slow")))
        if kind == 7:
            return (":=", "word", ("..", ("name", self.text_key()), ("name", key)))
        if kind == 8:
            return (":=", "flag", self.condition())
        if kind == 9:
            return (":=", "half", ("*", ("name", key), ("real", 0.5)))
        if kind == 10:
            return self.chance.choice([(":=", key, ("real", 2.5)), ("=", "unknown", ("number", 1)), (":=", key, ("text", "7"))])
        return (":=", key, ("number", self.chance.randrange(5)))

    def hooks(self):
        hooks = {}
        for name in ("_failureIf", "_successIf", "_skipIf", "_while"):
            if self.chance.random() < 0.05:
                hooks[name] = [self.condition()]
        for name in ("_onSuccess", "_onFailure", "_onHalted", "_post"):
            if self.chance.random() < 0.04:
                hooks[name] = [self.assignment()]
        return hooks

    def whole_port(self, *literals):
        return ("{}", self.whole_key()) if self.chance.random() < 0.15 else self.chance.choice(literals)

    def text_port(self, *literals):
        return ("{}", self.text_key()) if self.chance.random() < 0.4 else self.chance.choice(literals)

    def ports(self, kind, count):
        chance = self.chance
        if kind == "MoveTo":
            return {"goal": self.text_port("door", "window")}
        if kind == "Aim":
            return chance.choice([{}, {"angle": -1.0}, {"angle": 2.25}])
        if kind == "Look":
            return chance.choice([{}, {"found": ("{}", self.whole_key())}])
        if kind == "Say":
            return chance.choice([{}, {"what": self.text_port("hi")}])
        if kind == "IsNear":
            return chance.choice([{}, {"limit": self.whole_port(1, 7)}])
        if kind == "Parallel":
            return {"success_count": chance.choice([-1, -2, 1, count]), "failure_count": chance.choice([1, -1, count])}
        if kind == "ParallelAll":
            return {"max_failures": chance.choice([1, -1, count])}
        if kind == "TryCatch":
            return {"catch_on_halt": chance.random() < 0.5}
        if kind == "RecoveryNode":
            return {"number_of_retries": self.whole_port(1, 2, 0)}
        if kind == "RoundRobin":
            return {"wrap_around": chance.random() < 0.5}
        if kind == "Repeat":
            return {"num_cycles": self.whole_port(1, 2, 3)}
        if kind == "RetryUntilSuccessful":
            return {"num_attempts": self.whole_port(1, 2, 3)}
        if kind in ("Timeout", "Sleep"):
            return {"msec": chance.choice([0, 100, 250, 300])}
        if kind == "Delay":
            return {"delay_msec": chance.choice([0, 100, 250])}
        if kind == "RunOnce":
            return {"then_skip": chance.random() < 0.5}
        if kind == "Precondition":
            return {"if": [self.condition()], "else": chance.choice(["FAILURE", "SUCCESS", "SKIPPED", "RUNNING"])}
        if kind == "LoopInt":
            return {"queue": chance.choice(["1;2;3", "4", "0;5"]), "value": ("{}", self.whole_key()),
                    "if_empty": chance.choice(["SUCCESS", "FAILURE", "SKIPPED"])}
        if kind in ("SkipUnlessUpdated", "WaitValueUpdate", "WasEntryUpdated"):
            return {"entry": ("{}", self.whole_key())}
        if kind == "RateController":
            return {"hz": chance.choice([10.0, 2.0, 4.0])}
        if kind == "Switch2":
            return {"variable": ("{}", self.text_key()), "case_1": "fast", "case_2": "slow"}
        if kind == "Script":
            return {"code": [self.assignment() for _ in range(chance.randrange(1, 3))]}
        if kind == "ScriptCondition":
            return {"code": [self.condition()]}
        if kind == "SetBlackboard":
            return chance.choice([{"value": "slow", "output_key": self.text_key()}, {"value": "4", "output_key": self.whole_key()},
                                  {"value": ("{}", self.whole_key()), "output_key": self.whole_key()},
                                  {"value": ("{}", self.whole_key()), "output_key": "copy"}])
        if kind == "UnsetBlackboard":
            return {"key": chance.choice(["word", "flag", self.whole_key().lstrip("@")])}
        return {}

    def node(self, depth, parent=""):
        chance = self.chance
        kind = chance.choice(LEAVES + HOSTS) if depth == 0 or chance.random() < 0.3 else chance.choice(CONTROLS + DECORATORS)
        if kind == "SubTree" and self.inside:
            kind = "Inverter"
        if kind == "AsyncSequence" and parent == "ReactiveSequence":
            kind = "Sequence"
        counts = {"IfThenElse": (2, 3), "WhileDoElse": (2, 3), "Switch2": (3, 3), "TryCatch": (2, 3), "RecoveryNode": (2, 2)}
        count = 0 if kind in LEAVES + HOSTS else 1 if kind in DECORATORS else chance.randint(*counts.get(kind, (1, 4)))
        if kind == "SubTree":
            return self.subtree(depth)
        children = [self.node(depth - 1, kind) for _ in range(count)]
        name = chance.choice(["A", "B"]) if kind in HOSTS and chance.random() < 0.2 else None
        return Node(kind, children, self.ports(kind, count), self.hooks(), name)

    def subtree(self, depth):
        name = f"{self.name}S{len(self.trees)}"
        self.trees.append(None)
        place = len(self.trees) - 1
        ports = {"p": self.whole_port(3, 0), "q": self.text_port("fast", "slow")}
        if self.chance.random() < 0.3:
            ports["_autoremap"] = True
        hooks = self.hooks()
        self.inside = True
        root = self.node(depth - 1)
        self.inside = False
        self.trees[place] = (name, root)
        return Node("SubTree", [root], ports, hooks, name)


def make_boards(node, board, path=""):
    """Gives each node its blackboard, and makes the entries that are there at the start."""
    node.board, node.path = board, path
    for port, value in node.ports.items():
        type_ = DECLARED.get(node.kind, {}).get(port, (None, "any" if port == "entry" else None))[1]
        if isinstance(value, tuple) and node.kind != "SubTree":
            board.make(value[1], type_)
    inner = board
    if node.kind == "SubTree":
        remapped = {port: value[1] for port, value in node.ports.items() if isinstance(value, tuple)}
        inner = Board(board, remapped, node.ports.get("_autoremap", False))
        path = f"{path}/{node.name}" if path else node.name
        for port, value in node.ports.items():
            if port == "_autoremap" or isinstance(value, tuple):
                continue
            entry = inner.make_own(port, "int" if isinstance(value, int) else "text")
            entry.value = from_text(str(value), entry.type)
            entry.count = 1
    for child in node.children:
        make_boards(child, inner, path)


def boards_of(root):
    boards = {}
    for node in root.nodes():
        boards.setdefault(node.path, node.board)
    return boards


# ---- Texts

def code_of(script):
    kind = script[0]
    if kind in ("number", "real", "name"):
        return str(script[1])
    if kind == "text":
        return f"'{script[1]}'"
    if kind in ("not", "minus"):
        return f"{'!' if kind == 'not' else '-'}({code_of(script[1])})"
    if kind in (":=", "=", "+=", "-=", "*="):
        return f"{script[1]} {kind} {code_of(script[2])}"
    if kind == "if":
        return f"({code_of(script[1])}) ? {code_of(script[2])} : {code_of(script[3])}"
    return f"({code_of(script[1])}) {kind} ({code_of(script[2])})"


def attribute(value):
    if isinstance(value, list):
        return "; ".join(map(code_of, value))
    if isinstance(value, tuple):
        return "{" + value[1] + "}"
    return str(value).lower() if isinstance(value, bool) else str(value)


def xml_of(node, indent):
    words = [node.kind]
    if node.kind == "SubTree":
        words.append(f'ID="{node.name}"')
    if node.name:
        words.append(f'name="{node.name}"')
    words += [f"{key}={quoteattr(attribute(value))}" for key, value in (*node.ports.items(), *node.hooks.items())]
    if not node.children or node.kind == "SubTree":
        return f"{indent}<{' '.join(words)}/>\n"
    return f"{indent}<{' '.join(words)}>\n" + "".join(xml_of(child, indent + "  ") for child in node.children) + f"{indent}</{node.kind}>\n"


def models():
    text = "  <TreeNodesModel>\n"
    for name, ports in DECLARED.items():
        if "as" not in ports:
            continue
        text += f'    <{KINDS[ports["as"]]} ID="{name}">\n'
        for port, declared in ports.items():
            if port == "as":
                continue
            type_ = "std::string" if declared[1] == "text" else declared[1]
            default = "" if declared[2] is None else f' default="{declared[2]}"'
            text += f'      <{declared[0]}_port name="{port}" type="{type_}"{default}/>\n'
        text += f'    </{KINDS[ports["as"]]}>\n'
    return text + "  </TreeNodesModel>\n"


# ---- Traces

class Host:
    def __init__(self):
        self.answers = {}

    def __call__(self, node):
        for name in (f"{node.kind}:{node.name or node.kind}", node.kind):
            if name in self.answers:
                answers = self.answers[name]
                answer = answers[0] if len(answers) == 1 else answers.pop(0)
                break
        else:
            answer = True if DECLARED[node.kind]["as"] in ("condition", "gate") else SUCCESS
        outputs = {}
        if isinstance(answer, dict):
            answer, outputs = answer["answer"], answer["out"]
        return {True: SUCCESS, False: FAILURE}.get(answer, answer), outputs


def answer_for(chance, kind):
    function = DECLARED[kind]["as"]
    if function == "gate":
        return chance.random() < 0.6
    if function == "condition":
        return chance.choice([True, False, True, False, True, SKIPPED if chance.random() < 0.3 else True,
                              RUNNING if chance.random() < 0.2 else False])
    answer = chance.choice([SUCCESS, FAILURE, SKIPPED if chance.random() < 0.2 else SUCCESS]
                           + ([] if function == "sync" else [RUNNING, RUNNING]))
    return {"answer": answer, "out": {"found": chance.randrange(6)}} if kind == "Look" and chance.random() < 0.5 else answer


def variables_of(root):
    variables = {}
    for path, board in boards_of(root).items():
        for key, entry in board.entries.items():
            variables[f"{path}/{key}" if path else key] = None if entry.value is None else entry.value[1]
    return variables


def trace_of(chance, name, root):
    host = Host()
    main = Board()
    make_boards(root, main)
    model = Model(root, host, DECLARED)
    lines = [{"trace": 1, "tree": name, "events": EVENTS}]
    for key, value in (("n", chance.randrange(4)), ("m", 1), ("mode", "slow")):
        lines.append({"set": {key: value}})
        main.write(key, ("text", value, "text") if key == "mode" else ("whole", value, "int"), "text" if key == "mode" else "int")
    now = 0
    for _ in range(14):
        for kind in [kind for kind in DECLARED if "as" in DECLARED[kind]]:
            if chance.random() < 0.35:
                answers = [answer_for(chance, kind) for _ in range(chance.randint(1, 4))]
                who = kind if chance.random() < 0.7 else f"{kind}:A"
                lines.append({"host": {who: answers[0] if len(answers) == 1 else list(answers)}})
                host.answers[who] = answers
        if chance.random() < 0.15:
            lines.append({"set": {"n": chance.randrange(5)}})
            main.write("n", ("whole", lines[-1]["set"]["n"], "int"), "int")
        model.events = []
        if chance.random() < 0.06:
            lines.append({"halt": True})
            model.halt_tree()
            lines.append({"expect": {"events": model.events, "variables": variables_of(root)}})
            continue
        passed = chance.choice([50, 100, 200, 300])
        now += passed
        lines.append({"tick": passed / 1000})
        status = model.update(now)
        lines.append({"expect": {"events": model.events, "status": status, "variables": variables_of(root)}})
    return lines


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 300
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(sys.argv[4] if len(sys.argv) > 4 else temporary)
        (folder / "traces").mkdir(parents=True, exist_ok=True)
        trees, kinds, errors = [], set(), 0
        for number in range(seed, seed + count):
            chance = random.Random(number)
            maker = Maker(chance, f"T{number}")
            root = maker.tree()
            for node_number, node in enumerate(root.nodes(), 1):
                node.number = node_number
                kinds.add(node.kind)
            lines = trace_of(chance, f"T{number}", root)
            errors += sum("status error" in line.get("expect", {}).get("events", ()) for line in lines)
            trees += maker.trees
            text = "".join(json.dumps(line) + "\n" for line in lines)
            (folder / "traces" / f"{number}.trace.jsonl").write_text(text)
        body = "".join(f'  <BehaviorTree ID="{name}">\n{xml_of(root, "    ")}  </BehaviorTree>\n' for name, root in trees)
        (folder / "trees.xml").write_text(
            f'<root BTCPP_format="4" main_tree_to_execute="T{seed}">\n{body}{models()}</root>\n')
        nodes = {"Say": {"kind": "Action", "as": "sync", "ports": {"what": {"direction": "input", "type": "string", "default": "hello"}}}}
        (folder / "espalier.json").write_text(json.dumps({"btcpp": {"nodes": nodes}}))
        done = subprocess.run([os.path.abspath(sys.argv[1]), "replay", "--quiet", ".", "--trace", "traces"], cwd=folder, capture_output=True, text=True,
                              timeout=300)
        sys.stdout.write(done.stdout[:8000] + done.stderr[:4000])
        print(f"{count} trees with {len(kinds)} kinds of nodes, {errors} updates that end with an error: exit status {done.returncode}")
        sys.exit(done.returncode)


if __name__ == "__main__":
    main()
