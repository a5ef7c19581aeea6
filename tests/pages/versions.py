#!/usr/bin/env python3
"""Opens pages of differences and covers in a browser, without a window: versions.py ESPALIER [--update]

Nodes of both versions stand on the same rows, and are marked; a difference plays its trace in both versions until they part; what is not
reached has a trace that reaches it. Pages look as in `shots`, which --update writes. The steps are in versions.mjs. Needs chromium, node and npm; says so where they are missing.
"""
import os
import pathlib
import shutil
import subprocess
import sys

from browser import folder_with, run_steps

TESTS = pathlib.Path(__file__).resolve().parents[1]
SAMPLES = pathlib.Path("samples")  # pages show paths as they are given

# Of the sample btcpp: an action moves, another one is new, a decorator has another number, another one is gone.
EDITS = {
    "courier.xml": [
        ('        <SequenceWithMemory>\n          <TakeParcel room="{room}"/>\n', '        <TakeParcel room="{room}"/>\n        <SequenceWithMemory>\n'),
        ("<Charge/>\n", "<Charge/>\n        <LeaveDock/>\n"),
        ('<Action ID="Charge"/>\n', '<Action ID="Charge"/>\n    <Action ID="LeaveDock"/>\n'),
    ],
    "go_to.xml": [
        ('num_attempts="3"', 'num_attempts="2"'),
        ('        <Timeout msec="60000">\n          <FollowPath path="{path}" speed="0.5"/>\n        </Timeout>\n', '        <FollowPath path="{path}" speed="0.5"/>\n'),
    ],
}


def write_versions(folder):
    for version in ("old", "new"):
        (folder / version).mkdir()
        for name, edits in EDITS.items():
            text = (TESTS.parent / SAMPLES / "btcpp" / name).read_text()
            for before, after in edits if version == "new" else ():
                assert before in text, f"{name} has no {before}"
                text = text.replace(before, after, 1)
            (folder / version / name).write_text(text)


def write_large(file, name):
    """Many nodes, one of which has another name."""
    parts = "".join(f'<Priority name="part {i}">\n' + "".join(f'<Leaf name="leaf {i}-{k}" condition="Seen"/>\n' for k in range(9)) + "</Priority>\n"
                    for i in range(30))
    file.write_text('<SelectionTree name="Large" type="BehaviorSelectionTree">\n<Variables><Variable name="Seen"/></Variables>\n<SignalVariables>'
                    '<Signal name="OnSeen" variable="Seen" value="true"/></SignalVariables>\n<Priority name="Root">\n' + parts
                    + f'<Leaf name="{name}"/>\n</Priority>\n</SelectionTree>\n')


def write_revision(espalier, folder):
    """The page of what a work tree changes in its last commit."""
    work = folder / "work"
    shutil.copytree(TESTS.parent / SAMPLES / "guard", work)
    git = ["git", "-c", "user.name=n", "-c", "user.email=n@example.com"]
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "first"]):
        subprocess.run([*git, *words], cwd=work, check=True)
    shutil.copy(TESTS.parent / SAMPLES / "guard-next" / "guard.xml", work)
    with (folder / "diff-revision.html").open("w") as page:
        subprocess.run([espalier, "diff", "--git", "HEAD", "guard.xml", "--format", "html"], cwd=work, check=True, stdout=page,
                       env=os.environ | {"XDG_CACHE_HOME": "/dev/null"})


def write_pages(espalier, folder):
    def write(page, *words):
        environment = os.environ | {"XDG_CACHE_HOME": "/dev/null"}
        text = subprocess.run([espalier, *words, "--format", "html"], check=True, cwd=TESTS.parent, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              env=environment).stdout
        (folder / f"{page}.html").write_bytes(text)

    write_versions(folder)
    write("diff-courier", "diff", folder / "old", folder / "new")
    write("diff-guard", "diff", SAMPLES / "guard", SAMPLES / "guard-next")
    (folder / "squad").mkdir()
    for name in ("squad.xml", "patrol.xml", "campfire.xml", "espalier.json"):
        old = (TESTS.parent / SAMPLES / "synchronized" / name).read_text()
        (folder / "squad" / name).write_text(old.replace('<Gate name="Grenade" agents="1">', '<Gate name="Grenade" agents="2">').replace(' scope="global"', ""))
    write("diff-squad", "diff", SAMPLES / "synchronized", folder / "squad", "--tree", "Squad")
    for name in ("guard", "guard-next"):
        subprocess.run([espalier, "compile", SAMPLES / name, "-o", folder / f"{name}.espb"], check=True, cwd=TESTS.parent, stdout=subprocess.DEVNULL)
    write("diff-asset", "diff", folder / "guard.espb", folder / "guard-next.espb")
    write("cover-asset", "cover", folder / "guard.espb", "--trace", SAMPLES / "guard" / "noise.trace.jsonl")
    write_revision(espalier, folder)
    write("diff-same", "diff", SAMPLES / "guard", SAMPLES / "guard")
    for name in ("Rest", "<b>Sleep</b>{{data}}"):
        write_large(folder / f"{'old' if name == 'Rest' else 'new'}.xml", name.replace("<", "&lt;"))
    write("diff-large", "diff", folder / "old.xml", folder / "new.xml")
    traces = [SAMPLES / "guard" / f"{name}.trace.jsonl" for name in ("noise", "intruder")]
    write("cover", "cover", SAMPLES / "guard", "--trace", traces[0])
    write("cover-all", "cover", SAMPLES / "guard", *(word for trace in traces for word in ("--trace", trace)))
    write("cover-found", "cover", SAMPLES / "guard")
    write("cover-squad", "cover", SAMPLES / "squad", "--trace", SAMPLES / "squad" / "firefight.trace.jsonl")


def main():
    with folder_with(TESTS / "pages" / "versions.mjs") as folder:
        if folder is None:
            return
        espalier = pathlib.Path(sys.argv[1]).resolve()
        write_pages(espalier, folder)
        sys.exit(run_steps("versions.mjs", folder, espalier, (TESTS.parent / SAMPLES / "guard").resolve()))


main()
