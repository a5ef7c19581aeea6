#!/usr/bin/env python3
"""Who may include whom: layers.py

Each folder of lib, and cli, includes what its row names and nothing else of espalier's; other libraries are included where a
row names them. lib/runtime, which games build with nothing else, includes its own files and the standard headers alone; its
engines (select, tick, rule, decide, store, poll) include format, asset and core, and no other engine but for what a row names.
Headers of the system are included in lib/system alone, which has a folder for each.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]

# The parts of the runtime that others look into: what an asset is made of, and what an engine says of its own layout.
FORMAT = ["runtime/format"]
PARTS = FORMAT + ["runtime/asset", "runtime/select", "runtime/tick", "runtime/rule", "runtime/decide", "runtime/store", "runtime/poll"]
JSON = "nlohmann/json.hpp"
# What reports are made from: lines, events and results of replays, never the session that runs one.
EVENTS = ["replay/event.h", "replay/line.h", "replay/names.h", "replay/replay.h"]

# Trees that poll as they are written: pictures of those that cannot be compiled are drawn from them.
WRITTEN = ["ir/poll/written.h"]

SELECTING = ["lint/select/model.h", "lint/condition_functions.h"]
# How results flow from children to parents.
FLOW = ["lint/flow.h"]

ALLOWED = {
    "rules": [],
    "logic": ["cadical.hpp"],
    "system": [],
    "text": ["rules", "system/deep_thread.h", "pugixml.hpp", JSON],
    "cpp": ["text"],
    "ir": ["rules", "text", *FORMAT, "runtime/store/layout.h", "runtime/store/nodes.h", "runtime/poll/port_role.h", "runtime/poll/nodes.def", "espalier"],
    "dialects": ["rules", "system/filesystem.h", "text", "ir", *FORMAT, "runtime/decide/layout.h", "espalier"],
    "lint": ["rules", "text", "ir", "logic", *FORMAT, "runtime/poll/nodes.h", "espalier"],
    "script": ["system/classic_locale.h", "lua.hpp", "espalier"],
    "project": ["rules", "system", "text", "cpp", "ir", "dialects", "lint", "script", JSON, "xxhash.h"],
    "rewrite": ["rules", "text", "dialects", "project", "dtl/dtl.hpp"],
    "codegen": ["rules", "text", "ir", *PARTS, "espalier", JSON],
    "replay": ["rules", "text", "codegen", "script", *PARTS, "espalier", JSON],
    # Trees that select are analysed as lint does, by the same functions of their states.
    "explore": ["rules", "text", "logic", "ir", *SELECTING, *FLOW, "codegen", "replay", "script/lexer.h", *PARTS, "espalier", "xxhash.h"],
    # What runs of a project's trees depend on: the project, and what is made of it.
    "compiled": ["rules", "system/filesystem.h", "text", "ir", *FORMAT, "dialects", "project", "codegen", "replay", "explore", "espalier"],
    # Logs of robots' programs, and the libraries that unpack them.
    "live": ["rules", "system/filesystem.h", "system/reason.h", "text", *PARTS, "runtime/recording/playback.h", "runtime/recording/reader.h", "runtime/serving/zmtp.h", "codegen", "replay", "explore/host_values.h", "explore/poll/uses.h", "sqlite3.h", "zstd.h", "lz4frame.h", JSON, "espalier"],
    # Changed trees, and tests that tell them from the written ones.
    "mutants": ["rules", "text", "ir", *FORMAT, "dialects", "project", "codegen", "replay", "explore", "compiled", *PARTS, "espalier"],
    "report": ["rules", "system/filesystem.h", "pictures/page_texts.h", "librsvg/rsvg.h", "cairo.h", "cairo-pdf.h", "system/dynamic_library.h", "explore/results.h", "text", *WRITTEN, "codegen", *EVENTS, "replay/timeline.h", *PARTS, "espalier", JSON],
    "editor": ["rules", "system/filesystem.h", "text", "ir", "dialects", "project", "rewrite", "codegen", "replay", "explore", "compiled", "report/explored.h", "report/replays.h", "espalier", JSON],
    # Its messages have the frames of the language server's.
    "debug": ["rules/traces.h", "text", "codegen", "replay", "live/formats/log.h", "live/logged_tree.h", "live/publisher/client.h", "live/publisher/zmtp.h", "live/publisher/recording.h", "live/tree_xml.h", "system/connection.h", "system/filesystem.h", "editor/messages.h", "report/replays.h", "report/output_form.h", *PARTS, "espalier", JSON],
    "cli": ["rules", "editor", "debug", "text", "ir", "project", "compiled", "mutants", "live", "system", "rewrite", "codegen", "replay", "explore", "report", "espalier", "CLI/CLI.hpp", JSON],
}

RUNTIME = {
    "format": [],
    "asset": ["format", "core/engine.h", "core/check.h"],
    "core": ["format", "asset"],
    # The entries that a recording leaves out.
    "recording": ["format", "asset", "core", "poll/blackboard.h"],
    # The entries and statuses of trees that poll.
    "serving": ["format", "asset", "core", "poll/blackboard.h", "poll/tree.h"],
    **{engine: ["format", "asset", "core"] for engine in ("select", "tick", "rule", "decide", "store", "poll")},
}
# Files of several engines: what they are apart for.
SEVERAL = {"asset/parameters.cpp"}


def includes(file):
    for number, line in enumerate(file.read_text().splitlines(), 1):
        found = re.match(r'\s*#\s*include\s*([<"])([^">]+)[">]', line)
        if found:
            yield number, found[1] == '"', found[2]


# Headers of C, which all systems have. What signals and locales do depends on the system.
OF_C = ("float.h", "limits.h", "math.h", "stdbool.h", "stddef.h", "stdint.h", "stdlib.h", "string.h")
OF_ONE_SYSTEM = ("clocale", "csignal")


def is_standard(name):
    return name in OF_C or "/" not in name and not name.endswith((".hpp", ".h")) and name not in OF_ONE_SYSTEM


def is_allowed(name, allowed):
    return any(name == each or name.startswith(each + "/") for each in allowed)


def pugi_faults():
    """pugixml is what lib/text is made of, and none of its headers shows it. (lib/replay writes with it, but no header.)"""
    for file in sorted([*ROOT.glob("lib/**/*"), *ROOT.glob("cli/**/*")]):
        shown = file.relative_to(ROOT).as_posix()
        is_inside = shown.startswith(("lib/text/", "lib/replay/")) and file.suffix == ".cpp"
        if file.suffix not in (".cpp", ".h") or is_inside:
            continue
        for number, line in enumerate(file.read_text().splitlines(), 1):
            if "pugi::" in line or "pugixml.hpp" in line:
                yield f"{shown}:{number}: pugixml is used only within lib/text"


def faults():
    for file in sorted([*ROOT.glob("lib/**/*"), *ROOT.glob("cli/**/*")]):
        if file.suffix not in (".cpp", ".h", ".hpp", ".def", ".in"):
            continue
        parts = file.relative_to(ROOT).parts
        shown = "/".join(parts)
        is_runtime = parts[:2] == ("lib", "runtime")
        own = parts[0] if parts[0] == "cli" else parts[2] if is_runtime else parts[1]
        for number, is_quoted, name in includes(file):
            name = name.replace("runtime/include/espalier/", "espalier/")
            if not is_quoted and (is_standard(name) or own == "system"):
                continue
            if is_runtime:
                inside = "/".join(parts[2:])
                fine = name.startswith(("espalier/", own + "/")) or own == "include" or is_allowed(name, RUNTIME.get(own, [])) or \
                    inside in SEVERAL
            else:
                fine = name.startswith(own + "/") or is_allowed(name, ALLOWED[own])
            if not fine:
                yield f"{shown}:{number}: {own} does not include {name}"


def main():
    found = [*faults(), *pugi_faults()]
    print("\n".join(found))
    if found:
        sys.exit(f"{len(found)} includes are out of their layer")
    print(f"{len(ALLOWED) + len(RUNTIME)} layers hold")


main()
