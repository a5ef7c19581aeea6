#!/usr/bin/env python3
"""Generates the trees of the benchmarks, always the same ones: as XML, and as the C++ that one would write by hand.

usage: generate_trees.py OUTPUT.cpp

Shapes: `nested` trees have groups of up to 8, guards of 1 or 2 terms over leaves of 1 to 3 terms, and a last child in each group that
always holds, like trees in the field; `deep` trees are one list of conjunctions of four variables, so that every leaf can be reached.
(A flat list of random conditions of 1 to 4 terms would have few reachable leaves, however long it is.) `machines` is a nested tree in
which every other group but the last is a state machine of 4 states with 2 leaves and 2 transitions each.

The tree that ticks has sequences and selectors of mostly 2 to 5 children. Its leaves are calls of one of 8 functions, the first four of
which succeed and the others fail, such that every node is visited in every update.
"""

import itertools
import random
import sys

GROUP_SIZE = 8
SHAPES = [("nested", 64, 32), ("nested", 1000, 64), ("deep", 64, 32), ("deep", 1000, 64), ("machines", 64, 32)]


def make_condition(dice, variables, term_count):
    """(operator, [(variable, wanted value)]) with different variables."""
    terms = [(v, dice.random() >= 0.3) for v in dice.sample(range(variables), term_count)]
    return ("or" if term_count > 1 and dice.random() < 0.25 else "and", terms)


def make_group(dice, variables, leaf_count):
    """A list of (condition or None, number of a leaf's place or a list): the children of a priority."""
    children = []
    if leaf_count <= GROUP_SIZE:
        for _ in range(leaf_count):
            children.append((make_condition(dice, variables, dice.randint(1, 3)), None))
    else:
        share, rest = divmod(leaf_count, GROUP_SIZE)
        for i in range(GROUP_SIZE):
            guard = make_condition(dice, variables, dice.randint(1, 2))
            children.append((guard, make_group(dice, variables, share + (1 if i < rest else 0))))
    children[-1] = (None, children[-1][1])
    return children


class Machine:
    """`number` of the tree's machines; a state is ([(condition, number of the target)], children)."""

    def __init__(self, dice, variables, number):
        self.number = number
        self.states = []
        for state in range(4):
            targets = dice.sample([other for other in range(4) if other != state], 2)
            transitions = [(make_condition(dice, variables, dice.randint(1, 2)), target) for target in targets]
            self.states.append((transitions, make_group(dice, variables, 2)))


def make_machines(dice, variables):
    children = make_group(dice, variables, 64)
    for number, place in enumerate((1, 3, 5)):
        children[place] = (children[place][0], Machine(dice, variables, number))
    return children


def make_tree(shape, leaf_count, variables):
    dice = random.Random(f"{shape} {leaf_count}")
    if shape == "nested":
        return make_group(dice, variables, leaf_count)
    if shape == "machines":
        return make_machines(dice, variables)
    deep = [(("and", [(v, True) for v in dice.sample(range(variables), 4)]), None) for _ in range(leaf_count - 1)]
    return deep + [(None, None)]


def xml_condition(condition):
    operator, terms = condition
    return f" {operator} ".join(("" if wanted else "!") + f"v{v}" for v, wanted in terms)


def xml_children(children, indent, leaves, lines):
    for condition, below in children:
        attribute = f' condition="{xml_condition(condition)}"' if condition else ""
        if below is None:
            lines.append(f'{indent}<Leaf name="Leaf{next(leaves)}"{attribute}/>')
        elif isinstance(below, Machine):
            lines.append(f'{indent}<StateMachine name="Machine"{attribute}>')
            for number, (transitions, inside) in enumerate(below.states):
                lines.append(f'{indent}  <State name="S{number}">')
                lines += [f'{indent}    <Transition state="S{target}" condition="{xml_condition(each)}"/>' for each, target in transitions]
                lines.append(f'{indent}    <Priority name="Inside">')
                xml_children(inside, indent + "      ", leaves, lines)
                lines += [f"{indent}    </Priority>", f"{indent}  </State>"]
            lines.append(f"{indent}</StateMachine>")
        else:
            lines.append(f'{indent}<Priority name="Group"{attribute}>')
            xml_children(below, indent + "  ", leaves, lines)
            lines.append(f"{indent}</Priority>")


def xml_of(name, variables, tree):
    lines = [f'<SelectionTree name="{name}" type="BehaviorSelectionTree">', "  <Variables>"]
    lines += [f'    <Variable name="v{v}"/>' for v in range(variables)]
    lines += ["  </Variables>", '  <Priority name="Root">']
    xml_children(tree, "    ", itertools.count(), lines)
    lines += ["  </Priority>", "</SelectionTree>"]
    return "\n".join(lines) + "\n"


def cpp_condition(condition):
    operator, terms = condition
    mask = sum(1 << v for v, _ in terms)
    all_wanted = sum(1 << v for v, wanted in terms if wanted)
    if operator == "and":
        return f"(v & {mask:#x}u) == {all_wanted:#x}u"
    return f"(v & {mask:#x}u) != {mask ^ all_wanted:#x}u"


def cpp_children(children, indent, leaves, lines):
    for condition, below in children:
        test = f"if ({cpp_condition(condition)}) " if condition else ""
        if below is None:
            lines.append(f"{indent}{test}return {next(leaves)};")
        elif isinstance(below, Machine):
            lines.append(f"{indent}{test}{{")
            cpp_machine(below, indent + "  ", leaves, lines)
            lines.append(f"{indent}}}")
        else:
            lines.append(f"{indent}{test}{{")
            cpp_children(below, indent + "  ", leaves, lines)
            lines.append(f"{indent}}}")


def cpp_machine(machine, indent, leaves, lines):
    stored = f"states[{machine.number}]"
    first = next(leaves)
    count = sum(len(children) for _, children in machine.states)
    inside = itertools.chain([first], leaves)
    lines.append(f"{indent}std::uint32_t s = leaf - {first}u < {count}u ? {stored} : 0;")
    lines.append(f"{indent}for (std::uint32_t visited = 1u << {stored};;) {{")
    for number, (transitions, _) in enumerate(machine.states):
        tests = [f"if ({cpp_condition(condition)}) s = {target}; else " for condition, target in transitions]
        lines.append(f"{indent}  {'else ' if number else ''}if (s == {number}) {{ {''.join(tests)}break; }}")
    lines.append(f"{indent}  if ((visited >> s & 1) != 0) break;")
    lines.append(f"{indent}  visited |= 1u << s;")
    lines.append(f"{indent}}}")
    lines.append(f"{indent}{stored} = static_cast<std::uint8_t>(s);")
    for number, (_, children) in enumerate(machine.states):
        lines.append(f"{indent}if (s == {number}) {{")
        cpp_children(children, indent + "  ", inside, lines)
        lines.append(f"{indent}}}")


def cpp_of(function, tree):
    lines = [f"std::uint32_t {function}(std::uint64_t v, [[maybe_unused]] std::uint32_t leaf, [[maybe_unused]] std::uint8_t* states) {{"]
    cpp_children(tree, "  ", itertools.count(), lines)
    return "\n".join(lines + ["}"]) + "\n"


def make_ticking(dice, leaf_count, depth, succeeds):
    """A number of a function, or (is a sequence, children); its result is `succeeds`, and all of it is visited."""
    if leaf_count == 1:
        return dice.randrange(4) + (0 if succeeds else 4)
    is_sequence = dice.random() < 0.5
    count = min(leaf_count, dice.choices([2, 3, 4, 5], [60, 25, 10, 5])[0] if depth < 19 else leaf_count)
    cuts = sorted(dice.sample(range(1, leaf_count), count - 1))
    shares = [end - begin for begin, end in zip([0] + cuts, cuts + [leaf_count])]
    children = [make_ticking(dice, share, depth + 1, is_sequence) for share in shares[:-1]]
    return (is_sequence, children + [make_ticking(dice, shares[-1], depth + 1, succeeds)])


def ticking_size(tree):
    return 1 if isinstance(tree, int) else 1 + sum(ticking_size(child) for child in tree[1])


def ticking_xml(tree):
    if isinstance(tree, int):
        return f"<Act{tree}/>"
    name = "Sequence" if tree[0] else "Selector"
    return f"<{name}>\n" + "\n".join(ticking_xml(child) for child in tree[1]) + f"\n</{name}>"


def ticking_cpp(tree, leaf):
    if isinstance(tree, int):
        return leaf(tree)
    return "(" + (" &&\n" if tree[0] else " ||\n").join(ticking_cpp(child, leaf) for child in tree[1]) + ")"


def ticking_tree():
    """The XML, and the same as C++: by calls through a table, and with the leaves in place."""
    tree = make_ticking(random.Random("ticking"), 620, 0, True)
    xml = f"<BehaviorTree>\n<Root>\n{ticking_xml(tree)}\n</Root>\n</BehaviorTree>\n"
    pieces = "\n".join(f'R"xml({xml[i:i + 8000]})xml"' for i in range(0, len(xml), 8000))
    return f"""
bool tick_by_calls(bool (*const leaves[8])(const unsigned char*), const unsigned char* bytes) {{
return {ticking_cpp(tree, lambda leaf: f"leaves[{leaf}](bytes + {leaf})")};
}}
bool tick_in_place(const volatile unsigned char* bytes) {{
return {ticking_cpp(tree, lambda leaf: f"bytes[{leaf}] != 0")};
}}
const TickingFloor kTickingFloor = {{{ticking_size(tree)}, {pieces},
 tick_by_calls, tick_in_place}};
"""


def main():
    parts = ["// Made by generate_trees.py.\n", '#include "floor.h"\n', "namespace {\n"]
    rows = []
    for shape, leaf_count, variables in SHAPES:
        tree = make_tree(shape, leaf_count, variables)
        name = f"{shape}-{leaf_count}"
        function = f"{shape}_{leaf_count}"
        parts.append(cpp_of(function, tree))
        text = xml_of(name, variables, tree)
        # In pieces: compilers may limit the length of one literal.
        pieces = [f'R"xml({text[i:i + 8000]})xml"' for i in range(0, len(text), 8000)]
        rows.append(f'    {{"{name}", {leaf_count}, {variables},\n' + "\n".join(pieces) + f",\n {function}}},")
    parts += ["}  // namespace\n", "const FloorTree kFloorTrees[kFloorTreeCount] = {", "\n".join(rows), "};\n", ticking_tree()]
    with open(sys.argv[1], "w", encoding="utf-8") as output:
        output.write("\n".join(parts))


if __name__ == "__main__":
    main()
