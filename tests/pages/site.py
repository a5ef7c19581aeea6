#!/usr/bin/env python3
"""Opens pages of the manuals' site in a browser, without a window: site.py ESPALIER [--picture FOLDER]

The search finds pages, versions lead to one another, pages can be read without scripts, nothing is asked of other sites, and axe finds no fault
that hinders people. The steps are in site.mjs. Needs chromium, node and npm, which gets puppeteer-core and axe-core; says so where they are missing. Links and
what is on the pages are checked by tests/documents/site.py.
"""
import pathlib
import shutil
import subprocess
import sys

from browser import folder_with

MAKER = pathlib.Path(__file__).resolve().parents[2] / "cli/package/site/site.py"
sys.path.insert(0, str(MAKER.parent))
import versions  # noqa: E402


def main():
    espalier = str(pathlib.Path(sys.argv[1]).resolve())
    with folder_with(pathlib.Path(__file__).with_suffix(".mjs")) as folder:
        if folder is None:
            return
        for version in ("0.9", "1.0.0"):
            subprocess.run([sys.executable, MAKER, espalier, folder / "site", "--version", version], check=True, stdout=subprocess.DEVNULL)
        (folder / "site/0.9/rules/BTC034.html").unlink()  # as if that rule were new
        versions.connect(folder / "site")
        done = subprocess.run(["node", "site.mjs", shutil.which("chromium")], cwd=folder)
        if "--picture" in sys.argv:
            for picture in folder.glob("*.png"):
                shutil.copy(picture, sys.argv[sys.argv.index("--picture") + 1])
        sys.exit(done.returncode)


main()
