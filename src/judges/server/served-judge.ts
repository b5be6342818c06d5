import { PasskError } from '../../errors.ts';
import { hintFor } from '../../text/did-you-mean.ts';
import { ITEM_FAULTS, type ItemFaults, PAIR_FAULTS, type PairFaults } from '../tunnel/fake-judge.ts';
import { checkFault } from '../tunnel/fake-judges.ts';

/** What goes wrong on the way, as shares of requests. */
export interface WireFaults {
  /** Status 429. */
  readonly limited: number;
  /** Status 500. */
  readonly failing: number;
  /** A body that is no JSON. */
  readonly malformed: number;
  /** The connection breaks in the middle of the body. */
  readonly cut: number;
}

/** Answers that are no plain verdict, each as a share of answers. */
export interface SpokenFaults {
  readonly prose: number;
  readonly fenced: number;
  readonly empty: number;
  readonly contradictory: number;
  readonly truncated: number;
  /** In another language, keys included. */
  readonly foreign: number;
  readonly huge: number;
}

/** A fake judge of the server: how it errs when it compares, when it judges single answers, and on the way. */
export interface ServedJudge {
  readonly pairs: PairFaults;
  readonly items: ItemFaults;
  readonly wire: WireFaults;
  readonly spoken: SpokenFaults;
}

export const WIRE_FAULTS: WireFaults = { limited: 0, failing: 0, malformed: 0, cut: 0 };
export const SPOKEN_FAULTS: SpokenFaults = {
  prose: 0,
  fenced: 0,
  empty: 0,
  contradictory: 0,
  truncated: 0,
  foreign: 0,
  huge: 0,
};

/** Words of `--bias` that a judge can be told by; the others say what it is shown, which questions bring along. */
const PAIR_WORDS = ['skill', 'position', 'length', 'style', 'family', 'noise', 'garbled'] as const;
const ITEM_WORDS = ['sensitivity', 'specificity', 'noise', 'garbled'] as const;
const WORDS: readonly string[] = [
  ...new Set([...PAIR_WORDS, ...ITEM_WORDS, ...Object.keys(WIRE_FAULTS), ...Object.keys(SPOKEN_FAULTS)]),
];

/** The model that is asked for a judge, by the faults that it has: `position=1,noise=0.1`. */
export function modelOfJudge(faults: Readonly<Record<string, number | undefined>>): string {
  const words = Object.entries(faults).filter(([word, value]) => value !== undefined && WORDS.includes(word));
  return words.length === 0 ? FAIR : words.map(([word, value]) => `${word}=${value}`).join(',');
}

/** A judge without faults. */
const FAIR = 'fair';

/** The judge that a request names as its model: `fair`, or words and numbers. Throws `USAGE`. */
export function judgeOfModel(model: string): ServedJudge {
  const judge = {
    pairs: { ...PAIR_FAULTS },
    items: { ...ITEM_FAULTS, sensitivity: 1, specificity: 1 },
    wire: { ...WIRE_FAULTS },
    spoken: { ...SPOKEN_FAULTS },
  };
  if (model === FAIR) return judge;
  for (const part of model.split(',')) {
    const [word = '', number = '', ...rest] = part.trim().split('=');
    if (!WORDS.includes(word)) {
      throw new PasskError('USAGE', `"${word.slice(0, SHOWN)}" is no fault of a judge.`, {
        hint: hintFor(word, WORDS, 'faults'),
      });
    }
    const value = number.trim() === '' || rest.length > 0 ? Number.NaN : Number(number);
    checkFault(word, value);
    for (const table of Object.values(judge)) if (Object.hasOwn(table, word)) Object.assign(table, { [word]: value });
  }
  return judge;
}

const SHOWN = 60;
