/**
 * The same text, and the same string for most texts that are alike: short ones that came before. Files of a suite say the
 * same words over and over, and each string that is kept costs the collector time and the process memory.
 */
export function sharedText(text: string): string {
  const { length } = text;
  if (length === 0 || length > LONGEST) return text;
  const place = placeOf(length, text.charCodeAt(0), text.charCodeAt(length >> 1), text.charCodeAt(length - 1));
  const known = words[place];
  if (known === text) return known;
  words[place] = text;
  return text;
}

/** The same of a part of a text, given as its codes too; it is cut out only where it is a new one. */
export function sharedPart(text: string, codes: Uint16Array, start: number, end: number): string {
  const length = end - start;
  if (length === 0 || length > LONGEST) return text.slice(start, end);
  const place = placeOf(
    length,
    codes[start] as number,
    codes[start + (length >> 1)] as number,
    codes[end - 1] as number,
  );
  const known = words[place] as string;
  if (known.length === length) {
    let at = 0;
    while (at < length && known.charCodeAt(at) === codes[start + at]) at++;
    if (at === length) return known;
  }
  const part = text.slice(start, end);
  words[place] = part;
  return part;
}

function placeOf(length: number, first: number, middle: number, last: number): number {
  return (length * 131 + first * 31 + middle * 17 + last * 7) % PLACES;
}

/** Longer ones are, to V8, views of the text they were cut from, which must not be kept for them. */
const LONGEST = 12;

const PLACES = 1024;

/** One word for each place, the last that came: what is looked at takes no longer for texts that were made to collide. */
const words: string[] = Array.from({ length: PLACES }, () => '');
