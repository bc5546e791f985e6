"""What several tests need."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def interruptible():
    """Ctrl-C reaches tests also where they were started in the background, which ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def program():
    path = Path(os.environ["VORTICE_PROGRAM"])
    assert path.is_file(), f"{path} is not built: cargo test builds it beside the module"
    return path


@pytest.fixture
def python():
    """Runs a script in a Python of its own, and gives what it printed."""

    def run(script, seconds=60):
        done = subprocess.run([sys.executable, "-W", "error", "-c", script], capture_output=True, text=True, timeout=seconds)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run
