"""Shows espalier's assets, trees, calls and agents in gdb: (gdb) source espalier_gdb.py

Variables of type espalier_asset, espalier_tree, espalier_call and espalier_place are shown by their content; the same for
their C++ names. `espalier-agent TREE BLOCK` shows an agent: the parts of its block by name, and its active nodes.
Everything is read from memory and nothing is called, so it works in core files too. It relies on the layout of
espalier_asset (lib/runtime/asset/view.h) and of an asset (schemas/asset.md).
"""
import struct

import gdb
import gdb.printing

TREES, UNITS, NODES, VARIABLES, SIGNALS, BEHAVIORS, LEAVES, NAMES = 1, 2, 3, 7, 8, 10, 11, 13
TIMESTAMPS, SCOPES, RULE_TREES, RULE_IDS, DECIDER_TREES, STIMULI = 15, 20, 21, 26, 28, 31
FILES, NODE_LOCATIONS, DEBUG_NAMES, PARTS, NODE_WORDS = 40, 41, 42, 43, 44

ENGINES = ("select", "tick", "rule", "decide", "store", "poll")
PARTS_OF_ENGINE = (4, 7, 3, 12, 9, 5)  # rows of parts.def
KINDS = ("variables", "status", "leaf", "states", "cursor", "held", "generator", "timestamps", "current_rule", "stimuli",
         "timeouts", "timers", "path", "memory", "stimulus_data", "level_count", "ran_last", "data_sizes", "orders",
         "monitors", "seats", "slots", "times", "counts", "group_seats", "results", "rooms", "poll_memory", "entries", "texts", "statuses",
         "entry_types", "write_counts")
# The section with the names of a part, and where a record has its name.
NAMED = {"variables": (VARIABLES, 0), "timestamps": (TIMESTAMPS, 0), "stimuli": (STIMULI, 8), "held": (SCOPES, 0)}
RESULTS = ("none", "running", "success", "failure")
NONE = 0xFFFFFFFF
DECIDER_WORDS = 5
LEVEL_COUNT_MASK = 0x7FF


def read(address, size_bytes):
    return gdb.selected_inferior().read_memory(address, size_bytes).tobytes()


def string_at(address):
    return gdb.Value(address).cast(gdb.lookup_type("char").const().pointer()).string("utf-8", "replace")


class Asset:
    """An espalier_asset, as in asset/view.h."""

    def __init__(self, value):
        self.records = value["internal"]
        self.numbers = value["internal_numbers"]
        self.sizes_at = (self.numbers.type.range()[1] + 1) // 2

    def count(self, section):
        return int(self.numbers[section])

    def record(self, section, index, form):
        """The first fields of a record, by a format of struct."""
        size_bytes = int(self.numbers[self.sizes_at + section])
        return struct.unpack("<" + form, read(int(self.records[section]) + index * size_bytes, struct.calcsize("<" + form)))

    def name(self, offset, section=NAMES):
        return string_at(int(self.records[section]) + offset)

    def word(self, index):
        return self.record(NODES, index, "I")[0]

    def location(self, node_word):
        """Name, file and line of a node; None in stripped assets."""
        begin, end = 0, self.count(NODE_LOCATIONS)
        while begin < end:
            middle = (begin + end) // 2
            word, name, file, line = self.record(NODE_LOCATIONS, middle, "4I")
            if word == node_word:
                return self.name(name, DEBUG_NAMES), self.name(self.record(FILES, file, "I")[0], DEBUG_NAMES), line
            begin, end = (middle + 1, end) if word < node_word else (begin, middle)
        return None

    def node_text(self, node_word):
        location = self.location(node_word)
        if location is None:
            return f"node at word {node_word}"
        name, file, line = location
        return f"{name} ({file}:{line})"

    def behavior(self, index):
        return self.name(self.record(BEHAVIORS, index, "I")[0])


class Tree:
    """An espalier_tree, and the parts of its agents' blocks."""

    def __init__(self, value):
        self.asset = Asset(value["asset"].dereference())
        record = self.asset.record(TREES, int(value["index"]), "11I2BH")
        self.name = self.asset.name(record[0])
        self.unit, self.first_leaf, self.leaf_count, self.agent_bytes = record[1], record[4], record[5], record[7]
        self.first_part, self.record, self.engine = record[9], record[10], ENGINES[record[11]]
        self.first_word = self.asset.record(UNITS, self.unit, "I")[0]

    def text(self):
        return f'tree "{self.name}" ({self.engine}), {self.agent_bytes} bytes an agent'

    def parts(self):
        for i in range(PARTS_OF_ENGINE[ENGINES.index(self.engine)]):
            offset_bits, count, first_name, kind, bits, _ = self.asset.record(PARTS, self.first_part + i, "3I2BH")
            yield KINDS[kind], offset_bits, count, first_name, bits
        # The times of the current behaviour, after the parts.
        times_bits = (self.agent_bytes - 16) * 8
        if self.engine in ("select", "rule") and times_bits >= offset_bits + count * bits:
            yield "times", times_bits, 2, 0, 64


class Agent:
    """An agent's block, of which each part becomes a text."""

    def __init__(self, tree, address):
        self.tree, self.asset = tree, tree.asset
        self.bits = int.from_bytes(read(address, tree.agent_bytes), "little")

    def texts(self):
        for kind, offset_bits, count, first_name, bits in self.tree.parts():
            values = [self.bits >> (offset_bits + i * bits) & ((1 << bits) - 1) for i in range(count)]
            if not values or kind in ("states", "memory", "rooms", "stimulus_data", "orders"):
                continue
            shown = getattr(self, kind, None)
            if shown is not None:
                yield kind, shown(values)
            elif kind in NAMED:
                yield kind, ", ".join(self.named(kind, first_name + i, value) for i, value in enumerate(values))
            else:
                yield kind, ", ".join(map(str, values))

    def named(self, kind, index, value):
        section, at = NAMED[kind]
        name = self.asset.name(self.asset.record(section, index, f"{at}xI")[0])
        never = {(1 << 64) - 1: "never set", (1 << 64) - 2: "cleared"} if kind == "timestamps" else {}
        return f"{name} = {never.get(value, value)}"

    def leaf(self, values):
        if values[0] >= self.tree.leaf_count:
            return "none"
        behavior = self.asset.record(LEAVES, self.tree.first_leaf + values[0], "H")[0]
        return f"{values[0]}, behavior {self.asset.behavior(behavior)}"

    def cursor(self, values):
        is_none = values[0] in (0xFFFF, NONE)
        return "none" if is_none else self.asset.node_text(self.tree.first_word + values[0])

    def current_rule(self, values):
        rules = self.asset.record(RULE_TREES, self.tree.record, "6I")
        if values[0] >= rules[1]:
            return "none"
        name = self.asset.record(RULE_IDS, rules[4] + values[0], "I")[0]
        return f"{values[0]} {self.asset.name(name) if name else ''}".strip()

    def level_count(self, values):
        return str(values[0] & LEVEL_COUNT_MASK)

    def path(self, values):
        """Deciders from the root on; how many are active is in the part level_count."""
        for kind, offset_bits, _, _, bits in self.tree.parts():
            if kind == "level_count":
                values = values[:self.bits >> offset_bits & LEVEL_COUNT_MASK]
        first_unit = self.asset.record(DECIDER_TREES, self.tree.record, "2I")[1]
        first_word = self.asset.record(UNITS, first_unit, "I")[0]
        nodes = (first_word + (value & 0xFFFF) * DECIDER_WORDS for value in values)
        return " > ".join(map(self.asset.node_text, nodes)) or "none"

    def results(self, values):
        """Of the nodes of the agent's own tree that have one."""
        first_node_word = self.asset.record(UNITS, self.tree.unit, "11I")[10]
        words = (self.asset.record(NODE_WORDS, first_node_word + i, "I")[0] for i in range(len(values)))
        shown = (f"{self.asset.node_text(self.tree.first_word + word)} {RESULTS[value]}"
                 for word, value in zip(words, values) if value)
        return ", ".join(shown) or "none"


class AssetPrinter:
    def __init__(self, value):
        self.asset = Asset(value)

    def to_string(self):
        if not int(self.asset.records[TREES]):
            return "not open"
        names = (self.asset.record(TREES, i, "I")[0] for i in range(self.asset.count(TREES)))
        return "trees " + ", ".join(f'"{self.asset.name(name)}"' for name in names)


class TreePrinter:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        return Tree(self.value).text() if int(self.value["asset"]) else "no tree"


class CallPrinter:
    """What is called, by which node, and the agent."""

    def __init__(self, value):
        self.value = value
        self.tree = Tree(value["tree"])

    def to_string(self):
        return f"agent {int(self.value['agent_number'])}"

    def children(self):
        yield "tree", self.value["tree"]
        behavior = int(self.value["behavior"])
        if behavior < self.tree.asset.count(BEHAVIORS):  # of a condition it is another number
            yield "behavior", self.tree.asset.behavior(behavior)
        if self.tree.engine != "select":
            yield "node", self.tree.asset.node_text(int(self.value["node_word"]))
        for kind, text in Agent(self.tree, int(self.value["agent"])).texts():
            yield kind, text


class PlacePrinter:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        return f"{self.value['file'].string()}:{int(self.value['line'])}"


class AgentCommand(gdb.Command):
    """espalier-agent TREE BLOCK: shows an agent, by the parts of its block."""

    def __init__(self):
        super().__init__("espalier-agent", gdb.COMMAND_DATA, gdb.COMPLETE_EXPRESSION)

    def invoke(self, argument, from_tty):
        words = gdb.string_to_argv(argument)
        if len(words) != 2:
            raise gdb.GdbError("espalier-agent TREE BLOCK")
        tree = Tree(gdb.parse_and_eval(words[0]))
        print(tree.text())
        block = gdb.parse_and_eval(words[1])
        address = int(block.address if block.type.strip_typedefs().code == gdb.TYPE_CODE_ARRAY else block)
        for kind, text in Agent(tree, address).texts():
            print(f"  {kind}: {text}")


def printers():
    found = gdb.printing.RegexpCollectionPrettyPrinter("espalier")
    found.add_printer("asset", "^espalier_asset$", AssetPrinter)
    found.add_printer("tree", "^espalier_tree$", TreePrinter)
    found.add_printer("call", "^espalier_call$", CallPrinter)
    found.add_printer("place", "^espalier_place$", PlacePrinter)
    return found


gdb.printing.register_pretty_printer(gdb.current_objfile(), printers(), replace=True)
AgentCommand()
