#!/usr/bin/env python3
"""Golden cases in a browser: browser_golden.py PAGE [ARGUMENT...]

The program is what the page for trying espalier runs in its worker. Here a worker gets a copy of a case's folder, and the folder
gets what has changed; the cases, what they are compared with and the ARGUMENTs are those of golden.py. Needs chromium, node and
npm, which gets puppeteer-core; says so where they are missing.
"""
import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "pages")]

from browser import folder_with  # noqa: E402

# What cases run as `espalier`. It reads its input only where it is told to, as others may read the rest.
CLIENT = r"""#!{python} -IS
import base64, json, os, socket, sys

def described(descriptor):
    try:
        stat = os.fstat(descriptor)
    except OSError:  # it is closed
        stat = os.fstat(os.open(os.devnull, os.O_RDWR))
    return {{"dev": stat.st_dev, "ino": stat.st_ino, "mode": stat.st_mode, "nlink": stat.st_nlink, "uid": 0, "gid": 0, "rdev": 0,
            "size": stat.st_size, "blocks": 0}}

words = sys.argv[1:]
reads = any(word in ("-", "lsp", "--step") or word.endswith("=-") or "/dev/stdin" in word for word in words)
job = {{"words": words, "environment": dict(os.environ), "current": os.getcwd(), "streams": [described(i) for i in range(3)],
       "input": base64.b64encode(sys.stdin.buffer.read() if reads else b"").decode()}}
with socket.socket(socket.AF_UNIX) as connection:
    connection.connect({socket!r})
    connection.sendall(json.dumps(job).encode())
    connection.shutdown(socket.SHUT_WR)
    with connection.makefile("rb") as file:
        answer = json.loads(file.read())
for descriptor, part in answer["parts"]:
    part = base64.b64decode(part)
    while part:
        try:
            part = part[os.write(descriptor, part):]
        except BrokenPipeError:
            os._exit(0)
        except OSError as fault:
            if descriptor == 1:
                os.write(2, f"espalier: cannot write to standard output: {{fault.strerror}}\n".encode())
            os._exit(2)
os._exit(answer["status"])
"""


def main():
    page, arguments = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2:]
    with folder_with(HERE / "browser_golden.mjs", HERE / "browser_worker.js") as folder:
        if folder is None:
            return
        cases, program, socket = folder / "cases", folder / "bin" / "espalier", folder / "socket"
        cases.mkdir()
        program.parent.mkdir()
        program.write_text(CLIENT.format(python=sys.executable, socket=str(socket)))
        program.chmod(0o755)
        server = subprocess.Popen(["node", "browser_golden.mjs", shutil.which("chromium"), page, socket, cases], cwd=folder,
                                  stdout=subprocess.PIPE, text=True)
        try:
            if server.stdout.readline() != "ready\n":
                sys.exit("the browser does not start")
            done = subprocess.run([sys.executable, HERE.parent / "golden.py", program, *arguments],
                                  env=os.environ | {"TMPDIR": str(cases)})
        finally:
            server.terminate()
        print(server.communicate()[0], end="")
        sys.exit(done.returncode or server.returncode)


main()
