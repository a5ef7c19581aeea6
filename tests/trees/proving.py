#!/usr/bin/env python3
"""Is what `prove` says of random trees what all short traces show? proving.py ESPALIER [--trees N] [--first N] [--dialect D]

Makes small random trees of each dialect and random properties of their events, and replays every sequence of LENGTH lines. What
these traces refute, `prove` must refute with a trace that is no longer; what it says holds, none of them may refute; and its own
traces must do what they are said to do with their last line, and not before. What a property says is looked at here in the list of
all events of a trace, from each place where its scope begins.
"""
import argparse
import itertools
import json
import pathlib
import random
import subprocess
import sys
import tempfile

LENGTH = 4
PROPERTIES = 12
VALUED = ("tick", "ask", "read", "set")


def run(*words, folder):
    return subprocess.run([str(word) for word in words], cwd=folder, capture_output=True, text=True, timeout=600)


# ---- Trees: text, lines of traces, events


class Btcpp:
    file, tree = "tree.xml", "T"
    results = ["success", "failure", "running"]

    def __init__(self, generator):
        self.names, self.conditions, self.has_entry = set(), set(), False
        body = self.node(generator, 3)
        self.text = (
            f'<root BTCPP_format="4" main_tree_to_execute="T"><BehaviorTree ID="T">{body}</BehaviorTree><TreeNodesModel>'
            '<Action ID="A"/><Action ID="B"><output_port name="out"/></Action><Condition ID="C"/><Action ID="D"><input_port name="in"/><input_port name="more"/></Action>'
            "</TreeNodesModel></root>"
        )

    def node(self, generator, depth):
        if depth == 0 or generator.random() < 0.3:
            kind = generator.choice(["A", "B", "C", "D", "set"])
            if kind == "set":
                self.has_entry = True
                return f'<SetBlackboard value="{generator.choice("xy")}" output_key="e"/>'
            (self.conditions if kind == "C" else self.names).add(kind)
            self.has_entry |= kind in "BD"
            halted = ' _onHalted="e := \'z\'"' if kind == "A" and self.has_entry else ""
            return {"B": '<B out="{e}"/>', "D": '<D in="{e}" more="1"/>'}.get(kind, f"<{kind}{halted}/>")
        kind = generator.choice(["Sequence", "Fallback", "ReactiveSequence", "ReactiveFallback", "Inverter", "Repeat", "Delay"])
        if kind in ("Inverter", "Repeat", "Delay"):
            attributes = {"Inverter": "", "Repeat": ' num_cycles="2"', "Delay": ' delay_msec="200"'}[kind]
            return f"<{kind}{attributes}>{self.node(generator, depth - 1)}</{kind}>"
        children = "".join(self.node(generator, depth - 1) for _ in range(generator.randint(1, 3)))
        return f"<{kind}>{children}</{kind}>"

    def lines(self):
        lines = [{"host": {name: result}} for name in sorted(self.names) for result in self.results]
        lines += [{"host": {name: truth}} for name in sorted(self.conditions) for truth in (True, False)]
        if "B" in self.names:
            lines.append({"host": {"B": {"answer": "success", "out": {"out": "x"}}}})
        return lines + [{"halt": True}]

    def events(self):
        for name in sorted(self.names):
            yield from (f"enter {name}", f"leave {name}", f"interrupt {name}", f"tick {name}", f"tick {name} failure")
        for name in sorted(self.conditions):
            yield from (f"ask {name} true", f"ask {name}")
        if "D" in self.names:
            yield from ("read D in x", "read D in y", "read D in", "read D more", "read D more 1")
        if self.has_entry:
            yield from ("set e", "set e x", "set e y", "set e z")


class Modular:
    file, tree = "tree.xml", "tree"
    results = ["success", "failure", "running"]

    def __init__(self, generator):
        self.names = set()
        self.text = f"<BehaviorTree><Root>{self.node(generator, 3)}</Root></BehaviorTree>"

    def node(self, generator, depth):
        if depth == 0 or generator.random() < 0.3:
            kind = generator.choice(["A", "B", '<Wait duration="0.1"/>', '<SendEvent name="OnX"/>'])
            if kind[0] == "<":
                return kind
            self.names.add(kind)
            return f'<{kind} speed="{generator.choice("12")}" gait="r"/>'
        kind = generator.choice(["Sequence", "Selector", "Loop", "SuppressFailure"])
        if kind in ("Loop", "SuppressFailure"):
            return f"<{kind}>{self.node(generator, depth - 1)}</{kind}>"
        return f"<{kind}>{''.join(self.node(generator, depth - 1) for _ in range(generator.randint(1, 3)))}</{kind}>"

    def lines(self):
        return [{"host": {name: result}} for name in sorted(self.names) for result in self.results]

    def events(self):
        for name in sorted(self.names):
            yield from (f"enter {name}", f"leave {name}", f"interrupt {name}", f"tick {name} failure", f"read {name} speed 1", f"read {name} gait r")
        if "SendEvent" in self.text:
            yield "send OnX"


class Dragengine:
    file, tree = "tree.debt", "tree"
    results = ["success", "failure", "running"]

    def __init__(self, generator):
        self.names, self.count = set(), 0
        self.text = f"<behaviorTree>{self.node(generator, 2, True)}</behaviorTree>"

    def node(self, generator, depth, is_root=False):
        self.count += 1
        name = f"r{self.count}"
        if not is_root and (depth == 0 or generator.random() < 0.4):
            action = generator.choice("AB")
            self.names.add(action)
            return f'<action id="{name}" name="{action}"/>'
        kind = generator.choice(["sequence", "choice"])
        children = "".join(self.node(generator, depth - 1) for _ in range(generator.randint(1, 3)))
        return f'<{kind} id="{name}">{children}</{kind}>'

    def lines(self):
        return [{"host": {name: result}} for name in sorted(self.names) for result in self.results]

    def events(self):
        for name in sorted(self.names):
            yield from (f"enter {name}", f"leave {name}", f"tick {name} failure", f"tick {name}")


class Decider:
    file, tree = "tree.xml", "T"

    def __init__(self, generator):
        self.names = {"A", "B", "C"}
        policy = "prioritizedList"
        children = "".join(f'<Decider name="D{name}" behavior="{name}"/>' for name in generator.sample("ABC", 3))
        self.text = (
            f'<DeciderTree name="T"><Behaviors>{"".join(f"""<Behavior name="{name}"/>""" for name in "ABC")}</Behaviors>'
            f'<Group name="G" policy="{policy}">{children}</Group></DeciderTree>'
        )

    def lines(self):
        return [{"host": {name: word}} for name in sorted(self.names) for word in ("running", "failure", "refuse")]

    def events(self):
        for name in sorted(self.names):
            yield from (f"enter {name}", f"leave {name}", f"refuse {name}", f"tick {name} failure")


class Synchronized:
    """Two agents of one tree, which share gates and groups."""

    file, tree, agents = "tree.xml", "T", 2
    results = ["success", "failure", "running"]

    def __init__(self, generator):
        self.names, self.conditions, self.has_group = set(), set(), False
        self.text = f'<SynchronizedTree name="T">{self.node(generator, 3)}</SynchronizedTree>'

    def node(self, generator, depth):
        if depth == 0 or generator.random() < 0.2:
            name = generator.choice("ABC")
            (self.conditions if name == "C" else self.names).add(name)
            return f'<{"Condition" if name == "C" else "Action"} name="{name}"/>'
        kind = generator.choice(["Sequence", "Selector", "Gate", "Gate", "Group", "Invert", "Cooldown", "Monitor"])
        if kind == "Group" and not self.has_group:
            self.has_group = True
            roles = "".join(f'<Role name="R{i}">{self.node(generator, depth - 1)}</Role>' for i in range(2))
            return f'<Group name="G" agents="2" onLeave="{generator.choice(["fail", "reset", "ignore"])}">{roles}</Group>'
        if kind == "Monitor":
            self.conditions.add("C")
            return f'<Sequence><Monitor><Condition name="C"/></Monitor>{self.node(generator, depth - 1)}</Sequence>'
        if kind in ("Gate", "Invert", "Cooldown"):
            scope = generator.choice(["agent", "global"])
            attributes = {"Gate": ' agents="1"', "Invert": "", "Cooldown": f' seconds="0.1" scope="{scope}"'}[kind]
            return f"<{kind}{attributes}>{self.node(generator, depth - 1)}</{kind}>"
        kind = "Selector" if kind == "Group" else kind
        return f"<{kind}>{''.join(self.node(generator, depth - 1) for _ in range(generator.randint(1, 3)))}</{kind}>"

    def lines(self):
        hosts = [{"host": {name: result}} for name in sorted(self.names) for result in self.results]
        hosts += [{"host": {name: truth}} for name in sorted(self.conditions) for truth in (True, False)]
        return [{**line, "agent": agent} for line in hosts for agent in (0, 1, "all")] + [{"tick": 0.1, "agent": agent} for agent in (0, 1)]

    def events(self):
        for agent in (0, 1):
            for name in sorted(self.names):
                yield from (f"{agent}:{word} {name}" for word in ("enter", "leave", "interrupt", "reset", "tick"))
                yield f"{agent}:tick {name} failure"
            for name in sorted(self.conditions):
                yield f"{agent}:ask {name} true"

    def states(self):
        """What may be claimed of both agents."""
        for first, second in itertools.product(sorted(self.names), repeat=2):
            yield [{"runs": [first]}, {"runs": [second]}]


DIALECTS = {"synchronized": Synchronized, "btcpp": Btcpp, "modular": Modular, "dragengine": Dragengine, "decider": Decider}


# ---- Properties


def random_property(generator, tree, events, lines, number):
    """Of events, and steps that begin or end a scope; of several agents, also of what both do after an update."""
    states = list(tree.states()) if hasattr(tree, "states") else []

    def limit():
        if states and generator.random() < 0.2:
            return {"agents": generator.choice(states)}
        if lines and generator.random() < 0.25:
            return generator.choice([line for line in lines if "halt" not in line] + [{"tick": 0.1}])
        return {"event": generator.choice(events)}

    claim = generator.choice(["never", "never", "reachable", "expect"])
    found = {"name": f"p{number}", claim: {"event": generator.choice(events)}}
    if hasattr(tree, "agents"):
        found["agents"] = tree.agents
    if states and generator.random() < 0.4:
        found[claim] = {"agents": generator.choice(states)}
    if claim == "expect":
        if generator.random() < 0.5:
            found["between"] = [limit(), limit()]
        else:
            found["after"] = limit()
            found["within"] = generator.randint(1, 2)
        return found
    if generator.random() < 0.6:
        found["after"] = limit()
    if generator.random() < 0.5:
        found["until"] = limit()
    if claim == "never" and "event" in found[claim] and generator.random() < 0.3:
        found["moreThan"] = generator.randint(1, 2)
    elif "after" in found and generator.random() < 0.4:
        found["forSeconds"] = generator.choice([0.1, 0.2, 0.3])
    return found


def agent_of(line):
    """Which agent a line is of; ticks are of all without a number."""
    return line.get("agent", "all" if "tick" in line else 0)


def is_step(condition, line):
    """A step that names no agent is of any."""
    if "agent" in condition and agent_of(line) not in ("all", condition["agent"]):
        return False
    if "tick" in condition:
        return "tick" in line
    return {**condition, "agent": 0} == {**line, "agent": 0}


def is_it(condition, moment):
    kind, what = moment[:2]
    if "agents" in condition:
        if kind != "update":
            return False
        first, second = (part["runs"][0] for part in condition["agents"])
        return any(first in what[i] and second in what[1 - i] for i in (0, 1))
    if "event" not in condition:
        return kind == "line" and is_step(condition, what)
    if kind != "event":
        return False
    wanted = condition["event"]
    return what == wanted or (wanted.split(" ")[0].split(":")[-1] in VALUED and what.startswith(wanted + " "))


def is_update_of(claim, moment):
    """Does an update count for what is expected of its agent?"""
    agent = agent_of(moment[3])
    return agent == "all" or "agents" in claim or claim["event"].startswith(f"{agent}:")


def refuted_at(found, moments):
    """The number of the moment that refutes the property, or shows it; None: there is none."""
    claim = next(key for key in ("never", "reachable", "expect") if key in found)
    after, until = found.get("between", [found.get("after"), found.get("until")])
    places = []
    begins = [-1] if after is None else [i for i, moment in enumerate(moments) if is_it(after, moment)]
    for begin in begins:
        count = 0
        updates = 0
        for i in range(begin + 1, len(moments)):
            moment = moments[i]
            time = moment[2]
            if "forSeconds" in found and time - moments[begin][2] > found["forSeconds"] - 1e-9:
                break
            if until is not None and is_it(until, moment):
                if claim == "expect":
                    places.append(i)
                break
            if is_it(found[claim], moment):
                if claim == "expect":
                    break
                count += 1
                if count > found.get("moreThan", 0):
                    places.append(i)
                    break
            if claim == "expect" and until is None and moment[0] == "update" and is_update_of(found[claim], moment):
                updates += 1
                if updates == found["within"]:
                    places.append(i)
                    break
    return min(places) if places else None


# ---- Runs


def text_of(event, has_several):
    prefix = f'{event["agent"]}:' if has_several else ""
    for key in ("result", "value", "input"):
        if key in event:
            value = event[key]
            return f'{prefix}{event["event"]} {event["name"]} {str(value).lower() if isinstance(value, bool) else value}'
    return f'{prefix}{event["event"]} {event["name"]}'


def write_trace(path, header, lines):
    """Each line is followed by one that prints, to tell their events apart."""
    text = [header, {"print": "all"}]
    for line in lines:
        text += [line, {"print": "active"}]
    path.write_text("".join(json.dumps(line) + "\n" for line in text))


def moments_of(lines, events, has_several):
    """The moments of a trace, ("event", text, time), ("update", what agents run, time, line), ("line", line, time), and the numbers
    of their lines."""
    moments, numbers = [], []
    time = 0
    running = [[], []]
    for number, (line, own) in enumerate(zip(lines, events), 1):
        if "tick" in line:
            time += line["tick"]
        else:
            moments.append(("line", line, time))
        moments += [("event", text_of(event, has_several), time) for event in own]
        for event in own:
            if event["event"] == "enter":
                running[event["agent"]].append(event["name"])
            elif event["event"] in ("leave", "interrupt") and event["name"] in running[event["agent"]]:
                running[event["agent"]].remove(event["name"])
        if "tick" in line:
            moments += [("update", [set(names) for names in running], time, line), ("line", line, time)]
        numbers += [number] * (len(moments) - len(numbers))
    return moments, numbers


def replayed(espalier, folder, name, traces, has_several):
    """The moments of each of these traces, in the order of their files."""
    result = run(espalier, "replay", ".", "--trace", name, "--format", "jsonl", "--events", "print,enter,tick,leave,interrupt,reset,read,ask,set,send,refuse", folder=folder)
    of_traces = []
    for text in result.stdout.splitlines():
        each = json.loads(text) if text.startswith("{") else {}
        if "t" not in each:
            continue
        if each["event"] == "print" and each["name"] == "all":
            of_traces.append([[]])
        elif each["event"] == "print":
            of_traces[-1].append([])
        else:
            of_traces[-1][-1].append(each)
    if len(of_traces) != len(traces):
        raise RuntimeError(f"{len(of_traces)} of {len(traces)} traces were replayed: {result.stderr}{result.stdout[:300]}")
    return [moments_of(lines, events, has_several) for lines, events in zip(traces, of_traces)]


def check(espalier, dialect, number, counts):
    generator = random.Random(f"{dialect} {number}")
    tree = DIALECTS[dialect](generator)
    events = list(tree.events())
    if not events:
        return []
    lines = tree.lines()
    has_several = hasattr(tree, "agents")
    of_agents = {"agents": tree.agents} if has_several else {}
    properties = [random_property(generator, tree, events, lines, i) for i in range(PROPERTIES)]
    faults = []
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        (folder / tree.file).write_text(tree.text)
        (folder / "all.properties.json").write_text(json.dumps({"properties": [{**each, "tree": tree.tree} for each in properties]}))
        result = run(espalier, "prove", ".", "--format", "json", "-o", "shown", "--budget", "100000", folder=folder)
        if not result.stdout:
            return [f"{dialect} {number}: {tree.text}\n{properties}\n{result.stderr}"]
        proofs = json.loads(result.stdout)["results"]
        traces = folder / "all"
        traces.mkdir()
        alphabet = [*lines, {"tick": 0.1}]
        # Few of very many.
        sequences = list(itertools.product(alphabet, repeat=LENGTH - 1)) if len(alphabet) ** (LENGTH - 1) <= 1500 else [tuple(generator.choices(alphabet, weights=[1] * len(lines) + [len(lines)], k=LENGTH - 1)) for _ in range(1500)]
        for i, sequence in enumerate(sequences):
            write_trace(traces / f"{i:05}.trace.jsonl", {"trace": 1, **of_agents, "errors": "allowed", "tree": tree.tree}, [*sequence, {"tick": 0.1}])
        all_moments = replayed(espalier, folder, "all", [[*sequence, {"tick": 0.1}] for sequence in sequences], has_several)
        for found, proof in zip(properties, proofs):
            shortest = None
            for moments, numbers in all_moments:
                place = refuted_at(found, moments)
                if place is not None:
                    shortest = min(shortest or 99, numbers[place])
            is_wanted = "reachable" in found
            shown = proof["trace"] is not None
            fault = ""
            if proof["result"] == "undecided":
                counts["undecided"] += 1
            elif not shown:
                counts["not shown"] += 1
                if shortest is not None:
                    fault = f"there is a trace of {shortest} lines"
            else:
                counts["shown"] += 1
                if shortest is not None and shortest < proof["steps"]:
                    fault = f"there is a trace of {shortest} lines"
                header = {"trace": 1, **of_agents, "errors": "allowed", "tree": tree.tree, "seed": proof.get("seed", 1), "events": proof.get("events", ["enter"])}
                steps = [line for line in proof["trace"] if "expect" not in line]
                write_trace(folder / "steps.trace.jsonl", {key: value for key, value in header.items() if key != "events"}, steps)
                moments, numbers = replayed(espalier, folder, "steps.trace.jsonl", [steps], has_several)[0]
                (folder / "own.trace.jsonl").write_text("".join(json.dumps(line) + "\n" for line in [header, *proof["trace"]]))
                place = refuted_at(found, moments)
                if place is None or numbers[place] != proof["steps"]:
                    fault = f"its trace shows it at line {place and numbers[place]}"
                failed = run(espalier, "replay", ".", "--trace", "own.trace.jsonl", "-q", folder=folder).returncode
                if (failed == 0) != is_wanted and not fault:
                    fault = "the expectation at its end does not show it"
            if not fault and proof["result"] != "undecided" and (proof["result"] == "holds") != (shown == is_wanted):
                fault = "the wrong result"
            if fault:
                faults.append(f"{dialect} {number}: {tree.text}\n{json.dumps(found)}\n{json.dumps(proof)}\n{fault}\n")
    return faults


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("espalier")
    parser.add_argument("--trees", type=int, default=20)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--dialect", choices=sorted(DIALECTS))
    options = parser.parse_args()
    espalier = pathlib.Path(options.espalier).resolve()
    faults = []
    for dialect in [options.dialect] if options.dialect else DIALECTS:
        counts = {"shown": 0, "not shown": 0, "undecided": 0}
        for number in range(options.first, options.first + options.trees):
            faults += check(espalier, dialect, number, counts)
        print(f"{dialect}: " + ", ".join(f"{count} {word}" for word, count in counts.items()))
    print("\n".join(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
