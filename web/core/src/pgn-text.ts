// PGN as text: its lines.

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
