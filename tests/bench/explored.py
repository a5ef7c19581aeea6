#!/usr/bin/env python3
"""What exploring takes, before and after: explored.py BEFORE AFTER [NAME=PATH[:TREE]...] [--budget N] [--cost]

BEFORE and AFTER are two versions of the program. Prints a row for each given tree and for twenty made ones of all dialects: how many items
`cover` reaches, how many states it looks at, and the processor's seconds, for both; and whether a property of the made ones that run things side
by side is decided. --cost writes the rows into schemas/cost.md. Trees of other people are only counted; NAME tells where they are from.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import explored_trees
import proofs

ROOT = pathlib.Path(__file__).resolve().parents[2]
BEGIN, END = "## What exploring takes", "## Growth"


# ---- Made trees


def polling(body, names, extra=""):
    model = "".join(f'<{"Condition" if name[0] == "C" else "Action"} ID="{name}"/>' for name in names)
    return "tree.xml", f'<root BTCPP_format="4" main_tree_to_execute="T"><BehaviorTree ID="T">{body}</BehaviorTree>{extra}<TreeNodesModel>{model}</TreeNodesModel></root>'


def polling_branches(branches, actions, never=False):
    """Sequences side by side; `never`: an action that only an impossible script lets begin."""
    inside = "".join("<Sequence>" + "".join(f"<A{i}x{k}/>" for k in range(actions)) + "</Sequence>" for i in range(branches))
    if never:
        inside += '<Sequence><Script code="n := 1"/><ForceSuccess><Sequence><ScriptCondition code="n == 2"/><Never/></Sequence></ForceSuccess></Sequence>'
    count = branches + never
    return polling(f'<Parallel success_count="{count}" failure_count="1">{inside}</Parallel>',
                   [f"A{i}x{k}" for i in range(branches) for k in range(actions)] + ["Never"] * never)


def polling_guards(count):
    """Reactive lists within one another, each with its condition."""
    body = f"<A{count}/>"
    for i in reversed(range(count)):
        body = f"<ReactiveFallback><ReactiveSequence><C{i}/><A{i}/></ReactiveSequence>{body}</ReactiveFallback>"
    return polling(body, [f"C{i}" for i in range(count)] + [f"A{i}" for i in range(count + 1)])


def polling_recoveries(depth):
    body = "<A0/>"
    for i in range(1, depth + 1):
        body = f'<RetryUntilSuccessful num_attempts="3"><Fallback>{body}<Sequence><A{i}/><AlwaysFailure/></Sequence></Fallback></RetryUntilSuccessful>'
    return polling(body, [f"A{i}" for i in range(depth + 1)])


def polling_timers(count):
    inside = "".join(f'<Timeout msec="{300 + 100 * i}"><Sequence><Delay delay_msec="{100 + 100 * i}"><A{i}/></Delay></Sequence></Timeout>' for i in range(count))
    return polling(f'<ParallelAll max_failures="{count}">{inside}</ParallelAll>', [f"A{i}" for i in range(count)])


def storing_branches(branches, actions):
    inside = "".join("<Sequence>" + "".join(f'<Action name="A{i}x{k}"/>' for k in range(actions)) + "</Sequence>" for i in range(branches))
    return "tree.xml", f'<SynchronizedTree name="T"><Parallel success="all" failure="any">{inside}</Parallel></SynchronizedTree>'


def modular_branches(branches, actions):
    inside = "".join("<Branch><Sequence>" + "".join(f'<Animate name="A{i}x{k}"/>' for k in range(actions)) + "</Sequence></Branch>" for i in range(branches))
    return "tree.xml", f'<BehaviorTree><Root><Parallel failureMode="any" successMode="all">{inside.replace("<Branch>", "").replace("</Branch>", "")}</Parallel></Root></BehaviorTree>'


MODULAR = '{"hostFiles": ["espalier:cryengine"]}'
# By name: the dialect, the file and its text, and espalier.json.
MADE = {
    "2 branches of 10": ("btcpp", *polling_branches(2, 10), "{}"),
    "5 branches of 5": ("btcpp", *polling_branches(5, 5), "{}"),
    "10 branches of 10": ("btcpp", *polling_branches(10, 10), "{}"),
    "4 branches of 4, one never begins": ("btcpp", *polling_branches(4, 4, True), "{}"),
    "6 guards": ("btcpp", *polling_guards(6), "{}"),
    "retries 4 deep": ("btcpp", *polling_recoveries(4), "{}"),
    "4 timers": ("btcpp", *polling_timers(4), "{}"),
    "3 counters to 40": ("btcpp", *explored_trees.TREES["btcpp"][:2], "{}"),
    "4 branches of 4 ": ("synchronized", *storing_branches(4, 4), "{}"),
    "10 branches of 10 ": ("synchronized", *storing_branches(10, 10), "{}"),
    "3 repeats of 100": ("synchronized", *explored_trees.TREES["synchronized"][:2], "{}"),
    "3 branches of 4": ("modular", *modular_branches(3, 4), MODULAR),
    "6 branches of 6": ("modular", *modular_branches(6, 6), MODULAR),
    "8 states, 7 variables": ("modular", *explored_trees.TREES["modular"][:2], MODULAR),
    "5 states, 5 variables": ("modular", "tree.xml", explored_trees.modular(5, 3, 5), MODULAR),
    "8 lists of 6": ("dragengine", *explored_trees.TREES["dragengine"][:2], "{}"),
    "4 lists of 4": ("dragengine", "tree.debt", explored_trees.rules(4, 4), "{}"),
    "5 groups of 6": ("deciders", *explored_trees.TREES["deciders"][:2], "{}"),
    "3 groups of 4": ("deciders", "tree.xml", explored_trees.deciders(3, 4, 3, 3), "{}"),
    "nested, 64 variables, 3 machines": ("selection", "tree.xml", proofs.tree("nested", False), "{}"),
}
# What is proved of some of them: nothing but that two actions of one branch do not run at once.
PROVED = {
    "5 branches of 5": {"never": {"runs": ["A3x2", "A3x3"]}},
    "10 branches of 10": {"never": {"runs": ["A3x5", "A3x6"]}},
    "4 branches of 4, one never begins": {"never": {"runs": ["Never"]}},
}


# ---- Runs


def run(words, folder):
    """Output, and the processor's seconds."""
    process = subprocess.Popen(words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env={**os.environ, "XDG_CACHE_HOME": "/dev/null"})
    output = process.stdout.read()
    _, _, usage = os.wait4(process.pid, 0)
    return output, usage.ru_utime + usage.ru_stime


def covered(program, path, tree, budget):
    """Reached items, all items, states, seconds."""
    output, seconds = run([program, "cover", str(path), *(["--tree", tree] if tree else []), "--format", "json", "-j", "1", "--budget", budget], None)
    trees = json.loads(output)["trees"]
    items = [item for each in trees for item in each["items"]]
    return sum(item["reached"] is True for item in items), len(items), sum(each["states"] for each in trees), seconds


def proved(program, path, budget):
    output, seconds = run([program, "prove", str(path), "--format", "json", "-j", "1", "--budget", budget], None)
    results = json.loads(output)["results"]
    return results[0]["result"], results[0]["states"], seconds


def write_cost(rows, budget):
    page = ROOT / "schemas" / "cost.md"
    text = page.read_text()
    section = "\n".join([
        BEGIN, "", f"Made by `python3 tests/bench/explored.py BEFORE AFTER NAME=PATH... --cost`: `cover` with `--budget {budget}`, and `prove` of a property that holds, on one core, before",
        "and after ways through an update that meet are followed once, what results rule out is not looked for, random runs go on from what is found, and parts",
        "that a property is not about are left out. The first trees are those of other people, named by where they are from; the others are made. The older program does not", "know the words of the properties.", "",
        "| tree | dialect | items | reached: before | after | states: before | after | seconds: before | after |", "|---|---|---|---|---|---|---|---|---|", *rows, "", ""])
    text = re.sub(f"{re.escape(BEGIN)}.*?(?={re.escape(END)})", "", text, flags=re.S)
    page.write_text(text.replace(END, section + END, 1))


def main():
    words = sys.argv[1:]
    budget = words.pop(words.index("--budget") + 1) if "--budget" in words else "100000"
    before, after, *given = [word for word in words if not word.startswith("--")]
    programs = [str(pathlib.Path(program).resolve()) for program in (before, after)]
    rows = []

    def add(name, dialect, path, tree=""):
        old, new = (covered(program, path, tree, budget) for program in programs)
        rows.append(f"| {name} | {dialect} | {new[1]} | {old[0]} | {new[0]} | {old[2]:,} | {new[2]:,} | {old[3]:.2f} | {new[3]:.2f} |")
        print(rows[-1], flush=True)

    for each in given:
        name, path = each.split("=", 1)
        path, _, tree = path.partition(":")
        dialect = "btcpp" if "BTCPP" in pathlib.Path(path).read_text() or "BehaviorTree ID" in pathlib.Path(path).read_text() else "modular"
        add(name, dialect, path, tree)
    with tempfile.TemporaryDirectory() as temporary:
        for number, (name, (dialect, file, text, configuration)) in enumerate(MADE.items()):
            folder = pathlib.Path(temporary, str(number))
            folder.mkdir()
            (folder / file).write_text(text)
            (folder / "espalier.json").write_text(configuration)
            add(name.strip(), dialect, folder)
            if name not in PROVED:
                continue
            (folder / "p.properties.json").write_text(json.dumps({"properties": [{"name": "p", **PROVED[name]}]}))
            results = []
            for program in programs:
                try:
                    results.append(proved(program, folder, budget))
                except (json.JSONDecodeError, IndexError):  # an older program does not know the words
                    results.append(("unknown", 0, 0.0))
            old, new = results
            rows.append(f"| {name}: a property | {dialect} | 1 | {old[0]} | {new[0]} | {old[1]:,} | {new[1]:,} | {old[2]:.2f} | {new[2]:.2f} |")
            print(rows[-1], flush=True)
    if "--cost" in sys.argv:
        write_cost(rows, budget)


if __name__ == "__main__":
    main()
