/** Characters of a line. An outcome has a few hundred. */
export const LONGEST_LINE = 65_536;
/** What is kept of a longer one. */
const KEPT = 1000;

/** The lines of a text that comes in pieces, without empty ones. One that is too long is cut, so that it is no JSON. */
export async function* outcomeLines(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  let open = '';
  let isLong = false;
  for await (const piece of pieces) {
    const parts = decoder.decode(piece, { stream: true }).split('\n');
    for (const [place, part] of parts.entries()) {
      isLong ||= open.length + part.length > LONGEST_LINE;
      open = isLong ? (open + part.slice(0, KEPT)).slice(0, KEPT) : open + part;
      if (place === parts.length - 1) break;
      if (open.trim() !== '') yield open.trim();
      [open, isLong] = ['', false];
    }
  }
  open += decoder.decode();
  if (open.trim() !== '') yield open.trim();
}
