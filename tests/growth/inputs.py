"""Inputs that grow: each has n of one thing. For benchmarks of time and tests of operations; see growth.py.

A case is a function of the number n and a generator of random numbers. It gives the files to write, by name, and the
arguments of the program. What it writes depends on nothing else.
"""
import json

CASES = {}


def case(name, limit=None):
    """Adds a case; `limit`: the largest n that makes sense, where the format has a limit of its own."""
    def add(make):
        assert name not in CASES, name
        CASES[name] = (make, limit)
        return make
    return add


def lint(files, *options):
    return ({"input.xml": files} if isinstance(files, str) else files), ["lint", *(options or ["."])]


def compile_(files, *options):
    return ({"input.xml": files} if isinstance(files, str) else files), ["compile", ".", "-o", "out.espb", *options]


def replay(files, lines, *options):
    files = {"input.xml": files} if isinstance(files, str) else dict(files)
    trees = [name for name in files if not name.endswith(".json")]
    files["t.trace.jsonl"] = trace(lines)
    return files, ["replay", *trees, *options, "--trace", "t.trace.jsonl"]


def trace(lines):
    return "".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines)


def each(n, form):
    """The texts `form` gives for 0 to n - 1, a line each; in a string, {} stands for the number."""
    if isinstance(form, str):
        return "\n".join(form.replace("{}", str(i)) for i in range(n))
    return "\n".join(form(i) for i in range(n))


def attributes(n, form):
    return " ".join(form.replace("{}", str(i)) for i in range(n))


def nested(n, width, leaf, begin, end):
    """n leaves in elements of `width` children each."""
    items = [leaf(i) for i in range(n)]
    while len(items) > 1:
        items = [begin + "\n".join(items[i:i + width]) + end for i in range(0, len(items), width)]
    return items[0]


def permuted(n, dice):
    order = list(range(n))
    dice.shuffle(order)
    return order


def misspelt(i):
    """One letter from name i of `name`, and near no other."""
    return name(i) + "x"


def name(i):
    """Names that are far from each other: the number's digits, each three times."""
    return "n" + "".join(3 * "abcdefghij"[int(digit)] for digit in str(i))


# ---- Trees ----------------------------------------------------------------------------------------------------------

def sel(body="", name="Tree", root='<Leaf name="Idle"/>'):
    return f'<SelectionTree name="{name}" type="BehaviorSelectionTree">\n{body}\n{root}\n</SelectionTree>\n'


def mod(root='<Wait duration="1"/>', sections=""):
    return f"<BehaviorTree>\n{sections}\n<Root>\n{root}\n</Root>\n</BehaviorTree>\n"


def deb(body):
    return f"<behaviorTree>\n{body}\n</behaviorTree>\n"


def dec(group='<Decider name="D" behavior="B"/>', sections="", name="Tree", behaviors='<Behavior name="B"/>', attributes_=""):
    behaviors = f"<Behaviors>{behaviors}</Behaviors>" if behaviors else ""
    root = f'<Group name="Root" policy="prioritizedList" {attributes_}>\n{group}\n</Group>'
    return f'<DeciderTree name="{name}">\n{sections}\n{behaviors}\n{root}\n</DeciderTree>\n'


def syn(body, name="Tree", more=""):
    return f'<SynchronizedTree name="{name}"{more}>\n{body}\n</SynchronizedTree>\n'


def syn_list(body, **more):
    return syn(f"<Sequence>\n{body}\n</Sequence>", **more)


def seq(body):
    return f"<Sequence>{body}</Sequence>"


def btc(body, name="Tree", more="", attributes_=""):
    """A file of BehaviorTree.CPP with one tree, and `more` beside it."""
    return f'<root BTCPP_format="4" {attributes_}>\n{more}\n{btc_tree(name, body)}</root>\n'


def btc_tree(name, body):
    return f'<BehaviorTree ID="{name}">\n{body}\n</BehaviorTree>\n'


# A small valid tree of each dialect, named.
SMALL = {
    "selection": ("xml", lambda i: sel(f'<Variables><Variable name="V"/></Variables>'
                                       f'<SignalVariables><Signal name="On" variable="V" value="true"/></SignalVariables>',
                                       f"Tree{i}", '<Priority name="R"><Leaf name="A" condition="V"/><Leaf name="B"/></Priority>')),
    "modular": ("xml", lambda i: mod(seq(f'<Act{i % 50}/><SendEvent name="Event{i}"/><WaitForEvent name="Go"/>'))),
    "dragengine": ("debt", lambda i: deb(f'<sequence id="all"><action name="act{i}"/></sequence>')),
    "decider": ("xml", lambda i: dec(name=f"Tree{i}")),
    "synchronized": ("xml", lambda i: syn(f'<Sequence><Action name="A"/><ChildTree slot="S{i}" default="Tree{i}"/></Sequence>',
                                          f"Tree{i}")),
    "btcpp": ("xml", lambda i: btc(seq(f'<Script code="a := {i}"/><Act{i % 50} x="{{a}}"/>'), f"Tree{i}")),
}


def small_files(dialect, n, folder=""):
    ending, make = SMALL[dialect]
    return {f"{folder}file{i}.{ending}": make(i) for i in range(n)}


# An element of each dialect with attributes of its own in it, and what stands around it.
HOLDERS = {
    "selection": lambda a: sel(root=f'<Leaf name="A" {a}/>'),
    "selection, tree": lambda a: f'<SelectionTree name="T" type="BehaviorSelectionTree" {a}><Leaf name="A"/></SelectionTree>',
    "selection, map": lambda a: sel(f'<LeafTranslations {a}><Map node="A" {a}/></LeafTranslations>'),
    "modular, core": lambda a: mod(f'<Wait duration="1" {a}/>'),
    "modular, host": lambda a: mod(f"<Act {a}/>"),
    "modular, state": lambda a: mod(f'<StateMachine><State name="S" {a}><BehaviorTree><Halt/></BehaviorTree></State></StateMachine>'),
    "dragengine": lambda a: deb(f'<action name="a" {a}/>'),
    "decider": lambda a: dec(f'<Decider name="D" behavior="B" {a}/>'),
    "synchronized, gate": lambda a: syn(f'<Gate agents="1" {a}><Action name="A"/></Gate>'),
    "synchronized, action": lambda a: syn(f'<Action name="A" {a}/>'),
    "btcpp, node": lambda a: btc(f"<AlwaysSuccess {a}/>"),
    "btcpp, host": lambda a: btc(f"<Act {a}/>"),
    "btcpp, subtree": lambda a: btc(f'<SubTree ID="Sub" {a}/>', more=btc_tree("Sub", "<AlwaysSuccess/>")),
}


# ---- Files and text -------------------------------------------------------------------------------------------------

for dialect_ in SMALL:
    @case(f"files: {dialect_}")
    def _(n, dice, dialect=dialect_):
        return lint(small_files(dialect, n))

    @case(f"files compiled: {dialect_}")
    def _(n, dice, dialect=dialect_):
        return compile_(small_files(dialect, n))

    @case(f"files of one name: {dialect_}")
    def _(n, dice, dialect=dialect_):
        ending, make = SMALL[dialect]
        return lint({f"file{i}.{ending}": make(0) for i in range(n)})

    @case(f"folders: {dialect_}")
    def _(n, dice, dialect=dialect_):
        ending, make = SMALL[dialect]
        return lint({f"folder{i}/file.{ending}": make(i) for i in range(n)})


@case("files of other roots")
def _(n, dice):
    return lint({f"file{i}.xml": f"<other{i}/>" for i in range(n)} | small_files("selection", 1, "a"))


@case("files malformed")
def _(n, dice):
    return lint({f"file{i}.xml": '<SelectionTree name="a" type="BehaviorSelectionTree"><Leaf>' for i in range(n)})


@case("files as arguments")
def _(n, dice):
    files = {f"f{i}.xml": SMALL["selection"][1](i) for i in range(n)}
    return files, ["lint", *files]


@case("files with other files of trees named by rules")
def _(n, dice):
    return lint({f"sub{i}.debt": SMALL["dragengine"][1](i) for i in range(n)} |
                {"all.debt": deb("<sequence>" + each(n, '<subtree id="s{}">sub{}.debt</subtree>') + "</sequence>")})


@case("files in a chain of subtrees", 200)
def _(n, dice):
    return lint({f"sub{i}.debt": deb(f"<subtree>sub{i + 1}.debt</subtree>") for i in range(n)} |
                {f"sub{n}.debt": deb('<action name="a"/>')})


@case("files in a cycle of subtrees")
def _(n, dice):
    return lint({f"sub{i}.debt": deb(f"<subtree>sub{(i + 1) % n}.debt</subtree>") for i in range(n)})


@case("files in a chain that leads back to each")
def _(n, dice):
    files = {f"sub{i:06}.debt": deb(f"<subtree>sub{i + 1:06}.debt</subtree>") for i in range(n)}
    files[f"sub{n:06}.debt"] = deb("<sequence>" + each(n, lambda i: f"<subtree>sub{i:06}.debt</subtree>") + "</sequence>")
    return lint(files)


@case("subtrees of one file")
def _(n, dice):
    return lint({"sub.debt": deb('<action id="b" name="a"/>'),
                 "all.debt": deb("<sequence>" + each(n, '<subtree id="s{}">sub.debt</subtree>') + "</sequence>")})


@case("subtrees of files that are not there")
def _(n, dice):
    return lint(deb("<sequence>" + each(n, '<subtree>sub{}.debt</subtree>') + "</sequence>"))


@case("subtrees of files that are not there, among files")
def _(n, dice):
    return lint({f"{name(i)}.debt": deb('<action name="a"/>') for i in range(n)} |
                {"all.debt": deb("<sequence>" + each(n, lambda i: f"<subtree>{misspelt(i)}.debt</subtree>") + "</sequence>")})


@case("rules in subtrees of one file, compiled")
def _(n, dice):
    return compile_({"sub.debt": deb('<action id="b" name="a"/>'),
                     "all.debt": deb("<sequence>" + each(n, '<subtree id="s{}">sub.debt</subtree>') + "</sequence>")})


@case(".gitignore: patterns")
def _(n, dice):
    return lint(small_files("selection", 20) | {".gitignore": each(n, "/ignored{}.xml")})


@case(".gitignore: patterns and files")
def _(n, dice):
    return lint(small_files("selection", n) | {".gitignore": each(n, "ignored{}.xml")})


@case(".gitignore: patterns with wildcards and files")
def _(n, dice):
    return lint(small_files("selection", n) | {".gitignore": each(n, "ig*nored{}.xml")})


@case(".gitignore: a pattern of many stars", 300)
def _(n, dice):
    return lint({"a" * 200 + "b.xml": SMALL["selection"][1](0), "c.xml": SMALL["selection"][1](1), ".gitignore": "a*" * n + "c\n"})


@case(".gitignore: a pattern of many double stars", 300)
def _(n, dice):
    return lint({"a/" * 100 + "b.xml": SMALL["selection"][1](0), "c.xml": SMALL["selection"][1](1), ".gitignore": "**/a/" * n + "c\n"})


@case("text: bytes of one attribute")
def _(n, dice):
    return lint(sel(root=f'<Leaf name="{"a" * 20 * n}"/>'))


@case("text: references in one attribute, modular")
def _(n, dice):
    return lint(mod(f'<Log message="{"&amp;" * n}"/>'))


@case("text: references in one condition with faults")
def _(n, dice):
    return lint(sel(root='<Priority name="R"><Leaf name="A" condition="' + " and ".join(f"&#97;{i}" for i in range(n)) + '"/></Priority>'))


@case("text: bytes of an element's name")
def _(n, dice):
    return lint({"a.xml": sel(root=f'<Leaf name="a"/><{"b" * 20 * n}/>'), "b.xml": mod(f'<{"b" * 20 * n} {"c" * 20 * n}="1"/>')})


@case("text: findings on one line")
def _(n, dice):
    return lint(sel(root='<Priority name="R">' + " ".join(f'<Leaf name="a" odd{i}="1"/>' for i in range(n)) + "</Priority>"))


@case("text: findings on one line, as JSON")
def _(n, dice):
    return lint(sel(root='<Priority name="R">' + " ".join(f'<Leaf name="a" odd{i}="1"/>' for i in range(n)) + "</Priority>"),
                ".", "--format", "json")


@case("text: line breaks in attributes")
def _(n, dice):
    return lint({"a.xml": mod('<Log message="' + "\r\n" * n + '"/>'), "b.xml": mod('<Log message="' + "\r" * n + '"/>')})


for dialect_, piece_ in (("selection", lambda b: sel(root=f'<Priority name="R">{b}<Leaf name="a"/></Priority>')),
                         ("modular", lambda b: mod(seq(b + "<Halt/><Halt/>"))), ("dragengine", deb),
                         ("decider", lambda b: dec(b + '<Decider name="D" behavior="B"/>')),
                         ("synchronized", lambda b: syn_list(b + '<Action name="A"/>')),
                         ("btcpp", lambda b: btc(seq(b + "<AlwaysSuccess/>")))):
    @case(f"text between elements: {dialect_}")
    def _(n, dice, make=piece_):
        return lint(make(each(n, "text{}<!-- -->")))

    @case(f"text: references between elements: {dialect_}")
    def _(n, dice, make=piece_):
        return lint(make("&#97;" * n + "b"))

    @case(f"comments: {dialect_}")
    def _(n, dice, make=piece_):
        return lint(make(each(n, "<!-- {} -->")))

    @case(f"processing instructions and CDATA: {dialect_}")
    def _(n, dice, make=piece_):
        return lint(make(each(n, "<?a {}?><![CDATA[{}]]>")))

    @case(f"unknown elements: {dialect_}", 60000)
    def _(n, dice, make=piece_):
        return lint(make(each(n, lambda i: f"<{name(i)} a='1'><{name(i)}/></{name(i)}>")))

    @case(f"elements of other dialects: {dialect_}")
    def _(n, dice, make=piece_):
        return lint(make(each(n, "<Leaf/><Wait/><action/><Decider/><Action/><Variables/><Root/><Group/><Role/><parameter/>")))

    @case(f"empty elements nested: {dialect_}")
    def _(n, dice, make=piece_):
        width = max(1, n // 900)
        inner = "<Priority><Sequence><choice><Group><Selector>", "</Selector></Group></choice></Sequence></Priority>"
        return lint(make((inner[0] * 190 + inner[1] * 190) * width))

for holder_, make_ in HOLDERS.items():
    @case(f"attributes unknown: {holder_}")
    def _(n, dice, make=make_):
        return lint(make(attributes(n, 'odd{}="1"')))

    @case(f"attributes nearly known: {holder_}")
    def _(n, dice, make=make_):
        words = ["nam", "agent", "namee", "conditon", "duraton", "paramter", "ID", "behaviorx", "flagAll", "slots"]
        extra = [f"{word}{letter}" for word in words for letter in "abcdefghijklmnopqrstuvwxyz"]
        return lint(make(" ".join(f'{word}="1"' for word in extra[:n]) + attributes(n - len(extra), ' x{}="1"')))

    @case(f"attributes that differ in case: {holder_}", 60000)
    def _(n, dice, make=make_):
        base = "unknownattributes"
        forms = ("".join(c.upper() if i >> k & 1 else c for k, c in enumerate(base)) for i in range(n))
        return lint(make(" ".join(f'{form}="1"' for form in forms)))

    @case(f"attributes repeated in other case: {holder_}", 500)
    def _(n, dice, make=make_):
        base = "condition" if "selection" in holder_ else "_successLog"
        forms = ("".join(c.upper() if i >> k & 1 else c for k, c in enumerate(base)) for i in range(n))
        return lint(make(" ".join(f'{form}="1"' for form in dict.fromkeys(forms))))


# ---- Selection ------------------------------------------------------------------------------------------------------

def leaves(n, form='<Leaf name="L{}"/>'):
    return f'<Priority name="R">{each(n, form)}</Priority>'


def variables(n, form='<Variable name="v{}"/>'):
    return f"<Variables>{each(n, form)}</Variables>"


def signals(n, form):
    return f"<SignalVariables>{each(n, form)}</SignalVariables>"


SELECTION = {
    "leaves": lambda n, dice: sel(root=leaves(n)),
    "leaves of one name": lambda n, dice: sel(root=leaves(n, '<Leaf name="L"/>')),
    "nodes nested": lambda n, dice: sel(root=nested(n, 4, lambda i: f'<Leaf name="L{i}"/>', '<Priority name="P">', "</Priority>")),
    "leaves with conditions": lambda n, dice: sel(variables(n), root=leaves(n, '<Leaf name="L{}" condition="v{} and !v0 or (v{} xor v1)"/>')),
    "variables": lambda n, dice: sel(variables(n)),
    "variables repeated": lambda n, dice: sel(variables(n, '<Variable name="v"/>')),
    "variables that no condition can spell": lambda n, dice: sel(variables(n, '<Variable name="v-{}"/>')),
    "variables with bad defaults": lambda n, dice: sel(variables(n, '<Variable name="v{}" default="maybe"/>')),
    "variables without names": lambda n, dice: sel(variables(n, "<Variable/>")),
    "variables unknown": lambda n, dice: sel(
        variables(n, lambda i: f'<Variable name="{name(i)}"/>'), root=leaves(n, lambda i: f'<Leaf name="L{i}" condition="{misspelt(i)}"/>')),
    "variables unknown in signals": lambda n, dice: sel(
        variables(n, lambda i: f'<Variable name="{name(i)}"/>') +
        signals(n, lambda i: f'<Signal name="s{i}" variable="{misspelt(i)}" value="true"/>')),
    "signals": lambda n, dice: sel(variables(n) + signals(n, '<Signal name="s{}" variable="v{}" value="!v{}"/>')),
    "signals of one name": lambda n, dice: sel(variables(n) + signals(n, '<Signal name="s" variable="v{}" value="true"/>')),
    "signals of one variable": lambda n, dice: sel(variables(1) + signals(n, '<Signal name="s{}" variable="v0" value="true"/>')),
    "signals without a variable": lambda n, dice: sel(variables(1) + signals(n, '<Signal name="s{}" value="true"/>')),
    "sections": lambda n, dice: sel(each(n, '<Variables><Variable name="v{}"/></Variables><LeafTranslations/><SignalVariables/>')),
    "maps": lambda n, dice: sel(f'<LeafTranslations>{each(n, "<Map node=%sL{}%s target=%sT{}%s/>" % (4 * (chr(34),)))}</LeafTranslations>', root=leaves(n)),
    "maps repeated": lambda n, dice: sel(f"<LeafTranslations>{each(n, '''<Map node='L' target='T{}'/>''')}</LeafTranslations>", root=leaves(n)),
    "maps without a leaf": lambda n, dice: sel(
        f"<LeafTranslations>{each(n, lambda i: f'''<Map node='{misspelt(i)}' target='T'/>''')}</LeafTranslations>",
        root=leaves(n, lambda i: f'<Leaf name="{name(i)}"/>')),
    "maps in another case": lambda n, dice: sel(
        f"<LeafTranslations>{each(n, '''<Map node='l{}' target='T'/>''')}</LeafTranslations>", root=leaves(n)),
    "maps with paths": lambda n, dice: sel(
        f"<LeafTranslations>{each(n, '''<Map node='R:L{}' target='T'/>''')}</LeafTranslations>", root=leaves(n)),
    "maps with paths of one leaf": lambda n, dice: sel(
        f"<LeafTranslations>{each(n, '''<Map node='P{}:L' target='T'/>''')}</LeafTranslations>",
        root=leaves(n, '<Priority name="P{}"><Leaf name="L"/></Priority>')),
    "maps that fit every leaf": lambda n, dice: sel(
        f"<LeafTranslations>{each(n, lambda i: f'''<Map node='{':' * (i + 1)}L' target='T'/>''' if i < 200 else '')}</LeafTranslations>",
        root=leaves(n, '<Leaf name="L"/>')),
    "maps with paths that do not fit": lambda n, dice: sel(
        f"<LeafTranslations>{each(n, '''<Map node='P{}:L' target='T'/>''')}</LeafTranslations>",
        root=leaves(n, '<Leaf name="L"/>')),
    "maps hidden by an earlier section": lambda n, dice: sel(
        2 * f"<LeafTranslations>{each(n, '''<Map node='L{}' target='T'/>''')}</LeafTranslations>", root=leaves(n)),
    "sections of maps": lambda n, dice: sel(each(n, '<LeafTranslations><Map node="L" target="T{}"/></LeafTranslations>'), root=leaves(n, '<Leaf name="L{}"/>')),
    "sections of maps for one leaf": lambda n, dice: sel(each(n, '<LeafTranslations><Map node="L0" target="T{}"/></LeafTranslations>'), root=leaves(n)),
    "sections of empty maps": lambda n, dice: sel(each(n, '<LeafTranslations><Map node=":" target="T"/><Map/></LeafTranslations>')),
    "blocks": lambda n, dice: sel(f'<Blocks>{each(n, "<Block name=%sB{}%s><Leaf name=%sL{}%s/></Block>" % (4 * (chr(34),)))}</Blocks>',
                                  root=leaves(n, '<Ref name="B{}"/>')),
    "blocks unused": lambda n, dice: sel(f"<Blocks>{each(n, '''<Block name='B{}'><Leaf name='L'/></Block>''')}</Blocks>"),
    "blocks repeated": lambda n, dice: sel(f"<Blocks>{each(n, '''<Block name='B'><Leaf name='L'/></Block>''')}</Blocks>"),
    "blocks in a chain": lambda n, dice: sel(
        f"<Blocks>{each(n, lambda i: f'''<Block name='B{i}'><Ref name='B{i + 1}'/></Block>''')}<Block name='B{n}'><Leaf name='L'/></Block></Blocks>",
        root=leaves(1, '<Ref name="B0"/>')),
    "blocks in a chain backwards": lambda n, dice: sel(
        f"<Blocks><Block name='B0'><Leaf name='L'/></Block>{each(n, lambda i: f'''<Block name='B{i + 1}'><Ref name='B{i}'/></Block>''')}</Blocks>",
        root=leaves(1, f'<Ref name="B{n}"/>')),
    "blocks in chains": lambda n, dice: sel(
        "<Blocks>" + each(n, lambda i: f"<Block name='B{i}'><Ref name='B{i + 1}'/></Block>" if i % 20 != 19 else f"<Block name='B{i}'><Leaf name='L'/></Block>") +
        f"<Block name='B{n}'><Leaf name='L'/></Block></Blocks>", root=leaves(n, '<Ref name="B{}"/>')),
    "blocks in a cycle": lambda n, dice: sel(
        f"<Blocks>{each(n, lambda i: f'''<Block name='B{i}'><Ref name='B{(i + 1) % n}'/></Block>''')}</Blocks>",
        root=leaves(1, '<Ref name="B0"/>')),
    "blocks that refer to themselves": lambda n, dice: sel(
        f"<Blocks>{each(n, '''<Block name='B{}'><Ref name='B{}'/></Block>''')}</Blocks>", root=leaves(n, '<Ref name="B{}"/>')),
    "blocks in a chain that leads back to each": lambda n, dice: sel(
        f"<Blocks>{each(n, lambda i: f'''<Block name='B{i}'><Ref name='B{i + 1}'/></Block>''')}<Block name='B{n}'>" +
        each(n, '<Ref name="B{}"/>') + "</Block></Blocks>", root=leaves(1, '<Ref name="B0"/>')),
    "references to one block": lambda n, dice: sel("<Blocks><Block name='B'><Leaf name='L'/></Block></Blocks>", root=leaves(n, '<Ref name="B"/>')),
    "references to one block with faults": lambda n, dice: sel(
        "<Blocks><Block name='B'><Leaf name='L' odd='1' condition='a'/><Priority/></Block></Blocks>", root=leaves(n, '<Ref name="B"/>')),
    "references to one large block": lambda n, dice: sel(
        f"<Blocks><Block name='B'>{each(n, '''<Variable name='v{}'/>''')}</Block></Blocks><Variables><Ref name='B'/></Variables>"),
    "references unknown": lambda n, dice: sel(
        f"<Blocks>{each(n, lambda i: f'''<Block name='{name(i)}'><Leaf name='L'/></Block>''')}</Blocks>",
        root=leaves(n, lambda i: f'<Ref name="{misspelt(i)}"/>')),
    "references without names": lambda n, dice: sel(root=leaves(n, "<Ref/>")),
    "references with conditions": lambda n, dice: sel("<Blocks><Block name='B'><Leaf name='L'/></Block></Blocks>", root=leaves(n, '<Ref name="B" condition="true"/>')),
    "blocks outside of Blocks": lambda n, dice: sel(each(n, '<Block name="B{}"><Leaf name="L"/></Block>'), root=leaves(n, '<Ref name="B{}"/>')),
    "machines": lambda n, dice: sel(root=leaves(n, '<StateMachine name="M"><State name="S"><Leaf name="A"/></State></StateMachine>')),
    "states": lambda n, dice: sel(root=f'<StateMachine name="M">{each(n, "<State name=%sS{}%s><Leaf name=%sA%s/></State>" % (4 * (chr(34),)))}</StateMachine>'),
    "states repeated": lambda n, dice: sel(root=f'<StateMachine name="M">{each(n, "<State name=%sS%s><Leaf name=%sA%s/></State>" % (4 * (chr(34),)))}</StateMachine>'),
    "states without nodes": lambda n, dice: sel(root=f'<StateMachine name="M">{each(n, "<State/>")}</StateMachine>'),
    "transitions": lambda n, dice: sel(variables(n), root='<StateMachine name="M"><State name="S">' + each(
        n, '<Transition state="S" condition="v{}"/>') + '<Leaf name="A"/></State></StateMachine>'),
    "transitions on few variables": lambda n, dice: sel(variables(32), root='<StateMachine name="M"><State name="S">' + each(
        n, lambda i: f'<Transition state="S" condition="v{i % 32} and not v{i // 32 % 32}"/>') + '<Leaf name="A"/></State></StateMachine>'),
    "transitions to unknown states": lambda n, dice: sel(root='<StateMachine name="M"><State name="S">' + each(
        n, lambda i: f'<Transition state="{name(i)}" condition="true"/>') + '<Leaf name="A"/></State></StateMachine>'),
    "transitions and states": lambda n, dice: sel(root='<StateMachine name="M">' + each(
        n, lambda i: f'<State name="{name(i)}"><Transition state="{misspelt(i)}" condition="true"/><Leaf name="A"/></State>') + "</StateMachine>"),
    "nodes in a state": lambda n, dice: sel(root='<StateMachine name="M"><State name="S">' + each(n, '<Leaf name="A"/>') + "</State></StateMachine>"),
    "root nodes": lambda n, dice: sel(each(n, '<Leaf name="A{}"/>')),
    "leaves with children": lambda n, dice: sel(root='<Leaf name="A">' + each(n, '<Leaf name="A{}"/>') + "</Leaf>"),
    "sequences": lambda n, dice: sel(root=leaves(n, '<Sequence name="S"><Leaf name="A"/></Sequence>')),
    "nodes without names": lambda n, dice: sel(root=leaves(n, "<Leaf/>")),
    "nodes with empty names": lambda n, dice: sel(root=leaves(n, '<Leaf name=""/>')),
    "elements misspelt": lambda n, dice: sel(root=leaves(n, '<Laef name="A{}"/>')),
    "trees": lambda n, dice: "<SelectionTrees>" + each(n, lambda i: sel(name=f"T{i}")) + "</SelectionTrees>",
    "trees of one name": lambda n, dice: "<SelectionTrees>" + each(n, lambda i: sel(name="T")) + "</SelectionTrees>",
    "trees without names": lambda n, dice: "<SelectionTrees>" + each(n, "<SelectionTree/>") + "</SelectionTrees>",
    "trees with unknown references": lambda n, dice: "<SelectionTrees>" + each(
        n, lambda i: sel(name=f"T{i}", root=f"<Ref name='{name(i)}'/>")) + "</SelectionTrees>",
    "trees with blocks of their own": lambda n, dice: "<SelectionTrees>" + each(
        n, lambda i: sel(f"<Blocks><Block name='{name(i)}'><Leaf name='A'/></Block></Blocks>", f"T{i}", f"<Ref name='{misspelt(i)}'/>")) + "</SelectionTrees>",
}
for name_, make_ in SELECTION.items():
    case(f"selection: {name_}")(lambda n, dice, make=make_: lint(make(n, dice)))

for name_ in ("leaves", "nodes nested", "leaves with conditions", "variables", "signals", "signals of one name", "maps", "maps with paths of one leaf",
              "blocks", "references to one block", "machines", "transitions", "trees"):
    case(f"selection compiled: {name_}", 60000)(lambda n, dice, make=SELECTION[name_]: compile_(make(n, dice)))


@case("selection: trees with global blocks")
def _(n, dice):
    return lint({"b.xml": f"<Blocks>{each(n, '''<Block name='B{}'><Leaf name='L'/></Block>''')}</Blocks>",
                 "t.xml": "<SelectionTrees>" + each(n, lambda i: sel(name=f"T{i}", root=f"<Ref name='B{i}'/>")) + "</SelectionTrees>"})


@case("selection: trees with one global block")
def _(n, dice):
    return lint({"b.xml": "<Blocks><Block name='V'><Variable name='v'/></Block><Block name='B'><Leaf name='L' odd='1'/></Block></Blocks>",
                 "t.xml": "<SelectionTrees>" + each(
                     n, lambda i: sel("<Variables><Ref name='V'/></Variables>", f"T{i}", "<Ref name='B'/>")) + "</SelectionTrees>"})


@case("selection: trees with misspelt global blocks")
def _(n, dice):
    return lint({"b.xml": f"<Blocks>{each(n, lambda i: f'''<Block name='{name(i)}'><Leaf name='L'/></Block>''')}</Blocks>",
                 "t.xml": "<SelectionTrees>" + each(n, lambda i: sel(name=f"T{i}", root=f"<Ref name='{misspelt(i)}'/>")) + "</SelectionTrees>"})


@case("selection: global blocks of one name")
def _(n, dice):
    return lint({f"b{i}.xml": "<Blocks><Block name='B'><Leaf name='L'/></Block></Blocks>" for i in range(n)})


def condition_tree(condition):
    return sel('<Variables><Variable name="v"/></Variables>', root=f'<Priority name="R"><Leaf name="A" condition="{condition}"/></Priority>')


CONDITIONS = {
    "operators": lambda n: " and ".join(["v"] * n),
    "operators mixed": lambda n: "v" + " and v or v" * n,
    "comparisons": lambda n: " and ".join(["v == v"] * n),
    "comparisons in a row": lambda n: " == ".join(["v"] * n),
    "parentheses": lambda n: "(" * n + "v" + ")" * n,
    "parentheses unclosed": lambda n: "(" * n + "v",
    "parentheses too many": lambda n: "v" + ")" * n,
    "parentheses side by side": lambda n: " or ".join(["(v)"] * n),
    "parentheses on the left": lambda n: "(" * n + "v" + " and v)" * n,
    "nots": lambda n: "!" * n + "v",
    "nots doubled": lambda n: " and ".join(["!!v"] * n),
    "values missing": lambda n: " and ".join([""] * n),
    "unknown": lambda n: " and ".join(f"u{i}" for i in range(n)),
    "unknown and nearly known": lambda n: " and ".join(["w"] * n),
    "text after": lambda n: "v" + " v" * n,
    "operators of other languages": lambda n: "v" + " &amp;&amp; v" * n,
    "spaces": lambda n: " " * n + "v" + " " * n,
    "a long name": lambda n: "v" * n,
}
for name_, make_ in CONDITIONS.items():
    case(f"conditions: {name_}", 60000)(lambda n, dice, make=make_: lint(condition_tree(make(n))))
    case(f"conditions compiled: {name_}", 60000)(lambda n, dice, make=make_: compile_(condition_tree(make(n))))
    case(f"conditions, modular: {name_}", 60000)(lambda n, dice, make=make_: lint(mod(
        f'<Priority><Case condition="{make(n)}"><Halt/></Case><Case><Halt/></Case></Priority>', '<Variables><Variable name="v"/></Variables>')))


# ---- Modular --------------------------------------------------------------------------------------------------------

def balanced(n, leaf, width=200):
    return nested(n, width, leaf, "<Sequence>", "</Sequence>")


def mod_nodes(n, form, sections=""):
    return mod(balanced(n, form if callable(form) else lambda i: form.replace("{}", str(i))), sections)


def section(tag, n, form):
    return f"<{tag}>{each(n, form)}</{tag}>"


SIGNAL = '<Signal name="s{}" variable="v{}" value="true"/>'
STATE = '<State name="S{}"><Transitions>%s</Transitions><BehaviorTree><Halt/></BehaviorTree></State>'
MODULAR = {
    "actions": lambda n, dice: mod_nodes(n, "<Act{}/>"),
    "actions in one sequence": lambda n, dice: mod(seq(each(n, "<Act{}/>"))),
    "actions in one selector": lambda n, dice: mod(f'<Selector>{each(n, "<Act{}/>")}</Selector>'),
    "actions in one parallel": lambda n, dice: mod(f'<Parallel>{each(n, "<Act{}/>")}</Parallel>'),
    "actions with attributes": lambda n, dice: mod_nodes(n, '<Act a="1" b="true" c="x" d="1.5"/>'),
    "waits": lambda n, dice: mod_nodes(n, '<Wait duration="1"/>'),
    "parallels": lambda n, dice: mod_nodes(n, '<Parallel><Act/><Timeout duration="1"/></Parallel>'),
    "parallels of failures": lambda n, dice: mod_nodes(n, '<Parallel failureMode="all" successMode="any"><Fail/><Fail/></Parallel>'),
    "selectors that go on": lambda n, dice: mod_nodes(n, '<Selector><Wait duration="1"/><Act/></Selector>'),
    "loops": lambda n, dice: mod_nodes(n, '<Loop count="3"><Act/></Loop>'),
    "loops that never end": lambda n, dice: mod_nodes(n, '<Loop><Wait duration="1"/></Loop>'),
    "loops until success": lambda n, dice: mod_nodes(n, "<LoopUntilSuccess><Fail/></LoopUntilSuccess>"),
    "gates": lambda n, dice: mod_nodes(n, '<LimitConcurrentUsers max="1"><Act/></LimitConcurrentUsers>'),
    "scopes": lambda n, dice: mod_nodes(n, '<GroupScope name="g{}"><Act/></GroupScope>'),
    "scopes of one name": lambda n, dice: mod_nodes(n, '<GroupScope name="g"><Act/></GroupScope>'),
    "scopes nested": lambda n, dice: mod_nodes(n // 30, '<GroupScope name="g">' * 30 + "<Act/>" + "</GroupScope>" * 30),
    "decorators nested": lambda n, dice: mod_nodes(n // 30, "<SuppressFailure>" * 30 + "<Act/>" + "</SuppressFailure>" * 30),
    "decorators in failing selectors nested": lambda n, dice: mod_nodes(
        n // 25, "<Selector><Fail/>" * 25 + "<Act/>" + "</Selector>" * 25),
    "nodes never ticked": lambda n, dice: mod_nodes(n, "<Sequence><Halt/><Act/></Sequence>"),
    "nodes never ticked, nested": lambda n, dice: mod_nodes(n // 25, "<Sequence><Halt/>" * 25 + "<Act/>" + "</Sequence>" * 25),
    "events sent": lambda n, dice: mod_nodes(n, '<SendEvent name="e{}"/>'),
    "events sent and waited for": lambda n, dice: mod_nodes(n, '<Sequence><SendEvent name="e{}"/><WaitForEvent name="e{}"/></Sequence>'),
    "one event sent and waited for": lambda n, dice: mod_nodes(n, '<Sequence><SendEvent name="e"/><WaitForEvent name="e"/></Sequence>'),
    "one event sent and waited for in parallel": lambda n, dice: mod_nodes(
        n, '<Parallel><WaitForEvent name="e"/><SendEvent name="e"/></Parallel>'),
    "one event sent, then waited for in parallel": lambda n, dice: mod_nodes(
        n, '<Parallel><SendEvent name="e"/><WaitForEvent name="e"/></Parallel>'),
    "one event sent, and waited for in states": lambda n, dice: mod_nodes(
        n // 2, '<Sequence><StateMachine>' + STATE % '<Transition onEvent="e" to="S{}"/>' + STATE.replace("{}", "T{}") % '<Transition onEvent="e" to="S{}"/>' +
        '</StateMachine><SendEvent name="e"/></Sequence>'),
    "one event sent in states that wait for it": lambda n, dice: mod_nodes(
        n // 25, lambda k: "<StateMachine>" + each(
            25, lambda i: f'<State name="S{i}"><Transitions><Transition onEvent="e" to="S{(i + 1) % 25}"/></Transitions>'
                           '<BehaviorTree><Sequence><Act/><SendEvent name="e"/></Sequence></BehaviorTree></State>') + "</StateMachine>"),
    "one event signalled": lambda n, dice: mod_nodes(n, '<Sequence><Signal name="e" filter="Group"/><WaitForEvent name="e"/></Sequence>'),
    "events undeclared": lambda n, dice: mod_nodes(n, lambda i: f'<SendEvent name="{misspelt(i)}"/>',
                                                   section("Events", n, lambda i: f'<Event name="{name(i)}"/>')),
    "events declared": lambda n, dice: mod_nodes(n, lambda i: f'<WaitForEvent name="{name(i)}"/>',
                                                 section("Events", n, lambda i: f'<Event name="{name(i)}"/>')),
    "variables": lambda n, dice: mod(sections=section("Variables", n, '<Variable name="v{}"/>')),
    "variables repeated": lambda n, dice: mod(sections=section("Variables", n, '<Variable name="v"/>')),
    "variables and signals": lambda n, dice: mod(sections=section("Variables", n, '<Variable name="v{}"/>') + section("SignalVariables", n, SIGNAL)),
    "signals of unknown variables": lambda n, dice: mod(sections=section("Variables", n, lambda i: f'<Variable name="{name(i)}"/>') + section(
        "SignalVariables", n, lambda i: f'<Signal name="s{i}" variable="{misspelt(i)}" value="true"/>')),
    "signals of one name": lambda n, dice: mod(sections=section("Variables", n, '<Variable name="v{}"/>') + section(
        "SignalVariables", n, '<Signal name="s" variable="v{}" value="true"/>')),
    "conditions": lambda n, dice: mod_nodes(n, '<IfCondition condition="v{}"><Act/></IfCondition>', section("Variables", n, '<Variable name="v{}"/>')),
    "conditions of unknown variables": lambda n, dice: mod_nodes(
        n, lambda i: f'<IfCondition condition="{misspelt(i)}"><Act/></IfCondition>', section("Variables", n, lambda i: f'<Variable name="{name(i)}"/>')),
    "conditions that hold": lambda n, dice: mod_nodes(n, '<IfCondition condition="true"><AssertCondition condition="false"/></IfCondition>'),
    "timestamps": lambda n, dice: mod_nodes(n, '<IfTime since="t{}" isMoreThan="1"><Act/></IfTime>', section(
        "Timestamps", n, '<Timestamp name="t{}" setOnEvent="e{}"/>')),
    "timestamps of one event": lambda n, dice: mod_nodes(n, '<IfTime since="t{}" isMoreThan="1"><Act/></IfTime>', section(
        "Timestamps", n, '<Timestamp name="t{}" setOnEvent="e"/>')),
    "timestamps exclusive to one": lambda n, dice: mod(sections=section("Timestamps", n, '<Timestamp name="t{}" setOnEvent="e{}" exclusiveTo="t0"/>')),
    "timestamps exclusive to each other": lambda n, dice: mod(sections=section(
        "Timestamps", n, lambda i: f'<Timestamp name="t{i}" setOnEvent="e{i}" exclusiveTo="t{i ^ 1}"/>')),
    "timestamps exclusive in a ring": lambda n, dice: mod(sections=section(
        "Timestamps", n, lambda i: f'<Timestamp name="t{i}" setOnEvent="e" exclusiveTo="t{(i + 1) % n}"/>')),
    "timestamps repeated": lambda n, dice: mod(sections=section("Timestamps", n, '<Timestamp name="t" setOnEvent="e{}"/>')),
    "timestamps without names": lambda n, dice: mod(sections=section("Timestamps", n, "<Timestamp/>")),
    "timestamps unknown": lambda n, dice: mod_nodes(
        n, lambda i: f'<IfTime since="{misspelt(i)}" isMoreThan="1"><Act/></IfTime>',
        section("Timestamps", n, lambda i: f'<Timestamp name="{name(i)}" setOnEvent="e"/>')),
    "timestamps exclusive to unknown ones": lambda n, dice: mod(sections=section(
        "Timestamps", n, lambda i: f'<Timestamp name="{name(i)}" setOnEvent="e" exclusiveTo="{misspelt(i)}"/>')),
    "sections repeated": lambda n, dice: mod(sections=each(n, "<Variables/><Timestamps/><Odd/>")),
    "sections without a root": lambda n, dice: "<BehaviorTree>" + each(n, "<Sequence/><Roott/>") + "</BehaviorTree>",
    "elements in sections": lambda n, dice: mod(sections=section("Variables", n, "<Varaible/><Signal/><Odd/>") + section(
        "Timestamps", n, "<Odd/>") + section("Events", n, "<Odd/>")),
    "root nodes": lambda n, dice: mod(each(n, "<Act/>")),
    "cases": lambda n, dice: mod(f'<Priority>{each(n, "<Case condition=%sv%s><Act/></Case>" % (2 * (chr(34),)))}</Priority>',
                                 '<Variables><Variable name="v"/></Variables>'),
    "cases in priorities": lambda n, dice: mod_nodes(
        n // 25, lambda k: f'<Priority>{each(25, lambda i: f"""<Case condition="v{i % 13} and !v{(i + k) % 13}"><Act/></Case>""")}</Priority>',
        section("Variables", 13, '<Variable name="v{}"/>')),
    "cases of many variables": lambda n, dice: mod_nodes(
        n // 25, lambda k: f'<Priority>{each(25, lambda i: f"""<Case condition="v{k * 25 + i}"><Act/></Case>""")}</Priority>',
        section("Variables", n, '<Variable name="v{}"/>')),
    "cases in nested priorities": lambda n, dice: mod_nodes(
        n // 25, lambda k: '<Priority><Case condition="v0"><Act/></Case><Case>' * 25 + "<Act/>" + "</Case></Priority>" * 25,
        section("Variables", 13, '<Variable name="v{}"/>')),
    "cases without nodes": lambda n, dice: mod(f'<Priority>{each(n, "<Case/>")}</Priority>'),
    "cases with many nodes": lambda n, dice: mod(f'<Priority><Case>{each(n, "<Act/>")}</Case></Priority>'),
    "states": lambda n, dice: mod(f"<StateMachine>{each(n, STATE % '')}</StateMachine>"),
    "states repeated": lambda n, dice: mod(f"<StateMachine>{each(n, STATE.replace('{}', '') % '')}</StateMachine>"),
    "states without anything": lambda n, dice: mod(f'<StateMachine>{each(n, "<State/>")}</StateMachine>'),
    "states in machines": lambda n, dice: mod_nodes(n // 30, f"<StateMachine>{each(30, STATE % '<Transition onEvent=%se%s to=%sS{}%s/>' % (4 * (chr(34),)))}</StateMachine>"),
    "machines": lambda n, dice: mod_nodes(n, "<StateMachine>" + STATE.replace("{}", "A") % '<Transition onEvent="e" to="SB"/>' + STATE.replace("{}", "B") %
                                          '<Transition onEvent="e{}" to="SA"/>' + "</StateMachine>"),
    "machines nested": lambda n, dice: mod_nodes(n // 25, '<StateMachine><State name="A"><BehaviorTree>' * 25 + "<Act/>" + "</BehaviorTree></State></StateMachine>" * 25),
    "transitions": lambda n, dice: mod("<StateMachine>" + STATE % each(n, '<Transition onEvent="e{}" to="S{}"/>').replace("S{}", "S1").replace("{}", "0")
                                       .replace("State name=\"S0\"", "State name=\"S1\"") + "</StateMachine>"),
    "transitions on one event": lambda n, dice: mod('<StateMachine><State name="S"><Transitions>' + each(n, '<Transition onEvent="e" to="S"/>') +
                                                    "</Transitions><BehaviorTree><Act/></BehaviorTree></State></StateMachine>"),
    "transitions to unknown states": lambda n, dice: mod('<StateMachine><State name="S"><Transitions>' + each(
        n, lambda i: f'<Transition onEvent="e{i}" to="{name(i)}"/>') + "</Transitions><BehaviorTree><Act/></BehaviorTree></State></StateMachine>"),
    "transitions in each of many states": lambda n, dice: mod_nodes(n // 25, lambda k: "<StateMachine>" + each(
        25, lambda i: f'<State name="{name(i)}"><Transitions><Transition onEvent="e" to="{misspelt(i)}"/></Transitions>'
                       "<BehaviorTree><Act/></BehaviorTree></State>") + "</StateMachine>"),
    "transitions to every state": lambda n, dice: mod_nodes(n // 25, lambda k: "<StateMachine>" + each(
        25, lambda i: f'<State name="S{i}"><Transitions>' + each(25, '<Transition onEvent="e{}" to="S{}"/>') + "</Transitions><BehaviorTree>"
                       "<Act/></BehaviorTree></State>") + "</StateMachine>"),
    "transition events without a machine": lambda n, dice: mod_nodes(n, '<SendTransitionEvent name="e{}"/>'),
    "transition events in states": lambda n, dice: mod_nodes(
        n, '<StateMachine><State name="A"><Transitions><Transition onEvent="e{}" to="A"/></Transitions><BehaviorTree>'
           '<SendTransitionEvent name="f{}"/></BehaviorTree></State></StateMachine>'),
    "scripts": lambda n, dice: mod_nodes(n, '<ExecuteLua code="entity.x = {}"/>'),
    "scripts with faults": lambda n, dice: mod_nodes(n, '<ExecuteLua code="entity.x = = {}"/>'),
    "scripts of older Lua": lambda n, dice: mod_nodes(n, '<ExecuteLua code="setfenv(1, {}); unpack(a)"/>'),
    "a long script": lambda n, dice: mod(f'<ExecuteLua code="{each(n, "entity.x = {} ")}"/>'),
    "a long script of older Lua": lambda n, dice: mod(f'<ExecuteLua code="{each(n, "setfenv(1, {}); table.getn(a) ")}"/>'),
    "a long script with a fault": lambda n, dice: mod(f'<ExecuteLua code="{each(n, "entity.x = {} ")} = ="/>'),
    "a script of brackets": lambda n, dice: mod(f'<ExecuteLua code="{"x = {" + "{}," * n + "}"}"/>'),
    "a script of open brackets": lambda n, dice: mod(f'<ExecuteLua code="{"[==[" * n}"/>'),
    "a script of comments": lambda n, dice: mod(f'<ExecuteLua code="{"--[[ ]] " * n}"/>'),
    "a script of strings": lambda n, dice: mod(f"<ExecuteLua code=\"{'x = [[a]] ' * n}\"/>"),
    "a script of functions": lambda n, dice: mod(f'<ExecuteLua code="{"local function f() unpack() end " * min(n, 150)}{"f(unpack, setfenv) " * n}"/>'),
    "logs": lambda n, dice: mod_nodes(n, '<Wait duration="1" _startLog="a{}" _successLog="b{}" _failureLog="c{}"/>'),
    "attributes in another case": lambda n, dice: mod_nodes(n, '<Wait Duration="1"/>'),
    "values that are none": lambda n, dice: mod_nodes(n, '<Wait duration="x{}"/>'),
    "elements in another case": lambda n, dice: mod_nodes(n, "<wait/>"),
    "host decorators": lambda n, dice: mod_nodes(n, "<Deco><Act/></Deco>"),
    "host nodes with many children": lambda n, dice: mod_nodes(n, "<Deco><Act/><Act/></Deco>"),
    "one host node with many children": lambda n, dice: mod(f'<Deco>{each(n, "<Act/>")}</Deco>'),
    "core nodes without what they need": lambda n, dice: mod_nodes(
        n // 10, "<Wait/><Timeout/><IfTime/><SendEvent/><WaitForEvent/><RandomGate/><IfCondition/><StateMachine/><Priority/><Loop/>"),
    "leaves with children": lambda n, dice: mod_nodes(n, '<Wait duration="1"><Act/></Wait>'),
    "a leaf with many children": lambda n, dice: mod(f'<Wait duration="1">{each(n, "<Act/>")}</Wait>'),
    "a decorator with many children": lambda n, dice: mod(f'<Loop>{each(n, "<Act/>")}</Loop>'),
    "grafts and times": lambda n, dice: mod_nodes(n, '<Selector><AssertTime since="t" isMoreThan="{}"/><WaitUntilTime since="t" isLessThan="0"/></Selector>',
                                                  '<Timestamps><Timestamp name="t" setOnEvent="e"/></Timestamps>'),
}
for name_, make_ in MODULAR.items():
    case(f"modular: {name_}", 60000)(lambda n, dice, make=make_: lint(make(n, dice)))
for name_ in ("actions", "actions with attributes", "waits", "events sent", "one event sent and waited for", "variables and signals", "conditions",
              "timestamps", "timestamps of one event", "timestamps exclusive to one", "states in machines", "machines", "transitions on one event",
              "scopes", "scopes of one name", "gates", "scripts", "logs", "cases in priorities", "decorators nested"):
    case(f"modular compiled: {name_}", 30000)(lambda n, dice, make=MODULAR[name_]: compile_(make(n, dice)))


def hosts(n, form):
    return "{" + ",\n".join(json.dumps(name(i)) + ": " + form(i) for i in range(n)) + "}"


@case("modular, declared: hosts unknown", 60000)
def _(n, dice):
    return lint({"a.xml": mod_nodes(n, lambda i: f"<{misspelt(i)}/>"), "espalier.json": '{"hosts": ' + hosts(n, lambda i: "{}") + "}"})


@case("modular, declared: hosts", 60000)
def _(n, dice):
    return lint({"a.xml": mod_nodes(n, lambda i: f"<{name(i)}/>"), "espalier.json": '{"hosts": ' + hosts(n, lambda i: '{"attributes": {"a": {"default": "b"}}}') + "}"})


def many_attributes(n, form="{}"):
    return "{" + ", ".join(f'"{name(i)}": {form}' for i in range(n)) + "}"


@case("modular, declared: attributes of one host")
def _(n, dice):
    return lint({"a.xml": mod("<Act " + " ".join(f'{name(i)}="1"' for i in permuted(n, dice)) + "/>"),
                 "espalier.json": '{"hosts": {"Act": {"attributes": ' + many_attributes(n) + "}}}"})


@case("modular, declared: attributes of one host missing")
def _(n, dice):
    return lint({"a.xml": mod("<Act " + " ".join(f'{misspelt(i)}="1"' for i in permuted(n, dice)) + "/>"),
                 "espalier.json": '{"hosts": {"Act": {"attributes": ' + many_attributes(n, '{"required": true}') + "}}}"})


@case("modular, declared: attributes of one host empty")
def _(n, dice):
    return lint({"a.xml": mod("<Act " + " ".join(f'{name(i)}=""' for i in permuted(n, dice)) + "/>"),
                 "espalier.json": '{"hosts": {"Act": {"attributes": ' + many_attributes(n, '{"required": true}') + "}}}"})


@case("modular, declared: words of one attribute", 60000)
def _(n, dice):
    words = json.dumps([name(i) for i in range(n)])
    return lint({"a.xml": mod_nodes(n, lambda i: f'<Act a="{name(n - 1 - i)}"/>'),
                 "espalier.json": '{"hosts": {"Act": {"attributes": {"a": {"type": "enum", "enum": ' + words + "}}}}}"})


@case("modular, declared: words of one attribute misspelt", 60000)
def _(n, dice):
    words = json.dumps([name(i) for i in range(n)])
    return lint({"a.xml": mod_nodes(n, lambda i: f'<Act a="{misspelt(i)}"/>'),
                 "espalier.json": '{"hosts": {"Act": {"attributes": {"a": {"type": "enum", "enum": ' + words + "}}}}}"})


@case("modular, declared: words of a number, which is none", 60000)
def _(n, dice):
    words = json.dumps([name(i) for i in range(n)])
    return lint({"a.xml": mod_nodes(n, lambda i: f'<Act a="{misspelt(i)}"/>'),
                 "espalier.json": '{"hosts": {"Act": {"attributes": {"a": {"type": "int", "enum": ' + words + "}}}}}"})


@case("modular, declared: many required attributes, and many nodes", 60000)
def _(n, dice):
    return lint({"a.xml": mod_nodes(n, "<Act/>"), "espalier.json": '{"hosts": {"Act": {"attributes": ' + many_attributes(20, '{"required": true}') + "}}}"})


@case("modular, declared: events that hosts send", 60000)
def _(n, dice):
    sends = json.dumps([name(i) for i in range(n)])
    return lint({"a.xml": mod_nodes(n, lambda i: f'<Sequence><Act/><WaitForEvent name="{misspelt(i)}"/></Sequence>'),
                 "espalier.json": '{"hosts": {"Act": {"sends": ' + sends + ', "sets": ' + sends + '}}, "events": ["a"]}'})


@case("modular, declared: events and files")
def _(n, dice):
    return lint({f"f{i}.xml": mod(f'<Sequence><SendEvent name="e{i}"/><WaitForEvent name="{misspelt(i)}"/></Sequence>') for i in range(n)} |
                {"espalier.json": json.dumps({"events": [name(i) for i in range(n)]})})


@case("modular: files that declare events")
def _(n, dice):
    return lint({f"f{i}.xml": mod(f'<Sequence><SendEvent name="e{i}"/><WaitForEvent name="{misspelt(i)}"/></Sequence>',
                                  f'<Events><Event name="{name(i)}"/></Events>') for i in range(n)})


@case("modular: files and signal-only variables")
def _(n, dice):
    return lint({f"f{i}.xml": mod(f'<IfCondition condition="{name(i)}"><Act/></IfCondition>', f'<Variables><Variable name="{name(i)}"/></Variables>') for i in range(n)} |
                {"espalier.json": json.dumps({"modular": {"signalOnly": [name(i) for i in range(n)]}})})


@case("modular: variables and signal-only variables", 60000)
def _(n, dice):
    return lint({"f.xml": mod_nodes(n, lambda i: f'<IfCondition condition="{name(i)}"><Act/></IfCondition>', section("Variables", n, lambda i: f'<Variable name="{name(i)}"/>')),
                 "espalier.json": json.dumps({"modular": {"signalOnly": ["f/" + name(i) for i in range(n)]}})})


# ---- Dragengine -----------------------------------------------------------------------------------------------------

def rules(n, form):
    return deb(f"<sequence>{each(n, form)}</sequence>")


DRAGENGINE = {
    "rules": lambda n, dice: rules(n, '<action id="a{}" name="act{}"/>'),
    "rules without ids": lambda n, dice: rules(n, '<action name="act{}"/>'),
    "rules of one id": lambda n, dice: rules(n, '<action id="a" name="act"/>'),
    "rules in a choice": lambda n, dice: deb("<choice>" + each(n, '<action id="a{}" name="act"/>') + "</choice>"),
    "rules at the root": lambda n, dice: deb(each(n, '<action id="a{}" name="act"/>')),
    "rules after one that always ends": lambda n, dice: deb("<choice><success/>" + each(n, '<action name="act{}"/>') + "</choice>"),
    "rules nested": lambda n, dice: deb(("<sequence>" * 30 + '<action name="a"/>' + "</sequence>" * 30) * (n // 30)),
    "rules nested with ids": lambda n, dice: deb(each(n // 30, lambda k: f'<sequence id="k{k}">' + each(28, lambda i: f'<sequence id=".{i}">') +
                                                      '<action name="a"/>' + "</sequence>" * 299)),
    "results": lambda n, dice: rules(n, "<choice><success/><failure/><running/><yield/></choice>"),
    "loops": lambda n, dice: rules(n, '<sequence loop="true"><action name="a"/></sequence>'),
    "loops of successes": lambda n, dice: rules(n, '<sequence loop="true"><success/></sequence>'),
    "lists without rules": lambda n, dice: rules(n, "<sequence/><choice/>"),
    "long lists in loops": lambda n, dice: deb('<sequence loop="true">' + each(n, "<success/>") + "</sequence>"),
    "rules that do not fail": lambda n, dice: rules(n, '<action name="a" doNotFail="true"/>'),
    "booleans misspelt": lambda n, dice: rules(n, '<action name="a" doNotFail="True"/>'),
    "conditions of one rule": lambda n, dice: deb('<action name="a">' + each(n, "<condition>c{}</condition>") + "</action>"),
    "conditions repeated": lambda n, dice: deb('<action name="a">' + each(n, "<condition>c</condition>") + "</action>"),
    "conditions empty": lambda n, dice: deb('<action name="a">' + each(n, "<condition/>") + "</action>"),
    "condition modes": lambda n, dice: deb('<action name="a">' + each(n, "<conditionMode>allTrue</conditionMode>") + "</action>"),
    "condition modes unknown": lambda n, dice: rules(n, '<action name="a"><conditionMode>allTru</conditionMode></action>'),
    "parameters of one rule": lambda n, dice: deb('<action name="a">' + each(n, '<parameter name="p{}">v</parameter>') + "</action>"),
    "parameters repeated": lambda n, dice: deb('<action name="a">' + each(n, '<parameter name="p">v{}</parameter>') + "</action>"),
    "parameters without names": lambda n, dice: deb('<action name="a">' + each(n, "<parameter>v{}</parameter>") + "</action>"),
    "parameters of conditions": lambda n, dice: deb('<action name="a"><condition>c</condition>' + each(n, '<parameter name="c.p{}">v</parameter>') + "</action>"),
    "parameters and conditions": lambda n, dice: deb('<action name="a">' + each(n, '<condition>c{}</condition><parameter name="c{}.p">v</parameter>') + "</action>"),
    "parameters of many parts": lambda n, dice: deb('<action name="a"><parameter name="p">' + each(n, "text{}<!-- -->") + "</parameter></action>"),
    "parameters of many sections": lambda n, dice: deb('<action name="a"><parameter name="p">' + each(n, "<![CDATA[a]]>") + "</parameter></action>"),
    "parameters of elements": lambda n, dice: deb('<action name="a"><parameter name="p">' + each(n, "<b/>") + "</parameter></action>"),
    "parts without rules": lambda n, dice: deb(each(n, "<condition>a</condition><parameter name='p'/>")),
    "rules in actions": lambda n, dice: deb('<action name="a">' + each(n, "<success/>") + "</action>"),
    "actions without names": lambda n, dice: rules(n, "<action/>"),
    "subtrees spelt otherwise": lambda n, dice: rules(n, "<subTree>a.debt</subTree>"),
    "ids empty": lambda n, dice: rules(n, '<action id="" name="a"/>'),
    "ids with dots": lambda n, dice: rules(n, '<action id=".a{}" name="a"/>'),
    "ids that are long": lambda n, dice: rules(n, lambda i: f'<action id="{"a" * 300}{i}" name="a"/>'),
    "subtrees without paths": lambda n, dice: rules(n, "<subtree/>"),
    "subtrees of many parts": lambda n, dice: rules(1, lambda i: "<subtree>" + "a<!-- -->" * n + "</subtree>"),
    "subtrees with odd paths": lambda n, dice: rules(n, "<subtree>/a/../b{}/./../x</subtree>"),
    "a subtree with a long path": lambda n, dice: rules(1, lambda i: "<subtree>" + "a/../" * n + "</subtree>"),
}
for name_, make_ in DRAGENGINE.items():
    case(f"dragengine: {name_}", 60000)(lambda n, dice, make=make_: lint({"input.debt": make(n, dice)}))
for name_ in ("rules", "rules in a choice", "rules nested", "rules nested with ids", "conditions of one rule", "parameters of one rule", "parameters of conditions"):
    case(f"dragengine compiled: {name_}", 60000)(lambda n, dice, make=DRAGENGINE[name_]: compile_({"input.debt": make(n, dice)}))


@case("dragengine, declared: actions unknown")
def _(n, dice):
    return lint({"a.debt": rules(n, lambda i: f'<action name="{misspelt(i)}"/>'),
                 "espalier.json": '{"dragengine": {"actions": ' + hosts(n, lambda i: "{}") + "}}"})


@case("dragengine, declared: conditions unknown")
def _(n, dice):
    return lint({"a.debt": rules(n, lambda i: f'<action name="a"><condition>{misspelt(i)}</condition></action>'),
                 "espalier.json": '{"dragengine": {"conditions": ' + hosts(n, lambda i: "{}") + "}}"})


@case("dragengine, declared: parameters of one rule")
def _(n, dice):
    return lint({"a.debt": deb('<action name="a">' + "".join(f'<parameter name="{name(i)}">1</parameter>' for i in permuted(n, dice)) + "</action>"),
                 "espalier.json": '{"dragengine": {"actions": {"a": {"parameters": ' + many_attributes(n) + "}}}}"})


@case("dragengine, declared: parameters of one rule misspelt")
def _(n, dice):
    return lint({"a.debt": deb('<action name="a">' + "".join(f'<parameter name="{misspelt(i)}">1</parameter>' for i in permuted(n, dice)) + "</action>"),
                 "espalier.json": '{"dragengine": {"actions": {"a": {"parameters": ' + many_attributes(n, '{"required": true}') + "}}}}"})


@case("dragengine, declared: rules without their many parameters")
def _(n, dice):
    return lint({"a.debt": rules(n, '<action name="a"/>'),
                 "espalier.json": '{"dragengine": {"actions": {"a": {"parameters": ' + many_attributes(20, '{"required": true}') + "}}}}"})


# ---- Deciders -------------------------------------------------------------------------------------------------------

DECIDER = '<Decider name="D{}" behavior="B"/>'
FLAGS = "<DecisionFlags>" + each(60, '<Flag name="F{}"/>') + "</DecisionFlags><Stimuli>" + each(60, '<Stimulus name="S{}"/>') + "</Stimuli>"
DECIDERS = {
    "deciders": lambda n, dice: dec(each(n, '<Decider name="D{}" behavior="B" decide="F{}"/>')),
    "deciders that always accept": lambda n, dice: dec(each(n, DECIDER)),
    "deciders of one name": lambda n, dice: dec(each(n, '<Decider name="D" behavior="B" decide="F"/>')),
    "deciders without names": lambda n, dice: dec(each(n, "<Decider/>")),
    "deciders with every": lambda n, dice: dec(each(n, '<Decider name="D{}" behavior="B" every="1" weight="3" block="8"/>')),
    "deciders with bad values": lambda n, dice: dec(each(n, '<Decider name="D{}" behavior="B" every="x" weight="0" block="x"/>')),
    "deciders in groups": lambda n, dice: dec(nested(n, 5, lambda i: f'<Decider name="D{i}" behavior="B" decide="F"/>',
                                                     '<Group policy="scored">', "</Group>")),
    "groups nested": lambda n, dice: dec(each(n // 25, lambda k: each(25, lambda i: f'<Group name="G{k}x{i}" policy="sequential" decide="F">') +
                                              f'<Decider name="D{k}" behavior="B"/>' + "</Group>" * 25)),
    "groups that delegate": lambda n, dice: dec(each(n // 25, lambda k: each(25, lambda i: f'<Group name="G{k}x{i}" policy="random" delegate="true">') +
                                                     f'<Decider name="D{k}" behavior="B"/>' + "</Group>" * 25)),
    "groups empty": lambda n, dice: dec(each(n, '<Group name="G{}" policy="shuffle"/>')),
    "groups with unknown policies": lambda n, dice: dec(each(n, '<Group name="G{}" policy="rndom"><Decider name="D{}" behavior="B"/></Group>')),
    "groups with preconditions": lambda n, dice: dec(each(
        n, lambda i: f'<Group name="G{i}" policy="prioritizedList" flagsAny="F{i % 60} F{(i + 7) % 60}" decide="D"><Decider name="D{i}" behavior="B" '
                     f'flagsAny="F{i % 60} F{i * 3 % 60}" stimuliAll="S{i % 60}"/><Decider name="E{i}" behavior="B" flagsAll="!F{i % 50}"/></Group>'), FLAGS),
    "one group with preconditions": lambda n, dice: dec(
        '<Group name="G" policy="prioritizedList" decide="D">' + each(
            n, lambda i: f'<Decider name="D{i}" behavior="B" flagsAll="F{i % 60} F{i * 7 % 60} !F{i * 11 % 59}"/>') + "</Group>", FLAGS),
    "groups that accept more than their children": lambda n, dice: dec(each(
        n, '<Group name="G{}" policy="prioritizedList"><Decider name="D{}" behavior="B" flagsAll="F1"/></Group>'), FLAGS),
    "words of one list": lambda n, dice: dec('<Decider name="D" behavior="B" flagsAll="' + attributes(n, "F1") + '"/>', FLAGS),
    "words of one list, unknown": lambda n, dice: dec('<Decider name="D" behavior="B" flagsAny="' + attributes(n, "X{}") + '"/>', FLAGS),
    "words of one list, nearly known": lambda n, dice: dec('<Decider name="D" behavior="B" flagsAny="' + attributes(n, "F1x") + '"/>', FLAGS),
    "words of one list, contradicting": lambda n, dice: dec('<Decider name="D" behavior="B" flagsAll="' + attributes(n, "F1 !F1") + '"/>', FLAGS),
    "words of one list, only '!'": lambda n, dice: dec('<Decider name="D" behavior="B" flagsAll="' + attributes(n, "!") + '"/>', FLAGS),
    "words of one list, with commas": lambda n, dice: dec('<Decider name="D" behavior="B" flagsAll="' + "F1," * n + '"/>', FLAGS),
    "words in two lists": lambda n, dice: dec(
        '<Decider name="D" behavior="B" flagsAll="' + attributes(n, "F1") + '" flagsAny="' + attributes(n, "!F1") + '"/>', FLAGS),
    "behaviour flags": lambda n, dice: dec(each(n, '<Decider name="D{}" behavior="B" behaviorFlags="walk run"/>')),
    "behaviour flags of one": lambda n, dice: dec('<Decider name="D" behavior="B" behaviorFlags="' + attributes(n, "f{}") + '"/>'),
    "behaviour flags of one repeated": lambda n, dice: dec('<Decider name="D" behavior="B" behaviorFlags="' + attributes(n, "f") + '"/>'),
    "behaviours": lambda n, dice: dec(each(n, '<Decider name="D{}" behavior="B{}" decide="F"/>'), behaviors=each(n, '<Behavior name="B{}" memory="8"/>')),
    "behaviours unused": lambda n, dice: dec(behaviors='<Behavior name="B"/>' + each(n, '<Behavior name="B{}"/>')),
    "behaviours repeated": lambda n, dice: dec(behaviors=each(n, '<Behavior name="B"/>')),
    "behaviours unknown": lambda n, dice: dec(each(n, lambda i: f'<Decider name="D{i}" behavior="{misspelt(i)}" decide="F"/>'),
                                              behaviors=each(n, lambda i: f'<Behavior name="{name(i)}"/>')),
    "flags": lambda n, dice: dec(sections=section("DecisionFlags", n, '<Flag name="F{}"/>')),
    "flags repeated": lambda n, dice: dec(sections=section("DecisionFlags", n, '<Flag name="F"/>')),
    "flags unknown": lambda n, dice: dec(each(n, lambda i: f'<Decider name="D{i}" behavior="B" flagsAll="{misspelt(i)}"/>'), section("DecisionFlags", n, lambda i: f'<Flag name="{name(i)}"/>')),
    "stimuli": lambda n, dice: dec(sections=section("Stimuli", n, '<Stimulus name="S{}"/>')),
    "signals": lambda n, dice: dec('<Decider name="D" behavior="B" stimuliAny="S0"/>', '<Stimuli><Stimulus name="S0"/></Stimuli>' + section("SignalStimuli", n, '<Signal name="s{}" stimulus="S0"/>')),
    "signals of one name": lambda n, dice: dec('<Decider name="D" behavior="B" stimuliAny="S0"/>', '<Stimuli><Stimulus name="S0"/></Stimuli>' + section("SignalStimuli", n, '<Signal name="s" stimulus="S0"/>')),
    "signals of unknown stimuli": lambda n, dice: dec('<Decider name="D" behavior="B"/>', section("Stimuli", n, lambda i: f'<Stimulus name="{name(i)}"/>') + section(
        "SignalStimuli", n, lambda i: f'<Signal name="s" stimulus="{misspelt(i)}"/>')),
    "sections": lambda n, dice: dec(sections=each(n, "<Stimuli/><DecisionFlags/>")),
    "references": lambda n, dice: dec(each(n, '<DeciderRef name="S{}"/>'), section("Deciders", n, '<Decider name="S{}" behavior="B" decide="F"/>')),
    "references to one decider": lambda n, dice: dec(each(n, '<DeciderRef name="S"/>'), '<Deciders><Decider name="S" behavior="B" decide="F"/></Deciders>'),
    "references to one group": lambda n, dice: dec(each(n, '<DeciderRef name="S"/>'),
                                                   '<Deciders><Group name="S" policy="scored" decide="F"><Decider name="T" behavior="B"/></Group></Deciders>'),
    "references in a chain": lambda n, dice: dec('<DeciderRef name="S0"/>', "<Deciders>" + each(
        n, lambda i: f'<Group name="S{i}" policy="scored" decide="F"><DeciderRef name="S{i + 1}"/></Group>') + f'<Decider name="S{n}" behavior="B"/></Deciders>'),
    "references in short chains": lambda n, dice: dec(each(n // 50, lambda i: f'<DeciderRef name="S{50 * i}"/>'), "<Deciders>" + each(
        n, lambda i: f'<Group name="S{i}" policy="scored" decide="F"><DeciderRef name="S{i + 1}"/></Group>' if i % 50 != 49 else f'<Decider name="S{i}" behavior="B"/>') + "</Deciders>"),
    "references in a cycle": lambda n, dice: dec('<DeciderRef name="S0"/>', "<Deciders>" + each(
        n, lambda i: f'<Group name="S{i}" policy="scored" decide="F"><DeciderRef name="S{(i + 1) % n}"/></Group>') + "</Deciders>"),
    "references in a chain that leads back to each": lambda n, dice: dec('<DeciderRef name="S0"/>', "<Deciders>" + each(
        n, lambda i: f'<Group name="S{i}" policy="scored" decide="F"><DeciderRef name="S{i + 1}"/></Group>') +
        f'<Group name="S{n}" policy="scored">' + each(n, '<DeciderRef name="S{}"/>') + "</Group></Deciders>"),
    "references to themselves": lambda n, dice: dec(each(n, '<DeciderRef name="S{}"/>'), section(
        "Deciders", n, '<Group name="S{}" policy="scored"><DeciderRef name="S{}"/></Group>')),
    "references unknown": lambda n, dice: dec(each(n, lambda i: f'<DeciderRef name="{misspelt(i)}"/>'), section("Deciders", n, lambda i: f'<Decider name="{name(i)}" behavior="B"/>')),
    "references to what is not shared": lambda n, dice: dec(each(n, '<Group name="G{}" policy="scored" decide="F"><Decider name="D{}" behavior="B"/></Group>') + each(n, '<DeciderRef name="D{}"/>')),
    "shared deciders unused": lambda n, dice: dec(sections=section("Deciders", n, '<Decider name="S{}" behavior="B"/>')),
    "shared groups unused": lambda n, dice: dec(sections=section("Deciders", n, '<Group name="S{}" policy="scored"><DeciderRef name="X"/></Group>') .replace("</Deciders>", '<Decider name="X" behavior="B"/></Deciders>')),
    "roots": lambda n, dice: dec() .replace("</DeciderTree>", each(n, '<Group name="G{}" policy="scored"><Decider name="D{}" behavior="B"/></Group>') + "</DeciderTree>"),
    "decide functions": lambda n, dice: dec(each(n, '<Decider name="D{}" behavior="B" decide="F{}"/>')),
}
for name_, make_ in DECIDERS.items():
    case(f"decider: {name_}", 60000)(lambda n, dice, make=make_: lint(make(n, dice).replace('<Group policy="scored">', '<Group name="x" policy="scored">')))
for name_ in ("deciders", "deciders with every", "groups nested", "groups with preconditions", "behaviours", "signals", "references", "references to one decider",
              "references to one group", "references in short chains"):
    case(f"decider compiled: {name_}", 30000)(lambda n, dice, make=DECIDERS[name_]: compile_(make(n, dice)))


@case("decider, declared: functions unknown")
def _(n, dice):
    return lint({"a.xml": dec(each(n, lambda i: f'<Decider name="D{i}" behavior="B" decide="{misspelt(i)}"/>')),
                 "espalier.json": json.dumps({"decider": {"decide": [name(i) for i in range(n)], "behaviorFlags": [name(i) for i in range(n)]}})})


# ---- Synchronized ---------------------------------------------------------------------------------------------------

def group(roles, more='agents="2"'):
    return f"<Group {more}>{roles}</Group>"


def role(body):
    return f"<Role>{body}</Role>"


SYNCHRONIZED = {
    "actions": lambda n, dice: syn_list(each(n, '<Action name="A{}"/>')),
    "actions without names": lambda n, dice: syn_list(each(n, "<Action/>")),
    "actions with parameters": lambda n, dice: syn_list(each(n, '<Action name="A{}" a="1" b="2"/>')),
    "conditions": lambda n, dice: syn_list(each(n, '<Condition name="C{}"/>')),
    "nodes nested": lambda n, dice: syn(nested(n, 4, lambda i: f'<Action name="A{i}"/>', "<Selector>", "</Selector>")),
    "parallels": lambda n, dice: syn_list(each(n, '<Parallel success="any" failure="all"><Action name="A"/><Action name="B"/></Parallel>')),
    "one parallel": lambda n, dice: syn("<Parallel>" + each(n, '<Action name="A{}"/>') + "</Parallel>"),
    "decorators nested": lambda n, dice: syn_list(("<Invert><Succeed><Fail>" * 10 + '<Action name="A"/>' + "</Fail></Succeed></Invert>" * 10) * (n // 30)),
    "repeats": lambda n, dice: syn_list(each(n, '<Repeat count="2"><Action name="A"/></Repeat>')),
    "repeats for ever": lambda n, dice: syn_list(each(n, '<Repeat><Condition name="A"/></Repeat>')),
    "monitors": lambda n, dice: syn_list(each(n, '<Monitor><Condition name="C{}"/></Monitor>') + '<Action name="A"/>'),
    "monitors after which nothing runs": lambda n, dice: syn_list('<Action name="A"/>' + each(n, '<Monitor><Condition name="C{}"/></Monitor>')),
    "monitors of many conditions": lambda n, dice: syn_list("<Monitor><Sequence>" + each(n, '<Condition name="C{}"/>') + '</Sequence></Monitor><Action name="A"/>'),
    "monitors with actions": lambda n, dice: syn_list(each(n, '<Monitor><Action name="C{}"/></Monitor>')),
    "gates": lambda n, dice: syn_list(each(n, '<Gate name="G{}" agents="2"><Action name="A"/></Gate>')),
    "gates of one name": lambda n, dice: syn_list(each(n, '<Gate name="G" agents="2"><Action name="A"/></Gate>')),
    "gates with bad numbers": lambda n, dice: syn_list(each(n, '<Gate agents="x{}"><Action name="A"/></Gate>')),
    "gates that are wide": lambda n, dice: syn_list(each(n, '<Gate agents="9"><Action name="A"/></Gate>'), more=' agents="3"'),
    "cooldowns": lambda n, dice: syn_list(each(n, '<Cooldown seconds="{}"><Action name="A"/></Cooldown>')),
    "groups": lambda n, dice: syn_list(each(n, lambda i: group(2 * role('<Action name="A"/>'), f'name="G{i}" agents="2"'))),
    "groups of one name": lambda n, dice: syn_list(each(n, lambda i: group(2 * role('<Action name="A"/>'), 'name="G" agents="2"'))),
    "groups nested": lambda n, dice: syn_list((('<Group agents="2"><Role>' * 25 + '<Action name="A"/>' + ('</Role>' + role('<Action name="A"/>') + "</Group>") * 25)) * (n // 25)),
    "groups without roles": lambda n, dice: syn_list(each(n, '<Group agents="2"/>')),
    "roles": lambda n, dice: syn(group(each(n, lambda i: role('<Action name="A"/>')))),
    "roles without groups": lambda n, dice: syn_list(each(n, lambda i: role('<Action name="A"/>'))),
    "barriers": lambda n, dice: syn(group(2 * role(seq(each(n, '<Barrier name="B{}"/>'))))),
    "barriers of one name": lambda n, dice: syn(group(2 * role(seq(each(n, '<Barrier name="B"/>'))))),
    "barriers in the opposite order": lambda n, dice: syn(group(
        role(seq(each(n, '<Barrier name="B{}"/>'))) + role(seq(each(n, lambda i: f'<Barrier name="B{n - 1 - i}"/>'))))),
    "barriers in random order": lambda n, dice: syn(group("".join(
        role(seq("".join(f'<Barrier name="B{i}"/>' for i in permuted(n, dice)))) for _ in range(2)))),
    "barriers in parallel": lambda n, dice: syn(group(2 * role("<Parallel>" + each(n, '<Barrier name="B{}"/>') + "</Parallel>"))),
    "barriers that another role lacks": lambda n, dice: syn(group(role(seq(each(n, lambda i: f'<Barrier name="{name(i)}"/>'))) + role(
        seq(each(n, lambda i: f'<Barrier name="{misspelt(i)}"/>'))))),
    "barriers of 16 roles": lambda n, dice: syn(group("".join(role(seq(each(n // 16, lambda i, k=k: f'<Barrier name="B{k}x{i}"/>'))) for k in range(16)), 'agents="16"')),
    "barriers of 16 roles in common": lambda n, dice: syn(group("".join(role(seq(each(n // 16, lambda i, k=k: f'<Barrier name="B{i}"/>'))) for k in range(16)), 'agents="16"')),
    "barriers of one name in 16 roles": lambda n, dice: syn(group("".join(role(seq(each(n // 16, '<Barrier name="B"/>'))) for k in range(16)), 'agents="16"')),
    "barriers in selectors": lambda n, dice: syn(group(2 * role("<Selector>" + each(n, '<Sequence><Condition name="C"/><Barrier name="B{}"/></Sequence>') + "</Selector>"))),
    "barriers nested": lambda n, dice: syn(group(2 * role(seq(each(n // 25, lambda k: "<Sequence>" * 25 + f'<Barrier name="B{k}"/>' + "</Sequence>" * 25))))),
    "barriers outside of roles": lambda n, dice: syn_list(each(n, '<Barrier name="B{}"/>')),
    "groups with barriers": lambda n, dice: syn_list(each(n, lambda i: group(2 * role(f'<Sequence><Barrier name="B{i}"/><Action name="A"/></Sequence>')))),
    "slots": lambda n, dice: syn_list(each(n, '<ChildTree slot="S{}" default="Tree" budget="8"/>')),
    "slots without a budget": lambda n, dice: syn_list(each(n, '<ChildTree slot="S{}"/>')),
    "uses of one slot": lambda n, dice: syn_list(each(n, '<ChildTree slot="S"/>')),
    "uses of one slot with a budget": lambda n, dice: syn_list(each(n, '<ChildTree slot="S" default="Tree" budget="1"/>')),
    "uses of one slot that disagree": lambda n, dice: syn_list(each(n, lambda i: f'<ChildTree slot="S" budget="{i}" accepts="{"Tree" if i % 2 else ""}"/>')),
    "uses without a slot": lambda n, dice: syn_list(each(n, "<ChildTree/>")),
    "uses of unknown trees": lambda n, dice: syn_list(each(n, '<ChildTree slot="S{}" default="T{}"/>')),
    "words in accepts": lambda n, dice: syn_list(f'<ChildTree slot="S" accepts="{attributes(n, "T{}")}"/>'),
    "words in accepts repeated": lambda n, dice: syn_list(f'<ChildTree slot="S" accepts="{attributes(n, "Tree")}"/>'),
    "roots": lambda n, dice: syn(each(n, '<Action name="A"/>')),
    "decorators with many children": lambda n, dice: syn("<Invert>" + each(n, '<Action name="A"/>') + "</Invert>"),
    "actions with many children": lambda n, dice: syn('<Action name="A">' + each(n, '<Action name="A"/>') + "</Action>"),
    "roles with many children": lambda n, dice: syn(group(role(each(n, '<Action name="A"/>')))),
    "nodes with bad words": lambda n, dice: syn_list(each(n, '<Parallel success="al"><Action name="A"/></Parallel><Cooldown seconds="0" scope="globl"><Action name="A"/></Cooldown>')),
}
for name_, make_ in SYNCHRONIZED.items():
    case(f"synchronized: {name_}", 60000)(lambda n, dice, make=make_: lint(make(n, dice)))
for name_ in ("actions", "actions with parameters", "conditions", "nodes nested", "monitors", "gates", "gates of one name", "groups", "groups of one name", "barriers",
              "barriers of one name", "groups with barriers", "slots", "uses of one slot with a budget"):
    case(f"synchronized compiled: {name_}", 20000)(lambda n, dice, make=SYNCHRONIZED[name_]: compile_(make(n, dice)))


@case("synchronized: trees that accept all")
def _(n, dice):
    return lint({f"f{i}.xml": syn('<ChildTree slot="S" default="T0"/>', f"T{i}") for i in range(n)})


@case("synchronized: trees with slots of their own")
def _(n, dice):
    return lint({f"f{i}.xml": syn(f'<ChildTree slot="S{i}" accepts="T{i} T{(i + 1) % n}"/>', f"T{i}") for i in range(n)})


@case("synchronized: trees that one slot accepts")
def _(n, dice):
    return lint({f"f{i}.xml": syn('<Action name="A"/>', f"T{i}") for i in range(n)} |
                {"all.xml": syn(f'<ChildTree slot="S" accepts="{attributes(n, "T{}")}"/>', "All")})


@case("synchronized: trees of one name")
def _(n, dice):
    return lint({f"f{i}.xml": syn('<Action name="A"/>', "T") for i in range(n)})


@case("synchronized: trees of misspelt names")
def _(n, dice):
    return lint({f"f{i}.xml": syn(f'<ChildTree slot="S{i}" default="{misspelt(i)}"/>', name(i)) for i in range(n)})


@case("synchronized: trees in a chain of defaults")
def _(n, dice):
    return lint({f"f{i}.xml": syn(f'<ChildTree slot="S{i}" default="T{(i + 1) % n}" accepts="T{(i + 1) % n}"/>', f"T{i}") for i in range(n)})


@case("synchronized compiled: trees with slots of their own")
def _(n, dice):
    return compile_({f"f{i}.xml": syn(f'<ChildTree slot="S{i}" accepts="T{i} T{(i + 1) % n}" budget="64"/>', f"T{i}") for i in range(n)})


@case("synchronized compiled: trees that accept all, one asset each", 3000)
def _(n, dice):
    return {f"f{i}.xml": syn('<ChildTree slot="S" default="T0"/>', f"T{i}") for i in range(n)}, ["compile", ".", "-o", "out/"]


@case("synchronized, declared: actions unknown")
def _(n, dice):
    return lint({"a.xml": syn_list(each(n, lambda i: f'<Action name="{misspelt(i)}"/>')),
                 "espalier.json": '{"synchronized": {"actions": ' + hosts(n, lambda i: "{}") + "}}"})


@case("synchronized, declared: parameters of one action")
def _(n, dice):
    return lint({"a.xml": syn('<Action name="a" ' + " ".join(f'{name(i)}="1"' for i in permuted(n, dice)) + "/>"),
                 "espalier.json": '{"synchronized": {"actions": {"a": {"parameters": ' + many_attributes(n, '{"required": true}') + "}}}}"})


@case("synchronized, declared: parameters of one action misspelt")
def _(n, dice):
    return lint({"a.xml": syn('<Action name="a" ' + " ".join(f'{misspelt(i)}="1"' for i in permuted(n, dice)) + "/>"),
                 "espalier.json": '{"synchronized": {"actions": {"a": {"parameters": ' + many_attributes(n, '{"required": true}') + "}}}}"})


@case("synchronized, declared: parameters of one action missing")
def _(n, dice):
    return lint({"a.xml": syn('<Action name="a"/>'),
                 "espalier.json": '{"synchronized": {"actions": {"a": {"parameters": ' + many_attributes(n, '{"required": true}') + "}}}}"})


@case("synchronized, declared: parameters nobody reads")
def _(n, dice):
    return lint({"a.xml": syn('<Action name="a" ' + " ".join(f'{misspelt(i)}="1"' for i in permuted(n, dice)) + "/>"),
                 "espalier.json": '{"synchronized": {"actions": {"a": {"parameters": ' + many_attributes(n) + "}}}}"})


# ---- Suppressions, baselines, configuration -------------------------------------------------------------------------

IGNORE = "<!-- espalier:ignore unknown-attribute because -->"


@case("suppressions: used")
def _(n, dice):
    return lint(sel(root=leaves(n, IGNORE + '<Leaf name="a" odd{}="1"/>')))


@case("suppressions: unused")
def _(n, dice):
    return lint(sel(root=leaves(n, IGNORE + '<Leaf name="a"/>')))


@case("suppressions: without a reason")
def _(n, dice):
    return lint(sel(root=leaves(n, '<!-- espalier:ignore unknown-attribute --><Leaf name="a"/>')))


@case("suppressions: of unknown rules")
def _(n, dice):
    return lint(sel(root=leaves(n, '<!-- espalier:ignore unknown-atribute{} because --><Leaf name="a"/>')))


@case("suppressions: without a rule")
def _(n, dice):
    return lint(sel(root=leaves(n, '<!-- espalier:ignore --><Leaf name="a"/>')))


@case("suppressions: of one element, and findings after it")
def _(n, dice):
    return lint(sel(root=f'<Priority name="R">{each(n, IGNORE)}<Leaf name="a"/>{each(n, """<Leaf name="a" odd{}="1"/>""")}</Priority>'))


@case("suppressions: before no element")
def _(n, dice):
    return lint(sel(root=f'<Priority name="R"><Leaf name="a" odd="1"/>{each(n, IGNORE)}</Priority>'))


@case("suppressions: rules named in one")
def _(n, dice):
    return lint(sel(root=f'<!-- espalier:ignore {", ".join(["unknown-attribute", "SEL017"] * (n // 2))} because --><Leaf name="a" odd="1"/>'))


@case("suppressions: nested")
def _(n, dice):
    return lint(sel(root=leaves(n // 30, lambda i: (IGNORE + '<Priority name="a">') * 30 + '<Leaf name="a" odd="1"/>' + "</Priority>" * 30 + '<Leaf name="a" odd="1"/>')))


@case("suppressions: of the whole file")
def _(n, dice):
    return lint(each(n, IGNORE) + sel(root=leaves(n, '<Leaf name="a" odd{}="1"/>')))


@case("suppressions: in files")
def _(n, dice):
    return lint({f"f{i}.xml": IGNORE + sel(name=f"T{i}", root='<Leaf name="a" odd="1"/>') for i in range(n)})


ODD_LEAVES = '<Leaf name="a" odd{}="1"/>'


@case("baseline: entries that hold")
def _(n, dice):
    return {"a.xml": sel(root=leaves(n, ODD_LEAVES))}, ["lint", ".", "--write-baseline", "b.json"], ["lint", ".", "--baseline", "b.json"]


@case("baseline: entries that do not")
def _(n, dice):
    entries = [{"file": f"a{i}.xml", "rule": "SEL017", "text": f"{i}", "count": 1} for i in range(n)]
    return lint({"a.xml": sel(root=leaves(n, ODD_LEAVES)), "b.json": json.dumps({"version": 2, "findings": entries})},
                ".", "--baseline", "b.json", "-v")


@case("baseline: written")
def _(n, dice):
    return lint({"a.xml": sel(root=leaves(n, ODD_LEAVES))}, ".", "--write-baseline", "b.json")


def configuration(text, more=None):
    return lint({"a.xml": sel(), "espalier.json": text if isinstance(text, str) else json.dumps(text)} | (more or {}))


def case_forms(word, n):
    letters = [k for k, c in enumerate(word) if c.isalpha()][:17]
    for i in range(min(n, 1 << len(letters))):
        upper = {k for bit, k in enumerate(letters) if i >> bit & 1}
        yield "".join(c.upper() if k in upper else c for k, c in enumerate(word))


CONFIGURATIONS = {
    "rules": lambda n: {"rules": {form: "note" for form in case_forms("unknown-attribute", n)}},
    "rules turned off": lambda n: {"rules": {form: "off" for form in case_forms("unknown-attribute", n)}},
    "rules unknown": lambda n: {"rules": {f"unknown-atribute{i}": "note" for i in range(n)}},
    "rules with unknown severities": lambda n: {"rules": {form: f"warn{i}" for i, form in enumerate(case_forms("unknown-attribute", n))}},
    "rules lowered": lambda n: {"rules": {form: "warning" for form in case_forms("unknown-variable", n)}},
    "keys unknown": lambda n: {f"key{i}": 1 for i in range(n)},
    "keys repeated": lambda n: "{" + ", ".join(['"paths": ["."]'] * n) + "}",
    "paths": lambda n: {"paths": ["a.xml"] * n},
    "paths that are not there": lambda n: {"paths": [f"b{i}.xml" for i in range(n)]},
    "host files that are not there": lambda n: {"hostFiles": [f"b{i}.json" for i in range(n)]},
    "host files repeated": lambda n: {"hostFiles": ["b.json"] * n},
    "hosts": lambda n: {"hosts": {f"Host{i}": {} for i in range(n)}},
    "hosts of bad names": lambda n: {"hosts": {f"Host {i}": {} for i in range(n)}},
    "hosts with unknown keys": lambda n: {"hosts": {"Host": {f"key{i}": 1 for i in range(n)}}},
    "hosts' attributes": lambda n: {"hosts": {"Host": {"attributes": {f"a{i}": {"type": "int", "min": 0} for i in range(n)}}}},
    "hosts' attributes repeated in case": lambda n: {"hosts": {"Host": {"attributes": {form: {} for form in case_forms("abcdefghijklmnopq", n)}}}},
    "hosts' words": lambda n: {"hosts": {"Host": {"attributes": {"a": {"type": "enum", "enum": [f"w{i}" for i in range(n)], "default": f"w{n - 1}"}}}}},
    "hosts' words repeated": lambda n: {"hosts": {"Host": {"attributes": {"a": {"type": "enum", "enum": ["w"] * n}}}}},
    "hosts' results": lambda n: {"hosts": {"Host": {"result": ["running"] * n}}},
    "hosts' events": lambda n: {"hosts": {"Host": {"sends": [f"e{i}" for i in range(n)], "sets": ["e"] * n}}},
    "events": lambda n: {"events": [f"e{i}" for i in range(n)]},
    "signal-only variables": lambda n: {"modular": {"signalOnly": [f"v{i}" for i in range(n)]}, "selection": {"signalOnly": ["v"] * n}},
    "actions of rules": lambda n: {"dragengine": {"actions": {f"a{i}": {"parameters": {"p": {"type": "float"}}} for i in range(n)}}},
    "decide functions": lambda n: {"decider": {"decide": [f"a{i}" for i in range(n)], "behaviorFlags": ["a"] * n}},
    "nested": lambda n: '{"hosts": ' + '{"a": ' * 60 + "1" + "}" * 60 + ', "events": [' + ", ".join(["[]"] * n) + "]}",
    "not JSON": lambda n: '{"events": [' + "\n" * n + "]",
}
for name_, make_ in CONFIGURATIONS.items():
    case(f"configuration: {name_}", 60000)(lambda n, dice, make=make_: configuration(make(n)))


@case("configuration: rules and findings")
def _(n, dice):
    return lint({"a.xml": sel(root=leaves(n, '<Leaf name="a" odd{}="1"/>')),
                 "espalier.json": json.dumps({"rules": {form: "note" for form in case_forms("unknown-attribute", n)}})})


@case("configuration: host files")
def _(n, dice):
    return configuration({"hostFiles": [f"h{i}.json" for i in range(n)]}, {f"h{i}.json": json.dumps({"hosts": {f"H{i}": {}}, "events": [f"e{i}"]}) for i in range(n)})


# ---- Traces ---------------------------------------------------------------------------------------------------------

GUARD = sel('<Variables><Variable name="Alert"/></Variables><SignalVariables><Signal name="On" variable="Alert" value="true"/>'
            '<Signal name="Off" variable="Alert" value="false"/></SignalVariables>',
            root='<Priority name="R"><Leaf name="Fight" condition="Alert"/><Leaf name="Idle"/></Priority>')
SENTRY = mod('<Loop><Selector><IfCondition condition="Alert"><Move/></IfCondition><Sequence><Look/><WaitForEvent name="Off"/></Sequence></Selector></Loop>',
             '<Variables><Variable name="Alert"/></Variables><SignalVariables><Signal name="On" variable="Alert" value="true"/></SignalVariables>'
             '<Timestamps><Timestamp name="Seen" setOnEvent="On"/></Timestamps>')
RULES = deb('<choice id="root"><sequence id="walk"><condition>c</condition><action id=".go" name="go"/></sequence><action id="rest" name="rest"/></choice>')
CREATURE = dec('<Decider name="Flee" behavior="Flee" stimuliAny="Hit" flagsAll="!Dead"/><Decider name="Idle" behavior="Idle"/>',
               '<DecisionFlags><Flag name="Dead"/></DecisionFlags><Stimuli><Stimulus name="Hit" timeout="2"/></Stimuli>'
               '<SignalStimuli><Signal name="On" stimulus="Hit"/></SignalStimuli>', behaviors='<Behavior name="Flee"/><Behavior name="Idle"/>')
SQUAD = syn('<Selector><Gate name="G" agents="2"><Condition name="C"/></Gate><Sequence><Monitor><Condition name="M"/></Monitor>'
            '<Group name="Pair" agents="2" timeout="5"><Role><Sequence><Barrier name="B"/><Action name="A"/></Sequence></Role><Role>'
            '<Sequence><Action name="A"/><Barrier name="B"/></Sequence></Role></Group></Sequence><ChildTree slot="S" default="Tree" budget="64"/></Selector>',
            more=' maxDepth="2"')
TREES = {"selection": {"input.xml": GUARD}, "modular": {"input.xml": SENTRY}, "dragengine": {"input.debt": RULES},
         "decider": {"input.xml": CREATURE}, "synchronized": {"input.xml": SQUAD}}
BEGIN = {"trace": 1}
TICK = {"tick": 0.1}
for dialect_, tree_ in TREES.items():
    signals_ = "dragengine" not in dialect_ and "synchronized" not in dialect_
    WRONG_ = {"selection": {"behavior": "Nobody"}, "modular": {"running": ["Nobody"]}, "dragengine": {"rule": "root"},
              "decider": {"path": ["Root"]}, "synchronized": {"running": ["Nobody"]}}[dialect_]
    HOST_ = {"selection": "Idle", "modular": "Move", "dragengine": "go", "decider": "Flee", "synchronized": "A"}[dialect_]

    def add(name_, make, limit=None, dialect_=dialect_, tree_=tree_):
        case(f"replay, {dialect_}: {name_}", limit)(lambda n, dice: replay(tree_, make(n, dice)))

    add("ticks", lambda n, dice: [BEGIN, *[TICK] * n])
    add("ticks of one line", lambda n, dice: [BEGIN, {"tick": 0.1, "times": n}])
    add("agents", lambda n, dice: [BEGIN | {"agents": n}, TICK, TICK])
    add("agents each with lines", lambda n, dice: [BEGIN | {"agents": n}, TICK, *[{"host": {"X": True}, "agent": i} for i in range(n)],
                                                   *[TICK | {"agent": i} for i in range(n)]])
    add("agents told together", lambda n, dice: [BEGIN | {"agents": n}, *[{"host": {HOST_: "running"}, "agent": "all"}] * 5, TICK])
    add("answers", lambda n, dice: [BEGIN, *[{"host": {f"H{i}": "running"}} for i in range(n)], TICK])
    add("answers of one name", lambda n, dice, h=HOST_: [BEGIN, *[{"host": {h: "running"}} for i in range(n)], TICK])
    add("answers in one list", lambda n, dice, h=HOST_: [BEGIN, {"host": {h: ["success", "running"] * n}}, *[TICK] * n], 30000)
    add("answers in one line", lambda n, dice: [BEGIN, {"host": {f"H{i}": "running" for i in range(n)}}, TICK], 30000)
    add("expectations", lambda n, dice, w=WRONG_: [BEGIN, TICK, *[{"expect": {"events": []}}] * n])
    add("expectations that fail", lambda n, dice, w=WRONG_: [BEGIN, *[TICK, {"expect": w}] * n])
    add("expectations that fail after many ticks", lambda n, dice, w=WRONG_: [BEGIN, *[TICK] * n, *[{"expect": w}] * n])
    add("expectations of many agents that fail", lambda n, dice, w=WRONG_: [BEGIN | {"agents": n}, TICK, {"expect": w, "agent": "all"}])
    add("expectations of agents that fail", lambda n, dice, w=WRONG_: [BEGIN | {"agents": n}, TICK, *[{"expect": w, "agent": i} for i in range(n)]])
    add("expected events", lambda n, dice: [BEGIN, *[TICK] * n, {"expect": {"events": [f"enter E{i}" for i in range(n)]}}], 30000)
    add("comments", lambda n, dice: [BEGIN, *[{"comment": f"{i}"} for i in range(n)], TICK])
    add("agents that come and go", lambda n, dice: [BEGIN, *[line for i in range(n) for line in ({"spawn": 1}, TICK | {"agent": i + 1}, {"destroy": i + 1})]])
    add("agents that come", lambda n, dice: [BEGIN, *[{"spawn": 1}] * n, TICK])
    add("agents that come, then go", lambda n, dice: [BEGIN, {"spawn": n}, TICK, *[{"destroy": i} for i in range(n)], TICK])
    add("agents that come, then go last first", lambda n, dice: [BEGIN, {"spawn": n}, TICK, *[{"destroy": n - i} for i in range(n)], TICK])
    add("reloads", lambda n, dice, t=tree_: [BEGIN, TICK, *[{"reload": next(iter(t))}] * n, TICK])
    add("reloads with answers", lambda n, dice, t=tree_: [BEGIN, TICK, *[{"host": {f"H{i}": "running"}} for i in range(n)], *[{"reload": next(iter(t))}] * 4, TICK])
    if dialect_ != "synchronized":
        add("snapshots", lambda n, dice: [BEGIN, TICK, *[{"save": f"s{i}"} for i in range(n)], *[{"restore": f"s{i}"} for i in range(n)], TICK])
        add("snapshots of one name", lambda n, dice: [BEGIN, TICK, *[{"save": "s"}, {"restore": "s"}] * n, TICK])
    if signals_:
        add("signals", lambda n, dice: [BEGIN, *[{"signal": "On"}, {"signal": "Off"}] * n, TICK])
        add("signals and ticks", lambda n, dice: [BEGIN, *[{"signal": "On"}, TICK, {"signal": "Off"}, TICK] * n])
        add("signals nobody knows", lambda n, dice: [BEGIN, *[{"signal": f"On{i}"} for i in range(n)], TICK])
        add("signals of many agents", lambda n, dice: [BEGIN | {"agents": n}, TICK, *[{"signal": "On", "agent": i} for i in range(n)], TICK])

    for format_ in ("jsonl", "junit"):
        case(f"replay, {dialect_}: expectations that fail, as {format_}")(
            lambda n, dice, f=format_, t=tree_, w=WRONG_: replay(t, [BEGIN, *[TICK, {"expect": w}] * n], "--format", f))
    case(f"replay, {dialect_}: updated expectations")(lambda n, dice, t=tree_, w=WRONG_: replay(t, [BEGIN, *[TICK, {"expect": w}] * n], "--update"))
    case(f"replay, {dialect_}: told in detail")(lambda n, dice, t=tree_: replay(t, [BEGIN, *[TICK] * n], "--verbose", "5"))

    @case(f"replay, {dialect_}: traces", 3000)
    def _(n, dice, t=tree_):
        files = dict(t) | {f"t{i}.trace.jsonl": trace([BEGIN, TICK]) for i in range(n)}
        return files, ["replay", *t, "--trace", *[f"t{i}.trace.jsonl" for i in range(n)]]


@case("replay: trees")
def _(n, dice):
    return replay({"input.xml": "<SelectionTrees>" + each(n, lambda i: sel(name=f"T{i}")) + "</SelectionTrees>"}, [BEGIN | {"tree": "T1"}, TICK])


@case("replay: snapshots of a large tree", 2000)
def _(n, dice):
    return replay({"input.xml": sel(variables(n))}, [BEGIN, TICK, *[{"save": f"s{i}"} for i in range(n)]])


@case("replay: variables set", 60000)
def _(n, dice):
    return replay({"input.xml": sel(variables(n))}, [BEGIN, *[{"set": {f"v{i}": True}} for i in range(n)], TICK])


@case("replay: variables set in one line", 30000)
def _(n, dice):
    return replay({"input.xml": sel(variables(n))}, [BEGIN, {"set": {f"v{i}": True for i in range(n)}}, TICK, {"expect": {"variables": {f"v{i}": True for i in range(n)}}}])


@case("replay: variables expected that are unknown", 30000)
def _(n, dice):
    return replay({"input.xml": sel(variables(n, lambda i: f'<Variable name="{name(i)}"/>'))},
                  [BEGIN, *[{"set": {misspelt(i): True}} for i in range(n)]])


@case("replay: signals of a large tree", 60000)
def _(n, dice):
    return replay({"input.xml": sel(variables(n) + signals(n, '<Signal name="s{}" variable="v{}" value="!v{}"/>'))},
                  [BEGIN, *[{"signal": f"s{i}"} for i in range(n)], TICK])


@case("replay, modular: actions of one update", 30000)
def _(n, dice):
    return replay({"input.xml": mod_nodes(n, "<Act{}/>")}, [BEGIN, TICK, {"expect": {"status": "running"}}])


@case("replay, modular: running actions", 30000)
def _(n, dice):
    tree = mod(nested(n, 30, lambda i: f"<Act{i}/>", "<Parallel>", "</Parallel>"))
    return replay({"input.xml": tree}, [BEGIN, {"host": {f"Act{i}": "running" for i in range(n)}}, TICK, TICK, {"expect": {"running": [f"Act{i}" for i in range(n)]}},
                                        {"expect": {"running": [f"Bct{i}" for i in range(n)]}}])


@case("replay, modular: events that agents wait for", 30000)
def _(n, dice):
    return replay({"input.xml": mod(nested(n, 30, lambda i: f'<WaitForEvent name="e{i}"/>', "<Parallel>", "</Parallel>"))},
                  [BEGIN, TICK, {"signal": "e1"}, TICK, {"expect": {"status": "success"}}])


@case("replay, modular: signals queued", 30000)
def _(n, dice):
    return replay({"input.xml": mod('<Sequence><Signal name="a" filter="Group"/><WaitForEvent name="a"/><WaitForEvent name="b"/></Sequence>')},
                  [BEGIN | {"agents": 50}, *[TICK] * (n // 4), {"expect": {"status": "success"}, "agent": "all"}])


@case("replay, synchronized: injections", 60000)
def _(n, dice):
    return replay({"input.xml": SQUAD}, [BEGIN, TICK, *[{"inject": {"slot": "S", "tree": "Tree"}}] * n, TICK])


@case("replay, synchronized: running actions", 10000)
def _(n, dice):
    tree = syn("<Parallel>" + each(n, '<Action name="Act{}"/>') + "</Parallel>")
    return replay({"input.xml": tree}, [BEGIN, {"host": {f"Act{i}": "running" for i in range(n)}}, TICK, TICK, {"expect": {"running": [f"Act{i}" for i in range(n)]}},
                                        {"expect": {"running": [f"Bct{i}" for i in range(n)]}}])


@case("replay, synchronized: monitors", 5000)
def _(n, dice):
    tree = syn_list(each(n, '<Monitor><Condition name="C{}"/></Monitor>') + '<Action name="A"/>')
    return replay({"input.xml": tree}, [BEGIN, {"host": {f"C{i}": False for i in range(n)}}, TICK, TICK, {"expect": {"status": "success"}}])


@case("replay, dragengine: jumps", 30000)
def _(n, dice):
    return replay({"input.debt": rules(n, '<action id="a{}" name="act"/>')}, [BEGIN, *[line for i in range(n) for line in ({"jump": f"a{i}"}, TICK)]])


@case("replay, dragengine: jumps to unknown rules", 30000)
def _(n, dice):
    return replay({"input.debt": rules(n, lambda i: f'<action id="{name(i)}" name="act"/>')}, [BEGIN, {"jump": misspelt(1)}, TICK])


@case("replay, decider: deciders asked", 30000)
def _(n, dice):
    return replay({"input.xml": dec(each(n, '<Decider name="D{}" behavior="B" decide="F{}"/>'))},
                  [BEGIN, {"host": {f"F{i}": 0 for i in range(n)}}, TICK, TICK, {"expect": {"path": ["Root", "D1"]}}])


@case("replay: a line that is long", 40000)
def _(n, dice):
    return replay({"input.xml": GUARD}, [BEGIN, {"comment": "x" * 20 * n}, {"host": {"A": list(range(n))}}])


@case("replay: keys unknown", 40000)
def _(n, dice):
    return replay({"input.xml": GUARD}, [BEGIN, {"expect": {f"key{i}": 1 for i in range(n)}}])


# ---- Assets ---------------------------------------------------------------------------------------------------------
# Made by the program itself: the first command of two.

def asset(files, *command):
    files, first = compile_(files)
    return files, first, list(command)


ASSETS = {
    "selection, leaves with conditions": lambda n, dice: SELECTION["leaves with conditions"](n, dice),
    "selection, signals": lambda n, dice: SELECTION["signals"](n, dice),
    "selection, maps": lambda n, dice: SELECTION["maps"](n, dice),
    "selection, trees": lambda n, dice: SELECTION["trees"](n, dice),
    "modular, actions with attributes": lambda n, dice: MODULAR["actions with attributes"](n, dice),
    "modular, events": lambda n, dice: MODULAR["one event sent and waited for"](n, dice),
    "modular, timestamps": lambda n, dice: MODULAR["timestamps of one event"](n, dice),
    "modular, machines": lambda n, dice: MODULAR["machines"](n, dice),
    "modular, scopes": lambda n, dice: MODULAR["scopes"](n, dice),
    "modular, priorities": lambda n, dice: MODULAR["cases in priorities"](n, dice),
    "modular, decorators nested": lambda n, dice: MODULAR["decorators nested"](n, dice),
    "decider, groups": lambda n, dice: DECIDERS["groups with preconditions"](n, dice),
    "decider, references": lambda n, dice: DECIDERS["references"](n, dice),
    "decider, references to one group": lambda n, dice: DECIDERS["references to one group"](n, dice),
    "decider, chains": lambda n, dice: DECIDERS["references in short chains"](n, dice),
    "synchronized, actions": lambda n, dice: SYNCHRONIZED["actions with parameters"](n, dice),
    "synchronized, gates": lambda n, dice: SYNCHRONIZED["gates"](n, dice),
    "synchronized, groups": lambda n, dice: SYNCHRONIZED["groups with barriers"](n, dice),
    "synchronized, slots": lambda n, dice: SYNCHRONIZED["uses of one slot with a budget"](n, dice),
}
for name_, make_ in ASSETS.items():
    for verb_ in (["verify", "out.espb"], ["dump", "out.espb"], ["dump", "--json", "out.espb"]):
        case(f"{' '.join(verb_[:-1])}: {name_}", 8000 if "synchronized" in name_ else 20000)(lambda n, dice, make=make_, verb=verb_: asset(make(n, dice), *verb))
for verb_ in (["verify", "out.espb"], ["dump", "out.espb"], ["dump", "--json", "out.espb"]):
    case(f"{' '.join(verb_[:-1])}: dragengine, rules", 20000)(
        lambda n, dice, verb=verb_: asset({"input.debt": DRAGENGINE["rules"](n, dice)}, *verb))
    case(f"{' '.join(verb_[:-1])}: synchronized, trees", 20000)(lambda n, dice, verb=verb_: asset(
        {f"f{i}.xml": syn(f'<ChildTree slot="S{i}" accepts="T{i} T{(i + 1) % n}" budget="64"/>', f"T{i}") for i in range(n)}, *verb))
case("header of ids")(lambda n, dice: compile_(sel(variables(n) + signals(n, '<Signal name="s{}" variable="v{}" value="true"/>'), root=leaves(n)), "--header", "ids.h"))
case("header of ids that are alike")(lambda n, dice: compile_(
    sel(variables(n, '<Variable name="v.{}"/>') + signals(n, lambda i: f'<Signal name="{"-" * (i % 50 + 1)}{chr(33 + i % 14)}{i}" variable="v.0" value="true"/>'),
        root=leaves(n, lambda i: f'<Leaf name="a{"-+*."[i % 4]}{i // 4}"/>')), "--header", "ids.h"))
case("one asset a tree", 3000)(lambda n, dice: (small_files("selection", n), ["compile", ".", "-o", "out/"]))
case("one asset a tree, modular", 3000)(lambda n, dice: (small_files("modular", n), ["compile", ".", "-o", "out/"]))
