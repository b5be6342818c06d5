import fc from 'fast-check';

/** Words of the formats we read, and texts that have broken readers before. */
const WORDS = [
  '[',
  ']',
  '[[',
  ']]',
  '{',
  '}',
  '"',
  "'",
  '"""',
  "'''",
  '=',
  '.',
  ',',
  '\n',
  '\r\n',
  '\r',
  '#',
  '\\',
  '\\u0000',
  '\\ud800',
  '\u0000',
  '\u001b[31m',
  '\u0085',
  '\u2028',
  '\u202e',
  '\u200b',
  '\ufeff',
  '\ud800',
  'é',
  '答',
  '😀',
  'inf',
  'nan',
  '-0',
  '1e999',
  '9007199254740993',
  '-1',
  '0x7fffffffffffffff',
  '1979-05-27T07:32:00Z',
  'true',
  'null',
  '__proto__',
  'constructor',
  'toString',
  '${SCENARIO_DIR}',
  '${WORKSPACE}',
  '{{',
  '}}',
  '{{trigger}}',
  '..',
  '../',
  '/dev/zero',
  '/proc/self/environ',
  '(',
  ')',
  '*',
  '(a*)*$',
  '(?=',
  '\\1',
  '\u0000\u0000',
  '[expected]\n',
  '[[nodes]]\n',
  '[[edges]]\n',
  'type = "call"\n',
  'workflow = "',
  'pass_rate',
  'scenario(',
  '>=',
  '$ref',
  '#/',
] as const;

type Change =
  | { readonly kind: 'insert'; readonly at: number; readonly word: string }
  | { readonly kind: 'remove' | 'double' | 'move'; readonly at: number; readonly length: number; readonly to: number }
  | { readonly kind: 'line'; readonly what: 'remove' | 'double' | 'move'; readonly at: number; readonly to: number }
  | { readonly kind: 'value'; readonly at: number; readonly word: string }
  | { readonly kind: 'splice'; readonly at: number; readonly other: number; readonly from: number }
  | { readonly kind: 'swell'; readonly at: number; readonly word: string; readonly times: number };

const nat = fc.nat(1_000_000);
const word = fc.oneof({ arbitrary: fc.constantFrom(...WORDS), weight: 4 }, fc.string({ unit: 'binary', maxLength: 6 }));
const VALUES = ['""', '0', '-1', '1e400', '[]', '{}', 'true', '[[[]]]', '"\\u0000"', "'''\n'''", '1979-05-27', '9e15'];

const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ kind: fc.constant('insert' as const), at: nat, word }),
  fc.record({ kind: fc.constantFrom('remove', 'double', 'move'), at: nat, length: fc.nat(60), to: nat }),
  fc.record({
    kind: fc.constant('line' as const),
    what: fc.constantFrom('remove', 'double', 'move'),
    at: nat,
    to: nat,
  }),
  fc.record({ kind: fc.constant('value' as const), at: nat, word: fc.oneof(fc.constantFrom(...VALUES), word) }),
  fc.record({ kind: fc.constant('splice' as const), at: nat, other: nat, from: nat }),
  fc.record({ kind: fc.constant('swell' as const), at: nat, word, times: fc.constantFrom(10, 130, 3000) }),
);

export interface Mutated {
  /** Which of the sound texts it was made of. */
  readonly of: number;
  readonly text: string;
}

/** Sound texts with a few changes: words, values and lines taken out, doubled, moved, swollen, or of another text. */
export function mutatedTexts(sound: readonly string[]): fc.Arbitrary<Mutated> {
  return fc
    .record({ of: fc.nat(sound.length - 1), changes: fc.array(change, { minLength: 1, maxLength: 4 }) })
    .map(({ of, changes }) => ({
      of,
      text: changes.reduce((text, one) => changed(text, one, sound), sound[of] ?? ''),
    }));
}

function changed(text: string, one: Change, sound: readonly string[]): string {
  const at = one.at % (text.length + 1);
  switch (one.kind) {
    case 'insert':
      return text.slice(0, at) + one.word + text.slice(at);
    case 'swell':
      return text.slice(0, at) + one.word.repeat(one.times) + text.slice(at);
    case 'remove':
      return text.slice(0, at) + text.slice(at + one.length);
    case 'double':
      return text.slice(0, at + one.length) + text.slice(at);
    case 'move': {
      const rest = text.slice(0, at) + text.slice(at + one.length);
      const to = one.to % (rest.length + 1);
      return rest.slice(0, to) + text.slice(at, at + one.length) + rest.slice(to);
    }
    case 'splice': {
      const other = sound[one.other % sound.length] ?? '';
      return text.slice(0, at) + other.slice(one.from % (other.length + 1));
    }
    case 'value': {
      const start = text.indexOf(' = ', at);
      if (start === -1) return text;
      const end = text.indexOf('\n', start);
      return text.slice(0, start + 3) + one.word + (end === -1 ? '' : text.slice(end));
    }
    case 'line': {
      const lines = text.split('\n');
      const index = one.at % lines.length;
      const [line = ''] = one.what === 'double' ? [lines[index]] : lines.splice(index, 1);
      if (one.what !== 'remove') lines.splice(one.to % (lines.length + 1), 0, line);
      return lines.join('\n');
    }
  }
}

/** Sound bytes with a few changes: bits flipped, numbers forged, parts taken out, doubled, or the end cut off. */
export function mutatedBytes(sound: readonly Uint8Array[]): fc.Arbitrary<Uint8Array> {
  const edit = fc.record({
    kind: fc.constantFrom('flip', 'set', 'count', 'cut', 'remove', 'double', 'splice'),
    at: nat,
    length: fc.nat(40),
    value: fc.nat(255),
  });
  return fc
    .record({ of: fc.nat(sound.length - 1), edits: fc.array(edit, { minLength: 1, maxLength: 4 }) })
    .map(({ of, edits }) => {
      let bytes: Uint8Array<ArrayBuffer> = Uint8Array.from(sound[of] ?? []);
      for (const { kind, at: where, length, value } of edits) {
        const at = where % (bytes.length + 1);
        const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)];
        if (kind === 'flip') bytes[at] = (bytes[at] ?? 0) ^ (1 << (value & 7));
        else if (kind === 'set') bytes[at] = value;
        // Lengths and counts stand in four bytes, or follow a MessagePack head of five.
        else if (kind === 'count') bytes.set([0xdd, 0xff, 0xff, 0xff, value].slice(0, after.length), at);
        else if (kind === 'cut') bytes = Uint8Array.from(before);
        else if (kind === 'remove') bytes = Uint8Array.from([...before, ...after.subarray(length)]);
        else if (kind === 'double') bytes = Uint8Array.from([...before, ...after.subarray(0, length), ...after]);
        else bytes = Uint8Array.from([...before, ...(sound[value % sound.length] ?? bytes).subarray(where % 97)]);
      }
      return bytes;
    });
}

type Plain = unknown;

const STRANGE: readonly Plain[] = [
  null,
  true,
  -1,
  0,
  0.5,
  1e308,
  2 ** 53,
  2 ** 32,
  '',
  'x',
  '\u0000\u001b[31m\u202e',
  [],
  {},
  [[[]]],
  [null],
  { a: {} },
  '9'.repeat(400),
  'A'.repeat(5000),
  JSON.parse('{"__proto__": {"x": 1}}'),
  '2026-13-99T99:99:99.999Z',
  '-0',
  '1e5',
];

/** Sound JSON values with a few parts replaced, removed, doubled or taken from elsewhere in them; always JSON values. */
export function mutatedJson(sound: readonly Plain[]): fc.Arbitrary<Plain> {
  const edit = fc.record({ kind: fc.constantFrom('replace', 'remove', 'copy', 'many'), at: nat, with: nat });
  return fc
    .record({ of: fc.nat(sound.length - 1), edits: fc.array(edit, { minLength: 1, maxLength: 3 }) })
    .map(({ of, edits }) => {
      const root = { value: structuredClone(sound[of]) };
      for (const { kind, at, with: other } of edits) {
        const places = placesIn(root);
        const place = places[at % places.length];
        if (place === undefined) break;
        const { holder, key } = place;
        if (kind === 'replace') holder[key] = structuredClone(STRANGE[other % STRANGE.length]);
        else if (kind === 'remove') removeFrom(holder, key);
        else if (kind === 'many') {
          // Many of many of many would be more than any file may hold.
          if (places.length < 1500) holder[key] = Array.from({ length: 1 + (other % 50) }, () => holder[key]);
        } else {
          const from = places[other % places.length] ?? place;
          holder[key] = structuredClone(from.holder[from.key]);
        }
      }
      return root.value ?? null;
    });
}

/** Leaves no hole behind, which no file of JSON can have. */
function removeFrom(holder: Place['holder'], key: string): void {
  if (Array.isArray(holder)) holder.splice(Number(key), 1);
  else delete holder[key];
}

interface Place {
  readonly holder: Record<string, Plain>;
  readonly key: string;
}

function placesIn(value: Plain, places: Place[] = []): Place[] {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array || places.length > 5000) return places;
  const holder = value as Record<string, Plain>;
  for (const key of Object.keys(holder)) {
    places.push({ holder, key });
    placesIn(holder[key], places);
  }
  return places;
}
