"""The program's results as objects."""
import os
import pathlib

import espalier
import pytest

SAMPLES = pathlib.Path(os.environ["ESPALIER_SOURCES"]) / "samples"


def test_findings_are_objects():
    findings = espalier.lint("misspelt", folder=SAMPLES / "robot")
    (finding,) = findings
    assert (finding.file, finding.line, finding.column, finding.end_column) == ("misspelt/drive.xml", 6, 23, 33)
    assert str(finding) == ("misspelt/drive.xml:6:23: error: 'IsBatteryLow' has no port 'min_batery' (did you mean 'min_battery'?) "
                            "[unknown-port BTC033]")
    assert findings.errors == [finding] and findings.summary["files"] == 1


def test_options_are_those_of_the_command(tmp_path):
    accepted = tmp_path / "accepted.json"
    espalier.lint("misspelt", folder=SAMPLES / "robot", write_baseline=accepted)
    findings = espalier.lint("misspelt", folder=SAMPLES / "robot", baseline=accepted, isolated=False)
    assert not findings and findings.summary["accepted"] == 1


def test_what_the_command_cannot_do_is_an_error():
    with pytest.raises(espalier.Error, match="nowhere"):
        espalier.lint("nowhere")
    with pytest.raises(espalier.Error, match="--colour"):
        espalier.lint(SAMPLES / "guard", colour=True)
    with pytest.raises(espalier.Error, match="has no port 'min_batery'"):
        espalier.compile(SAMPLES / "robot/misspelt")
    with pytest.raises(espalier.Error, match="has no port 'min_batery'"):
        espalier.events(SAMPLES / "robot/misspelt", trace=SAMPLES / "robot/low_battery.trace.jsonl")


def test_a_replay_holds_or_tells_its_story():
    trace = SAMPLES / "robot/low_battery.trace.jsonl"
    assert espalier.replay(SAMPLES / "robot/now", trace=trace)
    replay = espalier.replay(SAMPLES / "robot/next", trace=[trace])
    assert not replay and not replay.holds
    assert replay[0].name == "the battery gets low on the way"
    assert "running is not what was expected" in replay[0].story


def test_trees_with_errors_are_results_that_do_not_hold():
    assert not espalier.replay(SAMPLES / "robot/misspelt", trace=SAMPLES / "robot/low_battery.trace.jsonl")


def test_a_proof_that_fails_has_its_trace_and_its_story():
    proofs = {proof.name: proof for proof in espalier.prove("guard", folder=SAMPLES)}
    assert proofs["always does something"].holds
    refuted = proofs["a noise is never ignored"]
    assert not refuted.holds and refuted.trace[0] == {"signal": "OnNoise"}
    assert "enters Patrol" in refuted.story("guard", folder=SAMPLES)


def test_a_script_is_a_trace(tmp_path):
    script = espalier.Script("guard", tree="Guard", folder=SAMPLES).signal("OnEnemySeen").tick().expect(behavior="Attack")
    assert [event["event"] for event in script.events] == ["signal", "set", "set", "enter", "status"]
    script.write(tmp_path / "seen.trace.jsonl")
    assert espalier.replay(SAMPLES / "guard", trace=tmp_path / "seen.trace.jsonl")
    with pytest.raises(AssertionError, match='expected "Patrol"'):
        script.expect(behavior="Patrol")
