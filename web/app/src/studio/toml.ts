// Reads TOML with the place of everything in it. What is written back is changed only where something changed: see
// `toml-edit.ts`. Whether a text is a definition is for the core to say.

export type Toml = string | number | boolean | Toml[] | { [key: string]: Toml };
/** Keys from the top; a number is the place in an array of tables. */
export type Path = readonly (string | number)[];

/** A line `key = value`. */
export interface Entry {
  path: Path;
  value: Toml;
  /** Offsets: of the key, of the value, and of the end of the value. */
  start: number;
  from: number;
  to: number;
}

/** A table with its header; the first one is the top, which has none. */
export interface Section {
  path: Path;
  /** Offsets: of the header, of its end, and of the end of the last entry. */
  start: number;
  opened: number;
  to: number;
}

export class TomlError extends Error {
  constructor(
    message: string,
    readonly at: number,
  ) {
    super(message);
  }
}

/** Deeper nesting would only be an attack on the stack. */
const MOST_DEPTH = 50;

export class Document {
  readonly sections: Section[] = [{ path: [], start: 0, opened: 0, to: 0 }];
  readonly entries: Entry[] = [];

  /** Throws `TomlError` at the first place that is not TOML. */
  constructor(readonly text: string) {
    new Reader(text, this.sections, this.entries).read();
  }

  /** Returns the value at a path, put together from all that is written about it. */
  at(path: Path): Toml | undefined {
    let found: Toml | undefined;
    for (const entry of this.entries) {
      if (begins(path, entry.path)) found = within(entry.value, path.slice(entry.path.length)) ?? found;
      else if (begins(entry.path, path)) {
        found ??= {};
        plant(found, entry.path.slice(path.length), entry.value);
      }
    }
    if (found === undefined && this.sections.some((section) => begins(section.path, path))) {
      return typeof this.#below(path) === "number" ? [] : {};
    }
    return found;
  }

  #below(path: Path): string | number | undefined {
    return this.sections.find((section) => begins(section.path, path) && section.path.length > path.length)?.path[
      path.length
    ];
  }

  /** Returns how many tables an array of tables has. */
  count(path: Path): number {
    const inside = this.at(path);
    if (Array.isArray(inside)) return inside.length;
    const numbers = this.sections
      .filter((section) => begins(section.path, path))
      .map((section) => section.path[path.length]);
    return Math.max(-1, ...numbers.filter((number) => typeof number === "number")) + 1;
  }
}

/** Whether a path is `prefix` or below it. */
export function begins(path: Path, prefix: Path): boolean {
  return path.length >= prefix.length && prefix.every((key, index) => key === path[index]);
}

/** Returns what is at a path inside a value. */
export function within(value: Toml | undefined, path: Path): Toml | undefined {
  let found = value;
  for (const key of path) {
    if (typeof found !== "object" || !Object.hasOwn(found, key)) return undefined;
    found = (found as Record<string | number, Toml>)[key];
  }
  return found;
}

/** Sets what is at a path inside a table, with tables on the way. */
export function plant(table: Toml, path: Path, value: Toml): void {
  let at = table as Record<string | number, Toml>;
  path.forEach((key, index) => {
    if (index === path.length - 1) define(at, key, value);
    else {
      const there = Object.hasOwn(at, key) ? at[key] : undefined;
      const next: Toml = typeof there === "object" ? there : typeof path[index + 1] === "number" ? [] : {};
      define(at, key, next);
      at = next as Record<string | number, Toml>;
    }
  });
}

/** Sets a property, also one called `__proto__`. */
function define(table: object, key: string | number, value: Toml): void {
  Object.defineProperty(table, key, { value, enumerable: true, writable: true, configurable: true });
}

const ESCAPES: Record<string, string> = {
  b: "\b",
  t: "\t",
  n: "\n",
  f: "\f",
  r: "\r",
  e: "\x1b",
  '"': '"',
  "\\": "\\",
};

class Reader {
  #at = 0;
  /** How many tables each array of tables has. */
  readonly #counts = new Map<string, number>();

  constructor(
    private readonly text: string,
    private readonly sections: Section[],
    private readonly entries: Entry[],
  ) {}

  read(): void {
    let path: Path = [];
    for (this.#skip(true); this.#at < this.text.length; this.#skip(true)) {
      const start = this.#at;
      if (this.text[this.#at] === "[") {
        path = this.#header();
        this.sections.push({ path, start, opened: this.#at, to: this.#at });
      } else {
        const key = this.#keys();
        this.#expect("=");
        this.#skip(false);
        const from = this.#at;
        const value = this.#value(0);
        this.entries.push({ path: [...path, ...key], value, start, from, to: this.#at });
        const section = this.sections.at(-1);
        if (section) section.to = this.#at;
      }
      this.#lineEnd();
    }
  }

  #fail(message: string): never {
    throw new TomlError(message, this.#at);
  }

  #expect(sign: string): void {
    if (!this.text.startsWith(sign, this.#at)) this.#fail(`expected ${sign}`);
    this.#at += sign.length;
  }

  /** Skips spaces and, if there may be some, lines and comments. */
  #skip(lines: boolean): void {
    const pattern = lines ? /(?:[ \t\r\n]|#[^\n]*)*/y : /[ \t]*/y;
    pattern.lastIndex = this.#at;
    this.#at += pattern.exec(this.text)?.[0].length ?? 0;
  }

  #lineEnd(): void {
    const rest = /[ \t]*(?:#[^\n]*)?(?:\r?\n|$)/y;
    rest.lastIndex = this.#at;
    const found = rest.exec(this.text);
    if (!found) this.#fail("expected the end of the line");
    else this.#at += found[0].length;
  }

  #header(): Path {
    const many = this.text.startsWith("[[", this.#at);
    this.#at += many ? 2 : 1;
    const keys = this.#keys();
    this.#expect(many ? "]]" : "]");
    const path: (string | number)[] = [];
    keys.forEach((key, index) => {
      path.push(key);
      const name = JSON.stringify(path);
      const known = this.#counts.get(name);
      if (many && index === keys.length - 1) {
        this.#counts.set(name, (known ?? 0) + 1);
        path.push(known ?? 0);
      } else if (known !== undefined) path.push(known - 1);
    });
    return path;
  }

  #keys(): string[] {
    const keys: string[] = [];
    do {
      if (keys.length > 0) this.#at++;
      this.#skip(false);
      const sign = this.text[this.#at];
      if (sign === '"' || sign === "'") keys.push(this.#string());
      else {
        const bare = /[\w-]+/y;
        bare.lastIndex = this.#at;
        const found = bare.exec(this.text)?.[0];
        if (!found) this.#fail("expected a key");
        keys.push(found);
        this.#at += found.length;
      }
      this.#skip(false);
    } while (this.text[this.#at] === ".");
    return keys;
  }

  #value(depth: number): Toml {
    if (depth > MOST_DEPTH) this.#fail("nested too deeply");
    const sign = this.text[this.#at];
    if (sign === '"' || sign === "'") return this.#string();
    if (sign === "[") return this.#list(depth);
    if (sign === "{") return this.#table(depth);
    const plain = /[\w+.:-]+/y;
    plain.lastIndex = this.#at;
    const found = plain.exec(this.text)?.[0];
    if (!found) this.#fail("expected a value");
    this.#at += found.length;
    if (found === "true" || found === "false") return found === "true";
    const number = Number(found.replaceAll("_", "").replace(/^\+(?=\d)/, ""));
    if (!Number.isNaN(number)) return number;
    if (/^[+-]?(inf|nan)$/.test(found))
      return found.endsWith("nan") ? Number.NaN : Number(`${found.replace("inf", "Infinity")}`);
    // A date, which no key of a definition has.
    if (/^\d{4}-|^\d\d:/.test(found)) return found;
    this.#at -= found.length;
    return this.#fail("expected a value");
  }

  #list(depth: number): Toml[] {
    const list: Toml[] = [];
    this.#at++;
    for (this.#skip(true); this.text[this.#at] !== "]"; this.#skip(true)) {
      list.push(this.#value(depth + 1));
      this.#skip(true);
      if (this.text[this.#at] === ",") this.#at++;
      else if (this.text[this.#at] !== "]") this.#fail("expected , or ]");
    }
    this.#at++;
    return list;
  }

  #table(depth: number): Toml {
    const table: Toml = {};
    this.#at++;
    for (this.#skip(true); this.text[this.#at] !== "}"; this.#skip(true)) {
      const keys = this.#keys();
      this.#expect("=");
      this.#skip(false);
      plant(table, keys, this.#value(depth + 1));
      this.#skip(true);
      if (this.text[this.#at] === ",") this.#at++;
      else if (this.text[this.#at] !== "}") this.#fail("expected , or }");
    }
    this.#at++;
    return table;
  }

  #string(): string {
    const quote = this.text[this.#at] ?? "";
    const long = this.text.startsWith(quote.repeat(3), this.#at);
    this.#at += long ? 3 : 1;
    const open = this.#at;
    if (long) this.#at += /^\r?\n/.exec(this.text.slice(this.#at, this.#at + 2))?.[0].length ?? 0;
    let read = "";
    for (;;) {
      const sign = this.text[this.#at];
      if (sign === undefined || (!long && sign === "\n")) {
        this.#at = open;
        this.#fail("this text is never closed");
      }
      if (sign === quote && (!long || this.text.startsWith(quote.repeat(3), this.#at))) break;
      if (sign === "\\" && quote === '"') read += this.#escape(long);
      else {
        read += sign;
        this.#at++;
      }
    }
    this.#at += long ? 3 : 1;
    // Up to two quotes may stand before the three that close a text.
    for (let more = 0; long && more < 2 && this.text[this.#at] === quote; more++) {
      read += quote;
      this.#at++;
    }
    return read.replaceAll("\r\n", "\n");
  }

  #escape(long: boolean): string {
    const rest = this.text.slice(this.#at, this.#at + 10);
    const code = /^\\(?:u([\da-fA-F]{4})|U([\da-fA-F]{8})|x([\da-fA-F]{2}))/.exec(rest);
    if (code) {
      const point = Number.parseInt(code[1] ?? code[2] ?? code[3] ?? "", 16);
      if (point > 0x10ffff || (point >= 0xd800 && point < 0xe000)) this.#fail("no such character");
      this.#at += code[0].length;
      return String.fromCodePoint(point);
    }
    const simple = ESCAPES[rest[1] ?? ""];
    if (simple !== undefined) {
      this.#at += 2;
      return simple;
    }
    const joined = /\\[ \t]*\r?\n\s*/y;
    joined.lastIndex = this.#at;
    const found = long ? joined.exec(this.text) : null;
    if (!found) this.#fail("unknown escape");
    this.#at += found[0].length;
    return "";
  }
}
