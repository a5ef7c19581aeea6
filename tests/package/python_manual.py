"""The manual of the Python package: its files and commands, and its links."""
import difflib
import os
import pathlib
import re
import subprocess
import tempfile

PAGE = pathlib.Path(__file__).resolve().parents[2] / "cli/package/python/README.md"
PART = re.compile(r"^(?:<!-- file: (?P<file>\S+) -->\n)?```(?P<kind>\w*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?!\w+:|#)([^)#\s]+)")


def steady(text):
    """Without what differs from run to run."""
    return re.sub(r"in \d+\.\d+s", "in 0.10s", text)


def actual_page(scripts, environment):
    """The page with what its commands write, run in one empty folder with a fresh installation first on PATH."""
    environment = environment | {"PATH": f"{scripts}{os.pathsep}{environment['PATH']}", "NO_COLOR": "1", "COLUMNS": "80"}
    with tempfile.TemporaryDirectory() as folder:

        def replace(match):
            if match["file"]:
                (pathlib.Path(folder) / match["file"]).write_text(match["text"])
            if match["kind"] != "console":
                return match[0]
            written = ""
            for command in re.findall(r"^\$ (.*)\n", match["text"], re.MULTILINE):
                done = subprocess.run(["sh", "-c", command], cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
                written += f"$ {command}\n{steady(done.stdout)}"
            return match[0].replace(match["text"], written)
        return PART.sub(replace, PAGE.read_text())


def files():
    return {part["file"]: part["text"] for part in PART.finditer(PAGE.read_text()) if part["file"]}


def faults(scripts, environment, update):
    page, actual = PAGE.read_text(), actual_page(scripts, environment)
    if update:
        PAGE.write_text(actual)
    elif actual != page:
        yield from difflib.unified_diff(page.splitlines(), actual.splitlines(), "the manual", "what happens", lineterm="")


def broken_links():
    return [f"{PAGE}: {link} is not there" for link in LINK.findall(PAGE.read_text()) if not (PAGE.parent / link).exists()]
