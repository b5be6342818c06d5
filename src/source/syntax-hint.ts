import { endOfString } from './toml-scan.ts';

/** Advice for the commonest slips near a syntax error, told from the text itself; undefined when none applies. */
export function syntaxHint(text: string, offset: number): string | undefined {
  const before = text.slice(0, offset);
  const isAfterBackslash = /\\[^\n]?$/.test(before.slice(-2)) && !before.endsWith('\n');
  if (isInsideUnclosedString(text, offset)) {
    return 'Close the string with a quote, or use """ around text of several lines.';
  }
  if (isAfterBackslash) return String.raw`Write \\ for a backslash, or put the text in single quotes.`;
  if (/^(<{7}|={7}|>{7})/.test(text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset + 7))) {
    return 'Resolve the merge conflict in this file.';
  }
  if (/^:/.test(text.slice(offset).trimStart())) return 'TOML separates keys from values with =, not with a colon.';
  return undefined;
}

/** True when a string on one line runs into the line's end at `offset`. */
function isInsideUnclosedString(text: string, offset: number): boolean {
  if (offset < text.length && text[offset] !== '\n' && text[offset] !== '\r') return false;
  let at = text.lastIndexOf('\n', offset - 1) + 1;
  while (at < offset && text[at] !== '#') {
    const quote = text.charAt(at);
    if (quote !== '"' && quote !== "'") {
      at++;
      continue;
    }
    const end = endOfString(text, at);
    if (end > offset) return false;
    if (end >= offset && (text[end - 1] !== quote || end - 1 === at)) return true;
    at = end;
  }
  return false;
}
