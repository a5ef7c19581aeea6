"""espalier for Python: checks, replays and runs behaviour trees.

    import espalier

    for finding in espalier.lint("trees"):
        print(finding)
    assert espalier.replay("trees", trace="low_battery.trace.jsonl")

    asset = espalier.Asset.compile("trees").bind(FollowPath, IsBatteryLow=lambda: False)
    agent = asset.agent("Drive")
    agent.update(0.1)
"""
from .agent import Agent, Saved, Step
from .agents import Agents
from .asset import Asset, Place
from .command import Error, Finding, Findings, Proof, Replay, TraceResult, compile, events, lint, program, prove, replay, run
from .nodes import Call, Input, Node, Output, Result
from .script import Script

RUNNING, SUCCESS, FAILURE, SKIPPED = Result.RUNNING, Result.SUCCESS, Result.FAILURE, Result.SKIPPED

__all__ = ["Agent", "Agents", "Asset", "Call", "Error", "FAILURE", "Finding", "Findings", "Input", "Node", "Output", "Place", "Proof", "RUNNING",
           "Replay", "Result", "SKIPPED", "SUCCESS", "Saved", "Script", "Step", "TraceResult", "compile", "events", "lint", "program", "prove", "replay",
           "run"]
