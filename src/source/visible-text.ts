import { hideCredentials } from '../values/hide-credentials.ts';

/** Longer texts are nothing that people wrote, and nothing that people read. */
const LONGEST = 8192;

/** The text on one line, cut where it is too long, without what a terminal would obey, hide or reorder, and passwords in URLs. */
export function visibleText(text: string): string {
  const whole = hideCredentials(text);
  const plain = whole.length > LONGEST ? `${whole.slice(0, LONGEST)}…` : whole;
  let shown = '';
  for (let at = 0; at < plain.length; at++) shown += visibleUnit(plain.charCodeAt(at));
  return shown;
}

/** The same for a text of several lines, which stay lines. */
export function visibleLines(text: string): string {
  return text.split('\n').map(visibleText).join('\n');
}

/** How one UTF-16 code unit is shown, always as one: control pictures for controls, U+FFFD for what cannot be seen. */
export function visibleUnit(code: number): string {
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return '\u2421';
  return isInvisible(code) ? '\ufffd' : String.fromCharCode(code);
}

/** Columns that a code unit takes in a terminal. Surrogate pairs are wide, so each half counts as one. */
export function unitWidth(code: number): number {
  if (code < 0x300) return 1;
  if (code <= 0x36f) return 0;
  return WIDE.some(([from, to]) => code >= from && code <= to) ? 2 : 1;
}

/** C1 controls, separators that break lines, and marks that reorder or hide the text around them. */
function isInvisible(code: number): boolean {
  if (code < 0x80) return false;
  if (code < 0xa0 || code === 0xad || code === 0x61c || code === 0x180e || code === 0xfeff) return true;
  // Annotation marks, and the first half of the tag characters, which spell out whole hidden sentences.
  if ((code >= 0xfff9 && code <= 0xfffb) || code === 0xdb40) return true;
  return (code >= 0x200b && code <= 0x200f) || (code >= 0x2028 && code <= 0x202e) || (code >= 0x2060 && code <= 0x206f);
}

/** Wide ranges of the basic plane (Unicode 16.0, EastAsianWidth.txt). */
const WIDE: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0xa4cf],
  [0xa960, 0xa97c],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6b],
  [0xff01, 0xff60],
  [0xffe0, 0xffe6],
];
