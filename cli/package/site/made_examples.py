"""Small examples of the nodes that host files declare: a tree with the node alone, and a trace that runs it. Conformance cases are about nodes
that espalier itself runs; what these do is the program's, so that a trace answers for them."""
import json
import re

ROW = re.compile(r"^\| `(\w+)` \| (.*?) \| (.*?) \| (.*) \|$", re.MULTILINE)
LITERALS = {"double": "0.5", "float": "0.5", "int": "1", "unsigned": "1", "uint16": "1", "bool": "true", "string": "text"}


def values_of_ports(table):
    """The attributes of a node of BehaviorTree.CPP, and the entries that it reads."""
    attributes, entries = {}, {}
    for port, _, otherwise, meaning in ROW.findall(table):
        direction, kind = (meaning.split(":")[0] + ",").split(",")[:2]
        if direction == "output":
            attributes[port] = f"{{{port}}}"
        elif not otherwise and ", optional" not in meaning.split(": ")[0]:
            literal = LITERALS.get(kind.strip())
            attributes[port] = literal or f"{{{port}}}"
            if literal is None:
                entries[port] = f"some {port}"
    return attributes, entries


def values_of_attributes(table):
    attributes = {}
    for name, value, otherwise, _ in ROW.findall(table):
        if otherwise in ("required", "recommended"):
            word, number = re.search(r"`([^`]+)`", value), re.search(r"from (-?\d+)|at least (-?\d+)", value)
            attributes[name] = word[1] if word else (number[1] or number[2]) if number else "1" if "number" in value else "Something"
    return attributes


def written(attributes):
    return "".join(f' {name}="{value}"' for name, value in attributes.items())


def element(name, attributes, child, table, indent):
    if "nodes (" not in table:
        return f"{indent}<{name}{written(attributes)}/>\n"
    return f"{indent}<{name}{written(attributes)}>\n{indent}  {child}\n{indent}</{name}>\n"


def lines(*objects):
    return "".join(json.dumps(one) + "\n" for one in objects)


def of_btcpp(name, table, declared):
    attributes, entries = values_of_ports(table)
    tree = (f'<root BTCPP_format="4">\n  <BehaviorTree ID="{name}Example">\n{element(name, attributes, "<AlwaysSuccess/>", table, "    ")}'
            "  </BehaviorTree>\n</root>\n")
    trace = [{"trace": 1, "tree": f"{name}Example"}] + ([{"set": entries}] if entries else [])
    status = declared.get("fromIdle", "success")
    trace += [] if declared.get("as", "sync") != "sync" else [{"host": {name: status}}]  # a control works like another one
    trace += [{"tick": 0.1}, {"expect": {"status": status}}]
    configuration = {"hostFiles": ["espalier:nav2"]} | ({"btcpp": {"entries": list(entries)}} if entries else {})
    return {"espalier.json": json.dumps(configuration) + "\n", f"{name}.xml": tree, f"{name}.trace.jsonl": lines(*trace)}


def of_modular(name, table, declared):
    wait = '<Wait duration="1"/>'
    results = declared.get("result", ["running", "success"])
    then = f"        {wait}\n" if "success" in results else ""
    answer = "success" if "nodes (" in table or ("result" in declared and then) else "running"
    tree = (f"<BehaviorTree>\n  <Root>\n    <Loop>\n      <Sequence>\n{element(name, values_of_attributes(table), wait, table, ' ' * 8)}"
            f"{then}      </Sequence>\n    </Loop>\n  </Root>\n</BehaviorTree>\n")
    trace = lines({"trace": 1, "tree": name}, {"host": {name: answer}}, {"tick": 0.1}, {"expect": {"status": "running"}})
    return {"espalier.json": '{"hostFiles": ["espalier:cryengine"]}\n', f"{name}.xml": tree, f"{name}.trace.jsonl": trace}


MAKERS = {"btcpp": of_btcpp, "modular": of_modular}
