const PIECES = 8;

/** A text as a stream brings it: at most so many pieces, none of which cuts a character in two. [''] for an empty one. */
export function textPieces(text: string): readonly string[] {
  const characters = Array.from(text);
  const size = Math.max(1, Math.ceil(characters.length / PIECES));
  const pieces: string[] = [];
  for (let at = 0; at < characters.length; at += size) pieces.push(characters.slice(at, at + size).join(''));
  return pieces.length === 0 ? [''] : pieces;
}
