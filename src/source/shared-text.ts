/**
 * The same text, and the same string for most texts that are alike: short ones that came before. Files of a suite say the
 * same words over and over, and each string that is kept costs the collector time and the process memory.
 */
export function sharedText(text: string): string {
  const { length } = text;
  if (length === 0 || length > LONGEST) return text;
  const middle = text.charCodeAt(length >> 1);
  const place = (length * 131 + text.charCodeAt(0) * 31 + middle * 17 + text.charCodeAt(length - 1) * 7) % PLACES;
  const known = words[place];
  if (known === text) return known;
  words[place] = text;
  return text;
}

/** Longer ones are, to V8, views of the text they were cut from, which must not be kept for them. */
const LONGEST = 12;

const PLACES = 1024;

/** One word for each place, the last that came: what is looked at takes no longer for texts that were made to collide. */
const words: string[] = Array.from({ length: PLACES }, () => '');
