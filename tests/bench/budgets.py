#!/usr/bin/env python3
"""Does the default budget of `cover` reach what ten times as much does? budgets.py ESPALIER [PATH...] [--cost]

For each tree of the files and folders, a row: how many of its items the default budget reaches, how many states that takes and, for each
file or folder, how many seconds of the processor; and the same for ten times the budget. Without PATHs three trees of the shapes of trees
in the field: a robot that plays football, one that drives, and a soldier. Fails if a tree has less than 95 % of the items that
ten times the budget reaches. --cost writes the rows into schemas/cost.md.
"""
import json
import pathlib
import re
import resource
import subprocess
import sys
import tempfile

LEAST_PERCENT = 95
ROOT = pathlib.Path(__file__).resolve().parents[2]
BEGIN, END = "## What the default budget reaches", "## Growth"


def football():
    """What the referee says decides, several conditions deep, which of the robot's subtrees runs."""
    def when(condition, inside):
        return f'<ReactiveSequence _while="{condition}">{inside}</ReactiveSequence>'

    def use(tree, condition=""):
        return f'<SubTree ID="{tree}" _autoremap="true"' + (f' _while="{condition}"' if condition else "") + "/>"

    def decided(role):
        kinds = "".join(f'<{role}{i} _while="decision==\'{name}\'"/>' for i, name in enumerate(("chase", "kick", "adjust", "assist", "find")))
        return f'<BehaviorTree ID="{role}"><Sequence><Decide{role} decision="{{decision}}"/>{use("Find", "decision==" + chr(39) + "find" + chr(39))}{kinds}</Sequence></BehaviorTree>'
    find = ('<BehaviorTree ID="Find"><Sequence><ReactiveSequence _while="!ball_known"><BackToField/><FastScan/></ReactiveSequence>'
            '<TurnOnSpot/><ReactiveSequence _while="!ball_known"><BackToField/><FastScan/></ReactiveSequence></Sequence></BehaviorTree>')
    camera = ('<BehaviorTree ID="Camera"><IfThenElse><ScriptCondition code="ball_known"/><Sequence><TrackBall/></Sequence><Sequence><FindBall/></Sequence>'
              '</IfThenElse></BehaviorTree>')
    play = "".join(when(f"state=='{state}'", inside) for state, inside in (
        ("INITIAL", use("Camera") + "<Enter/>"), ("READY", "<Head/><GoToReady/>" + use("Find")), ("SET", use("Camera") + "<Stand/>"),
        ("PLAY", use("Striker", "role=='striker'") + use("Keeper", "role=='keeper'")), ("END", "<Stand/>")))
    kick = "".join(when(f"sub_state=='{state}'", inside) for state, inside in (
        ("STOP", use("Camera") + use("Find", "ball_located") + "<Stand/>"),
        ("GET_READY", use("Find", "ball_located") + use("Striker", "role=='striker'") + use("Keeper", "role=='keeper'")), ("SET", use("Camera"))))
    main = (when("control==1 || assisted", '<Chase _while="assisted"/><Kick/>') + when("control==2", use("Camera", "calibrated") + "<Enter/>") +
            when("control==3 &amp;&amp; !by_hand", when("penalized", "<Stand/>" + use("Camera", "calibrated")) +
                 when("!penalized", when("kind=='TIMEOUT'", "<Stand/>") + when("kind=='NONE'", play) + when("kind=='FREE_KICK' &amp;&amp; state=='PLAY'", kick))))
    return "football.xml", f'<root BTCPP_format="4"><BehaviorTree ID="Football"><Sequence>{main}</Sequence></BehaviorTree>{find}{camera}{decided("Striker")}{decided("Keeper")}</root>'


def driver():
    """Plans while it drives; what fails is recovered from, in turns."""
    def recovered(number, child, clear):
        return f'<RecoveryNode number_of_retries="{number}">{child}{clear}</RecoveryNode>'
    clears = "".join(f'<Sequence><Clear{i}/><Wait{i}/></Sequence>' for i in range(3))
    plan = recovered(1, '<RateController hz="1.0"><ReactiveSequence><Inverter><GoalReached/></Inverter><Plan path="{path}"/></ReactiveSequence></RateController>', "<ClearAll/>")
    drive = recovered(1, '<Follow path="{path}"/>', "<Fallback><WouldHelp/><ClearNear/></Fallback>")
    again = f'<ReactiveFallback><NewGoal/><RoundRobin>{clears}<Spin/><BackUp/></RoundRobin></ReactiveFallback>'
    return "driver.xml", f'<root BTCPP_format="4"><BehaviorTree ID="Driver">{recovered(6, f"<PipelineSequence>{plan}{drive}</PipelineSequence>", again)}</BehaviorTree></root>'


def soldier():
    """A machine of many states, left on events, with waits and actions behind conditions in each."""
    def state(number):
        steps = "".join(f'<Sequence><AssertCondition condition="{"!" * (i % 2)}V{(number + i) % 6}"/><Animate name="A{number}{i}"/><Wait duration="{1 + i}"/></Sequence>' for i in range(4))
        transitions = "".join(f'<Transition onEvent="E{(number + i) % 5}" to="S{(number * 3 + i + 1) % 12}"/>' for i in range(3))
        return f'<State name="S{number}"><Transitions>{transitions}</Transitions><BehaviorTree><Loop><Selector>{steps}<Animate name="Idle{number}"/></Selector></Loop></BehaviorTree></State>'
    variables = "".join(f'<Variable name="V{i}"/>' for i in range(6))
    return "soldier.xml", f'<BehaviorTree><Variables>{variables}</Variables><Root><StateMachine>{"".join(map(state, range(12)))}</StateMachine></Root></BehaviorTree>'


def cover(espalier, path, *budget):
    """Items, reached ones, undecided ones and states of each tree, by name; and the processor's seconds for all."""
    begin = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([espalier, "cover", str(path), "--format", "json", "-j", "1", *budget], capture_output=True, text=True)
    end = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = end.ru_utime + end.ru_stime - begin.ru_utime - begin.ru_stime
    trees = json.loads(done.stdout)["trees"]
    def row(tree):
        reached = [item["reached"] for item in tree["items"]]
        return len(reached), reached.count(True), reached.count(None), tree["states"]

    return {tree["name"]: row(tree) for tree in trees}, seconds


def rows_of(espalier, paths):
    """The table's rows, and the trees that are below the goal."""
    rows, failed = [], []
    for path in paths:
        few, few_seconds = cover(espalier, path)
        # What is undecided may be unreachable, or reached by more: where it is little, the goal is met in any case.
        is_met = all(100 * reached >= LEAST_PERCENT * (reached + undecided) for _, reached, undecided, _ in few.values())
        many, many_seconds = (few, 0) if is_met else cover(espalier, path, "--budget", "10x")
        for number, name in enumerate(few):
            (items, reached, undecided, states), (_, more, _, more_states) = few[name], many[name]
            percent = 100 * reached / max(1, reached + undecided if is_met else more)
            if percent < LEAST_PERCENT:
                failed.append(name)
            seconds = f"{few_seconds:.1f}" if number == 0 else ""
            seconds_of_more = f"{many_seconds:.1f}" if number == 0 else ""
            rest = "all is decided | | |" if undecided == 0 else f"at most {more + undecided} | | |" if is_met else f"{more} | {more_states:,} | {seconds_of_more} |"
            rows.append(f"| {name} | {items} | {reached} | {states:,} | {seconds} | {rest} {percent:.1f} % |")
            print(rows[-1], flush=True)
    return rows, failed


def write_cost(rows):
    page = ROOT / "schemas" / "cost.md"
    text = page.read_text()
    section = "\n".join([
        BEGIN, "", "Made by `python3 tests/bench/budgets.py ESPALIER PATH... --cost`, with the trees of Nav2, of CRYENGINE's GameSDK and of a robot that plays",
        "football. Seconds of one core, for all trees of a file or folder; *more* is ten times the default budget, which is left out where what is\nundecided is too little to matter. The goal is 95 %.", "",
        "| tree | items | reached | states | seconds | more: reached | states | seconds | default of more |", "|---|---|---|---|---|---|---|---|---|", *rows, "", ""])
    text = re.sub(f"{re.escape(BEGIN)}.*?(?={re.escape(END)})", "", text, flags=re.S)
    page.write_text(text.replace(END, section + END, 1))


def main():
    espalier, paths = str(pathlib.Path(sys.argv[1]).resolve()), [word for word in sys.argv[2:] if not word.startswith("--")]
    with tempfile.TemporaryDirectory() as folder:
        if not paths:
            for name, text in (football(), driver(), soldier()):
                (pathlib.Path(folder, name[:-4])).mkdir()
                pathlib.Path(folder, name[:-4], name).write_text(text)
                paths.append(pathlib.Path(folder, name[:-4]))
        rows, failed = rows_of(espalier, paths)
    if "--cost" in sys.argv:
        write_cost(rows)
    if failed:
        sys.exit(f"less than {LEAST_PERCENT} % of what ten times the budget reaches: {', '.join(failed)}")
    print(f"{len(rows)} trees: the default reaches at least {LEAST_PERCENT} % of what ten times the budget does")


if __name__ == "__main__":
    main()
