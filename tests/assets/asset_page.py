"""The tables of schemas/asset.md, for readers that use that page."""
import re
import struct


class Damaged(Exception):
    pass


class Field:
    """A field of a record, or an operand, with the way it is printed, taken from its meaning."""

    def __init__(self, name, size, meaning):
        self.name, self.size = name, size
        self.targets = re.findall(r"`(\w+)`", meaning.split("index into", 1)[1]) if "index into" in meaning else []
        self.target = self.targets[0] if self.targets else None
        self.count = self.found(r"the first of `?(\w+)", meaning)  # a field, or a number
        self.of_tree, self.of_group = "index into the tree's" in meaning, "index into the group's" in meaning
        self.from_one = "1 + index into" in meaning
        self.is_name = name == "name" or meaning.startswith("name:")
        self.is_condition = meaning.startswith("condition operand")
        self.is_image = "offset into `images`" in meaning
        self.is_bits = meaning.startswith("bits")
        self.bits_of = self.found(r"^bits of the tree's `(\w+)`", meaning)
        self.is_boolean = meaning.startswith("0: false, 1: true")
        self.words = {}
        if re.match(r"(.*: )?0 \w+, 1 |bits: 0 \w+:", meaning):
            self.words = {int(number): word.encode() for number, word in re.findall(r"\b(\d+) (\w+)", meaning)}
        self.none = None  # the value without information
        if re.search(r"(^|[ ;])0: ", meaning) or self.bits_of or (self.is_bits and self.words):
            self.none = 0
        elif re.search(r"\bnone\b|all ones", meaning) and not self.words:
            self.none = (1 << 8 * size) - 1

    @staticmethod
    def found(pattern, meaning):
        match = re.search(pattern, meaning)
        return match and match.group(1)


class Page:
    """The tables of asset.md: fields of records and their form by section name, sections by id, opcodes by number, operands by
    name, parts of flags by their kind, parts of agents' blocks by engine, types of parameters by number."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        self.fields, self.forms = {}, {}
        for name, size, body in re.findall(r"^### (\w+): (\d+) bytes$(.*?)(?=^#)", text, re.M | re.S):
            self.add_record(name, int(size), body)
        rows = re.findall(r"^\| (\d+) \| (\w+) \| (.*) \|$", self.part(text, "## 3.", "### "), re.M)
        self.sections = {int(number): name for number, name, _ in rows}
        self.opcodes = {}
        table = self.part(text, "<!-- opcodes -->", "<!-- end of opcodes -->")
        for row in re.findall(r"^\| (\d+) \| (\w+) \| (\w+) \| (\w+) \| (\w+) \| ([\w, ]*) \|", table, re.M):
            operands = [name for name in row[5].split(", ") if name]
            self.opcodes[int(row[0])] = {"name": row[1], "children": row[2], "has_state": row[3] != "0", "flags": row[4],
                                         "operands": operands}
        table = self.part(text, "| operand | means |", "\n\n")
        self.operands = {name: Field(name, 4, meaning) for name, meaning in re.findall(r"^\| (\w+) \| (.*) \|$", table, re.M)}
        self.flags = {}
        table = self.part(text, "<!-- flags -->", "<!-- end of flags -->")
        for kind, first, last, name, values in re.findall(r"^\| (\w+) \| (\d+)(?:-(\d+))? \| (\w+) \| (.*) \|$", table, re.M):
            words = {int(number): word for number, word in re.findall(r"(\d+) (\w+)(?:, |$)", values)}
            field = {"name": name, "shift": int(first), "count": int(last or first) - int(first) + 1, "words": words}
            self.flags.setdefault(kind, []).append(field)
        self.parts = {}  # (kind, section of its names or "") by the engine's name
        table = self.part(text, "<!-- parts -->", "<!-- end of parts -->")
        for engine, kind, names in re.findall(r"^\| (\w+) \| (\w+) \| [^|]+ \| \d+ \| \w+ \| ?(\w*) ?\|", table, re.M):
            self.parts.setdefault(engine.encode(), []).append((kind, names))
        types = self.part(text, "### Types of parameters", "\n###")
        self.parameter_types = [name for _, name in re.findall(r"^\| (\d+) \| (\w+) \|", types, re.M)]

    @staticmethod
    def part(text, begin, end):
        start = text.index(begin)
        return text[start:text.index(end, start + len(begin))]

    def add_record(self, name, size, body):
        letters = {1: "B", 2: "H", 3: "3s", 4: "I", 8: "Q"}
        fields, form, end = [], "<", 0
        for offset, length, field, meaning in re.findall(r"^\| (\d+) \| (\d+) \| (\w+) \| ?(.*) \|$", body, re.M):
            if int(offset) != end:
                raise Damaged("the page's record %s has a gap at %d" % (name, end))
            fields.append(Field(field, int(length), meaning))
            form += letters[int(length)]
            end += int(length)
        if end != size:
            raise Damaged("the page's record %s has %d bytes, not %d" % (name, end, size))
        self.fields[name], self.forms[name] = fields, struct.Struct(form)
