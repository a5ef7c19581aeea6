#!/usr/bin/env python3
"""The language server: each kind of request once, on copies of the samples: language_server.py ESPALIER

Also: malformed text, cancelling, fast typing, positions of both encodings, and messages that are no requests.
"""
import json
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

from language_client import Client

ROOT = pathlib.Path(__file__).resolve().parents[2]
EVERYTHING = {"start": {"line": 0, "character": 0}, "end": {"line": 100000, "character": 0}}


def same(actual, expected):
    assert actual == expected, f"expected {expected!r}, is {actual!r}"


def labels(client, place):
    return [item["label"] for item in client.ask("textDocument/completion", place)["items"]]


def names_of(locations):
    return sorted(location["uri"].rsplit("/", 1)[1] for location in locations)


# ---- Each takes a client of a copy of the samples' folder of its name.


def squad(client):
    """Hover, names across files, renaming, symbols, folds, colours, hints."""
    client.open("squad.xml")
    client.open("blocks.xml")
    same(client.found("squad.xml"), [])
    hover = client.ask("textDocument/hover", client.at("blocks.xml", 'condition="Under|Fire and'))["contents"]["value"]
    assert "**variable** `UnderFire`" in hover and "set by: `" in hover and "read by: `" in hover, hover
    hover = client.ask("textDocument/hover", client.at("squad.xml", "<State|Machine"))["contents"]["value"]
    assert "Takes transitions from its current state" in hover, hover
    hover = client.ask("textDocument/hover", client.at("squad.xml", 'def|ault="true"'))["contents"]["value"]
    assert "The value that every agent starts with" in hover, hover
    [found] = client.ask("textDocument/definition", client.at("blocks.xml", "Under|Fire and"))
    same((found["uri"].rsplit("/", 1)[1], client.piece("squad.xml", found["range"])), ("squad.xml", "UnderFire"))
    [found] = client.ask("textDocument/definition", client.at("squad.xml", '<Ref name="Eng|age"'))
    same((found["uri"].rsplit("/", 1)[1], client.piece("blocks.xml", found["range"])), ("blocks.xml", "Engage"))
    # A variable is used by the block of another file, and by the properties.
    references = client.ask("textDocument/references", {**client.at("squad.xml", 'name="Under|Fire"'), "context": {"includeDeclaration": True}})
    assert {"squad.xml", "blocks.xml", "squad.properties.json"} <= set(names_of(references)), names_of(references)
    assert len(client.ask("textDocument/documentHighlight", client.at("squad.xml", 'name="Under|Fire"'))) > 3
    same(client.ask("textDocument/prepareRename", client.at("squad.xml", 'name="Under|Fire"'))["placeholder"], "UnderFire")
    # Behind characters that are two units of UTF-16.
    client.replace("blocks.xml", '<Leaf name="TakeCover"', '<!-- 𝄞😀é --><Leaf name="TakeCover"')
    changes = client.ask("textDocument/rename", {**client.at("squad.xml", 'name="Under|Fire"'), "newName": "ShotAt"})["changes"]
    for uri, edits in changes.items():
        name = uri.rsplit("/", 1)[1]
        (client.folder / name).write_text(client.edited(name, edits))
        if name in client.texts:
            client.change(name, (client.folder / name).read_text())
    for name in ("squad.xml", "blocks.xml"):
        same(client.found(name), [])
        assert "UnderFire" not in client.texts[name]
    assert '"ShotAt"' in (client.folder / "squad.properties.json").read_text()
    client.open("firefight.trace.jsonl")
    same(client.found("firefight.trace.jsonl"), [])
    fault = client.fault("textDocument/rename", {**client.at("squad.xml", 'name="Shot|At"'), "newName": "InCover"})
    assert "the variable 'InCover' already exists" in fault["message"], fault
    fault = client.fault("textDocument/rename", {**client.at("squad.xml", 'name="Shot|At"'), "newName": "not a name"})
    assert "not a name that conditions can contain" in fault["message"], fault
    [tree] = client.ask("textDocument/documentSymbol", client.document("squad.xml"))
    same((tree["name"], tree["detail"], [child["name"] for child in tree["children"]][:2]), ("SelectionTree", "SquadMember", ["Variables", "SignalVariables"]))
    assert any(each["name"] == "SquadMember" for each in client.ask("workspace/symbol", {"query": "squadm"}))
    folds = client.ask("textDocument/foldingRange", client.document("squad.xml"))
    assert {"startLine": 1, "endLine": client.texts["squad.xml"].rstrip().count("\n")} in folds, folds[:3]
    kinds = client.token_kinds("blocks.xml")
    same({name: kinds[name] for name in ("ShotAt", "and", "!", "Engage")}, {"ShotAt": "variable", "and": "keyword", "!": "operator", "Engage": "class"})
    hints = client.ask("textDocument/inlayHint", {**client.document("blocks.xml"), "range": EVERYTHING})
    assert any("Shoot" in hint["label"] for hint in hints), hints


def guard(client):
    """Diagnostics, completion, lenses, traces, properties."""
    client.open("guard.xml")
    same(client.found("guard.xml"), [])
    client.replace("guard.xml", 'condition="Alerted"', 'condition="Alertd and En"')
    same(client.found("guard.xml"), ["SEL029", "SEL029"])
    same(labels(client, client.at("guard.xml", "and En|"))[:5], ["true", "false", "and", "or", "xor"])
    assert {"Alerted", "EnemyVisible"} <= set(labels(client, client.at("guard.xml", "and En|")))
    actions = client.ask("textDocument/codeAction", {**client.document("guard.xml"), "range": EVERYTHING, "context": {"diagnostics": []}})
    fix = next(action for action in actions if action["kind"] == "quickfix")
    same(fix["title"], "Replace 'Alertd' with 'Alerted'")
    client.change("guard.xml", client.edited("guard.xml", fix["edit"]["changes"][client.uri("guard.xml")]))
    same(client.found("guard.xml"), ["SEL029"])
    client.replace("guard.xml", " and En", "")
    same(client.found("guard.xml"), [])
    # While an element is typed, the rest of the file keeps its findings and its completion.
    client.replace("guard.xml", '    <Leaf name="Patrol"/>', '    <Leaf name="Patrol"/>\n    <\n    <Leaf name="X" condition="Unknown"/>')
    assert "SEL029" in client.found("guard.xml"), client.found("guard.xml")
    same(labels(client, client.at("guard.xml", "    <|\n")), ["Priority", "StateMachine", "Leaf", "Ref", "/Priority>"])
    client.replace("guard.xml", '    <\n    <Leaf name="X" condition="Unknown"/>', "    <Leaf ")
    same(labels(client, client.at("guard.xml", "<Leaf |\n")), ["name", "condition"])
    client.replace("guard.xml", "<Leaf \n", "</\n")
    ends = client.ask("textDocument/completion", client.at("guard.xml", "    </|\n"))["items"]
    same([(end["label"], end["textEdit"]["newText"]) for end in ends], [("Priority", "Priority>")])
    client.replace("guard.xml", "    </\n", "    <!-- espalier:ignore SEL024, \n")
    same(labels(client, client.at("guard.xml", "<!-- esp|")), ["espalier:ignore"])
    for place in ("ignore SEL0|", "SEL024,|"):
        codes = labels(client, client.at("guard.xml", place))
        assert "SEL028" in codes and "SEL034" not in codes and not any(code.startswith("MBT") for code in codes), codes
    for place in ("SEL024, |", "<!-- The first child |"):
        same(labels(client, client.at("guard.xml", place)), [])
    client.replace("guard.xml", "<!-- espalier:ignore SEL024, \n", '<Ref name=""/>\n')
    same(labels(client, client.at("guard.xml", '<Ref name="|"')), [])
    client.replace("guard.xml", '<Ref name=""/>\n', "\n")
    client.replace("guard.xml", 'variable="EnemyVisible" value="false"', 'variable="" value="false"')
    same(sorted(labels(client, client.at("guard.xml", 'variable="|" value'))), ["Alerted", "EnemyVisible"])
    client.replace("guard.xml", 'variable="" value="false"', 'variable="EnemyVisible" value="false"')
    same(client.found("guard.xml"), [])
    # What agents cost, and what traces reach.
    lenses = [lens["command"] for lens in client.ask("textDocument/codeLens", client.document("guard.xml"))]
    titles = [lens["title"] for lens in lenses]
    assert "8 bytes an agent" in titles and "run intruder.trace.jsonl" in titles, titles
    assert any(title.startswith("reached by ") for title in titles), titles
    run = next(lens for lens in lenses if lens["title"] == "run intruder.trace.jsonl")
    same(client.ask("workspace/executeCommand", {"command": run["command"], "arguments": run["arguments"]})["passed"], True)
    client.open("intruder.trace.jsonl")
    same(client.found("intruder.trace.jsonl"), [])
    client.replace("intruder.trace.jsonl", '{"behavior": "Attack", "variables"', '{"behavior": "Search", "variables"')
    same(client.found("intruder.trace.jsonl"), [""])
    [failed] = client.diagnostics[str(client.folder / "intruder.trace.jsonl")]
    same((failed["message"], client.piece("intruder.trace.jsonl", failed["range"])), ('behavior: expected "Search", is "Attack"', '"Search"'))
    client.replace("intruder.trace.jsonl", '{"behavior": "Search", "variables"', '{"behavior": "", "variables"')
    assert {"Attack", "Search", "Patrol"} <= set(labels(client, client.at("intruder.trace.jsonl", '{"behavior": "|", "var')))
    client.replace("intruder.trace.jsonl", '{"signal": "OnEnemySeen"}', '{"signal": ""}')
    assert {"OnEnemySeen", "OnNoise"} <= set(labels(client, client.at("intruder.trace.jsonl", '{"signal": "|"')))
    same([lens["command"]["title"] for lens in client.ask("textDocument/codeLens", client.document("intruder.trace.jsonl"))], ["run this trace"])
    client.open("guard.properties.json")
    same(client.found("guard.properties.json"), [""])  # one of the sample's properties is refuted
    assert "a noise is never ignored does not hold" in client.diagnostics[str(client.folder / "guard.properties.json")][0]["message"]
    text = client.texts["guard.properties.json"]
    never = '{"name": "never attacks", "never": {"behavior": "Attack"}}'
    client.change("guard.properties.json", json.dumps({"properties": [json.loads(never)]}))
    same(client.found("guard.properties.json"), [""])
    assert "never attacks does not hold" in client.diagnostics[str(client.folder / "guard.properties.json")][0]["message"]
    client.change("guard.properties.json", text)
    # A tree that is changed: saving it runs the open traces again.
    client.tell("textDocument/didClose", client.document("guard.properties.json"))


def modular(client):
    """Nodes of the game, espalier.json."""
    client.open("sentry.xml")
    client.open("espalier.json")
    before = client.found("sentry.xml")
    keys = json.loads(client.texts["espalier.json"])
    client.change("espalier.json", "{\n  \n}")
    assert {"hosts", "rules", "paths"} <= set(labels(client, client.at("espalier.json", "{\n  |\n}")))
    client.change("espalier.json", '{"rules": {"unknown-attribute": ""}}')
    same(labels(client, client.at("espalier.json", 'attribute": "|"}')), ["error", "warning", "note", "off"])
    client.change("espalier.json", '{"rule": 1}')
    same(client.found("espalier.json"), ["CFG002"])
    client.change("espalier.json", json.dumps(keys))
    same(client.found("espalier.json"), [])
    same(client.found("sentry.xml"), before)
    node = next(iter(keys["hosts"]))
    client.change("sentry.xml", client.texts["sentry.xml"].replace("<Root>", "<Root>\n<", 1))
    assert node in labels(client, client.at("sentry.xml", "<Root>\n<|")), node


def dragengine(client):
    client.open("watchman.debt")
    same(client.found("watchman.debt"), [])
    text = client.texts["watchman.debt"]
    path = text[text.index("<subtree"):].split(">", 1)[1].split("<", 1)[0]
    [found] = client.ask("textDocument/definition", client.at("watchman.debt", path[:-1] + "|" + path[-1]))
    same(found["uri"].rsplit("/", 1)[1], "round.debt")
    assert client.fault("textDocument/rename", {**client.at("watchman.debt", path[:-1] + "|" + path[-1]), "newName": "x"})["message"]


def deciders(client):
    client.open("creature.xml")
    same(client.found("creature.xml"), [])
    client.replace("creature.xml", "</Stimuli>", '  <Stimulus name="New"/>\n</Stimuli>')
    assert client.found("creature.xml") == ["DEC105"], client.found("creature.xml")
    text = client.texts["creature.xml"]
    policy = text[text.index('policy="'):].split('"')[1]
    place = client.at("creature.xml", f'policy="|{policy}"')
    same(labels(client, place), ["prioritizedList", "sequential", "random", "shuffle", "scored"])


def synchronized(client):
    client.open("patrol.xml")
    same(client.found("patrol.xml"), [])
    edits = client.ask("textDocument/formatting", {**client.document("patrol.xml"), "options": {"tabSize": 2, "insertSpaces": True}})
    client.change("patrol.xml", client.edited("patrol.xml", edits) if edits else client.texts["patrol.xml"])
    same(client.ask("textDocument/formatting", {**client.document("patrol.xml"), "options": {}}), [])
    same(client.found("patrol.xml"), [])


def btcpp(client):
    """Models and trees of other files, ports, scripts, lenses; a trace with its outputs."""
    for name in ("courier.xml", "go_to.xml", "low_battery.trace.jsonl"):
        client.open(name)
        same(client.found(name), [])
    [tree] = client.ask("textDocument/documentSymbol", client.document("courier.xml"))
    same([(child["name"], child["detail"]) for child in tree["children"]], [("include", ""), ("BehaviorTree", "Courier"), ("TreeNodesModel", "")])
    assert {"startLine": 4, "endLine": 22} in client.ask("textDocument/foldingRange", client.document("courier.xml"))
    kinds = client.token_kinds("courier.xml")
    same({name: kinds[name] for name in ("delivered", ":=", "true", "HandOver")},
         {"delivered": "variable", ":=": "operator", "true": "enumMember", "HandOver": "class"})
    titles = [lens["command"]["title"] for lens in client.ask("textDocument/codeLens", client.document("courier.xml"))]
    assert "run low_battery.trace.jsonl" in titles and "reached by 1 trace" in titles and "reached by 0 traces" in titles, titles
    [found] = client.ask("textDocument/definition", client.at("courier.xml", '<SubTree ID="Go|To" name="bring"'))
    same((found["uri"].rsplit("/", 1)[1], client.piece("go_to.xml", found["range"])), ("go_to.xml", "GoTo"))
    [link] = client.ask("textDocument/documentLink", client.document("courier.xml"))
    same((link["target"].rsplit("/", 1)[1], client.piece("courier.xml", link["range"])), ("go_to.xml", "go_to.xml"))
    [found] = client.ask("textDocument/definition", client.at("courier.xml", "<Take|Parcel"))
    same(client.piece("courier.xml", found["range"]), "TakeParcel")
    hover = client.ask("textDocument/hover", client.at("courier.xml", "_on|Success"))["contents"]["value"]
    assert "Runs when the node succeeded" in hover, hover
    client.replace("courier.xml", "<Charge/>", "<Charg/>\n        <")
    assert "BTC" in client.found("courier.xml")[0], client.found("courier.xml")
    place = client.at("courier.xml", "<Charg/>\n        <|")
    assert {"Charge", "HandOver", "ReactiveFallback"} <= set(labels(client, place))
    snippets = {item["label"]: item["textEdit"]["newText"] for item in client.ask("textDocument/completion", place)["items"]}
    same(snippets["FindPath"], 'FindPath target="$1"/>')
    same(snippets["FollowPath"], 'FollowPath path="$1"/>')
    client.replace("courier.xml", "<Charg/>\n        <", '<Charge _skipIf="delivered &amp;"/>')
    found = client.found("courier.xml")
    assert len(found) == 1 and found[0].startswith("BTC"), found
    client.replace("courier.xml", '<Charge _skipIf="delivered &amp;"/>', "<Charge/>")
    same(client.ask("textDocument/formatting", {**client.document("courier.xml"), "options": {}}), [])
    client.replace("low_battery.trace.jsonl", '{"expect": {"running": ["Charge"]}}', '{"expect": {"running": ["HandOver"]}}')
    assert len(client.found("low_battery.trace.jsonl")) == 1


def nav2(client):
    """Nodes of Nav2 bring the ports that they need, or their first one with its default."""
    name = "behavior_trees/drive_to.xml"
    client.open(name)
    client.found(name)
    client.replace(name, '<Spin spin_dist="1.57"/>', "<\n")
    same(client.ask("textDocument/definition", client.at(name, "<ComputePath|ToPose")), [])  # built in
    items = client.ask("textDocument/completion", client.at(name, "          <|\n"))["items"]
    snippets = {item["label"]: item["textEdit"]["newText"] for item in items}
    same(snippets["Spin"], 'Spin spin_dist="${1:1.57}"/>')
    same(snippets["Wait"].count("$"), 1)


def folders_beside(espalier, folder):
    """Trees and traces in folders beside each other, without espalier.json: lenses run the traces, a rename changes them."""
    sample = ROOT / "samples" / "guard"
    for kind, names in (("trees", ("guard.xml",)), ("traces", ("intruder.trace.jsonl", "noise.trace.jsonl"))):
        (folder / kind).mkdir(parents=True)
        for name in names:
            shutil.copy(sample / name, folder / kind)
    client = Client(espalier, folder)
    client.open("trees/guard.xml")
    same(client.found("trees/guard.xml"), [])
    titles = [lens["command"]["title"] for lens in client.ask("textDocument/codeLens", client.document("trees/guard.xml"))]
    assert {"run intruder.trace.jsonl", "run noise.trace.jsonl"} <= set(titles), titles
    edit = client.ask("textDocument/rename", {**client.at("trees/guard.xml", 'condition="Alert|ed"'), "newName": "Warned"})
    same(sorted(uri.rsplit("/", 1)[1] for uri in edit["changes"]), ["guard.xml", "intruder.trace.jsonl"])
    same(client.close(), 0)


MILL = {
    "package.xml": "<package><name>mill</name><depend>behaviortree_cpp</depend></package>",
    "src/mill.hpp": '''#include <behaviortree_cpp/bt_factory.h>

namespace mill {

class Grind : public BT::RosActionNode<Mill> {
 public:
  static BT::PortsList providedPorts() {
    return providedBasicPorts({BT::InputPort<std::string>("grain", "what is ground"), BT::InputPort<double>("speed", 0.5, "turns a second"),
                               BT::OutputPort<double>(kFlour, "kilograms")});
  }
};

inline constexpr char kFlour[] = "flour";

}  // namespace mill
''',
    "src/mill.cpp": '''#include "mill.hpp"

BT_REGISTER_NODES(factory) {
  factory.registerNodeType<mill::Grind>("Grind");
  factory.registerSimpleAction("RingBell", [](BT::TreeNode&) { return BT::NodeStatus::SUCCESS; });
}
''',
    "trees/mill.xml": '''<root BTCPP_format="4">
  <BehaviorTree ID="Mill">
    <Sequence>
      <Grind grain="rye" flour="{bag}" extra="{bag}"/>
      <Action ID="Grind" grain="{bag}" action_name="grind"/>
      <RingBell/>
      <Sweep room="hall"/>
      <Oil wheel="left"/>
    </Sequence>
  </BehaviorTree>
  <TreeNodesModel>
    <Action ID="Sweep">
      <input_port name="room" type="std::string">which room</input_port>
    </Action>
    <Action ID="Grind">
      <input_port name="extra"/>
    </Action>
  </TreeNodesModel>
</root>
'''}


def write_all(folder, files):
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def nodes_of_sources(espalier, folder):
    """From nodes and ports to their lines in C++, in espalier.json and in models; descriptions of ports."""
    write_all(folder, MILL)
    subprocess.run([espalier, "init", "--from", "src", "-q"], cwd=folder, check=True, capture_output=True)
    configuration = json.loads((folder / "espalier.json").read_text())
    configuration["btcpp"]["nodes"] = {"Oil": {"ports": {"wheel": {"direction": "input"}}}}
    (folder / "espalier.json").write_text(json.dumps(configuration, indent=2))
    client = Client(espalier, folder)
    name = "trees/mill.xml"
    client.open(name)

    def place(marked, method="definition"):
        found = client.ask(f"textDocument/{method}", client.at(name, marked))
        return [(each["uri"].removeprefix(client.folder.as_uri() + "/"), each["range"]["start"]["line"] + 1,
                 client.piece(each["uri"].removeprefix("file://"), each["range"])) for each in found]

    same(place("<Gri|nd grain"), [("src/mill.hpp", 5, "Grind")])
    same(place("<Gri|nd grain", "declaration"), [("src/mill.hpp", 5, "Grind")])
    same(place('<Action ID="Gr|ind" grain'), [("src/mill.hpp", 5, "Grind")])
    same(place("gra|in=\"rye"), [("src/mill.hpp", 8, '"grain"')])
    same(place('grain="r|ye"'), [("src/mill.hpp", 8, '"grain"')])
    same(place('gra|in="{bag}"'), [("src/mill.hpp", 8, '"grain"')])
    same(place("flo|ur="), [("src/mill.hpp", 9, 'BT::OutputPort<double>(kFlour, "kilograms")});')])
    same(place("action_|name="), [("src/mill.hpp", 5, "Grind")])  # of a base class that is elsewhere
    same(place("ex|tra="), [("trees/mill.xml", 16, "extra")])
    same(place("<Ring|Bell"), [("src/mill.cpp", 5, '"RingBell"')])
    same(place("<Swe|ep"), [("trees/mill.xml", 12, "Sweep")])
    same(place("ro|om="), [("trees/mill.xml", 13, "room")])
    [(path, _, piece)] = place("<O|il")
    same((path, piece), ("espalier.json", "Oil"))
    [(path, _, piece)] = place("whe|el=")
    same((path, piece), ("espalier.json", "wheel"))
    # The sources have been edited since.
    text = MILL["src/mill.hpp"]
    (folder / "src/mill.hpp").write_text("// Grind, \n\n\n" + text)
    same(place("<Gri|nd grain"), [("src/mill.hpp", 8, "Grind")])
    same(place("gra|in=\"rye"), [("src/mill.hpp", 11, '"grain"')])
    (folder / "src/mill.hpp").write_text("class Mill;\n" * 20)
    same(place("<Gri|nd grain"), [("trees/mill.xml", 15, "Grind")])  # the model is left
    same(place("gra|in=\"rye"), [])
    (folder / "src/mill.hpp").unlink()
    same(place("<Gri|nd grain"), [("trees/mill.xml", 15, "Grind")])
    same(place("gra|in=\"rye"), [])
    (folder / "src/mill.hpp").write_text(text)

    hover = lambda marked: client.ask("textDocument/hover", client.at(name, marked))["contents"]["value"]
    assert "input, string: what is ground" in hover("gra|in=\"rye") and "`src/mill.hpp:8`" in hover("gra|in=\"rye")
    assert "input, string: which room" in hover("ro|om="), hover("ro|om=")
    assert "input, string, optional" in hover("action_|name="), hover("action_|name=")
    for marked in ("<Gri|nd grain", '<Action ID="Gr|ind" grain'):
        text = hover(marked)
        assert "- `speed`: input, double: turns a second (default `0.5`)" in text and "`mill::Grind` in `src/mill.hpp:5`" in text, text
    client.replace(name, ' extra="{bag}"/>', " />")
    items = client.ask("textDocument/completion", client.at(name, 'flour="{bag}" |/>'))["items"]
    docs = {item["label"]: item["documentation"]["value"] for item in items}
    same(docs["speed"], "input, double: turns a second\n\nDefault: `0.5`")
    same("grain" in docs, False)
    # A finding leads to the line of C++ too.
    client.replace(name, 'flour="{bag}" />', 'flour="{bag}" speed="fast"/>')
    client.found(name)
    [finding] = [each for each in client.diagnostics[str(client.folder / name)] if "fast" in each["message"]]
    [related] = finding["relatedInformation"]
    same((related["location"]["uri"], related["location"]["range"]["start"]["line"]), (client.uri("src/mill.hpp"), 7))
    same(client.close(), 0)


PROGRAMS = {
    "dock/dock.xml": '''<root BTCPP_format="4" main_tree_to_execute="MainTree">
  <BehaviorTree ID="MainTree"><Plug name="left" socket="{where}"/></BehaviorTree>
</root>
''',
    "patrol.xml": '''<root BTCPP_format="4" main_tree_to_execute="MainTree">
  <BehaviorTree ID="MainTree"><SubTree ID="Round" at="{where}"/></BehaviorTree>
  <BehaviorTree ID="Round"><Whistle/></BehaviorTree>
</root>
''',
    "run.trace.jsonl": '''{"trace": 1, "file": "dock.xml", "tree": "MainTree"}
{"host": {"Plug:left": true}}
{"set": {"where": "north"}}
{"tick": 0.1}
{"spawn": 1, "tree": "patrol.xml: MainTree"}
'''}


def programs(espalier, folder):
    """Traces name trees of several programs with their files."""
    write_all(folder, PROGRAMS)
    client = Client(espalier, folder)
    name = "run.trace.jsonl"
    client.open("dock/dock.xml")
    client.open(name)
    same(client.found(name), [])
    header = '{"trace": 1, "file": "dock.xml", "tree": "MainTree"}'

    def offered(line, at):
        client.replace(name, client.texts[name].split("\n")[0], line)
        return labels(client, client.at(name, at))

    same(offered(header, '"file": "|dock'), ["dock/dock.xml", "patrol.xml"])
    same(offered(header, '"tree": "Main|Tree'), ["MainTree"])
    same(offered('{"trace": 1, "file": "", "tree": "Round"}', '"file": "|"'), ["patrol.xml"])
    same(offered('{"trace": 1, "file": ""}', '"file": "|"'), ["dock/dock.xml", "patrol.xml"])
    same(offered('{"trace": 1, "tree": ""', '"tree": "|"'), ["dock/dock.xml: MainTree", "patrol.xml: MainTree", "Round"])
    same(offered('{"trace": 1, "file": "patrol.xml", "tree": ""', '"tree": "|"'), ["MainTree", "Round"])
    for line in ('{"trace": 1, "tree": "dock/dock.xml: MainTree"}', '{"trace": 1, "file": "dock.xml"}', header):
        client.replace(name, client.texts[name].split("\n")[0], line)
        same(client.found(name), [])

    def place(marked):
        found = client.ask("textDocument/definition", client.at(name, marked))
        return [(each["uri"].removeprefix(client.folder.as_uri() + "/"), each["range"]["start"]["line"]) for each in found]

    same(place('"file": "do|ck.xml"'), [("dock/dock.xml", 0)])
    same(place('"tree": "Main|Tree"'), [("dock/dock.xml", 1)])
    same(place("patrol.xml: Main|Tree"), [("patrol.xml", 1)])
    hover = lambda marked: client.ask("textDocument/hover", client.at(name, marked))["contents"]["value"]
    same(hover('"file": "do|ck.xml"'), "**file** `dock/dock.xml`\n\ntrees: 'MainTree'")
    assert "**tree** `MainTree`" in hover('"tree": "Main|Tree"'), hover('"tree": "Main|Tree"')
    assert "**Plug**" in hover('"Pl|ug:left"') or "`Plug`" in hover('"Pl|ug:left"'), hover('"Pl|ug:left"')
    assert "The file of the tree" in hover('"fi|le":'), hover('"fi|le":')
    # Trees of other programs keep the name, in traces too.
    changes = client.ask("textDocument/rename", {**client.at("dock/dock.xml", 'ID="Main|Tree"'), "newName": "Docking"})["changes"]
    same(sorted(changes), [client.uri("dock/dock.xml"), client.uri(name)])
    same(client.edited("dock/dock.xml", changes[client.uri("dock/dock.xml")]).count("Docking"), 2)
    same(client.edited(name, changes[client.uri(name)]), client.texts[name].replace('"tree": "MainTree"', '"tree": "Docking"'))
    (folder / "patrol.trace.jsonl").write_text('{"trace": 1, "file": "patrol.xml", "tree": "MainTree"}\n{"set": {"where": "south"}}\n')
    changes = client.ask("textDocument/rename", {**client.at("dock/dock.xml", "{wh|ere}"), "newName": "place"})["changes"]
    same(sorted(changes), [client.uri("dock/dock.xml"), client.uri(name)])
    # Its lens is above the right tree.
    titles = lambda of: [lens["command"]["title"] for lens in client.ask("textDocument/codeLens", client.document(of))]
    client.open("patrol.xml")
    assert "run run.trace.jsonl" in titles("dock/dock.xml") and "run run.trace.jsonl" not in titles("patrol.xml"), titles("patrol.xml")
    client.replace(name, '"file": "dock.xml"', '"file": "patrol.xml"')
    assert "run run.trace.jsonl" in titles("patrol.xml") and "run run.trace.jsonl" not in titles("dock/dock.xml"), titles("dock/dock.xml")
    # A subtree is the one of its program.
    client.write("dock/parts.xml", '<root BTCPP_format="4"><BehaviorTree ID="Round"><Roll/></BehaviorTree></root>\n')
    client.replace("dock/dock.xml", "<Plug", '<Sequence><SubTree ID="Round"/><Plug')
    client.replace("dock/dock.xml", "</BehaviorTree>", "</Sequence></BehaviorTree>")
    for of, to in (("dock/dock.xml", "dock/parts.xml"), ("patrol.xml", "patrol.xml")):
        [found] = client.ask("textDocument/definition", client.at(of, '<SubTree ID="Ro|und"'))
        same(found["uri"], client.uri(to))
    same(client.close(), 0)


def watching(espalier, folder):
    """What other programs write: findings are those of `lint`, also of files that are gone."""
    version_3 = '<root main_tree_to_execute="A"><BehaviorTree ID="A"><AlwaysSuccess name="a b"/></BehaviorTree></root>\n'
    node = '<root BTCPP_format="4"><BehaviorTree ID="B"><Sequence><Go to="x"/><Go too="x"/></Sequence></BehaviorTree></root>\n'
    write_all(folder, {"robot/package.xml": "<package><depend>behaviortree_cpp_v3</depend></package>", "robot/a.xml": version_3, "robot/b.xml": node,
                       "other/c.xml": '<root BTCPP_format="4"><BehaviorTree ID="C"><Nothing/></BehaviorTree></root>\n'})
    client = Client(espalier, folder, watching={"dynamicRegistration": True, "relativePatternSupport": True})
    client.open("robot/b.xml")

    def compare(*expected):
        client.found("robot/b.xml")
        lint = subprocess.run([espalier, "lint", "--format", "json", "--no-cache", "."], cwd=folder, capture_output=True, text=True)
        findings = json.loads(lint.stdout)["findings"] if lint.stdout else []
        found = {str(client.folder / each["file"]): [] for each in findings}
        for each in findings:
            found[str(client.folder / each["file"])].append((each["line"] - 1, each["code"]))
        shown = {path: sorted((each["range"]["start"]["line"], each["code"]) for each in all) for path, all in client.diagnostics.items() if all}
        same(shown, {path: sorted(all) for path, all in found.items()})
        codes = {code for all in found.values() for _, code in all}
        assert set(expected) <= codes, (expected, codes)
        return codes

    compare()
    same(client.watchers, ["**/*.{xml,debt,btproj,json}", "**/{CMakeLists.txt,.gitignore}", "**/*.{cc,cpp,cxx,h,hh,hpp}"])
    # The version of the library: by package.xml, CMake, and the includes of C++.
    told = compare()
    client.write("robot/package.xml", "<package><depend>behaviortree_cpp</depend></package>")
    assert compare() != told
    client.write("robot/package.xml", "<package/>")
    client.write("robot/CMakeLists.txt", "find_package(behaviortree_cpp_v3)")
    same(compare(), told)
    client.write("robot/CMakeLists.txt", None)
    assert compare() != told
    client.write("robot/src/a.cpp", "#include <behaviortree_cpp_v3/bt_factory.h>\n")
    same(compare(), told)
    client.write("robot/src/a.cpp", "#include <behaviortree_cpp/bt_factory.h>\n")
    assert compare() != told
    # Models of an editor's project, a host file, the configuration.
    client.write("robot/robot.btproj", '<root><TreeNodesModel><Action ID="Go"><input_port name="to"/></Action></TreeNodesModel></root>')
    compare()
    same(names_of(client.ask("textDocument/definition", client.at("robot/b.xml", "<G|o to"))), ["robot.btproj"])
    client.write("robot/robot.btproj", None)
    client.write("espalier.json", '{"hostFiles": ["nodes.json"]}')
    compare("CFG008")
    client.write("nodes.json", '{"btcpp": {"nodes": {"Go": {"ports": {"to": {"direction": "input"}}}}}}')
    compare("BTC033")
    client.write("nodes.json", '{"btcpp": {"nodes": {"Go": {"ports": {"too": {"direction": "input"}, "to": {"direction": "input"}}}}}}')
    assert "BTC033" not in compare()
    client.write("espalier.json", None)
    compare()
    # Files that come and go, and folders that are packages now.
    client.write("robot/d.xml", '<root BTCPP_format="4"><BehaviorTree ID="D"><Inverter/></BehaviorTree></root>\n')
    compare()
    client.write("robot/d.xml", "<launch/>")
    compare()
    client.write("other/package.xml", "<package/>")
    compare()
    client.write("other/c.xml", None)
    compare()
    # One that is open and not saved, and a save.
    client.open("robot/package.xml", "<package><depend>behaviortree_cpp_v3</depend></package>")
    client.found("robot/b.xml")
    (client.folder / "robot/package.xml").write_text(client.texts["robot/package.xml"])
    compare()
    same(client.close(), 0)


def looking(espalier, folder):
    """Without watchers, files are looked at again when one is saved; outside of the editor's folders, they are watched there."""
    write_all(folder, {"trees/a.xml": '<root BTCPP_format="4"><BehaviorTree ID="A"><Go to="x"/></BehaviorTree></root>\n', "nodes.json": '{"btcpp": {"nodes": {}}}',
                       "trees/espalier.json": '{"hostFiles": ["../nodes.json"]}'})
    for options in (None, {"dynamicRegistration": True}, {"dynamicRegistration": True, "relativePatternSupport": True}):
        (folder / "nodes.json").write_text('{"btcpp": {"nodes": {"Went": {}}}}')
        client = Client(espalier, folder / "trees", watching=options)
        client.open("a.xml")
        before = client.found("a.xml")
        assert before
        outside = {each["baseUri"] for each in client.watchers if isinstance(each, dict)}
        same(outside, {folder.as_uri()} if options and "relativePatternSupport" in options else set())
        (folder / "nodes.json").write_text('{"btcpp": {"nodes": {"Go": {"ports": {"to": {"direction": "input"}}}}}}')
        client.tell("textDocument/didSave", client.document("a.xml"))
        if options:
            same(client.found("a.xml"), before)
            client.tell("workspace/didChangeWatchedFiles", {"changes": [{"uri": (folder / "nodes.json").as_uri(), "type": 2}]})
        same(client.found("a.xml"), [])
        same(client.close(), 0)


# ---- The session


def encodings(espalier, folder):
    """A name after letters that are one unit, or two, of UTF-16 and two to four bytes of UTF-8."""
    text = '<SelectionTree name="Ä𝄞" type="BehaviorSelectionTree"><Leaf name="ß𝄞ü" condition="Nothing"/></SelectionTree>'
    (folder / "tree.xml").write_text(text)
    for encoding in ("utf-16", "utf-8"):
        client = Client(espalier, folder, encodings=[encoding])
        same(client.capabilities["positionEncoding"], encoding)
        client.open("tree.xml")
        client.found("tree.xml")
        [found] = [each for each in client.diagnostics[str(client.folder / "tree.xml")] if each["code"] == "SEL018"]
        before = text[:text.index("condition=")]
        units = len(before.encode("utf-16-le")) // 2 if encoding == "utf-16" else len(before.encode())
        same(found["range"]["start"], {"line": 0, "character": units})
        # An edit after them.
        at = text.index("Nothing")
        unit = lambda place: len(text[:place].encode("utf-16-le")) // 2 if encoding == "utf-16" else len(text[:place].encode())
        client.tell("textDocument/didChange", {
            "textDocument": {"uri": client.uri("tree.xml"), "version": 2},
            "contentChanges": [{"range": {"start": {"line": 0, "character": unit(at)}, "end": {"line": 0, "character": unit(at + 7)}}, "text": "true"}]})
        edits = client.ask("textDocument/formatting", {**client.document("tree.xml"), "options": {}})
        assert 'condition="true"' in edits[0]["newText"], edits
        same(client.close(), 0)


def pages_of_rules(espalier, folder):
    """A diagnostic leads to the page of its rule, if the client can show that and the project says where pages are."""
    (folder / "tree.xml").write_text('<SelectionTree name="Guard" type="BehaviorSelectionTree"><Leaf name="Idle" condition="Seen"/></SelectionTree>')
    for site, pages in (("https://example.org/1.0.0", True), ("https://example.org/1.0.0", False), (None, True)):
        (folder / "espalier.json").write_text(json.dumps({"site": site} if site else {}))
        client = Client(espalier, folder, pages=pages)
        client.open("tree.xml")
        client.found("tree.xml")
        [found] = client.diagnostics[str(client.folder / "tree.xml")]
        same(found.get("codeDescription"), {"href": f"{site}/rules/{found['code']}.html"} if site and pages else None)
        same(client.close(), 0)


def cancelling(espalier, folder):
    """Requests that are cancelled before their turn answer so; typing meanwhile is checked once."""
    client = Client(espalier, folder)
    client.open("guard.xml")
    client.found("guard.xml")
    count = len(client.published)
    text = client.texts["guard.xml"]
    messages = b""
    asked = []
    for i in range(200):
        client.versions["guard.xml"] += 1
        document = {"uri": client.uri("guard.xml"), "version": client.versions["guard.xml"]}
        content = json.dumps({"jsonrpc": "2.0", "method": "textDocument/didChange",
                              "params": {"textDocument": document, "contentChanges": [{"text": text.replace("Alerted", f"A{i}")}]}}).encode()
        messages += b"Content-Length: %d\r\n\r\n" % len(content) + content
    for i in range(20):
        client.last_id += 1
        asked.append(client.last_id)
        for message in ({"id": client.last_id, "method": "textDocument/codeLens", "params": client.document("guard.xml")},
                        {"method": "$/cancelRequest", "params": {"id": client.last_id}}):
            content = json.dumps({"jsonrpc": "2.0", **message}).encode()
            messages += b"Content-Length: %d\r\n\r\n" % len(content) + content
    client.process.stdin.write(messages)
    client.process.stdin.flush()
    codes = [client.answer(each).get("error", {}).get("code") for each in asked]
    assert codes.count(-32800) >= 10, codes
    client.texts["guard.xml"] = text
    client.change("guard.xml", text)
    same(client.found("guard.xml"), [])
    typed = len(client.published) - count
    assert typed < 100, f"{typed} checks of 200 changes"
    same(client.close(), 0)


def odd_messages(espalier, folder):
    """What is no request, or asks for nothing that is there."""
    client = Client(espalier, folder)
    client.open("guard.xml")
    same(client.fault("textDocument/nothing", {})["code"], -32601)
    same(client.fault("textDocument/hover", {})["code"], -32602)
    same(client.fault("textDocument/hover", {"textDocument": {"uri": "untitled:1"}, "position": {"line": 0, "character": 0}})["code"], -32602)
    same(client.ask("textDocument/hover", {"textDocument": {"uri": client.uri("nothing.xml")}, "position": {"line": 9, "character": 9}}), None)
    client.send(b"{")
    deep = b"[" * 100_000 + b"]" * 100_000
    for odd in (b"[]", b"1", b'{"id": 5}', b'{"method": 5, "id": 6}', deep, b'{"id": %b, "method": "shutdown"}' % deep,
                b'{"id": 7, "method": "textDocument/hover", "params": %b}' % deep, b'{"method": "$/cancelRequest", "params": {"id": %b}}' % deep,
                b'{"id": ' + b'{"a":' * 100_000 + b"1" + b"}" * 100_001):
        client.send(odd)
    values = [None, 1, -1, 1e300, "x", [], {}, {"uri": 1}, {"line": -5, "character": 1e9}, [{"text": 1}], client.uri("guard.xml")]
    chance = random.Random(1)
    methods = [each for each in client.capabilities]
    for name in ("hover", "completion", "definition", "references", "rename", "documentSymbol", "codeAction", "codeLens", "inlayHint",
                 "formatting", "semanticTokens/full", "didOpen", "didChange", "didClose", "didSave"):
        for _ in range(10):
            keys = ["textDocument", "position", "range", "context", "newName", "contentChanges"]
            params = {key: chance.choice(values) for key in keys}
            if chance.random() < 0.7:
                params["textDocument"] = {"uri": client.uri("guard.xml"), "version": chance.choice(values), "text": chance.choice(values)}
            message = {"method": f"textDocument/{name}", "params": params}
            if not name.startswith("did"):
                client.last_id += 1
                message["id"] = client.last_id
            client.send(message)
    assert methods
    client.open("guard.xml")
    same(client.found("guard.xml"), [])
    same(client.close(), 0)


REACHING = {
    "espalier.json": '{"btcpp": {"nodes": {"IsReady": {"kind": "Condition", "result": ["success"]}, "Work": {"kind": "Action"}}}}',
    "work.xml": '''<root BTCPP_format="4">
  <BehaviorTree ID="Job">
    <Fallback>
      <Sequence>
        <Script code="n := 1"/>
        <ScriptCondition code="n == 1"/>
        <Work/>
        <Script code="done := 1"/>
      </Sequence>
      <SubTree ID="Rest"/>
    </Fallback>
  </BehaviorTree>
</root>
''',
    "rest.xml": '<root BTCPP_format="4"><BehaviorTree ID="Rest"><AlwaysSuccess/></BehaviorTree></root>\n',
    "ready.xml": '<root BTCPP_format="4"><BehaviorTree ID="Ready"><IsReady/></BehaviorTree></root>\n',
    "ready.properties.json": '{"properties": [{"name": "is always ready", "tree": "Ready", "always": {"status": "success"}}]}\n',
    "ready.trace.jsonl": '{"trace": 1, "tree": "Ready"}\n{"host": {"IsReady": "failure"}}\n{"tick": true}\n',
}


def reaching(espalier, folder):
    """How elements are reached, in hover and in lenses; a lens runs the trace; after a change of another file too."""
    for name, text in REACHING.items():
        (folder / name).write_text(text)
    client = Client(espalier, folder, refreshes=True)
    hover = lambda place: client.ask("textDocument/hover", client.at("work.xml", place))["contents"]["value"]
    lenses = lambda: {lens["range"]["start"]["line"]: lens["command"] for lens in client.ask("textDocument/codeLens", client.document("work.xml"))
                      if not lens["command"]["title"].startswith(("reached by", "run "))}
    client.open("work.xml")
    same(client.found("work.xml"), ["BTC063"])  # n is always 1
    while client.take().get("method") != "workspace/codeLens/refresh":  # explored as soon as nobody types
        pass
    shown = lenses()
    same({line: lens["title"] for line, lens in shown.items() if line != 1}, {4: "reach it in 1 step", 5: "reach it in 1 step", 6: "reach it in 1 step", 7: "reach it in 1 step", 9: "reach it in 2 steps"})
    told = client.ask("workspace/executeCommand", {key: shown[9][key] for key in ("command", "arguments")})
    assert told["passed"] and "Work" in told["message"], told
    assert "Reached in 1 step: tick" in hover("<Wo|rk/>"), hover("<Wo|rk/>")
    assert "**Always success** here" in hover("<Script|Condition"), hover("<Script|Condition")
    assert "Always" not in hover("<Wo|rk/>")
    client.replace("work.xml", "<Work/>", "<AlwaysFailure/>")
    assert "**Never reached**" in hover('<Scr|ipt code="done'), hover('<Scr|ipt code="done')
    same(lenses()[7], {"title": "never reached", "command": ""})
    client.replace("work.xml", "<AlwaysFailure/>", "<Work/>")
    assert "Reached in 1 step: tick" in hover('<Scr|ipt code="done'), hover('<Scr|ipt code="done')
    # A subtree of another file.
    client.replace("work.xml", "<Work/>", '<SubTree ID="Rest"/>')
    assert "Reached in 1 step:" in hover('<Scr|ipt code="done')
    client.open("rest.xml")
    client.replace("rest.xml", "AlwaysSuccess", "AlwaysFailure")
    assert "**Never reached**" in hover('<Scr|ipt code="done'), hover('<Scr|ipt code="done')
    # What is declared of answers is kept in proofs, and told in traces.
    client.open("ready.properties.json")
    same(client.found("ready.properties.json"), [])
    client.open("ready.trace.jsonl")
    assert client.found("ready.trace.jsonl"), "an answer that the declaration excludes is told"
    # Errors leave nothing to explore.
    client.replace("work.xml", '<Script code="n := 1"/>', '<SubTree ID="Nowhere"/>')
    assert "eached" not in hover('<Scr|ipt code="done'), hover('<Scr|ipt code="done')
    same(lenses(), {})
    same(client.close(), 0)


def shutting_down(espalier, folder):
    client = Client(espalier, folder)
    client.ask("shutdown", None)
    same(client.fault("textDocument/hover", {})["code"], -32600)
    client.tell("exit", None)
    same(client.process.wait(timeout=60), 0)
    client = Client(espalier, folder)
    client.tell("exit", None)
    same(client.process.wait(timeout=60), 1)
    client = Client(espalier, folder)
    client.process.stdin.close()
    same(client.process.wait(timeout=60), 1)


def main():
    espalier = str(pathlib.Path(sys.argv[1]).resolve())
    chosen = sys.argv[2:]
    count = 0
    for session, sample in [(squad, None), (guard, None), (modular, None), (dragengine, None), (deciders, None), (synchronized, None),
                            (btcpp, None), (nav2, None), (folders_beside, "empty"), (nodes_of_sources, "empty"), (programs, "empty"), (watching, "empty"), (looking, "empty"), (encodings, "empty"), (pages_of_rules, "empty"), (reaching, "empty"), (cancelling, "guard"), (odd_messages, "guard"), (shutting_down, "guard")]:
        if chosen and session.__name__ not in chosen:
            continue
        with tempfile.TemporaryDirectory() as place:
            folder = pathlib.Path(place).resolve() / "project"
            if sample == "empty":
                folder.mkdir()
            else:
                shutil.copytree(ROOT / "samples" / (sample or session.__name__), folder)
            if sample is None:
                client = Client(espalier, folder)
                session(client)
                same(client.close(), 0)
            else:
                session(espalier, folder)
        count += 1
    print(f"{count} sessions passed")


main()
