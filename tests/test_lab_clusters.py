"""Jobs on clusters that run entirely on this machine.

No other test needs Ray or Dask. To run these in a separate environment:

    python -m venv clusters && clusters/bin/pip install "ray[client]" distributed pytest
    PYTHONPATH=src:. clusters/bin/python -m pytest -W default tests/test_lab_clusters.py
"""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from acedrex.lab import Job
from tests.lab import contents, finish, small
from tests.ports import free_port

needs_ray = pytest.mark.skipif(find_spec("ray") is None, reason="Ray is not installed")
needs_dask = pytest.mark.skipif(find_spec("distributed") is None, reason="Dask is not installed")

#: A few hundred units, each of a little over a tenth of a second.
LARGE = {"positions": 60_000, "nodes": 60, "unit": 4}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Job:
    """The job as one process finishes it."""
    job = Job.create(tmp_path_factory.mktemp("whole"), small("shako", **LARGE))
    finish(job)
    return job


class Cluster:
    """A Ray cluster: its head and another node, each in its own process group."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port, self.client_port = free_port(), free_port()
        self.address = f"ray://127.0.0.1:{self.client_port}"
        self.nodes: dict[str, subprocess.Popen[bytes]] = {}
        self.start_head()

    def start_head(self) -> None:
        self._start(
            "head", "--head", f"--port={self.port}", f"--ray-client-server-port={self.client_port}",
            f"--temp-dir={self.folder}", "--include-dashboard=false",
        )  # fmt: skip

    def start_node(self) -> None:
        self._start("node", f"--address=127.0.0.1:{self.port}")

    def _start(self, name: str, *words: str) -> None:
        more = ("--num-cpus=1", "--object-store-memory=100000000", "--disable-usage-stats", "--block")
        ray = Path(sys.executable).with_name("ray")
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "RAY_AUTH_MODE": "disabled"}
        environment["ACEDREX_TEST_NODE"] = self._marker(name)
        with (self.folder / f"{name}.log").open("wb") as log:
            self.nodes[name] = subprocess.Popen(
                [str(ray), "start", *words, *more], stdout=log, stderr=log, env=environment, start_new_session=True
            )
        self._wait_for(self.folder / f"{name}.log")

    def _wait_for(self, log: Path) -> None:
        end = time.monotonic() + 60
        while "Ray runtime started" not in log.read_text(errors="replace"):
            assert time.monotonic() < end, log.read_text(errors="replace")
            time.sleep(0.1)

    def _marker(self, name: str) -> str:
        return f"{name} of {self.folder}"

    def kill(self, name: str) -> None:
        """Kill a node and everything it has started, which Ray puts into other process groups."""
        marker = f"ACEDREX_TEST_NODE={self._marker(name)}".encode()
        for path in Path("/proc").glob("[0-9]*/environ"):
            with contextlib.suppress(OSError):
                if marker in path.read_bytes().split(b"\0"):
                    os.kill(int(path.parent.name), signal.SIGKILL)
        self.nodes.pop(name).wait()


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    made = Cluster(tmp_path)
    yield made
    for name in [*made.nodes]:
        made.kill(name)


def begin(job: Job, cluster: Cluster) -> subprocess.Popen[str]:
    """Resume a job in a separate process, and wait until it has some units."""
    process = subprocess.Popen(
        [sys.executable, "-m", "acedrex", "lab", "resume", str(job.folder), "--ray", cluster.address],
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    while process.poll() is None and len(job.units()) < 10:
        time.sleep(0.1)
    return process


@needs_ray
def test_a_job_survives_the_death_of_a_node(whole: Job, cluster: Cluster, tmp_path: Path) -> None:
    cluster.start_node()
    job = Job.create(tmp_path / "job", whole.plan)
    with begin(job, cluster) as process:
        cluster.kill("node")
        made = len(job.units())
        assert process.wait(200) == 0
    assert made < len(job.units()), "it died midway"
    assert contents(job.folder) == contents(whole.folder)


@needs_ray
def test_a_job_can_be_resumed_after_the_death_of_the_head(whole: Job, cluster: Cluster, tmp_path: Path) -> None:
    job = Job.create(tmp_path / "job", whole.plan)
    with begin(job, cluster) as process:
        cluster.kill("head")
        cluster.start_head()
        assert process.wait(200) == 1
        assert process.stderr is not None
        assert "acedrex: the connection to the Ray cluster was lost: " in process.stderr.read()
    assert 10 <= len(job.units()) < len(whole.units())
    with begin(job, cluster) as process:
        assert process.wait(200) == 0, process.stderr and process.stderr.read()
    assert contents(job.folder) == contents(whole.folder)


@needs_ray
def test_a_failing_task_raises_its_error_and_later_tasks_run(cluster: Cluster, whole: Job, tmp_path: Path) -> None:
    from acedrex.lab.ray import Ray

    with Ray(cluster.address) as executor:
        assert executor.processors == 1
        with pytest.raises(ZeroDivisionError):
            executor.submit(divmod, 1, 0).result(60)
        assert executor.submit(divmod, 7, 2).result(60) == (3, 1)


@needs_ray
def test_wrong_and_unreachable_addresses_are_reported() -> None:
    from acedrex import Error
    from acedrex.lab.ray import Ray

    with pytest.raises(
        Error, match=re.escape("'127.0.0.1:6379' is not the address of a Ray cluster; write it like ray://")
    ):
        Ray("127.0.0.1:6379")
    with pytest.raises(Error, match=r"cannot reach the Ray cluster at ray://127\.0\.0\.1:\d+: "):
        Ray(f"ray://127.0.0.1:{free_port()}")


@needs_dask
def test_dask_produces_the_same_data(whole: Job, tmp_path: Path) -> None:
    import distributed

    job = Job.create(tmp_path / "job", whole.plan)
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        executors: Callable[[], object] = distributed.Client(cluster).get_executor
        finish(job, executors, window=4)
    assert contents(job.folder) == contents(whole.folder)
