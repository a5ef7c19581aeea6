#!/usr/bin/env python3
"""The language server and the debugger with clients of others: editors.py ESPALIER

Neovim's own client, Emacs' eglot and Vim's yegappan/lsp, with the plugins of samples/editors; npm's vscode-languageserver-protocol in Node; npm's
@vscode/debugadapter-testsupport with the debugger, whose messages are also held against the protocol's types; the packed extension of VS Code, against a
stub of its interface, and its picture in Chromium; that of Zed, against a stub of its interface; and the set-up of Helix, which is only read. Needs nvim,
emacs with eglot, vim with the plugin, node, npm, npm's registry, and rustc; what
is not there is skipped.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import tomllib
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/pages"))
from browser import folder_with  # noqa: E402

EDITORS = ROOT / "samples/editors"
ENVIRONMENT = {**os.environ, "XDG_CACHE_HOME": "/dev/null"}


def run(*words, folder, environment=ENVIRONMENT, seconds=300):
    done = subprocess.run([str(word) for word in words], cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, timeout=seconds)
    if done.returncode != 0:
        sys.exit(f"FAILED: {' '.join(map(str, words))}\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def neovim(espalier, place):
    """As a package, of which the plugin managers make the same; and by vim.lsp.start() of newer versions, as their manual describes it."""
    program = f"let g:espalier_command = ['{espalier}', 'lsp']"
    shutil.copytree(EDITORS / "neovim", place / "pack/managed/start/espalier")
    for newer in ([], ["--cmd", f"luafile {ROOT / 'tests/editors/neovim_start.lua'}"]):
        # Neovim's client writes a log below the cache folder. An error in a script leaves it waiting, but for the last command.
        output = run("nvim", "--headless", "--clean", "--cmd", f"set packpath^={place}", "--cmd", program, *newer, "guard.xml",
                     "-S", ROOT / "tests/editors/neovim_client.lua", "-c", "cquit 1", folder=place / "guard",
                     environment={**ENVIRONMENT, "XDG_CACHE_HOME": str(place), "XDG_STATE_HOME": str(place)})
        assert "all answers hold" in output, output


def vim(espalier, place):
    """With the plugin yegappan/lsp, whose folder ESPALIER_VIM_LSP names."""
    start = place / "home/.vim/pack/managed/start"
    shutil.copytree(EDITORS / "vim", start / "espalier")
    (start / "lsp").symlink_to(pathlib.Path(os.environ["ESPALIER_VIM_LSP"]).resolve())
    (place / "home/.vimrc").write_text(f"set nocompatible hidden\nfiletype plugin on\nlet g:espalier_program = '{espalier}'\n")
    run("vim", "--not-a-term", "-T", "dumb", "-n", "guard.xml", "-S", ROOT / "tests/editors/vim_client.vim", folder=place / "guard",
        environment={**ENVIRONMENT, "HOME": str(place / "home"), "ESPALIER_ANSWERS": str(place / "answers")})
    answers = (place / "answers").read_text()
    assert answers == "all answers hold\n", answers


def node(espalier, place):
    run("npm", "install", "--no-audit", "--no-fund", "vscode-languageserver-protocol@3.17.5", folder=place)
    run("node", ROOT / "tests/editors/node_client.js", espalier, place / "guard", folder=place)


def debugger(espalier, place):
    run("npm", "install", "--no-audit", "--no-fund", "@vscode/debugadapter-testsupport@1.68.0", folder=place)
    output = run("node", ROOT / "tests/editors/debugger_client.js", espalier, place / "guard", folder=place)
    assert "all answers of the debugger hold" in output, output
    run("npm", "install", "--no-audit", "--no-fund", "@vscode/debugprotocol@1.68.0", "ts-json-schema-generator@2.3.0", "ajv@8.17.1", folder=place)
    run(sys.executable, ROOT / "tests/editors/debugger.py", espalier, place / "messages.jsonl", folder=place)
    output = run("node", ROOT / "tests/editors/debugger_messages.js", place / "messages.jsonl", folder=place)
    assert "are as the protocol has them" in output, output


def extension(espalier, place):
    """As it is installed: packed, unpacked and activated against a stub of VS Code."""
    sources = place / "samples/editors/vscode"
    shutil.copytree(ROOT / "samples/editors/vscode", sources)
    shutil.copytree(ROOT / "schemas", place / "schemas")
    shutil.copy(ROOT / "LICENSE", place)
    run("npm", "install", "--no-audit", "--no-fund", folder=sources, seconds=900)
    run("npm", "run", "package", folder=sources)
    [packed] = sources.glob("*.vsix")
    zipfile.ZipFile(packed).extractall(place / "unpacked")
    run("node", ROOT / "tests/editors/vscode_client.js", espalier, place / "unpacked/extension", place / "guard", folder=place)
    with folder_with(ROOT / "tests/editors/picture.mjs") as pages:
        if pages is not None:
            shutil.copy(place / "guard/picture.html", pages)
            run("node", "picture.mjs", shutil.which("chromium"), folder=pages)


def emacs(espalier, place):
    """Installed as a package, whose hooks then start the client. No warning when it is compiled."""
    (place / "espalier").symlink_to(espalier)
    environment = {**ENVIRONMENT, "HOME": str(place), "PATH": f"{place}:{os.environ['PATH']}"}
    output = run("emacs", "-q", "--batch", "-l", "package", "--eval", "(package-initialize)", "--eval",
                 f'(package-install-file "{EDITORS}/emacs/espalier.el")', folder=place, environment=environment)
    assert "Warning" not in output, output
    output = run("emacs", "-q", "--batch", "-l", "package", "--eval", "(package-initialize)", "-l", ROOT / "tests/editors/emacs_client.el",
                 folder=place / "guard", environment=environment)
    assert "all answers hold" in output, output


def has_eglot():
    words = ["emacs", "-q", "--batch", "--eval", "(require 'eglot)"]
    return shutil.which("emacs") is not None and subprocess.run(words, capture_output=True).returncode == 0


def helix(*_):
    """Its files are only read."""
    languages = tomllib.loads((EDITORS / "helix/languages.toml").read_text())
    servers = languages["language-server"]
    assert servers["espalier"] == {"command": "espalier", "args": ["lsp"]}, servers
    assert all(each["language-servers"] == ["espalier"] for each in languages["language"]), languages
    for each in languages["language"]:
        if "grammar" in each:
            assert (EDITORS / f"helix/runtime/queries/{each['name']}/highlights.scm").read_text() == f"; inherits: {each['grammar']}\n", each


def zed(_, place):
    """The extension is compiled against what it uses of Zed's interface. Zed itself compiles it for WebAssembly."""
    extension = tomllib.loads((EDITORS / "zed/extension.toml").read_text())
    package = tomllib.loads((EDITORS / "zed/Cargo.toml").read_text())
    assert extension["version"] == package["package"]["version"], extension
    assert list(extension["language_servers"]) == ["espalier"] and list(package["dependencies"]) == ["zed_extension_api"], extension
    rustc = ["rustc", "--edition=2021", "-Dwarnings"]
    run(*rustc, "--crate-type=rlib", "--crate-name=zed_extension_api", ROOT / "tests/editors/zed_interface.rs", folder=place)
    run(*rustc, "--extern", "zed_extension_api=libzed_extension_api.rlib", EDITORS / "zed/src/lib.rs", "--crate-type=bin", "-o", "zed", folder=place)
    output = run("./zed", folder=place)
    assert output == "/usr/bin/espalier lsp 0\n", output


def main():
    espalier = pathlib.Path(sys.argv[1]).resolve()
    passed = 0
    checks = [(neovim, ["nvim"]), (node, ["node", "npm"]), (debugger, ["node", "npm"]), (extension, ["node", "npm"]), (emacs, ["emacs"]),
              (vim, ["vim"]), (helix, []), (zed, ["rustc"])]
    for check, programs in checks:
        missing = [program for program in programs if shutil.which(program) is None]
        if check is emacs and not missing and not has_eglot():
            missing = ["eglot"]
        if check is vim and "ESPALIER_VIM_LSP" not in os.environ:
            missing.append("folder of yegappan/lsp in ESPALIER_VIM_LSP")
        if missing:
            print(f"skipped {check.__name__}: no {', '.join(missing)}")
            continue
        with tempfile.TemporaryDirectory() as place:
            shutil.copytree(ROOT / "samples/guard", pathlib.Path(place) / "guard")
            check(espalier, pathlib.Path(place))
        passed += 1
    print(f"{passed} of {len(checks)} clients passed")


main()
