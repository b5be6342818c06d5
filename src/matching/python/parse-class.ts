import { codeText, rangeText, type SetItems } from './character-sets.ts';
import { parseEscape } from './parse-escape.ts';
import type { PatternSource } from './pattern-source.ts';
import { type OneCharacter, PatternProblem } from './tree.ts';

/** Reads a class after its `[`. A `]` that comes first, and a `-` at either end, stand for themselves. */
export function parseClass(source: PatternSource, ascii: boolean): OneCharacter {
  const negated = source.skip('^');
  let items = '';
  let only: SetItems | null = null;
  for (let isFirst = true; isFirst || source.peek() !== ']'; isFirst = false) {
    const from = parseMember(source, ascii);
    only = isFirst ? from.set : null;
    if (source.peek() !== '-' || source.peek(1) === ']') {
      items += from.text;
      continue;
    }
    source.take();
    const to = parseMember(source, ascii);
    if (from.code === null || to.code === null || to.code < from.code) {
      throw new PatternProblem(`there is no range from "${from.text}" to "${to.text}"`);
    }
    items += rangeText(from.code, to.code);
  }
  source.take();
  const { source: inside, inverse: outside } = only === null ? oneOfItems(items) : oneOfSet(only);
  return { kind: 'one', source: negated ? outside : inside, inverse: negated ? inside : outside };
}

/** One character of a set. Sets such as "no letter" are long to list and short to exclude. */
export function oneOfSet({ inside, outside }: SetItems): OneCharacter {
  if (inside.length <= outside.length) return oneOfItems(inside);
  const { source, inverse } = oneOfItems(outside);
  return { kind: 'one', source: inverse, inverse: source };
}

function oneOfItems(items: string): OneCharacter {
  return { kind: 'one', source: `[${items}]`, inverse: `[^${items}]` };
}

function parseMember(
  source: PatternSource,
  ascii: boolean,
): { readonly text: string; readonly code: number | null; readonly set: SetItems | null } {
  const character = source.take();
  if (character === '') throw new PatternProblem('a class does not end with "]"');
  if (character !== '\\') {
    const code = character.codePointAt(0) as number;
    return { text: codeText(code), code, set: null };
  }
  const escaped = parseEscape(source, ascii, true);
  if (escaped.kind === 'letter') throw new PatternProblem(`"\\${escaped.letter}" is no character`);
  if (escaped.kind === 'set') return { text: escaped.items.inside, code: null, set: escaped.items };
  return { text: codeText(escaped.code), code: escaped.code, set: null };
}
