// Questions to Python, each answered under its id; other views of the same widget hear the answers too.

import type { Heard, Model, Question } from "./model.ts";

type Answer = Extract<Heard, { type: "answer" }>;

export interface Questions {
  ask(question: Question): Promise<Answer>;
  /** Take in an answer, if it is one to a question of this view. */
  answered(heard: Answer): void;
}

export function makeQuestions(model: Model): Questions {
  const view = Math.random().toString(36).slice(2);
  const open = new Map<string, (answer: Answer) => void>();
  let asked = 0;
  return {
    ask(question) {
      asked += 1;
      const id = `${view}.${asked}`;
      model.send({ ...question, id });
      return new Promise((resolve) => open.set(id, resolve));
    },
    answered(heard) {
      open.get(heard.id)?.(heard);
      open.delete(heard.id);
    },
  };
}
