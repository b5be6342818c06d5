import { codeText, rangeText, type SetItems } from './character-sets.ts';
import { parseEscape } from './parse-escape.ts';
import type { PatternSource } from './pattern-source.ts';
import { type OneCharacter, PatternProblem } from './tree.ts';

interface Member {
  readonly text: string;
  /** Its code point; null: a set. */
  readonly code: number | null;
  readonly set: SetItems | null;
}

/** Reads a class after its `[`. A `]` that comes first, and a `-` at either end, stand for themselves. */
export function parseClass(source: PatternSource, ascii: boolean): OneCharacter {
  const negated = source.skip('^');
  const members = parseMembers(source, ascii);
  const [first, second] = members;
  const only = second === undefined ? (first?.set ?? null) : null;
  const one = only === null ? oneOfMembers(members) : oneOfSet(only);
  return negated ? otherThan(one) : one;
}

/** One character of a set. Sets such as "no letter" are long to list and short to exclude. */
export function oneOfSet({ inside, outside }: SetItems): OneCharacter {
  return inside.length <= outside.length ? oneOfItems(inside) : otherThan(oneOfItems(outside));
}

/** Any character but these. */
export function otherThan({ source, inverse }: OneCharacter): OneCharacter {
  return { kind: 'one', source: inverse, inverse: source };
}

function parseMembers(source: PatternSource, ascii: boolean): readonly Member[] {
  const members: Member[] = [];
  while (members.length === 0 || source.peek() !== ']') {
    const from = parseMember(source, ascii);
    const isRange = source.peek() === '-' && source.peek(1) !== ']';
    if (isRange) source.take();
    members.push(isRange ? rangeOf(from, parseMember(source, ascii)) : from);
  }
  source.take();
  return members;
}

function parseMember(source: PatternSource, ascii: boolean): Member {
  const character = source.take();
  if (character === '') throw new PatternProblem('a class does not end with "]"');
  if (character !== '\\') return memberOf(character.codePointAt(0) as number);
  const escaped = parseEscape(source, ascii, true);
  if (escaped.kind === 'letter') throw new PatternProblem(`"\\${escaped.letter}" is no character`);
  if (escaped.kind === 'code') return memberOf(escaped.code);
  return { text: escaped.items.inside, code: null, set: escaped.items };
}

function rangeOf(from: Member, to: Member): Member {
  if (from.code === null || to.code === null || to.code < from.code) {
    throw new PatternProblem(`there is no range from "${from.text}" to "${to.text}"`);
  }
  return { text: rangeText(from.code, to.code), code: null, set: null };
}

function memberOf(code: number): Member {
  return { text: codeText(code), code, set: null };
}

function oneOfMembers(members: readonly Member[]): OneCharacter {
  return oneOfItems(members.map(({ text }) => text).join(''));
}

function oneOfItems(items: string): OneCharacter {
  return { kind: 'one', source: `[${items}]`, inverse: `[^${items}]` };
}
