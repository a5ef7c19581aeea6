"""Files of servers, for windows_program.py: the program for Windows under Wine, where //server/share is a folder of this
machine.

Paths that begin with a server are taken and written wherever drives are: on the command line, in a configuration, in the
current folder, by editors, in caches, and by --watch.
"""
import contextlib
import json
import os
import pathlib
import re
import select
import shutil
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHARE = "//server/share"
FOUND = re.compile(r"^(\S[^\n]*?):(\d+):\d+: error: ", re.MULTILINE)
SOON_s = 60


@contextlib.contextmanager
def served(folder):
    """While it lasts, the folder is the share."""
    place = pathlib.Path(os.environ["WINEPREFIX"]) / "dosdevices/unc/server/share"
    place.parent.mkdir(parents=True, exist_ok=True)
    place.unlink(missing_ok=True)  # of a run that was stopped
    place.symlink_to(folder)
    try:
        yield
    finally:
        place.unlink()


def check_words(tried, bad):
    """All spellings of one file; nothing is above a share, and folders of the same names elsewhere are others."""
    tried.write("server/share/trees/bad.xml", "<")
    for path in (r"\\server\share\trees\bad.xml", SHARE + "/trees/bad.xml", r"\\?\UNC\server\share\trees\bad.xml",
                 r"\/server/share\trees/bad.xml"):
        tried.finds(path, SHARE + "/trees/bad.xml")
    tried.finds(SHARE, SHARE + "/trees/bad.xml")
    tried.finds(SHARE + "/", SHARE + "/trees/bad.xml")
    tried.finds(SHARE + "/trees", SHARE + "/trees/bad.xml")
    status, output = tried.run("lint", SHARE + "/trees/none.xml")
    assert status == 2 and f"'{SHARE}/trees/none.xml'" in output, (status, output)
    status, output = tried.run("lint", "//other/share/trees/bad.xml")
    assert status == 2 and "'//other/share/trees/bad.xml'" in output, (status, output)
    status, output = tried.run("lint", "--format", "json", SHARE + "/trees/bad.xml")
    assert {each["file"] for each in json.loads(output)["findings"]} == {SHARE + "/trees/bad.xml"}, output
    status, output = tried.run("lint", "--format", "sarif", SHARE + "/trees/bad.xml")
    results = [each for run in json.loads(output)["runs"] for each in run["results"]]
    uris = {each["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for each in results}
    assert uris == {"file:" + SHARE + "/trees/bad.xml"}, uris


def check_outputs(tried, share, good):
    """Assets, recordings and files that are changed where they are."""
    (share / "good").mkdir()
    (share / "good/guard.xml").write_text(good)
    assert tried.run("compile", SHARE + "/good", "-o", r"\\server\share\guard.espb", "-q") == (0, "")
    subprocess.run([tried.native, "verify", "-q", "guard.espb"], cwd=share, check=True)
    shutil.copytree(ROOT / "samples/guard", share / "sample")
    done = tried.run("replay", "-q", SHARE + "/sample", "--trace", SHARE + "/sample")
    assert done == (0, ""), done
    assert tried.run("compile", "-q", SHARE + "/sample", "-o", SHARE + "/sample/guard.espb")[0] == 0
    traces = [f"{SHARE}/sample/{file.name}" for file in sorted((share / "sample").glob("*.trace.jsonl"))]
    assert traces and tried.run("replay", "-q", SHARE + "/sample/guard.espb", "--trace", *traces)[0] == 0
    status, output = tried.run("compile", SHARE + "/good", "-o", SHARE + "/none/guard.espb")
    assert status == 2 and f"the folder '{SHARE}/none' does not exist" in output, (status, output)
    status, output = tried.run("compile", SHARE + "/good/guard.xml", "-o", r"\\server\share\good\guard.xml")
    assert status == 2 and "which was read" in output or "it was read" in output, (status, output)
    assert tried.run("fmt", "-q", SHARE + "/good")[0] == 0
    assert (share / "good/guard.xml").read_text().count("\n") > 3, "it is not formatted"
    assert sorted(file.name for file in (share / "good").iterdir()) == ["guard.xml"], "something is left"


def check_projects(tried, share, bad):
    """Folders of a configuration are beside it, and files have the one above them."""
    for folder in ("game/trees/sub", "game/more", "common"):
        (share / folder).mkdir(parents=True)
    (share / "game/espalier.json").write_text(json.dumps({"paths": ["trees", "./more/../more"], "exclude": ["trees/out.xml"]}))
    for file in ("game/trees/sub/own.xml", "game/trees/out.xml", "game/more/bad.xml", "common/bad.xml"):
        (share / file).write_text(bad)
    for words in (("--config", SHARE + "/game/espalier.json"), (SHARE + "/game",)):
        status, output = tried.run("lint", *words)
        found = {file for file, _ in FOUND.findall(output)}
        assert (status, found) == (1, {f"{SHARE}/game/{file}.xml" for file in ("more/bad", "trees/sub/own")}), (words, output)
    # A share has a root, which can be a project.
    (share / "espalier.json").write_text(json.dumps({"paths": ["game/trees"]}))
    tried.finds(SHARE + "/game/trees/sub/own.xml", SHARE + "/game/trees/sub/own.xml")
    status, output = tried.run("lint", "--config", SHARE + "/espalier.json")
    assert status == 1 and f"{SHARE}/game/trees/sub/own.xml:1:" in output, (status, output)
    (share / "espalier.json").unlink()
    # Nothing outside of a configuration's folder is read, and a server is outside of a drive.
    tried.write("here/espalier.json", json.dumps({"paths": [r"\\server\share\common"]}))
    status, output = tried.run("lint", "here")
    assert status == 2 and "path-outside" in output and "Leef" not in output, (status, output)


def check_current_folder(tried, share):
    """Wine starts no program in a share, so one goes there itself."""
    (share / "common/sub").mkdir()
    done = subprocess.run([tried.wine, ROOT / "build/windows/tests/unit_system.exe", "[server]"], cwd=tried.folder,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=SOON_s)
    assert done.returncode == 0 and "All tests passed" in done.stdout, done.stdout


def check_cache(tried, share):
    """It is kept on a share, and says the same."""
    environment = os.environ | {"XDG_CACHE_HOME": SHARE + "/kept"}
    said = [tried.run("lint", SHARE + "/common", env=environment) for _ in range(2)]
    assert said[0] == said[1] and said[0][0] == 1, said
    assert list(share.glob("kept/espalier/*")), "nothing is kept"


def lines_until(process, wanted, text=b""):
    end = time.monotonic() + SOON_s
    while wanted not in text and time.monotonic() < end:
        if select.select([process.stdout], [], [], 0.2)[0]:
            text += os.read(process.stdout.fileno(), 65536)
    assert wanted in text, (wanted, text)


def check_watch(tried, share, bad, good):
    with subprocess.Popen([tried.wine, tried.program, "lint", "--watch", SHARE + "/common"], cwd=tried.folder,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
        try:
            lines_until(process, b"//server/share/common/bad.xml:1:")
            (share / "common/bad.xml").write_text(good)
            lines_until(process, b"no findings")
        finally:
            process.kill()
    (share / "common/bad.xml").write_text(bad)


def message(method, params=None, number=None):
    """What an editor writes."""
    content = {"jsonrpc": "2.0", "method": method, "params": params or {}} | ({"id": number} if number else {})
    text = json.dumps(content).encode()
    return b"Content-Length: %d\r\n\r\n" % len(text) + text


def check_editor(tried, bad):
    """A server is the host of a URI."""
    folder = "file:" + SHARE + "/common"
    uri = folder + "/bad.xml"
    asked = b"".join((
        message("initialize", {"processId": None, "rootUri": folder, "capabilities": {}}, 1),
        message("initialized"),
        message("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "xml", "version": 1, "text": bad}}),
        message("textDocument/foldingRange", {"textDocument": {"uri": uri}}, 2),
        message("shutdown", number=3),
        message("exit")))
    done = subprocess.run([tried.wine, tried.program, "lsp"], cwd=tried.folder, input=asked, stdout=subprocess.PIPE,
                          timeout=SOON_s, check=True)
    said = [json.loads(text[:text.rindex("}") + 1]) for text in done.stdout.decode().split("\r\n\r\n")[1:]]
    published = {each["params"]["uri"]: each["params"]["diagnostics"] for each in said
                 if each.get("method") == "textDocument/publishDiagnostics"}
    assert list(published) == [uri] and published[uri], (published, said)


def check_servers(tried, bad, good):
    share = tried.folder / "served"
    (share / "trees").mkdir(parents=True)
    (share / "trees/bad.xml").write_text(bad)
    with served(share):
        check_words(tried, bad)
        (share / "trees/bad.xml").unlink()
        check_outputs(tried, share, good)
        check_projects(tried, share, bad)
        check_current_folder(tried, share)
        check_cache(tried, share)
        check_watch(tried, share, bad, good)
        check_editor(tried, bad)
