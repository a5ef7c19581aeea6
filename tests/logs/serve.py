#!/usr/bin/env python3
"""Agents of espalier's runtime that are watched while they run: serve.py ESPALIER FOLDER [--update]

FOLDER has the programs `served` (samples/embed) and `served_runs`. Clients speak through libzmq. What the served agent replies to each
request, and which changes of statuses it tells, is compared with captured sessions of the real publisher, with the same tree and the same
answers of the robot's nodes. `espalier attach` tells what is shown in lib/runtime/README.md, which --update writes.
"""
import concurrent.futures
import json
import os
import pathlib
import re
import socket
import struct
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree

try:
    import zmq
except ImportError:  # the system's python3 has it
    if sys.executable == "/usr/bin/python3":
        sys.exit("python3 has no zmq: install python3-zmq")
    os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.argv])

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
RESULTS = {1: "running", 2: "success", 3: "failure", 4: "skipped"}
BEFORE_RUN = 28  # requests of the session of the arm before its hooks are reached


def expect(what, holds, *shown):
    global count
    count += 1
    if not holds:
        raise SystemExit("\n".join([f"{what}: does not hold", *(f"{each}" for each in shown)]))


def free_port():
    """The first of two that are free now."""
    while True:
        with socket.socket() as one, socket.socket() as other:
            one.bind(("127.0.0.1", 0))
            try:
                other.bind(("127.0.0.1", one.getsockname()[1] + 1))
            except OSError:
                continue
            return one.getsockname()[1]


class Served:
    """A program that serves, and a client of it."""

    def __init__(self, program, *words):
        self.port = free_port()
        words = [str(self.port) if word == "PORT" else str(word) for word in words]
        self.process = subprocess.Popen([FOLDER / program, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        expect(f"{program} listens", self.process.stdout.readline().startswith("listening"))
        self.requests = ZMQ.socket(zmq.REQ)
        self.notices = ZMQ.socket(zmq.SUB)
        for one, port in ((self.requests, self.port), (self.notices, self.port + 1)):
            one.setsockopt(zmq.LINGER, 0)
            one.setsockopt(zmq.RCVTIMEO, 5000)
            if one is self.requests:  # a request then has an envelope
                one.setsockopt(zmq.REQ_CORRELATE, 1)
                one.setsockopt(zmq.REQ_RELAXED, 1)
            one.connect(f"tcp://127.0.0.1:{port}")
        self.notices.setsockopt(zmq.SUBSCRIBE, b"")
        self.number = 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.requests.close()
        self.notices.close()
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()

    def send(self, parts):
        self.requests.send_multipart(parts)
        return self.requests.recv_multipart()

    def ask(self, letter, argument=None):
        """The second part of the reply, or None, or the text of an error."""
        self.number += 1
        head = struct.pack("<BcI", 2, letter.encode(), self.number)
        reply = self.send([head] + ([argument.encode()] if argument is not None else []))
        if reply[0] == b"error":
            return reply[1].decode()
        expect("a reply repeats its request, and names the tree", reply[0][:6] == head and len(reply[0]) == 22, reply)
        return reply[1] if len(reply) > 1 else None

    def update(self, times=1):
        """Lets updates run; what the program says."""
        self.process.stdin.write("\n" * times)
        self.process.stdin.flush()
        return [self.process.stdout.readline().strip() for _ in range(times)]

    def statuses(self):
        return dict(struct.iter_unpack("<HB", self.ask("S")))

    def active(self):
        """The names of the elements that run, in the order of the tree."""
        told = xml.etree.ElementTree.fromstring(self.ask("T").decode())
        names = {int(node.get("_uid")): node.get("name") for node in told.find("BehaviorTree").iter() if node.get("_uid")}
        return [names[uid] for uid, status in sorted(self.statuses().items()) if status == 1]

    def changes(self):
        data = self.ask("t")
        return [(uid, status) for _, uid, status in (struct.unpack("<6sHB", data[i:i + 9]) for i in range(0, len(data), 9))]


def compiled(folder, name):
    """The tree with the models of the program that the session was captured of."""
    model = re.search(r"<TreeNodesModel>.*</TreeNodesModel>", (HERE / f"{name}.fulltree.xml").read_text(), re.DOTALL)[0]
    folder = pathlib.Path(tempfile.mkdtemp(dir=folder))
    source = folder / f"{name}.xml"
    source.write_text((HERE / f"{name}.xml").read_text().replace("</root>", model + "</root>"))
    asset = folder / f"{name}.espb"
    done = subprocess.run([ESPALIER, "compile", "--isolated", source, "--with-xml", "-o", asset], capture_output=True, text=True, check=False)
    expect(f"{name}.xml is compiled", done.returncode == 0, done.stderr)
    return asset


def session_of(name):
    return [json.loads(line) for line in (HERE / f"{name}.session.jsonl").read_text().splitlines()]


def text_of(value):
    if isinstance(value, list):
        return "text " + ";".join(map(str, value))
    if isinstance(value, float):
        return f"real {value}"
    return f"whole {value}" if isinstance(value, int) else f"text {value if isinstance(value, str) else json.dumps(value)}"


def script_of(name):
    """What the robot's nodes did in the first run, in updates and in their order, for served_runs; the changes of statuses; and the order of nodes."""
    lines, changes, ids = [], [], {}
    for line in (HERE / f"{name}.truth.jsonl").read_text().splitlines():
        event = json.loads(line)
        if "run" in event:
            if ids:
                break
            ids = {uid: kind for uid, kind, *_ in event["nodes"]}
        for word, *rest in event["events"] if isinstance(event.get("events"), list) else []:
            if word == "w":
                lines.append(f"write {rest[1]} {text_of(rest[2])}")
            elif word == "a":
                lines.append(f"answer {ids[rest[0]]} {RESULTS[rest[1]]}")
            elif word == "s":
                changes.append((rest[0], rest[2]))
        if "update" in event:
            if event["update"] == 0:  # what the program had written before, to the root of all blackboards
                lines = [f"set {entry} {text_of(value)}" for board, entry, value in event["sets"] if board == "ROOT"] + lines
            lines.append(f"update {event['t']}")
        elif event.get("end"):
            lines.append("stop")
    return lines, changes, list(ids)


def unpack(data):
    """MessagePack: the value, and the bytes after it."""
    code, rest = data[0], data[1:]
    if code < 0x80:
        return code, rest
    if code < 0x90 or code == 0xDE:
        size, rest = (code & 15, rest) if code < 0x90 else (struct.unpack(">H", rest[:2])[0], rest[2:])
        values = {}
        for _ in range(size):
            key, rest = unpack(rest)
            values[key], rest = unpack(rest)
        return values, rest
    if 0xA0 <= code < 0xC0 or code in (0xD9, 0xDA):
        size, rest = (code & 31, rest) if code < 0xC0 else (rest[0], rest[1:]) if code == 0xD9 else (struct.unpack(">H", rest[:2])[0], rest[2:])
        return rest[:size].decode(), rest[size:]
    if code in (0xC0, 0xC2, 0xC3):
        return {0xC0: None, 0xC2: False, 0xC3: True}[code], rest
    form = {0xCA: ">f", 0xCB: ">d", 0xCC: ">B", 0xCD: ">H", 0xCE: ">I", 0xCF: ">Q", 0xD0: ">b", 0xD1: ">h", 0xD2: ">i", 0xD3: ">q"}[code]
    size = struct.calcsize(form)
    return struct.unpack(form, rest[:size])[0], rest[size:]


def check_entries(name, served):
    """The entries after the run are those of the real library, as far as it tells them as numbers and texts."""
    real = {}
    for line in (HERE / f"{name}.truth.jsonl").read_text().splitlines():
        for board, entry, *value in json.loads(line).get("sets", []):
            real.setdefault(board, {}).pop(entry, None)
            real[board].update({entry: each for each in value})
    paths = next(line["comment"].split(": ")[1] for line in session_of(name) if "comment" in line)
    told, rest = unpack(served.ask("B", paths))
    expect("the reply is one value", rest == b"")
    told["Patrol"].pop("alarm")  # the captured program had a blackboard for it above all others
    expect("a board without entries is nothing", told.pop("recharge", 0) is None)
    real["ROOT"] = told["ROOT"]
    expect(f"{name}: there are the same entries", {board: sorted(values or []) for board, values in told.items()} ==
           {board: sorted(values or []) for board, values in real.items()}, told, real)
    for board, values in real.items():
        for entry, value in (values or {}).items():
            if isinstance(value, (int, float, str)):
                expect(f"{name}: {entry} of {board} has the real library's value", told[board][entry] == value and type(told[board][entry]) is type(value),
                       told[board][entry], value)


def check_run(folder, name, tree):
    """The same changes in the same order as the real library's."""
    lines, changes, order = script_of(name)
    script = folder / f"{name}.script"
    script.write_text("\n".join(lines) + "\n")
    with Served("served_runs", compiled(folder, name), tree, script, "PORT") as served:
        tree_xml(name, served.ask("T").decode())
        expect("a recording begins now", abs(int(served.ask("r", "start")) / 1e6 - time.time()) < 5)
        count = sum(line.startswith("update") for line in lines)
        expect("all updates run", served.update(count + 1) == ["running"] * count + ["over"])
        told = served.changes()
        first = next((i for i, pair in enumerate(zip(told, changes)) if pair[0] != pair[1]), None)
        expect(f"{name}: the changes are those of the real library", told == changes, f"the first difference is number {first}:",
               f"real: {changes[max(0, first - 3):first + 4] if first is not None else len(changes)}",
               f"told: {told[max(0, first - 3):first + 4] if first is not None else len(told)}")
        expect("they are told once", served.changes() == [])
        shown, status = dict.fromkeys(order, 0), {}
        for uid, now in changes:  # a node that went idle is shown with the status before
            shown[uid] = now or 10 + status.get(uid, 0)
            status[uid] = now
        expect(f"{name}: statuses are those after the changes, in the real library's order", list(served.statuses().items()) == list(shown.items()),
               served.statuses(), shown)
        if name == "patrol":
            check_entries(name, served)


def tree_xml(name, told):
    """The XML has the same trees; of the models those of its nodes."""
    def trees(text):
        return [xml.etree.ElementTree.canonicalize(xml.etree.ElementTree.tostring(tree), strip_text=True)
                for tree in xml.etree.ElementTree.fromstring(text).iter("BehaviorTree")]

    real = (HERE / f"{name}.fulltree.xml").read_text()
    expect(f"{name}: the tree is written as the real library does", trees(told) == trees(real), *trees(told), "real:", *trees(real))


def check_requests(folder):
    """What the real publisher replied before anything ran, this one does."""
    with Served("served_runs", compiled(folder, "arm"), "Arm", "/dev/null", "PORT") as served:
        for line in session_of("arm"):
            if line.get("n", BEFORE_RUN + 1) > BEFORE_RUN or line["ask"] == "T":
                continue
            reply = served.send([bytes.fromhex(part) for part in line["request"]])
            real = [bytes.fromhex(part) for part in line["reply"]]
            if len(real[0]) == 22:
                reply[0], real[0] = reply[0][:6], real[0][:6]
            if line["ask"] == "D":
                reply[1], real[1] = (sorted(map(str, json.loads(parts[1]))) for parts in (reply, real))
            if real[-1:] and b"parse_error" in real[-1]:
                reply[1], real[1] = (parts[1].split(b"syntax error")[0] for parts in (reply, real))
            expect(f"request {line['n']} ({line['ask']}) is answered as by the real publisher", reply == real, reply, real)
        tree_xml("arm", served.ask("T").decode())


def check_hooks(folder):
    """A breakpoint holds the agent at the end of an update, until a client lets it go on."""
    script = folder / "hooks.script"
    script.write_text("\n".join(script_of("patrol")[0]) + "\n")
    follow_path = 32  # of the subtree 'north': it begins in the first update
    with Served("served_runs", compiled(folder, "patrol"), "Patrol", script, "PORT") as served:
        expect("a breakpoint is taken", served.ask("I", json.dumps({"enabled": True, "uid": follow_path, "mode": 0, "once": False,
                                                                    "desired_status": "SKIPPED", "position": 0})) is None)
        time.sleep(0.1)  # the subscription arrives
        expect("the agent is held after the update", served.update(2) == ["running", "held"])
        header, uid = served.notices.recv_multipart()
        expect("subscribers get a notice", header[:2] == b"\x02N" and len(header) == 6 and uid == b"32", header, uid)
        expect("its node runs", served.statuses()[follow_path] == 1)
        on = {"uid": follow_path, "desired_status": "FAILURE", "position": 0, "remove_when_done": True}
        expect("results are not replaced", "replace results" in served.ask("U", json.dumps(on)))
        expect("it goes on", served.ask("U", json.dumps({**on, "desired_status": "SKIPPED"})) is None)
        expect("and updates run", served.process.stdout.readline() == "running\n")
        expect("the breakpoint is gone", served.ask("D") == b"[]")


def check_replacement(folder):
    """Results of nodes that call the program are replaced, where it allows that."""
    asset = folder / "replaced.espb"
    subprocess.run([ESPALIER, "compile", "samples/btcpp", "-q", "--with-xml", "-o", asset], cwd=ROOT, check=True)
    script = folder / "replaced.script"  # without the replaced nodes: they are not asked
    script.write_text("answer IsBatteryOk success\nanswer FindPath running\nupdate 100000\nanswer FindPath running\nupdate 200000\n")
    with Served("served_runs", asset, "Courier", script, "PORT", "replace") as served:
        elements = list(xml.etree.ElementTree.fromstring(served.ask("T")).iter())
        uids = {name: [int(each.get("_uid")) for each in elements if each.tag == name and each.get("_uid")] for name in ("TakeParcel", "FindPath", "Fallback")}
        [take], [_, find_home], [fallback] = uids["TakeParcel"], sorted(uids["FindPath"]), uids["Fallback"]
        hook = {"enabled": True, "uid": take, "mode": 1, "once": True, "desired_status": "FAILURE", "position": 0}
        for wrong, words in (({"uid": fallback}, "nodes that call the program"), ({"position": 1}, "before a tick"), ({"desired_status": "RUNNING"}, "a result is")):
            expect(f"a result is not replaced where {wrong}", words in (served.ask("I", json.dumps({**hook, **wrong})) or ""))
        expect("a result is replaced", served.ask("I", json.dumps([hook, {**hook, "uid": find_home, "mode": 0}])) is None)
        expect("a hook says so", {each["uid"]: each["mode"] for each in json.loads(served.ask("D"))} == {take: 1, find_home: 0})
        time.sleep(0.1)
        expect("the agent is held", served.update(2) == ["running", "held"])
        told = {int(served.notices.recv_multipart()[1]) for _ in range(2)}
        expect("each use is noticed", told == {take, find_home}, told)
        expect("the action has failed", served.statuses()[take] in (3, 13), served.statuses())
        expect("a hook that replaces once is gone", [each["uid"] for each in json.loads(served.ask("D"))] == [find_home])
        on = {"uid": find_home, "desired_status": "FAILURE", "position": 0, "remove_when_done": True}
        expect("it goes on with another result", served.ask("U", json.dumps(on)) is None)
        expect("which its next tick has", served.process.stdout.readline() == "running\n")
        expect("the breakpoint is gone", served.ask("D") == b"[]")
    with Served("served_runs", asset, "Courier", "/dev/null", "PORT") as served:
        expect("nothing is replaced unless it is allowed", "does not let clients" in served.ask("I", json.dumps(hook)))


# Samples of other dialects: what the game answers in one update, and which elements are active then.
OTHER_DIALECTS = [("modular", "sentry", ["answer QueryTPS success", "answer Move running"],
                   ["StateMachine", "Patrol", "Loop", "SuppressFailure", "Sequence", "Move"]),
                  ("deciders", "Creature", ["answer LookAround running"], ["Root", "Idle", "LookAround"]),
                  ("synchronized", "Campfire", ["answer SitDown running"], ["Selector", "Seats", "Sequence", "SitDown"]),
                  ("dragengine", "watchman", ["answer walk.to running"], ["root", "night", "round", "hall"])]


def check_dialects(folder):
    """Trees of other dialects are shown with their active elements."""
    for sample, tree, answers, active in OTHER_DIALECTS:
        asset = folder / f"{sample}.espb"
        subprocess.run([ESPALIER, "compile", f"samples/{sample}", "-q", "--with-xml", "-o", asset], cwd=ROOT, check=True)
        script = folder / f"{sample}.script"
        script.write_text("\n".join([*answers, "update 1000000", ""]))
        with Served("served_runs", asset, tree, script, "PORT") as served:
            expect(f"an update of {tree} runs", served.update() == ["running"])
            expect(f"the active elements of {tree} are shown", served.active() == active, served.active())
            done = subprocess.run([ESPALIER, "attach", "--once", f"tcp://127.0.0.1:{served.port}"], capture_output=True, text=True, timeout=20, check=False)
            expect(f"attach shows {tree}", done.returncode == 0, done.stdout, done.stderr)


def check_peers(folder):
    """Peers that send anything harm nobody; a tree that selects is shown too."""
    asset = folder / "guard.espb"
    subprocess.run([ESPALIER, "compile", "samples/guard", "--with-xml", "--strip", "-o", asset], cwd=ROOT, check=True)
    script = folder / "guard.script"
    script.write_text("update 1000000\n")
    with Served("served_runs", asset, "Guard", script, "PORT") as served:
        for bytes_sent in (b"GET / HTTP/1.0\r\n\r\n", os.urandom(1000), b"\xff" + bytes(8) + b"\x7f\x03\x00NULL" + bytes(48) + b"\x06" + b"\xff" * 8):
            with socket.create_connection(("127.0.0.1", served.port), 5) as peer:
                peer.sendall(bytes_sent)
                peer.settimeout(5)
                try:
                    while peer.recv(4096):
                        pass
                except ConnectionResetError:
                    pass
        expect("an update runs", served.update() == ["running"])
        expect("the active elements of a tree that selects are shown", served.active() == ["Root", "Patrol"], served.active())
        expect("its variables are entries", served.ask("B", "Guard")[:7] == b"\x81\xa5Guard", served.ask("B", "Guard"))
        done = subprocess.run([ESPALIER, "attach", "--once", f"tcp://127.0.0.1:{served.port}"], capture_output=True, text=True, timeout=20, check=False)
        expect("attach shows it", done.returncode == 0, done.stdout, done.stderr)


def check_sample(folder):
    """samples/embed/served.cpp, and what espalier tells of it: as the manual says."""
    asset = folder / "btcpp.espb"
    subprocess.run([ESPALIER, "compile", "samples/btcpp", "--with-xml", "-o", asset], cwd=ROOT, check=True)
    with Served("served", asset, "PORT") as served:
        served.ask("T")
        while sum(status == 1 for status in served.statuses().values()) < 5:  # the first update
            time.sleep(0.02)
        done = subprocess.run([ESPALIER, "attach", "--once", f"tcp://localhost:{served.port}"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, timeout=20, check=False)
        told = done.stdout.replace(f":{served.port}", "")
        shown = ("$ build/embed/served build/embed/served.espb &\nlistening on 1667\n$ espalier attach --once tcp://localhost\n" + told)
        block = re.compile(r"(?<=<!-- served -->\n```text\n)(?:(?!```).*\n)*")
        manual = ROOT / "lib/runtime/README.md"
        if "--update" in sys.argv:
            manual.write_text(block.sub(lambda _: shown, manual.read_text()))
        expect("attach shows what the manual says", done.returncode == 0 and block.findall(manual.read_text()) == [shown], shown)
        mapped = subprocess.run([ESPALIER, "attach", f"tcp://localhost:{served.port}", "samples/btcpp", "--for", "1", "--format", "jsonl"], cwd=ROOT,
                                capture_output=True, text=True, timeout=20, check=False)
        expect("its tree is that of the files", mapped.returncode == 0 and "error" not in mapped.stderr, mapped.stdout, mapped.stderr)


ESPALIER, FOLDER = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
ZMQ = zmq.Context()
count = 0
with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    checks = [(check_requests, folder), (check_run, folder, "patrol", "Patrol"), (check_run, folder, "nav", "NavigateToPose"), (check_hooks, folder), (check_replacement, folder), (check_dialects, folder),
              (check_peers, folder), (check_sample, folder)]
    with concurrent.futures.ThreadPoolExecutor(len(checks)) as pool:  # they mostly wait
        for check in [pool.submit(*check) for check in checks]:
            check.result()
print(f"{count} statements about served agents hold")
