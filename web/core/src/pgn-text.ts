// PGN as text: its tokens, and its lines.

/** A piece of PGN and where it begins, counted from 1. */
export interface Token {
  kind: "tag" | "comment" | "nag" | "open" | "close" | "result" | "turn" | "fault";
  text: string;
  /** The value of a tag. */
  value?: string;
  line: number;
  column: number;
}

const GLYPHS: Record<string, number> = { "!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6 };
/** One alternative each, tried where the one before ended. */
const TOKEN =
  /(?<space>\s+)|(?<escape>(?<=^|\n)%[^\n]*)|(?<tag>\[[ \t]*(?<name>\w+)[ \t]+"(?<value>(?:[^"\\\n]|\\.)*)"[ \t]*\])|\{(?<braces>[^}]*)(?:\}|$)|;(?<rest>[^\n]*)|\$(?<nag>\d+)|(?<open>\()|(?<close>\))|(?<result>1-0|0-1|1\/2-1\/2|\*)(?=[\s)]|$)|(?<number>\d+\.+|\d+(?=\s|$))|(?<turn>[^\s{};()$[\]]+)|(?<fault>[\s\S])/y;

/** Yield the tokens of a text. White space, move numbers and escaped lines are left out. */
export function* tokens(pgn: string): Generator<Token> {
  const text = pgn.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
  let [line, lineStart] = [1, 0];
  const pattern = new RegExp(TOKEN);
  for (let found = pattern.exec(text); found?.groups; found = pattern.exec(text)) {
    const { tag, name, value, braces, rest, nag, open, close, result, turn, fault } = found.groups;
    const at = { line, column: found.index - lineStart + 1 };
    if (tag !== undefined) yield { kind: "tag", text: name ?? "", value: (value ?? "").replace(/\\(.)/g, "$1"), ...at };
    else if (braces !== undefined) yield { kind: "comment", text: braces.replace(/\s*\n\s*/g, " ").trim(), ...at };
    else if (rest !== undefined) yield { kind: "comment", text: rest.trim(), ...at };
    else if (nag !== undefined) yield { kind: "nag", text: nag, ...at };
    else if (open !== undefined) yield { kind: "open", text: open, ...at };
    else if (close !== undefined) yield { kind: "close", text: close, ...at };
    else if (result !== undefined) yield { kind: "result", text: result, ...at };
    else if (turn !== undefined) yield* turnTokens(turn, at);
    else if (fault !== undefined) yield { kind: "fault", text: fault, ...at };
    for (
      let next = text.indexOf("\n", found.index);
      next >= 0 && next < pattern.lastIndex;
      next = text.indexOf("\n", next + 1)
    ) {
      line++;
      lineStart = next + 1;
    }
  }
}

/** A turn and the glyph after it, or a glyph alone. */
function* turnTokens(text: string, at: { line: number; column: number }): Generator<Token> {
  const glyph = /(?<=[^!?]|^)(?:!!|\?\?|!\?|\?!|!|\?)$/.exec(text)?.[0];
  const bare = glyph === undefined ? text : text.slice(0, -glyph.length);
  // The letter of a promotion may end with an exclamation mark.
  if (bare !== "") yield { kind: "turn", text: bare, ...at };
  if (glyph !== undefined) yield { kind: "nag", text: String(GLYPHS[glyph]), ...at };
}

/** Return words in lines of at most 80 columns; a word that begins with `;` takes the rest of its line. */
export function wrapped(words: string[]): string {
  const lines: string[] = [];
  let line = "";
  for (const word of words) {
    if (line !== "" && line.length + 1 + word.length > 80) {
      lines.push(line);
      line = "";
    }
    line += line === "" ? word : ` ${word}`;
    if (word.startsWith(";")) {
      lines.push(line);
      line = "";
    }
  }
  if (line !== "") lines.push(line);
  return lines.join("\n");
}

/** Return a comment as words: each of its lines in braces, or after `;` if it has a brace in it. */
export function commentWords(comment: string): string[] {
  const lines = comment
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
  return lines.flatMap((line) => (line.includes("}") ? [`; ${line}`] : ["{", ...line.split(/\s+/), "}"]));
}
