#!/usr/bin/env python3
"""Attaches to stand-ins of robots' programs, which answer as real ones did in captured sessions: attach.py ESPALIER

What is recorded has every change that the program told, in order. A program that ends, hangs, comes back, has another tree, or is none
of BehaviorTree.CPP's is told, and nothing crashes. The stand-in (publisher.py) speaks through libzmq.
"""
import concurrent.futures
import http.client
import json
import os
import pathlib
import re
import select
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time

from zmq_python import python_with_zmq

HERE = pathlib.Path(__file__).resolve().parent


class Program:
    """A stand-in for a robot's program, while it is watched."""

    def __init__(self, session, *options, port=0):
        self.process = subprocess.Popen([PYTHON, HERE / "publisher.py", HERE / f"{session}.session.jsonl", "--port", str(port), *options],
                                        stdout=subprocess.PIPE, text=True)
        self.port = int(self.process.stdout.readline().split()[-1])
        self.address = f"tcp://127.0.0.1:{self.port}"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()


def attach(*words, seconds=20):
    return subprocess.run([ESPALIER, "attach", *map(str, words)], capture_output=True, text=True, timeout=seconds, check=False)


def receive_interrupts():
    """A shell lets what it starts in the background ignore them."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def attach_until(is_done, *words, seconds=20):
    """Interrupted as soon as that holds, however fast the machine is."""
    process = subprocess.Popen([ESPALIER, "attach", *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               preexec_fn=receive_interrupts)
    end = time.monotonic() + seconds
    while not is_done() and time.monotonic() < end:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, error = process.communicate(timeout=seconds)
    return subprocess.CompletedProcess(process.args, process.returncode, out, error)


def records_of(path):
    data = path.read_bytes()
    at = 19
    (size,) = struct.unpack_from("<i", data, at)
    at += 4 + size + 8
    return [(struct.unpack_from("<H", data, i + 6)[0], data[i + 8]) for i in range(at, len(data) - 8, 9)]


def told_in(session):
    """The changes in the answers to 't'."""
    records = []
    for line in (HERE / f"{session}.session.jsonl").read_text().splitlines():
        event = json.loads(line)
        if event.get("ask") == "t" and len(event["reply"]) > 1:
            data = bytes.fromhex(event["reply"][1])
            records += [(struct.unpack_from("<H", data, i + 6)[0], data[i + 8]) for i in range(0, len(data), 9)]
    return records


def expect(what, holds, *shown):
    global count
    count += 1
    if not holds:
        raise SystemExit("\n".join([f"{what}: does not hold", *(f"{each}" for each in shown)]))


def check_recording(folder):
    with Program("patrol", "--by", "order") as program:
        log, entries = folder / "run.btlog", folder / "run.btlog.entries.jsonl"
        done = attach_until(lambda: entries.exists() and entries.read_text().count("\n") == 4 and records_of(log) == told_in("patrol"),
                            program.address, "--rate", 50, "--entries", 20, "-o", log)
    expect("the story ends without an error", done.returncode == 0, done.stderr)
    expect("it names the tree", "tree 'Patrol', 45 nodes" in done.stderr, done.stderr)
    expect("leaves are told with the path of their subtree", " north/FollowPath begins\n" in done.stdout, done.stdout)
    expect("the recording has every change", records_of(folder / "run.btlog") == told_in("patrol"))
    done = attach(program.address, "-o", folder / "run.btlog")
    expect("a recording is not overwritten", done.returncode == 2 and "exists already" in done.stderr, done.stderr)
    expect("it is as it was", records_of(folder / "run.btlog") == told_in("patrol"))
    told = [json.loads(line) for line in entries.read_text().splitlines()]
    expect("entries are recorded beside it", [entry["entries"]["Patrol"]["mode"] for entry in told] == [None, "patrol", "patrol", "chase"], told)
    imported = subprocess.run([ESPALIER, "import", folder / "run.btlog"], capture_output=True, text=True, check=False)
    expect("import explains the recording", "451 of 451 changes explained" in imported.stderr, imported.stderr)


def check_forms():
    with Program("patrol", "--by", "time") as program:
        done = attach("--once", program.address)
        expect("--once tells the tree and its entries", "tree 'Patrol'\nrunning: " in done.stdout and "chase/label = intruder\n" in done.stdout, done.stdout)
        done = attach("--once", "--format", "jsonl", program.address)
        expect("the same as JSON", json.loads(done.stdout)["tree"] == "Patrol", done.stdout)
        done = attach(program.address, program.address, "--for", 2.5, "--only", "FollowPath")
        expect("of several programs each line says which", done.stdout.startswith("robot"), done.stdout)
        names = {line.split()[2].split("/")[-1] for line in done.stdout.splitlines()}
        expect("--only tells these nodes alone", names == {"FollowPath"}, done.stdout)
    with Program("patrol", "--by", "time", "--speed", "2") as program:
        done = attach(program.address, "--format", "jsonl", "--for", 1.2)
        events = [json.loads(line) for line in done.stdout.splitlines()]
        expect("events have the node's number and the time", events and all({"uid", "at", "event", "t"} <= event.keys() for event in events), done.stdout)
        answers = [event["value"] for event in events if event["event"] == "ask" and event["name"] == "IsIntruderSeen"]
        expect("answers of conditions are told when they change", answers == [False, True, False][: len(answers)] and answers, answers)


def check_reasons(folder):
    """Decisions that no status shows have the reasons that import finds."""
    imported = subprocess.run([ESPALIER, "import", "-q", HERE / "patrol.btlog"], capture_output=True, text=True, check=True).stdout
    expected = re.findall(r"(?:skips|fails|succeeds) \S+ +(_\w+ is .*?)  \(\S*patrol.btlog:(\d+)\)", imported)
    expect("import tells reasons", len(expected) > 5, imported)
    with Program("patrol", "--by", "order") as program:
        done = attach(program.address, "--for", 1.5, "--rate", 50, "--entries", 0)
    reasons = re.findall(r"(?:is skipped|fails|succeeds): (_\w+ is .*?)  \(program.xml:(\d+)\)", done.stdout)
    expect("they are those of import", reasons == expected, reasons, expected, done.stdout)
    expect("a node has the path of its subtree", " north/Script is skipped: _skipIf is true: label = north  (" in done.stdout, done.stdout)
    expect("values that the program wrote are inferred", " ReadBattery writes battery = 31 (inferred)\n" in done.stdout and " Script writes mode = patrol\n" in done.stdout, done.stdout)
    times = [float(line.split()[0]) for line in done.stdout.splitlines()]
    expect("lines are in the order of time", times == sorted(times), done.stdout)
    with Program("patrol", "--by", "time") as program:
        done = attach(program.address, "--for", 2, "--format", "jsonl")
    sets = {(event["name"], event.get("inferred", False)) for event in map(json.loads, done.stdout.splitlines()) if event["event"] == "set"}
    expect("events have the entries that are written", {("battery", True), ("mode", False), ("north/cost", True)} <= sets, sets)
    session = folder / "running.session.jsonl"
    lines = [json.loads(line) for line in (HERE / "patrol.session.jsonl").read_text().splitlines()]
    for line in lines:
        if line.get("ask") == "S":
            line["reply"][1] = "010001" + line["reply"][1][6:]  # the root runs
        line["reply"] = [part.replace("@", f"@{HERE}/") for part in line["reply"]] if line.get("reply") else line.get("reply")
    session.write_text("\n".join(map(json.dumps, lines)) + "\n")
    with Program(str(session).removesuffix(".session.jsonl"), "--by", "time") as program:
        done = attach(program.address, "--for", 2)
    expect("of a run that had begun only changes are told", "FollowPath begins" in done.stdout and "_skipIf" not in done.stdout and " writes " not in done.stdout, done.stdout)


def check_trees(folder):
    (folder / "other.xml").write_text((HERE / "nav.xml").read_text())
    with Program("patrol", "--by", "time") as program:
        done = attach(program.address, folder / "other.xml", "--for", 2)
        expect("another tree than the files' is an error", done.returncode == 1 and "other-tree LOG005" in done.stderr, done.stderr)
        expect("it is the program's", "error: the program has another tree: it has " in done.stderr and "that the program runs" in done.stderr, done.stderr)
        done = attach(program.address, folder / "other.xml", "--for", 1, "--any-tree")
        expect("--any-tree goes on", done.returncode == 0, done.stderr)
        done = attach(program.address, HERE / "patrol.xml", "--format", "jsonl", "--for", 1)
        expect("places are those of the files", '"file": "' in done.stdout and "patrol.xml" in done.stdout, done.stdout, done.stderr)
    with Program("nav", "--by", "time") as program:
        done = attach(program.address, "--for", 5, "-o", folder / "nav.btlog")
        expect("another tree of the program is read", "has another tree" in done.stderr and done.returncode == 0, done.stderr)
        expect("and recorded to a file of its own", (folder / "nav-2.btlog").exists(), list(folder.iterdir()))


def cut_before_answer(port, letter, number):
    """The address of a way to the port that is cut once, when so many questions of a kind have been asked."""
    server = socket.create_server(("127.0.0.1", 0))
    asked, is_cut = [], []

    def forward(peer):
        with peer, socket.create_connection(("127.0.0.1", port)) as program:
            while ends := select.select([peer, program], [], [], 20)[0]:
                for end in ends:
                    data = end.recv(65536)
                    if end is program and len(asked) == number and not is_cut:
                        is_cut.append(True)
                        return
                    if not data:
                        return
                    if end is peer and b"\x02" + letter in data:
                        asked.append(letter)
                    (program if end is peer else peer).sendall(data)

    def serve():
        for _ in range(2):
            forward(server.accept()[0])

    threading.Thread(target=serve, daemon=True).start()
    return f"tcp://127.0.0.1:{server.getsockname()[1]}"


def check_gap(folder):
    """What was sent into a connection that is lost is missing: a log with such a gap would be of no tree."""
    for letter, number, name in ((b"t", 9, "gap"), (b"B", 2, "none")):
        with Program("patrol", "--by", "order") as program:
            log, rest = folder / f"{name}.btlog", folder / f"{name}-2.btlog"
            address = cut_before_answer(program.port, letter, number)
            def has_all():
                recorded = [each for path in (log, rest) if path.exists() for each in records_of(path)]
                return recorded[-20:] == told_in("patrol")[-20:]
            done = attach_until(has_all, address, "--rate", 20, "--entries", 5, "-o", log)
        expect("the connection comes back", "connected again" in done.stderr, done.stderr)
        if letter == b"t":
            told, before, behind = told_in("patrol"), records_of(log), records_of(rest)
            expect("a gap is told", "changes were lost" in done.stderr and f"goes on recording to {rest}" in done.stderr, done.stderr)
            expect("before and behind it are two files", told[:len(before)] == before and told[-len(behind):] == behind, before, behind)
            expect("changes are missing between them", len(before) + len(behind) < len(told), len(before), len(behind))
            imported = subprocess.run([ESPALIER, "import", rest], capture_output=True, text=True, check=False)
            expect("what is behind it can be read", imported.returncode == 0, imported.stderr)
        else:
            expect("without a gap it is one file", not rest.exists() and records_of(log) == told_in("patrol"), done.stderr)


def check_faults(folder):
    with Program("patrol", "--by", "time", "--stop-after", "12") as program:
        port = program.port
        again = threading.Thread(target=lambda: (program.process.wait(timeout=10), time.sleep(0.3), restarted.append(Program("patrol", "--by", "time", port=port))))
        restarted = []
        again.start()
        done = attach(program.address, "--for", 4)
        again.join()
        restarted[0].__exit__()
    expect("a program that ends and comes back is told", "connection is lost" in done.stderr and "connected again" in done.stderr, done.stderr)
    with Program("patrol", "--by", "time", "--silent-after", "12") as program:
        done = attach(program.address, "--for", 3.5)
        expect("a program that hangs is told", "no answer for 2 seconds" in done.stderr and done.returncode == 0, done.stderr)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"tcp://127.0.0.1:{silent.getsockname()[1]}"
        done = attach(address)
        expect("what does not answer is an error", done.returncode == 2 and "does not answer" in done.stderr, done.stderr)
    done = attach(address)
    expect("so is a port where nothing listens", done.returncode == 2 and "nothing answers" in done.stderr, done.stderr)
    for answer in (b"HTTP/1.0 400 Bad Request\r\n\r\n", os.urandom(64), b"\xff" + bytes(8) + b"\x7f\x01" + bytes(53),
                   b"\xff" + bytes(8) + b"\x7f\x03\x00NULL" + bytes(48) + b"\x02" + b"\xff" * 8):
        with socket.create_server(("127.0.0.1", 0)) as server:
            def serve():
                peer = server.accept()[0]
                peer.sendall(answer)
                time.sleep(0.5)
                peer.close()
            threading.Thread(target=serve, daemon=True).start()
            done = attach(f"tcp://127.0.0.1:{server.getsockname()[1]}")
            expect(f"{answer[:16]} is another protocol", done.returncode == 2 and "hint: " in done.stderr, done.stderr)
    for words in (["tcp://"], ["tcp://h:0"], ["run.btlog"], ["tcp://h", "-o", "x.txt"], ["tcp://h", "--hide", "all"]):
        expect(f"{words} is refused", attach(*words).returncode == 2)
    done = attach("tcp://127.0.0.1:1", "-o", folder / "run.esprec")
    expect("why there is no .esprec of it is told", done.returncode == 2 and "not all updates and answers" in done.stderr and "record to a .btlog" in done.stderr, done.stderr)
    (folder / "taken.btlog.entries.jsonl").mkdir()
    with Program("patrol", "--by", "time") as program:
        for name in ("taken.btlog", "none/x.btlog"):
            done = attach(program.address, "--for", 2, "-o", folder / name)
            expect(f"{name} cannot be written", done.returncode == 2 and "cannot write" in done.stderr, done.stderr)
    done = attach("tcp://127.0.0.1:1", "-o", folder / "none" / "x.btlog")
    expect("nothing is written where nothing answers", done.returncode == 2 and not (folder / "none").exists())


def check_page():
    """The page is for who has its address alone, and grows."""
    def ask(path, method="GET", **fields):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
        connection.request(method, path, headers={name.title(): value for name, value in fields.items()})
        answer = connection.getresponse()
        return answer.status, answer.read().decode(), answer.headers

    def raw(data):
        with socket.create_connection(("127.0.0.1", port), timeout=5) as peer:
            peer.sendall(data)
            return peer.recv(100).decode()

    with Program("patrol", "--by", "time") as program, Program("nav", "--by", "time") as other:
        process = subprocess.Popen([ESPALIER, "attach", program.address, other.address, "--page", "--for", "6"], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        address = process.stderr.readline().split()[-1]
        expect("the address of the page is told", address.startswith("http://127.0.0.1:") and len(address.split("/")[3]) == 32, address)
        port, path = int(address.split("/")[2].split(":")[1]), "/" + "/".join(address.split("/")[3:])
        while json.loads(ask(path + "news?")[1])["treeChanges"] < 2:
            time.sleep(0.05)
        status, page, fields = ask(path)
        expect("the page may ask where it came from, and nowhere else", status == 200 and "connect-src 'self'\"" in page and "default-src 'none'" in page, page[:600])
        expect("it is not kept, framed or told of", fields["Cache-Control"] == "no-store" and fields["X-Frame-Options"] == "DENY" and
               fields["Referrer-Policy"] == "no-referrer", fields)
        for what, expected, given in (
            ("another token", 404, ask("/" + "0" * 32 + "/")[0]), ("no token", 404, ask("/")[0]), ("another path", 404, ask(path + "x")[0]),
            ("a page of another site", 403, ask(path, origin="http://example.org")[0]), ("another name of this machine", 403, ask(path, host="example.org")[0]),
            ("localhost", 200, ask(path, host=f"localhost:{port}", origin=f"http://localhost:{port}")[0]), ("a form", 405, ask(path, "POST")[0]),
            ("no HTTP", "400", raw(b"hello\r\n\r\n")[9:12]), ("no end", "431", raw(b"GET / HTTP/1.1\r\n" + b"a: b\r\n" * 3000)[9:12])):
            expect(f"{what} is answered with {expected}", expected == given, given)
        idle = [socket.create_connection(("127.0.0.1", port)) for _ in range(20)]
        expect("visitors that say nothing are no harm", ask(path)[0] == 200)
        known = json.loads(ask(path + "news?")[1])
        query = "&".join([f"rows={len(known['rows']['time'])}", f"lit={len(known['lit']['step'])}", f"changes={len(known['changes']['step'])}",
                          f"words={len(known['words'])}", f"sets={len(known['sets'])}"])
        news = json.loads(ask(f"{path}news?{query}")[1])
        while len(known["rows"]["time"]) + len(news["rows"]["time"]) < 20:  # on a slow machine the first answer has them
            time.sleep(0.05)
            news = json.loads(ask(f"{path}news?{query}")[1])
        whole = json.loads(ask(path + "news?")[1])
        both = [known["rows"][key] + news["rows"][key] for key in news["rows"]]
        expect("news are what was not known", [column[: len(both[0])] for column in whole["rows"].values()] == both, known["rows"], news["rows"])
        expect("words, too", whole["words"][: len(known["words"]) + len(news["words"])] == known["words"] + news["words"])
        expect("anything may be asked", ask(path + "news?rows=99999999999999999999&lit=-1&words=x&changes&sets==")[0] == 200)
        output, errors = process.communicate()
        for peer in idle:
            peer.close()
    lines = [line.split(maxsplit=2)[2] for line in output.splitlines() if line.startswith("robot1: ")]
    told = [whole["words"][text] for text, agent in zip(whole["rows"]["text"], whole["rows"]["agent"]) if agent == 0]
    expect("the page has the story", process.returncode == 0 and told and told == lines[: len(told)], lines, told, errors)
    shown = {whole["words"][variable] + "=" + whole["words"][value] for variable, value in zip(whole["changes"]["variable"], whole["changes"]["value"])}
    expect("and entries", "chase/label=intruder" in shown, shown)
    expect("and what runs", any(len(part) > 1 for lit in whole["sets"] for part in lit), whole["sets"])
    with socket.create_server(("127.0.0.1", 0)) as taken:
        done = attach("tcp://127.0.0.1:1", "--page", taken.getsockname()[1])
    expect("a port that is taken is told", done.returncode == 2 and "cannot serve the page" in done.stderr, done.stderr)
    done = attach("tcp://127.0.0.1:1", "--page", "99999")
    expect("a number that is no port is told", done.returncode == 2 and "'99999' is no port" in done.stderr, done.stderr)
    with Program("patrol", "--by", "time") as program:
        for words in (["--page", program.address], ["--page", "0", program.address, HERE / "patrol.xml"]):
            done = attach(*words, "--for", "2", "-q")
            expect(f"{words[0]} may stand before an address", done.returncode == 0 and done.stdout and done.stderr.startswith("page: "), done.stderr)
    expect("--once has no page", attach("tcp://127.0.0.1:1", "--page", "--once").returncode == 2)


ESPALIER = str(pathlib.Path(sys.argv[1]).resolve())
PYTHON = python_with_zmq()
count = 0
with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    checks = [(check_recording, folder), (check_forms,), (check_reasons, folder), (check_trees, folder), (check_faults, folder), (check_gap, folder),
              (check_page,)]
    with concurrent.futures.ThreadPoolExecutor(len(checks)) as pool:  # they mostly wait
        for check in [pool.submit(*check) for check in checks]:
            check.result()
print(f"{count} statements about attached programs hold")
