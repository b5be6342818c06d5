import { foldWord, isMark, type Lexeme } from './lexemes.ts';

const ENGLISH =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const ENGLISH_TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const GERMAN =
  'null eins zwei drei vier funf sechs sieben acht neun zehn elf zwolf dreizehn vierzehn funfzehn sechzehn siebzehn achtzehn neunzehn'.split(
    ' ',
  );
const GERMAN_TENS = 'zwanzig dreissig vierzig funfzig sechzig siebzig achtzig neunzig'.split(' ');
const FRENCH =
  'zero un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf'.split(
    ' ',
  );
const FRENCH_TENS = 'vingt trente quarante cinquante soixante'.split(' ');

/** Words for the numbers from 0 to 99, folded, in English, German and French. */
let smallNumbers: ReadonlyMap<string, number> | undefined;

/** Words that mostly mean something else. They answer for a number, and nobody is asked for them. */
const WEAK = new Set(['one', 'un', 'eins', 'null', 'elf', 'sept', 'neuf', 'acht', 'zero', 'first', 'second', 'six']);

const ORDINALS: ReadonlyMap<string, number> = new Map(
  'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth'
    .split(' ')
    .map((word, index) => [word, index + 1]),
);

const SCALES: ReadonlyMap<string, number> = new Map([
  ['dozen', 12],
  ['hundred', 100],
  ['hundert', 100],
  ['cent', 100],
  ['cents', 100],
  ['thousand', 1000],
  ['tausend', 1000],
  ['mille', 1000],
  ['million', 1e6],
  ['millions', 1e6],
  ['millionen', 1e6],
  ['billion', 1e9],
  ['billions', 1e9],
  ['milliard', 1e9],
  ['milliards', 1e9],
  ['milliarde', 1e9],
  ['milliarden', 1e9],
]);

export interface NumberInWords {
  readonly value: number;
  readonly next: number;
  readonly isWeak: boolean;
}

/** A number in words that begins here: `twelve`, `two hundred and fifty`, `fünfundzwanzig`; null: none does. */
export function readNumberWords(lexemes: readonly Lexeme[], at: number): NumberInWords | null {
  const first = smallAt(lexemes, at);
  if (first === null) return null;
  let { value, next } = first;
  // `two hundred and fifty thousand`: what is collected is multiplied by a scale, and a smaller number may follow.
  let total = 0;
  let isOne = true;
  for (let turn = 0; turn < 8; turn++) {
    const scale = wordAfter(lexemes, next);
    const factor = scale === null ? undefined : SCALES.get(scale.word);
    if (scale !== null && factor !== undefined && !(factor === 100 && value > 99)) {
      value *= factor;
      if (factor >= 1000) {
        total += value;
        value = 0;
      }
      next = scale.next;
      isOne = false;
      continue;
    }
    const joint = scale !== null && scale.word === 'and' && !isOne ? scale.next : next;
    const more = isOne ? null : smallAt(lexemes, joint + (lexemes[joint]?.kind === 'space' ? 1 : 0));
    if (more === null) break;
    value += more.value;
    next = more.next;
  }
  return { value: total + value, next, isWeak: isOne && first.isWeak };
}

/** The number from 0 to 99, or the ordinal, in words that begins here. */
function smallAt(lexemes: readonly Lexeme[], at: number): NumberInWords | null {
  if (lexemes[at]?.kind !== 'word') return null;
  smallNumbers ??= new Map([...english(), ...german(), ...french()]);
  let best: NumberInWords | null = null;
  let words = '';
  // `quatre-vingt-dix-neuf` has seven pieces.
  for (let next = at; next < at + 7; next++) {
    const lexeme = lexemes[next];
    if (lexeme === undefined) break;
    if (lexeme.kind === 'word') words += foldWord(lexeme.text);
    else if (isMark(lexeme, '-‐‑') || (lexeme.kind === 'space' && lexeme.text.length === 1)) words += '-';
    else break;
    const value = smallNumbers.get(words) ?? ORDINALS.get(words);
    if (value !== undefined && lexeme.kind === 'word') best = { value, next: next + 1, isWeak: WEAK.has(words) };
  }
  return best;
}

function wordAfter(lexemes: readonly Lexeme[], at: number): { readonly word: string; readonly next: number } | null {
  const lexeme = lexemes[at];
  const start = lexeme?.kind === 'space' || isMark(lexeme, '-') ? at + 1 : at;
  const word = lexemes[start];
  return word?.kind === 'word' ? { word: foldWord(word.text), next: start + 1 } : null;
}

function english(): readonly (readonly [string, number])[] {
  const tens = ENGLISH_TENS.flatMap((ten, index) => [
    [ten, 20 + 10 * index] as const,
    ...ENGLISH.slice(1, 10).map((one, unit) => [`${ten}-${one}`, 21 + 10 * index + unit] as const),
  ]);
  return [...ENGLISH.map((word, value) => [word, value] as const), ...tens];
}

function german(): readonly (readonly [string, number])[] {
  const tens = GERMAN_TENS.flatMap((ten, index) => [
    [ten, 20 + 10 * index] as const,
    ...GERMAN.slice(1, 10).map(
      (one, unit) => [`${one === 'eins' ? 'ein' : one}und${ten}`, 21 + 10 * index + unit] as const,
    ),
  ]);
  return [...GERMAN.map((word, value) => [word, value] as const), ...tens];
}

function french(): readonly (readonly [string, number])[] {
  const tens = FRENCH_TENS.flatMap((ten, index) => [
    [ten, 20 + 10 * index] as const,
    [`${ten}-et-un`, 21 + 10 * index] as const,
    ...FRENCH.slice(2, 10).map((one, unit) => [`${ten}-${one}`, 22 + 10 * index + unit] as const),
  ]);
  const seventies = FRENCH.slice(10, 20).map((one, unit) => [`soixante-${one}`, 70 + unit] as const);
  const eighties = FRENCH.slice(1, 20).map((one, unit) => [`quatre-vingt-${one}`, 81 + unit] as const);
  return [
    ...FRENCH.map((word, value) => [word, value] as const),
    ...tens,
    ...seventies,
    ['quatre-vingts', 80],
    ...eighties,
  ];
}
