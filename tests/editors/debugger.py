#!/usr/bin/env python3
"""Sessions of the debugger: debugger.py ESPALIER [MESSAGES]

Runs of the samples are debugged as an editor does it. Each message that comes back is checked against the shapes of the
Debug Adapter Protocol; where a run stops is compared with what `replay --format jsonl` says of the same trace. All messages are written to the file MESSAGES, a line each, for
debugger_messages.js.
"""
import atexit
import concurrent.futures
import functools
import json
import pathlib
import queue
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "logs"))
from zmq_python import python_with_zmq

ROOT = pathlib.Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "samples"
LOGS = ROOT / "tests/logs"
SECONDS = 60


class Session:
    def __init__(self, espalier):
        self.process = subprocess.Popen([espalier, "dap"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=SAMPLES)
        self.messages = queue.Queue()
        self.events = []
        self.sequence = 0
        self.seen = 0
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        out = self.process.stdout
        while True:
            size = 0
            while line := out.readline().strip():
                name, _, value = line.partition(b":")
                size = int(value) if name.lower() == b"content-length" else size
            if not size:
                return self.messages.put(None)
            self.messages.put(json.loads(out.read(size)))

    def _take(self):
        message = self.messages.get(timeout=SECONDS)
        assert message is not None, "the debugger has ended"
        received.append(message)
        assert message["seq"] == self.seen + 1, message
        self.seen += 1
        assert message["type"] in ("event", "response"), message
        if message["type"] == "event":
            assert isinstance(message["event"], str) and isinstance(message.get("body", {}), dict), message
        return message

    def send(self, command, **arguments):
        self.sequence += 1
        content = json.dumps({"seq": self.sequence, "type": "request", "command": command, "arguments": arguments}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(content) + content)
        self.process.stdin.flush()
        return self.sequence

    def answer(self, number, is_right=True):
        while True:
            message = self._take()
            if message["type"] == "event":
                self.events.append(message)
                continue
            assert message["request_seq"] == number, message
            assert message["success"] is is_right, message
            if not is_right:
                assert message["message"] == message["body"]["error"]["format"], message
                return message["message"]
            return message.get("body", {})

    def ask(self, command, is_right=True, **arguments):
        return self.answer(self.send(command, **arguments), is_right)

    def event(self, name):
        while True:
            for i, message in enumerate(self.events):
                if message["event"] == name:
                    del self.events[: i + 1]
                    return message.get("body", {})
            message = self._take()
            assert message["type"] == "event", message
            self.events.append(message)

    def stopped(self):
        body = self.event("stopped")
        assert body["allThreadsStopped"] is True and isinstance(body["reason"], str) and isinstance(body["threadId"], int), body
        return body

    def move(self, command, **arguments):
        """Where a request that moves leads to: the reason, and the innermost frame."""
        body = None
        self.ask(command, **{"threadId": 1, **arguments})
        body = self.stopped()
        return body["reason"], self.frames(body["threadId"])[0]["name"], body

    def frames(self, thread=1):
        body = self.ask("stackTrace", threadId=thread)
        assert body["totalFrames"] == len(body["stackFrames"]), body
        for frame in body["stackFrames"]:
            assert {"id", "name", "line", "column"} <= frame.keys(), frame
            assert frame.get("presentationHint") == "label" or pathlib.Path(frame["source"]["path"]).is_file(), frame
        return body["stackFrames"]

    def values(self, scope, thread=1):
        frame = self.frames(thread)[0]
        [found] = [each for each in self.ask("scopes", frameId=frame["id"])["scopes"] if each["name"] == scope]
        return {each["name"]: each["value"] for each in self.ask("variables", variablesReference=found["variablesReference"])["variables"]}

    def launch(self, files=(), filters=(), functions=(), request="launch", **arguments):
        capabilities = self.ask("initialize", adapterID="espalier", linesStartAt1=True, columnsStartAt1=True, supportsProgressReporting=True,
                                supportsInvalidatedEvent=True)
        assert capabilities["supportsStepBack"] and capabilities["supportsConfigurationDoneRequest"], capabilities
        launched = self.send(request, **arguments)
        self.event("initialized")
        verified = []
        for path, lines in files:
            verified += self.ask("setBreakpoints", source={"path": str(path)}, breakpoints=lines)["breakpoints"]
        verified += self.ask("setFunctionBreakpoints", breakpoints=list(functions))["breakpoints"]
        self.ask("setExceptionBreakpoints", filters=list(filters))
        done = self.send("configurationDone")
        self.answer(done)
        self.answer(launched)
        return verified

    def end(self):
        self.ask("disconnect")
        assert self.process.wait(SECONDS) == 0


class Program:
    """A stand-in for a program that runs, held_program.py or another, and what it says of itself."""

    def __init__(self, *command):
        self.process = subprocess.Popen([PYTHON, *map(str, command)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.address = f"tcp://127.0.0.1:{self.process.stdout.readline().split()[-1]}"
        self.said = []
        atexit.register(self.process.kill)
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self):
        for line in self.process.stdout:
            self.said.append(json.loads(line))

    def tell(self, word):
        self.process.stdin.write(word + "\n")
        self.process.stdin.flush()

    def end(self):
        """All that it said."""
        self.tell("end")
        self.process.wait(SECONDS)
        self.reader.join()
        return self.said


def held_program():
    return Program(ROOT / "tests/editors/held_program.py")


def guard(**arguments):
    return {"project": "guard/guard.xml", "trace": "guard/intruder.trace.jsonl", **arguments}


def line_of(path, text):
    return 1 + next(i for i, line in enumerate((SAMPLES / path).read_text().splitlines()) if text in line)


def breakpoints_stop_where_a_node_begins(espalier):
    session = Session(espalier)
    attack = line_of("guard/guard.xml", 'name="Attack"')
    comment = line_of("guard/guard.xml", "The first child whose")
    told = session.launch([(SAMPLES / "guard/guard.xml", [{"line": attack}, {"line": comment}, {"line": 10_000}, {"line": comment - 1}])], **guard(stopOnEntry=False))
    assert [each["verified"] for each in told] == [True, False, False, True], told
    assert told[0]["line"] == attack and told[1]["message"] == "this is a comment" and "message" in told[2], told
    assert told[3]["line"] == comment + 1, told
    first = session.stopped()
    assert first["reason"] == "breakpoint" and first["hitBreakpointIds"] == [told[3]["id"]], first
    reason, name, body = session.move("continue")
    assert (reason, name) == ("breakpoint", "Attack") and body["hitBreakpointIds"] == [told[0]["id"]], body
    frames = session.frames()
    assert [frame["name"] for frame in frames[:2]] == ["Attack", "Root"] and frames[0]["line"] == attack, frames
    assert frames[-1]["name"] == "update 2, 0.2 s", frames
    assert session.values("Variables") == {"Alerted": "true", "EnemyVisible": "true"}, session.values("Variables")
    assert session.values("Node") == {"status": "running"}
    reason, _, body = session.move("continue")
    assert reason == "end", body
    session.ask("continue", threadId=1)
    session.event("terminated")
    session.end()


def a_run_is_the_same_in_both_directions(espalier):
    for project, trace in (("guard/guard.xml", "guard/intruder.trace.jsonl"), ("modular", "modular/charger.trace.jsonl"),
                           ("dragengine", "dragengine/night.trace.jsonl"), ("deciders", "deciders/nest.trace.jsonl"),
                           ("synchronized", "synchronized/assault.trace.jsonl"), ("btcpp", "btcpp/low_battery.trace.jsonl")):
        session = Session(espalier)
        session.launch(project=project, trace=trace)
        assert session.stopped()["reason"] == "entry"
        there = []
        thread = session.ask("threads")["threads"][0]["id"]
        while True:
            reason, name, body = session.move("stepIn", threadId=thread)
            if reason == "end":
                break
            there.append((body["description"], name))
        back = []
        session.move("reverseContinue")  # no breakpoint: to the beginning
        for _ in there:
            back.append(session.move("stepIn", threadId=thread)[2]["description"])
        assert back == [words for words, _ in there], (project, back[:5], there[:5])
        reversed_steps = [session.move("stepBack", threadId=thread, granularity="instruction")[2]["description"] for _ in there[1:]]
        assert reversed_steps == [words for words, _ in reversed(there[:-1])], project
        assert session.move("stepBack", threadId=thread, granularity="instruction")[0] == "entry", project
        # What it told is what a replay tells of the first agent.
        done = subprocess.run([espalier, "replay", project, "--trace", trace, "--format", "jsonl", "--events", "steps"], cwd=SAMPLES,
                              capture_output=True, text=True)
        events = [json.loads(line) for line in done.stdout.splitlines()]
        begins = sum(1 for each in events if each.get("event") == "begin" and each["agent"] == thread - 1 and each["name"] != "log")
        assert begins == sum(1 for words, _ in there if " begins at " in words), (project, begins)
        session.end()


def steps_go_over_into_and_out_of_nodes(espalier):
    session = Session(espalier)
    session.launch(project="synchronized", trace="synchronized/assault.trace.jsonl")
    session.stopped()
    while len(session.frames()) < 5:
        session.move("stepIn")
    inner = session.frames()
    assert [frame["name"] for frame in inner[:-1]] == ["HeardNoise", "Monitor", "Noise", "Selector"], inner
    reason, name, body = session.move("stepOut")
    assert reason == "step" and name == inner[1]["name"], (name, inner, body)
    before = session.move("stepBack")
    assert before[1] == inner[1]["name"] and " begins at " in before[2]["description"], before
    over = session.move("next")
    assert over[1] == inner[1]["name"] and " begins at " not in over[2]["description"], over
    frame = session.frames()[0]
    again = session.ask("restartFrame", frameId=frame["id"])
    assert again == {} and session.stopped()["reason"] == "restart"
    update = session.move("next", granularity="line")[2]["description"]
    assert update.startswith("an update is over"), update
    session.end()


def values_tell_who_wrote_them(espalier):
    session = Session(espalier)
    session.launch(**guard(stopOnEntry=True))
    session.stopped()
    info = session.ask("dataBreakpointInfo", name="Alerted")
    assert info["accessTypes"] == ["write"], info
    assert session.ask("dataBreakpointInfo", name="Alert")["dataId"] is None
    [told] = session.ask("setDataBreakpoints", breakpoints=[{"dataId": info["dataId"], "accessType": "write"}])["breakpoints"]
    assert told["verified"], told
    stops = [session.move("continue") for _ in range(3)]
    assert [stop[0] for stop in stops] == ["data breakpoint", "data breakpoint", "end"], stops
    assert session.move("reverseContinue")[2]["description"] == stops[1][2]["description"]
    # Going on backwards does not stop where the run is.
    assert session.move("reverseContinue")[2]["description"] == stops[0][2]["description"]
    assert session.move("reverseContinue")[0] == "entry"
    session.move("continue")
    answer = session.ask("evaluate", expression="who wrote Alerted", context="repl")["result"]
    assert answer == "the program at 0.1 s: Alerted becomes true", answer
    assert session.ask("evaluate", expression="Alerted", context="hover")["result"] == "true"
    assert "no variable" in session.ask("evaluate", False, expression="Alert", context="watch")
    session.ask("evaluate", expression="goto 0.4", context="repl")
    assert session.stopped()["reason"] == "goto"
    assert session.frames()[0]["name"] == "Search", session.frames()
    session.end()


def hits_are_counted_and_logs_told(espalier):
    session = Session(espalier)
    patrol = line_of("guard/guard.xml", 'name="Patrol"')
    path = SAMPLES / "guard/guard.xml"
    told = session.launch([(path, [{"line": patrol, "hitCondition": "2"}, {"line": patrol, "logMessage": "alerted: {Alerted}"}, {"line": patrol, "hitCondition": "two"}])],
                          functions=[{"name": "Search:halted"}, {"name": "Serach"}], **guard(stopOnEntry=False))
    assert [each["verified"] for each in told] == [True, True, False, True, False], told
    reason, description = (body := session.stopped())["reason"], body["description"]
    assert (reason, description) == ("function breakpoint", "Search: halted at 0.5 s"), body
    reason, name, body = session.move("continue")
    assert (reason, name) == ("breakpoint", "Patrol") and body["description"].endswith("at 0.5 s"), body
    session.end()
    session = Session(espalier)
    session.launch([(path, [{"line": patrol, "logMessage": "alerted: {Alerted}"}])], **guard(stopOnEntry=False))
    texts = [session.event("output")["output"] for _ in range(2)]
    assert texts == ["alerted: {Alerted}\n", "alerted: false\n"], texts
    assert session.stopped()["reason"] == "end"
    session.end()


def conditions_are_over_the_values_then(espalier):
    path = SAMPLES / "guard/guard.xml"
    lines = [line_of("guard/guard.xml", f'name="{name}"') for name in ("Search", "Patrol")]
    for condition, stops in (("Alerted and !EnemyVisible", ["Search"]), ("EnemyVisible == false || Nothing == 1", ["Search", "Patrol"]),
                             ("not (Alerted)", ["Patrol", "Patrol"]), ("Nothing", []), ("'a' < \"b\" && 2 > 1.5", ["Patrol", "Search", "Patrol"])):
        session = Session(espalier)
        told = session.launch([(path, [{"line": line, "condition": condition} for line in lines])], **guard(stopOnEntry=False))
        assert all(each["verified"] for each in told), told
        names, body = [], session.stopped()
        while body["reason"] == "breakpoint":
            names.append(session.frames()[0]["name"])
            body = session.move("continue")[2]
        assert names == stops, (condition, names)
        back = []
        while (stop := session.move("reverseContinue"))[0] == "breakpoint":
            back.append(stop[1])
        assert back == stops[::-1], (condition, back)
        session.end()
    session = Session(espalier)
    bad = ("Alerted and", "(Alerted", "a b", "'open", "!" * 300 + "a", ")", "-x", "a = b")
    told = session.launch([(path, [{"line": lines[0], "condition": condition} for condition in bad])], **guard())
    assert all(not each["verified"] and each["message"] for each in told), told
    session.stopped()
    assert session.ask("evaluate", expression="1 < 2 and 'x' != 'y'", context="watch")["result"] == "true"
    session.end()


def what_runs_beside_a_node_and_its_inputs_are_shown(espalier, folder):
    tree = folder / "robot.xml"
    tree.write_text('<root BTCPP_format="4"><BehaviorTree ID="Robot"><ParallelAll><Action ID="Drive" speed="2"/><Action ID="Look" at="{place}"/></ParallelAll>'
                    '</BehaviorTree><TreeNodesModel><Action ID="Drive"><input_port name="speed"/></Action><Action ID="Look"><input_port name="at"/></Action>'
                    "</TreeNodesModel></root>")
    trace = folder / "robot.trace.jsonl"
    trace.write_text('{"trace": 1}\n{"set": {"place": "left"}}\n{"host": {"Drive": "running", "Look": "running"}}\n{"tick": 0.1}\n')
    session = Session(espalier)
    session.launch(functions=[{"name": "Look"}], project=str(tree), trace=str(trace), stopOnEntry=False)
    assert session.stopped()["reason"] == "function breakpoint"
    assert session.frames()[0]["name"] == "Look", session.frames()
    assert session.values("Also running") == {"Drive": "running"}
    assert session.values("Inputs") == {"at": "left"}
    assert session.values("Variables") == {"place": "left"}
    assert session.values("Host") == {"Drive": "running", "Look": "running"}
    session.end()


def a_log_is_debugged(espalier, folder):
    logs = ROOT / "tests/logs"
    subprocess.run([str(logs / "get_logs"), "nav.btlog", "nav.xml"], cwd=folder, check=True)
    session = Session(espalier)
    session.launch(functions=[{"name": "ComputePathToPose:failure"}], log=str(folder / "nav.btlog"), project=str(folder / "nav.xml"), stopOnEntry=False)
    assert session.stopped()["reason"] == "function breakpoint"
    frames = session.frames()
    assert frames[0]["name"] == "ComputePathToPose" and frames[0]["source"]["path"].endswith("nav.xml"), frames
    session.end()


def faults_stop_a_run(espalier, folder):
    trace = folder / "debugged.trace.jsonl"
    trace.write_text('{"trace": 1}\n{"tick": 0.1}\n{"expect": {"behavior": "Attack"}}\n{"tick": 0.1}\n')
    session = Session(espalier)
    session.launch(filters=["failed expectation"], project="guard/guard.xml", trace=str(trace), stopOnEntry=False)
    body = session.stopped()
    assert body["reason"] == "exception" and 'expected "Attack", actual "Patrol"' in body["text"], body
    assert session.ask("exceptionInfo", threadId=1)["exceptionId"] == "failed expectation"
    session.end()
    trace.write_text((SAMPLES / "robot/low_battery.trace.jsonl").read_text().replace('"IsBatteryLow": false, ', ""))
    session = Session(espalier)
    session.launch(filters=["unscripted-host"], project="robot/now", trace=str(trace), stopOnEntry=False)
    body = session.stopped()
    assert body["reason"] == "exception" and "'IsBatteryLow' has no scripted answer" in body["text"], body
    assert session.ask("exceptionInfo", threadId=1)["exceptionId"] == "unscripted-host"
    session.end()


def what_cannot_be_launched_is_said(espalier):
    for arguments, words in (({}, "nothing to debug"), ({"trace": "guard/intruder.trace.jsonl"}, "needs a \"project\""),
                             ({"project": "broken", "trace": "guard/intruder.trace.jsonl"}, "have errors"),
                             ({"project": "guard", "trace": "no.trace.jsonl"}, "cannot read"),
                             ({"project": "guard", "trace": "guard/guard.xml"}, "")):
        session = Session(espalier)
        session.ask("initialize")
        message = session.ask("launch", False, **arguments)
        assert words in message and message, (arguments, message)
        session.end()
    session = Session(espalier)
    session.ask("initialize")
    session.event("initialized")  # a client that waits for it before it launches
    for command in ("stackTrace", "continue", "stepBack", "evaluate", "scopes", "variables"):
        assert session.ask(command, False, threadId="1", frameId={}) == "nothing is being debugged yet"
    assert "unknown request" in session.ask("readMemory", False)
    [told] = session.ask("setBreakpoints", source={"path": str(SAMPLES / "guard/guard.xml")}, breakpoints=[{"line": 22}])["breakpoints"]
    assert not told["verified"]
    session.ask("configurationDone")
    session.ask("launch", **guard())
    assert session.stopped()["reason"] == "entry"
    for number in (2**60, -(2**63), 2**64 - 1, 1.5, None, "1"):
        session.ask("variables", variablesReference=number)
        session.ask("scopes", frameId=number)
    assert session.ask("goto", False, threadId=1, targetId=-1) == "there is no such target"
    assert session.ask("restartFrame", False, frameId=2**40) == "there is no such frame now"
    assert "already" in session.ask("launch", False, **guard())
    session.ask("stackTrace", threadId=-5, startFrame=-3, levels=2**62)
    session.ask("terminate")
    session.event("terminated")
    session.end()
    for at, reason in ((0.3, "Attack"), (1e300, "Patrol"), (-1, "update 0, 0 s")):
        session = Session(espalier)
        session.launch(**guard(at=at))
        session.stopped()
        assert session.frames()[0]["name"] == reason, (at, session.frames())
        session.end()


def breakpoints_are_at_results_and_conditions(espalier, folder):
    tree = folder / "robot.xml"
    tree.write_text("""<root BTCPP_format="4"><BehaviorTree ID="Robot">
  <Sequence name="All"> <!-- </Sequence> -->
    <Action ID="Drive" to="a > b" _skipIf="is_there"/>  <Action ID="Wave"
    />
  </Sequence>
</BehaviorTree></root>
""")
    trace = folder / "robot.trace.jsonl"
    trace.write_text("""{"trace": 1}
{"set": {"is_there": false}}
{"host": {"Drive": "success", "Wave": ["running", "success"]}}
{"tick": 0.1, "times": 2}
{"set": {"is_there": true}}
{"tick": 0.1}
""")
    line = tree.read_text().splitlines()[2]
    skip, end_of_drive, wave = line.index("_skipIf") + 1, line.index("/>") + 1, line.index('Action ID="Wave"') + 1
    session = Session(espalier)
    lines = [{"line": 3, "column": skip}, {"line": 3, "column": end_of_drive}, {"line": 3, "column": wave}, {"line": 4}, {"line": 5}]
    verified = session.launch([(tree, lines)], functions=[{"name": "Drive:skipped"}], project=str(tree), trace=str(trace), stopOnEntry=False)
    places = [(each["verified"], each["line"], each.get("column")) for each in verified[:-1]]
    assert places == [(True, 3, skip), (True, 3, end_of_drive), (True, 3, wave), (True, 4, None), (True, 5, None)], verified
    places = session.ask("breakpointLocations", source={"path": str(tree)}, line=1, endLine=6)["breakpoints"]
    assert [(place["line"], place["column"]) for place in places] == [(2, 4), (3, 6), (3, skip), (3, end_of_drive), (3, wave), (4, 5), (5, 3)], places
    stops = []
    while (body := session.stopped())["reason"] == "breakpoint":
        assert (len(body["hitBreakpointIds"]) == 2) is ("decides" in body["description"]), body
        stops.append(body["description"])
        session.ask("continue", threadId=1)
    assert stops == ["Drive: success at 0.1 s", "Wave begins at 0.1 s", "Wave: success at 0.2 s", "All: success at 0.2 s",
                     "_skipIf of Drive decides at 0.3 s", "Wave begins at 0.3 s", "Wave: success at 0.3 s", "All: success at 0.3 s"], stops
    session.end()


def a_value_is_changed_in_a_fork(espalier, folder):
    trace = folder / "long.trace.jsonl"
    trace.write_text('{"trace": 1}\n{"signal": "OnEnemySeen"}\n{"tick": 0.1, "times": 10}\n{"expect": {"behavior": "Attack"}}\n')
    before = trace.read_bytes()
    session = Session(espalier)
    session.launch(functions=[{"name": "Search"}], filters=["failed expectation"], project="guard/guard.xml", trace=str(trace), at=0.35)
    session.stopped()
    assert session.frames()[-1]["name"] == "update 2, 0.2 s", session.frames()  # nothing changes from then on
    frame = session.frames()[0]
    scopes = {each["name"]: each["variablesReference"] for each in session.ask("scopes", frameId=frame["id"])["scopes"]}
    assert session.ask("setVariable", False, variablesReference=scopes["Node"], name="status", value="idle") == "only variables and entries can be changed"
    assert "Alert" in session.ask("setVariable", False, variablesReference=scopes["Variables"], name="Alert", value="true")
    assert session.ask("setVariable", variablesReference=scopes["Variables"], name="EnemyVisible", value="false")["value"] == "false"
    assert session.event("invalidated") == {"areas": ["all"]}
    assert "'recorded' in the console" in session.event("output")["output"]
    assert session.ask("threads")["threads"] == [{"id": 1, "name": "agent 0 (Guard), what if EnemyVisible = false"}]
    assert session.values("Variables") == {"Alerted": "true", "EnemyVisible": "false"}
    reason, name, body = session.move("continue")
    assert (reason, name, body["description"]) == ("function breakpoint", "Search", "Search begins at 0.3 s"), body
    session.ask("setExpression", expression="Alerted", value="false", frameId=session.frames()[0]["id"])
    assert session.ask("threads")["threads"][0]["name"].endswith("what if Alerted = false")
    assert session.move("continue")[0] == "end" and session.frames()[0]["name"] == "Patrol", session.frames()
    session.ask("evaluate", expression="recorded", context="repl")
    assert session.stopped()["reason"] == "goto"
    assert session.ask("threads")["threads"] == [{"id": 1, "name": "agent 0 (Guard)"}]
    assert session.values("Variables") == {"Alerted": "true", "EnemyVisible": "true"}
    assert "recorded run" in session.ask("evaluate", False, expression="recorded", context="repl")
    assert trace.read_bytes() == before
    session.end()


def another_version_stops_at_the_first_difference(espalier, folder):
    session = Session(espalier)
    session.launch(project="robot/now", against="robot/next", trace="robot/low_battery.trace.jsonl", stopOnEntry=False)
    body = session.stopped()
    assert body["reason"] == "difference" and "'robot/now': IsBatteryLow answers true at 0.2 s" in body["description"], body
    assert session.move("continue")[0] == "end"
    assert session.move("reverseContinue")[0] == "difference"
    session.end()
    session = Session(espalier)
    session.launch(against="guard/guard.xml", **guard(stopOnEntry=False))
    assert "both versions do the same" in session.event("output")["output"]
    assert session.stopped()["reason"] == "end"
    session.end()
    subprocess.run([str(LOGS / "get_logs"), "nav.btlog", "nav.xml"], cwd=folder, check=True)
    other = folder / "other.xml"
    other.write_text((folder / "nav.xml").read_text().replace('hz="5.0"', 'hz="2.0"'))
    session = Session(espalier)
    session.launch(log=str(folder / "nav.btlog"), project=str(folder / "nav.xml"), against=str(other), stopOnEntry=False)
    assert session.stopped()["reason"] == "difference"
    session.end()
    session = Session(espalier)
    session.launch(filters=["drift"], log=str(folder / "nav.btlog"), project=str(other), stopOnEntry=False)
    assert session.stopped()["reason"] == "exception"
    assert session.ask("exceptionInfo", threadId=1)["exceptionId"] == "drift"
    session.end()


def why_is_told_as_replay_tells_it(espalier):
    session = Session(espalier)
    session.launch(functions=[{"name": "FollowPath:halted"}], filters=["halted"], project="robot/now", trace="robot/low_battery.trace.jsonl", stopOnEntry=False)
    session.stopped()
    told = session.ask("evaluate", expression="why FollowPath", context="watch")["result"]
    assert "interrupts FollowPath" in told and "IsBatteryLow (min_battery = 0.2) is true" in told and told.startswith("    0.200  interrupts"), told
    info = session.ask("exceptionInfo", threadId=1)
    assert info["exceptionId"] == "halted" and info["details"]["message"] == told, info
    assert "has not begun" in session.ask("evaluate", False, expression="why Nobody", context="repl")
    session.end()


def many_agents_are_not_all_listed(espalier, folder):
    trace = folder / "many.trace.jsonl"
    trace.write_text('{"trace": 1, "agents": 300}\n{"tick": 0.1, "agent": "all"}\n{"signal": "OnEnemySeen", "agent": 250}\n{"tick": 0.1, "agent": "all"}\n')
    for selected, listed in (({}, [251]), ({"agents": [7, 299]}, [8, 251, 300])):
        session = Session(espalier)
        session.launch(functions=[{"name": "Attack"}], project="guard/guard.xml", trace=str(trace), stopOnEntry=False, **selected)
        assert session.stopped()["threadId"] == 251
        assert [each["id"] for each in session.ask("threads")["threads"]] == listed
        session.end()


def a_long_search_is_told_and_cancelled(espalier, folder):
    trace = folder / "long.trace.jsonl"
    lines = ['{"signal": "OnEnemySeen"}', '{"tick": 0.1}', '{"signal": "OnEnemyLost"}', '{"signal": "OnCalmDown"}', '{"tick": 0.1}']
    trace.write_text('{"trace": 1}\n' + "\n".join(lines * 20_000) + "\n")
    session = Session(espalier)
    session.launch(functions=[{"name": "Attack", "condition": "Nothing == 1"}] * 500, project="guard/guard.xml", trace=str(trace), at=1e9)
    session.stopped()
    search = session.send("reverseContinue", threadId=1)
    session.answer(search)
    started = session.event("progressStart")
    assert started["cancellable"] and started["requestId"] == search, started
    assert session.event("progressUpdate")["progressId"] == started["progressId"]
    assert session.ask("threads")["threads"]  # is answered meanwhile
    session.ask("cancel", progressId="another")
    session.ask("cancel", progressId=started["progressId"])
    assert session.event("progressEnd")["progressId"] == started["progressId"]
    assert session.stopped()["description"] == "the search was cancelled"
    session.end()


def a_node_stands_where_its_version_has_it(espalier, folder):
    old = SAMPLES / "guard/guard.xml"
    folder = folder / "versions"
    new = folder / "next/guard.xml"
    new.parent.mkdir(parents=True)
    new.write_text(old.read_text().replace("<Priority", "\n\n  <Priority"))
    project = folder / "guard.xml"
    project.write_text(old.read_text())
    trace = folder / "reload.trace.jsonl"
    trace.write_text('{"trace": 1}\n{"tick": 0.1}\n{"reload": "next/guard.xml"}\n{"signal": "OnNoise"}\n{"tick": 0.1}\n{"signal": "OnCalmDown"}\n{"tick": 0.1}\n')
    session = Session(espalier)
    line = line_of("guard/guard.xml", 'name="Patrol"')
    session.launch([(project, [{"line": line}]), (new, [{"line": line + 2}])], project=str(project), trace=str(trace), stopOnEntry=False)
    for path, at in ((project, line), (new, line + 2)):
        assert session.stopped()["reason"] == "breakpoint"
        frame = session.frames()[0]
        assert (frame["name"], frame["source"]["path"], frame["line"]) == ("Patrol", str(path), at), frame
        session.ask("continue", threadId=1)
    assert session.stopped()["reason"] == "end"
    assert session.move("reverseContinue")[0] == "breakpoint" and session.move("reverseContinue")[0] == "breakpoint"
    assert session.frames()[0]["source"]["path"] == str(project), session.frames()
    session.end()


# ---- Programs that run


def a_program_is_observed(espalier):
    robot = held_program()
    session = Session(espalier)
    session.launch(functions=[{"name": "Drive"}], request="attach", address=robot.address)
    body = session.stopped()
    assert body["reason"] == "function breakpoint" and body["description"].startswith("Drive begins at "), body
    frames = session.ask("stackTrace", threadId=1)["stackFrames"]
    assert [frame["name"] for frame in frames[:-1]] == ["Drive", "Sequence"], frames
    time.sleep(0.5)  # it runs on, while a moment of it is shown
    back = session.ask("stepBack", threadId=1) or session.stopped()
    assert back["description"].startswith("IsReady begins at "), back
    for _ in range(3):
        session.ask("continue", threadId=1)
        assert session.stopped()["description"].startswith("Drive begins at ")
    rounds = int(session.ask("evaluate", expression="round", context="watch")["result"])
    session.ask("setFunctionBreakpoints", breakpoints=[])
    session.ask("continue", threadId=1)
    time.sleep(1)
    session.ask("pause", threadId=1)
    assert session.stopped()["reason"] == "pause"
    assert int(session.ask("evaluate", expression="round", context="watch")["result"]) > rounds
    said = session.ask("evaluate", expression="who wrote round", context="repl")["result"]
    assert said.startswith("somebody, before "), said
    session.end()
    asked = {each["ask"] for each in robot.end() if "ask" in each}
    assert asked == {"T", "r", "S", "t", "B"}, asked


def a_program_is_held(espalier):
    robot = held_program()
    session = Session(espalier)
    session.launch(functions=[{"name": "Drive"}], request="attach", address=robot.address, breakpoints="pause")
    stands = "; the program stands still until the run continues"
    body = session.stopped()
    assert body["description"].startswith("Drive begins at ") and body["description"].endswith(stands), body
    assert session.ask("threads")["threads"] == [{"id": 1, "name": "agent 0 (Robot), stands still"}]
    moments = len(robot.said)
    time.sleep(2.5)
    held = robot.said[moments:]
    assert {each.get("ask") for each in held} <= {"t", "B", "S"} and len(held) > 5, held  # it is asked, and does nothing
    body = session.ask("stepBack", threadId=1) or session.stopped()
    assert body["description"].startswith("IsReady begins at "), body
    for _ in range(2):  # to where it stands, and from there round to the same node
        session.ask("continue", threadId=1)
        body = session.stopped()
        assert body["description"].startswith("Drive begins at ") and body["description"].endswith(stands), body
    for command, words in (("stepIn", "Sequence is ticked again"), ("stepIn", "Drive is ticked again"), ("stepOut", "Sequence is ticked again"),
                           ("next", "Sequence ")):
        session.ask(command, threadId=1)
        body = session.stopped()
        assert body["reason"] in ("step", "function breakpoint") and words in body["description"] and stands in body["description"], (command, body)
    session.ask("setFunctionBreakpoints", breakpoints=[{"name": "Wave", "condition": "round < 0"}])  # held, and let go at once
    session.ask("continue", threadId=1)
    time.sleep(0.7)
    session.ask("pause", threadId=1)
    body = session.stopped()
    assert body["reason"] == "step" and stands in body["description"], body
    session.end()
    said = robot.end()
    assert said[-1]["hooks"] == [], said[-1]
    lengths = [later["at"] - each["at"] for each, later in zip(said, said[1:])]
    assert max(lengths) < 2, max(lengths)
    waits, waited = False, 0
    for each in said:  # an answer only to what waits
        if each.get("ask") == "U":
            assert waits, (each, said)
            waited += 1
        waits = "notice" in each or (waits and each.get("ask") != "U")
    assert waited == sum("notice" in each for each in said) > 8, waited
    wave = [each for each in said if each.get("goes_on") == 4]
    assert wave, "the program was held where the condition does not hold"


def a_program_is_held_behind_results_and_values(espalier):
    for breakpoints, holds in (({"functions": [{"name": "Drive:success"}]}, True), ({"data": "round"}, True), ({"data": "round"}, False)):
        robot = held_program()
        session = Session(espalier)
        session.launch(functions=breakpoints.get("functions", []), request="attach", address=robot.address, breakpoints="pause" if holds else "observe")
        if "data" in breakpoints:
            session.ask("setDataBreakpoints", breakpoints=[{"dataId": "round", "accessType": "write"}])
        for _ in range(2):
            body = session.stopped()
            while body["reason"] == "data breakpoint" and "becomes" not in body["description"]:
                body = session.stopped()
            assert body["reason"] in ("function breakpoint", "data breakpoint"), body
            name = session.ask("threads")["threads"][0]["name"]
            while holds and not name.endswith("stands still"):  # soon
                name = session.ask("threads")["threads"][0]["name"]
            if not holds:
                time.sleep(0.5)
                assert not session.ask("threads")["threads"][0]["name"].endswith("stands still")
            session.ask("continue", threadId=1)
        session.stopped()
        session.end()
        said = robot.end()
        assert said[-1]["hooks"] == [], said[-1]
        assert any("notice" in each for each in said) == holds, said


def what_a_killed_debugger_left_is_removed(espalier):
    robot = held_program()
    killed = Session(espalier)
    killed.launch(functions=[{"name": "Drive"}], request="attach", address=robot.address, breakpoints="pause")
    killed.stopped()
    killed.process.kill()
    session = Session(espalier)
    session.launch(functions=[{"name": "Wave"}], request="attach", address=robot.address, breakpoints="pause")
    assert session.stopped()["description"].startswith("Wave begins at ")
    session.ask("continue", threadId=1)
    assert session.stopped()["description"].startswith("Wave begins at ")
    session.end()
    said = robot.end()
    removed = max(i for i, each in enumerate(said) if each.get("ask") == "A")
    assert {each["notice"] for each in said[:removed] if "notice" in each} == {3}, said
    assert {each["notice"] for each in said[removed:] if "notice" in each} == {4}, said
    assert said[-1]["hooks"] == [], said[-1]


def a_debugger_sleeps(espalier):
    robot = held_program()
    session = Session(espalier)
    session.launch(functions=[{"name": "Wave", "condition": "round < 0"}], request="attach", address=robot.address, breakpoints="pause")
    time.sleep(0.5)
    session.process.send_signal(signal.SIGSTOP)
    time.sleep(5.2)
    session.process.send_signal(signal.SIGCONT)
    assert "not asked anything" in session.event("output")["output"]
    session.ask("setFunctionBreakpoints", breakpoints=[{"name": "Drive"}])
    assert session.stopped()["description"].startswith("Drive begins at ")
    session.end()
    said = robot.end()
    assert said[-1]["hooks"] == [], said[-1]
    waits = False
    for each in said:  # an answer only to what waits
        assert waits or each.get("ask") != "U", said
        waits = "notice" in each or (waits and each.get("ask") != "U" and "goes_on" not in each)


def a_program_gets_another_tree(espalier):
    robot = held_program()
    session = Session(espalier)
    session.launch(functions=[{"name": "Wave"}], request="attach", address=robot.address, breakpoints="pause")
    session.stopped()
    session.ask("continue", threadId=1)
    robot.tell("other")
    while "another tree" not in session.event("output")["output"]:
        pass
    assert "begins" in session.stopped()["description"]
    while session.ask("threads")["threads"][0]["name"] != "agent 0 (Other), stands still":
        session.ask("continue", threadId=1)
        session.stopped()
    session.ask("evaluate", expression="goto 0", context="repl")
    session.stopped()
    assert session.ask("threads")["threads"][0]["name"].startswith("agent 0 (Robot)")
    session.end()
    assert robot.end()[-1]["hooks"] == []


def a_program_stops_answering(espalier):
    robot = held_program()
    session = Session(espalier)
    session.launch(functions=[{"name": "Drive"}], request="attach", address=robot.address, breakpoints="pause")
    session.stopped()
    robot.tell("silent")
    text = session.event("output")["output"]
    assert "no answer for 2 seconds" in text and "5 seconds at most" in text, text
    assert session.ask("threads")["threads"] == [{"id": 1, "name": "agent 0 (Robot)"}]
    body = session.ask("stepBack", threadId=1) or session.stopped()
    assert body["description"].startswith("IsReady begins at "), body  # what is known of it stays
    session.end()
    robot.end()


def a_program_tells_nonsense_while_it_is_held(espalier):
    robot = held_program()
    session = Session(espalier)
    session.launch(functions=[{"name": "Drive"}], request="attach", address=robot.address, breakpoints="pause")
    session.stopped()
    robot.tell("broken")
    assert "does not speak Groot2's protocol" in session.event("output")["output"]
    session.end()
    said = robot.end()
    assert said[-1]["hooks"] == [] and any("goes_on" in each for each in said), said


def a_program_is_recorded(espalier, folder):
    program = Program(LOGS / "publisher.py", LOGS / "patrol.session.jsonl", "--port", "0", "--by", "order")
    (folder / "run.btlog").write_text("of another day")
    session = Session(espalier)
    session.launch(request="attach", address=program.address, record=str(folder / "run.btlog"))
    assert session.event("output")["output"] == f"records to {folder}/run-2.btlog\n"
    time.sleep(4.5)  # 20 answers with changes
    session.end()
    program.process.kill()
    assert (folder / "run.btlog").read_text() == "of another day"
    done = subprocess.run([espalier, "import", folder / "run-2.btlog"], capture_output=True, text=True, check=False)
    assert "451 of 451 changes explained" in done.stderr, done.stderr
    session = Session(espalier)
    session.launch(functions=[{"name": "FollowPath"}], log=str(folder / "run-2.btlog"), stopOnEntry=False)
    assert session.stopped()["reason"] == "function breakpoint"
    session.end()


def a_program_goes_away(espalier):
    program = Program(LOGS / "publisher.py", LOGS / "patrol.session.jsonl", "--port", "0", "--by", "order", "--stop-after", "25", "--delay", "0.05")
    session = Session(espalier)
    line = 1 + next(i for i, text in enumerate((LOGS / "patrol.xml").read_text().splitlines()) if "<FollowPath" in text)
    session.launch([(LOGS / "patrol.xml", [{"line": line}])], request="attach", address=program.address, project=str(LOGS / "patrol.xml"),
                   record="/dev/null/run.btlog")
    assert "cannot write '/dev/null/run.btlog'" in session.event("output")["output"]
    assert session.stopped()["reason"] == "breakpoint"
    assert session.frames()[0]["source"]["path"] == str(LOGS / "patrol.xml")
    assert "connection is lost" in session.event("output")["output"]
    assert session.ask("setVariable", False, variablesReference=1, name="mode", value="chase")
    session.end()
    program.process.wait(SECONDS)


def what_cannot_be_attached_is_said(espalier):
    robot = held_program()
    with socket.create_server(("127.0.0.1", 0)) as server:
        closed = f"tcp://127.0.0.1:{server.getsockname()[1]}"
    for arguments, words in (({}, "nothing to debug"), ({"address": "localhost"}, "is no address"), ({"address": closed}, "answers there"),
                             ({"address": robot.address, "record": "run.txt"}, ".btlog"), ({"address": robot.address, "breakpoints": "stop"}, "\"observe\" or \"pause\""),
                             ({"address": robot.address, "project": str(LOGS / "patrol.xml")}, "tree")):
        session = Session(espalier)
        session.ask("initialize")
        message = session.ask("attach", False, **arguments)
        assert words in message, (arguments, message)
        session.end()
    robot.end()
    for answer, words in ((b"HTTP/1.0 400 Bad Request\r\n\r\n", "does not speak ZeroMQ"), (b"", "no answer for 2 seconds")):
        with socket.create_server(("127.0.0.1", 0)) as server:
            def serve():
                peer = server.accept()[0]
                peer.sendall(answer)
                time.sleep(4)

            threading.Thread(target=serve, daemon=True).start()
            session = Session(espalier)
            session.ask("initialize")
            message = session.ask("attach", False, address=f"tcp://127.0.0.1:{server.getsockname()[1]}", breakpoints="pause")
            assert words in message, message
            session.end()


def main():
    espalier = str(pathlib.Path(sys.argv[1]).resolve())
    messages = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else None
    sessions = (breakpoints_stop_where_a_node_begins, a_run_is_the_same_in_both_directions, steps_go_over_into_and_out_of_nodes,
                values_tell_who_wrote_them, hits_are_counted_and_logs_told, conditions_are_over_the_values_then, what_cannot_be_launched_is_said, why_is_told_as_replay_tells_it)
    in_a_folder = (a_log_is_debugged, what_runs_beside_a_node_and_its_inputs_are_shown, faults_stop_a_run, breakpoints_are_at_results_and_conditions,
                   a_value_is_changed_in_a_fork, another_version_stops_at_the_first_difference, many_agents_are_not_all_listed,
                   a_long_search_is_told_and_cancelled, a_node_stands_where_its_version_has_it)
    for session in sessions:
        session(espalier)
    with tempfile.TemporaryDirectory() as folder:
        for session in in_a_folder:
            session(espalier, pathlib.Path(folder))
        attached = (a_program_is_observed, a_program_is_held, a_program_is_held_behind_results_and_values, what_a_killed_debugger_left_is_removed, a_debugger_sleeps, a_program_gets_another_tree,
                    a_program_stops_answering, a_program_tells_nonsense_while_it_is_held, a_program_goes_away,
                    what_cannot_be_attached_is_said, functools.partial(a_program_is_recorded, folder=pathlib.Path(folder)))
        with concurrent.futures.ThreadPoolExecutor(len(attached)) as pool:  # they mostly wait
            for session in [pool.submit(session, espalier) for session in attached]:
                session.result()
    if messages:
        messages.write_text("".join(json.dumps(message) + "\n" for message in received))
    print(f"{len(sessions) + len(in_a_folder) + len(attached)} kinds of sessions of the debugger passed")


received = []  # all messages of the debugger
PYTHON = python_with_zmq()
if __name__ == "__main__":
    main()
