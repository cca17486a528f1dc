// Pieces that are dragged onto the board, off it, and over it.

import { useRef, useState } from "preact/hooks";
import { PieceDrawing } from "../parts/board";
import type { PieceType, Side } from "../wire";

/** A piece that is dragged, and the square that it comes from; `null` if it comes from beside the board. */
export interface Carried {
  kind: PieceType;
  side: Side;
  from: string | null;
}

/** How far a pointer moves before it drags. */
const SLOP_PX = 6;

interface Gesture {
  pointer: number;
  x: number;
  y: number;
  piece: Carried;
  begun: boolean;
}

/**
 * Drags pieces with mouse, pen or finger. `pickUp` returns the piece that a pointer is on; `drop` is called with the square
 * where it is dropped, `null` off the board. `used` tells whether the latest press was a drag, which the click and the
 * tap that browsers and the board report after it have to ignore.
 */
export function useCarry(
  pickUp: (event: PointerEvent) => Carried | null,
  drop: (piece: Carried, to: string | null) => void,
) {
  const [carried, setCarried] = useState<Carried | null>(null);
  const gesture = useRef<Gesture | null>(null);
  const ghost = useRef<HTMLDivElement>(null);
  const dragged = useRef(false);

  const follow = (event: PointerEvent) => {
    if (ghost.current) ghost.current.style.transform = `translate(${event.clientX}px, ${event.clientY}px)`;
  };
  const end = () => {
    gesture.current = null;
    setCarried(null);
  };
  const handlers = {
    onPointerDownCapture(event: PointerEvent) {
      dragged.current = false;
      const piece = event.button === 0 && !gesture.current ? pickUp(event) : null;
      if (!piece) return;
      // The pointer may leave the element while it is down.
      (event.target as Element).setPointerCapture(event.pointerId);
      gesture.current = { pointer: event.pointerId, x: event.clientX, y: event.clientY, piece, begun: false };
    },
    onPointerMoveCapture(event: PointerEvent) {
      const now = gesture.current;
      if (now?.pointer !== event.pointerId) return;
      if (!now.begun && Math.hypot(event.clientX - now.x, event.clientY - now.y) >= SLOP_PX) {
        now.begun = true;
        dragged.current = true;
        setCarried(now.piece);
      }
      follow(event);
    },
    onPointerUpCapture(event: PointerEvent) {
      const now = gesture.current;
      if (now?.pointer !== event.pointerId) return;
      end();
      if (now.begun) drop(now.piece, squareAt(event));
    },
    onPointerCancelCapture: end,
  };
  const view = carried && (
    <div class="carried" ref={ghost} aria-hidden="true">
      <PieceDrawing kind={carried.kind} side={carried.side} size={56} />
    </div>
  );
  return { carried, handlers, view, used: () => dragged.current };
}

/** The square of the board at a pointer. */
export function squareAt(event: PointerEvent): string | null {
  const has = (element: Element | null) => {
    const { left, right, top, bottom } = element?.getBoundingClientRect() ?? new DOMRect();
    return event.clientX >= left && event.clientX < right && event.clientY >= top && event.clientY < bottom;
  };
  const squares = [...document.querySelectorAll<HTMLElement>(".editor-board [data-square]")];
  // Squares of an enlarged board may be outside of what is visible of it.
  const found = has(document.querySelector(".editor-board .viewport")) ? squares.find(has) : undefined;
  return found?.dataset.square ?? null;
}
