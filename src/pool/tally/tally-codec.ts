import { Decoder, Encoder } from '@msgpack/msgpack';
import { COUNTERS } from '../../types/trial.ts';
import { countBits } from '../../values/count-bits.ts';
import { zeros } from '../../values/zeros.ts';
import { isExact } from '../../trial/is-exact.ts';
import { checkedCount, corrupt, fillNumbers, packNumbers } from './packed-numbers.ts';
import { packRows, unpackRows } from './row-codec.ts';
import { packTasks, unpackTasks } from './task-codec.ts';
import { packJudges, unpackJudges } from './judge-codec.ts';
import { packSessions, unpackSessions } from './session-codec.ts';
import { packStrikes, unpackStrikes } from './strike-codec.ts';
import { isClassKey, isDetailOf } from './tally-texts.ts';
import { type ClassCounts, MAX_CLASSES, LONGEST_CLASS } from '../../trial/tally/class-counts.ts';
import { MAX_LOWEST, MAX_SHOWN, Tally } from '../../trial/tally/tally.ts';
import { MAX_VERDICT_BITS } from '../../trial/tally/verdict-words.ts';
import type { StrikeCounts } from '../../trial/tally/strike-counts.ts';
import type { TallyShape } from '../../trial/tally/tally-shape.ts';
import { jsonIn } from '../../values/json-in.ts';

const VERSION = 17;
/** Characters of a cause that are kept. */
const MAX_CAUSE = 2000;
const MAX_STRING = 8 * 1024 * 1024;
const FIELDS = 38;
/** Positions of fields. */
const EXACT = 25;
const TASKS = 30;

const encoder = new Encoder();
const decoder = new Decoder({ maxBinLength: MAX_VERDICT_BITS / 8, maxStrLength: MAX_STRING, maxExtLength: 0 });

/** How many trials of each verdict an encoded tally holds. */
export interface VerdictCounts {
  readonly passed: number;
  readonly failed: number;
  readonly broken: number;
}

/** The same tally always gives the same bytes, however it was put together; the array owns its memory. */
export function encodeTally(tally: Tally): Uint8Array<ArrayBuffer> {
  const [firstWord, bits] = trimmedBits(tally.verdicts.words);
  const encoded = encoder.encodeSharedRef([
    VERSION,
    tally.shape.columns,
    tally.passed,
    tally.failed,
    tally.broken,
    packNumbers(tally.statuses),
    packNumbers(tally.stops),
    packNumbers(tally.counters),
    tally.first === null ? null : packNumbers(tally.first),
    tally.tokensSquaredLow,
    tally.tokensSquaredHigh,
    tally.elapsedUs,
    tally.maxElapsedUs,
    packNumbers(tally.nodeVisits),
    packNumbers(tally.edgeVisits),
    packNumbers(tally.checkFailures),
    packClasses(tally.classes),
    tally.lowestFailed,
    tally.lowestBroken.flatMap(({ trial, cause }) => [trial, cause.slice(0, MAX_CAUSE)]),
    tally.shown.flatMap(({ trial, detail }) => [trial, detail]),
    tally.observedLow >>> 0,
    tally.observedHigh >>> 0,
    packNumbers(tally.served),
    firstWord,
    bits,
    tally.exact,
    tally.deduplicated,
    packStrikes(tally.strikes),
    tally.notRun,
    packClasses(tally.causes),
    packTasks(tally.tasks),
    packRows(tally.rows),
    packSessions(tally.sessions),
    packJudges(tally.judges),
    tally.replayMisses,
    packNumbers(tally.retried),
    packClasses(tally.declined),
    packNumbers(tally.untold),
  ]);
  // A copy of exactly these bytes: the encoder's buffer is larger and used again.
  return new Uint8Array(encoded);
}

/** The tally that was encoded; throws `INTEGRITY` for bytes that are no tally of this shape and these columns. */
export function decodeTally(bytes: Uint8Array, shape: TallyShape): Tally {
  const fields = new Fields(bytes);
  const tally = new Tally(shape);
  fields.columns(shape);
  tally.passed = fields.count('passed');
  tally.failed = fields.count('failed');
  tally.broken = fields.count('broken');
  fields.numbers('statuses', tally.statuses);
  fields.numbers('stops', tally.stops);
  fields.numbers('counters', tally.counters);
  tally.first = fields.first();
  tally.tokensSquaredLow = fields.count('tokensSquaredLow', 2 ** 32 - 1);
  tally.tokensSquaredHigh = fields.count('tokensSquaredHigh');
  tally.elapsedUs = fields.count('elapsedUs');
  tally.maxElapsedUs = fields.count('maxElapsedUs');
  fields.numbers('nodeVisits', tally.nodeVisits);
  fields.numbers('edgeVisits', tally.edgeVisits);
  fields.numbers('checkFailures', tally.checkFailures);
  fields.classes('classes', tally.classes, (key) => isClassKey(key, shape.checks));
  fields.lowest(tally);
  tally.observedLow = fields.count('observedLow', 2 ** 32 - 1) | 0;
  tally.observedHigh = fields.count('observedHigh', 2 ** 32 - 1) | 0;
  fields.numbers('served', tally.served);
  tally.verdicts.words = fields.bits(tally.passed);
  tally.exact = fields.exact();
  tally.deduplicated = fields.count('deduplicated', tally.passed + tally.failed);
  fields.strikes(tally.strikes);
  tally.notRun = fields.count('notRun', tally.broken);
  fields.classes('causes', tally.causes, (key) => key.length <= LONGEST_CLASS);
  tally.tasks = fields.read((value) => unpackTasks(value, shape.tasks === true));
  tally.rows = fields.read((value) => unpackRows(value, shape));
  tally.sessions = fields.read((value) => unpackSessions(value, shape.goals ?? null));
  tally.judges = fields.read((value) => unpackJudges(value, shape.judges ?? null));
  tally.replayMisses = fields.count('replayMisses', tally.broken);
  fields.numbers('retried', tally.retried);
  fields.classes('declined', tally.declined, (key) => key.length <= LONGEST_CLASS && key.includes('\n'));
  fields.numbers('untold', tally.untold);
  return tally;
}

/** The verdicts in an encoded tally, without knowing its shape. */
export function verdictsOf(bytes: Uint8Array): VerdictCounts {
  const fields = new Fields(bytes);
  fields.skip();
  return { passed: fields.count('passed'), failed: fields.count('failed'), broken: fields.count('broken') };
}

/** What an encoded tally counts by verdict and by task, without knowing its shape; `isExact`: answers were enumerated. */
export function countsIn(bytes: Uint8Array): VerdictCounts & Pick<Tally, 'tasks'> & { readonly isExact: boolean } {
  const fields = new Fields(bytes);
  return {
    ...verdictsOf(bytes),
    isExact: fields.at(EXACT) !== null,
    tasks: unpackTasks(fields.at(TASKS), fields.at(TASKS) !== null),
  };
}

/** In key order: the order of a map depends on how the run was split. */
function packClasses({ entries }: ClassCounts): readonly (string | number)[] {
  return [...entries]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([key, { count, lowestTrial }]) => [key, count, lowestTrial]);
}

/** First word in use and the bytes from there on, little-endian, without zeros at the end. */
function trimmedBits(words: Uint32Array): [number, Uint8Array] {
  let first = 0;
  while (first < words.length && words[first] === 0) first++;
  let end = words.length;
  while (end > first && words[end - 1] === 0) end--;
  if (first === end) return [0, new Uint8Array(0)];
  const bytes = new Uint8Array((end - first) * 4);
  const view = new DataView(bytes.buffer);
  for (let word = first; word < end; word++) view.setUint32((word - first) * 4, words[word] as number, true);
  let length = bytes.length;
  while (bytes[length - 1] === 0) length--;
  return [first, bytes.subarray(0, length)];
}

/** Reads the fields of an untrusted tally in their order. */
class Fields {
  private readonly fields: readonly unknown[];
  private position = 1;

  constructor(bytes: Uint8Array) {
    let decoded: unknown;
    try {
      decoded = decoder.decode(bytes);
    } catch (cause) {
      throw corrupt('they cannot be decoded', cause);
    }
    if (!Array.isArray(decoded)) throw corrupt('they are not the list of fields of a tally');
    if (decoded[0] !== VERSION) throw corrupt(`they are of version ${String(decoded[0])}, not ${VERSION}`);
    if (decoded.length !== FIELDS) throw corrupt('they are not the list of fields of a tally');
    this.fields = decoded;
  }

  /** A digest says what numbers cannot: that they count the nodes, edges and checks of this plan in this order. */
  columns({ columns }: TallyShape): void {
    if (this.next() !== columns) throw corrupt('they count other columns than this plan has');
  }

  /** The field at this position, unread ones before it included. */
  at(position: number): unknown {
    return this.fields[position];
  }

  skip(): void {
    this.next();
  }

  count(name: string, limit = Number.MAX_SAFE_INTEGER): number {
    return checkedCount(this.next(), name, limit);
  }

  numbers(name: string, target: number[]): void {
    fillNumbers(this.next(), name, target);
  }

  strikes(strikes: StrikeCounts): void {
    unpackStrikes(this.next(), strikes);
  }

  first(): readonly number[] | null {
    const value = this.next();
    if (value === null) return null;
    const first = zeros(COUNTERS.length);
    fillNumbers(value, 'first', first);
    return first;
  }

  classes(name: string, classes: ClassCounts, isKey: (key: string) => boolean): void {
    const flat = this.list(name, 3, MAX_CLASSES);
    let last: string | null = null;
    for (let i = 0; i < flat.length; i += 3) {
      const key = flat[i];
      if (typeof key !== 'string' || !isKey(key)) throw corrupt(`${name} has an impossible key`);
      if (last !== null && key <= last) throw corrupt(`${name} is not in order`);
      last = key;
      const count = checkedCount(flat[i + 1], name, Number.MAX_SAFE_INTEGER);
      classes.set(key, { count, lowestTrial: checkedCount(flat[i + 2], name, 2 ** 32) });
    }
  }

  lowest(tally: Tally): void {
    let last = -1;
    for (const value of this.list('lowestFailed', 1, MAX_LOWEST)) {
      last = ascending(value, last, 'lowestFailed');
      tally.lowestFailed.push(last);
    }
    const flat = this.list('lowestBroken', 2, MAX_LOWEST);
    last = -1;
    for (let i = 0; i < flat.length; i += 2) {
      last = ascending(flat[i], last, 'lowestBroken');
      const cause = flat[i + 1];
      if (typeof cause !== 'string' || cause.length > MAX_CAUSE) throw corrupt('lowestBroken has no readable cause');
      tally.lowestBroken.push({ trial: last, cause });
    }
    const shown = this.list('shown', 2, MAX_SHOWN);
    last = -1;
    for (let i = 0; i < shown.length; i += 2) {
      last = ascending(shown[i], last, 'shown');
      const detail = shown[i + 1];
      if (typeof detail !== 'string' || !isDetailOf(detail, last)) throw corrupt('shown has an unreadable trial');
      tally.shown.push({ trial: last, detail });
    }
  }

  bits(passed: number): Uint32Array<ArrayBuffer> {
    const firstWord = this.count('firstWord', MAX_VERDICT_BITS / 32);
    const bytes = this.next();
    if (!(bytes instanceof Uint8Array)) throw corrupt('the verdict bits are missing');
    const words = firstWord + Math.ceil(bytes.length / 4);
    if (words > MAX_VERDICT_BITS / 32) throw corrupt('there are too many verdict bits');
    const bits = new Uint32Array(words);
    for (let index = 0; index < bytes.length; index++) {
      const word = firstWord + (index >>> 2);
      bits[word] = (bits[word] as number) | ((bytes[index] as number) << ((index & 3) * 8));
    }
    if (countBits(bits.subarray(firstWord)) > passed) throw corrupt('more verdict bits are set than trials passed');
    return bits;
  }

  read<T>(unpack: (value: unknown) => T): T {
    return unpack(this.next());
  }

  exact(): string | null {
    const text = this.next();
    if (text === null || (typeof text === 'string' && isExact(jsonIn(text)))) return text;
    throw corrupt('exact is no result of an enumeration');
  }

  private list(name: string, stride: number, most: number): readonly unknown[] {
    const value = this.next();
    if (Array.isArray(value) && value.length % stride === 0 && value.length <= stride * most) return value;
    throw corrupt(`${name} is not a list of at most ${most} entries`);
  }

  private next(): unknown {
    return this.fields[this.position++];
  }
}

function ascending(value: unknown, last: number, name: string): number {
  const trial = checkedCount(value, name, 2 ** 32);
  if (trial > last) return trial;
  throw corrupt(`${name} is not in order`);
}
