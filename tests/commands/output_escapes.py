#!/usr/bin/env python3
"""No byte from inputs reaches a terminal or a log unescaped: output_escapes.py ESPALIER

Takes the samples, and puts what a terminal would obey or hide (escape sequences, C1 controls, marks of direction, bytes
that are not UTF-8) into each name and text of their trees, traces and configurations in turn, into names of files, words
of the command line, and assets; runs every verb in every format on each; and looks at all that is written.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "assets"))
from asset_bytes import xxh64  # noqa: E402

SAMPLES = pathlib.Path(__file__).resolve().parents[2] / "samples"
PROJECTS = ("archetypes", "guard", "squad", "modular", "dragengine", "deciders", "synchronized", "broken")

# What XML may hold, so that it gets far; and with what it may not.
LEGAL = "\x7f\x85\x9b5m\u061c\u200f\u2028\u2029\u202a\u202e\u2066\u2069\ufeff\U000e0041".encode()
ANY = LEGAL + b"\x1b]0;x\x07\x1b[5m\r\x08\x0c\x9b\x90\xff\xfe\xc0\x9b\xed\xa0\x80\xf4\x90\x80\x80\xe2\x80"
IN_A_FILE_NAME = ANY.replace(b"/", b"")
IN_JSON = LEGAL + rb"\u001b]0;x\u0007\u001b[5m\r\n\u0000\u009b\u202e\u001b"

FORBIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\U000e0000-\U000e0fff]")
COLORS = re.compile(rb"\x1b\[(0|1|2|1;3[0-9]|3[0-9]|97)m")
LINT_FORMATS = re.findall(r"^FORMAT\((\w+)", (SAMPLES.parent / "lib/report/formats.def").read_text(), re.MULTILINE)
REPLAY_FORMATS = ("human", "jsonl", "junit")
MOST_NAMES = 5 if "ESPALIER_ALL_TESTS" in os.environ else 2  # of one project, that are tried


def fault_of(output, is_colored):
    if is_colored:
        output = COLORS.sub(b"", output)
    try:
        text = output.decode()
    except UnicodeDecodeError as error:
        return f"not UTF-8: {output[max(0, error.start - 60):error.start + 20]}"
    found = FORBIDDEN.search(text)
    return found and f"{ascii(text[max(0, found.start() - 60):found.end() + 20])}"


class Runs:
    def __init__(self, espalier):
        self.espalier, self.count, self.faults = espalier, 0, []

    def run(self, folder, *words):
        words = [word if isinstance(word, bytes) else os.fsencode(str(word)) for word in words]
        done = subprocess.run([os.fsencode(self.espalier), *words], cwd=folder, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120)
        self.count += 1
        fault = fault_of(done.stdout, b"--color=always" in words)
        if done.returncode not in (0, 1, 2):
            fault = f"exit status {done.returncode}: {done.stdout[-300:]}"
        if fault:
            self.faults.append(f"{ascii(b' '.join(words))}: {fault}")
        return done

    def all_verbs(self, folder):
        """Everything that can be done with the project in a folder."""
        traces = [os.path.join(b".", name) for name in os.listdir(os.fsencode(folder)) if name.endswith(b".trace.jsonl")]
        for form in LINT_FORMATS:
            self.run(folder, "lint", ".", "--format", form)
        self.run(folder, "lint", ".", "--color=always", "-v")
        self.run(folder, "lint", ".", "--write-baseline", "accepted.json")
        self.run(folder, "lint", ".", "--baseline", "accepted.json", "-v")
        self.run(folder, "compile", ".", "-o", "all.espb", "-v", "--depfile", "all.d", "--header", "all.h")
        self.run(folder, "compile", ".", "-o", "each/")
        for project in (".", "all.espb"):
            self.run(folder, "dump", project)
            self.run(folder, "dump", "--json", project)
            for form in REPLAY_FORMATS:
                self.run(folder, "replay", project, "--trace", *traces, "--format", form)
            self.run(folder, "replay", project, "--trace", *traces, "--color=always")
            self.run(folder, "replay", project, "--trace", *traces, "--verbose", "5", "--strict")
        self.run(folder, "replay", ".", "--trace", *traces, "--format", "jsonl", "--record")
        self.run(folder, "replay", ".", "--trace", *traces, "--update")
        self.run(folder, "verify", "all.espb")
        header = folder / "all.h"
        if header.exists() and (fault := fault_of(header.read_bytes(), False)):
            self.faults.append(f"{folder}: a header: {fault}")


def files_of(folder):
    return [path for path in sorted(folder.iterdir()) if path.suffix in (".xml", ".debt", ".jsonl", ".json")]


def names_of(files):
    """Texts in quotes, and names of elements and attributes, which a file has."""
    names = set()
    for file in files:
        text = file.read_bytes()
        names |= set(re.findall(rb'"([^"<>\\]{2,60})"', text))
        if file.suffix in (".xml", ".debt"):
            names |= set(re.findall(rb"<(\w+)", text)) | set(re.findall(rb"(\w+)=", text))
    return sorted(names)


def chosen(names):
    step = max(1, -(-len(names) // MOST_NAMES))
    return names[::step]


def with_names(runs, temporary, project):
    """Each name with a suffix, everywhere it occurs."""
    names = names_of(files_of(SAMPLES / project))
    for number, name in enumerate(chosen(names)):
        for kind, in_xml, in_json in (("legal", LEGAL, LEGAL), ("any", ANY, IN_JSON)):
            folder = temporary / f"{project}-{number}-{kind}"
            shutil.copytree(SAMPLES / project, folder)
            for file in files_of(folder):
                payload = in_json if file.suffix in (".jsonl", ".json") else in_xml
                whole = rb"(?<![\w])" + re.escape(name) + rb"(?![\w])"
                file.write_bytes(re.sub(whole, lambda found: found[0] + payload, file.read_bytes()))
            runs.all_verbs(folder)
            shutil.rmtree(folder)


def with_file_names(runs, temporary, project):
    folder = temporary / f"{project}-files"
    shutil.copytree(SAMPLES / project, folder)
    for file in files_of(folder):
        if file.name in ("espalier.json", "cryengine.hosts.json"):
            continue
        stem, ending = file.name.split(".", 1)
        os.rename(file, os.path.join(os.fsencode(folder), IN_A_FILE_NAME + stem.encode() + b"\n::error::x." + ending.encode()))
    runs.all_verbs(folder)
    for name in os.listdir(os.fsencode(folder)):
        for verb in ("lint", "verify", "dump"):
            runs.run(folder, verb, name)
        done = runs.run(folder, "lint", name, "--format", "json")
        assert b"\n::error" not in done.stdout, done.stdout


def with_words(runs, temporary):
    """Words of the command line, files that cannot be read, and texts of configurations and .gitignore files."""
    folder = temporary / "words"
    shutil.copytree(SAMPLES / "guard", folder)
    word = ANY.replace(b"\0", b"")
    runs.run(folder, word)
    runs.run(folder, "--" + os.fsdecode(word))
    for verb in ("lint", "compile", "replay", "dump", "verify", "explain"):
        runs.run(folder, verb, word)
        runs.run(folder, verb, ".", b"--" + word)
        for option in (b"--config", b"--format", b"-o", b"--trace", b"--depfile", b"--header", b"--baseline", b"--color",
                       b"--write-baseline", b"--events", b"--agent", b"-j", b"--fail-on", b"--stdin-filename"):
            runs.run(folder, verb, ".", option, word)
            runs.run(folder, verb, ".", option, word + b"/" + word)
            runs.run(folder, verb, ".", option + b"=" + word)
    os.mkdir(os.path.join(os.fsencode(folder), word + b".xml"))
    os.symlink(b"nowhere", os.path.join(os.fsencode(folder), b"x" + word + b".xml"))
    (folder / ".gitignore").write_bytes(ANY + b"\n!" + ANY + b"\n")
    runs.all_verbs(folder)
    for file in ("guard.xml", "espalier.json", "intruder.trace.jsonl", "accepted.json"):
        for text in (ANY, b'{"' + IN_JSON + b'": "' + IN_JSON + b'"}', b'{"trace": 1, "tree": "' + IN_JSON + b'"}',
                     b'{"rules": {"' + IN_JSON + b'": "' + IN_JSON + b'"}, "baseline": "' + LEGAL + b'", "paths": ["' +
                     IN_JSON + b'"], "hostFiles": ["' + IN_JSON + b'"]}', b"{" + ANY, b'["' + ANY + b'"]',
                     b'{"version": 1, "findings": [{"file": "' + IN_JSON + b'", "rule": "' + IN_JSON + b'"}]}',
                     b'{"trace": 1}\n{"reload": "' + IN_JSON + b'"}', b'{"trace": 1}\n{"signal": "' + IN_JSON + b'"}',
                     b'{"trace": 1}\n{"expect": {"behavior": "' + IN_JSON + b'"}}',
                     b'{"trace": 1, "name": "' + IN_JSON + b'"}\n{"host": {"' + IN_JSON + b'": "' + IN_JSON + b'"}}',
                     b"<" + ANY + b">", b"<SelectionTrees><!-- espalier:ignore " + LEGAL + b" --><" + LEGAL + b"/>"):
            copy = temporary / "text"
            shutil.copytree(folder, copy, symlinks=True)
            (copy / file).write_bytes(text)
            if file == "accepted.json":  # which all verbs would write anew before one reads it
                runs.run(copy, "lint", ".", "--baseline", file, "-v")
                runs.run(copy, "lint", ".", "--baseline", file, "--color=always")
            else:
                runs.all_verbs(copy)
            shutil.rmtree(copy)


def with_assets(runs, temporary, project):
    """Names in an asset's bytes, changed for others of the same length; the asset is sound all the same."""
    folder = temporary / f"{project}-asset"
    shutil.copytree(SAMPLES / project, folder)
    runs.run(folder, "compile", ".", "-o", "all.espb")
    data = (folder / "all.espb").read_bytes()
    traces = sorted(folder.glob("*.trace.jsonl"))
    for index in range(0, 4):
        start = len(ANY) * index // 4
        stream = ANY[start:] + ANY[:start]
        changed = bytearray(data)
        for found in re.finditer(rb"[A-Za-z][\w/. ]{2,}(?=\0)", data):
            size = found.end() - found.start() - 1
            changed[found.start() + 1:found.end()] = (stream * (size // len(stream) + 1))[:size]
        changed[16:24] = xxh64(bytes(changed[:16]) + bytes(8) + bytes(changed[24:])).to_bytes(8, "little")
        (folder / "changed.espb").write_bytes(changed)
        done = runs.run(folder, "verify", "changed.espb")
        for words in (["dump"], ["dump", "--json"], *(["replay", "--format", form, "--trace", *traces] for form in REPLAY_FORMATS)):
            runs.run(folder, words[0], "changed.espb", *words[1:])
        assert index > 0 or done.returncode == 0, done.stdout


def main():
    runs = Runs(pathlib.Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory() as name, ThreadPoolExecutor(os.cpu_count()) as pool:
        temporary = pathlib.Path(name)
        jobs = [pool.submit(with_words, runs, temporary)]
        for project in PROJECTS:
            jobs.append(pool.submit(with_names, runs, temporary, project))
            jobs.append(pool.submit(with_file_names, runs, temporary, project))
            if project != "broken":
                jobs.append(pool.submit(with_assets, runs, temporary, project))
        for job in jobs:
            job.result()
    for fault in runs.faults[:40]:
        print(fault)
    print(f"{runs.count - len(runs.faults)} of {runs.count} outputs contain nothing that a terminal would interpret")
    sys.exit(bool(runs.faults))


main()
