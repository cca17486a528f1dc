// A worker and the questions that it has not answered yet.

import { AcedrexError, revive } from "./errors.ts";
import type { FromWorker, ToWorker } from "./messages.ts";
import { type Channel, compiledCore, thePlatform } from "./platform.ts";

interface Question {
  report(value: unknown): void;
  done(value: unknown): void;
  failed(error: Error): void;
}

export class Session {
  readonly #questions: Question[] = [];
  #channel: Channel | null = null;
  /** Why there is no worker any more. */
  #ended: Error | null = null;
  readonly #ready: Promise<unknown>;

  constructor() {
    this.#ready = this.#open();
    // Whoever asks hears of a failure.
    this.#ready.catch(() => {});
  }

  async #open(): Promise<void> {
    const module = await compiledCore();
    if (this.#ended) return;
    const fail = (error: Error): void => this.end(error);
    this.#channel = thePlatform().start((message) => this.#hear(message), fail);
    await this.#send({ type: "module", module }, () => {});
  }

  /** Ask for something; the answer comes when all questions before it have been answered. */
  async ask(message: ToWorker, report: (value: never) => void = () => {}): Promise<unknown> {
    await this.#ready;
    return this.#send(message, report as (value: unknown) => void);
  }

  #send(message: ToWorker, report: (value: unknown) => void): Promise<unknown> {
    return new Promise((done, failed) => {
      if (this.#ended) return failed(this.#ended);
      this.#questions.push({ report, done, failed });
      this.#channel?.send(message);
    });
  }

  #hear(message: FromWorker): void {
    if (this.#ended) return;
    const question = message.type === "report" ? this.#questions[0] : this.#questions.shift();
    if (message.type === "report") question?.report(message.value);
    else if (message.type === "done") question?.done(message.value);
    else question?.failed(revive(message.error));
  }

  /** End the worker at once; what it has not answered fails. */
  end(error: Error = new AcedrexError("the worker was ended")): void {
    this.#ended ??= error;
    this.#channel?.end();
    for (const question of this.#questions.splice(0)) question.failed(this.#ended);
  }
}

/** Do something with a worker that is ended after it, or when it takes too long. */
export async function withSession<T>(limit: number, use: (session: Session) => Promise<T>): Promise<T> {
  const session = new Session();
  const timer = setTimeout(() => {
    session.end(new AcedrexError(`it took longer than ${limit} seconds, and was stopped`));
  }, limit * 1000);
  try {
    return await use(session);
  } finally {
    clearTimeout(timer);
    session.end();
  }
}
