"""A compiled asset as records, by the tables of schemas/asset.md (asset_page.py). See asset_reader.py."""
import struct

from asset_page import Damaged

NONE = 0xFFFFFFFF
MASK64 = (1 << 64) - 1


def rotated(value, bits):
    return ((value << bits) | (value >> (64 - bits))) & MASK64


def xxh64(data):
    p1, p2, p3 = 0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9
    p4, p5 = 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5

    def mixed(lane, number):
        return rotated((lane + number * p2) & MASK64, 31) * p1 & MASK64

    numbers = struct.unpack("<%dQ" % (len(data) // 8), data)
    lanes = [(p1 + p2) & MASK64, p2, 0, -p1 & MASK64]
    whole = len(numbers) // 4 * 4
    for i in range(0, whole, 4):
        for j in range(4):
            lanes[j] = mixed(lanes[j], numbers[i + j])
    value = sum(rotated(lane, bits) for lane, bits in zip(lanes, (1, 7, 12, 18))) & MASK64
    for lane in lanes:
        value = ((value ^ mixed(0, lane)) * p1 + p4) & MASK64
    value = (value + len(data)) & MASK64
    for number in numbers[whole:]:
        value = (rotated(value ^ mixed(0, number), 27) * p1 + p4) & MASK64
    value = (value ^ value >> 33) * p2 & MASK64
    value = (value ^ value >> 29) * p3 & MASK64
    return value ^ value >> 32


class Asset:
    def __init__(self, data, page):
        self.data = data
        self.page = page
        self.header = self.unpack("header", 0)
        self.check_header()
        self.table = [self.unpack("section", 32 + 16 * i) for i in range(self.header["section_count"])]
        self.bytes, self.record_bytes = {}, {}
        for row in self.table:
            name = page.sections.get(row["id"], "unknown")
            self.record_bytes[name] = row["record_bytes"]
            self.bytes[name] = data[row["offset_bytes"]:row["offset_bytes"] + row["size_bytes"]]
        self.records = {name: [] for number, name in page.sections.items() if 14 <= number < 40 or number > 42}  # where there are none
        self.records.update({name: self.all_records(name) for name in self.bytes if name in page.records})
        self.words = struct.unpack("<%dI" % (len(self.bytes["nodes"]) // 4), self.bytes["nodes"])
        self.places = {place["word"]: place for place in self.records.get("node_places", [])}

    def check_header(self):
        data, header = self.data, self.header
        if data[0:4] != b"ESPB" or header["major_version"] != 2:
            raise Damaged("not an asset of version 2")
        if header["size_bytes"] != len(data) or len(data) % 8 != 0:
            raise Damaged("the size is wrong")
        if xxh64(data[:16] + bytes(8) + data[24:]) != header["hash"]:
            raise Damaged("the hash is wrong")

    def unpack(self, record, offset):
        layout = self.page.records[record]
        return dict(zip(layout["fields"], layout["struct"].unpack_from(self.data, offset)))

    def all_records(self, name):
        layout = self.page.records[name]
        data, record_bytes = self.bytes[name], self.record_bytes[name]
        return [dict(zip(layout["fields"], layout["struct"].unpack_from(data, at))) for at in range(0, len(data), record_bytes)]

    def name(self, offset, section="names"):
        data = self.bytes[section]
        return data[offset:data.index(b"\0", offset)]

    def tree_name(self, tree):
        return self.name(self.records["trees"][tree]["name"])

    def accepted(self, slot):
        """Trees, or None: all that store."""
        if slot["accepted_count"] == NONE:
            return None
        rows = self.records["accepts"][slot["first_accepted"]:slot["first_accepted"] + slot["accepted_count"]]
        return [row["tree"] for row in rows]

    def variables(self, tree):
        return self.records["variables"][tree["first_variable"]:tree["first_variable"] + tree["variable_count"]]

    def signal_name(self, tree, signal):
        return self.name(self.records["signals"][tree["first_signal"] + signal]["name"])

    def timestamps(self, ticking):
        return self.records["timestamps"][ticking["first_timestamp"]:ticking["first_timestamp"] + ticking["timestamp_count"]]

    def stimulus_name(self, deciders, stimulus):
        return self.name(self.records["stimuli"][deciders["first_stimulus"] + stimulus]["name"])

    def behavior_flag_name(self, deciders, flag):
        return self.name(self.records["behavior_flags"][deciders["first_behavior_flag"] + flag]["name"])

    def assignments(self, tree, signal):
        signal = self.records["signals"][tree["first_signal"] + signal]
        return self.records["assignments"][signal["first_assignment"]:signal["first_assignment"] + signal["assignment_count"]]

    def timestamp_name(self, ticking, timestamp):
        return self.name(self.records["timestamps"][ticking["first_timestamp"] + timestamp]["name"])

    def nodes(self, unit):
        """(node, depth) of each node of a unit. A node's parents are those whose end has not been reached."""
        record, ends = self.records["units"][unit], []
        word, number = record["first_word"], 0
        while word < record["first_word"] + record["word_count"]:
            while ends and ends[-1] <= word:
                ends.pop()
            node = self.node(word)
            self.check_number(record, node, number)
            number += 1
            yield node, len(ends)
            ends.append(word + node["extent"])
            word = node["children"]

    def check_number(self, unit, node, number):
        engine = node["opcode"]["name"].split("_")[0]
        if engine in ("rule", "decide", "store") and node["agent_offset"] != number:
            raise Damaged("a node's number is not its place")
        if engine in ("rule", "store"):
            word = self.records["node_words"][unit["first_node_word"] + number]["word"]
            if word != node["word"] - unit["first_word"]:
                raise Damaged("a node is not where its number leads")

    def node(self, word):
        head, extent = self.words[word:word + 2]
        opcode = self.page.opcodes[head & 0xFF]
        children = word + 2 + len(opcode["operands"])
        values = list(zip(opcode["operands"], self.words[word + 2:children]))
        operands = dict(values)  # for those that an opcode has once
        return {"word": word, "extent": extent, "children": children, "opcode": opcode, "operands": operands, "values": values,
                "flags": head >> 8 & 0xFF, "agent_offset": head >> 16}

    def parent(self, node):
        return self.node(node["word"] - node["operands"]["parent"])

    def group(self, node):
        """Of a store_group, or of the nearest store_role above a node."""
        while "group" not in node["operands"] and node["opcode"]["name"] != "store_role":
            node = self.parent(node)
        return self.records["groups"][(node if "group" in node["operands"] else self.parent(node))["operands"]["group"]]

    def barriers(self, group):
        return self.records["barriers"][group["first_barrier"]:group["first_barrier"] + group["barrier_count"]]

    def tree_of(self, unit):
        return self.records["trees"][unit["tree"]]

    def leaf_names(self, tree):
        names = {}

        def enter(unit, base):  # units do not nest deeply enough to matter
            for node, _ in self.nodes(unit):
                if node["opcode"]["name"] == "select_share":
                    enter(node["operands"]["unit"], base + node["operands"]["leaf"])
                elif node["opcode"]["name"] == "select_leaf" and node["word"] in self.places:
                    names[base + node["operands"]["leaf"]] = self.name(self.places[node["word"]]["name"], "debug_names")

        enter(tree["unit"], 0)
        return names
