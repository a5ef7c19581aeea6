"""Inputs that are large in one place: a list, an attribute, a document of one kind. See inputs.py."""
from inputs import (HOLDERS, SMALL, attributes, btc, btc_tree, case, compile_, deb, dec, each, lint, mod, sel, seq, syn)


# ---- Flat lists of leaves, with conditions of three of a few variables ------------------------------------------------

def flat(n, variable_count, dice):
    def leaf(i):
        literals = (("!" if dice.random() < 0.3 else "") + f"v{j}" for j in dice.sample(range(variable_count), 3))
        return f'<Leaf name="L{i}" condition="{" and ".join(literals)}"/>'
    variables = each(variable_count, '<Variable name="v{}"/>')
    return sel(f"<Variables>{variables}</Variables>", root=f'<Priority name="R">\n{each(n, leaf)}\n</Priority>')


for count_ in (16, 64):
    @case(f"selection: leaves of a flat list of {count_} variables", 10_000)
    def _(n, dice, count=count_):
        return lint(flat(n, count, dice))

    @case(f"selection compiled: leaves of a flat list of {count_} variables", 10_000)
    def _(n, dice, count=count_):
        return compile_(flat(n, count, dice))


# ---- One long attribute ------------------------------------------------------------------------------------------------

def leaf(value, name="condition"):
    return sel('<Variables><Variable name="a"/></Variables>', root=f'<Priority name="R"><Leaf name="A" {name}="{value}"/></Priority>')


VALUES = {
    "selection, name": lambda v: sel(root=f'<Leaf name="{v}"/>'),
    "selection, condition": leaf,
    "selection, variable": lambda v: sel(f'<Variables><Variable name="{v}" default="{v}"/></Variables>'),
    "selection, signal": lambda v: sel('<Variables><Variable name="a"/></Variables>'
                                       f'<SignalVariables><Signal name="{v}" variable="{v}" value="{v}"/></SignalVariables>'),
    "selection, map": lambda v: sel(f'<LeafTranslations><Map node="{v}" target="{v}"/></LeafTranslations>'),
    "modular, host": lambda v: mod(f'<Act a="{v}"/>'),
    "modular, time": lambda v: mod(f'<Wait duration="{v}"/>'),
    "modular, message": lambda v: mod(f'<Log message="{v}"/>'),
    "modular, event": lambda v: mod(f'<SendEvent name="{v}"/>'),
    "modular, condition": lambda v: mod(f'<Priority><Case condition="{v}"><Halt/></Case></Priority>', '<Variables><Variable name="a"/></Variables>'),
    "modular, Lua": lambda v: mod(f'<ExecuteLua code="{v}"/>'),
    "dragengine, name": lambda v: deb(f'<action id="{v}" name="{v}"/>'),
    "dragengine, word": lambda v: deb(f'<sequence conditionMode="{v}"><action name="a"/></sequence>'),
    "decider, behavior": lambda v: dec(f'<Decider name="D" behavior="{v}"/>'),
    "decider, flags": lambda v: dec(f'<Decider name="D" behavior="B" flagsAll="{v}"/>', '<DecisionFlags><Flag name="a"/></DecisionFlags>'),
    "decider, decide": lambda v: dec(f'<Decider name="D" behavior="B" decide="{v}" every="{v}"/>'),
    "synchronized, name": lambda v: syn(f'<Action name="{v}"/>'),
    "synchronized, number": lambda v: syn(f'<Gate agents="{v}"><Action name="A"/></Gate>'),
    "synchronized, slot": lambda v: syn(f'<ChildTree slot="{v}" default="{v}"/>'),
    "btcpp, name": lambda v: btc(f'<AlwaysSuccess name="{v}"/>'),
    "btcpp, port": lambda v: btc(f'<Act x="{v}"/>'),
    "btcpp, script": lambda v: btc(f'<Script code="{v}"/>'),
    "btcpp, condition": lambda v: btc(f'<AlwaysSuccess _skipIf="{v}"/>'),
    "btcpp, subtree": lambda v: btc(f'<SubTree ID="{v}" x="{v}"/>'),
    "btcpp, include": lambda v: btc("<AlwaysSuccess/>", more=f'<include path="{v}"/>'),
    "btcpp, switch": lambda v: btc(f'<Switch2 variable="{{a}}" case_1="{v}" case_2="1"><AlwaysSuccess/><AlwaysSuccess/><AlwaysSuccess/></Switch2>'),
    "btcpp, queue": lambda v: btc(f'<LoopInt queue="{v}" value="{{a}}"><AlwaysSuccess/></LoopInt>'),
}
LETTERS = {"letters": "a" * 100, "words": "a " * 50, "references": "&amp;&#97;" * 10, "numbers": "1;2," * 25, "operators": "a and !a || " * 8}
for value_, make_ in VALUES.items():
    for letters_, piece_ in LETTERS.items():
        @case(f"one attribute, {letters_}: {value_}")
        def _(n, dice, make=make_, piece=piece_):
            return lint(make(piece * n))


def subtree(ports, count=1):
    return btc(seq(f'<SubTree ID="Sub" {ports}/>' * count), more=btc_tree("Sub", "<AlwaysSuccess/>"))


def model(ports):
    return f'<TreeNodesModel><Action ID="Act">{ports}</Action></TreeNodesModel>'


def signals_of_a(n):
    each_signal = each(n, '<Signal name="s{}" variable="a" value="true"/>')
    return f'<Variables><Variable name="a"/></Variables><SignalVariables>{each_signal}</SignalVariables>'


# ---- Very many of one thing -----------------------------------------------------------------------------------------------

@case("configuration: unknown keys")
def _(n, dice):
    return lint({"t.xml": SMALL["selection"][1](0), "espalier.json": "{" + ", ".join(f'"key{i}": 1' for i in range(n)) + "}"})


@case("btcpp: cases of one switch")
def _(n, dice):
    return lint(btc(f'<Switch{n} variable="{{a}}" ' + attributes(n, 'case_{}="{}"') + ">" + "<AlwaysSuccess/>" * (n + 1) + f"</Switch{n}>"))


@case("btcpp: trees in one file")
def _(n, dice):
    return lint(btc("<AlwaysSuccess/>", more=each(n, lambda i: btc_tree(f"Tree{i}", "<AlwaysSuccess/>"))))


# Each of what one element, or one section, may have very many of.
MANY = {
    "btcpp: texts of a subtree": lambda n: subtree(attributes(n, 'a{}="bcd"')),
    "btcpp: entries of a subtree": lambda n: subtree(attributes(n, 'a{}="{x{}}"')),
    "btcpp: attributes of subtrees": lambda n: subtree(attributes(1000, 'a{}="1"'), n // 1000),
    "btcpp: entries of a host": lambda n: btc("<Act " + attributes(n, 'a{}="{x{}}"') + "/>"),
    "btcpp: ports of a host and its model": lambda n: btc("<Act " + attributes(n, 'a{}="1"') + "/>", more=model(each(n, '<input_port name="a{}"/>'))),
    "btcpp: children that nobody declares": lambda n: btc(seq(each(n, "<Act{}/>"))),
    "btcpp: models of one file": lambda n: btc("<AlwaysSuccess/>", more="<TreeNodesModel>" + each(n, '<Action ID="Act{}"/>') + "</TreeNodesModel>"),
    "btcpp: statements of one script": lambda n: btc('<Script code="' + "a:=1;" * n + '"/>'),
    "modular: children that nobody declares": lambda n: mod("<Sequence>" + each(n, "<Act{}/>") + "</Sequence>"),
    "modular: texts of a host": lambda n: mod("<Act " + attributes(n, 'a{}="v{}"') + "/>"),
    "modular: signals of one variable": lambda n: mod(sections=signals_of_a(n)),
    "selection: signals of one variable": lambda n: sel(signals_of_a(n)),
    "dragengine: conditions of one list": lambda n: deb('<sequence id="1">' + each(n, "<condition>c{}</condition>") + '<action name="a" id="2"/></sequence>'),
    "decider: children of one group": lambda n: dec(each(n, '<Decider name="D{}" behavior="B"/>')),
}
for name_, make_ in MANY.items():
    @case(f"many {name_}")
    def _(n, dice, make=make_):
        return lint(make(n))


def forest(n):
    return "<SelectionTrees>" + each(n, lambda i: sel(name=f"T{i}")) + "</SelectionTrees>"


@case("graph: trees")
def _(n, dice):
    return {"t.xml": forest(n)}, ["graph", "."]


@case("merge: suites")
def _(n, dice):
    suites = "<testsuites>" + each(n, '<testsuite name="s{}" tests="1"><testcase name="a" classname="b"/></testsuite>') + "</testsuites>"
    return {"a.xml": suites, "b.xml": suites}, ["merge", "a.xml", "b.xml"]


# Each opening parenthesis may cost what an open one needs.
for name_, make_ in (("condition", leaf), ("script", lambda v: btc(f'<Script code="{v}"/>')), ("Lua", lambda v: mod(f'<ExecuteLua code="{v}"/>'))):
    @case(f"open parentheses: {name_}")
    def _(n, dice, make=make_):
        return lint(make("(" * n))


@case("replay refused: agents")
def _(n, dice):
    entries = "; ".join(f"e{i} := 'x'" for i in range(20))
    return {"t.xml": btc(f'<Script code="{entries}"/>'), "t.jsonl": f'{{"trace": 1, "tree": "Tree", "agents": {n}}}\n'}, ["replay", "t.xml", "--trace", "t.jsonl"]


# How much memory these may take: 20 times the input and 64 MiB.
MEMORY = {
    "configuration: unknown keys": 200_000, "btcpp: cases of one switch": 200_000, "btcpp: trees in one file": 1_000_000,
    "selection: trees": 1_000_000, "replay refused: agents": 9_000_000, "graph: trees": 20_000, "merge: suites": 100_000,
    "open parentheses: condition": 50_000_000, "open parentheses: script": 50_000_000, "open parentheses: Lua": 50_000_000,
    **{f"attributes unknown: {holder}": 1_000_000 for holder in HOLDERS},
    **{f"many {name}": 1_000_000 for name in MANY},
}

# More than that: a script of nothing but tokens of one character has them all at once.
MEMORY_FACTORS = {"open parentheses: Lua": 60}

# Refused before anything is taken for them.
MEMORY_STATUSES = {"replay refused: agents": (2,)}
