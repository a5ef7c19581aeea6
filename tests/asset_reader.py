#!/usr/bin/env python3
"""Reads compiled assets and prints them exactly as `espalier dump` does.

A second reader, made from schemas/asset.md alone: it shares no code with espalier and takes section, record and opcode tables out
of that page (asset_page.py), so that a page that lies gives another output. Usage: asset_reader.py ASSET [PATH-OF-ASSET.MD]
"""
import os
import re
import struct
import sys

from asset_bytes import NONE, Asset
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


def condition_text(asset, operand, names):
    if operand == 0:
        return b"true"
    condition = asset.records["conditions"][operand - 1]
    words = {1: b"and", 2: b"or", 3: b"xor", 4: b"=="}
    result, aside = None, []
    first = condition["first_test"]
    for test in asset.records["tests"][first:first + condition["test_count"]]:
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


# ---- Printing --------------------------------------------------------------------------------------------------------------

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


def tree_names(asset, tree):
    rows = asset.variables(tree)
    return lambda variable: asset.name(rows[variable]["name"])


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


def unit_names(asset, users):
    """What a unit calls its variables: as the trees that use it do, where they agree."""
    trees = [tree_names(asset, asset.records["trees"][tree]) for tree in users]

    def name(variable):
        names = {of_tree(variable) for of_tree in trees}
        return names.pop() if len(names) == 1 else b"v%d" % variable

    return name


def dump_header(asset, out):
    header = asset.header
    out.append(b"asset: version %d.%d, bytes %d, hash %016x" % (
        header["major_version"], header["minor_version"], header["size_bytes"], header["hash"]))
    out.append(b"")
    out.append(b"sections: %d" % len(asset.table))
    for row in asset.table:
        name = asset.page.sections.get(row["id"], "unknown")
        line = b"  %d %s%s: bytes %d at %d" % (row["id"], name.encode(), b" optional" if row["flags"] & 1 else b"",
                                               row["size_bytes"], row["offset_bytes"])
        if row["record_bytes"] > 1:
            line += b", records %d of %d" % (row["size_bytes"] // row["record_bytes"], row["record_bytes"])
        out.append(line)


def dump_tree(asset, index, out):
    tree = asset.records["trees"][index]
    out += [b"", b"tree %d %s: dialect %s, engine %s, unit %d" % (
        index, quoted(asset.name(tree["name"])), asset.page.words("trees", "dialect")[tree["dialect"]],
        asset.page.words("trees", "engine")[tree["engine"]], tree["unit"])]
    others = {2: dump_rule_tree, 3: dump_decider_tree, 4: dump_store_tree}
    if tree["engine"] in others:
        others[tree["engine"]](asset, index, tree, out)
        return
    dirty = b"no dirty bit" if tree["dirty_bit"] == NONE else b"dirty bit %d" % tree["dirty_bit"]
    ticking = asset.records["ticking"][tree["record"]] if tree["engine"] == 1 else None
    parts = ticking_parts(ticking) if ticking else b"leaf at %d" % tree["leaf_offset"]
    out.append(b"  agent: bytes %d, %s, state %d at %d, %s, shared %d" % (
        tree["agent_bytes"], parts, asset.records["units"][tree["unit"]]["state_bytes"], tree["state_offset"], dirty, tree["shared_bytes"]))
    dump_image(asset, tree, out)
    names = tree_names(asset, tree)
    out.append(b"  variables: %d" % tree["variable_count"])
    for i, variable in enumerate(asset.variables(tree)):
        out.append(b"    %d %s = %s" % (i, quoted(names(i)), b"true" if variable["initial"] else b"false"))
    out.append(b"  signals: %d" % tree["signal_count"])
    for i in range(tree["signal_count"]):
        out.append(b"    %s" % named(i, asset.signal_name(tree, i)))
        for row in asset.assignments(tree, i):
            value = condition_text(asset, row["condition"], names)
            out.append(b"      %s = %s" % (quoted(names(row["variable"])), quoted(value)))
    if ticking:
        dump_timestamps(asset, tree, ticking, out)
    else:
        dump_leaves(asset, tree, out)


def dump_image(asset, tree, out):
    out.append(b"  image: bytes %d" % tree["agent_bytes"])
    image = asset.bytes["images"][tree["image"]:tree["image"] + tree["agent_bytes"]]
    for i in range(0, len(image), 32):
        out.append(b"    " + image[i:i + 32].hex().encode())


def dump_rule_tree(asset, index, tree, out):
    record = asset.records["rule_trees"][tree["record"]]
    out.append(b"  agent: bytes %d, run limit %d%s" % (
        tree["agent_bytes"], record["run_limit"], b", used" if record["flags"] & 1 else b""))
    dump_image(asset, tree, out)
    first = record["first_occurrence"]
    occurrences = asset.records["occurrences"][first:first + record["occurrence_count"]]
    out.append(b"  occurrences: %d" % len(occurrences))
    for i, row in enumerate(occurrences):
        line = b"    %d unit=%d first_rule=%d first_below=%d" % (i, row["unit"], row["first_rule"], row["first_below"])
        out.append(line if row["parent"] == NONE else line + b" parent=%d" % row["parent"])
    out.append(b"  rules: %d" % record["rule_count"])
    rule = 0
    for row in occurrences:  # the rules as they lie in their units
        for node in [node for node, _ in asset.nodes(row["unit"])][1:]:
            name = asset.name(asset.records["rule_ids"][record["first_id"] + rule]["name"])
            out.append(b"    %d %s%s" % (rule, node["opcode"]["name"].encode(), b" id=" + quoted(name) if name else b""))
            rule += 1


def decider_block(asset, deciders, root):
    """(part, bytes, offset) of each part of an agent's block, the sizes as the page's table tells them."""
    stimulus_count = deciders["stimulus_count"]
    sizes = {"8": 8, "2": 2,
             "8; 0 when `draws` is 0": 8 * deciders["draws"],
             "8 for each stimulus with a timeout": 8 * deciders["timeout_count"],
             "8 for each decider whose `every_us` is not 0": 8 * deciders["timer_count"],
             "8 for each of the root's `level_count`": 8 * root["level_count"],
             "the root's `path_bytes`": root["path_bytes"],
             "16 for each stimulus": 16 * stimulus_count,
             "2 for each `decide_sequential`": 2 * deciders["sequential_count"],
             "1 for each stimulus": stimulus_count,
             "`shuffle_bytes`": deciders["shuffle_bytes"]}
    end = 0
    for name, size in asset.page.decider_parts:
        yield name, sizes[size], end
        end += sizes[size]


def dump_decider_tree(asset, index, tree, out):
    deciders = asset.records["decider_trees"][tree["record"]]
    root = asset.node(asset.records["units"][tree["unit"]]["first_word"])
    block = decider_block(asset, deciders, asset.records["deciders"][root["operands"]["decider"]])
    parts = "".join(", %s %d at %d" % part for part in block if part[1])
    out.append(b"  agent: bytes %d%s, scratch %d" % (tree["agent_bytes"], parts.encode(), deciders["scratch_bytes"]))
    out.append(b"  deciders: %d from %d, units from %d, nodes %d, redecides %d" % (
        deciders["decider_count"], deciders["first_decider"], deciders["first_unit"], deciders["node_count"],
        deciders["max_redecides"]))
    out.append(b"  flags: %d" % tree["variable_count"])
    out += [b"    %s" % named(i, asset.name(row["name"])) for i, row in enumerate(asset.variables(tree))]
    out.append(b"  stimuli: %d" % deciders["stimulus_count"])
    for i in range(deciders["stimulus_count"]):
        row = asset.records["stimuli"][deciders["first_stimulus"] + i]
        timeout = b" timeout=%s number=%d" % (seconds(row["timeout_us"]), row["timeout"]) if row["timeout_us"] else b""
        out.append(b"    %s%s" % (named(i, asset.name(row["name"])), timeout))
    out.append(b"  signals: %d" % tree["signal_count"])
    for i in range(tree["signal_count"]):
        out.append(b"    %s" % named(i, asset.signal_name(tree, i)))
        out += [b"      %s" % named(row["variable"], asset.stimulus_name(deciders, row["variable"]))
                for row in asset.assignments(tree, i)]
    out.append(b"  behavior_flags: %d" % deciders["behavior_flag_count"])
    out += [b"    %s" % named(i, asset.behavior_flag_name(deciders, i)) for i in range(deciders["behavior_flag_count"])]


def round_up(size):
    return (size + 7) // 8 * 8


def instance_parts(asset, unit):
    """(part, bytes) of an instance without its rooms, the sizes as the page's table tells them."""
    nodes = [node for node, _ in asset.nodes(unit)]
    sizes = dict.fromkeys((name for name, _ in asset.page.store_parts), 0)
    for name, words in asset.page.store_parts:
        match = re.match(r"(\d+) for each `(\w+)`( with a timeout)?$", words)
        if match:
            of_kind = [node for node in nodes if node["opcode"]["name"] == match[2]]
            sizes[name] += int(match[1]) * sum(not match[3] or node["operands"]["time"] != NONE for node in of_kind)
    sizes["results"] = (2 * len(nodes) + 7) // 8
    return sizes


class StoreNeeds:
    """What trees that store need, and the rooms of slots, level by level: worked out from the nodes, not read."""

    def __init__(self, asset):
        trees = asset.records["trees"]
        self.own, self.slots, self.need, self.room = {}, {}, {}, {}
        for record in asset.records["store_trees"]:
            unit = trees[record["tree"]]["unit"]
            self.own[record["tree"]] = round_up(sum(instance_parts(asset, unit).values()))
            self.slots[record["tree"]] = [node["operands"]["slot"] for node, _ in asset.nodes(unit) if "slot" in node["operands"]]
        self.level_count = max((record["level_count"] for record in asset.records["store_trees"]), default=0)
        for level in range(1, self.level_count + 1):
            for tree, slots in self.slots.items():
                need = self.own[tree] + sum(self.room[slot, level - 1] for slot in slots if level > 1)
                self.need[tree, level] = min(need, 16777216)
            for slot in range(len(asset.records["slots"])):
                self.room[slot, level] = self.room_of(asset, slot, level)

    def room_of(self, asset, slot, level):
        record = asset.records["slots"][slot]
        if record["budget_bytes"] != NONE:
            return record["budget_bytes"] // 8 * 8
        accepted = asset.accepted(record)
        return max((self.need[tree, level] for tree in (self.own if accepted is None else accepted)), default=0)

    def row(self, table, index):
        return " ".join(str(table[index, level]) for level in range(1, self.level_count + 1)).encode()


def group_bytes(group):
    return round_up(32 + 8 * group["role_count"] + 2 * group["role_count"] * group["barrier_count"])


def dump_store_tree(asset, index, tree, out):
    record = asset.records["store_trees"][tree["record"]]
    needs = StoreNeeds(asset)
    slot_bytes = 2 * len(asset.records["slots"]) if needs.slots[index] else 0
    at = round_up(4 + slot_bytes)
    agent = at + needs.need[index, record["level_count"]]
    parts = [("monitors", 2, 0), ("seats", 2, 2), ("slots", slot_bytes, 4)]
    for name, size in instance_parts(asset, tree["unit"]).items():
        at = round_up(at) if name == "rooms" else at
        parts.append((name, agent - at if name == "rooms" else size, at))
        at += size
    shared = 8 * sum(row["place_count"] for row in asset.records["store_trees"])
    shared += sum(group_bytes(row) for row in asset.records["groups"])
    out.append(b"  agent: bytes %d%s, shared %d" % (agent, "".join(", %s %d at %d" % part for part in parts if part[1]).encode(), shared))
    out.append(b"  instance: bytes %d at %d, nodes %d, slots %d, places %d from %d, groups %d from %d" % (
        needs.own[index], round_up(4 + slot_bytes), record["node_count"], record["child_count"], record["place_count"],
        record["first_place"], record["group_count"], record["first_group"]))
    out.append(b"  levels: %d, needs %s" % (record["level_count"], needs.row(needs.need, index)))


def dump_slots(asset, out):
    needs = StoreNeeds(asset)
    out += [b"", b"slots: %d" % len(asset.records["slots"])]
    for i, slot in enumerate(asset.records["slots"]):
        trees = asset.accepted(slot)
        accepts = b"all" if trees is None else b" ".join(named(tree, asset.tree_name(tree)) for tree in trees)
        budget = b"" if slot["budget_bytes"] == NONE else b", budget %d" % slot["budget_bytes"]
        out.append(b"  %s: accepts%s%s, rooms %s" % (
            named(i, asset.name(slot["name"])), b" " * bool(accepts) + accepts, budget, needs.row(needs.room, i)))


def group_rows(asset, node):
    group = asset.group(node)
    timeout = b"" if group["timeout_us"] == 0xFFFFFFFFFFFFFFFF else b", timeout " + seconds(group["timeout_us"])
    yield b"= roles %d, on_leave %s%s, shared %d at %d" % (
        group["role_count"], (b"fail", b"reset", b"ignore")[group["on_leave"]], timeout, group_bytes(group), group["shared_offset"])
    for i, barrier in enumerate(asset.barriers(group)):
        roles = b"".join(b" %d" % role for role in range(group["role_count"]) if barrier["roles"] >> role & 1)
        yield b"| barrier %s of roles%s" % (named(i, asset.name(barrier["name"])), roles)


def ticking_parts(ticking):
    parts = [b"status at %d" % ticking["status_offset"], b"cursor %d at %d" % (ticking["cursor_bytes"], ticking["cursor_offset"])]
    parts += [b"%s at %d" % (name, ticking[field])
              for name, field in ((b"held", "held_offset"), (b"generator", "generator_offset"), (b"times", "times_offset"))
              if ticking[field] != NONE]
    parts.append(b"limits %d" % ticking["limit_count"])
    return b", ".join(parts + [b"stays stopped"] * (ticking["flags"] & 1))


def dump_timestamps(asset, tree, ticking, out):
    out.append(b"  timestamps: %d" % ticking["timestamp_count"])
    for i, row in enumerate(asset.timestamps(ticking)):
        line = b"    %d %s signal=%s" % (i, quoted(asset.name(row["name"])), named(row["signal"], asset.signal_name(tree, row["signal"])))
        if row["exclusive_to"] != NONE:
            line += b" exclusive_to=" + named(row["exclusive_to"], asset.timestamp_name(ticking, row["exclusive_to"]))
        out.append(line)


def dump_leaves(asset, tree, out):
    out.append(b"  leaves: %d" % tree["leaf_count"])
    leaf_names = asset.leaf_names(tree)
    for i in range(tree["leaf_count"]):
        behavior = asset.records["leaves"][tree["first_leaf"] + i]["behavior"]
        name = b" " + quoted(leaf_names[i]) if leaf_names.get(i) else b""
        behavior_name = asset.name(asset.records["behaviors"][behavior]["name"])
        out.append(b"    %d%s behavior=%d %s" % (i, name, behavior, quoted(behavior_name)))


def named(number, name):
    return b"%d %s" % (number, quoted(name))


def seconds(number):
    size = number - (1 << 64) if number >> 63 else number
    whole, part = divmod(abs(size), 1000000)
    text = ("-" if size < 0 else "") + str(whole)
    return (text + (".%06d" % part).rstrip("0") if part else text).encode() + b"s"


def double(number):
    return ("nan" if number != number else "%.15g" % number).encode()


def flag_parts(asset, node):
    opcode = node["opcode"]
    for field in asset.page.flags.get(opcode["flags"], []):
        value = node["flags"] >> field["shift"] & (1 << field["count"]) - 1
        if field["name"] != "result" or opcode["children"] == "none":
            yield ("%s=%s" % (field["name"], field["words"].get(value, value))).encode()


def operand_text(asset, node, operand, value, names, unit):
    """What stands behind the operand's name and '='."""
    ticks = node["opcode"]["name"].startswith("tick_")
    tree = asset.tree_of(unit) if ticks else None
    ticking = asset.records["ticking"][tree["record"]] if ticks else None
    if operand == "condition":
        return quoted(condition_text(asset, value, names))
    if operand == "text":
        return quoted(asset.name(value))
    if operand == "number":
        number = asset.records["numbers"][value]["number"]
        return double(number / 2 ** 53) if node["opcode"]["name"] == "tick_chance_gate" else seconds(number)
    if operand == "signal":
        return named(value, asset.signal_name(tree, value))
    if operand == "timestamp":
        return b"none" if value == NONE else named(value, asset.timestamp_name(ticking, value))
    if operand == "script":
        return b"none" if value == 0 else named(value - 1, asset.name(asset.records["scripts"][value - 1]["text"]))
    if operand == "asking":
        modes = (b"all_true", b"any_true", b"any_false", b"all_false")
        return b"none" if value == 0 else b"%d mode=%s" % (value - 1, modes[asset.records["askings"][value - 1]["mode"]])
    if operand == "use":
        return b"%d unit=%d" % (value, asset.records["uses"][value]["unit"])
    if operand == "barrier":
        return named(value, asset.name(asset.barriers(asset.group(node))[value]["name"]))
    if operand == "tree":
        return b"none" if value == 0 else named(value - 1, asset.tree_name(value - 1))
    if operand == "time" and value == NONE:
        return b"none"
    if operand in ("scope", "behavior", "host_condition", "slot"):
        return named(value, asset.name(asset.records[operand + "s"][value]["name"]))
    return b"%d" % value


def parameter_text(asset, row):
    kind = asset.page.parameter_types[row["type"]]

    def number(index):
        return double(struct.unpack("<d", struct.pack("<Q", asset.records["numbers"][index]["number"]))[0])

    if kind == "whole":
        value = b"%d" % struct.unpack("<q", struct.pack("<II", row["value"], row["extra"]))
    elif kind == "number":
        value = number(row["value"])
    elif kind == "boolean":
        value = b"true" if row["value"] else b"false"
    elif kind == "choice":
        value = named(row["value"], asset.name(row["extra"]))
    elif kind == "vector":
        value = b", ".join(number(row["value"] + i) for i in range(3))
    else:
        value = quoted(asset.name(row["value"]))
    return b"%s %s = %s" % (quoted(asset.name(row["name"])), kind.encode(), value)


def dump_rows(asset, node, indent, names, unit, out):
    """What follows a node: its transitions, what it asks, its parameters."""
    asking = asset.records["askings"][node["operands"]["asking"] - 1] if node["operands"].get("asking") else None

    def rows(section, kind):
        if asking and "first_" + kind in asking:
            first = asking["first_" + kind]
            return asset.records[section][first:first + asking[kind + "_count"]]
        first = node["operands"].get(kind, 0)
        return asset.records[section][first:first + node["operands"][kind + "_count"]] if kind in node["operands"] else []

    for row in rows("transitions", "transition"):
        out.append(b"%s  -> %d condition=%s" % (indent, row["state"], quoted(condition_text(asset, row["condition"], names))))
    for row in rows("event_transitions", "event_transition"):
        out.append(b"%s  -> %d signal=%s" % (indent, row["state"], operand_text(asset, node, "signal", row["signal"], names, unit)))
    for row in rows("questions", "question"):
        name = asset.name(asset.records["host_conditions"][row["condition"]]["name"])
        out.append(b"%s  ? %s" % (indent, named(row["condition"], name)))
    for row in rows("parameters", "parameter"):
        out.append(b"%s  - %s" % (indent, parameter_text(asset, row)))
    if "decider" in node["operands"]:
        out += [b"%s  %s" % (indent, row) for row in decider_rows(asset, node, unit)]
    if "group" in node["operands"]:
        out += [b"%s  %s" % (indent, row) for row in group_rows(asset, node)]


def names_of_bits(mask, value, name):
    bits = [bit for bit in range(64) if mask >> bit & 1]
    return quoted(b" ".join((b"" if value >> bit & 1 else b"!") + name(bit) for bit in bits))


def decider_rows(asset, node, unit):
    """What is asked of a decider, its behaviour, its sums."""
    deciders = asset.records["decider_trees"][asset.tree_of(unit)["record"]]
    decider = asset.records["deciders"][node["operands"]["decider"]]
    if decider["every_us"]:
        yield b"? every=%s timer=%d" % (seconds(decider["every_us"]), decider["timer"])
    if decider["precondition"]:
        row = asset.records["preconditions"][decider["precondition"] - 1]
        names = {"flags": tree_names(asset, asset.tree_of(unit)),
                 "stimuli": lambda stimulus: asset.stimulus_name(deciders, stimulus)}
        tests = [b" %s=%s" % (field[:-5].encode(), names_of_bits(mask, row[field[:-5] + "_value"], names[field.split("_")[0]]))
                 for field, mask in row.items() if field.endswith("_mask") and mask]
        yield b"? precondition=%d%s" % (decider["precondition"] - 1, b"".join(tests))
    if decider["decide"]:
        yield b"? decide=%s" % named(decider["decide"] - 1, asset.name(asset.records["host_conditions"][decider["decide"] - 1]["name"]))
    if decider["block_bytes"]:
        yield b"- block=%d" % decider["block_bytes"]
    if decider["behavior"]:
        flags = decider["behavior_flags"]
        yield b"- behavior=%s memory=%d%s" % (
            named(decider["behavior"] - 1, asset.name(asset.records["behaviors"][decider["behavior"] - 1]["name"])),
            decider["memory_bytes"],
            b" flags=" + names_of_bits(flags, flags, lambda flag: asset.behavior_flag_name(deciders, flag)) if flags else b"")
    state = b", state %d" % decider["state"] if node["opcode"]["name"] in ("decide_sequential", "decide_shuffle") else b""
    yield b"= children %d%s, levels %d, path %d, answer %d, scratch %d, asked %d" % (
        decider["child_count"], state, decider["level_count"], decider["path_bytes"], decider["answer_bytes"],
        decider["scratch_bytes"], decider["asked_count"])


def dump_node(asset, node, depth, names, unit, out):
    indent = b"  " * depth
    place = asset.places.get(node["word"])
    parts = [node["opcode"]["name"].encode()]
    if place and asset.name(place["name"], "debug_names"):
        parts.append(quoted(asset.name(place["name"], "debug_names")))
    parts += flag_parts(asset, node)
    parts += [operand.encode() + b"=" + operand_text(asset, node, operand, value, names, unit)
              for operand, value in node["values"] if operand != "parent"]
    stores = node["opcode"]["name"].startswith("store_")
    if node["opcode"]["has_state"] and not stores or node["opcode"]["name"] == "select_share":
        parts.append(b"agent_offset=%d" % node["agent_offset"])
    if place and place["line"]:
        file = asset.name(asset.records["files"][place["file"]]["name"], "debug_names")
        parts.append(b"at %s:%d:%d" % (quoted(file), place["line"], place["column"]))
    out.append(indent + b" ".join(parts))
    dump_rows(asset, node, indent, names, unit, out)


def dump_unit(asset, index, users, out):
    unit = asset.records["units"][index]
    line = b"unit %d: nodes %d, leaves %d, state %d, regions %d, uses %d, variables %d" % (
        index, unit["node_count"], unit["leaf_count"], unit["state_bytes"], unit["region_count"], unit["use_count"],
        unit["variable_count"])
    if users and unit["variable_count"]:
        line += b" of " + quoted(asset.name(asset.records["trees"][users[0]]["name"]))
    out += [b"", line]
    names = unit_names(asset, users)
    for node, depth in asset.nodes(index):
        dump_node(asset, node, depth + 1, names, unit, out)


def dump_names(title, rows, out):
    out += [b"", b"%s: %d" % (title, len(rows))]
    out += [b"  %d %s" % (i, quoted(name)) for i, name in enumerate(rows)]


def dump(asset):
    out = []
    dump_header(asset, out)
    for index in range(len(asset.records["trees"])):
        dump_tree(asset, index, out)
    users = trees_by_unit(asset)
    for index in range(len(asset.records["units"])):
        dump_unit(asset, index, users[index], out)
    dump_names(b"behaviors", [asset.name(row["name"]) for row in asset.records["behaviors"]], out)
    for section, field in (("host_conditions", "name"), ("slots", "name"), ("scripts", "text"), ("scopes", "name")):
        if section == "slots" and asset.records[section]:
            dump_slots(asset, out)
        elif asset.records[section]:
            dump_names(section.encode(), [asset.name(row[field]) for row in asset.records[section]], out)
    if "files" in asset.records:
        dump_names(b"files", [asset.name(row["name"], "debug_names") for row in asset.records["files"]], out)
    return b"\n".join(out) + b"\n"


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    page = Page(sys.argv[2] if len(sys.argv) > 2 else os.path.join(here, "..", "schemas", "asset.md"))
    with open(sys.argv[1], "rb") as file:
        data = file.read()
    try:
        sys.stdout.buffer.write(dump(Asset(data, page)))
    except Damaged as fault:
        sys.exit("%s: %s" % (sys.argv[1], fault))


if __name__ == "__main__":
    main()
