import { firstNames } from './first-names.ts';
import { distance } from 'fastest-levenshtein';

/** Words longer than this are not compared: the comparison takes time by the square. */
const LONGEST_WORD = 100;
/** Names that a hint lists. */
const LISTED = 12;
/** A name that merely starts with what was written is offered from this length on. */
const SHORTEST_PREFIX = 4;

/** The name most likely meant by a word, or null when none is close. */
export function didYouMean(word: string, names: readonly string[]): string | null {
  if (word.length > LONGEST_WORD) return null;
  const plain = plainOf(word);
  let best: string | null = null;
  let bestDistance = allowedDistance(plain) + 1;
  for (const candidate of names) {
    if (candidate.length > LONGEST_WORD) continue;
    const apart = editsBetween(plain, plainOf(candidate));
    if (apart >= bestDistance) continue;
    best = candidate;
    bestDistance = apart;
  }
  // A name that was cut short is meant before one that takes several edits: "any_chaos" is no "no_chaos".
  return bestDistance <= 1 ? best : (onlyLonger(plain, names) ?? best);
}

/** One sentence that leads from a wrong word to the right one. */
export function hintFor(word: string, names: readonly string[], noun = 'keys'): string {
  const meant = didYouMean(word, names);
  if (meant !== null) return `Did you mean "${meant}"?`;
  if (names.length === 0) return `There are no known ${noun} here.`;
  return `Known ${noun}: ${firstNames(names, LISTED)}.`;
}

/** Insertions, deletions and replacements; two letters swapped count as one. */
function editsBetween(one: string, other: string): number {
  const edits = distance(one, other);
  if (edits !== 2 || one.length !== other.length) return edits;
  const at = firstDifference(one, other);
  return one[at] === other[at + 1] && one[at + 1] === other[at] ? 1 : edits;
}

function firstDifference(one: string, other: string): number {
  let at = 0;
  while (one[at] === other[at]) at++;
  return at;
}

/** In lower case, without `_` and `-`: people mix these up. */
function plainOf(word: string): string {
  return word.toLowerCase().replaceAll('_', '').replaceAll('-', '');
}

function allowedDistance(word: string): number {
  if (word.length <= 2) return 0;
  return Math.max(1, Math.floor(word.length / 3));
}

function onlyLonger(plain: string, names: readonly string[]): string | null {
  if (plain.length < SHORTEST_PREFIX) return null;
  const longer = names.filter((candidate) => plainOf(candidate).startsWith(plain));
  return longer.length === 1 ? (longer[0] ?? null) : null;
}
