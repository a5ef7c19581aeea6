#!/usr/bin/env python3
"""Reads compiled assets and prints them exactly as `espalier dump` does.

A second reader, made from schemas/asset.md alone: it shares no code with espalier and takes section, record and opcode tables out
of that page (asset_page.py), so that a page that lies gives another output. Usage: asset_reader.py ASSET [PATH-OF-ASSET.MD]
"""
import itertools
import os
import re
import struct
import sys

from asset_bytes import Asset
from asset_page import Damaged, Page

# ---- Conditions ------------------------------------------------------------------------------------------------------------

def negated(expression):
    text, form = expression
    if form == "negation":
        return text[1:], "value"
    return (b"!" + text if form == "value" else b"!(" + text + b")"), "negation"


def joined(left, right, word):
    form = "comparison" if word == b"==" else word.decode()

    def side(expression):
        text, own = expression
        plain = own in ("value", "negation") or (word != b"==" and own in ("comparison", form))
        return text if plain else b"(" + text + b")"

    return side(left) + b" " + word + b" " + side(right), form


def literals(test, names):
    is_all = test["test"] == 0
    if test["mask"] == 0:
        return (b"true" if is_all else b"false"), "value"
    result = None
    for bit in range(32):
        if test["mask"] >> bit & 1 == 0:
            continue
        literal = names(test["word"] * 32 + bit), "value"
        if (test["value"] >> bit & 1 == 0) == is_all:
            literal = negated(literal)
        result = literal if result is None else joined(result, literal, b"and" if is_all else b"or")
    return result


OPERATORS = {1: lambda a, b: a & b, 2: lambda a, b: a | b, 3: lambda a, b: a ^ b, 4: lambda a, b: 1 - (a ^ b)}


def short_tests(operand):
    """The tests of a short condition's form: the first that gives its table."""
    variables = [operand >> shift & 63 for shift in (0, 6, 12)]
    rows = list(itertools.product((0, 1), repeat=3))  # the last value in bit 0
    for count in (1, 2, 3):
        for negated in range(1 << count):
            for combine in itertools.product(*[OPERATORS] * (count - 1)):
                table = 0
                for bit, row in enumerate(rows):
                    literals = [row[2 - i] ^ negated >> i & 1 for i in range(count)]
                    value = literals[0]
                    for op, literal in zip(combine, literals[1:]):
                        value = OPERATORS[op](value, literal)
                    table |= value << bit
                if table == operand >> 18 & 0xFF:
                    tests = [{"test": 0, "combine": op, "word": variable // 32, "mask": 1 << variable % 32,
                              "value": 0 if negated >> i & 1 else 1 << variable % 32}
                             for i, (op, variable) in enumerate(zip((0, *combine), variables))]
                    if operand >> 26 & 1:
                        first, second, third = tests
                        return [{**third, "combine": 0}, {**first, "combine": 5}, second, {"test": 2, "combine": third["combine"]}]
                    return tests
    raise Damaged("a short condition has no form")


def tests_of(asset, operand):
    if operand >> 31:
        return short_tests(operand)
    condition = asset.records["conditions"][operand - 1]
    return asset.records["tests"][condition["first_test"]:condition["first_test"] + condition["test_count"]]


def condition_text(asset, operand, names):
    if operand == 0:
        return b"true"
    words = {1: b"and", 2: b"or", 3: b"xor", 4: b"=="}
    result, aside = None, []
    for test in tests_of(asset, operand):
        if test["test"] == 2:
            result = joined(aside.pop(), result, words[test["combine"]])
        elif test["combine"] == 0:
            result = literals(test, names)
        elif test["combine"] == 5:
            aside.append(result)
            result = literals(test, names)
        elif test["combine"] == 3 and test["test"] == 0 and test["mask"] == 0:
            result = negated(result)
        else:
            result = joined(result, literals(test, names), words[test["combine"]])
    return result[0]


OWNED_NAMES = ("variables", "timestamps", "stimuli", "poll_entries")  # of parts of agents' blocks; others are of the asset

# ---- Values ----------------------------------------------------------------------------------------------------------------

def quoted(name):
    out = bytearray(b'"')
    for byte in name:
        if byte < 32 or byte == 127:
            out += b"\\x%02x" % byte
        elif byte in b'"\\':
            out += b"\\" + bytes([byte])
        else:
            out.append(byte)
    return bytes(out + b'"')


def named(number, name):
    return b"%d %s" % (number, quoted(name)) if name else b"%d" % number


def seconds(number):
    size = number - (1 << 64) if number >> 63 else number
    whole, part = divmod(abs(size), 1000000)
    text = ("-" if size < 0 else "") + str(whole)
    return (text + (".%06d" % part).rstrip("0") if part else text).encode() + b"s"


def real(number):
    return ("nan" if number != number else "%.15g" % number).encode()


def parameter_text(asset, row):
    kind = asset.page.parameter_types[row["type"] & 127]

    def bits(index):
        return asset.records["numbers"][index]["number"]

    def number(index):
        return real(struct.unpack("<d", struct.pack("<Q", bits(index)))[0])

    if kind == "whole":
        return b"%d" % struct.unpack("<i", struct.pack("<I", row["value"]))
    if kind == "long":
        return b"%d" % struct.unpack("<q", struct.pack("<Q", bits(row["value"])))
    if kind == "number":
        return number(row["value"])
    if kind == "boolean":
        return b"true" if row["value"] else b"false"
    if kind == "choice":
        return named(bits(row["value"]) & 0xFFFFFFFF, asset.text(bits(row["value"]) >> 32))
    if kind == "vector":
        return b", ".join(number(row["value"] + i) for i in range(3))
    return quoted(asset.text(row["value"]))


def variable_name(asset, tree):
    return lambda variable: asset.name("variables", asset.first_of_tree(tree, "variables") + variable)


def unit_names(asset, users):
    """The names of a unit's variables: those of the trees that use it, where they agree."""
    trees = [variable_name(asset, asset.records["trees"][tree]) for tree in users]

    def name(variable):
        names = {of_tree(variable) for of_tree in trees}
        return names.pop() if len(names) == 1 else b"v%d" % variable

    return name


def trees_by_unit(asset):
    """The trees that use each unit, in order."""
    used = [set() for _ in asset.records["units"]]
    for index, tree in enumerate(asset.records["trees"]):
        used[tree["unit"]].add(index)
    for unit in reversed(range(len(used))):  # users have larger numbers
        for node, _ in asset.nodes(unit):
            if "unit" in node["operands"]:
                used[node["operands"]["unit"]] |= used[unit]
    return [sorted(trees) for trees in used]


# ---- Rows ------------------------------------------------------------------------------------------------------------------

class Dump:
    def __init__(self, asset):
        self.asset, self.page = asset, asset.page
        self.out = []
        self.tree, self.names, self.node = None, None, None  # where the present row stands
        fields = [field for fields in self.page.fields.values() for field in fields] + list(self.page.operands.values())
        self.below = {field.target for field in fields if field.count or self.leads_to_record(field)}

    def leads_to_record(self, field):
        """Is it the index of a record that has no name, and so is printed below?"""
        return (field.target and not field.count and not field.of_tree and not field.name.startswith("first_")
                and field.target not in ("units", "nodes", "numbers")
                and not any(of_target.is_name for of_target in self.page.fields[field.target]))

    def line(self, depth, *parts):
        self.out.append(b"  " * depth + b" ".join(part for part in parts if part))

    def run(self):
        self.header()
        for index, self.tree in enumerate(self.asset.records["trees"]):
            self.names = variable_name(self.asset, self.tree)
            self.out.append(b"")
            self.record("trees", index, index, 0)
        self.units()
        self.tree = None
        elsewhere = self.below.union(self.asset.engine_sections, OWNED_NAMES, ("trees", "units", "node_locations"))
        for section in self.page.sections.values():
            if section not in elsewhere and self.asset.records.get(section):
                self.out.append(b"")
                self.rows(section, 0, len(self.asset.records[section]), 0)
        return b"\n".join(self.out) + b"\n"

    def header(self):
        header = self.asset.header
        self.line(0, b"asset version %d.%d size_bytes=%d hash=%016x" % (
            header["major_version"], header["minor_version"], header["size_bytes"], header["hash"]))
        self.out.append(b"")
        for row in self.asset.table:
            name = self.page.sections.get(row["id"], "unknown").encode()
            self.line(0, b"section", named(row["id"], name), b"optional=true" if row["flags"] & 1 else b"", b"record_count=%d" % (
                row["size_bytes"] // row["record_bytes"]), *(
                    b"%s=%d" % (field.encode(), row[field]) for field in ("record_bytes", "offset_bytes", "size_bytes")))

    def units(self):
        for index, users in enumerate(trees_by_unit(self.asset)):
            tree = self.asset.records["units"][index]["tree"]
            self.tree = self.asset.records["trees"][tree] if tree != 0xFFFFFFFF else None
            self.names = unit_names(self.asset, users)
            self.out.append(b"")
            self.record("units", index, index, 0)
            for self.node, depth in self.asset.nodes(index):
                self.node_row(depth + 1)

    def rows(self, section, first, count, depth):
        fields = self.page.fields[section]
        if len(fields) == 1 and not fields[0].is_name and not fields[0].target:  # a number alone
            numbers = [row[fields[0].name] for row in self.asset.records[section][first:first + count]]
            for i in range(0, count, 16):
                self.line(depth, self.title(section), b"%d:" % i, *(b"%d" % number for number in numbers[i:i + 16]))
            return
        for i in range(count):
            self.record(section, first + i, i, depth)

    @staticmethod
    def title(section):
        return {"leaves": "leaf", "stimuli": "stimulus", "queries": "query", "poll_entries": "poll_entry"}.get(section, section[:-1] if section.endswith("s") else section).encode()

    def record(self, section, index, number, depth):
        fields, record = self.page.fields[section], self.asset.records[section][index]
        name = self.asset.name(section, index)
        texts = [self.field_text(section, field, record) for field in fields if not field.is_name]
        self.line(depth, self.title(section), named(number, name), *texts)
        for field in fields:
            value = record[field.name]
            if field.count:
                self.rows(field.target, value, self.count_of(field, record), depth + 1)
            elif field.name == "first_name":
                names = [names for _, names in self.asset.parts(self.tree)]
                if names[number] in OWNED_NAMES and names.index(names[number]) == number:
                    self.rows(names[number], value, record["count"], depth + 1)
            elif field.is_image and value != field.none:
                image = self.asset.bytes["images"][value:value + record["agent_bytes"]]
                for i in range(0, len(image), 32):
                    self.line(depth + 1, b"image %d:" % i, image[i:i + 32].hex().encode())
            elif field.name == "record":
                if self.asset.engine_section(record):
                    self.record(self.asset.engine_section(record), value, value, depth + 1)
            elif self.leads_to_record(field) and value != field.none:
                index_below = value - 1 if field.from_one else value
                self.record(field.target, index_below, index_below, depth + 1)

    def count_of(self, field, record):
        if field.target == "parts":
            return len(self.asset.parts(record))
        count = record[field.count] if field.count in record else self.asset.records["store_trees"][0][field.count]
        return 0 if count == 0xFFFFFFFF else count

    def field_text(self, section, field, record):
        value = record[field.name]
        if section == "parameters" and field.name in ("type", "value"):
            return {"type": b"type=" + self.page.parameter_types[record["type"] & 127].encode(),
                    "value": b"value=" + parameter_text(self.asset, record)}[field.name]
        if field.name in ("reserved", "record") or field.is_image or field.name == "first_name" or (field.name.startswith("first_") and field.target):
            return b""
        name = field.name
        if name.endswith("_value") and name[:-6] + "_mask" in record or value == field.none or self.leads_to_record(field):
            return b""
        if name.endswith("_mask") and field.bits_of:
            return b"%s=%s" % (name[:-5].encode(), self.bit_names(field, value, record[name[:-5] + "_value"]))
        return b"%s=%s" % (name.encode(), self.value_text(field, value))

    def value_text(self, field, value):
        if field.is_condition:
            return quoted(condition_text(self.asset, value, self.names))
        if field.is_name:
            return quoted(self.asset.text(value))
        if field.is_boolean:
            return b"true" if value else b"false"
        if field.name.endswith("_us"):
            return seconds(value)
        if field.bits_of or (field.is_bits and field.words):
            return self.bit_names(field, value, value)
        if field.is_bits:
            return b"0x%x" % value
        if field.words:
            return field.words[value]
        if field.target == "numbers":
            number = self.asset.records["numbers"][value]["number"]
            return real(number / 2 ** 53) if self.node["opcode"]["name"] == "tick_chance_guard" else seconds(number)
        if field.of_tree:
            target = field.targets[-1] if self.asset.engine_section(self.tree) == "decider_trees" else field.target
            return named(value, self.asset.name(target, self.asset.first_of_tree(self.tree, target) + value))
        if field.of_group:
            return named(value, self.asset.name("barriers", self.asset.group_around(self.node)["first_barrier"] + value))
        if field.target:
            index = value - 1 if field.from_one else value
            return named(index, self.asset.name(field.target, index))
        return b"%d" % value

    def bit_names(self, field, mask, value):
        first = self.asset.first_of_tree(self.tree, field.bits_of) if field.bits_of else 0
        bits = [bit for bit in range(64) if mask >> bit & 1]
        names = [self.asset.name(field.bits_of, first + bit) if field.bits_of else field.words[bit] for bit in bits]
        return quoted(b" ".join((b"" if value >> bit & 1 else b"!") + name for bit, name in zip(bits, names)))

    def node_row(self, depth):
        node, opcode = self.node, self.node["opcode"]
        place = self.asset.places.get(node["word"])
        name = self.asset.text(place["name"], "debug_names") if place else b""
        parts = [quoted(name) if name else b""] + list(self.flag_parts(node))
        for operand, value in node["values"]:
            field = self.page.operands[operand]
            if operand in ("parent", "extent", "parameter") or field.count or self.leads_to_record(field):
                continue
            is_none = value == field.none and not field.is_name
            parts.append(operand.encode() + b"=" + (b"none" if is_none else self.value_text(field, value)))
        if opcode["name"] == "select_leaf":
            parts.append(b"leaf=%d" % node["agent_offset"])
        memory = self.asset.memory_of(node)
        keeps_state = opcode["has_state"] and not opcode["name"].startswith("store_") and opcode["name"] != "tick_action"
        if keeps_state or memory or opcode["name"] == "select_share":
            parts.append(b"agent_offset=%d" % node["agent_offset"])
        if memory:
            parts.append(b"memory_bytes=%d" % memory)
        if place and place["line"]:
            parts.append(b"at %s:%d:%d" % (quoted(self.asset.name("files", place["file"])), place["line"], place["column"]))
        self.line(depth, opcode["name"].encode(), *parts)
        for operand, value in node["values"]:
            field = self.page.operands[operand]
            if operand == "parameter" and value:
                self.rows(field.target, value - 1, self.asset.parameter_count(value - 1), depth + 1)
            elif field.count:
                self.rows(field.target, value, node["operands"][field.count], depth + 1)
            elif self.leads_to_record(field) and value != field.none:
                index = value - 1 if field.from_one else value
                self.record(field.target, index, index, depth + 1)

    def flag_parts(self, node):
        for field in self.page.flags.get(node["opcode"]["flags"], []):
            value = node["flags"] >> field["shift"] & (1 << field["count"]) - 1
            if field["name"] != "result" or node["opcode"]["children"] == "none":
                yield ("%s=%s" % (field["name"], field["words"].get(value, value))).encode()


def dump(asset):
    return Dump(asset).run()


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    page = Page(sys.argv[2] if len(sys.argv) > 2 else os.path.join(here, "..", "..", "schemas", "asset.md"))
    with open(sys.argv[1], "rb") as file:
        data = file.read()
    try:
        sys.stdout.buffer.write(dump(Asset(data, page)))
    except Damaged as fault:
        sys.exit("%s: %s" % (sys.argv[1], fault))


if __name__ == "__main__":
    main()
