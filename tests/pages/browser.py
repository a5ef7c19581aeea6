"""Where scripts for a browser run: a folder with puppeteer-core and axe-core, which npm gets."""
import contextlib
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

PACKAGES = ("puppeteer-core@22", "axe-core@4")
HELPERS = pathlib.Path(__file__).with_name("opened.mjs")
SHOTS = pathlib.Path(__file__).with_name("shots")


@contextlib.contextmanager
def folder_with(*scripts):
    """A temporary folder with copies of these files and opened.mjs. None, having said why, where chromium, node or npm is
    missing."""
    missing = [name for name in ("chromium", "node", "npm") if shutil.which(name) is None]
    if missing:
        print(f"skipped: {', '.join(missing)} not found")
        yield None
        return
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        (folder / "package.json").write_text("{}")
        installed = subprocess.run(["npm", "install", "--silent", "--no-save", *PACKAGES], cwd=folder, capture_output=True)
        if installed.returncode != 0:
            print(f"skipped: npm cannot install {' and '.join(PACKAGES)}")
            yield None
            return
        for script in (*scripts, HELPERS):
            shutil.copy(script, folder)
        yield folder


def run_steps(script, folder, *words):
    """Runs a script in the folder, which has the pages, and gives its exit status. With --update what pages look like is written. The folder
    ESPALIER_PICTURES gets the pages."""
    updates = "--update" in sys.argv
    shots = folder / "shots"
    shots.mkdir() if updates else shutil.copytree(SHOTS, shots)
    environment = os.environ | ({"ESPALIER_UPDATE": "1"} if updates else {})
    done = subprocess.run(["node", script, shutil.which("chromium"), *words], cwd=folder, env=environment)
    if updates:
        shutil.copytree(shots, SHOTS, dirs_exist_ok=True)
    if keep := os.environ.get("ESPALIER_PICTURES"):
        shutil.copytree(folder, keep, dirs_exist_ok=True, ignore=shutil.ignore_patterns("node_modules", "*.jsonl"))
    return done.returncode
