import { escapedSet, type SetItems } from './character-sets.ts';
import type { PatternSource } from './pattern-source.ts';
import { PatternProblem } from './tree.ts';

/** What an escape stands for: one character, a set of them, or a place between two. */
export type Escape =
  | { readonly kind: 'code'; readonly code: number }
  | { readonly kind: 'set'; readonly items: SetItems }
  | { readonly kind: 'letter'; readonly letter: 'A' | 'Z' | 'z' | 'b' | 'B' };

const CONTROLS: Readonly<Record<string, number>> = { a: 7, f: 12, n: 10, r: 13, t: 9, v: 11 };
const HEX_DIGITS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

/** Reads what follows a backslash. */
export function parseEscape(source: PatternSource, ascii: boolean, inClass: boolean): Escape {
  const letter = source.take();
  if (letter === '') throw new PatternProblem('it ends with a backslash');
  if (Object.hasOwn(CONTROLS, letter)) return codeOf(CONTROLS[letter] as number);
  if (Object.hasOwn(HEX_DIGITS, letter)) return hexadecimal(source, letter);
  if (/[dswDSW]/.test(letter)) return setOf(letter, ascii);
  if (letter === 'p' || letter === 'P') return property(source, letter);
  if (/\d/.test(letter)) return octal(source, letter, inClass);
  if (inClass && letter === 'b') return codeOf(8);
  if (!inClass && (letter === 'b' || letter === 'B' || letter === 'A' || letter === 'Z' || letter === 'z')) {
    return { kind: 'letter', letter };
  }
  if (letter === 'N') throw new PatternProblem('characters are not known by name: write \\u and their code', false);
  if (/[A-Za-z]/.test(letter)) throw new PatternProblem(`"\\${letter}" means nothing`);
  return codeOf(letter.codePointAt(0) as number);
}

function setOf(letter: string, ascii: boolean): Escape {
  const lower = letter.toLowerCase() as 'd' | 's' | 'w';
  const items = escapedSet(lower, ascii);
  if (letter === lower) return { kind: 'set', items };
  return { kind: 'set', items: { inside: items.outside, outside: items.inside } };
}

/** Not Python, but what RE2 has. */
function property(source: PatternSource, letter: 'p' | 'P'): Escape {
  const name = source.skip('{') ? source.until('}', 'a property') : source.take();
  const other = letter === 'p' ? 'P' : 'p';
  return { kind: 'set', items: { inside: `\\${letter}{${name}}`, outside: `\\${other}{${name}}` } };
}

function hexadecimal(source: PatternSource, letter: string): Escape {
  const count = HEX_DIGITS[letter] as number;
  const digits = source.run(/[0-9A-Fa-f]/, count);
  if (digits.length !== count) throw new PatternProblem(`"\\${letter}" needs ${count} hexadecimal digits`);
  return codeOf(Number.parseInt(digits, 16));
}

function octal(source: PatternSource, first: string, inClass: boolean): Escape {
  const more = source.peek() + source.peek(1);
  const isOctal = first === '0' || inClass || (/^[0-3]$/.test(first) && /^[0-7]{2}$/.test(more));
  if (!isOctal) throw new PatternProblem(`the back-reference "\\${first}"`, false);
  return codeOf(Number.parseInt(first + source.run(/[0-7]/, 2), 8));
}

function codeOf(code: number): Escape {
  if (code > 0x10ffff || Number.isNaN(code)) throw new PatternProblem('there is no such character');
  return { kind: 'code', code };
}
