#!/usr/bin/env python3
"""What proofs and exploration cost: proofs.py ESPALIER

Prints seconds of processor time and memory for lint's proofs and `cover` of a selection tree of 1,000 leaves, 64
variables and 3 machines, nested and as one list; and how many states a minute the exploration of trees of the other kinds looks at on
one processor. A state of a tree of deciders has about a thousand next states, one for each combination of answers.
"""
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def condition(dice, terms):
    words = [("!" if dice.random() < 0.3 else "") + f"V{dice.randrange(64)}" for _ in range(terms)]
    return dice.choice([" and ", " or "]).join(words)


def priority(dice, names, depth):
    """Nodes with about len(names) leaves below them."""
    if len(names) < 8 or depth == 0:
        return "".join(f'<Leaf name="{name}" condition="{condition(dice, dice.randint(1, 3))}"/>' for name in names)
    size = len(names) // 5 + 1
    parts = [names[i:i + size] for i in range(0, len(names), size)]
    return "".join(f'<Priority name="P{part[0]}" condition="{condition(dice, 2)}">{priority(dice, part, depth - 1)}</Priority>' for part in parts)


def machine(dice, number):
    states = "".join(
        f'<State name="S{i}"><Transition state="S{(i + 1) % 5}" condition="{condition(dice, 2)}"/><Leaf name="M{number}L{i}"/></State>' for i in range(5))
    return f'<StateMachine name="M{number}" condition="{condition(dice, 1)}">{states}</StateMachine>'


def tree(is_flat):
    dice = random.Random(7)
    names = [f"L{i}" for i in range(985)]
    machines = "".join(machine(dice, i) for i in range(3))
    leaves = "".join(f'<Leaf name="{name}" condition="{condition(dice, 4)}"/>' for name in names) if is_flat else priority(dice, names, 4)
    variables = "".join(f'<Variable name="V{i}"/>' for i in range(64))
    signals = "".join(f'<Signal name="S{i % 12}" variable="V{dice.randrange(64)}" value="{dice.choice(["true", "false"])}"/>' for i in range(24))
    return (f'<SelectionTree name="T" type="BehaviorSelectionTree"><Variables>{variables}</Variables><SignalVariables>{signals}</SignalVariables>'
            f'<Priority name="R">{machines}{leaves}<Leaf name="Last"/></Priority></SelectionTree>')


def run(*command):
    """Output, seconds of processor time, and the most memory of the command in KiB."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env={**os.environ, "XDG_CACHE_HOME": "/dev/null"})
    output = process.stdout.read()
    _, _, usage = os.wait4(process.pid, 0)
    return output, usage.ru_utime + usage.ru_stime, usage.ru_maxrss


def main():
    espalier = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        for shape in ("nested", "flat"):
            file = pathlib.Path(folder, f"{shape}.xml")
            file.write_text(tree(shape == "flat"))
            _, seconds, memory = run(espalier, "lint", str(file), "--max-findings", "1")
            print(f"lint, {shape}, 1,000 leaves, 64 variables, 3 machines: {seconds:.2f} s, {memory / 1024:.0f} MiB")
            output, seconds, memory = run(espalier, "cover", str(file), "--format", "json", "-j", "1")
            summary = json.loads(output)["summary"]
            print(f"cover, {shape}: {seconds:.2f} s, {memory / 1024:.0f} MiB, {summary}")
    for sample, name, budget in (("modular", "sentry", 2_000_000), ("synchronized", "Squad", 200_000), ("deciders", "Creature", 20_000), ("dragengine", "watchman", 2_000_000)):
        output, seconds, memory = run(espalier, "cover", str(ROOT / "samples" / sample), "--tree", name, "--budget", str(budget), "--format", "json", "-j", "1")
        states = json.loads(output)["trees"][0]["states"]
        print(f"cover, {name}, one thread: {states:,} states in {seconds:.2f} s, {states / seconds * 60 / 1e6:.2f} million a minute, {memory / 1024:.0f} MiB")


if __name__ == "__main__":
    main()
