/** What a look at the characters alone tells about a TOML text, valid or not. */
export interface TomlScan {
  /** Offset of the first bracket or dot that nests deeper than allowed; null: none does. */
  readonly tooDeepAt: number | null;
  /** String tokens longer than asked for, as [start, end). */
  readonly longStrings: readonly (readonly [number, number])[];
}

/** True at the codes of the characters that the scan looks at: nearly all others are passed over. */
const MARKS: readonly (true | undefined)[] = Array.from({ length: 128 }, (_, code) =>
  '"\'#[]{}.=\n,'.includes(String.fromCharCode(code)) ? true : undefined,
);

/** Finds nesting and long strings in one pass without recursion, so that no text can exhaust the stack. */
export function scanToml(text: string, limits: { readonly depth: number; readonly stringLength: number }): TomlScan {
  const longStrings: [number, number][] = [];
  let tooDeepAt: number | null = null;
  let brackets = 0;
  let dots = 0;
  let at = 0;
  while (at < text.length && tooDeepAt === null) {
    const code = text.charCodeAt(at);
    if (!MARKS[code]) {
      at++;
      continue;
    }
    const char = text[at];
    if (char === '"' || char === "'") {
      const end = endOfString(text, at);
      if (end - at > limits.stringLength) longStrings.push([at, end]);
      at = end;
      continue;
    }
    if (char === '#') {
      const newline = text.indexOf('\n', at);
      at = newline === -1 ? text.length : newline;
      continue;
    }
    if (char === '[' || char === '{') brackets++;
    else if (char === ']' || char === '}') brackets = Math.max(0, brackets - 1);
    else if (char === '.') dots++;
    if (char !== '.') dots = 0;
    if (brackets > limits.depth || dots >= limits.depth) tooDeepAt = at;
    at++;
  }
  return { tooDeepAt, longStrings };
}

/** Offset after the string token that starts here; an unterminated one ends with its line or the text. */
export function endOfString(text: string, start: number): number {
  const quote = text[start] ?? '"';
  const isMultiLine = text.startsWith(quote.repeat(3), start);
  const escapes = quote === '"';
  let at = start + (isMultiLine ? 3 : 1);
  // Of a literal string only the closing quotes count.
  if (isMultiLine && !escapes) {
    const end = text.indexOf("'''", at);
    return end === -1 ? text.length : endOfQuotes(text, end, quote);
  }
  while (at < text.length) {
    const char = text[at];
    if (escapes && char === '\\') {
      at += 2;
      continue;
    }
    if (!isMultiLine && char === '\n') return at;
    if (char === quote) {
      if (!isMultiLine) return at + 1;
      if (text.startsWith(quote.repeat(3), at)) return endOfQuotes(text, at, quote);
    }
    at++;
  }
  return text.length;
}

/** Up to two more quotes before the closing three belong to the string. */
function endOfQuotes(text: string, at: number, quote: string): number {
  let end = at + 3;
  while (end < at + 5 && text[end] === quote) end++;
  return end;
}
