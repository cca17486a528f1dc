// A view of the widget: it shows Python's state on the board, and sends Python what people do.

import { type Arrow, createBoard, installPieces, type LegalMove, type Settings, symbolOf } from "@acedrex/board";
import "@acedrex/board/tokens.css";
import "@acedrex/board/board.css";
import "@acedrex/board/figurines.css";
import drawings from "@acedrex/board/pieces.svg?raw";
import { add } from "./dom.ts";
import { makeHead } from "./head.ts";
import { makeLines } from "./lines.ts";
import type { FromPython } from "./messages.ts";
import type { Model } from "./model.ts";
import "./notebook.css";
import { makeQuestions } from "./questions.ts";
import { makeArranging } from "./setup.ts";
import { followTheme } from "./theme.ts";

function render({ model, el }: { model: Model; el: HTMLElement }): () => void {
  installPieces(drawings);
  const root = add("div", "acedrex-notebook", el);
  // Keys on the board are not shortcuts of the notebook, and the right button does not open its menu.
  root.dataset.lmSuppressShortcuts = "true";
  root.dataset.jpSuppressContextMenu = "true";
  root.addEventListener("keydown", (event) => event.stopPropagation());
  const stopFollowing = followTheme(root);

  const questions = makeQuestions(model);
  const arranging = makeArranging(model, questions, () => set({ setup: arranging.choice() }));
  const at = () => model.get("_position").ply;
  const send = (move: LegalMove) => model.send({ type: "move", text: move.move, at: at() });

  const head = makeHead(root, {
    back: () => model.send({ type: "back", at: at() }),
    flip: () => model.send({ type: "flip" }),
    special: send,
  });
  const board = createBoard(add("div", "", root), {
    ...settings(),
    paced: true,
    onMove: send,
    onUndo: () => model.send({ type: "undo", at: at() }),
    onArrange: arranging.arrange,
    onShuffle: arranging.shuffle,
    onSetup: (name) => model.send({ type: "setup", text: name }),
    async reach(square, _, alone) {
      const answer = await questions.ask(
        alone ? { type: "alone", text: `${symbolOf(alone)} ${square}` } : { type: "reach", text: square },
      );
      return "reach" in answer ? answer.reach : [];
    },
    async explain(square) {
      const answer = await questions.ask({ type: "idle", text: square });
      return "reason" in answer ? answer.reason : null;
    },
    async read(text) {
      const answer = await questions.ask({ type: "typed", text });
      if (!("move" in answer)) return null;
      if (answer.why) throw new Error(answer.why);
      return answer.move;
    },
  });
  const lines = makeLines(root);

  function settings(): Partial<Settings> {
    const { files, ranks, piece_types: pieceTypes } = model.get("_game");
    const { seat, orientation, note, pieces } = model.get("_shown");
    const position = model.get("_position");
    return {
      files,
      ranks,
      pieceTypes,
      position,
      seat,
      orientation,
      pieceSet: pieces,
      promotionNote: note,
      setup: arranging.choice(),
      hints: arrows(),
    };
  }

  /** The arrows of the lines, drawn below those that were set. */
  function arrows(): Arrow[] {
    const found = model.get("_lines")?.lines ?? [];
    return [...found.flatMap((line) => line.arrows).reverse(), ...model.get("_shown").arrows];
  }

  let before: Partial<Settings> = {};
  function set(changes: Partial<Settings>): void {
    const fresh = Object.entries(changes).filter(([key, value]) => before[key as keyof Settings] !== value);
    before = { ...before, ...changes };
    board.set(Object.fromEntries(fresh));
  }

  function draw(): void {
    const shown = model.get("_shown");
    root.style.setProperty("--size", `${shown.size}px`);
    set(settings());
    const { legal, turn, turn_moves } = model.get("_position");
    const mine = shown.seat === "both" || shown.seat === turn;
    const special = mine ? legal.filter((move) => move.from === null && move.move !== "end") : [];
    head(shown, special, turn_moves.length > 0 && mine);
    showLines();
  }

  function think(): void {
    set({ hints: arrows() });
    showLines();
  }

  function showLines(): void {
    // As in the app, there are figurines only with drawings as pieces.
    lines(model.get("_lines"), model.get("_shown").pieces === "art" ? model.get("_game").piece_types : []);
  }

  function receive(message: FromPython): void {
    if (message.type === "answer") {
      questions.answered(message);
      return;
    }
    // A new object of the same position makes the board take back a refused move.
    set({ position: { ...model.get("_position") } });
    board.announce(message.text);
  }

  model.on("change:_position", draw);
  model.on("change:_shown", draw);
  model.on("change:_lines", think);
  model.on("msg:custom", receive);
  draw();

  return () => {
    model.off("change:_position", draw);
    model.off("change:_shown", draw);
    model.off("change:_lines", think);
    model.off("msg:custom", receive);
    stopFollowing();
    board.destroy();
    root.remove();
  };
}

export default { render };
