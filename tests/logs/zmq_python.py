"""The Python that stand-ins for robots' programs run with: they speak through libzmq."""
import shutil
import subprocess
import sys

PYTHONS = [sys.executable, "/usr/bin/python3"]  # one of them has the package of libzmq that the system installed


def python_with_zmq():
    for python in PYTHONS:
        if shutil.which(python) and subprocess.run([python, "-c", "import zmq"], capture_output=True, check=False).returncode == 0:
            return python
    sys.exit("no python3 has zmq: install python3-zmq")
