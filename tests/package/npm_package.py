#!/usr/bin/env python3
"""The npm package works where nothing else is installed: npm_package.py PACKAGE_FOLDER NATIVE_ESPALIER

It is packed, and installed from the tarball in an empty folder without a network. The examples of its README write what
it says. Assets and reports of all samples are those of the native program, byte for byte.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLE = re.compile(r"^```js\n(.*?)^```\n\n```text\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ALL_SAMPLES = """
const fs = require('fs');
const path = require('path');
const { compile, lint } = require('espalier');
const results = {};
for (const folder of process.argv.slice(2)) {
  const files = {};
  for (const name of fs.readdirSync(folder)) if (/\\.(xml|debt|json)$/.test(name)) files[name] = fs.readFileSync(path.join(folder, name));
  const report = lint(files);
  let asset = '';
  if (report.summary.errors === 0) asset = Buffer.from(compile(files).asset).toString('hex');
  results[path.basename(folder)] = { report, asset };
}
console.log(JSON.stringify(results));
"""


def output_of(words, folder, **more):
    return subprocess.run(words, cwd=folder, check=True, stdout=subprocess.PIPE, text=True, **more).stdout


def native(espalier, folder):
    environment = os.environ | {"XDG_CACHE_HOME": "/dev/null"}
    linted = subprocess.run([espalier, "lint", "--format", "json"], cwd=folder, stdout=subprocess.PIPE, env=environment)
    report = json.loads(linted.stdout)
    asset = b""
    if report["summary"]["errors"] == 0:
        asset = subprocess.run([espalier, "compile", "-o", "-"], cwd=folder, check=True, env=environment, stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL).stdout
    return {"report": report, "asset": asset.hex()}


def main():
    package, espalier = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        tarball = json.loads(output_of(["npm", "pack", "--json", "--pack-destination", folder], package))[0]
        print(f"{tarball['filename']}: {tarball['size']} bytes packed, {tarball['unpackedSize']} unpacked")
        (folder / "package.json").write_text("{}")
        output_of(["npm", "install", "--silent", "--offline", "--no-audit", folder / tarball["filename"]], folder)
        examples = EXAMPLE.findall((package / "README.md").read_text())
        faults = []
        for i, (code, expected) in enumerate(examples):
            kind = "mjs" if code.startswith("import") else "cjs"
            (folder / f"example{i}.{kind}").write_text(code)
            actual = output_of(["node", f"example{i}.{kind}"], folder)
            if actual != expected:
                faults.append(f"README: expected\n{expected}actual\n{actual}")
        version = output_of(["npx", "--offline", "espalier", "--version"], folder)
        if version != output_of([espalier, "--version"], folder):
            faults.append(f"the command says {version}")
        files = (ROOT / "samples").glob("*/*.xml")
        samples = sorted({file.parent for file in files if file.name != "package.xml"})  # a ROS package has its trees below
        (folder / "samples.cjs").write_text(ALL_SAMPLES)
        results = json.loads(output_of(["node", "samples.cjs", *samples], folder))
        for sample in samples:
            with tempfile.TemporaryDirectory() as alone:  # with these files alone, as in memory
                for file in sample.iterdir():
                    if file.suffix in (".xml", ".debt", ".json"):
                        (pathlib.Path(alone) / file.name).write_bytes(file.read_bytes())
                if native(espalier, alone) != results[sample.name]:
                    faults.append(f"samples/{sample.name}: not what the native program writes")
    for fault in faults:
        print(fault)
    if len(examples) < 2 or faults:
        sys.exit(1)
    print(f"{len(examples)} examples and {len(samples)} samples hold")


main()
