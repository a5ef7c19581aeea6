"""The plugin for pytest, in runs of pytest of their own."""
import os
import pathlib
import shutil

import pytest

pytest_plugins = "pytester"
SAMPLES = pathlib.Path(os.environ["ESPALIER_SOURCES"]) / "samples"


@pytest.fixture
def robot(pytester):
    """A project with a trace, whose trees are `now` or `next`."""
    for name in ("espalier.json", "low_battery.trace.jsonl"):
        shutil.copy(SAMPLES / "robot" / name, pytester.path)

    def trees(version):
        shutil.copytree(SAMPLES / "robot" / version, pytester.path / "trees")
    return trees


def test_a_trace_is_a_test_of_its_name(pytester, robot):
    robot("now")
    pytester.runpytest("-v").stdout.fnmatch_lines(["low_battery.trace.jsonl::the battery gets low on the way PASSED*"])


def test_the_story_is_the_failure(pytester, robot):
    robot("next")
    result = pytester.runpytest()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["low_battery.trace.jsonl:8:38: failed: status is not what was expected", "  expected \"failure\""])
    result.stdout.no_fnmatch_line("*Traceback*")


def test_a_trace_that_cannot_be_read_fails(pytester, robot):
    robot("now")
    (pytester.path / "bad.trace.jsonl").write_text('{"trace": 1, "nme": 2}\n')
    result = pytester.runpytest()
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*unexpected key 'nme'*", "*did you mean 'name'?*"])


def test_each_property_is_a_test(pytester):
    shutil.copytree(SAMPLES / "guard", pytester.path / "guard")
    result = pytester.runpytest("-v")
    result.assert_outcomes(passed=8, failed=1)  # also traces in a folder without trees
    result.stdout.fnmatch_lines(["guard/guard.properties.json::a noise is never ignored FAILED*", "*enters Patrol*", "hint: guard.xml:24:6:*"])


def test_properties_of_a_project_are_tests(pytester, robot):
    robot("now")
    (pytester.path / "espalier.json").write_text('{"hostFiles": ["espalier:nav2"], "properties": [{"name": "always runs", "never": {"status": "failure"}}]}')
    result = pytester.runpytest("-v")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["espalier.json::always runs FAILED*", "*ask IsBatteryLow true"])


def test_properties_that_cannot_be_read_fail(pytester, robot):
    robot("now")
    (pytester.path / "bad.properties.json").write_text('{"properties": [{"name": "a", "nevr": {}}]}')
    result = pytester.runpytest()
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*'nevr'*"])


def test_settings_name_other_trees_and_a_budget(pytester, robot):
    robot("next")
    shutil.copytree(SAMPLES / "robot/now", pytester.path / "now")
    (pytester.path / "courier.properties.json").write_text('{"properties": [{"name": "stops", "never": {"status": "error"}}]}')
    pytester.makeini("[pytest]\nespalier_trees = now\nespalier_budget = 1\n")
    result = pytester.runpytest()
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*stops: undecided; a larger espalier_budget may decide it*"])


def test_warnings_fail_if_they_are_to(pytester, robot):
    robot("now")
    (pytester.path / "silent.trace.jsonl").write_text('{"trace": 1, "tree": "Drive"}\n{"tick": 0.1}\n')
    pytester.runpytest().assert_outcomes(passed=2)
    pytester.makeini("[pytest]\nespalier_strict = true\n")
    pytester.runpytest().assert_outcomes(passed=1, failed=1)


def test_a_tree_is_scripted_in_ten_lines(pytester, robot):
    robot("next")
    pytester.makepyfile("""
        def test_low_battery(espalier_tree):
            drive = espalier_tree("trees/drive.xml", tree="Drive")
            drive.set(path="to the kitchen").host(IsBatteryLow=False, FollowPath="running").tick(0.1)
            drive.expect(running=["FollowPath"])
            drive.host(IsBatteryLow=True).tick(0.1)
            drive.expect(running=[])
    """)
    result = pytester.runpytest("test_a_tree_is_scripted_in_ten_lines.py")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines([">*drive.expect(running=[[][]])", "E*enters FollowPath*", "E*expected [[][]]", "*.py:6: AssertionError"])
