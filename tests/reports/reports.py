#!/usr/bin/env python3
"""Checks what `lint` writes for other programs: reports.py ESPALIER [--all]

Every folder with a tree in tests/golden/lint and in the bad examples of lib/rules is linted as JSON and in one other format, the
next one for the next folder, or with --all in each. All formats have the same findings. SARIF is checked against what the schema of SARIF 2.1.0 demands of the parts that are
written, and against what no schema can express (indices, places); XML is parsed, and commands of GitHub's workflows
are read back.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import urllib.parse
import xml.etree.ElementTree
from concurrent.futures import ThreadPoolExecutor

import jsonschema

# The published schema, cut down to the properties that are written. Unlike the published one it allows no others, so that
# a property can only be added together with its rule here.
MESSAGE = {"type": "object", "additionalProperties": False, "required": ["text"], "properties": {"text": {"type": "string"}}}
MULTIFORMAT = {"type": "object", "additionalProperties": False, "required": ["text"],
               "properties": {"text": {"type": "string"}, "markdown": {"type": "string"}}}
POSITIVE = {"type": "integer", "minimum": 1}
REGION = {"type": "object", "additionalProperties": False, "required": ["startLine", "startColumn", "endLine", "endColumn"],
          "properties": {name: POSITIVE for name in ("startLine", "startColumn", "endLine", "endColumn")}}
ARTIFACT = {"type": "object", "additionalProperties": False, "required": ["uri"],
            "properties": {"uri": {"type": "string", "format": "uri-reference"}, "uriBaseId": {"type": "string"}}}
PHYSICAL = {"type": "object", "additionalProperties": False, "required": ["artifactLocation"],
            "properties": {"artifactLocation": ARTIFACT, "region": REGION}}
LOCATION = {"type": "object", "additionalProperties": False,
            "properties": {"id": {"type": "integer", "minimum": -1}, "physicalLocation": PHYSICAL, "message": MESSAGE}}
REPLACEMENT = {"type": "object", "additionalProperties": False, "required": ["deletedRegion"],
               "properties": {"deletedRegion": REGION, "insertedContent": MESSAGE}}
CHANGE = {"type": "object", "additionalProperties": False, "required": ["artifactLocation", "replacements"],
          "properties": {"artifactLocation": ARTIFACT, "replacements": {"type": "array", "minItems": 1, "items": REPLACEMENT}}}
FIX = {"type": "object", "additionalProperties": False, "required": ["artifactChanges"],
       "properties": {"description": MESSAGE, "artifactChanges": {"type": "array", "minItems": 1, "uniqueItems": True, "items": CHANGE},
                      "properties": {"type": "object"}}}
LEVEL = {"enum": ["none", "note", "warning", "error"]}
RESULT = {"type": "object", "additionalProperties": False, "required": ["message"],
          "properties": {"ruleId": {"type": "string"}, "ruleIndex": {"type": "integer", "minimum": -1}, "level": LEVEL,
                         "message": MESSAGE, "locations": {"type": "array", "items": LOCATION},
                         "relatedLocations": {"type": "array", "uniqueItems": True, "items": LOCATION},
                         "fixes": {"type": "array", "uniqueItems": True, "items": FIX}, "properties": {"type": "object"}}}
RULE = {"type": "object", "additionalProperties": False, "required": ["id"],
        "properties": {"id": {"type": "string"}, "name": {"type": "string"}, "shortDescription": MULTIFORMAT,
                       "fullDescription": MULTIFORMAT, "help": MULTIFORMAT,
                       "defaultConfiguration": {"type": "object", "additionalProperties": False, "properties": {"level": LEVEL, "enabled": {"type": "boolean"}}}}}
DRIVER = {"type": "object", "additionalProperties": False, "required": ["name"],
          "properties": {"name": {"type": "string"}, "semanticVersion": {"type": "string", "pattern": r"^\d+\.\d+\.\d+$"},
                         "rules": {"type": "array", "uniqueItems": True, "items": RULE}}}
RUN = {"type": "object", "additionalProperties": False, "required": ["tool"],
       "properties": {"tool": {"type": "object", "additionalProperties": False, "required": ["driver"], "properties": {"driver": DRIVER}},
                      "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
                      "newlineSequences": {"type": "array", "minItems": 1, "uniqueItems": True, "items": {"type": "string"}},
                      "properties": {"type": "object"}, "results": {"type": "array", "items": RESULT}}}
SCHEMA = {"$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "additionalProperties": False,
          "required": ["version", "runs"],
          "properties": {"$schema": {"type": "string", "format": "uri"}, "version": {"enum": ["2.1.0"]},
                         "runs": {"type": "array", "items": RUN}}}


def regions_of(value):
    """All regions, wherever they are."""
    if isinstance(value, dict):
        if "startLine" in value:
            yield value
        for part in value.values():
            yield from regions_of(part)
    elif isinstance(value, list):
        for part in value:
            yield from regions_of(part)


def faults_of(log):
    for error in jsonschema.Draft7Validator(SCHEMA).iter_errors(log):
        yield f"{'/'.join(map(str, error.absolute_path))}: {error.message}"
    for run in log["runs"]:
        rules = run["tool"]["driver"]["rules"]
        if len({rule["id"] for rule in rules}) != len(rules):
            yield "a rule is there twice"
        for rule in rules:
            if not rule["help"]["text"]:
                yield f"rule {rule['id']} has no help"
        for result in run["results"]:
            if rules[result["ruleIndex"]]["id"] != result["ruleId"]:
                yield f"ruleIndex {result['ruleIndex']} is not {result['ruleId']}"
            for location in result["locations"]:
                uri = location["physicalLocation"]["artifactLocation"]["uri"]
                if urllib.parse.quote(urllib.parse.unquote_to_bytes(uri), safe="/~") != uri:
                    yield f"not a URI reference: {uri}"
        for region in regions_of(run):
            if (region["endLine"], region["endColumn"]) < (region["startLine"], region["startColumn"]):
                yield f"a region ends before it begins: {region}"


GITHUB = re.compile(r"::(error|warning|notice) file=([^,:]+),line=(\d+)(?:,col=\d+,endColumn=\d+)?,endLine=\d+,title=[a-z0-9-]+ ([A-Z]{3}\d{3})::(.+)")
GITHUB_SEVERITY = {"error": "error", "warning": "warning", "notice": "note"}
CHECKSTYLE_SEVERITY = {"error": "error", "warning": "warning", "info": "note"}


def lint(folder, *options):
    done = subprocess.run([ESPALIER, "lint", *options, "."], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
    return done.stdout.decode("utf-8")


def of_github(text):
    for line in text.splitlines():
        severity, file, number, code, _ = GITHUB.fullmatch(line).groups()
        yield urllib.parse.unquote(file), int(number), code, GITHUB_SEVERITY[severity]


def of_checkstyle(text):
    for file in xml.etree.ElementTree.fromstring(text.encode()):
        for error in file:
            yield file.get("name"), int(error.get("line")), error.get("source")[-6:], CHECKSTYLE_SEVERITY[error.get("severity")]


def of_junit(text):
    suites = xml.etree.ElementTree.fromstring(text.encode())
    assert int(suites.get("tests")) == len(suites.findall("*/testcase")), "tests are counted wrongly"
    assert int(suites.get("failures")) == len(suites.findall("*/*/failure")), "failures are counted wrongly"
    for case in suites.findall("*/testcase"):
        if case.get("file"):
            line = re.search(r": (error|warning|note): ", case[0].text)
            yield case.get("file"), int(case.get("line")), case.get("name").split()[1], line[1]


def of_sarif(text):
    log = json.loads(text)
    for fault in faults_of(log):
        raise AssertionError(fault)
    for result in log["runs"][0]["results"]:
        place = result["locations"][0]["physicalLocation"]
        yield (urllib.parse.unquote(place["artifactLocation"]["uri"]), place["region"]["startLine"], result["ruleId"], result["level"])


def of_json(findings):
    for finding in findings:
        yield finding["file"], finding["line"], finding["code"], finding["severity"]


FORMATS = {
    "github": of_github,
    "checkstyle": of_checkstyle,
    "junit": of_junit,
    "sarif": of_sarif,
    "jsonl": lambda text: of_json(map(json.loads, text.splitlines())),
}


def check(folder, formats):
    """How many findings there are."""
    text = lint(folder, "--format", "json")
    if not text:
        return 0
    expected = sorted(of_json(json.loads(text)["findings"]))
    for name, read in formats.items():
        assert sorted(read(lint(folder, "--format", name))) == expected, f"{folder}: --format {name} has other findings than json"
    return len(expected)


def main():
    tests = pathlib.Path(__file__).resolve().parents[1]
    files = [*(tests / "golden" / "lint").rglob("*.xml"), *(tests.parent / "lib" / "rules").glob("*/bad/**/*.xml")]
    folders = sorted({file.parent for file in files})
    rows = list(FORMATS.items())
    formats_of_each = [FORMATS if "--all" in sys.argv else dict([rows[i % len(rows)]]) for i in range(len(folders))]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        count = sum(pool.map(check, folders, formats_of_each))
    assert count > 100
    print(f"{count} findings hold in {len(FORMATS)} formats")


ESPALIER = pathlib.Path(sys.argv[1]).resolve()
main()
