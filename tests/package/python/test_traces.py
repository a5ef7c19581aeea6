"""The runtime in Python does what `espalier replay` does: traces of all dialects, played by nodes that are Python classes."""
import contextlib
import json
import os
import pathlib

import espalier
import pytest

CASES = pathlib.Path(os.environ["ESPALIER_SOURCES"]) / "tests/conformance"
EVERY = 1 if os.environ.get("ESPALIER_ALL_TESTS") else 40  # which of the traces are played
LINES = {"trace", "comment", "host", "set", "signal", "tick", "expect", "save", "restore"}
WORDS = {"running": espalier.RUNNING, "success": True, "failure": False, "skipped": espalier.SKIPPED}


def read(path):
    return [json.loads(line) for line in path.read_text().splitlines() if line.strip()]


def is_plain(path):
    """Only what every program can do: no hot reload, no answers for one place, no outputs of nodes."""
    lines = read(path)
    head = lines[0]
    if "lua" in path.parent.name:
        return False
    answers = [(name, answer) for line in lines for name, answer in line.get("host", {}).items()]
    return (not {"file", "errors"} & set(head) and isinstance(head.get("tree", ""), str)
            and all(LINES & set(line) and not {"immediate", "data", "when"} & set(line) for line in lines)
            and not any("@" in name or "#" in name or isinstance(each, dict) or each == "refuse"
                        for name, answer in answers for each in (answer if isinstance(answer, list) else [answer])))


def plain_traces():
    for dialect in sorted(CASES.iterdir()):
        traces = [path for path in sorted(dialect.glob("*/*.trace.jsonl")) if is_plain(path)]
        assert traces, f"no trace of {dialect.name} is played"
        yield from (pytest.param(path, id=f"{dialect.name}/{path.parent.name}/{path.name}") for path in traces[::EVERY])


class Player:
    """Answers for each agent, and what happens."""

    def __init__(self, count):
        self.answers = [{} for _ in range(count)]
        self.happened = []

    def tell(self, agent, event, name):
        self.happened.append((agent.number, event, name))

    def answer(self, agent, name, instead):
        script = self.answers[agent.number].get(name, instead)
        if isinstance(script, list):
            script = script.pop(0) if len(script) > 1 else script[0]
        return WORDS.get(script, script) if isinstance(script, str) else script


def scripted(name, is_condition):
    """A class of nodes that answer what the trace says."""

    class Scripted(espalier.Node):
        def enter(self):
            self.agent.user.tell(self.agent, "enter", name)

        def leave(self):
            self.agent.user.tell(self.agent, "leave", name)

        def interrupt(self):
            self.agent.user.tell(self.agent, "interrupt", name)

        def reset(self):
            self.agent.user.tell(self.agent, "reset", name)

        def tick(self):
            answer = self.agent.user.answer(self.agent, name, None)
            return answer != 0 if isinstance(answer, (int, float)) and not isinstance(answer, (bool, espalier.Result)) else answer

        def ask(self):
            return bool(self.agent.user.answer(self.agent, name, True))

        def decide(self):
            return float(self.agent.user.answer(self.agent, name, 1))

        def activate(self):
            self.agent.user.tell(self.agent, "enter", name)
            return True

        def deactivate(self):
            self.agent.user.tell(self.agent, "leave", name)

    if is_condition:
        del Scripted.enter, Scripted.leave, Scripted.interrupt, Scripted.reset
    return Scripted


def play(asset, lines):
    head = lines[0]
    player = Player(head.get("agents", 1))
    wanted = {head["tree"]} if "tree" in head else {"Main", "tree"} if len(asset.trees) > 1 else set(asset.trees)
    tree, = (name for name in asset.trees if name in wanted or name.rpartition("/")[2] in wanted)
    agents = asset.agents(tree, head.get("agents", 1), seed=head.get("seed", 1), user=player, script=lambda source: True)
    saved = {}
    for line in lines[1:]:
        if "tick" in line:
            for _ in range(line.get("times", 1)):
                updated = agents if line.get("agent", "all") == "all" else [agents[line["agent"]]]
                agents._begin(line["tick"], updated)
                for agent in updated:
                    with contextlib.suppress(espalier.Error):  # replay tells it, and goes on
                        agent._update()
            continue
        for agent in agents if line.get("agent", 0) == "all" else [agents[line.get("agent", 0)]]:
            if "host" in line:
                player.answers[agent.number].update({name: list(answer) if isinstance(answer, list) else answer for name, answer in line["host"].items()})
            with contextlib.suppress(KeyError):  # replay takes names that no tree has, with a warning
                for name, value in line.get("set", {}).items():
                    agent[name] = value
                if "signal" in line:
                    agent.signal(line["signal"])
            if "save" in line:
                saved[agent.number, line["save"]] = agent.save()
            if "restore" in line:
                agent.restore(saved[agent.number, line["restore"]])
    return player.happened


@pytest.mark.parametrize("path", plain_traces())
def test_python_nodes_play_a_trace_as_replay_does(path):
    asset = espalier.Asset.compile(folder=path.parent)
    asset.bind(**{name: scripted(name, True) for name in asset.conditions}, **{name: scripted(name, False) for name in asset.behaviors})
    expected = [(event["agent"], event["event"], event["name"]) for event in espalier.events(trace=path, folder=path.parent)
                if event["event"] in ("enter", "leave", "interrupt", "reset")]
    assert play(asset, read(path)) == expected
