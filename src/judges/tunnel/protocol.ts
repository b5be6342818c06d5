import { PasskError } from '../../errors.ts';
import { hintFor } from '../../text/did-you-mean.ts';

/** How a judge is asked, and what is made of its answers. */
export interface Protocol {
  readonly name: string;
  /** What it can be used on; null: on both. */
  readonly judges: 'pairs' | 'items' | null;
  /** Both orders of each pair. */
  readonly swap: boolean;
  /** The same question so many times; the majority counts. */
  readonly repeats: number;
  /** So many judges: the one under test, and others with ever smaller biases, the last with none. */
  readonly ensemble: number;
  /** Length is taken out of the win rate. */
  readonly length: boolean;
  /** The rate is corrected by labels: `accuracy` by sensitivity and specificity, `predict` by prediction-powered inference. */
  readonly correct: 'accuracy' | 'predict' | null;
}

const PLAIN: Omit<Protocol, 'name'> = {
  judges: null,
  swap: false,
  repeats: 1,
  ensemble: 1,
  length: false,
  correct: null,
};

/** What everybody is tried with. */
export const BUILTIN_PROTOCOLS: readonly Protocol[] = [
  { ...PLAIN, name: 'unswapped', judges: 'pairs' },
  { ...PLAIN, name: 'swapped', judges: 'pairs', swap: true },
  { ...PLAIN, name: 'length-controlled', judges: 'pairs', length: true },
  { ...PLAIN, name: 'swapped, length-controlled', judges: 'pairs', swap: true, length: true },
  { ...PLAIN, name: 'swapped, 3 repeats', judges: 'pairs', swap: true, repeats: 3 },
  { ...PLAIN, name: 'swapped, ensemble of 3', judges: 'pairs', swap: true, ensemble: 3 },
  { ...PLAIN, name: 'uncorrected', judges: 'items' },
  { ...PLAIN, name: 'corrected', judges: 'items', correct: 'accuracy' },
  { ...PLAIN, name: 'prediction-powered', judges: 'items', correct: 'predict' },
  { ...PLAIN, name: '3 repeats', judges: 'items', repeats: 3 },
  { ...PLAIN, name: 'ensemble of 3', judges: 'items', ensemble: 3 },
];

/** Words of `--protocol`; a number follows those that take one. */
const WORDS = ['plain', 'swap', 'length', 'correct', 'predict', 'repeats', 'ensemble'] as const;
type Word = (typeof WORDS)[number];
const MOST_ANSWERS = 25;

/** Reads a protocol of the user: words with commas between them, such as `swap,repeats=3`. Throws `USAGE`. */
export function parseProtocol(text: string): Protocol {
  let protocol: Protocol = { ...PLAIN, name: text };
  for (const part of text.split(',')) {
    const [name = '', number, ...rest] = part.trim().split('=');
    const word = WORDS.find((one) => one === name);
    if (word === undefined) {
      throw new PasskError('USAGE', `"${name}" is no part of a protocol.`, { hint: hintFor(name, WORDS, 'parts') });
    }
    const takesNumber = word === 'repeats' || word === 'ensemble';
    const count = Number(number);
    if (rest.length > 0 || takesNumber !== (number !== undefined) || (takesNumber && !isCount(count))) {
      throw new PasskError('USAGE', `"${part}" is no part of a protocol.`, {
        hint: takesNumber
          ? `Write ${word}=3: an odd number up to ${MOST_ANSWERS}.`
          : `Write ${word}, without a number.`,
      });
    }
    const next: Protocol = { ...protocol, ...changeOf(word, count) };
    const { judges } = protocol;
    if (judges !== null && next.judges !== judges) {
      throw new PasskError('USAGE', `The protocol "${text}" is both for pairs and for single answers.`, {
        hint: 'swap and length are for pairs, correct and predict for single answers.',
      });
    }
    protocol = next;
  }
  return protocol;
}

/** Odd: an even number would have majorities of none. */
function isCount(count: number): boolean {
  return Number.isInteger(count) && count >= 1 && count <= MOST_ANSWERS && count % 2 === 1;
}

function changeOf(word: Word, count: number): Partial<Protocol> {
  switch (word) {
    case 'plain':
      return {};
    case 'swap':
      return { swap: true, judges: 'pairs' };
    case 'length':
      return { length: true, judges: 'pairs' };
    case 'correct':
      return { correct: 'accuracy', judges: 'items' };
    case 'predict':
      return { correct: 'predict', judges: 'items' };
    case 'repeats':
      return { repeats: count };
    case 'ensemble':
      return { ensemble: count };
  }
}
