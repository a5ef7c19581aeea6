"""Checks trees before a launch starts what runs them."""
from launch.actions import DeclareLaunchArgument, EmitEvent, ExecuteProcess, GroupAction, RegisterEventHandler
from launch.conditions import IfCondition, UnlessCondition
from launch.event_handlers import OnProcessExit
from launch.events import Shutdown
from launch.substitutions import LaunchConfiguration


def lint_before(trees, actions, *, fail_on="error"):
    """The actions of a launch description that starts `actions` once `espalier lint` finds nothing of this severity in the trees, a path or a
    substitution. Otherwise the launch ends, with the findings in its log. The argument `lint:=false` starts them at once."""
    lint = LaunchConfiguration("lint")
    check = ExecuteProcess(cmd=["espalier", "lint", trees, "--fail-on", fail_on], name="espalier", output="screen", condition=IfCondition(lint))

    def go_on(event, context):
        return actions if event.returncode == 0 else [EmitEvent(event=Shutdown(reason="the trees have errors"))]
    return [DeclareLaunchArgument("lint", default_value="true", description="whether espalier checks the trees before the start"),
            RegisterEventHandler(OnProcessExit(target_action=check, on_exit=go_on)), check,
            GroupAction(actions, condition=UnlessCondition(lint))]
