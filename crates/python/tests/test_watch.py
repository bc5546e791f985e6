"""Pages of runs, running and finished."""

import gc
import json
import threading
import urllib.error
import urllib.request

import pytest

import vortice as vt


def small(**changes):
    return vt.case("cavity", cells=12, method="fdm", **changes)


def ask(address, path, order=None):
    """What a page is told; the token is that of its address."""
    base, token = address.split("/?token=")
    body = None if order is None else json.dumps(order).encode()
    request = urllib.request.Request(base + path, data=body, headers={"Authorization": f"Bearer {token}"})
    with urllib.request.urlopen(request, timeout=20) as reply:
        return json.loads(reply.read())


def is_gone(address):
    try:
        ask(address, "/about")
    except (urllib.error.URLError, ConnectionError):
        return True
    return False


def test_a_finished_run_is_replayed_until_its_page_is_closed_or_forgotten(tmp_path):
    run = small(max_steps=30).run(progress=False)
    page = run.watch()
    about = ask(page.address, "/about")["runs"][0]
    assert about["title"] == run.case.title and len(about["times"]) == 1
    assert [one["name"] for one in about["shown"]] == ["speed", "vorticity", "pressure"]
    number = ask(page.address, "/number?shown=vorticity&i=4&j=11")["number"]
    assert number == pytest.approx(run.vorticity[11, 4], rel=1e-6)
    assert page.address in repr(page) and "noopener" in page._repr_html_()
    page.close()
    page.close()
    assert is_gone(page.address)
    with run.watch() as page:
        assert not is_gone(page.address)
    assert is_gone(page.address)
    page = run.watch()
    address = page.address
    del page
    gc.collect()
    assert is_gone(address)


def test_a_run_with_files_has_all_its_times_and_can_stand_beside_another():
    case = small(until=0.2, **{"output.fields": 0.1})
    run = case.run(out="a", progress=False)
    with run.watch() as page:
        assert len(ask(page.address, "/about")["runs"][0]["times"]) == 3
    other = case.with_changes(viscosity=0.02).run(progress=False)
    with vt.open("a").watch(other) as page:
        about = ask(page.address, "/about")
        assert about["has_difference"] and [len(one["times"]) for one in about["runs"]] == [3, 1]
    with pytest.raises(vt.FileError):
        vt._page.replay(["nothing"], None)


class Rider(threading.Thread):
    """Does something with the page of a run while it goes, once it is announced."""

    def __init__(self, monkeypatch, ride):
        super().__init__(daemon=True)
        self.address, self.told, self.ride, self.failed = None, threading.Event(), ride, None
        monkeypatch.setattr("vortice._case.announce", self.hear)

    def hear(self, page):
        self.address = page.address
        self.told.set()

    def run(self):
        try:
            assert self.told.wait(20)
            self.ride(self.address)
        except BaseException as error:
            self.failed = error

    def done(self):
        self.join(20)
        assert not self.is_alive() and self.failed is None, self.failed


def test_a_run_is_steered_and_stopped_by_its_page(monkeypatch):
    def ride(address):
        while ask(address, "/course")["residuals"] == []:
            pass
        changed = ask(address, "/command", {"set": {"key": "fluid.viscosity", "value": 0.02}})
        assert "refused" not in changed, changed
        ask(address, "/command", {"stop": True})

    rider = Rider(monkeypatch, ride)
    rider.start()
    run = small(max_steps=10**9, until=1e9).run(watch=True, out="out/watched", progress=False)
    rider.done()
    assert run.reason == "stopped by who watched it" and run.case.viscosity == 0.02
    assert is_gone(rider.address)
    old = vt.open("out/watched")
    assert [sets for _, _, sets in old.changes] == [["fluid.viscosity=0.02"]]
    assert old.table("changes").setting[0] == "fluid.viscosity=0.02"
    assert old.summary["changes"][0]["step"] == old.changes[0][0]
    # The same flow again, by itself.
    again = small(max_steps=run.step, until=1e9).run(changes=old.changes, progress=False)
    assert (again.velocity == run.velocity).all() and again.case.viscosity == 0.02


def test_a_loop_is_held_and_stopped_by_its_page(monkeypatch):
    def ride(address):
        steps = lambda: ask(address, "/course")["residuals"]
        held = ask(address, "/command", {"pause": True})
        assert held["is_going"] is False
        before = len(steps())
        assert len(steps()) == before
        ask(address, "/command", {"step": 3})
        while len(steps()) < before + 3:
            pass
        assert len(steps()) == before + 3
        assert ask(address, "/command", {"go": True})["is_going"]
        while len(steps()) < before + 10:
            pass
        ask(address, "/command", {"stop": True})

    rider = Rider(monkeypatch, ride)
    rider.start()
    steps = small(max_steps=10**9, until=1e9).steps(steps=2, watch=True)
    seen = [now.step for now in steps]
    rider.done()
    assert len(seen) >= 4 and seen[:2] == [2, 4] and steps.page.address == rider.address
    run = steps.finish()
    assert run.reason == "stopped by who watched it"


def test_where_a_page_is_stands_on_standard_error(python):
    script = (
        "import sys, io; sys.stderr = io.StringIO(); import vortice as vt\n"
        "vt.case('cavity', cells=8, max_steps=3).run(watch=True, progress=False)\n"
        "print(sys.stderr.getvalue())"
    )
    assert python(script).startswith("watch at http://127.0.0.1:")


def test_an_interrupt_ends_a_watched_run(python):
    script = (
        "import vortice as vt, threading, os, signal\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()\n"
        "try: vt.case('cavity', cells=16, max_steps=10**9, until=1e9).run(watch=True, progress=False)\n"
        "except KeyboardInterrupt as error: print(error)"
    )
    assert "out/cavity/interrupted.h5" in python(script)


def test_pages_and_callbacks_are_for_one_rank():
    for given in ({"watch": True}, {"on_step": print}, {"changes": [(1, 0.1, ["fluid.viscosity=1"])]}):
        with pytest.raises(vt.CaseError, match="ranks"):
            small().run(ranks=2, **given)
    with pytest.raises(vt.CaseError, match="watch"):
        small().run(watch=1.5)


def test_a_notebook_shows_a_link(monkeypatch, capsys):
    import sys
    import types

    shown = []
    notebook = types.ModuleType("IPython")
    notebook.get_ipython = lambda: types.SimpleNamespace(kernel=object())
    display = types.ModuleType("IPython.display")
    display.display = shown.append
    monkeypatch.setitem(sys.modules, "IPython", notebook)
    monkeypatch.setitem(sys.modules, "IPython.display", display)
    small(max_steps=3).run(watch=True, progress=False)
    assert len(shown) == 1 and isinstance(shown[0], vt.Page) and 'target="_blank"' in shown[0]._repr_html_()
    assert capsys.readouterr().err == ""
