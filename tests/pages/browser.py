"""Where scripts for a browser run: a folder with puppeteer-core, which npm gets."""
import contextlib
import pathlib
import shutil
import subprocess
import tempfile

PUPPETEER = "puppeteer-core@22"


@contextlib.contextmanager
def folder_with(*scripts, packages=()):
    """A temporary folder with copies of these files, and these packages of npm beside puppeteer. None, having said why, where chromium, node or npm is missing."""
    missing = [name for name in ("chromium", "node", "npm") if shutil.which(name) is None]
    if missing:
        print(f"skipped: {', '.join(missing)} not found")
        yield None
        return
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        (folder / "package.json").write_text("{}")
        installed = subprocess.run(["npm", "install", "--silent", "--no-save", PUPPETEER, *packages], cwd=folder, capture_output=True)
        if installed.returncode != 0:
            print(f"skipped: npm cannot install {' '.join((PUPPETEER, *packages))}")
            yield None
            return
        for script in scripts:
            shutil.copy(script, folder)
        yield folder
