#!/usr/bin/env python3
"""Options that are the same in every verb: verbs.py ESPALIER

For each verb, with a run in which all is well and one with something to show:
--quiet leaves results only, and writes nothing to standard error when all is well; NO_COLOR and --color never give no colour on a
terminal, --color always gives it everywhere; machine formats have no colour and no progress line; an unknown option or format gives
status 2 and a hint.
"""
import os
import pathlib
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

ESPALIER = pathlib.Path(sys.argv[1]).resolve()
SAMPLES = pathlib.Path(__file__).resolve().parents[2] / "samples"
FOR_PEOPLE = {"human", "debug", "markdown"}
LIMIT = 60  # seconds

# For each verb: words with which all is well; words whose output for people has colours, if there are any.
GUARD = "guard --trace guard/intruder.trace.jsonl"
VERBS = {
    "lint": ("guard", "broken"),
    "compile": ("guard -o guard-2.espb", "broken -o broken.espb"),
    "replay": (GUARD, f"-v {GUARD}"),
    "cover": ("guard", "guard --trace bad.trace.jsonl"),
    "diff": ("guard guard", "broken guard"),
    "prove": ("proved", "guard"),
    "graph": ("guard", "broken"),
    "merge": ("results.xml", None),
    "fmt": ("guard", "--diff ugly"),
    "dump": ("guard", "broken"),
    "verify": ("guard.espb", None),
    "explain": ("SEL012", None),
    "schema": ("trace", None),
    "init": ("new", None),
    "import": ("run.btlog", "run.btlog"),
    "attach": (None, None),  # of a program that runs: logs/attach.py
    "lsp": (None, None),
    "dap": (None, None),
    "help": ("", None),
    "completions": ("bash", None),
}


class Done:
    """A run whose standard output and standard error are terminals, or pipes."""

    def __init__(self, folder, words, on_terminal=False, **variables):
        environment = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE", "COLUMNS")}
        environment |= {"TERM": "xterm", "XDG_CACHE_HOME": "/dev/null"} | variables
        pipes = [pty.openpty() if on_terminal else os.pipe() for _ in range(2)]
        process = subprocess.Popen([ESPALIER, *words], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                                   stdout=pipes[0][1], stderr=pipes[1][1])
        for _, end in pipes:
            os.close(end)
        texts = {pipe: b"" for pipe, _ in pipes}
        waiting = set(texts)
        while waiting:
            ready = select.select(list(waiting), [], [], LIMIT)[0]
            assert ready, f"{words} writes nothing for {LIMIT} seconds"
            for pipe in ready:
                try:
                    read = os.read(pipe, 65536)
                except OSError:  # the last writer to a terminal is gone
                    read = b""
                texts[pipe] += read
                if not read:
                    waiting.remove(pipe)
                    os.close(pipe)
        self.status = process.wait(LIMIT)
        self.output, self.errors = (texts[pipe].decode(errors="replace") for pipe, _ in pipes)
        self.all = self.output + self.errors


def formats_of(folder, verb):
    """Those that the program names when it is given another one."""
    refused = Done(folder, [verb, "--format", "nonsense"])
    if "unknown option" in refused.errors or "unexpected argument" in refused.errors:
        return []
    assert refused.status == 2, refused.all
    return re.split(r", | and ", re.search(r"hint: one of (.*)\n", refused.errors)[1])


def faults_of(verb, folder):
    well, shown = (None if words is None else [verb, *words.split()] for words in VERBS[verb])

    def expect(holds, what, done):
        return [] if holds else [f"{verb}: {what}: status {done.status}, output {done.output[:300]!r}, errors {done.errors[:300]!r}"]

    def fresh(words, **others):
        shutil.rmtree(folder / "new", ignore_errors=True)  # init writes only what is not there
        (folder / "new").mkdir()
        shutil.copy(folder / "guard" / "guard.xml", folder / "new")
        return Done(folder, words, **others)

    unknown = Done(folder, [verb, "--quiett"])
    faults = expect(unknown.status == 2 and "hint: did you mean '--quiet'?" in unknown.errors, "an unknown option", unknown)
    if well is None:
        return faults
    for on_terminal in (False, True):
        quiet = fresh([*well, "--quiet"], on_terminal=on_terminal)
        loud = fresh(well, on_terminal=on_terminal)
        faults += expect(quiet.status == 0 and quiet.errors == "", "--quiet when all is well", quiet)
        faults += expect(loud.status == 0 and set(quiet.output.splitlines()) <= set(loud.output.splitlines()),
                         "--quiet adds something", quiet)
    for words in filter(None, (well, shown)):
        for done in (fresh(words), fresh(words, on_terminal=True, NO_COLOR="1"), fresh([*words, "--color", "never"], on_terminal=True),
                     fresh(words, on_terminal=True, TERM="dumb"), fresh(words, FORCE_COLOR="0"),
                     fresh(words, on_terminal=True, NO_COLOR="1", FORCE_COLOR="1"), fresh([*words, "--color", "never"], FORCE_COLOR="1")):
            faults += expect("\x1b" not in done.all, "a colour that is not wanted", done)
    if shown:
        for done in (fresh(shown, on_terminal=True), fresh([*shown, "--color", "always"], NO_COLOR="1"), fresh(shown, FORCE_COLOR="1"),
                     fresh(shown, CLICOLOR_FORCE="1")):
            faults += expect("\x1b[" in done.all, "no colour", done)
    for name in formats_of(folder, verb):
        for words in filter(None, (well, shown)):
            if name in FOR_PEOPLE:
                continue
            done = fresh([*words, "--format", name, "--color", "always"], on_terminal=True)
            faults += expect("\x1b" not in done.output, f"a colour or a progress line with --format {name}", done)
    return faults


def make_inputs(folder):
    shutil.copytree(SAMPLES, folder, dirs_exist_ok=True)
    shutil.copy(SAMPLES.parent / "tests" / "logs" / "nav.second.btlog", folder / "run.btlog")
    (folder / "ugly").mkdir()
    (folder / "ugly" / "tree.xml").write_text('<SelectionTree   name="T" type="BehaviorSelectionTree"><Leaf name="Idle"/></SelectionTree>')
    (folder / "bad.trace.jsonl").write_text('{"trace": 2}')
    (folder / "proved").mkdir()
    shutil.copy(folder / "guard" / "guard.xml", folder / "proved")
    (folder / "proved" / "guard.properties.json").write_text(
        '{"properties": [{"name": "always does something", "always": {"behavior": {"not": null}}}]}')
    for words in (["compile", "guard", "-o", "guard.espb"], ["replay", *GUARD.split(), "--format", "junit"]):
        done = Done(folder, words)
        assert done.status == 0, done.all
    (folder / "results.xml").write_text(done.output)


def check(verb):
    with tempfile.TemporaryDirectory() as name:
        make_inputs(pathlib.Path(name))
        return faults_of(verb, pathlib.Path(name))


def main():
    listed = re.search(r"^Verbs:\n(.*?)\n\n", Done(".", ["help"]).output, re.MULTILINE | re.DOTALL)[1]
    verbs = re.findall(r"^  (\w+)", listed, re.MULTILINE)
    assert set(verbs) <= set(VERBS), f"no case for {set(verbs) - set(VERBS)}"
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        faults = [fault for found in pool.map(check, verbs) for fault in found]
    print("\n".join(faults))
    print(f"{len(verbs)} verbs compared: {len(faults)} faults")
    sys.exit(bool(faults))


main()
