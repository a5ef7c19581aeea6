"""A compiled asset as records, by the tables of schemas/asset.md (asset_page.py). See asset_reader.py."""
import struct

from asset_page import Damaged

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
        self.header = self.unpack("header", data, 0)
        self.check_header()
        self.table = [self.unpack("section", data, 32 + 8 * i) for i in range(self.header["section_count"])]
        end = 32 + 8 * len(self.table)
        self.bytes = {}
        self.records = {name: [] for name in page.fields}  # by section
        for row in self.table:
            name = page.sections.get(row["id"], "unknown")
            alignment = max(size for size in (1, 2, 4, 8) if row["record_bytes"] % size == 0)
            row["offset_bytes"] = (end + alignment - 1) // alignment * alignment
            end = row["offset_bytes"] + row["size_bytes"]
            self.bytes[name] = bytes_of = data[row["offset_bytes"]:end]
            if name in page.fields:
                self.records[name] = [self.unpack(name, bytes_of, at) for at in range(0, len(bytes_of), row["record_bytes"])]
        self.words = struct.unpack("<%dI" % (len(self.bytes["nodes"]) // 4), self.bytes["nodes"])
        self.engine_sections = next(field for field in page.fields["trees"] if field.name == "record").targets
        self.places = {place["word"]: place for place in self.records["node_locations"]}

    def check_header(self):
        data, header = self.data, self.header
        if data[0:4] != b"ESPB" or header["major_version"] != 3:
            raise Damaged("not an asset of version 3")
        if header["size_bytes"] != len(data) or len(data) % 8 != 0:
            raise Damaged("the size is wrong")
        if xxh64(data[:16] + bytes(8) + data[24:]) != header["hash"]:
            raise Damaged("the hash is wrong")

    def unpack(self, record, data, offset):
        values = self.page.forms[record].unpack_from(data, offset)
        return {field.name: int.from_bytes(value, "little") if isinstance(value, bytes) else value
                for field, value in zip(self.page.fields[record], values)}

    def parameter_count(self, first):
        """How many parameters a node has, whose first one this is."""
        count = 1
        while self.records["parameters"][first + count - 1]["type"] < 128:
            count += 1
        return count

    def text(self, offset, section="names"):
        data = self.bytes[section]
        return data[offset:data.index(b"\0", offset)]

    def name(self, section, index):
        """The name of a record; None: records of this section have no names."""
        for field in self.page.fields.get(section, []):
            if field.is_name:
                return self.text(self.records[section][index][field.name], "debug_names" if section == "files" else "names")
        return None

    def parts(self, tree):
        """(kind, section of its names) of each part of an agent's block."""
        engine = next(field for field in self.page.fields["trees"] if field.name == "engine")
        return self.page.parts[engine.words[tree["engine"]]]

    def engine_section(self, tree):
        """The record of a tree's engine; None: it selects."""
        return self.engine_sections[tree["engine"] - 1] if tree["engine"] else None

    def first_of_tree(self, tree, section):
        """Index of the first record that a tree has in a section."""
        for i, (_, names) in enumerate(self.parts(tree)):
            if names == section:
                return self.records["parts"][tree["first_part"] + i]["first_name"]
        holders = [("trees", tree)]
        if self.engine_section(tree):
            holders.append((self.engine_section(tree), self.records[self.engine_section(tree)][tree["record"]]))
        return next(record[field.name] for holder, record in holders for field in self.page.fields[holder]
                    if field.count and field.target == section)

    def nodes(self, unit):
        """(node, depth) of each node of a unit. A node's parents are those whose end has not been reached."""
        record, ends = self.records["units"][unit], []
        word = record["first_word"]
        while word < record["first_word"] + record["word_count"]:
            while ends and ends[-1] <= word:
                ends.pop()
            node = self.node(word)
            yield node, len(ends)
            ends.append(word + node["extent"])
            word = node["children"]

    def node(self, word):
        head = self.words[word]
        opcode = self.page.opcodes[head & 0xFF]
        children = word + 1 + len(opcode["operands"])
        values = list(zip(opcode["operands"], self.words[word + 1:children]))
        operands = dict(values)  # for those that an opcode has once
        return {"word": word, "extent": operands.get("extent", children - word), "children": children, "opcode": opcode, "operands": operands, "values": values,
                "flags": head >> 8 & 0xFF, "agent_offset": head >> 16}

    def memory_of(self, node):
        sizes = self.records.get("memory_sizes")
        return sizes[node["operands"]["behavior"]]["bytes"] if sizes and node["opcode"]["name"] == "tick_action" else 0

    def group_around(self, node):
        """The group of the nearest store_role above a node."""
        while node["opcode"]["name"] != "store_role":
            node = self.node(node["word"] - node["operands"]["parent"])
        return self.records["groups"][self.node(node["word"] - node["operands"]["parent"])["operands"]["group"]]
