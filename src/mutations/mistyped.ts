/** A word with two letters swapped, one left out, or one doubled, at the letter `at` (from 1). `kind`: which, in [0, 1). */
export function mistyped(word: string, at: number, kind: number): string {
  const [before, letter, after] = [word.slice(0, at), word.charAt(at), word.slice(at + 1)];
  if (kind < 1 / 3) return `${before.slice(0, -1)}${letter}${before.slice(-1)}${after}`;
  if (kind < 2 / 3) return `${before}${after}`;
  return `${before}${letter}${letter}${after}`;
}
