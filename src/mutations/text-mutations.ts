import { type Draws, DRAWS_A_WORD, MOST_WORDS, type MutationKind, pick, WHOLE } from './mutation-type.ts';

/** Sentences that ask nothing and tell nothing: no number, no name, no negation. */
export const SMALL_TALK: readonly [string, ...string[]] = [
  'Good to be able to write to you.',
  'It has been a busy week here.',
  'Thanks for reading this.',
  'My coffee is getting cold.',
  'The weather is rather grey today.',
  'I am writing this on my phone.',
  'Hope you are well.',
  'That was all for the moment.',
];

/** Courtesies of other languages, before a message and behind it; none of them says more than please and thank you. */
export const COURTESIES: readonly [readonly [string, string], ...(readonly [string, string])[]] = [
  ['Guten Tag,', 'Vielen Dank 🙏'],
  ['Bonjour,', 'merci beaucoup'],
  ['¡Hola!', 'por favor, gracias'],
  ['こんにちは', 'お願いします'],
  ['Здравствуйте,', 'спасибо большое'],
  ['مرحبا', 'شكرا جزيلا'],
];

const SPACES: readonly [string, ...string[]] = ['  ', '   ', '\t', '\n', ' \n '];

/** Characters of a message that is made very long. */
export const VERY_LONG = 20_000;
/** Words of a message that is made very short. */
export const VERY_SHORT = 3;

function rotated<T>(list: readonly T[], share: number): readonly T[] {
  const by = 1 + Math.floor(share * (list.length - 1));
  return [...list.slice(by), ...list.slice(0, by)];
}

function padded(text: string, draws: Draws): string {
  const [before, after] = [1 + Math.floor(draws(WHOLE) * 3), 1 + Math.floor(draws(WHOLE + 1) * 3)];
  const talk = (amount: number, first: number): string =>
    Array.from({ length: amount }, (_, n) => pick(SMALL_TALK, draws(WHOLE + first + n))).join(' ');
  return `${talk(before, 2)} ${text} ${talk(after, 5)}`;
}

/** Spaces between words take other shapes: at least one of them, where there is any. */
function respaced(text: string, draws: Draws): string {
  const parts = text.split(/(\s+)/);
  const gaps = parts.flatMap((_, at) => (at % 2 === 1 ? [at] : [])).slice(0, MOST_WORDS);
  const sure = gaps[Math.floor(draws(WHOLE) * gaps.length)];
  for (const [n, at] of gaps.entries()) {
    if (at !== sure && draws(n * DRAWS_A_WORD) >= 0.3) continue;
    const space = pick(SPACES, draws(n * DRAWS_A_WORD + 1));
    parts[at] = space === parts[at] ? `${space} ` : space;
  }
  return parts.join('');
}

function extreme(text: string, draws: Draws): string {
  const words = text.split(/\s+/).filter((word) => word !== '');
  if (draws(WHOLE) < 0.5 && words.length > VERY_SHORT) return words.slice(0, VERY_SHORT).join(' ');
  if (text.length >= VERY_LONG) return text;
  let long = text;
  for (let n = 0; long.length < VERY_LONG; n++) long = `${pick(SMALL_TALK, draws(WHOLE + 1 + n))} ${long}`;
  return long;
}

/** Mutations of a message as a whole that put nothing hostile into it. */
export const textMutations: readonly MutationKind[] = [
  {
    kind: 'mutation',
    type: 'spacing',
    summary: 'other white space between words',
    keepsMeaning: true,
    mutate: respaced,
  },
  {
    kind: 'mutation',
    type: 'repetition',
    summary: 'the message two or three times',
    keepsMeaning: true,
    mutate: (text, draws) =>
      text.trim() === '' ? text : Array.from({ length: draws(WHOLE) < 0.5 ? 2 : 3 }, () => text).join('\n'),
  },
  {
    kind: 'mutation',
    type: 'padding',
    summary: 'small talk before and behind the message',
    keepsMeaning: true,
    mutate: padded,
  },
  {
    kind: 'mutation',
    type: 'language_mixing',
    summary: 'greetings and thanks in another language around the message',
    keepsMeaning: true,
    mutate: (text, draws) => {
      const [before, after] = pick(COURTESIES, draws(WHOLE));
      return `${before} ${text} ${after}`;
    },
  },
  {
    kind: 'mutation',
    type: 'reordering',
    summary: 'sentences in another order',
    keepsMeaning: false,
    mutate: (text, draws) => {
      const sentences = text.trim().split(/(?<=[.!?])\s+/);
      return sentences.length < 2 ? text : rotated(sentences, draws(WHOLE)).join(' ');
    },
  },
  {
    kind: 'mutation',
    type: 'length_extremes',
    summary: `the first ${VERY_SHORT} words alone, or at least ${VERY_LONG} characters`,
    keepsMeaning: false,
    mutate: extreme,
  },
];
