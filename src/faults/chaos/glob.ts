/** One place of a glob: any run of characters, or one character that passes a test. */
type Place = '*' | ((char: string) => boolean);

/**
 * A shell glob over a whole text, case-sensitive: `*` is any run of characters, slashes included, `?` any one, `[abc]`,
 * `[a-z]` and `[!a-z]` one of a set. An unclosed `[` is itself. Takes time in the product of both lengths at most.
 */
export function compileGlob(glob: string): (text: string) => boolean {
  if (glob === '*') return () => true;
  const places = readPlaces(glob);
  if (places.every((place) => place !== '*') && !/[?[]/.test(glob)) return (text) => text === glob;
  return (text) => fits(places, [...text]);
}

// One step back is enough: only the last `*` may have to take one character more.
function fits(places: readonly Place[], text: readonly string[]): boolean {
  let place = 0;
  let at = 0;
  let star = -1;
  let taken = 0;
  while (at < text.length) {
    const wanted = places[place];
    if (wanted === '*') {
      star = place++;
      taken = at;
    } else if (wanted?.(text[at] as string) === true) {
      place++;
      at++;
    } else if (star >= 0) {
      place = star + 1;
      at = ++taken;
    } else return false;
  }
  while (places[place] === '*') place++;
  return place === places.length;
}

function readPlaces(glob: string): readonly Place[] {
  const chars = [...glob];
  const places: Place[] = [];
  for (let at = 0; at < chars.length; at++) {
    const char = chars[at] as string;
    const close = char === '[' ? closingBracket(chars, at) : -1;
    if (close > 0) {
      places.push(readSet(chars.slice(at + 1, close)));
      at = close;
    } else if (char === '*') {
      if (places.at(-1) !== '*') places.push('*');
    } else if (char === '?') places.push(() => true);
    else places.push((other) => other === char);
  }
  return places;
}

/** A `]` that comes first in a set is a member of it. */
function closingBracket(chars: readonly string[], open: number): number {
  const first = chars[open + 1] === '!' ? open + 2 : open + 1;
  return chars.indexOf(']', first + 1);
}

function readSet(members: readonly string[]): (char: string) => boolean {
  const isInverted = members[0] === '!';
  const listed = isInverted ? members.slice(1) : members;
  const ranges: (readonly [string, string])[] = [];
  for (let at = 0; at < listed.length; at++) {
    const from = listed[at] as string;
    const to = listed[at + 2];
    if (listed[at + 1] === '-' && to !== undefined) {
      ranges.push([from, to]);
      at += 2;
    } else ranges.push([from, from]);
  }
  return (char) => ranges.some(([from, to]) => isWithin(char, from, to)) !== isInverted;
}

function isWithin(char: string, from: string, to: string): boolean {
  const point = char.codePointAt(0) as number;
  return point >= (from.codePointAt(0) as number) && point <= (to.codePointAt(0) as number);
}
