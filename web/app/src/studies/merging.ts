// Merges two edits of the same text so that the words of both are kept, as the server does in `studies/merging.py`.

/** Returns a text with both edits of it; where they overlap, what both have put there is kept, theirs first. */
export function merged(before: string, mine: string, theirs: string): string {
  if (mine === before || mine === theirs) return theirs;
  if (theirs === before) return mine;
  // By characters as Python counts them.
  const found = apart([...before], [...mine], [...theirs]);
  return (found ?? together(parts(before), parts(mine), parts(theirs))).join("");
}

const parts = (text: string): string[] => text.match(/\s+|\S+/g) ?? [];

/** Returns a text with both edits; `null` if they overlap. */
function apart(before: string[], mine: string[], theirs: string[]): string[] | null {
  const [my, other] = [edit(before, mine), edit(before, theirs)];
  const both = (first: Edit, second: Edit) => [
    ...before.slice(0, first.start),
    ...first.words,
    ...before.slice(first.end, second.start),
    ...second.words,
    ...before.slice(second.end),
  ];
  if (other.end <= my.start) return both(other, my);
  if (my.end <= other.start) return both(my, other);
  return null;
}

/** Returns a text with both edits, by whole words; what one has deleted and the other has changed stays as changed. */
function together(before: string[], mine: string[], theirs: string[]): string[] {
  const found = apart(before, mine, theirs);
  if (found) return found;
  const [my, other] = [edit(before, mine), edit(before, theirs)];
  if (my.words.length === 0) return theirs;
  if (other.words.length === 0) return mine;
  const [start, end] = [Math.min(my.start, other.start), Math.max(my.end, other.end)];
  return [...before.slice(0, start), ...other.words, ...my.words, ...before.slice(end)];
}

interface Edit {
  start: number;
  end: number;
  words: string[];
}

/** Returns the range of a text that an edit replaces, and what it puts there. */
function edit(before: string[], after: string[]): Edit {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start++;
  let same = 0;
  while (same < most - start && before.at(-1 - same) === after.at(-1 - same)) same++;
  return { start, end: before.length - same, words: after.slice(start, after.length - same) };
}
