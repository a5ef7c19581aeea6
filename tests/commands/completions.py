#!/usr/bin/env python3
"""Tests of the completions of shells, and of the man page: completions.py ESPALIER

bash, and zsh and fish where they are installed, load the script that `espalier completions` prints and complete command
lines as at a prompt. The man page is formatted without a warning.
"""
import os
import pathlib
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time

ESPALIER = pathlib.Path(sys.argv[1]).resolve()
ENVIRONMENT = dict(os.environ) | {"PATH": f"{ESPALIER.parent}{os.pathsep}{os.environ['PATH']}", "LC_ALL": "C.UTF-8"}

# A command line up to the cursor, and what is offered for its last word.
CASES = [
    ("espalier li", {"lint"}),
    ("espalier comp", {"compile", "completions"}),
    ("espalier --ver", {"--version"}),
    ("espalier lint --form", {"--format"}),
    ("espalier lint --format ch", {"checkstyle"}),
    ("espalier lint --format=ch", {"checkstyle"}),
    ("espalier lint --fail-on n", {"note", "never"}),
    ("espalier explain --format j", {"json"}),
    ("espalier schema conf", {"configuration"}),
    ("espalier help ver", {"verify"}),
    ("espalier completions z", {"zsh"}),
    ("espalier compile --str", {"--strip"}),
    ("espalier lint gua", {"guard.xml"}),
    ("espalier lint --config gua", {"guard.xml"}),
]


def run(command, **options):
    return subprocess.run(command, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60, **options)


def script_for(shell, folder):
    done = run([ESPALIER, "completions", shell])
    assert done.returncode == 0, done.stdout
    script = pathlib.Path(folder) / f"script.{shell}"
    script.write_text(done.stdout)
    return script


def offered_by_bash(script, line, folder):
    """As readline does it: words are split at '=' too; where nothing is offered, names of files are."""
    words = [word for word in re.split(r"(=)| ", line) if word]
    quoted = " ".join(f"'{word}'" for word in words)
    code = f"""source {script}; COMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}; _espalier
               if ((${{#COMPREPLY[@]}} == 0)); then COMPREPLY=($(compgen -f -- '{words[-1]}')); fi
               printf '%s\\n' "${{COMPREPLY[@]}}" """
    return set(run(["bash", "--norc", "-c", code], cwd=folder).stdout.split())


def offered_by_fish(script, line, folder):
    done = run(["fish", "--no-config", "-c", f"source {script}; complete -C '{line}'"], cwd=folder)
    return {entry.split("\t")[0].removeprefix("--format=") for entry in done.stdout.splitlines()}


def offered_by_zsh(script, line, folder):
    """zsh completes at a prompt only: it gets one. The widget at its end prints what the line has become, or the list."""
    setup = f"""PS1='' ; unsetopt beep; setopt no_list_ambiguous; autoload -Uz compinit && compinit -u -D; source {script}
zstyle ':completion:*' list-colors; zstyle ':completion:*' verbose no; zstyle ':completion:*' format ''; LISTMAX=0
function all-matches() {{ local -a found; compadd() {{ local -a more; builtin compadd -O more "$@"; found+=($more); builtin compadd "$@" }}
  _main_complete; print -r -- "FOUND[${{(j: :)found}}]"; unfunction compadd }}
zle -C show-matches complete-word all-matches; bindkey '^X' show-matches; echo READ''Y\n"""
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(folder)
        os.execvpe("zsh", ["zsh", "-f", "-i"], ENVIRONMENT | {"TERM": "dumb"})
    text = ""

    def read_until(mark):
        nonlocal text
        end = time.monotonic() + 30
        while mark not in text and time.monotonic() < end:
            if select.select([terminal], [], [], 0.2)[0]:
                text += os.read(terminal, 65536).decode("utf-8", "replace")

    os.write(terminal, setup.encode())
    read_until("READY")
    text = ""
    os.write(terminal, line.encode() + b"\x18")
    read_until("]")
    os.close(terminal)
    os.waitpid(pid, 0)
    found = re.search(r"FOUND\[(.*?)\]", text, re.DOTALL)
    assert found, text
    last = line.split()[-1].removeprefix("--format=")
    return {word for word in found[1].split() if word.startswith(last)}


OFFERED_BY = {"bash": offered_by_bash, "fish": offered_by_fish, "zsh": offered_by_zsh}


def check_shell(shell, folder):
    script = script_for(shell, folder)
    syntax = run([shell, "-n", script])
    assert syntax.returncode == 0 and not syntax.stdout, syntax.stdout
    for line, expected in CASES:
        offered = OFFERED_BY[shell](script, line, folder)
        assert offered == expected, f"{shell}: '{line}' offers {sorted(offered)}, not {sorted(expected)}"
    return len(CASES)


def check_man_page(folder):
    page = pathlib.Path(folder) / "espalier.1"
    page.write_text(run([ESPALIER, "help", "--man"]).stdout)
    checked = 0
    for command in (["groff", "-man", "-Tutf8", "-ww", "-z"], ["mandoc", "-T", "lint", "-W", "error"]):
        if shutil.which(command[0]) is None:
            continue
        done = run([*command, page])
        assert done.returncode == 0 and not done.stdout, done.stdout
        checked += 1
    # It contains what --help says, for every verb.
    verbs = re.findall(r"^  (\w+) ", run([ESPALIER, "--help"]).stdout.split("Options:")[0], re.MULTILINE)
    text = page.read_text().replace("\\-", "-").replace("\\&", "")
    for verb in verbs:
        for option in re.findall(r"^  (-.*?)(?:  |$)", run([ESPALIER, verb, "--help"]).stdout, re.MULTILINE):
            assert f"\\fB{option}\\fR" in text, f"the man page does not have {option} of {verb}"
            checked += 1
    return checked


def main():
    with tempfile.TemporaryDirectory() as folder:
        files = pathlib.Path(folder) / "files"
        files.mkdir()
        (files / "guard.xml").touch()
        shells = [shell for shell in OFFERED_BY if shutil.which(shell)]
        count = check_man_page(folder)
        for shell in shells:
            count += check_shell(shell, files)
    print(f"{count} completions and entries hold ({', '.join(shells)})")


main()
