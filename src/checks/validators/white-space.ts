import type { Reading } from './reading.ts';

/** What Python strips and JavaScript does not: separators U+001C to U+001F and U+0085. U+FEFF is the other way round. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: Python strips them
const PYTHON_ENDS = /^[\t-\r\u001c-\u0020\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/;

/** The text without the white space at its ends, as the tool strips it. */
export function stripped(text: string, { presence }: Reading): string {
  return presence === 'js' ? text.trim() : stripEnd(text.replace(PYTHON_ENDS, ''));
}

/** Backwards: a pattern for white space at the end looks at each run of it in the text from each of its characters. */
function stripEnd(text: string): string {
  let end = text.length;
  while (end > 0 && PYTHON_ENDS.test(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}
