"""A notebook without a browser: a widget in a real kernel, with this test as its page."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from textwrap import dedent
from typing import Any

import nbformat
import pytest
from jupyter_client.blocking import BlockingKernelClient
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

from acedrex.widget.board import BUILT
from tests.web.conftest import need

CELLS = (
    """\
    from acedrex import Limit, widget
    w = widget.Board("maasai", setup="UFDO-QKGL", opponent=2)
    heard = []
    w.on_move(heard.append)
    w
    """,
    # The client records what widgets send while a cell runs, and the opponent may have answered before.
    """\
    waited = w.wait(30)
    w.send_state()
    waited, w.board.move_stack[0].uci(), w.board.ply(), len(heard)
    """,
    """\
    w.analyse(multipv=2, limit=Limit(depth=3))
    w.wait(30), len(w.lines)
    """,
    """\
    w.stop()
    w = widget.Board("chieftain")
    w
    """,
    "[move.uci() for move in w.board.turn_moves], w.board.moves_left",
    'w.push("e4")',
)


class Run:
    """A notebook in a kernel, run cell by cell, and the messages of its widgets."""

    def __init__(self, client: NotebookClient, page: BlockingKernelClient) -> None:
        self.client, self.page = client, page
        self._done = 0

    def cell(self) -> dict[str, Any]:
        """Run the next cell and return its output, by kind."""
        self.client.execute_cell(self.client.nb.cells[self._done], self._done)
        self._done += 1
        outputs = self.client.nb.cells[self._done - 1].outputs
        return dict(outputs[-1]["data"]) if outputs else {}

    def state(self, model: str) -> dict[str, Any]:
        """Return the state of a widget on the page."""
        found: dict[str, Any] = self.client.widget_state[model]
        return found

    def tell(self, model: str, **content: object) -> list[dict[str, Any]]:
        """Send a message of the page, and return the widget's answers."""
        data = {"method": "custom", "content": content}
        sent = self.page.session.msg("comm_msg", {"comm_id": model, "data": data})
        self.page.shell_channel.send(sent)
        heard = []
        while True:
            message = self.page.get_iopub_msg(timeout=20)
            if message["parent_header"].get("msg_id") != sent["header"]["msg_id"]:
                continue
            if message["msg_type"] == "comm_msg":
                heard.append(message["content"]["data"])
            elif message["msg_type"] == "status" and message["content"]["execution_state"] == "idle":
                return heard


@contextmanager
def running() -> Iterator[Run]:
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(dedent(source)) for source in CELLS])
    client = NotebookClient(notebook, timeout=60, kernel_name="python3")
    with client.setup_kernel():
        assert client.km is not None
        page = BlockingKernelClient(connection_file=client.km.connection_file)
        page.load_connection_file()
        page.start_channels()
        try:
            page.wait_for_ready(timeout=30)
            yield Run(client, page)
        finally:
            page.stop_channels()


WIDGET = "application/vnd.jupyter.widget-view+json"


def test_a_widget_plays_in_a_real_kernel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder in ("IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR"):
        monkeypatch.setenv(folder, str(tmp_path / folder.lower()))
    need(BUILT, "the board for notebooks is not built: make play builds it")
    with running() as run:
        shown = run.cell()
        model = shown[WIDGET]["model_id"]
        assert shown["text/plain"].startswith("<widget of Maasai Chess, 12x12, after 0 moves")
        state = run.state(model)
        assert "acedrex-board" in state["_esm"] and ".acedrex-notebook" in state["_css"]
        assert len(state["_game"]["piece_types"]) == 20 and state["_shown"]["seat"] == "white"

        # A move, as the page sends it when a piece is put down, and the reply from the opponent's thread.
        answers = run.tell(model, type="move", text="e4e6", at=0)
        assert {"_position", "_shown"} <= {key for data in answers for key in data["state"]}
        assert run.cell()["text/plain"] == "(True, 'e4e6', 2, 2)"
        state = run.state(model)
        assert state["_position"]["ply"] == 2 and state["_shown"]["status"] == "White to move: your turn."

        # An illegal move changes nothing, and is reported on the page.
        (refused,) = run.tell(model, type="move", text="e6e9", at=2)
        assert refused["content"]["type"] == "refused" and "e6" in refused["content"]["text"]
        (refused,) = run.tell(model, type="nonsense")
        assert refused["content"]["type"] == "refused"

        assert run.cell()["text/plain"] == "(True, 2)"
        assert len(run.state(model)["_lines"]["lines"]) == 2

        # The moves of a turn are sent one by one.
        model = run.cell()[WIDGET]["model_id"]
        run.tell(model, type="move", text="c1d3", at=0)
        run.tell(model, type="move", text="n1m3", at=1)
        run.tell(model, type="undo", at=2)
        assert run.cell()["text/plain"] == "(['c1d3'], 3)"
        with pytest.raises(CellExecutionError, match="e4"):
            run.cell()
