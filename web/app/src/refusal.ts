import type { Problem } from "./wire";

/** A refusal by the server; `offline` or `broken` if there was no usable answer, `unloaded` if a part of the app is missing. */
export class Refusal extends Error {
  readonly code: string;
  readonly where: string | null;
  readonly status: number;

  constructor(problem: Problem, status: number) {
    super(problem.message);
    this.code = problem.code;
    this.where = problem.where;
    this.status = status;
  }
}

function isProblem(value: unknown): value is Problem {
  return typeof value === "object" && value !== null && "code" in value && "message" in value;
}

export async function refusalOf(response: Response): Promise<Refusal> {
  const body: unknown = await response.json().catch(() => null);
  const problem = isProblem(body) ? body : { code: "broken", message: response.statusText, where: null };
  return new Refusal(problem, response.status);
}

/** Makes a refusal from a server's problem, or one of the client's own from its code. */
export function refusal(problem: Problem | string): Refusal {
  if (typeof problem !== "string") return new Refusal(problem, 400);
  return new Refusal({ code: problem, message: problem, where: null }, 0);
}

/** Returns the refusal that was thrown; anything else that was is a fault of the app. */
export const thrownRefusal = (problem: unknown): Refusal => (problem instanceof Refusal ? problem : refusal("broken"));

/** Returns an answer of the server or, without a network, one that is made here. */
export async function orHere<T>(asked: Promise<T>, here: () => Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof Refusal && error.code === "offline") return here();
    throw error;
  }
}
