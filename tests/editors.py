#!/usr/bin/env python3
"""The language server with clients of others: editors.py ESPALIER

Neovim's own client, with the set-up of samples/editors; npm's vscode-languageserver-protocol in Node; and the extension of VS Code, which
npm packs. Needs nvim, node and npm, and npm's registry; what is not there is skipped.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
ENVIRONMENT = {**os.environ, "XDG_CACHE_HOME": "/dev/null"}


def run(*words, folder, seconds=300):
    done = subprocess.run([str(word) for word in words], cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, timeout=seconds)
    if done.returncode != 0:
        sys.exit(f"FAILED: {' '.join(map(str, words))}\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def neovim(espalier, place):
    program = f"let g:espalier_command = ['{espalier}', 'lsp']"
    output = run("nvim", "--headless", "--clean", "--cmd", program, "-S", ROOT / "samples/editors/espalier.lua", "guard.xml",
                 "-S", ROOT / "tests/neovim_client.lua", folder=place / "guard")
    assert "all answers hold" in output, output


def node(espalier, place):
    run("npm", "install", "--no-audit", "--no-fund", "vscode-languageserver-protocol@3.17.5", folder=place)
    run("node", ROOT / "tests/node_client.js", espalier, place / "guard", folder=place)


def extension(_, place):
    shutil.copytree(ROOT / "samples/editors/vscode", place / "vscode")
    run("npm", "pack", folder=place / "vscode")
    files = run("tar", "-tf", "espalier-1.0.0.tgz", folder=place / "vscode").split()
    assert sorted(files) == ["package/extension.js", "package/package.json"], files
    run("node", "--check", "extension.js", folder=place / "vscode")


def main():
    espalier = pathlib.Path(sys.argv[1]).resolve()
    passed = 0
    for check, programs in [(neovim, ["nvim"]), (node, ["node", "npm"]), (extension, ["node", "npm"])]:
        missing = [program for program in programs if shutil.which(program) is None]
        if missing:
            print(f"skipped {check.__name__}: no {', '.join(missing)}")
            continue
        with tempfile.TemporaryDirectory() as place:
            shutil.copytree(ROOT / "samples/guard", pathlib.Path(place) / "guard")
            check(espalier, pathlib.Path(place))
        passed += 1
    print(f"{passed} of 3 clients passed")


main()
