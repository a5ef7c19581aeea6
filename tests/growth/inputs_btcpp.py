"""Inputs that grow: files and trees of BehaviorTree.CPP. See inputs.py."""
from inputs import attributes, btc, btc_tree, case, compile_, each, lint, misspelt, name, seq


def files(n, form):
    return {f"file{i:06}.xml": form(i) for i in range(n)}


def use(tree, more=""):
    return f'<SubTree ID="{tree}" {more}/>'


def action(node, ports=""):
    return f'<Action ID="{node}">{ports}</Action>'


def models(text):
    return f"<TreeNodesModel>{text}</TreeNodesModel>"


def script(code):
    return btc(f'<Script code="{code}"/>')


MAIN = 'main_tree_to_execute="Main"'

BTCPP = {
    # ---- Files
    "files that name a main tree": lambda n: files(n, lambda i: btc("<AlwaysSuccess/>", f"Tree{i}", "", f'main_tree_to_execute="Tree{i}"')),
    "files of programs with one name": lambda n: files(n, lambda i: btc("<AlwaysSuccess/>", "Main", "", MAIN)),
    "files with a tree of one name each, one after the other": lambda n: files(n, lambda i: btc("<AlwaysSuccess/>", "Common", btc_tree(f"Tree{i}", use("Common")))),
    "programs that take one file": lambda n: files(n, lambda i: btc(use("Common"), "Main", "", MAIN)) | {"common.xml": btc("<AlwaysSuccess/>", "Common", btc_tree("Main", "<AlwaysSuccess/>"))},
    "files that use the next one": lambda n: files(n, lambda i: btc(use(f"Tree{i + 1}") if i % 50 < 49 else "<AlwaysSuccess/>", f"Tree{i}")),
    "files that include one": lambda n: files(n, lambda i: btc(use("Common"), f"Tree{i}", '<include path="common.xml"/>')) | {"common.xml": btc("<AlwaysSuccess/>", "Common")},
    "files that one includes": lambda n: files(n, lambda i: btc("<AlwaysSuccess/>", f"Tree{i}")) | {"all.xml": btc(seq(each(n, use("Tree{}"))), "All", each(n, lambda i: f'<include path="file{i:06}.xml"/>'))},
    "files in a cycle of includes": lambda n: files(n, lambda i: btc("<AlwaysSuccess/>", f"Tree{i}", f'<include path="file{(i + 1) % n:06}.xml"/>')),
    "files with models": lambda n: files(n, lambda i: btc(f"<Act{i}/>", f"Tree{i}", models(action(f"Act{i}")))),
    "files with the same models": lambda n: files(n, lambda i: btc("<Act/>", f"Tree{i}", models(action("Act", '<input_port name="x" default="1"/>')))),
    "packages with files": lambda n: {f"robot{i}/{name_}": text for i in range(n) for name_, text in (("package.xml", "<package/>"), ("main.xml", btc("<AlwaysSuccess/>", "Main", "", MAIN)))},
    "files of format 3": lambda n: files(n, lambda i: btc("<AlwaysSuccess/>", f"Tree{i}").replace('"4"', '"3"').replace("AlwaysSuccess", "SequenceStar")),
    # ---- Trees and subtrees
    "trees": lambda n: btc("<AlwaysSuccess/>", more=each(n, lambda i: btc_tree(f"Tree{i}", "<AlwaysSuccess/>"))),
    "trees that nothing uses": lambda n: btc("<AlwaysSuccess/>", "Main", each(n, lambda i: btc_tree(f"Tree{i}", "<AlwaysSuccess/>")), MAIN),
    "trees of one name": lambda n: btc("<AlwaysSuccess/>", more=each(n, lambda i: btc_tree("Tree", "<AlwaysSuccess/>"))),
    "trees in a cycle": lambda n: btc(use("Tree0"), "Main", each(n, lambda i: btc_tree(f"Tree{i}", use(f"Tree{(i + 1) % n}"))), MAIN),
    "trees that lead back to each": lambda n: btc(use("Tree0"), "Main", each(n, lambda i: btc_tree(f"Tree{i}", seq(use(f"Tree{i + 1}") + "<AlwaysSuccess/>"))) + btc_tree(f"Tree{n}", seq(each(n, use("Tree{}"))))),
    "subtrees of one tree": lambda n: btc(seq(each(n, use("Sub", 'name="s{}"'))), more=btc_tree("Sub", "<AlwaysSuccess/>")),
    "subtrees of one path": lambda n: btc(seq(each(n, use("Sub", 'name="s"'))), more=btc_tree("Sub", "<AlwaysSuccess/>")),
    "subtrees unknown": lambda n: btc(seq(each(n, use("Unknown{}")))),
    "subtrees misspelt": lambda n: btc(seq(each(n, lambda i: use(misspelt(i)))), more=each(n, lambda i: btc_tree(name(i), "<AlwaysSuccess/>"))),
    "trees used as nodes": lambda n: btc(seq(each(n, "<Sub{}/>")), more=each(n, lambda i: btc_tree(f"Sub{i}", "<AlwaysSuccess/>"))),
    # ---- Nodes
    "nodes": lambda n: btc(seq(each(n, "<AlwaysSuccess/>"))),
    "nodes nested": lambda n: btc(seq(each(n // 50, "<Inverter>" * 50 + "<AlwaysSuccess/>" + "</Inverter>" * 50))),
    "nodes of one name": lambda n: btc(seq(each(n, '<AlwaysSuccess name="same"/>'))),
    "nodes after one that always fails": lambda n: btc(seq("<AlwaysFailure/>" + each(n, "<AlwaysSuccess/>"))),
    "nodes that run below a reactive one": lambda n: btc("<ReactiveSequence>" + each(n, "<Act{}/>") + "</ReactiveSequence>"),
    "undeclared nodes": lambda n: btc(seq(each(n, "<Act{}/>"))),
    "undeclared nodes, explicit": lambda n: btc(seq(each(n, '<Action ID="Act{}"/>'))),
    "models": lambda n: btc("<AlwaysSuccess/>", more=models(each(n, lambda i: action(f"Act{i}")))),
    "models of one name": lambda n: btc("<AlwaysSuccess/>", more=models(each(n, lambda i: action("Act", f'<input_port name="x{i}"/>')))),
    "nodes misspelt": lambda n: btc(seq(each(n, lambda i: f"<{misspelt(i)}/>")), more=models(each(n, lambda i: action(name(i))))),
    "names of format 3": lambda n: btc(seq(each(n, "<SequenceStar><AlwaysSuccess/></SequenceStar>"))),
    # ---- Ports and entries
    "ports of one undeclared node": lambda n: btc("<Act " + attributes(n, 'p{}="{e{}}"') + "/>"),
    "ports of one model": lambda n: btc("<Act/>", more=models(action("Act", each(n, '<input_port name="p{}" default="1"/>')))),
    "ports of one model, given": lambda n: btc("<Act " + attributes(n, 'p{}="{e{}}"') + "/>", more=models(action("Act", each(n, '<inout_port name="p{}" type="int"/>')))),
    "ports of one model, missing": lambda n: btc("<Act/>", more=models(action("Act", each(n, '<input_port name="p{}"/>')))),
    "ports misspelt": lambda n: btc("<Act " + " ".join(f'{misspelt(i)}="1"' for i in range(n)) + "/>", more=models(action("Act", each(n, lambda i: f'<input_port name="{name(i)}" default="1"/>')))),
    "entries of one tree": lambda n: btc(seq(each(n, '<SetBlackboard value="1" output_key="e{}"/><Script code="e{} = 2"/>'))),
    "types of one entry": lambda n: btc(seq(each(n, '<ActA x="{e}"/><ActB x="{e}"/>')), more=models(action("ActA", '<input_port name="x" type="int"/>') + action("ActB", '<input_port name="x" type="bool"/>'))),
    "entries of one subtree": lambda n: btc(use("Sub", attributes(n, 'p{}="{e{}}"')), more=btc_tree("Sub", seq(each(n, '<Script code="p{} := 1"/>')))),
    "entries of one subtree, not connected": lambda n: btc(use("Sub"), more=btc_tree("Sub", seq(each(n, '<ScriptCondition code="p{} == 1"/>')))),
    "ports of one subtree, unused": lambda n: btc(use("Sub", attributes(n, 'p{}="1"')), more=btc_tree("Sub", "<AlwaysSuccess/>")),
    "ports of a subtree's model": lambda n: btc(use("Sub"), more=btc_tree("Sub", "<AlwaysSuccess/>") + models('<SubTree ID="Sub">' + each(n, '<input_port name="p{}"/>') + "</SubTree>")),
    "subtrees with autoremap": lambda n: btc(seq(each(n, use("Sub", 'name="s{}" _autoremap="true"'))), more=btc_tree("Sub", '<Script code="a := 1"/>')),
    # ---- Scripts
    "statements of one script": lambda n: script(each(n, "a{} := {};")),
    "statements without ends": lambda n: script(each(n, "a{} := {}")),
    "parentheses side by side": lambda n: script("a := " + " + ".join(["(1)"] * n)),
    "parentheses nested": lambda n: script("a := " + " + ".join(["(" * 50 + "1" + ")" * 50] * max(1, n // 50))),
    "terms of one condition": lambda n: btc('<AlwaysSuccess _skipIf="' + " || ".join(f"a{i} == {i}" for i in range(n)) + '"/>'),
    "bytes of one text": lambda n: script("a := '" + "x" * 20 * n + "'"),
    "conditions of nodes": lambda n: btc(seq(each(n, """<AlwaysSuccess _skipIf="a{} == 1" _onSuccess="b{} := 1" _post="c{} := 'x'"/>"""))),
    "conditions that are always true": lambda n: btc(seq(each(n, '<AlwaysSuccess _skipIf="1 == 1"/>'))),
    "raw characters": lambda n: btc(seq(each(n, '<AlwaysSuccess _skipIf="a && b"/>'))),
}
for name_, make_ in BTCPP.items():
    case(f"btcpp: {name_}", 60000)(lambda n, dice, make=make_: lint(make(n)))
for name_ in ("files that use the next one", "files with models", "trees", "subtrees of one tree", "nodes", "nodes nested", "models",
              "ports of one undeclared node", "ports of one model, given", "entries of one tree", "entries of one subtree",
              "statements of one script", "conditions of nodes"):
    case(f"btcpp compiled: {name_}", 60000)(lambda n, dice, make=BTCPP[name_]: compile_(make(n)))


@case("btcpp, declared: nodes")
def _(n, dice):
    nodes = ", ".join(f'"Act{i}": {{"kind": "action", "ports": {{"x": {{"direction": "input", "type": "int"}}}}}}' for i in range(n))
    return lint({"a.xml": btc(seq(each(n, '<Act{} x="{}"/>'))), "espalier.json": f'{{"btcpp": {{"nodes": {{{nodes}}}}}}}'})


@case("btcpp, declared: entries")
def _(n, dice):
    entries = ", ".join(f'"{name(i)}"' for i in range(n))
    return lint({"a.xml": btc(seq(each(n, lambda i: f'<ScriptCondition code="{misspelt(i)} == 1"/>'))),
                 "espalier.json": f'{{"btcpp": {{"entries": [{entries}]}}}}'})


@case("btcpp, declared: trees that are elsewhere")
def _(n, dice):
    trees = ", ".join(f'"Core{i}"' for i in range(n))
    return lint({"a.xml": btc(seq(each(n, '<SubTree ID="Core{}"/>'))), "espalier.json": f'{{"btcpp": {{"trees": [{trees}]}}}}'})


@case("btcpp, migrated: files")
def _(n, dice):
    old = btc(seq("<SequenceStar><AlwaysSuccess/></SequenceStar>")).replace('BTCPP_format="4"', "")
    return {f"file{i}.xml": old for i in range(n)}, ["fmt", "--migrate", "btcpp3", "--check", "."]


@case("btcpp, covered: files with tests")
def _(n, dice):
    return files(n // 5, lambda i: btc(seq(f"<Go{i}/><Look{i}/>"), f"Tree{i}")), ["cover", ".", "-o", "traces", "--budget", "200", "-j", "1"]
