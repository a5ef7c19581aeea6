#!/usr/bin/env python3
"""The views of a natvis file as C++: natvis.py FILE HEADER

Each <Type> becomes a struct View_TYPE, derived from the type, whose show() writes what Visual Studio would: the display
string, and then an indented line for each item. The header is compiled with the runtime's headers, so every type, member
and expression of the file exists, and tests/debugger/natvis.cpp runs it.
"""
import re
import sys
import xml.etree.ElementTree


def expression(text):
    """Without the format specifier: texts are `char` pointers, and are shown as such."""
    return re.sub(r",\s*(s8|d|x)$", "", text.strip()).replace("$i", "i")


def display(text):
    """Statements that write a text with expressions in {}."""
    return " ".join(f"write({expression(piece)});" if i % 2 else f'text("{piece}");'
                    for i, piece in enumerate(re.split(r"[{}]", text.strip())) if piece)


def item(name, value, depth):
    return f'indent({depth}); {display(name)} text(": "); write({expression(value)}); text("\\n");'


def expand(element, depth):
    for node in element:
        text = node.text or ""
        lines = []
        if node.tag == "Item":
            lines.append(item(node.get("Name"), text, depth))
        elif node.tag == "Synthetic":
            lines.append(f'indent({depth}); {display(node.get("Name"))} text("\\n");')
            lines += expand(node.find("Expand"), depth + 1)
        elif node.tag in ("IndexListItems", "ArrayItems"):
            value = node.find("ValueNode")
            one = value.text if value is not None else f"({node.find('ValuePointer').text})[$i]"
            lines.append(f"for (unsigned int i = 0; i < ({expression(node.find('Size').text)}); ++i) {{")
            lines += [item("[{i}]", one, depth), "}"]
        elif node.tag == "CustomListItems":
            lines.append("{")
            lines += [f"unsigned int {each.get('Name')} = {expression(each.get('InitialValue'))}; (void)"
                      f"({expression(node.find('Size').text)});" for each in node.findall("Variable")]
            loop = node.find("Loop")
            lines.append(f"while ({expression(loop.get('Condition'))}) {{")
            for each in loop:
                lines.append(item(each.get("Name"), each.text, depth) if each.tag == "Item" else f"{each.text};")
            lines += ["}", "}"]
        else:
            sys.exit(f"natvis.py does not know the element '{node.tag}'")
        if node.get("Condition"):
            lines = [f"if ({expression(node.get('Condition'))}) {{", *lines, "}"]
        yield from lines


def view(element):
    name = element.get("Name")
    yield f"struct View_{name} : {name}, Views {{"
    yield f"explicit View_{name}(const {name}& shown) : {name}(shown) {{}}"
    for each in element.findall("Intrinsic"):
        yield f"auto {each.get('Name')}() const {{ return {expression(each.get('Expression'))}; }}"
    yield "void show() const {"
    branches = []
    for each in element.findall("DisplayString"):
        condition = each.get("Condition")
        branches.append((f"if ({expression(condition)}) " if condition else "") + f"{{ {display(each.text)} }}")
    yield " else ".join(branches)
    yield 'text("\\n");'
    conditions = [each.get("Condition") for each in element.findall("DisplayString") if each.get("Condition")]
    for condition in conditions:
        yield f"if ({expression(condition)}) return;"
    if element.find("Expand") is not None:
        yield from expand(element.find("Expand"), 1)
    yield "}"
    yield "};"


def main():
    root = xml.etree.ElementTree.parse(sys.argv[1]).getroot()
    space = "{" + root.tag[1:].split("}")[0] + "}"
    for each in root.iter():
        if isinstance(each.tag, str):
            each.tag = each.tag.replace(space, "")
    with open(sys.argv[2], "w", encoding="utf-8") as header:
        for each in root.findall("Type"):
            header.write("\n".join(view(each)) + "\n")


main()
