#!/usr/bin/env python3
"""How long the language server takes: language_server.py ESPALIER [COUNT]

In a project of COUNT files (10,000 without it), a sixth of them of each dialect, and 1,000 trees that use one block: reading all of it,
then the time from an edit to its diagnostics and to the answers of requests; the median and the longest of 50, and the mean time of
processors of an edit, which other work on the machine does not lengthen. Of the block (its folder
is "shared") the time is that to its own diagnostics; those of its trees follow when nobody types.
"""
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/editors"))
from language_client import Client  # noqa: E402

COUNT = 50
USERS = 1000
BLOCK = """<SelectionTree name="Common">
  <Variables>
    <Variable name="Hurt"/>
  </Variables>
  <Blocks>
    <Block name="CommonBlock">
      <Priority name="Fear">
%s        <Leaf name="Flee"/>
      </Priority>
    </Block>
  </Blocks>
  <Leaf name="Idle"/>
</SelectionTree>
""" % "".join(f'        <Leaf name="Flee{i}" condition="Hurt"/>\n' for i in range(2 * COUNT))
USER = """<SelectionTree name="User%d">
  <Variables>
    <Variable name="Hurt"/>
  </Variables>
  <Priority name="Root">
    <Ref name="CommonBlock"/>
    <Leaf name="Idle"/>
  </Priority>
</SelectionTree>
"""


def write_shared(folder):
    folder.mkdir()
    (folder / "common.xml").write_text(BLOCK)
    for i in range(USERS):
        (folder / f"user{i}.xml").write_text(USER % i)


def processor_seconds(process):
    fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main():
    espalier = str(pathlib.Path(sys.argv[1]).resolve())
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 10_000
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, ROOT / "tests/bench/generate_files.py", folder, str(count // 6)], check=True)
        write_shared(pathlib.Path(folder) / "shared")
        files = [path for path in sorted(pathlib.Path(folder).resolve().rglob("*")) if path.suffix in (".xml", ".debt")]
        client = Client(espalier, folder)
        begun = time.monotonic()
        first = str(files[0].relative_to(pathlib.Path(folder).resolve()))
        client.open(first)
        client.ask("textDocument/foldingRange", client.document(first))
        print(f"{len(files)} files, read and checked: {time.monotonic() - begun:.1f} s, {processor_seconds(client.process):.1f} s of processors")
        for dialect in sorted({path.parent.name for path in files}):
            own = [path for path in files if path.parent.name == dialect]
            edited = own[0] if dialect == "shared" else own[len(own) // 2]
            name = str(edited.relative_to(pathlib.Path(folder).resolve()))
            client.open(name)
            client.found(name)
            times, used = {}, 0.0
            for i in range(COUNT):
                text = client.texts[name]
                at = text.index(">", len(text) // 3 + 37 * i)
                for edit in (text[:at] + " x" + text[at:], text):  # typed, and taken back
                    used -= processor_seconds(client.process)
                    client.change(name, edit)
                    begun = time.monotonic()
                    client.ask("textDocument/foldingRange", client.document(name))
                    times.setdefault("edit", []).append(time.monotonic() - begun)
                    used += processor_seconds(client.process)
                place = {**client.document(name), "position": client.position(text, at)}
                for method in ("completion", "hover", "documentSymbol", "semanticTokens/full"):
                    begun = time.monotonic()
                    client.ask("textDocument/" + method, place)
                    times.setdefault(method, []).append(time.monotonic() - begun)
            shown = "  ".join(f"{what} {statistics.median(each) * 1000:.0f}/{max(each) * 1000:.0f}" for what, each in times.items())
            print(f"{dialect:13} ms: {shown}  an edit's processor time {used * 1000 / len(times['edit']):.0f}")
        client.close()


main()
