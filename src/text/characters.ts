/** Loads data of the Unicode library, which takes longer than all else that a report of plain text needs. */
let graphemes: Intl.Segmenter | undefined;

/**
 * Ranges of code units that are whole characters of one column each, with nothing in them that joins, combines, is wide
 * or an emoji: ASCII, Latin, and the signs that reports draw with.
 */
const PLAIN: readonly (readonly [number, number])[] = [
  [0x20, 0x7e],
  [0xa0, 0xac],
  [0xae, 0x2ff],
  [0x2010, 0x2027],
  [0x2190, 0x21ff],
  [0x2200, 0x22ff],
  [0x2500, 0x259f],
  [0x2713, 0x2713],
  [0x2717, 0x2717],
];

/** True: each code unit of `text` is a character of its own and one column wide; false says nothing. */
export function isPlain(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    if (!isPlainUnit(text.charCodeAt(i))) return false;
  }
  return true;
}

function isPlainUnit(unit: number): boolean {
  if (unit < 0x7f) return unit >= 0x20;
  for (const [from, to] of PLAIN) if (unit >= from && unit <= to) return true;
  return false;
}

/** Code units that are segmented at a time: each step of a segmenter takes time in proportion to its whole text. */
const CHUNK = 1024;

/** The characters of `text` as people see them, in order; together they are `text`. */
export function* characters(text: string): Generator<string, void, undefined> {
  if (text.split('\n').every(isPlain)) {
    yield* text;
    return;
  }
  graphemes ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  let start = 0;
  while (start < text.length) {
    const chunk = text.slice(start, wholeEnd(text, start + CHUNK));
    const isLast = start + chunk.length >= text.length;
    for (const { segment, index } of graphemes.segment(chunk)) {
      // The chunk's end may cut its last character; the next chunk begins with it.
      if (!isLast && index > 0 && index + segment.length === chunk.length) break;
      yield segment;
      start += segment.length;
    }
  }
}

/** An end that does not cut a surrogate pair, whose first half alone would pass for a character of its own. */
function wholeEnd(text: string, end: number): number {
  const last = text.charCodeAt(end - 1);
  return last >= 0xd800 && last <= 0xdbff ? end + 1 : end;
}
