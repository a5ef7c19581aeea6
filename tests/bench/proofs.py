#!/usr/bin/env python3
"""What proofs and exploration cost: proofs.py ESPALIER [listed]

Prints seconds of processor time and memory for lint's proofs and `cover` of selection trees of 1,000 leaves, 64 variables and
3 machines, in several shapes. Then, for trees of the other kinds, whose states are listed: how many states a minute (`states` of the
JSON) `cover` and `prove` explore on one processor, start-up included, where half of a cover's budget is for random runs that list none; how
much memory a state takes beside the agent's block; and how long two threads take. Wall times mean little unless the machine is idle. `listed`: only these.
"""
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

import explored_trees

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def condition(dice, terms):
    words = [("!" if dice.random() < 0.3 else "") + f"V{dice.randrange(64)}" for _ in range(terms)]
    return dice.choice([" and ", " or "]).join(words)


def leaves(dice, names, terms):
    return "".join(f'<Leaf name="{name}" condition="{condition(dice, dice.randint(*terms))}"/>' for name in names)


def nested(dice, names, depth=4):
    """Groups of groups, with random conditions on each."""
    if len(names) < 8 or depth == 0:
        return leaves(dice, names, (1, 3))
    size = len(names) // 5 + 1
    parts = [names[i:i + size] for i in range(0, len(names), size)]
    return "".join(f'<Priority name="P{part[0]}" condition="{condition(dice, 2)}">{nested(dice, part, depth - 1)}</Priority>' for part in parts)


def machine(dice, number, states=5, content=None):
    """A ring of states; `content` gives what is in each."""
    inside = content or (lambda i: f'<Leaf name="M{number}L{i}"/>')
    parts = "".join(
        f'<State name="S{i}"><Transition state="S{(i + 1) % states}" condition="{condition(dice, 2)}"/>{inside(i)}</State>' for i in range(states))
    return f'<StateMachine name="M{number}" condition="{condition(dice, 1)}">{parts}</StateMachine>'


def in_machines(dice, names):
    """Most leaves in the states of three machines."""
    parts = [names[i::15] for i in range(15)]
    return "".join(machine(dice, number, 5, lambda i, number=number: f'<Priority name="G{number}S{i}">{leaves(dice, parts[number * 5 + i], (1, 3))}<Leaf name="E{number}S{i}"/></Priority>')
                   for number in range(3))


# What is beside the leaves: three machines, unless the leaves are in them.
SHAPES = {
    "nested": lambda dice, names: "".join(machine(dice, i) for i in range(3)) + nested(dice, names),
    "flat": lambda dice, names: "".join(machine(dice, i) for i in range(3)) + leaves(dice, names, (4, 4)),
    "flat-short": lambda dice, names: "".join(machine(dice, i) for i in range(3)) + leaves(dice, names, (1, 4)),
    "machines-last": lambda dice, names: nested(dice, names) + "".join(machine(dice, i) for i in range(3)),
    "in-machines": in_machines,
}


def tree(shape, has_conditions):
    """`has_conditions`: some signals give variables the value of a condition."""
    dice = random.Random(7)
    nodes = SHAPES[shape](dice, [f"L{i}" for i in range(985)])
    variables = "".join(f'<Variable name="V{i}"/>' for i in range(64))
    signals = "".join(f'<Signal name="S{i % 12}" variable="V{dice.randrange(64)}" value="{dice.choice(["true", "false"])}"/>' for i in range(24))
    if has_conditions:
        signals += "".join(f'<Signal name="S{i % 12}" variable="V{dice.randrange(64)}" value="{condition(dice, 2)}"/>' for i in range(6))
    return (f'<SelectionTree name="T" type="BehaviorSelectionTree"><Variables>{variables}</Variables><SignalVariables>{signals}</SignalVariables>'
            f'<Priority name="R">{nodes}<Leaf name="Last"/></Priority></SelectionTree>')


def run(*command):
    """Output, seconds of processor time, and the most memory of the command in KiB."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env={**os.environ, "XDG_CACHE_HOME": "/dev/null"})
    output = process.stdout.read()
    _, _, usage = os.wait4(process.pid, 0)
    return output, usage.ru_utime + usage.ru_stime, usage.ru_maxrss


def measure_selecting(espalier, folder):
    print("selection trees of 1,000 leaves, 64 variables and 3 machines; those with '+' have signals with conditions, and 16 variables that only signals set")
    for shape in SHAPES:
        for more in ("", "+"):
            project = pathlib.Path(folder, shape + more)
            project.mkdir()
            if more:
                (project / "espalier.json").write_text(json.dumps({"selection": {"signalOnly": [f"V{i}" for i in range(0, 64, 4)]}}))
            file = project / "tree.xml"
            file.write_text(tree(shape, bool(more)))
            _, lint_seconds, _ = run(espalier, "lint", str(file), "--max-findings", "1")
            output, seconds, memory = run(espalier, "cover", str(file), "--format", "json", "-j", "1")
            print(f"{shape}{more}: lint {lint_seconds:.2f} s; cover {seconds:.2f} s, {memory / 1024:.0f} MiB, {json.loads(output)['summary']}", flush=True)


def cover(espalier, paths, budget, threads=1):
    """States, seconds of processor time, seconds, memory in bytes, and all of the output."""
    begin = time.monotonic()
    output, seconds, memory = run(espalier, "cover", *paths, "--budget", str(budget), "--format", "json", "-j", str(threads))
    return json.loads(output)["trees"][0]["states"], seconds, time.monotonic() - begin, memory * 1024, output


def proved_a_minute(espalier, project, kind):
    """States, in millions, of a property that no state shows."""
    (project / "p.properties.json").write_text(json.dumps({"properties": [{"name": "p", "never": explored_trees.NEVER[kind]}]}))
    output, seconds, _ = run(espalier, "prove", str(project), "--budget", "1000000", "--format", "json", "-j", "1")
    return json.loads(output)["results"][0]["states"] / seconds * 60 / 1e6


def block_bytes(espalier, project):
    """Of an agent of the project's only tree."""
    asset = project / "tree.espb"
    run(espalier, "compile", str(project), "-o", str(asset))
    return int(run(espalier, "dump", str(asset))[0].split(b"agent_bytes=")[1].split()[0])


def measure_listed(espalier, folder):
    for kind, (name, text, configuration) in explored_trees.TREES.items():
        project = pathlib.Path(folder, kind)
        project.mkdir()
        (project / name).write_text(text)
        (project / "espalier.json").write_text(configuration)
        few_states, _, _, few_memory, _ = cover(espalier, [str(project)], 20_000)
        states, seconds, wall, memory, output = cover(espalier, [str(project)], 1_000_000)
        _, more_seconds, more_wall, _, more_output = cover(espalier, [str(project)], 1_000_000, 2)
        proved = f"; prove: {proved_a_minute(espalier, project, kind):.1f} million a minute" if kind in explored_trees.NEVER else ""
        # The states of one search are in memory until the next one ends.
        bytes_a_state = (memory - few_memory) / (states - few_states) - block_bytes(espalier, project)
        print(f"cover, {kind}: {states:,} states in {seconds:.2f} s, {states / seconds * 60 / 1e6:.1f} million a minute{proved}; {bytes_a_state:.0f} bytes a state beside the block; "
              f"-j 1 {wall:.2f} s, -j 2 {more_wall:.2f} s ({more_seconds:.2f} s of processor time), {'the same' if output == more_output else 'ANOTHER'} output", flush=True)
    for sample, name in (("modular", "sentry"), ("synchronized", "Squad"), ("deciders", "Creature"), ("dragengine", "watchman")):
        states, seconds, _, memory, _ = cover(espalier, [str(ROOT / "samples" / sample), "--tree", name], 2_000_000)
        print(f"cover, {name}: {states:,} states in {seconds:.2f} s, {states / seconds * 60 / 1e6:.2f} million a minute, {memory / 1024 / 1024:.0f} MiB", flush=True)


def main():
    espalier = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        if sys.argv[2:] != ["listed"]:
            measure_selecting(espalier, folder)
        measure_listed(espalier, folder)


if __name__ == "__main__":
    main()
