#!/usr/bin/env python3
"""Edits and asks the language server at random: random_edits.py ESPALIER SECONDS [SEED]

On a copy of all samples. It fails if the server ends, or an answer takes too long. In the end every text is what it was at first,
and the findings must be, too.
"""
import pathlib
import random
import shutil
import sys
import tempfile
import time

from language_client import Client

ROOT = pathlib.Path(__file__).resolve().parents[2]
PIECES = ["<", ">", "/>", '"', "'", "&", "&amp;", "<!--", "-->", "]]>", "\n", "\r\n", "x", " and ", "!", "(", "{", "}", ",", "𝄞", "é", "\t", "\u0001", "<Leaf name=\"New\"/>"]
PLACES = ["hover", "completion", "definition", "references", "documentHighlight", "prepareRename", "rename"]
FILES = ["documentSymbol", "foldingRange", "semanticTokens/full", "codeLens", "inlayHint", "formatting", "codeAction"]


def edited(text, chance, others):
    at = chance.randrange(len(text) + 1)
    end = min(len(text), at + chance.randrange(20))
    kind = chance.randrange(4)
    if kind == 0:
        return text[:at] + text[end:]
    if kind == 1:
        return text[:at] + chance.choice(PIECES) + text[at:]
    if kind == 2:
        other = chance.choice(others)
        begin = chance.randrange(len(other) + 1)
        return text[:at] + other[begin:begin + chance.randrange(60)] + text[end:]
    return text[:at]


def main():
    espalier, seconds = str(pathlib.Path(sys.argv[1]).resolve()), float(sys.argv[2])
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else random.randrange(1 << 30)
    print(f"seed {seed}", flush=True)
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place).resolve() / "samples"
        shutil.copytree(ROOT / "samples", folder, ignore=shutil.ignore_patterns("embed", "editors", "ci"))
        client = Client(espalier, folder, encodings=[chance.choice(["utf-8", "utf-16"])])
        names = [str(path.relative_to(folder)) for path in sorted(folder.rglob("*")) if path.suffix in (".xml", ".debt", ".json", ".jsonl")]
        before = {name: (folder / name).read_text() for name in names}
        for name in names:
            client.open(name)
        found = {name: client.found(name) for name in names}
        edits = asked = 0
        slowest = (0.0, "")
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            name = chance.choice(names)
            for _ in range(chance.randrange(4)):
                text = before[name] if chance.random() < 0.25 else edited(client.texts[name], chance, list(before.values()))
                client.change(name, text)
                edits += 1
            method = chance.choice(PLACES + FILES)
            lines = client.texts[name].split("\n")
            line = chance.randrange(len(lines) + 1)
            params = {**client.document(name), "position": {"line": line, "character": chance.randrange(80)}, "newName": chance.choice(["New", "", "x y", "𝄞"]),
                      "context": {"includeDeclaration": True, "diagnostics": []}, "options": {},
                      "range": {"start": {"line": 0, "character": 0}, "end": {"line": line, "character": 5}}}
            begun = time.monotonic()
            answer = client.answer(client.start("textDocument/" + method, params))
            slowest = max(slowest, (time.monotonic() - begun, f"{method} in {name}"))
            assert answer.get("error", {}).get("code") != -32603, (seed, name, method, answer)
            asked += 1
        # A trace is run again when it is edited, or when a tree is saved: trees come first.
        for name in sorted(names, key=lambda name: name.endswith((".trace.jsonl", ".properties.json"))):
            client.change(name, before[name])
        for name in names:
            assert client.found(name) == found[name], (seed, name, client.found(name), found[name])
        assert client.close() == 0
    print(f"{edits} edits and {asked} requests passed; the slowest answer took {slowest[0] * 1000:.0f} ms: {slowest[1]}")


main()
