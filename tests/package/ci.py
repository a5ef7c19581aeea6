#!/usr/bin/env python3
"""What runs espalier on build servers and before commits: ci.py ESPALIER LIBRARY

The steps of .github/actions/espalier are run as its action.yml says, and the jobs of the GitLab component as its template says, each in a
checkout that belongs to another user, with a server here in the place of the release's and of GitLab. The hooks for pre-commit are installed
from a folder with the wheel, by `pre-commit try-repo`. The image of the Dockerfile is made without docker, and entered. No network is used.
"""
import functools
import hashlib
import http.server
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import threading

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
ACTION = ROOT / ".github/actions/espalier"
TEMPLATE = ROOT / "cli/package/gitlab/templates/espalier.yml"
IMAGE = ROOT / "cli/package/docker"
HOOKS = ROOT / "cli/package/pre-commit"
GIT = {"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@localhost", "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@localhost",
       "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null"}
FAKE_GH = """#!/bin/sh
echo "$*" >"$FAKE/gh"
cp "$5" "$FAKE/comment.md"
"""


def run(words, folder, environment=None, status=0):
    done = subprocess.run([str(word) for word in words], cwd=folder, env=environment or os.environ | GIT, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode != status:
        sys.exit(f"{words} ended with exit status {done.returncode}, not {status}:\n{done.stdout}")
    return done.stdout


def checkout(folder, files):
    """A clone of a project whose branch `change` has the guard of samples/guard-next, and these files. It belongs to another user."""
    origin = folder / "origin"
    shutil.copytree(ROOT / "samples/guard", origin / "trees", ignore=shutil.ignore_patterns("covering", "*.trace.jsonl"))
    shutil.copytree(ROOT / "samples/guard", origin / "traces", ignore=shutil.ignore_patterns("*.xml", "*.json"))
    (origin / "trees/guard.properties.json").write_text('{"properties": [{"name": "acts", "always": {"behavior": {"not": null}}}]}')
    for words in ("init -q -b main", "add .", "commit -qm first", "checkout -q -b change"):
        run(["git", *words.split()], origin)
    shutil.copy(ROOT / "samples/guard-next/guard.xml", origin / "trees/guard.xml")
    for name, text in files.items():
        (origin / name).write_text(text)
    for words in ("add .", "commit -qm second"):
        run(["git", *words.split()], origin)
    run(["git", "clone", "-q", origin, folder / "checkout"], folder)
    if os.geteuid() == 0:
        run(["chown", "-R", "65534", folder / "checkout"], folder)
    return folder / "checkout"


class Server:
    """Gives files of a folder, and keeps what is posted."""

    def __init__(self, folder):
        self.posted = posted = []

        class Handler(http.server.SimpleHTTPRequestHandler):
            def do_POST(self):
                posted.append((self.path, self.headers, self.rfile.read(int(self.headers["Content-Length"])).decode()))
                self.send_response(201)
                self.end_headers()

            def log_message(self, *_):
                pass
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=folder))
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.address = f"http://127.0.0.1:{self.server.server_address[1]}"


def tarball_of(program, folder):
    """As a release has it."""
    folder.mkdir()
    with tarfile.open(folder / "espalier.tar.gz", "w:gz") as tar:
        tar.add(program, "espalier-1.0.0-Linux-x86_64/bin/espalier")
    return hashlib.sha256((folder / "espalier.tar.gz").read_bytes()).hexdigest()


# ---- GitHub


def input_of(value):
    """As GitHub passes it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def sample_of(name, **variables):
    """The inputs of the action in a sample's workflow, with the repository's variables filled in, and the commands after it."""
    text = re.sub(r"\$\{\{ vars\.(\w+) \}\}", lambda match: variables[match[1]], (ROOT / "samples" / name).read_text())
    steps = yaml.safe_load(text)["jobs"]["trees"]["steps"]
    (inputs,) = (step["with"] for step in steps if step.get("uses") == "./.github/actions/espalier")
    return inputs, [step["run"] for step in steps if "run" in step]


class Job:
    """A job on GitHub: the files and variables that steps have, as far as the action needs them."""

    def __init__(self, folder, workspace, inputs):
        self.folder, self.workspace = folder, workspace
        (folder / "bin").mkdir(parents=True)
        (folder / "bin/gh").write_text(FAKE_GH)
        (folder / "bin/gh").chmod(0o755)
        self.files = {name: folder / name for name in ("GITHUB_PATH", "GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
        for file in self.files.values():
            file.write_text("")
        self.action = yaml.safe_load((ACTION / "action.yml").read_text())
        unknown = set(inputs) - set(self.action["inputs"])
        assert not unknown, unknown
        self.values = {f"inputs.{name}": input_of(inputs.get(name, each["default"])) for name, each in self.action["inputs"].items()}
        self.values |= {"github.token": "secret", "github.event.number": "7", "github.event_name": "pull_request"}
        self.values["inputs.token"] = self.filled(self.values["inputs.token"])

    def filled(self, text):
        return re.sub(r"\$\{\{ ([\w.-]+) \}\}", lambda match: self.values[match[1]], text)

    def is_wanted(self, condition):
        """Expressions of the form A && B, with == and !cancelled()."""
        for part in condition.removeprefix("${{ ").removesuffix(" }}").split(" && "):
            name, _, wanted = part.partition(" == ")
            if part != "!cancelled()" and self.values[name] != wanted.strip("'"):
                return False
        return True

    def environment(self, step):
        outputs = dict(line.split("=", 1) for line in self.files["GITHUB_OUTPUT"].read_text().splitlines())
        self.values |= {f"steps.install.outputs.{name}": value for name, value in outputs.items()}  # the only step with an id
        paths = [*reversed(self.files["GITHUB_PATH"].read_text().splitlines()), self.folder / "bin", "/usr/bin", "/bin"]
        return (GIT | {name: str(file) for name, file in self.files.items()} |
                {"PATH": ":".join(map(str, paths)), "HOME": str(self.folder), "RUNNER_TEMP": str(self.folder / "temp"), "FAKE": str(self.folder),
                 "GITHUB_WORKSPACE": str(self.workspace), "GITHUB_ACTION_PATH": str(ACTION), "GITHUB_BASE_REF": "main"} |
                {name: self.filled(text) for name, text in step.get("env", {}).items()})

    def run(self, commands=()):
        """Whether it fails, and the log of its steps and of the commands after it. Steps of other actions are left out."""
        log, failed = "", False
        for step in [*self.action["runs"]["steps"], *({"run": command} for command in commands)]:
            if "run" not in step or not (self.is_wanted(step["if"]) if "if" in step else not failed):
                continue
            done = subprocess.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]], cwd=self.workspace, check=False,
                                  env=self.environment(step), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            log, failed = log + done.stdout, failed or done.returncode != 0
        return failed, log


def expect(what, log, *wanted):
    for text in wanted:
        if text not in log:
            sys.exit(f"{what}: the log lacks {text!r}:\n{log}")


def github(folder, server, checksum):
    tarball = f"{server.address}/espalier.tar.gz"
    release = {"ESPALIER_TARBALL": tarball, "ESPALIER_SHA256": checksum}
    inputs, commands = sample_of("ci/github-actions.yml", **release)
    job = Job(folder / "job", checkout(folder / "good", {}), inputs)
    failed, log = job.run(commands)
    assert not failed, log
    expect("a good change", log, "espalier 1.0.0", "all hold", "items reached", "1 property holds", "::endgroup::")
    comment = (folder / "job/comment.md").read_text()
    expect("the comment", comment, "Hide", "OnReloaded")
    assert (folder / "job/gh").read_text() == f"pr comment 7 --body-file {folder}/job/temp/espalier/comment.md --edit-last --create-if-none\n"
    assert comment in (folder / "job/GITHUB_STEP_SUMMARY").read_text()
    assert (job.workspace / "trees.espb").exists()
    assert {file.name for file in (folder / "job/temp/espalier").iterdir()} == {"lint.sarif", "replay.xml", "proofs.txt", "comment.md"}

    job.values["inputs.tarball"] = "http://127.0.0.1:9/none"  # a second run has it from the cache
    failed, log = job.run()
    assert not failed, log

    broken = {"trees/other.trace.jsonl": '{"trace": 1}\n{"tick": 0.1}\n{"expect": {"behavior": "Attack"}}\n',
              "trees/guard.properties.json": '{"properties": [{"name": "never attacks", "never": {"behavior": "Attack"}}]}'}
    failed, log = Job(folder / "job2", checkout(folder / "bad", broken), {"tarball": tarball, "sha256": checksum, "trees": "trees"}).run()
    assert failed, log
    expect("a bad change", log, "::error file=trees/other.trace.jsonl,line=3", "FAILED  Guard: never attacks", "::error title=espalier prove")

    misspelt = {"trees/guard.xml": (ROOT / "samples/guard/guard.xml").read_text().replace('condition="Alerted"', 'condition="Alertet"')}
    patrol = folder / "patrol"
    shutil.copytree(ROOT / "samples/nav2", patrol / "src/patrol_robot")
    run(["git", "init", "-q"], patrol)
    inputs, _ = sample_of("nav2/github-actions.yml", **release)
    failed, log = Job(folder / "job4", patrol, inputs).run()
    assert not failed, log
    expect("the ROS package", log, "all hold")

    workspace = checkout(folder / "misspelt", misspelt)
    failed, log = Job(folder / "job3", workspace, {"tarball": tarball, "sha256": checksum, "trees": "trees", "comment": "false"}).run()
    assert failed, log
    expect("a misspelt condition", log, "::error file=trees/guard.xml,line=", "did you mean 'Alerted'?")
    assert not (folder / "job3/gh").exists()

    for inputs, message in (({"tarball": tarball, "sha256": "0" * 64}, "the tarball has another checksum"),
                            ({"tarball": tarball}, "give its sha256 too"), ({}, "espalier is not installed here")):
        failed, log = Job(folder / f"job-{message[:5]}", workspace, {"comment": "false"} | inputs).run()
        assert failed, log
        expect(str(inputs), log, f"::error title=espalier::{message}" if not inputs else message)
    return "the action"


# ---- GitLab


def gitlab(folder, server, checksum):
    spec, jobs = yaml.safe_load_all(TEMPLATE.read_text())

    def job_of(inputs):
        values = {name: each.get("default") for name, each in spec["spec"]["inputs"].items()} | inputs
        text = re.sub(r"\$\[\[ inputs\.([\w-]+) \]\]", lambda match: values[match[1]], TEMPLATE.read_text().split("\n---\n")[1])
        return yaml.safe_load(text)["espalier"]

    def play(workspace, inputs, status, **more):
        job = job_of(inputs)
        given = {"CI_PROJECT_DIR": str(workspace), "CI_API_V4_URL": f"{server.address}/api", "CI_PROJECT_ID": "3", "PATH": "/usr/bin:/bin",
                 "HOME": str(folder), **more}
        variables = {name: re.sub(r"\$(\w+)", lambda match: given.get(match[1], ""), value) for name, value in job["variables"].items()}
        script = "\n".join(["set -e", *job["before_script"], *job["script"]])
        return run(["bash", "-c", script], workspace, GIT | given | variables, status)

    assert set(jobs) == {"espalier"}
    workspace = checkout(folder / "good", {})
    base = run(["git", "-c", "safe.directory=*", "rev-parse", "origin/main"], workspace).strip()
    (sample,) = yaml.safe_load((ROOT / "samples/ci/gitlab-ci.yml").read_text())["include"]
    release = {"$ESPALIER_TARBALL": f"{server.address}/espalier.tar.gz", "$ESPALIER_SHA256": checksum}
    inputs = {name: release.get(value, value) for name, value in sample["inputs"].items()}
    assert f"/{TEMPLATE.relative_to(ROOT / 'cli/package/gitlab')}" == sample["local"]
    log = play(workspace, inputs, 0, CI_MERGE_REQUEST_IID="9", CI_MERGE_REQUEST_DIFF_BASE_SHA=base, ESPALIER_TOKEN="secret")
    expect("a good change", log, "espalier 1.0.0", "no findings", "all hold", "1 property holds")
    path, headers, body = server.posted[-1]
    assert path == "/api/projects/3/merge_requests/9/notes" and headers["Private-Token"] == "secret" and "Hide" in body, (path, str(headers), body)
    assert {"lint.xml", "replay.xml", "proofs.xml", "comment.md"} <= {file.name for file in workspace.iterdir()}
    broken = {"trees/other.trace.jsonl": '{"trace": 1}\n{"tick": 0.1}\n{"expect": {"behavior": "Attack"}}\n'}
    expect("a bad change", play(checkout(folder / "bad", broken), inputs | {"traces": ""}, 1), "1 failed")
    expect("another checksum", play(workspace, inputs | {"sha256": "0" * 64}, 1), "FAILED")
    return "the component"


# ---- pre-commit


def pre_commit(folder, program, library):
    run(["/usr/bin/python3", ROOT / "cli/package/python/backend.py", folder / "wheels", f"program={program}", f"library={library}"], folder.parent)
    shutil.copytree(HOOKS, folder / "hooks")
    workspace = checkout(folder / "project", {"trees/wrong.xml": (ROOT / "samples/broken/sentry.xml").read_text().replace("\n  <", "\n<"), "other.xml": "<other/>"})
    if os.geteuid() == 0:
        run(["chown", "-R", "0", workspace], folder)
    for words in ("init -q", "add .", "commit -qm first"):
        run(["git", *words.split()], folder / "hooks")
    alone = os.environ | GIT | {"PRE_COMMIT_HOME": str(folder / "kept"), "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": f"{folder}/wheels /usr/share/python-wheels"}
    for hook, status, text in (("espalier", 1, "trees/wrong.xml:"), ("espalier-project", 1, "trees/wrong.xml:"), ("espalier-fmt", 1, "files were modified")):
        log = run(["pre-commit", "try-repo", folder / "hooks", hook, "--all-files", "--color", "never"], workspace, alone, status)
        expect(hook, log, text)
    run(["git", "checkout", "-q", "."], workspace)
    run(["git", "rm", "-q", "trees/wrong.xml"], workspace)
    expect("a good project", run(["pre-commit", "try-repo", folder / "hooks", "espalier", "--all-files", "--color", "never"], workspace, alone), "Passed")
    return "the hooks"


# ---- The image


def image(folder, release):
    """The Dockerfile's lines, done here: files are copied, and commands enter the root with chroot."""
    folder.mkdir()
    run(["sh", IMAGE / "root.sh", folder / "context/root", release / "espalier.tar.gz"], folder)
    root, words, environment = folder / "image", [], {}
    for line in (IMAGE / "Dockerfile").read_text().splitlines():
        instruction, _, rest = line.partition(" ")
        if instruction == "COPY":
            run(["cp", "-a", f"{folder}/context/{rest.split()[0]}/.", f"{root}{rest.split()[1]}"], folder)
        elif instruction == "ENV":
            environment |= dict(each.split("=") for each in rest.split())
        elif instruction in ("WORKDIR", "CMD"):
            words.append(rest)
        elif instruction not in ("FROM", "#"):
            sys.exit(f"Dockerfile: {line}")
    size = sum(file.stat().st_size for file in root.rglob("*") if not file.is_symlink())
    assert size < 40e6, size
    run(["mknod", "-m", "666", root / "dev/null", "c", "1", "3"], folder)  # as any container has it
    workspace = checkout(folder / "good", {})
    run(["cp", "-a", f"{workspace}/.", root / "work"], folder)
    command = "cd /work && espalier lint trees && espalier diff --git origin/main trees && espalier --version | tr a-z A-Z"
    expect("the image", run([shutil.which("chroot"), root, "/bin/sh", "-c", command], folder, environment), "no findings", "Hide", "ESPALIER 1.0.0")
    assert words == ["/work", '["espalier", "--help"]'], words
    return f"the image ({size / 1e6:.0f} MB)"


def main():
    program, library = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        folder.chmod(0o755)
        checksum = tarball_of(program, folder / "release")
        server = Server(folder / "release")
        held = [github(folder / "github", server, checksum), gitlab(folder / "gitlab", server, checksum),
                pre_commit(folder / "pre-commit", program, library)]
        if os.geteuid() == 0:  # who alone can enter a root
            held.append(image(folder / "docker", folder / "release"))
    print(f"{len(held)} ways hold: {', '.join(held)}")


main()
