#!/usr/bin/env python3
"""Opens the page for trying espalier in a browser, from disk and without a window: try_page.py PAGE

What is typed is checked, corrected and drawn; names are text; nothing is asked from a network. The steps are in
try_page.mjs. Needs chromium, node and npm, which gets puppeteer-core; says so where they are missing.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

PUPPETEER = "puppeteer-core@22"


def main():
    page = pathlib.Path(sys.argv[1]).resolve()
    missing = [name for name in ("chromium", "node", "npm") if shutil.which(name) is None]
    if missing:
        print(f"skipped: {', '.join(missing)} not found")
        return
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        (folder / "package.json").write_text("{}")
        if subprocess.run(["npm", "install", "--silent", "--no-save", PUPPETEER], cwd=folder, capture_output=True).returncode != 0:
            print(f"skipped: npm cannot install {PUPPETEER}")
            return
        shutil.copy(pathlib.Path(__file__).with_suffix(".mjs"), folder)
        done = subprocess.run(["node", "try_page.mjs", shutil.which("chromium"), page], cwd=folder)
        if keep := os.environ.get("ESPALIER_PICTURES"):
            for picture in folder.glob("*.png"):
                shutil.copy(picture, keep)
        sys.exit(done.returncode)


main()
