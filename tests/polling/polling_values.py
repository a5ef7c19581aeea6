"""The blackboards and scripts of BehaviorTree.CPP's trees, for polling_model.py.

Values are (kind, value, made_as), kind being whole, real or text. Scripts are tuples, see evaluate().
"""
import math

SIGNED = ("int8", "int16", "int", "int64")
UNSIGNED = ("uint8", "uint16", "unsigned", "uint64")
NUMBERS = SIGNED + UNSIGNED + ("double", "bool")


class Throw(Exception):
    """The update ends with an error."""


class Entry:
    def __init__(self, type_):
        self.type, self.value, self.count = type_, None, 0


def number_of(value):
    return float(value[1])


def as_number_text(text):
    """The longest beginning that is a number."""
    best = None
    for end in range(len(text), 0, -1):
        try:
            if text[:end].strip() == text[:end]:
                best = float(text[:end])
                break
        except ValueError:
            pass
    if best is None:
        raise Throw("no number")
    return best


def from_text(text, type_):
    if type_ == "text":
        return ("text", text, "text")
    if type_ == "bool":
        if text not in ("0", "1", "true", "True", "TRUE", "false", "False", "FALSE"):
            raise Throw("no bool")
        return ("whole", 1 if text in ("1", "true", "True", "TRUE") else 0, type_)
    number = as_number_text(text)
    return ("real", number, type_) if type_ == "double" else ("whole", int(number), type_)


class Board:
    def __init__(self, parent=None, remapped=None, auto=False):
        self.parent, self.remapped, self.auto = parent, remapped or {}, auto
        self.entries = {}
        self.root = parent.root if parent else self

    def above(self, key):
        """The board and the key that stand for a key which has no own entry; None: there is none."""
        if key in self.remapped:
            return self.parent, self.remapped[key]
        if self.auto and not key.startswith("_"):
            return self.parent, key
        return None

    def find(self, key):
        if key.startswith("@") and len(key) > 1:
            return self.root.find(key[1:])
        if key in self.entries:
            return self.entries[key]
        above = self.above(key)
        return above[0].find(above[1]) if above else None

    def make(self, key, type_):
        if key.startswith("@") and len(key) > 1:
            return self.root.make(key[1:], type_)
        entry = self.entries.get(key)
        if entry:
            if entry.type not in (None, "any") and type_ not in (None, "any") and entry.type != type_:
                raise Throw("type mismatch")
            return entry
        above = self.above(key)
        if above:
            return above[0].make(above[1], type_)
        self.entries[key] = Entry(type_)
        return self.entries[key]

    def make_own(self, key, type_):
        return self.entries.setdefault(key, Entry(type_))

    def write(self, key, value, type_):
        if key.startswith("@") and len(key) > 1:
            self.root.write(key[1:], value, type_)
            return
        entry = self.entries.get(key)
        if entry is None:
            entry = self.make(key, None if type_ == "text" else type_)
            entry.value = value
        elif entry.type in (None, "any"):
            entry.type, entry.value = type_, value
        elif entry.type == type_:
            put(entry, value)
        elif type_ == "text":
            put(entry, from_text(value[1], entry.type))
        elif type_ in NUMBERS and entry.type in NUMBERS:
            put(entry, fitted(value, type_, entry.type))
        else:
            raise Throw("another type")
        entry.count += 1

    def write_any(self, key, value):
        if key.startswith("@") and len(key) > 1:
            self.root.write_any(key[1:], value)
            return
        entry = self.entries.get(key)
        if entry is None:
            entry = self.make(key, value[2])
            entry.value = value
        elif entry.type in (None, "any"):
            entry.type, entry.value = "any", value
        elif value[2] != entry.type:
            raise Throw("another type")
        else:
            entry.value = value
        entry.count += 1


def fitted(value, from_, to):
    if to == "bool" or (from_ in SIGNED and to in ("unsigned", "uint64")):
        raise Throw("does not fit")
    if from_ == "bool" and value[1] == 0 and to in SIGNED:
        raise Throw("does not fit")
    number = value[1]
    if to == "double":
        return ("real", float(number), to)
    if number != int(number) or (to in UNSIGNED and number < 0):
        raise Throw("does not fit")
    return ("whole", int(number), to)


def put(entry, value):
    """The kind that is there stays."""
    if entry.value is None:
        entry.value = value
        return
    kind, _, made_as = entry.value
    if kind == "text" or value[0] == "text":
        if kind != value[0]:
            raise Throw("a text is no number")
        entry.value = (kind, value[1], made_as)
    elif kind == "real":
        entry.value = (kind, float(value[1]), made_as)
    else:
        if value[1] != int(value[1]):
            raise Throw("not whole")
        entry.value = (kind, int(value[1]), made_as)


# ---- Scripts: ("number", 1), ("real", 2.5), ("text", "a"), ("name", "k"), ("not", x), ("minus", x), (operator, x, y),
# ("if", x, y, z), (":=", "k", x) and the other assignments; a script is a list of them

def truth(value):
    kind, number, _ = value
    if kind == "text" or number < 0 or (kind == "whole" and number not in (0, 1)):
        raise Throw("no truth")
    return number > 0


def real(number):
    return ("real", float(number), "double")


def joined_text(value):
    return value[1] if value[0] == "text" else str(value[1]) if value[0] == "whole" else f"{value[1]:.6f}"


def compared(operator, left, right):
    if left[0] == "text" and right[0] == "text":
        a, b, equal = left[1], right[1], left[1] == right[1]
    else:
        a, b = (
            {"true": 1.0, "false": 0.0}[side[1]] if side[0] == "text" and side[1] in ("true", "false")
            else as_number_text(side[1]) if side[0] == "text" else number_of(side) for side in (left, right))
        equal = abs(a - b) <= 2.0 ** -23
    return {"==": equal, "!=": not equal, "<": a < b, ">": a > b, "<=": a <= b, ">=": a >= b}[operator]


def calculated(operator, left, right):
    if operator == ".." or (operator == "+" and left[0] == right[0] == "text"):
        if "text" not in (left[0], right[0]):
            raise Throw("no text")
        return ("text", joined_text(left) + joined_text(right), "text")
    if operator in ("&&", "||"):
        a, b = truth(left), truth(right)
        return real((a and b) if operator == "&&" else (a or b))
    if "text" in (left[0], right[0]):
        raise Throw("a text is no number")
    a, b = number_of(left), number_of(right)
    if operator in ("&", "|"):
        if a != int(a) or b != int(b):
            raise Throw("not whole")
        return real(int(a) & int(b) if operator == "&" else int(a) | int(b))
    if operator == "/":
        return real(a / b if b else math.nan if a == 0 or a != a else math.copysign(math.inf, a))
    return real({"+": a + b, "-": a - b, "*": a * b}[operator])


def assigned(board, operator, key, value):
    entry = board.find(key)
    if entry is None:
        if operator != ":=":
            raise Throw("no entry")
        entry = board.make(key, None)
    if operator not in (":=", "="):
        if entry.value is None:
            raise Throw("no value")
        value = calculated(operator[0], entry.value, value)
    if entry.value is None:
        if value[0] == "text" and entry.type not in (None, "text"):
            value = from_text(value[1], entry.type)
        entry.value = value
    elif value[0] == "text" and entry.value[0] != "text":
        put(entry, from_text(value[1], entry.type if entry.type in NUMBERS else "double"))
    else:
        put(entry, value)
    entry.count += 1
    return entry.value


def evaluate(board, script):
    kind = script[0]
    if kind == "number":
        return ("whole", script[1], "int64")
    if kind == "real":
        return real(script[1])
    if kind == "text":
        return ("text", script[1], "text")
    if kind == "name":
        entry = board.find(script[1])
        if entry is None:
            raise Throw("no entry")
        if entry.value is None:
            raise Throw("no value")
        return entry.value
    if kind in (":=", "=", "+=", "-=", "*="):
        return assigned(board, kind, script[1], evaluate(board, script[2]))
    if kind == "if":
        condition = evaluate(board, script[1])
        if condition == ("text", "", "text"):
            raise Throw("no truth")
        return evaluate(board, script[2 if condition[1] not in (0, "") else 3])
    if kind in ("not", "minus"):
        value = evaluate(board, script[1])
        if value[0] == "text":
            raise Throw("no number")
        return real(value[1] == 0) if kind == "not" else real(-value[1])
    left, right = evaluate(board, script[1]), evaluate(board, script[2])
    if kind in ("==", "!=", "<", ">", "<=", ">="):
        return real(compared(kind, left, right))
    return calculated(kind, left, right)


def run_script(board, script):
    value = None
    for statement in script:
        value = evaluate(board, statement)
    return value
