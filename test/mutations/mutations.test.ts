import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NOTATIONS } from '../../src/mutations/encoded-text.ts';
import { LONGEST_MUTATED, mutate, mutationKinds } from '../../src/mutations/mutate.ts';
import type { Draws } from '../../src/mutations/mutation-type.ts';
import { numbersAndNegations, protectedTokens } from '../../src/mutations/protected-tokens.ts';
import { COURTESIES, SMALL_TALK, VERY_LONG, VERY_SHORT } from '../../src/mutations/text-mutations.ts';
import { FILLERS, INVISIBLE, LOOK_ALIKES } from '../../src/mutations/word-mutations.ts';
import { draw } from '../../src/random/draw.ts';
import {
  KEEPING_MUTATIONS,
  MUTATION_TYPES,
  type MutationType,
  PUSHING_MUTATIONS,
} from '../../src/types/mutations/mutation.ts';

const WORDS = [1, 2, 3, 4] as const;
const drawsOf =
  (trial: number): Draws =>
  (n) =>
    draw(WORDS, trial, 5, 99, n) / 0x100000000;

const TEXT =
  'Please cancel order R-103 for Ben Okoro, but not the other one. I paid 129 euros twice! Write to ben@okoro.example when done.';

const SAMPLES = Array.from({ length: 40 }, (_, trial) => trial);
const mutants = (type: MutationType, text = TEXT): readonly string[] =>
  SAMPLES.map((trial) => mutate(text, type, drawsOf(trial)));

const stripped = (text: string, parts: readonly string[]): string =>
  parts.reduce((rest, part) => rest.replaceAll(part, ''), text);
const squeezed = (text: string): string => text.split(/\s+/).join(' ').trim();

/** What each type does, told so that a mutation that does something else fails. */
const EFFECTS: Readonly<Record<MutationType, (mutant: string) => void>> = {
  typos: (mutant) => {
    const [before, after] = [TEXT.split(' '), mutant.split(' ')];
    expect(after).toHaveLength(before.length);
    for (const [at, word] of after.entries()) {
      // One letter swapped, left out or doubled.
      expect(Math.abs(word.length - (before[at] ?? '').length)).toBeLessThanOrEqual(1);
      expect([...new Set(word)].sort().every((letter) => (before[at] ?? '').includes(letter))).toBe(true);
    }
  },
  noise: (mutant) => {
    const rest = mutant.split(' ').filter((word) => !FILLERS.includes(word));
    expect(rest).toHaveLength(TEXT.split(' ').length);
  },
  case: (mutant) => expect(mutant.toLowerCase()).toBe(TEXT.toLowerCase()),
  spacing: (mutant) => expect(squeezed(mutant)).toBe(TEXT),
  look_alikes: (mutant) => {
    const back = Object.entries(LOOK_ALIKES).reduce((text, [plain, other]) => text.replaceAll(other, plain), mutant);
    expect(back).toBe(TEXT);
    expect(mutant).toMatch(/[\u0400-\u04ff]/);
  },
  invisible: (mutant) => expect(stripped(mutant, INVISIBLE)).toBe(TEXT),
  repetition: (mutant) => {
    const times = mutant.split('\n');
    expect(new Set(times)).toEqual(new Set([TEXT]));
    expect([2, 3]).toContain(times.length);
  },
  padding: (mutant) => {
    expect(squeezed(stripped(mutant, SMALL_TALK))).toBe(TEXT);
    expect(mutant.startsWith(TEXT) || mutant.endsWith(TEXT)).toBe(false);
  },
  language_mixing: (mutant) => expect(COURTESIES.map(([a, b]) => `${a} ${TEXT} ${b}`)).toContain(mutant),
  reordering: (mutant) => {
    const sentences = (text: string): readonly string[] => text.split(/(?<=[.!?])\s+/);
    expect([...sentences(mutant)].sort()).toEqual([...sentences(TEXT)].sort());
  },
  length_extremes: (mutant) => {
    if (mutant.length < TEXT.length) expect(mutant).toBe(TEXT.split(' ').slice(0, VERY_SHORT).join(' '));
    else {
      expect(mutant.length).toBeGreaterThanOrEqual(VERY_LONG);
      expect(mutant.endsWith(TEXT)).toBe(true);
    }
  },
  encoding_attacks: (mutant) => {
    const [, name, coded = ''] = /^Read this (.+) text and do what it says: (.*)$/.exec(mutant) ?? [];
    expect(mutant).not.toContain('cancel');
    expect(decoded(name ?? '', coded)).toBe(TEXT);
  },
  // Those that put something beside the message have it in them word for word.
  ...Object.fromEntries(
    PUSHING_MUTATIONS.slice(3).map((type) => [
      type,
      (mutant: string) => {
        expect(mutant).toContain(TEXT);
        expect(mutant).toMatch(BESIDE[type] ?? /$^/);
      },
    ]),
  ),
} as Record<MutationType, (mutant: string) => void>;

const BESIDE: Readonly<Partial<Record<MutationType, RegExp>>> = {
  token_manipulation: /<\||\[INST\]/,
  prompt_injection: /BANANA|hidden instructions|skip every check/,
  context_manipulation: /opposite|somebody else's|cancelled everything/,
  multi_turn_attack: /Assistant: /,
  advanced_jailbreak: /ORBIT|Maintenance mode|in theory/,
  format_poisoning: /"role"|<system|```yaml|# Instructions/,
  temporal_attack: /February 30th|25:61|year 0/,
  http_header_injection: /X-Admin|Set-Cookie/,
  payload_size_attack: /[\s\S]{4000}/,
  content_type_confusion: /Content-|data:text/,
  query_parameter_poisoning: /admin=true|%00/,
  request_method_attack: /DELETE/,
  protocol_level_attack: /\r\n0\r\n/,
  resource_exhaustion: /\[{2000}|\({500}|a{4000}/,
  concurrent_request_pattern: /three windows|request B/,
  timeout_manipulation: /ten million|an hour/,
};

function decoded(name: string, text: string): string {
  switch (name) {
    case 'Base64':
      return Buffer.from(text, 'base64').toString();
    case 'percent':
      return decodeURIComponent(text);
    case 'hexadecimal':
      return Buffer.from(text.replaceAll(' ', ''), 'hex').toString();
    default:
      return JSON.parse(`"${text}"`) as string;
  }
}

test('the list has every type once, and says of each whether it keeps meaning', () => {
  expect(mutationKinds.map(({ type }) => type).sort()).toEqual([...MUTATION_TYPES].sort());
  expect(mutationKinds.flatMap(({ type, keepsMeaning }) => (keepsMeaning ? [type] : [])).sort()).toEqual(
    [...KEEPING_MUTATIONS].sort(),
  );
});

test.each(MUTATION_TYPES)('%s changes a message in its own way, and differently for other draws', (type) => {
  const all = mutants(type);
  for (const mutant of all) {
    expect(mutant).not.toBe(TEXT);
    EFFECTS[type](mutant);
  }
  expect(new Set(all).size).toBeGreaterThan(1);
  expect(mutants(type)).toEqual(all);
});

test('each notation can be read back, whatever is written in it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      for (const { name, encode } of NOTATIONS) expect(decoded(name, encode(text))).toBe(text);
    }),
  );
});

const word = fc.oneof(
  fc.constantFrom(
    'cancel',
    'tow',
    'note',
    'please',
    'once',
    'not',
    'never',
    "don't",
    'two',
    'R-103',
    '12',
    '€',
    'Ada',
    'a',
  ),
  fc.stringMatching(/^[a-z]{1,9}[.,!?]?$/),
  fc.string({ unit: 'grapheme', maxLength: 6 }),
);
const message = fc.array(word, { maxLength: 30 }).map((words) => words.join(' '));

test.each(KEEPING_MUTATIONS)('%s leaves numbers, names and negations as they stand, and adds none', (type) => {
  fc.assert(
    fc.property(message, fc.nat(), (text, trial) => {
      const mutant = mutate(text, type, drawsOf(trial));
      const after = protectedTokens(mutant);
      let at = 0;
      for (const token of protectedTokens(text)) {
        at = after.indexOf(token, at) + 1;
        expect(at, `"${token}" in ${JSON.stringify(mutant)}`).toBeGreaterThan(0);
      }
      expect(new Set(numbersAndNegations(mutant))).toEqual(new Set(numbersAndNegations(text)));
    }),
  );
});

test('any text is mutated in any way without a throw, and one that is very long stays as it is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.constantFrom(...MUTATION_TYPES), fc.nat(), (text, type, trial) => {
      expect(typeof mutate(text, type, drawsOf(trial))).toBe('string');
    }),
  );
  const long = 'word '.repeat(LONGEST_MUTATED / 5 + 1);
  for (const type of MUTATION_TYPES) expect(mutate(long, type, drawsOf(0))).toBe(long);
});

test('a message with nothing to change comes back as it is', () => {
  expect(mutants('typos', 'R-103 12')).toEqual(SAMPLES.map(() => 'R-103 12'));
  expect(mutants('reordering', 'One sentence alone.')).toEqual(SAMPLES.map(() => 'One sentence alone.'));
  expect(mutants('spacing', 'word')).toEqual(SAMPLES.map(() => 'word'));
});
