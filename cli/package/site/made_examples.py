"""Small examples of nodes: a tree, and a trace that runs it. Of those that host files declare: what these do is the program's, so that the
trace answers for them. And of those that espalier itself runs but no conformance case is about, as another one of the row has it."""
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


def files_of(name, tree, model, *trace):
    """An example of BehaviorTree.CPP with models of its own."""
    text = (f'<root BTCPP_format="4">\n  <BehaviorTree ID="{name}Example">\n{tree}  </BehaviorTree>\n  <TreeNodesModel>\n{model}  </TreeNodesModel>\n'
            "</root>\n")
    return {f"{name}.xml": text, f"{name}.trace.jsonl": lines({"trace": 1, "tree": f"{name}Example"}, *trace)}


def switch(count):
    """The last case is chosen, and then none, which ticks the last child."""
    words = ("stand", "walk", "run", "hide", "swim", "climb")[:count]
    actions = [word.capitalize() for word in words] + ["Wait"]
    cases = "".join(f' case_{number}="{word}"' for number, word in enumerate(words, 1))
    tree = (f'    <Switch{count} variable="{{mode}}"{cases}>\n' + "".join(f"      <{action}/>\n" for action in actions) + f"    </Switch{count}>\n")
    trace = ({"set": {"mode": words[-1]}}, {"host": {actions[-2]: "running"}}, {"tick": 0.1}, {"expect": {"running": [actions[-2]]}},
             {"set": {"mode": "fly"}}, {"host": {"Wait": "running"}}, {"tick": 0.1}, {"expect": {"running": ["Wait"]}})
    return files_of(f"Switch{count}", tree, "".join(f'    <Action ID="{action}"/>\n' for action in actions), *trace)


LOOP_BOOL = files_of(
    "LoopBool", '    <LoopBool queue="true;false" value="{on}">\n      <SetLamp on="{on}"/>\n    </LoopBool>\n',
    '    <Action ID="SetLamp">\n      <input_port name="on" type="bool"/>\n    </Action>\n',
    {"host": {"SetLamp": "success"}}, {"tick": 0.1}, {"expect": {"variables": {"on": True}, "status": "running"}},
    {"tick": 0.1}, {"expect": {"variables": {"on": False}, "status": "running"}}, {"tick": 0.1}, {"expect": {"status": "success"}})
INOUT_PORT = files_of(
    "inout_port", '    <Sequence>\n      <Script code="count := 1"/>\n      <Increment number="{count}"/>\n    </Sequence>\n',
    '    <Action ID="Increment">\n      <inout_port name="number" type="int">What is increased by one</inout_port>\n    </Action>\n',
    {"host": {"Increment": {"answer": "success", "out": {"number": 2}}}}, {"tick": 0.1}, {"expect": {"variables": {"count": 2}, "status": "success"}})
OF_ESPALIER = {("btcpp", f"Switch{count}"): switch(count) for count in (4, 5, 6)} | {("btcpp", "LoopBool"): LOOP_BOOL, ("btcpp", "inout_port"): INOUT_PORT}
MAKERS = {"btcpp": of_btcpp, "modular": of_modular}
