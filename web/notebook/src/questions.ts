// Questions to Python, each with an id that its answer repeats: all views of a widget receive every answer.

import type { Answer, Question } from "./messages.ts";
import type { Model } from "./model.ts";

/** A question without its id. */
type Unnumbered<T> = T extends Question ? Omit<T, "id"> : never;

export interface Questions {
  ask(question: Unnumbered<Question>): Promise<Answer>;
  /** Resolve the question of an answer, if this view asked it. */
  answered(answer: Answer): void;
}

export function makeQuestions(model: Model): Questions {
  const view = Math.random().toString(36).slice(2);
  const open = new Map<string, (answer: Answer) => void>();
  let count = 0;
  return {
    ask(question) {
      count += 1;
      const id = `${view}.${count}`;
      model.send({ ...question, id });
      return new Promise((resolve) => open.set(id, resolve));
    },
    answered(answer) {
      open.get(answer.id)?.(answer);
      open.delete(answer.id);
    },
  };
}
