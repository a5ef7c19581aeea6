"""Trees whose exploration takes seconds: one of each kind whose states are listed.

Each has something that cannot be reached, or only at the end, so that all its states are explored, and updates like those of trees in the field: most only go
on with what runs, and ask the host one to three things. What a state costs is mostly what its next states do: a signal, a write or an update
each, 15 to 50 of them.
"""


def modular(states=8, actions=4, variables=7):
    """A machine whose states are sequences of actions and waits, behind conditions."""
    def state(number):
        steps = "".join(f'<Move to="RefPoint"/><Wait duration="{1 + (number + i) % 3}"/>' if i % 2 else f'<Animate name="A{(number + i) % 3}"/>'
                        for i in range(actions))
        transitions = "".join(f'<Transition onEvent="E{i}" to="S{(number + 2 * i + 1) % states}"/>' for i in range(3))
        guarded = f'<Sequence><AssertCondition condition="V{number % variables} and !V{(number + 3) % variables}"/>{steps}</Sequence>'
        return (f'<State name="S{number}"><Transitions>{transitions}</Transitions><BehaviorTree><Loop><Priority>'
                f'<Case condition="V{(number + 1) % variables}"><SuppressFailure>{guarded}</SuppressFailure></Case>'
                f'<Case><Sequence><Wait duration="2"/><SuppressFailure><Move to="RefPoint"/></SuppressFailure></Sequence></Case></Priority></Loop></BehaviorTree></State>')
    machine = "".join(map(state, range(states))) + state(states)  # no transition leads to the last one
    return (f'<BehaviorTree><Variables>{"".join(f"<Variable name={chr(34)}V{i}{chr(34)}/>" for i in range(variables))}</Variables>'
            '<Timestamps><Timestamp name="Seen" setOnEvent="E0"/></Timestamps>'
            f'<Root><StateMachine>{machine}</StateMachine></Root></BehaviorTree>')


def rules(lists=8, actions=6):
    """Lists of actions, each an update long, that conditions end."""
    inside = ""
    for i in range(lists):
        steps = "".join(f'<action name="A{(i * 5 + k) % 12}"><condition>C{(i + k) % 5}</condition></action><yield/>' for k in range(actions))
        inside += f'<choice><sequence>{steps}</sequence><action name="A{i}"/></choice>'
    return f'<behaviorTree><sequence loop="true">{inside}</sequence></behaviorTree>'


def deciders(groups=5, children=6, flags=4, stimuli=5):
    """Groups whose children take turns, for flags and stimuli."""
    def names(tag, one, prefix, count):
        return f'<{tag}>{"".join(f"<{one} name={chr(34)}{prefix}{i}{chr(34)}/>" for i in range(count))}</{tag}>'
    def child(group, number):
        wanted = f' stimuliAny="T{(group + number) % stimuli}"' if number % 3 == 1 else ""
        return f'<Decider name="D{group}x{number}" behavior="B{number % 2}"{wanted}/>'
    inside = "".join(f'<Group name="G{i}" policy="sequential" flagsAny="F{i % flags} F{(i + 1) % flags}">{"".join(child(i, k) for k in range(children))}</Group>'
                     for i in range(groups))
    return (f'<DeciderTree name="T" maxRedecides="1">{names("DecisionFlags", "Flag", "F", flags)}{names("Stimuli", "Stimulus", "T", stimuli)}'
            f'{names("Behaviors", "Behavior", "B", 2)}<Group name="Root" policy="prioritizedList">{inside}'
            '<Decider name="Last" behavior="B0"/><Decider name="Next" behavior="B0"/><Decider name="Never" behavior="B1"/></Group></DeciderTree>')


def synchronized(repeats=3, count=100):
    """Actions that are repeated side by side."""
    inside = "".join(f'<Repeat count="{count}"><Action name="A{i}"/></Repeat>' for i in range(repeats))
    return f'<SynchronizedTree name="T"><Parallel success="all" failure="all">{inside}</Parallel></SynchronizedTree>'


def polling(counters=3, most=40):
    """Counters of the blackboard, each of which an update may count up."""
    def counter(number):
        return (f'<ForceSuccess><Sequence><C{number}/><ScriptCondition code="n{number} &lt; {most}"/><Script code="n{number} += 1"/><A{number}/></Sequence></ForceSuccess>')
    inside = "".join(map(counter, range(counters)))
    begin = "; ".join(f"n{i} := 0" for i in range(counters))
    names = "".join(f'<Condition ID="C{i}"/><Action ID="A{i}"/>' for i in range(counters))
    return (f'<root BTCPP_format="4" main_tree_to_execute="T"><BehaviorTree ID="T"><Sequence><RunOnce><Script code="{begin}"/></RunOnce>'
            f'<ParallelAll>{inside}</ParallelAll><ScriptCondition code="n0 &gt; {most}"/></Sequence></BehaviorTree>'
            f'<TreeNodesModel>{names}</TreeNodesModel></root>')


# What no state of them shows; a tree of rules has few without the answers of the program, of which a cover looks at more.
NEVER = {
    "modular": {"status": "success", "running": ["Animate", "Move"]},
    "deciders": {"behavior": "B1", "path": ["Never"]},
    "synchronized": {"status": "success", "runs": ["A0", "A1", "A2"]},
    "btcpp": {"status": "success", "runs": ["A0", "A1", "A2"]},
}
# By kind: the name of the file, its text, and espalier.json.
TREES = {
    "modular": ("tree.xml", modular(), '{"hostFiles": ["espalier:cryengine"]}'),
    "dragengine": ("tree.debt", rules(), "{}"),
    "deciders": ("tree.xml", deciders(), "{}"),
    "synchronized": ("tree.xml", synchronized(), "{}"),
    "btcpp": ("tree.xml", polling(), "{}"),
}
