#!/usr/bin/env python3
"""Does any input overflow the stack? Each is as deep as its format lets it be, or a chain of a million links, and the program has a
stack of 256 KB.

usage: deep.py ESPALIER [WORD...] [--stack KB] [--all]

WORDs choose the inputs whose names hold one. Each must end with a result or a finding. Without --all chains have 30,000 links,
and of elements only the deepest that are read are tried, in one verb.
"""
import argparse
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

from inputs import btc, btc_tree, deb, dec, mod, sel, syn

MANY = 30_000
ALL = 1_000_000
DEEP = 100_000
SECONDS = 300

PRIORITY = '<Priority name="R"><Leaf name="A" condition="{}"/></Priority>'


def chain(link, count):
    return link * count


def nest(begin, inner, end, depth):
    return begin * depth + inner + end * depth


def selecting(condition):
    return sel('<Variables><Variable name="v"/></Variables>', root=PRIORITY.format(condition))


def ticking(condition):
    return mod(f'<Priority><Case condition="{condition}"><Halt/></Case><Case><Halt/></Case></Priority>', '<Variables><Variable name="v"/></Variables>')


def lua(code):
    return mod(f'<ExecuteLua code="{code}"/>')


def script(code):
    return btc(f'<Script code="{code}"/>')


# Elements in one another: as many as the reader takes, one more, and very many.
ELEMENTS = {
    "selection": lambda n: sel(root=nest('<Priority name="P">', '<Leaf name="L"/>', "</Priority>", n)),
    "selection machines": lambda n: sel(root=nest('<StateMachine name="M"><State name="S">', '<Leaf name="L"/>', "</State></StateMachine>", n // 2)),
    "modular": lambda n: mod(nest("<Sequence>", "<Act/>", "</Sequence>", n)),
    "modular loops": lambda n: mod(nest("<Loop>", "<Act/>", "</Loop>", n)),
    "modular priorities": lambda n: mod(nest("<Priority><Case>", "<Act/>", "</Case></Priority>", n // 2)),
    "modular machines": lambda n: mod(nest('<StateMachine><State name="S"><BehaviorTree>', "<Act/>", "</BehaviorTree></State></StateMachine>", n // 3)),
    "modular parallels": lambda n: mod(nest("<Parallel><Act/>", "<Act/>", "</Parallel>", n)),
    "dragengine": lambda n: deb(nest("<sequence>", '<action name="a"/>', "</sequence>", n)),
    "dragengine parallels": lambda n: deb(nest("<parallel>", '<action name="a"/>', "</parallel>", n)),
    "decider": lambda n: dec(nest('<Group name="G" policy="sequential">', '<Decider name="D" behavior="B"/>', "</Group>", n)),
    "synchronized": lambda n: syn(nest("<Sequence>", '<Action name="A"/>', "</Sequence>", n)),
    "synchronized gates": lambda n: syn(nest('<Gate agents="1">', '<Action name="A"/>', "</Gate>", n)),
    "btcpp": lambda n: btc(nest("<Inverter>", "<AlwaysSuccess/>", "</Inverter>", n)),
    "btcpp reactive": lambda n: btc(nest("<ReactiveSequence><AlwaysSuccess/>", "<Act/>", "</ReactiveSequence>", n)),
    "btcpp format 3": lambda n: btc(nest("<SequenceStar>", "<AlwaysSuccess/>", "</SequenceStar>", n)).replace('"4"', '"3"'),
    "unknown": lambda n: nest("<a>", "", "</a>", n),
}
DEPTHS = (240, 900, 994, 1010, DEEP)
FEW_DEPTHS = (240, 994)

# Operators, calls, lists in one another, and in a row.
EXPRESSIONS = {
    "condition, operators": lambda n: "v" + chain(" and v", n),
    "condition, mixed operators": lambda n: "v" + chain(" and v or v", n // 2),
    "condition, comparisons": lambda n: "v == v" + chain(" xor v == v", n),
    "condition, parentheses": lambda n: nest("(", "v", ")", n),
    "condition, unclosed parentheses": lambda n: "(" * n,
    "condition, parentheses on the left": lambda n: nest("(", "v", " or v)", n),
    "condition, parentheses on the right": lambda n: nest("(v xor ", "v", ")", n),
    "condition, nots": lambda n: nest("!(", "v", ")", n),
    "condition, not": lambda n: "!" * n + "v",
}
SCRIPTS = {
    **{f"script, chain of {op}": (lambda n, op=op: "a := 1" + chain(op + "1", n)) for op in ("+", "*", "-", "/", "|", "&amp;", "^")},
    **{f"script, chain of {op}": (lambda n, op=op: "a := 1" + chain(op + "1", n)) for op in (" &amp;&amp; ", " || ", " == ", " &lt; ")},
    "script, chain of texts": lambda n: "a := ''" + chain("..'x'", n),
    "script, mixed chain": lambda n: "a := 1" + chain("+1*2&lt;3&amp;4||5", n // 5),
    "script, parentheses": lambda n: nest("(", "1", ")", n),
    "script, parentheses on the right": lambda n: nest("(1+", "1", ")", n),
    "script, parentheses of all operators": lambda n: nest("(1||1&amp;&amp;1==1|1&amp;1+1*", "1", ")", n),
    "script, negations": lambda n: "-" * n + "1",
    "script, choices": lambda n: "1?1:" * n + "1",
    "script, choices inside": lambda n: nest("1?", "1", ":1", n),
    "script, assignments": lambda n: "a:=" * n + "1",
    "script, statements": lambda n: "a:=1;" * n,
}
CODE = {
    "Lua, operators": lambda n: "return 1" + chain("+1", n),
    "Lua, joined": lambda n: "return 'a'" + chain("..'a'", n),
    "Lua, powers": lambda n: "return 1" + chain("^1", n),
    "Lua, comparisons": lambda n: "return 1" + chain(" and 1", n),
    "Lua, parentheses": lambda n: "return " + nest("(", "1", ")", n),
    "Lua, tables": lambda n: "return " + nest("{", "", "}", n),
    "Lua, functions": lambda n: nest("f = function() ", "", " end ", n),
    "Lua, blocks": lambda n: nest("do ", "", " end ", n),
    "Lua, if": lambda n: nest("if a then ", "", " end ", n),
    "Lua, elseif": lambda n: "if a then" + chain(" elseif a then", n) + " end",
    "Lua, calls": lambda n: "f" + chain("()", n),
    "Lua, arguments": lambda n: "return " + nest("f(", "", ")", n),
    "Lua, indices": lambda n: "return a" + chain(".a", n),
    "Lua, not": lambda n: "return " + chain("not ", n) + "1",
    "Lua, minus": lambda n: "return " + chain("- ", n) + "1",
    "Lua, statements": lambda n: chain("a = 1 ", n),
    "Lua, long brackets": lambda n: "return [" + "=" * n + "[ ]" + "=" * n + "]",
}


def files(is_all):
    """Of each input: its name, its files, and the verb and its options."""
    many = ALL if is_all else MANY
    for name, make in ELEMENTS.items():
        ending = "debt" if name.startswith("dragengine") else "xml"
        for depth in DEPTHS if is_all else FEW_DEPTHS:
            each = {f"t.{ending}": make(depth)}
            yield f"elements, {name}, {depth}", each, ["lint", "."]
            if not is_all and depth > 240:
                continue
            yield f"elements compiled, {name}, {depth}", each, ["compile", ".", "-o", "out.espb"]
            yield f"elements formatted, {name}, {depth}", each, ["fmt", "--check", "."]
            if depth <= 900:
                yield f"elements drawn, {name}, {depth}", each, ["graph", "."]
                yield f"elements covered, {name}, {depth}", each, ["cover", ".", "--budget", "2000"]
    for name, make in EXPRESSIONS.items():
        for dialect, holder in (("selection", selecting), ("modular", ticking)):
            for verb in (["lint", "."], ["compile", ".", "-o", "out.espb"], ["lint", ".", "--diff"])[:3 if is_all else 1]:
                yield f"{name}, {dialect}, {verb[0]}", {"t.xml": holder(make(many))}, verb
    for name, make in SCRIPTS.items():
        for verb in (["compile", ".", "-o", "out.espb"], ["lint", "."], ["cover", ".", "--budget", "1000"])[:3 if is_all else 1]:
            yield f"{name}, {verb[0]}", {"t.xml": script(make(many))}, verb
        condition = make(many).replace(":=", "==")
        yield f"{name}, as a condition", {"t.xml": btc(f'<AlwaysSuccess _skipIf="{condition}"/>')}, ["lint", "."]
    for name, make in CODE.items():
        for verb in (["lint", "."], ["compile", ".", "-o", "out.espb"])[:2 if is_all else 1]:
            yield f"{name}, {verb[0]}", {"t.xml": lua(make(many))}, verb
        yield f"{name}, replay", {"t.xml": lua(make(5000)), "t.trace.jsonl": '{"trace": 1}\n{"tick": 1}\n'}, ["replay", ".", "--trace", "t.trace.jsonl"]
    tree = {"t.xml": selecting("v")}
    for begin, inner, end in (("[", "", "]"), ('{"a":', "1", "}"), ("[", "1", ""), ('{"a":[', "1", "")):
        deep = nest(begin, inner, end, DEEP)
        yield f"espalier.json of {begin}", {**tree, "espalier.json": deep}, ["lint", "."]
        yield f"espalier.json with {begin}", {**tree, "espalier.json": f'{{"hosts": {deep}}}'}, ["lint", "."]
        yield f"trace of {begin}", {**tree, "t.trace.jsonl": f'{{"trace": 1}}\n{deep}\n'}, ["replay", ".", "--trace", "t.trace.jsonl"]
        yield f"trace with {begin}", {**tree, "t.trace.jsonl": f'{{"trace": 1}}\n{{"set": {deep}}}\n'}, ["replay", ".", "--trace", "t.trace.jsonl"]
        yield f"properties of {begin}", {**tree, "p.properties.json": deep}, ["prove", ".", "--properties", "p.properties.json"]
        yield f"baseline of {begin}", {**tree, "b.json": deep}, ["lint", ".", "--baseline", "b.json"]
        yield f"report of {begin}", {"a.json": deep, "b.json": deep}, ["merge", "a.json", "b.json"]
        yield f"report with {begin}", {"a.json": f'{{"version":1,"findings":[{deep}]}}'}, ["merge", "a.json", "a.json"]
    entities = "".join(f"<!ENTITY e{i + 1} '&e{i};'>" for i in range(DEEP))
    yield "entities", {"t.xml": f"<!DOCTYPE a [<!ENTITY e0 ''>{entities}]>" + sel(root=f'<Leaf name="&e{DEEP};"/>')}, ["lint", "."]
    blocks = "".join(f"<Block name='B{i}'><Ref name='B{i + 1}'/></Block>" for i in range(DEEP))
    yield "selection, blocks", {"t.xml": sel(f"<Blocks>{blocks}</Blocks>", root='<Priority name="R"><Ref name="B0"/></Priority>')}, ["lint", "."]
    blocks = "".join(f"<Block name='B{i}'><Priority name='P'><Ref name='B{i + 1}'/></Priority></Block>" for i in range(900))
    blocks += "<Block name='B900'><Leaf name='L'/></Block>"
    yield "selection, blocks of nodes", {"t.xml": sel(f"<Blocks>{blocks}</Blocks>", root='<Ref name="B0"/>')}, ["lint", "."]
    subtrees = {f"s{i}.debt": deb(f"<subtree>s{i + 1}.debt</subtree>") for i in range(3000)} | {"s3000.debt": deb('<action name="a"/>')}
    yield "dragengine, subtrees", subtrees, ["lint", "."]
    trees = "".join(btc_tree(f"T{i}", f'<SubTree ID="T{i + 1}"/>') for i in range(DEEP))
    yield "btcpp, subtrees", {"t.xml": btc("<AlwaysSuccess/>", f"T{DEEP}", trees)}, ["lint", "."]
    yield "btcpp, subtrees compiled", {"t.xml": btc("<AlwaysSuccess/>", f"T{DEEP}", trees)}, ["compile", ".", "-o", "out.espb"]
    includes = {f"f{i}.xml": btc("<AlwaysSuccess/>", f"T{i}", f'<include path="f{i + 1}.xml"/>') for i in range(3000)}
    yield "btcpp, includes", includes, ["lint", "."]
    chained = {f"t{i}.xml": syn(f'<ChildTree slot="S" default="T{i + 1}"/>', f"T{i}") for i in range(3000)}
    yield "synchronized, child trees", chained, ["lint", "."]
    yield "synchronized, child trees compiled", chained, ["compile", ".", "-o", "out.espb"]


def messages():
    for begin, inner, end in (("[", "", "]"), ('{"a":', "1", "}"), ("[", "", "")):
        deep = nest(begin, inner, end, DEEP)
        for text in (deep, '{"id": %s, "method": "initialize"}' % deep, '{"id": 1, "method": "initialize", "params": %s}' % deep,
                     '{"method": "$/cancelRequest", "params": {"id": %s}}' % deep, '{"id": 1, "result": %s}' % deep):
            yield text


def set_limits(stack_kb):
    """Of this process, from which others inherit them: to set them between fork and exec, all that Python has would be copied for each."""
    resource.setrlimit(resource.RLIMIT_STACK, (stack_kb * 1024,) * 2)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def fault_of(espalier, command, folder, content=None):
    """None: it ended as it should."""
    try:
        done = subprocess.run([espalier, *command], cwd=folder, input=content, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=SECONDS,
                              env=os.environ | {"LC_ALL": "C.UTF-8", "XDG_CACHE_HOME": "/dev/null"}, check=False)
    except subprocess.TimeoutExpired:
        return f"is not done after {SECONDS} seconds"
    return None if done.returncode in (0, 1, 2) else f"ended with {done.returncode}"


def run(espalier, row):
    name, texts, command = row
    with tempfile.TemporaryDirectory() as folder:
        for path, text in texts.items():
            pathlib.Path(folder, path).write_text(text, encoding="utf-8")
        return name, fault_of(espalier, command, folder)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("espalier", type=pathlib.Path)
    parser.add_argument("words", nargs="*")
    parser.add_argument("--stack", type=int, default=256)
    parser.add_argument("--all", action="store_true")
    options = parser.parse_args()
    espalier = str(options.espalier.resolve())
    count = failed = 0
    set_limits(options.stack)

    def report(name, fault):
        nonlocal count, failed
        count += 1
        failed += fault is not None
        if fault:
            print(f"FAILED: {name}: {fault}", flush=True)

    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        rows = [row for row in files(options.all) if not options.words or any(word in row[0] for word in options.words)]
        for name, fault in pool.map(lambda row: run(espalier, row), rows):
            report(name, fault)
    if not options.words or "messages" in options.words:
        frames = b"".join(b"Content-Length: %d\r\n\r\n%s" % (len(text), text.encode()) for text in messages())
        end = json.dumps({"method": "exit"}).encode()
        frames += b"Content-Length: %d\r\n\r\n%s" % (len(end), end)
        report("messages of the debugger", fault_of(espalier, ["dap"], ".", frames))
        report("messages of the language server", fault_of(espalier, ["lsp"], ".", frames))
    print(f"{failed} of {count} inputs FAILED" if failed else f"all {count} inputs hold")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
