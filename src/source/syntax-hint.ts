import { endOfString } from './toml-scan.ts';

/** What the author most likely did, and what to do about it. */
export interface SyntaxHint {
  /** Replaces the parser's reason where that would mislead. */
  readonly reason?: string;
  readonly hint: string;
}

/** Advice for the commonest slips near a syntax error, told from the text itself; null when none applies. */
export function syntaxHint(text: string, offset: number): SyntaxHint | null {
  if (isInsideUnclosedString(text, offset)) {
    const hint = 'Close the string with a quote, or use """ around text of several lines.';
    return { reason: 'a string is not closed on its line', hint };
  }
  if (text[offset - 1] === '\\' || text[offset] === '\\') {
    return { hint: String.raw`Write \\ for a backslash, or put the text in single quotes.` };
  }
  if (/^(<{7}|={7}|>{7})/.test(text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset + 7))) {
    return { reason: 'this is the mark of a merge conflict', hint: 'Resolve the conflict in this file.' };
  }
  if (/^[ \t]*:/.test(text.slice(offset, offset + 100))) {
    return { hint: 'TOML separates keys from values with =, not with a colon.' };
  }
  return null;
}

/** True when a string on one line runs into the line's end at `offset`. */
function isInsideUnclosedString(text: string, offset: number): boolean {
  if (offset < text.length && text[offset] !== '\n' && !text.startsWith('\r\n', offset)) return false;
  const newline = text.indexOf('\n', offset);
  const lineEnd = newline === -1 ? text.length : newline;
  let at = text.lastIndexOf('\n', offset - 1) + 1;
  while (at < offset && text[at] !== '#') {
    const quote = text.charAt(at);
    if (quote !== '"' && quote !== "'") {
      at++;
      continue;
    }
    const end = endOfString(text, at);
    if (end === lineEnd) return text[end - 1] !== quote || end - 1 === at;
    at = end;
  }
  return false;
}
