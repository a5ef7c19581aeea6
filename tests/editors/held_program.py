#!/usr/bin/env python3
"""A stand-in for a program of BehaviorTree.CPP with a Groot2Publisher that can be held: held_program.py [PORT]

It ticks a tree again and again, and answers through libzmq as the publisher of 4.10 does: its breakpoints block the thread that
ticks, send a notice, and are all disabled while nothing was asked for 5 seconds; an answer that comes before anything waits is
kept for the next breakpoint. Prints "listening on PORT", and then what is asked and what happens, a line of JSON each. Words on
standard input: "silent" answers nothing more, "other" has another tree from then on, "broken" tells changes to a status that
there is not, anything else ends it.
"""
import json
import os
import struct
import sys
import threading
import time

import zmq

XML = """<root BTCPP_format="4">
  <BehaviorTree ID="{tree}" _fullpath="">
    <Sequence name="Sequence" _uid="1">
      <IsReady name="IsReady" _uid="2"/>
      <Drive name="Drive" _uid="3"/>
      <Wave name="Wave" _uid="4"/>
    </Sequence>
  </BehaviorTree>
  <TreeNodesModel><Condition ID="IsReady"/><Action ID="Drive"/><Action ID="Wave"/></TreeNodesModel>
</root>
"""
IDLE, RUNNING, SUCCESS = 0, 1, 2
SECONDS_WITHOUT_REQUESTS = 5
lock = threading.Condition()
changes, statuses, hooks = [], {uid: IDLE for uid in range(1, 5)}, {}
begin = last_request = time.monotonic()
tree, tree_id, is_silent, is_broken, round_number = "Robot", os.urandom(16), False, False, 0


def say(**what):
    print(json.dumps({"at": round(time.monotonic() - begin, 3), **what}), flush=True)


def change(uid, status):
    with lock:
        if statuses[uid] != status:
            statuses[uid] = status
            changes.append((time.time_ns() // 1000, uid, status))
            del changes[:-1000]


def wait_at(uid):
    with lock:
        hook = hooks.get(uid)
        if hook is None or not hook["enabled"] or time.monotonic() - last_request > SECONDS_WITHOUT_REQUESTS:
            return
        publisher.send_multipart([b"\x02N" + os.urandom(4), str(uid).encode()])
        say(notice=uid)
        while not hook["ready"]:
            lock.wait(0.05)
        hook["ready"] = False
        say(goes_on=uid)
        if hook["once"]:
            hooks.pop(uid, None)


def leaf(uid, *results):
    for result in results:
        wait_at(1)
        change(1, RUNNING)
        wait_at(uid)
        change(uid, result)
        if result == RUNNING:
            time.sleep(0.05)


def tick_on():
    global round_number
    while True:
        round_number += 1
        leaf(2, SUCCESS)
        wait_at(3)
        change(3, RUNNING)
        time.sleep(0.05)
        leaf(3, RUNNING, SUCCESS)
        wait_at(4)
        change(4, SUCCESS)
        change(1, SUCCESS)
        for uid in (1, 2, 3, 4):
            change(uid, IDLE)
        time.sleep(0.05)


def answer(letter, argument, recorded):
    """The second part, None without one, or an error."""
    if letter == "T":
        return XML.format(tree=tree).encode()
    if letter == "S":
        return b"".join(struct.pack("<HB", uid, status) for uid, status in statuses.items())
    if letter == "r":
        del changes[:]
        recorded["since"] = time.time_ns() // 1000
        return str(recorded["since"]).encode()
    if letter == "t" and is_broken:
        return bytes(8) + b"\xff"
    if letter == "t":
        told = b"".join((at - recorded["since"]).to_bytes(6, "little") + struct.pack("<HB", uid, status) for at, uid, status in changes)
        del changes[:]
        return told
    if letter == "B":  # {"Robot": {"round": N}}
        return b"\x81" + bytes([0xA0 + len(tree)]) + tree.encode() + b"\x81\xa5round\xce" + struct.pack(">I", round_number)
    if letter == "I":
        given = json.loads(argument)
        for hook in given if isinstance(given, list) else [given]:
            if hook["uid"] in statuses and hook["mode"] == 0 and hook["position"] == 0:
                hooks.setdefault(hook["uid"], {"ready": False}).update(enabled=hook["enabled"], once=hook["once"])
        return None
    if letter == "A":
        for hook in hooks.values():
            hook["ready"] = True
        hooks.clear()
        return None
    if letter in "RU":
        given = json.loads(argument)
        hook = hooks.get(given["uid"])
        if hook is None:
            return "Node ID not found"
        hook["ready"] = True
        hook["once"] = hook["once"] or given.get("remove_when_done", False)
        if letter == "R":
            del hooks[given["uid"]]
        return None
    return "Request not recognized"


def let_go():
    while True:
        time.sleep(0.1)
        with lock:
            if time.monotonic() - last_request > SECONDS_WITHOUT_REQUESTS:
                for hook in hooks.values():
                    hook["ready"] = True


def serve():
    global last_request
    recorded = {"since": time.time_ns() // 1000}
    while True:
        head, *more = server.recv_multipart()
        if is_silent:
            say(ignored=chr(head[1]))
            time.sleep(3600)
        with lock:
            last_request = time.monotonic()
            letter = chr(head[1])
            body = answer(letter, more[0].decode() if more else "", recorded)
            say(ask=letter, **({"argument": json.loads(more[0])} if letter in "IRU" else {}))
            lock.notify_all()
        if isinstance(body, str):
            server.send_multipart([b"error", body.encode()])
        else:
            server.send_multipart([b"\x02" + head[1:] + tree_id] + ([] if body is None else [body]))


def take_words():
    global is_silent, is_broken, tree, tree_id
    for word in sys.stdin:
        if word.strip() == "silent":
            is_silent = True
        elif word.strip() == "broken":
            is_broken = True
        elif word.strip() == "other":
            with lock:
                tree, tree_id = "Other", os.urandom(16)
                for hook in hooks.values():
                    hook["ready"] = True
                hooks.clear()
        else:
            break
    with lock:
        say(hooks=sorted(hooks))
    os._exit(0)


context = zmq.Context()
server, publisher = context.socket(zmq.REP), context.socket(zmq.PUB)
for port in [int(sys.argv[1])] if len(sys.argv) > 1 else range(20000 + os.getpid() % 20000, 60000, 2):
    try:
        server.bind(f"tcp://127.0.0.1:{port}")
        publisher.bind(f"tcp://127.0.0.1:{port + 1}")
        break
    except zmq.ZMQError:
        continue
print(f"listening on {port}", flush=True)
for work in (tick_on, serve, let_go):
    threading.Thread(target=work, daemon=True).start()
take_words()
