#!/usr/bin/env python3
"""espalier in a ROS 2 workspace: ros.py ESPALIER

colcon and ament_cmake of the system build the package espalier_vendor and samples/nav2, run its tests, and count their results; in a second
workspace a trace fails. Without ROS, ctest runs the same tests. ROS's `launch` is not in the system: stand-ins show what lint_before() does.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import types

ROOT = pathlib.Path(__file__).resolve().parents[2]
VENDOR = ROOT / "cli/package/ros/espalier_vendor"
CONFIG = """add_executable(espalier::espalier IMPORTED GLOBAL)
set_target_properties(espalier::espalier PROPERTIES IMPORTED_LOCATION "{program}")
include("{root}/cli/package/espalierTrees.cmake")
"""
VERSION = "set(PACKAGE_VERSION 1.0.0)\nset(PACKAGE_VERSION_COMPATIBLE TRUE)\n"


def run(words, folder, environment, status=0):
    done = subprocess.run([str(word) for word in words], cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=False)
    if done.returncode != status:
        sys.exit(f"{' '.join(map(str, words))} ended with exit status {done.returncode}, not {status}:\n{done.stdout}")
    return done.stdout


def environment_with(program, folder):
    """Where CMake finds an espalier of this program, as after an installation."""
    (folder / "espalierConfig.cmake").write_text(CONFIG.format(program=program, root=ROOT))
    (folder / "espalierConfigVersion.cmake").write_text(VERSION)
    kept = {name: os.environ[name] for name in ("HOME", "LANG", "TMPDIR") if name in os.environ}
    return kept | {"PATH": "/usr/bin:/bin", "espalier_DIR": str(folder), "COLCON_HOME": str(folder / "colcon")}


def workspace(folder, environment, change=None):
    """What colcon counts in it."""
    shutil.copytree(VENDOR, folder / "src/espalier_vendor")
    shutil.copytree(ROOT / "samples/nav2", folder / "src/patrol_robot")
    package = folder / "src/patrol_robot/package.xml"
    package.write_text(package.read_text().replace("<exec_depend>", "<test_depend>espalier_vendor</test_depend>\n  <exec_depend>", 1))
    if change:
        change(folder / "src/patrol_robot")
    for verb in ("build", "test"):
        run(["colcon", verb], folder, environment)
    return run(["colcon", "test-result", "--all", "--verbose"], folder, environment, 1 if change else 0)


def spoil(package):
    trace = package / "recovery.trace.jsonl"
    trace.write_text(trace.read_text() + '{"expect": {"status": "skipped"}}\n')
    (package / "patrol.properties.json").write_text('{"properties": [{"name": "never charges", "tree": "Patrol", "never": {"running": ["Charge"]}}]}')
    lists = package / "CMakeLists.txt"
    lists.write_text(lists.read_text().replace("TRACES .", "TRACES . PROPERTIES ."))


def check_colcon(folder, environment):
    good = workspace(folder / "good", environment)
    for name in ("trees.lint", "trees.low_battery", "trees.recovery"):
        assert f"test_results/patrol_robot/{name}.xunit.xml: 1 test, 0 errors, 0 failures, 0 skipped" in good, good
    assert (folder / "good/install/espalier_vendor/lib").exists()
    bad = workspace(folder / "bad", environment, spoil)
    for text in ("trees.recovery.xunit.xml: 1 test, 0 errors, 1 failure", "status is not what was expected", "trees.patrol.xunit.xml: 1 test, 0 errors, 1 failure",
                 "trees.low_battery.xunit.xml: 1 test, 0 errors, 0 failures"):
        assert text in bad, f"{text!r} is not in\n{bad}"


def check_ctest(folder, environment):
    run(["cmake", "-S", ROOT / "samples/nav2", "-B", folder / "ctest", "-DCMAKE_DISABLE_FIND_PACKAGE_ament_cmake=ON"], folder, environment)
    run(["cmake", "--build", folder / "ctest"], folder, environment)
    assert "100% tests passed, 0 tests failed out of 3" in run(["ctest"], folder / "ctest", environment)


# ---- Launch: stand-ins for ROS's module


class Action:
    """Any class of `launch`: what it was made of."""

    def __init__(self, *given, **named):
        self.given, self.named = given, named


def check_launch():
    kinds = {"actions": ["DeclareLaunchArgument", "EmitEvent", "ExecuteProcess", "GroupAction", "RegisterEventHandler"],
             "conditions": ["IfCondition", "UnlessCondition"], "event_handlers": ["OnProcessExit"], "events": ["Shutdown"],
             "substitutions": ["LaunchConfiguration"]}
    sys.modules["launch"] = types.ModuleType("launch")
    for module, names in kinds.items():
        sys.modules[f"launch.{module}"] = made = types.ModuleType(module)
        for name in names:
            setattr(made, name, type(name, (Action,), {}))
    sys.path.insert(0, str(VENDOR))
    from espalier_vendor.launch import lint_before
    robot = object()
    argument, handler, check, at_once = lint_before("behavior_trees", [robot], fail_on="warning")
    assert (argument.given, argument.named["default_value"]) == (("lint",), "true")
    assert check.named["cmd"] == ["espalier", "lint", "behavior_trees", "--fail-on", "warning"]
    assert type(check.named["condition"]).__name__ == "IfCondition" and type(at_once.named["condition"]).__name__ == "UnlessCondition"
    assert at_once.given == ([robot],)
    on_exit = handler.given[0].named
    assert on_exit["target_action"] is check
    assert on_exit["on_exit"](types.SimpleNamespace(returncode=0), None) == [robot]
    (end,) = on_exit["on_exit"](types.SimpleNamespace(returncode=1), None)
    assert type(end.named["event"]).__name__ == "Shutdown"


def main():
    sys.dont_write_bytecode = True
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        environment = environment_with(pathlib.Path(sys.argv[1]).resolve(), folder)
        check_colcon(folder, environment)
        check_ctest(folder, environment)
    check_launch()
    print("colcon, ctest and launch: 3 checks hold")


main()
