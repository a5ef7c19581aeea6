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

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "pages"))

from browser import folder_with  # noqa: E402


def main():
    page = pathlib.Path(sys.argv[1]).resolve()
    with folder_with(pathlib.Path(__file__).with_suffix(".mjs")) as folder:
        if folder is None:
            return
        done = subprocess.run(["node", "try_page.mjs", shutil.which("chromium"), page], cwd=folder)
        if keep := os.environ.get("ESPALIER_PICTURES"):
            for picture in folder.glob("*.png"):
                shutil.copy(picture, keep)
        sys.exit(done.returncode)


main()
