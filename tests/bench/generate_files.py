#!/usr/bin/env python3
"""Generates files of about 100 nodes for each dialect, and traces, always the same ones.

usage: generate_files.py FOLDER COUNT     writes COUNT files for each dialect into FOLDER/DIALECT
"""
import pathlib
import random
import sys


class Writer:
    """Lines of one file, and how many nodes they have."""

    def __init__(self, dice, is_leaf, is_full, depth):
        self.dice, self.lines, self.count = dice, [], 0
        self.leaf_chance, self.full, self.depth = is_leaf, is_full, depth

    def node(self, depth, leaf, inner):
        """A leaf, or an inner node with 3 to 5 below it: `leaf` gives lines, `inner` those before and after its children."""
        self.count += 1
        indent = "  " * (depth + 1)
        if depth >= self.depth or (depth > 1 and self.dice.random() < self.leaf_chance) or self.count > self.full:
            self.lines += [indent + line for line in leaf(self.count)]
            return
        before, after = inner(self.count)
        self.lines += [indent + line for line in before]
        for _ in range(self.dice.randint(3, 5)):
            self.node(depth + 1, leaf, inner)
        self.lines.append(indent + after)

    def fill(self, leaf, inner):
        while self.count < self.full:
            self.node(1, leaf, inner)
        return self.lines


def any_of(dice, name, count):
    return f"{name}{dice.randrange(count)}"


def terms(dice, name, count, most, join):
    chosen = dice.sample(range(count), dice.randint(1, most))
    return join.join(("!" if dice.random() < 0.3 else "") + f"{name}{i}" for i in chosen)


def selection(dice, number):
    lines = [f'<SelectionTree name="T{number}" type="BehaviorSelectionTree">', "  <Variables>"]
    lines += [f'    <Variable name="v{i}"/>' for i in range(16)]
    lines += ["  </Variables>", '  <Priority name="Root">']
    condition = lambda most: f' condition="{terms(dice, "v", 16, most, dice.choice([" and ", " and ", " or "]))}"'
    for group in range(8):
        lines.append(f'    <Priority name="Group{group}"{condition(2) if group < 7 else ""}>')
        lines += [f'      <Leaf name="Leaf{group * 10 + i}"{condition(3) if i < 9 else ""}/>' for i in range(10)]
        lines.append("    </Priority>")
    return lines + ["  </Priority>", "</SelectionTree>"]


def modular(dice, number):
    del number
    lines = ["<BehaviorTree>", "  <Variables>"] + [f'    <Variable name="Var{i}"/>' for i in range(8)]
    lines += ["  </Variables>", "  <SignalVariables>"]
    lines += [f'    <Signal name="Signal{i}" variable="Var{i}" value="true"/>' for i in range(8)]
    lines += ["  </SignalVariables>", "  <Root>", "    <Loop><Selector>"]

    def leaf(_):
        if dice.random() < 0.9:
            return [f'<Act{dice.randrange(10)} name="thing{dice.randrange(10)}" duration="{dice.randint(1, 9)}.5"/>']
        return [f'<Log message="text {dice.randrange(10)}"/>']

    def inner(_):
        if dice.random() < 0.3:
            condition = f'{any_of(dice, "Var", 8)} {dice.choice(["and", "or"])} {any_of(dice, "Var", 8)}'
            return [f'<Priority><Case condition="{condition}"><Act0/></Case><Case><Sequence>'], "</Sequence></Case></Priority>"
        kind = dice.choice(["Sequence", "Selector"])
        return [f"<{kind}>"], f"</{kind}>"

    lines += Writer(dice, 0.45, 95, 5).fill(leaf, inner)
    return lines + ["    </Selector></Loop>", "  </Root>", "</BehaviorTree>"]


def dragengine(dice, number):
    del number
    conditions = lambda: [f"  <condition>{any_of(dice, 'cond', 20)}</condition>" for _ in range(dice.randint(0, 2))]

    def leaf(i):
        parameter = f"  <parameter name='p'>{dice.randrange(10)}</parameter>"
        return [f"<action id='a{i}' name='{any_of(dice, 'act', 16)}'>", *conditions(), parameter, "</action>"]

    def inner(i):
        kind = dice.choice(["sequence", "choice"])
        return [f"<{kind} id='n{i}'>", *conditions()], f"</{kind}>"

    lines = Writer(dice, 0.5, 95, 5).fill(leaf, inner)
    return ["<behaviorTree>", "  <sequence id='root'>", *lines, "  </sequence>", "</behaviorTree>"]


def decider(dice, number):
    lines = [f'<DeciderTree name="D{number}">', "  <DecisionFlags>"] + [f'    <Flag name="F{i}"/>' for i in range(8)]
    lines += ["  </DecisionFlags>", "  <Stimuli>"] + [f'    <Stimulus name="S{i}"/>' for i in range(6)]
    lines += ["  </Stimuli>", "  <Behaviors>"] + [f'    <Behavior name="B{i}"/>' for i in range(20)] + ["  </Behaviors>"]
    lines.append('  <Group name="Root" policy="prioritizedList">')

    def wanted():
        flags = f' flagsAll="{terms(dice, "F", 8, 2, " ")}"' if dice.random() < 0.6 else ""
        return flags + (f' stimuliAny="{any_of(dice, "S", 6)}"' if dice.random() < 0.4 else "")

    def inner(i):
        policy = dice.choice(["prioritizedList", "sequential", "random"])
        return [f'<Group name="N{i}" policy="{policy}"{wanted()}>'], "</Group>"

    lines += Writer(dice, 0.5, 75, 4).fill(lambda i: [f'<Decider name="N{i}" behavior="{any_of(dice, "B", 20)}"{wanted()}/>'], inner)
    return lines + ["  </Group>", "</DeciderTree>"]


def synchronized(dice, number):
    def leaf(_):
        kind, name = ("Action", "Act") if dice.random() < 0.7 else ("Condition", "Cond")
        return [f'<{kind} name="{any_of(dice, name, 16)}"/>']

    def inner(_):
        kind = dice.choice(["Sequence", "Selector"])
        return [f"<{kind}>"], f"</{kind}>"

    lines = Writer(dice, 0.5, 95, 5).fill(leaf, inner)
    return [f'<SynchronizedTree name="S{number}">', "  <Sequence>", *lines, "  </Sequence>", "</SynchronizedTree>"]


def btcpp(dice, number):
    """Programs of ten files, each with a tree that uses that of the next; the first file declares the host's nodes."""
    place = number % 10
    lines = ['<root BTCPP_format="4"' + (f' main_tree_to_execute="Tree{number}">' if place == 0 else ">")]
    if number == 0:
        lines.append("  <TreeNodesModel>")
        for i in range(16):
            ports = '<input_port name="goal" type="int"/><output_port name="done" type="int"/>'
            lines.append(f'    <Action ID="Act{i}">{ports}</Action>')
        lines.append("  </TreeNodesModel>")
    lines += [f'  <BehaviorTree ID="Tree{number}">', "    <Sequence>"]
    lines.append('      <Script code="goal := 1; done := 0"/>')
    if place < 9:
        lines.append(f'      <SubTree ID="Tree{number + 1}" goal="{{goal}}" done="{{done}}"/>')

    def leaf(_):
        if dice.random() < 0.8:
            return [f'<{any_of(dice, "Act", 16)} goal="{{goal}}" done="{{done}}"/>']
        return [f'<ScriptCondition code="goal &gt; {dice.randrange(10)} &amp;&amp; done == 0"/>']

    def inner(_):
        kind = dice.choice(["Sequence", "Fallback"])
        return [f"<{kind}>"], f"</{kind}>"

    lines += ["    " + line for line in Writer(dice, 0.5, 95, 5).fill(leaf, inner)]
    return lines + ["    </Sequence>", "  </BehaviorTree>", "</root>"]


DIALECTS = {make.__name__: make for make in (selection, modular, dragengine, decider, synchronized, btcpp)}


def write_files(folder, count):
    """The dialect's folder by its name."""
    folders = {}
    for name, make in DIALECTS.items():
        dice = random.Random(name)
        folders[name] = pathlib.Path(folder) / name
        folders[name].mkdir(parents=True, exist_ok=True)
        for i in range(count):
            (folders[name] / f"t{i:05}.xml").write_text("\n".join(make(dice, i)) + "\n")
    return folders


# Of a project of the samples: the lines before, and those to choose from. Each update of an engine below `times` changes something.
TRACES = {
    "selection": ("guard", ['{"trace": 1, "tree": "Guard"}'],
                  ['{"signal": "OnNoise"}', '{"signal": "OnCalmDown"}', '{"signal": "OnEnemySeen"}', '{"signal": "OnEnemyLost"}',
                   '{"tick": 0.1}', '{"tick": 0.1}', '{"tick": 0.1}', '{"set": {"Alerted": true}}', '{"set": {"Alerted": false}}']),
    "modular": ("modular", ['{"trace": 1, "tree": "drone"}', '{"host": {"Repair": "success"}}'],
                ['{"signal": "OnDamage"}', '{"tick": 0.1}', '{"tick": 0.1}', '{"tick": 0.1}', '{"host": {"Repair": "running"}}',
                 '{"host": {"Repair": "success"}}']),
    "decider": ("deciders", ['{"trace": 1, "seed": 7}',
                             '{"host": {"IsTired": 0, "SeesIntruder": 0, "ShouldFlee": 1, "CarcassNear": 2, "BerriesNear": 1, "IntruderNear": 1}}',
                             '{"host": {"IdleWalk": "running", "Chew": "running", "WalkTo": "running", "OnGuard": "running", "Growl": "running", '
                             '"Patrol": "running", "Flee": "running"}}'],
                ['{"signal": "OnScent", "data": "north"}', '{"tick": 1}', '{"tick": 1}', '{"tick": 1}', '{"signal": "OnDamage"}',
                 '{"host": {"Flee": "running"}}', '{"host": {"Flee": "failure"}}']),
    "synchronized": ("synchronized", ['{"trace": 1, "tree": "Squad", "agents": 3}',
                                      '{"host": {"HeardNoise": false, "SpottedEnemy": false}, "agent": "all"}',
                                      '{"host": {"WalkToNextPost": "running", "SitDown": "success", "WarmHands": "running", '
                                      '"StandAround": "running", "Investigate": "running"}, "agent": "all"}'],
                     ['{"tick": 1, "agent": 0}', '{"tick": 1, "agent": 1}', '{"tick": 1}', '{"host": {"HeardNoise": true}, "agent": 1}',
                      '{"host": {"HeardNoise": false}, "agent": 1}']),
    "dragengine": ("dragengine", ['{"trace": 1, "tree": "watchman"}',
                                  '{"host": {"tired": false, "intruder.seen": false, "walk.to": "running", "raise.alarm": "success", '
                                  '"turn.to": "running", "noise.known": true}}'],
                   ['{"tick": 1}', '{"tick": 1}', '{"jump": "noise"}', '{"host": {"walk.to": "running"}}', '{"host": {"walk.to": "success"}}']),
}


def trace(name, line_count):
    _, first, others = TRACES[name]
    dice = random.Random(name)
    return "\n".join(first + [dice.choice(others) for _ in range(line_count - len(first))]) + "\n"


def times_trace(name, update_count):
    return "\n".join(TRACES[name][1] + [f'{{"tick": 0.1, "times": {update_count}}}']) + "\n"


if __name__ == "__main__":
    write_files(sys.argv[1], int(sys.argv[2]))
