#!/usr/bin/env python3
"""Opens pages of the manuals' site in a browser, without a window: site.py ESPALIER [--picture FOLDER]

The search finds pages, pages can be read without scripts, nothing is asked of other sites, and axe finds no fault that hinders people. The
steps are in site.mjs. Needs chromium, node and npm, which gets puppeteer-core and axe-core; says so where they are missing. Links and
what is on the pages are checked by tests/documents/site.py.
"""
import pathlib
import shutil
import subprocess
import sys

from browser import folder_with

MAKER = pathlib.Path(__file__).resolve().parents[2] / "cli/package/site/site.py"


def main():
    espalier = str(pathlib.Path(sys.argv[1]).resolve())
    with folder_with(pathlib.Path(__file__).with_suffix(".mjs")) as folder:
        if folder is None:
            return
        subprocess.run([sys.executable, MAKER, espalier, folder / "site"], check=True, stdout=subprocess.DEVNULL)
        done = subprocess.run(["node", "site.mjs", shutil.which("chromium")], cwd=folder)
        if "--picture" in sys.argv:
            for picture in folder.glob("*.png"):
                shutil.copy(picture, sys.argv[sys.argv.index("--picture") + 1])
        sys.exit(done.returncode)


main()
