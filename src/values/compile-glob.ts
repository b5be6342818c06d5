/**
 * A test of whole texts against a glob: `*` is any text, `/` included, `?` one character, `[ab-d]` one of these and
 * `[!ab]` one that is not. Case matters. Takes time within pattern times text, whatever the pattern.
 */
export function compileGlob(glob: string): (text: string) => boolean {
  const parts = partsOf(glob);
  const only = parts[0];
  if (parts.length === 1 && only === ANY) return () => true;
  return (text) => matches(parts, Array.from(text));
}

/** Any text. */
const ANY = Symbol('*');

type Part = typeof ANY | ((character: string) => boolean);

function partsOf(glob: string): readonly Part[] {
  const characters = Array.from(glob);
  const parts: Part[] = [];
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at] as string;
    const end = character === '[' ? closing(characters, at) : -1;
    if (end > 0) {
      parts.push(oneOf(characters.slice(at + 1, end)));
      at = end;
    } else if (character === '*') {
      if (parts.at(-1) !== ANY) parts.push(ANY);
    } else parts.push(character === '?' ? () => true : (candidate) => candidate === character);
  }
  return parts;
}

/** Where the list that begins at `open` ends; a `]` right after its beginning stands for itself. −1: it does not end. */
function closing(characters: readonly string[], open: number): number {
  let from = open + 1;
  if (characters[from] === '!') from++;
  return characters.indexOf(']', from + 1);
}

function oneOf(list: readonly string[]): (character: string) => boolean {
  const negated = list[0] === '!';
  const members = negated ? list.slice(1) : list;
  const ranges: [string, string][] = [];
  for (let at = 0; at < members.length; at++) {
    const low = members[at] as string;
    const high = members[at + 1] === '-' ? members[at + 2] : undefined;
    ranges.push([low, high ?? low]);
    if (high !== undefined) at += 2;
  }
  return (candidate) => ranges.some(([low, high]) => low <= candidate && candidate <= high) !== negated;
}

/** Only the last `*` is ever taken up again: an earlier one can take no more than that one can. */
function matches(parts: readonly Part[], text: readonly string[]): boolean {
  let part = 0;
  let at = 0;
  let lastAny = -1;
  let resume = 0;
  while (at < text.length) {
    const wanted = parts[part];
    if (wanted === ANY) {
      lastAny = part++;
      resume = at;
    } else if (wanted?.(text[at] as string) === true) {
      part++;
      at++;
    } else {
      if (lastAny < 0) return false;
      part = lastAny + 1;
      at = ++resume;
    }
  }
  while (parts[part] === ANY) part++;
  return part === parts.length;
}
