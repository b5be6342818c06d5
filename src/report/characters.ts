const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Code units that are segmented at a time: each step of a segmenter takes time in proportion to its whole text. */
const CHUNK = 1024;

/** The characters of `text` as people see them, in order; together they are `text`. */
export function* characters(text: string): Generator<string, void, undefined> {
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
