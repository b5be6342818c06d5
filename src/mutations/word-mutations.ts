import { type Draws, DRAWS_A_WORD, MOST_WORDS, type MutationKind, pick } from './mutation-type.ts';
import { mistyped } from './mistyped.ts';
import { isProtectedWord, ordinaryWord } from './protected-tokens.ts';

/** Share of ordinary words that are respelt; where chance leaves all of them, one is taken all the same. */
const SHARE = 0.3;

/** How a word is respelt; its draws follow `first`. */
type Respell = (letters: string, draws: Draws, first: number) => string;

/** A text in which some ordinary words are respelt: at least one, where any can be. */
function respellWords(text: string, draws: Draws, respell: Respell): string {
  const parts = text.split(/(\s+)/);
  const words = parts.flatMap((part, at) => {
    const word = ordinaryWord(part);
    return word === null ? [] : [{ at, ...word }];
  });
  const some = words.slice(0, MOST_WORDS).map((word, n) => ({ ...word, n }));
  const change = ({ at, letters, end, n }: (typeof some)[number]): boolean => {
    const respelt = respell(letters, draws, n * DRAWS_A_WORD + 2);
    // A misspelt word can be another one, such as a number: "tow" and "two".
    if (respelt === letters || isProtectedWord(respelt)) return false;
    parts[at] = `${respelt}${end}`;
    return true;
  };
  const changed = some.filter(({ n }) => draws(n * DRAWS_A_WORD) < SHARE).map(change);
  if (!changed.includes(true)) {
    // Begun at a drawn one: always the first would be no fair sample.
    const first = Math.floor(draws(1) * some.length);
    [...some.slice(first), ...some.slice(0, first)].some(change);
  }
  return parts.join('');
}

const respelling = (
  type: MutationKind['type'],
  { summary, respell }: { readonly summary: string; readonly respell: Respell },
): MutationKind => ({
  kind: 'mutation',
  type,
  summary,
  keepsMeaning: true,
  mutate: (text, draws) => respellWords(text, draws, respell),
});

/** Letters of other alphabets that look like these. */
export const LOOK_ALIKES: Readonly<Record<string, string>> = {
  a: 'а',
  c: 'с',
  e: 'е',
  i: 'і',
  j: 'ј',
  o: 'о',
  p: 'р',
  s: 'ѕ',
  x: 'х',
  y: 'у',
};

/** Characters that take no room: zero-width space, non-joiner, word joiner, soft hyphen. */
export const INVISIBLE: readonly [string, ...string[]] = ['\u200b', '\u200c', '\u2060', '\u00ad'];

/** What people write between words who think while they type. */
export const FILLERS: readonly [string, ...string[]] = ['uh,', 'hmm,', '...', 'err', 'well,', 'ok', 'pls', '--'];

const misspell: Respell = (letters, draws, first) => {
  const at = 1 + Math.floor(draws(first) * (letters.length - 1));
  const misspelt = mistyped(letters, at, draws(first + 1));
  // Two equal letters that are swapped.
  return misspelt === letters ? mistyped(letters, at, 1) : misspelt;
};

/** Mutations of single words: numbers, names and negations are none of them. */
export const wordMutations: readonly MutationKind[] = [
  respelling('typos', { summary: 'letters swapped, left out or doubled', respell: misspell }),
  {
    kind: 'mutation',
    type: 'noise',
    summary: 'typing errors, and fillers between words',
    keepsMeaning: true,
    mutate: (text, draws) =>
      respellWords(text, draws, misspell)
        .split(' ')
        .map((part, at) =>
          at > 0 && at < MOST_WORDS && draws(at * DRAWS_A_WORD + 6) < SHARE / 2
            ? `${pick(FILLERS, draws(at * DRAWS_A_WORD + 7))} ${part}`
            : part,
        )
        .join(' '),
  },
  respelling('case', {
    summary: 'words in capitals, or in capitals and small letters by turns',
    respell: (letters, draws, first) =>
      draws(first) < 0.5
        ? letters.toUpperCase()
        : [...letters].map((letter, at) => (at % 2 === 0 ? letter : letter.toUpperCase())).join(''),
  }),
  respelling('look_alikes', {
    summary: 'letters of other alphabets that look the same',
    respell: (letters, draws, first) => {
      const found = [...letters].flatMap((letter, at) => (Object.hasOwn(LOOK_ALIKES, letter) ? [at] : []));
      const at = found[Math.floor(draws(first) * found.length)] ?? -1;
      return [...letters].map((letter, index) => (index === at ? (LOOK_ALIKES[letter] ?? letter) : letter)).join('');
    },
  }),
  respelling('invisible', {
    summary: 'characters inside words that nobody sees',
    respell: (letters, draws, first) => {
      const at = 1 + Math.floor(draws(first) * (letters.length - 1));
      return `${letters.slice(0, at)}${pick(INVISIBLE, draws(first + 1))}${letters.slice(at)}`;
    },
  }),
];
