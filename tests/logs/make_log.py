#!/usr/bin/env python3
"""Makes a log from steps: make_log.py TREE.xml LOG < STEPS

A LOG that ends in .mcap is a bag with Nav2's messages, one for changes that are close; one that ends in .btrec is as samples/ros/espalier_recorder.h
writes them, where `tick UID STATUS` is a tick, of the root with node 1 (then SECONDS may follow); others are as BehaviorTree.CPP's FileLogger2 writes them. A step is a line: `SECONDS UID STATUS` is a change, in bags with the node's name behind it. Others change the file: `version N`,
`no tree`, `cut N` (removes the last N bytes), `not a log`; in bags `topic NAME` is where the changes below it are, and `names alone` leaves out the
numbers of nodes, as Humble does.
"""
import pathlib
import struct
import sys

STATUSES = ("IDLE", "RUNNING", "SUCCESS", "FAILURE")
FIRST_us = 1_700_000_000_000_000


def text(value, end=b""):
    data = value.encode() + end
    return struct.pack("<I", len(data)) + data


class Cdr:
    """Numbers are aligned to their size, counted from behind the first four bytes."""

    def __init__(self):
        self.data = b""

    def add(self, form, *values):
        size = struct.calcsize(form[-1])
        self.data += bytes(-len(self.data) % size) + struct.pack("<" + form, *values)

    def text(self, value):
        self.add("I", len(value) + 1)
        self.data += value.encode() + b"\0"


def message(changes, has_numbers):
    cdr = Cdr()
    cdr.add("iI", changes[0][0] // 1_000_000, changes[0][0] % 1_000_000 * 1000)
    cdr.add("I", len(changes))
    for at_us, uid, previous, status, name in changes:
        cdr.add("iI", at_us // 1_000_000, at_us % 1_000_000 * 1000)
        cdr.text(name)
        if has_numbers:
            cdr.add("H", uid)
        cdr.text(previous)
        cdr.text(status)
    return b"\0\1\0\0" + cdr.data


def messages_of(steps):
    """Changes that are closer than 5 ms are of one message."""
    messages, statuses, topic = [], {}, "/behavior_tree_log"
    for step in steps:
        words = step.split()
        if words[0] == "topic":
            topic = words[1]
            continue
        at_us, uid = FIRST_us + round(float(words[0]) * 1_000_000), int(words[1])
        change = (at_us, uid, statuses.get((topic, uid, words[3]), "IDLE"), words[2], words[3])
        statuses[topic, uid, words[3]] = words[2]
        if messages and messages[-1][0] == topic and at_us - messages[-1][1][-1][0] < 5000:
            messages[-1][1].append(change)
        else:
            messages.append((topic, [change]))
    return messages


def mcap(steps):
    def record(op, data):
        return struct.pack("<BQ", op, len(data)) + data

    magic = b"\x89MCAP0\r\n"
    data = magic + record(1, text("ros2") + text("make_log"))
    data += record(3, struct.pack("<H", 1) + text("nav2_msgs/msg/BehaviorTreeLog") + text("ros2msg") + text(""))
    topics, numbered = {}, [step for step in steps if step != "names alone"]
    for topic, changes in messages_of(numbered):
        if topic not in topics:
            topics[topic] = len(topics) + 1
            data += record(4, struct.pack("<HH", topics[topic], 1) + text(topic) + text("cdr") + struct.pack("<I", 0))
        time_ns = changes[-1][0] * 1000
        data += record(5, struct.pack("<HIQQ", topics[topic], 0, time_ns, time_ns) + message(changes, numbered == steps))
    return data + record(15, bytes(4)) + record(2, bytes(20)) + magic


def btlog(xml, steps):
    magic, version, cut, records = b"BTCPP4-FileLogger2", 1, 0, b""
    for step in steps:
        words = step.split()
        if words[0] == "version":
            version = int(words[1])
        elif step == "no tree":
            xml = b""
        elif step == "not a log":
            magic = b"a file of another kind"
        elif words[0] == "cut":
            cut = int(words[1])
        else:
            since = round(float(words[0]) * 1_000_000)
            records += since.to_bytes(6, "little") + struct.pack("<HB", int(words[1]), STATUSES.index(words[2]))
    data = magic + struct.pack("<Bi", version, len(xml)) + xml + struct.pack("<q", FIRST_us) + records
    return data[:len(data) - cut]


def btrec(xml, steps):
    def number(value):
        return bytes([value & 127 | 128]) + number(value >> 7) if value > 127 else bytes([value])

    records, last_us = b"", 0
    for step in steps:
        words = step.split()
        if words[0] == "tick":
            uid, status = int(words[1]), bytes([STATUSES.index(words[2])])
            since_us = round(float(words[3]) * 1_000_000) if words[3:] else last_us
            records += b"u" + status + number(since_us - last_us) if uid == 1 else b"t" + number(uid) + status
            last_us = since_us
        else:
            since_us = round(float(words[0]) * 1_000_000)
            records += b"s" + number(int(words[1])) + bytes([STATUSES.index(words[2])]) + number(since_us - last_us)
            last_us = since_us
    return b"espalier-btrec" + struct.pack("<BQHI", 1, FIRST_us, 1, len(xml)) + xml + records


tree, log = (pathlib.Path(name) for name in sys.argv[1:])
lines = sys.stdin.read().splitlines()
writers = {".mcap": lambda xml, steps: mcap(steps), ".btrec": btrec}
log.write_bytes(writers.get(log.suffix, btlog)(tree.read_bytes(), lines))
