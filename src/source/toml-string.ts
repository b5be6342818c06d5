/** A TOML string token decoded, with the offset in the text each of its UTF-16 code units came from. */
export interface DecodedString {
  readonly value: string;
  /** One entry per code unit of `value`, and one more: the offset of the closing quotes. */
  readonly offsets: Uint32Array;
}

/** Decodes the string token from `start` to `end` (exclusive) of a valid TOML text. */
export function decodeTomlString(text: string, start: number, end: number): DecodedString {
  const quote = text[start] ?? '"';
  const quotes = end - start >= 6 && text.startsWith(quote.repeat(3), start) ? 3 : 1;
  const close = end - quotes;
  const offsets = new Uint32Array(close - start + 1);
  let value = '';
  let at = start + quotes;
  if (quotes === 3) at = afterNewline(text, at);
  const keep = (decoded: string, from: number): void => {
    for (let i = 0; i < decoded.length; i++) offsets[value.length + i] = from;
    value += decoded;
  };
  while (at < close) {
    if (quote === '"' && text[at] === '\\') {
      const decoded = readEscape(text, at);
      keep(decoded.value, at);
      at = decoded.end;
      continue;
    }
    keep(text.charAt(at), at);
    at++;
  }
  offsets[value.length] = close;
  return { value, offsets: offsets.slice(0, value.length + 1) };
}

const SIMPLE: ReadonlyMap<string, string> = new Map([
  ['b', '\b'],
  ['t', '\t'],
  ['n', '\n'],
  ['f', '\f'],
  ['r', '\r'],
  ['e', '\u001b'],
  ['"', '"'],
  ['\\', '\\'],
]);

const DIGITS: ReadonlyMap<string, number> = new Map([
  ['x', 2],
  ['u', 4],
  ['U', 8],
]);

function readEscape(text: string, at: number): { readonly value: string; readonly end: number } {
  const letter = text.charAt(at + 1);
  const simple = SIMPLE.get(letter);
  if (simple !== undefined) return { value: simple, end: at + 2 };
  const digits = DIGITS.get(letter);
  if (digits === undefined) return { value: '', end: afterBlank(text, at + 1) };
  const end = at + 2 + digits;
  return { value: String.fromCodePoint(Number.parseInt(text.slice(at + 2, end), 16)), end };
}

/** A backslash at the end of a line swallows all white space up to the next character. */
function afterBlank(text: string, at: number): number {
  let end = at;
  while (end < text.length && ' \t\r\n'.includes(text.charAt(end))) end++;
  return end;
}

function afterNewline(text: string, at: number): number {
  if (text[at] === '\n') return at + 1;
  return text.startsWith('\r\n', at) ? at + 2 : at;
}
