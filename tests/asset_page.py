"""The tables of schemas/asset.md, for readers that are made from that page."""
import re
import struct


class Damaged(Exception):
    pass


class Page:
    """The tables of asset.md: records by section name, sections by id, opcodes by number, parts of flags by their kind, types
    of parameters by number, (part, bytes) of the block of an agent of deciders and of an instance of a tree that stores."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        self.records, self.bodies = {}, {}
        for name, size, body in re.findall(r"^### (\w+): (\d+) bytes$(.*?)(?=^#)", text, re.M | re.S):
            self.records[name] = self.record(name, int(size), body)
            self.bodies[name] = body
        rows = re.findall(r"^\| (\d+) \| (\w+) \| (.*) \|$", self.part(text, "## 3.", "### "), re.M)
        self.sections = {int(number): name for number, name, _ in rows}
        self.opcodes = {}
        table = self.part(text, "<!-- opcodes -->", "<!-- end of opcodes -->")
        for row in re.findall(r"^\| (\d+) \| (\w+) \| (\w+) \| (\w+) \| (\w+) \| ([\w, ]*) \|", table, re.M):
            operands = [name for name in row[5].split(", ") if name]
            self.opcodes[int(row[0])] = {"name": row[1], "children": row[2], "has_state": row[3] != "0", "flags": row[4],
                                         "operands": operands}
        self.flags = {}
        table = self.part(text, "<!-- flags -->", "<!-- end of flags -->")
        for kind, first, last, name, values in re.findall(r"^\| (\w+) \| (\d+)(?:-(\d+))? \| (\w+) \| (.*) \|$", table, re.M):
            words = {int(number): word for number, word in re.findall(r"(\d+) (\w+)(?:, |$)", values)}
            field = {"name": name, "shift": int(first), "count": int(last or first) - int(first) + 1, "words": words}
            self.flags.setdefault(kind, []).append(field)
        part = self.part(text, "An agent of a tree of **deciders**", "\n\nWhile a group")
        self.decider_parts = re.findall(r"^\| (\w+) \| (.*?) \| ", part, re.M)[1:]
        part = self.part(text, "An agent of a tree that **stores**", "\n\nIn each part")
        self.store_parts = []
        for name, size in re.findall(r"^\| (\w* ?)\| (.*?) \| ", part, re.M)[1:]:
            self.store_parts.append((name.strip() or self.store_parts[-1][0], size))  # a row without a name is of the part above
        types = self.part(text, "### Types of parameters", "\n###")
        self.parameter_types = [name for _, name in re.findall(r"^\| (\d+) \| (\w+) \|", types, re.M)]

    def words(self, record, field):
        """What the numbers of a field are called: [b"select", b"tick", ...]."""
        meaning = re.search(r"\| %s \| (.*) \|$" % field, self.bodies[record], re.M).group(1)
        return [word.encode() for _, word in re.findall(r"\b(\d+) (\w+)", meaning)]

    @staticmethod
    def part(text, begin, end):
        start = text.index(begin)
        return text[start:text.index(end, start + len(begin))]

    @staticmethod
    def record(name, size, body):
        letters = {1: "B", 2: "H", 4: "I", 8: "Q"}
        fields, form, end = [], "<", 0
        for offset, length, field in re.findall(r"^\| (\d+) \| (\d+) \| (\w+) \|", body, re.M):
            if int(offset) != end:
                raise Damaged("the page's record %s has a gap at %d" % (name, end))
            fields.append(field)
            form += letters[int(length)]
            end += int(length)
        if end != size:
            raise Damaged("the page's record %s has %d bytes, not %d" % (name, end, size))
        return {"fields": fields, "struct": struct.Struct(form)}
