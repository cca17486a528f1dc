"""A Ray cluster as an executor. Only this module imports Ray."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any

import ray
from ray.exceptions import RayTaskError

from acedrex.errors import Error

__all__ = ["Ray"]

# A lost connection is an error; Ray would rather start a cluster on this machine.
os.environ["RAY_ENABLE_AUTO_CONNECT"] = "0"


class Ray(Executor):
    """Hands every call to a Ray cluster as a task for one processor. Its machines need this version of Acedrex.

    :param address: the cluster, such as ``ray://HOST:10001``.
    :raises Error: if it cannot be reached.
    """

    def __init__(self, address: str) -> None:
        # A driver that is connected otherwise is killed with the head of the cluster.
        if not address.startswith("ray://"):
            raise Error(f"{address[:60]!r} is not the address of a Ray cluster; write it like ray://HOST:10001")
        try:
            ray.init(address, log_to_driver=False, logging_level=logging.ERROR)
        except Exception as error:  # of many kinds
            raise Error(f"cannot reach the Ray cluster at {address}: {_first_line(error)}") from None

    @property
    def processors(self) -> int:
        """The processors of the cluster."""
        return int(ray.cluster_resources().get("CPU", 1))

    def submit(self, function: Callable[..., Any], /, *args: Any, **keywords: Any) -> Future[Any]:
        """Make a task of a call.

        :raises Error: if the connection to the cluster was lost.
        """
        future = Future[Any]()
        try:
            task = ray.remote(_call).remote(function, *args, **keywords)
            task.future().add_done_callback(lambda done: _pass_on(done, future))
        except Exception as error:
            raise Error(f"the connection to the Ray cluster was lost: {_first_line(error)}") from None
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Leave the cluster, which ends the tasks."""
        ray.shutdown()


def _call(function: Callable[..., Any], *args: Any, **keywords: Any) -> Any:
    """Call a function: tasks of Ray must be functions, and not all callables are."""
    return function(*args, **keywords)


def _pass_on(done: Future[Any], future: Future[Any]) -> None:
    """Give the result of a task, or the exception that its function raised, to another future."""
    if not future.set_running_or_notify_cancel():
        return
    error = done.exception()
    if error is None:
        future.set_result(done.result())
    else:
        future.set_exception(error.cause if isinstance(error, RayTaskError) else error)


def _first_line(error: Exception) -> str:
    """Return what Ray says without its traces."""
    return (str(error).splitlines() or [type(error).__name__])[0][:200].rstrip(" :<")
