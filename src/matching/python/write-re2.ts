import { type PatternNode, PatternProblem, type Place } from './tree.ts';

/** Python's `$` also holds before a line break that ends the text. */
const PLACES: Readonly<Record<Place, string>> = {
  start: '\\A',
  end: '(?:\\n?\\z)',
  textEnd: '\\z',
  lineStart: '(?m:^)',
  lineEnd: '(?m:$)',
  word: '\\b',
  notWord: '\\B',
};

/** A pattern in RE2 syntax, for the flag `LOOKBEHINDS`. Throws `PatternProblem` for what RE2 cannot express. */
export function writeRe2(node: PatternNode): string {
  switch (node.kind) {
    case 'one':
      return node.source;
    case 'at':
      return PLACES[node.place];
    case 'sequence':
      return node.items.map((item) => (item.kind === 'choice' ? `(?:${writeRe2(item)})` : writeRe2(item))).join('');
    case 'choice':
      return node.options.map(writeRe2).join('|');
    case 'repeat':
      return `(?:${writeRe2(node.body)})${timesText(node.least, node.most)}`;
    case 'case':
      return `(?${node.ignored ? 'i' : '-i'}:${writeRe2(node.body)})`;
    case 'look':
      if (!node.behind) throw new PatternProblem('a look-ahead in the middle', false);
      return `(?<${node.negated ? '!' : '='}${writeRe2(node.body)})`;
  }
}

function timesText(least: number, most: number | null): string {
  if (most === null) return least === 0 ? '*' : least === 1 ? '+' : `{${least},}`;
  return least === 0 && most === 1 ? '?' : `{${least},${most}}`;
}
