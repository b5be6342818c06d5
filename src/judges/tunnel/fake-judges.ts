import { PasskError } from '../../errors.ts';
import { hintFor } from '../../text/did-you-mean.ts';
import { ITEM_FAULTS, type ItemFaults, PAIR_FAULTS, type PairFaults } from './fake-judge.ts';

export type FakeJudge =
  | { readonly judges: 'pairs'; readonly name: string; readonly summary: string; readonly faults: PairFaults }
  | { readonly judges: 'items'; readonly name: string; readonly summary: string; readonly faults: ItemFaults };

/** One judge for each fault. What they compare is equally good. */
export const BUILTIN_JUDGES: readonly FakeJudge[] = [
  ofPairs('position', 'prefers the answer that stands first', { position: 1 }),
  ofPairs('length', 'prefers longer answers, and the candidate writes them', { length: 1.5, longer: 1 }),
  ofPairs('style', 'prefers one style, and the candidate writes it', { style: 1, styled: 1 }),
  ofPairs('family', 'prefers its own family, and the candidate is of it', { family: 0.8, kin: 1 }),
  ofPairs('noise', 'turns one verdict in five round', { noise: 0.2 }),
  ofPairs('garbled', 'gives one answer in four in prose, in a fence, or unreadable', { garbled: 0.25 }),
  ofPairs('fair', 'has no fault', {}),
  {
    judges: 'items',
    name: 'lenient',
    summary: 'passes 15 of 100 bad answers and fails 8 of 100 good ones',
    faults: { ...ITEM_FAULTS, passing: 0.2 },
  },
];

function ofPairs(name: string, summary: string, faults: Partial<PairFaults>): FakeJudge {
  return { judges: 'pairs', name, summary, faults: { ...PAIR_FAULTS, ...faults } };
}

const SHARES = [
  'sensitivity',
  'specificity',
  'passing',
  'noise',
  'garbled',
  'styled',
  'kin',
  'limited',
  'failing',
  'malformed',
  'cut',
  'prose',
  'fenced',
  'empty',
  'contradictory',
  'truncated',
  'foreign',
  'huge',
];
/** Words that are numbers from 0. */
const FROM_ZERO = ['skill', 'spread'];
const LARGEST = 20;
const MOST_LABELS = 10_000;

/** The judge that a user describes by words and numbers. Throws `USAGE` for words that no judge has. */
export function ownJudge(bias: Readonly<Record<string, number>>): FakeJudge {
  const words = Object.keys(bias);
  const faults = [...new Set([...Object.keys(PAIR_FAULTS), ...Object.keys(ITEM_FAULTS)])];
  for (const word of words) {
    if (faults.includes(word)) checkFault(word, bias[word] ?? Number.NaN);
    else throw new PasskError('USAGE', `"${word}" is no fault of a judge.`, { hint: hintFor(word, faults, 'faults') });
  }
  const summary = words.map((word) => `${word}=${bias[word]}`).join(', ');
  if (words.every((word) => Object.hasOwn(PAIR_FAULTS, word))) {
    return { judges: 'pairs', name: 'own', summary, faults: { ...PAIR_FAULTS, ...bias } };
  }
  const stranger = words.find((word) => !Object.hasOwn(ITEM_FAULTS, word));
  if (stranger === undefined) return { judges: 'items', name: 'own', summary, faults: { ...ITEM_FAULTS, ...bias } };
  throw new PasskError(
    'USAGE',
    `"${stranger}" is a fault of judges that compare; others are of judges of single answers.`,
    {
      hint: `Of single answers: ${Object.keys(ITEM_FAULTS).join(', ')}.`,
    },
  );
}

/** Throws `USAGE` for a number that the word cannot have. */
export function checkFault(word: string, value: number): void {
  const [least, most] = boundsOf(word);
  if (value >= least && value <= most && (word !== 'labels' || Number.isInteger(value))) return;
  throw new PasskError('USAGE', `"${word}" must be a number from ${least} to ${most}, not ${value}.`);
}

function boundsOf(word: string): readonly [number, number] {
  if (word === 'labels') return [1, MOST_LABELS];
  if (SHARES.includes(word)) return [0, 1];
  return [FROM_ZERO.includes(word) ? 0 : -LARGEST, LARGEST];
}
