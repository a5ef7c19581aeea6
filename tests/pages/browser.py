"""Where scripts for a browser run: a folder with puppeteer-core and axe-core, which npm gets."""
import contextlib
import pathlib
import shutil
import subprocess
import tempfile

PACKAGES = ("puppeteer-core@22", "axe-core@4")
HELPERS = pathlib.Path(__file__).with_name("opened.mjs")


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
