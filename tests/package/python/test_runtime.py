"""The runtime, by what a program in Python sees of it."""
import dataclasses
import gc
import os
import pathlib
import pickle
import weakref

import espalier
import pytest

DRIVE = """<root BTCPP_format="4">
  <BehaviorTree ID="Drive">
    <ReactiveSequence>
      <IsBatteryOk/>
      <Plan goal="{goal}" way="{way}" retries="3"/>
      <Follow way="{way}" speed="0.5" careful="true"/>
    </ReactiveSequence>
  </BehaviorTree>
  <TreeNodesModel>
    <Condition ID="IsBatteryOk"/>
    <Action ID="Plan"><input_port name="goal" type="std::string"/><input_port name="retries" type="int"/>
      <output_port name="way" type="std::string"/></Action>
    <Action ID="Follow"><input_port name="way" type="std::string"/><input_port name="speed" type="double"/>
      <input_port name="careful" type="bool"/></Action>
  </TreeNodesModel>
</root>
"""


class Plan(espalier.Node):
    goal = espalier.Input(str)
    retries = espalier.Input(int)
    way = espalier.Output(str)

    def tick(self):
        self.agent.user.append(("plan", self.goal, self.retries))
        self.way = f"way to {self.goal}"


class Follow(espalier.Node):
    way = espalier.Input(str)
    speed = espalier.Input(float)
    careful = espalier.Input(bool)
    left = 3

    def enter(self):
        self.agent.user.append((self.way, self.speed, self.careful))

    def tick(self):
        self.left -= 1
        return espalier.RUNNING if self.left else espalier.SUCCESS

    def interrupt(self):
        self.agent.user.append("halted")


@pytest.fixture
def asset(tmp_path):
    (tmp_path / "drive.xml").write_text(DRIVE)
    return espalier.Asset.compile("drive.xml", folder=tmp_path).bind(Plan, Follow, IsBatteryOk=lambda: True)


def drive(asset, **options):
    agent = asset.agent("Drive", user=[], **options)
    agent["goal"] = "kitchen"
    return agent


def test_ports_have_the_types_of_the_class(asset):
    agent = drive(asset)
    assert agent.update(0.1) is espalier.RUNNING
    assert agent.user == [("plan", "kitchen", 3), ("way to kitchen", 0.5, True)]
    assert agent["way"] == "way to kitchen"
    assert [agent.update(0.1) for _ in range(2)] == [espalier.RUNNING, espalier.SUCCESS]


def test_functions_have_ports_as_arguments(asset):
    told = []

    def follow(way: str, speed: float, call: espalier.Call, agent: espalier.Agent, gear: int = 2) -> None:
        told.append((way, speed, call.name, agent.number, call.seconds, gear))
    asset.bind(Follow=follow)
    assert drive(asset).update(0.5) is espalier.SUCCESS
    assert told == [("way to kitchen", 0.5, "Follow", 0, 0.5, 2)]


def test_what_is_not_bound_is_named(asset):
    with pytest.raises(espalier.Error, match="nothing is bound to 'Follow', 'Plan', 'IsBatteryOk'"):
        espalier.Asset(bytes(asset._bytes)).bind()


def test_a_port_that_is_not_there_and_a_value_of_another_type_are_errors(asset):
    for name, kind, message in (("spede", float, "Follow: the port 'spede' has no value"), ("way", float, "could not convert")):
        asset.bind(Follow=type("Follow", (espalier.Node,), {name: espalier.Input(kind), "tick": lambda self, name=name: getattr(self, name)}))
        with pytest.raises(espalier.Error, match=message):
            drive(asset).update()


def test_an_exception_of_a_node_ends_the_update_and_is_raised(asset):
    asset.bind(IsBatteryOk=lambda: 1 // 0)
    agent = drive(asset)
    with pytest.raises(ZeroDivisionError):
        agent.update()
    assert agent.user == []


def test_a_halted_node_is_interrupted(asset):
    ok = [True]
    asset.bind(IsBatteryOk=lambda: ok[0])
    agent = drive(asset)
    agent.update()
    ok[0] = False
    assert agent.update() is espalier.FAILURE
    assert agent.user[-1] == "halted"


def test_a_saved_agent_goes_on_with_the_attributes_of_its_nodes(asset):
    agent = drive(asset)
    agent.update(1)
    saved = pickle.loads(pickle.dumps(agent.save()))
    agent.update(1)
    agent.update(1)
    other = drive(asset)
    other.restore(saved)
    assert [node.name for node in other.active] == ["ReactiveSequence", "Follow"]
    assert [other.update(), other.update()] == [espalier.RUNNING, espalier.SUCCESS]


def test_damaged_and_foreign_agents_are_refused(asset, tmp_path):
    agent = drive(asset)
    agent.update()
    saved = agent.save()
    with pytest.raises(espalier.Error, match="not one of an agent of this tree"):
        agent.restore(dataclasses.replace(saved, blocks=b"\xff" * len(saved.blocks)))
    (tmp_path / "drive.xml").write_text(DRIVE.replace("0.5", "0.7"))
    other = espalier.Asset.compile("drive.xml", folder=tmp_path).bind(Plan, Follow, IsBatteryOk=lambda: True)
    with pytest.raises(espalier.Error, match="another asset"):
        drive(other).restore(saved)


def test_many_agents_are_saved_together_with_their_clock(asset):
    agents = asset.agents("Drive", 50, user=[])
    for agent in agents:
        agent["goal"] = f"room {agent.number}"
    agents.update(2)
    saved = agents.save()
    assert agents.update(1) == [espalier.RUNNING] * 50
    assert agents.update(1) == [espalier.SUCCESS] * 50
    agents.restore(saved)
    assert agents.seconds == 2
    assert agents[49]["goal"] == "room 49"
    agents.update_all(1)
    assert agents.update(1) == [espalier.SUCCESS] * 50


def test_a_watcher_sees_each_step_until_it_stops(asset):
    agent = drive(asset)
    steps = []
    stop = agent.watch(steps.append)
    agent.update()
    assert ("complete", "Plan", 5, espalier.SUCCESS) in [(step.kind, step.node.name, step.node.line, step.value) for step in steps]
    stop()
    count = len(steps)
    agent.update()
    assert len(steps) == count


def test_values_that_are_no_entries_are_errors(asset):
    agent = drive(asset)
    with pytest.raises(KeyError, match="no entry 'gaol'"):
        agent["gaol"] = "kitchen"
    with pytest.raises(KeyError, match="no signal"):
        agent.signal("OnNoise")
    with pytest.raises(espalier.Error, match="no tree 'Fly', but Drive"):
        asset.agent("Fly")


def test_a_damaged_asset_is_refused(asset):
    data = bytearray(asset._bytes)
    data[100] ^= 1
    with pytest.raises(espalier.Error, match="changed"):
        espalier.Asset(bytes(data))


SAMPLES = pathlib.Path(os.environ["ESPALIER_SOURCES"]) / "samples"


def node(name, **functions):
    return type(name, (espalier.Node,), functions)


def test_a_tree_that_selects_has_a_behaviour_and_signals_with_data():
    asset = espalier.Asset.compile(SAMPLES / "guard")
    heard = []
    asset.bind(**{name: node(name, event=lambda self, signal, data: heard.append((signal, data))) for name in asset.behaviors})
    guard = asset.agent("Guard")
    guard.update()
    assert guard.behavior == "Patrol"
    guard.signal("OnNoise", {"from": "behind"})
    guard.update()
    assert (guard.behavior, guard["Alerted"], heard) == ("Search", True, [("OnNoise", {"from": "behind"})])


def test_a_node_signals_another_agent_during_an_update():
    asset = espalier.Asset.compile(SAMPLES / "guard")
    entered = []

    def enter(self):
        if self.agent.number == 0:
            guards[2].signal("OnEnemySeen")
        entered.append(self.agent.number)
    asset.bind(**{name: node(name, enter=enter) for name in asset.behaviors})
    guards = asset.agents("Guard", 3)
    guards.update_all()
    assert entered == [0, 1, 2]
    assert [guard.behavior for guard in guards] == ["Patrol", "Patrol", "Attack"]


def test_a_node_cannot_update_its_agent(asset):
    asset.bind(IsBatteryOk=lambda: agent.update() and False)
    agent = drive(asset)
    with pytest.raises(espalier.Error, match="a node cannot update agents"):
        agent.update()


def test_agents_that_are_not_used_are_freed(asset):
    agent = drive(asset)
    agent.update()
    freed = weakref.ref(agent._agents)
    del agent
    gc.collect()
    assert freed() is None


def test_deciders_decide_by_numbers_and_get_the_data_of_stimuli():
    asset = espalier.Asset.compile(SAMPLES / "deciders")
    told = []
    asset.bind(**{name: (lambda: 0.0) for name in asset.conditions},
               **{name: node(name, activate=lambda self, name=name: told.append(name)) for name in asset.behaviors})
    creature = asset.agents(asset.trees[0])[0]
    creature.signal("OnScent", b"north")
    creature.update(1)
    assert told and "SmellsFood" in creature.text()


def test_a_slot_takes_a_tree_and_squads_are_saved_together():
    asset = espalier.Asset.compile(SAMPLES / "synchronized")
    answers = {"SitDown": True, "HeardNoise": False, "SpottedEnemy": False}
    asset.bind(**{name: (lambda name=name: answers.get(name, espalier.RUNNING)) for name in asset.behaviors},
               **{name: (lambda name=name: answers.get(name, True)) for name in asset.conditions})
    squad = asset.agents("Squad", 3)
    squad.update(1)
    for agent in squad:
        agent.inject("Activity", "Campfire", immediate=True)
    squad.update(1)

    def warm():
        return ["WarmHands" in agent.text(active_only=True) for agent in squad]
    assert warm() == [True, True, False]  # the fire has two seats
    saved = squad.save()
    squad[0].stop()
    assert warm() == [False, True, False]
    squad.restore(saved)
    assert warm() == [True, True, False]
    with pytest.raises(espalier.Error, match="together"):
        squad[0].restore(squad[2].save())
