import { createHash } from 'node:crypto';
import { hideCredentials } from '../../text/hide-credentials.ts';
import type { Json } from '../../types/json.ts';
import type { Cut, TrialRecord } from '../../types/record.ts';
import { writeJson } from '../../values/exact-json.ts';
import { isJsonArray, isJsonObject } from '../../values/is-json.ts';

/** Bytes of JSON that a record may have. */
const MOST_BYTES = 256 * 1024;

/** How much one text and one list may have. */
interface Limit {
  readonly characters: number;
  readonly entries: number;
}

/** Each is tried where the record is too long by the one before. */
const LIMITS: readonly Limit[] = [
  { characters: 64 * 1024, entries: Number.POSITIVE_INFINITY },
  { characters: 8 * 1024, entries: 10_000 },
  { characters: 1024, entries: 1000 },
  { characters: 128, entries: 100 },
  { characters: 0, entries: 10 },
];

/**
 * The record with its credentials hidden, its texts well-formed, and the longest of its texts and lists cut short until it
 * fits; what was cut is listed. Takes time in proportion to the record that results, not to a trial that never seems to end.
 */
export function cutRecord(record: TrialRecord): TrialRecord {
  for (const limit of LIMITS) {
    const isLast = limit.characters === 0;
    const cutting: Cutting = { ...limit, left: isLast ? Number.POSITIVE_INFINITY : MOST_BYTES, cuts: [] };
    // Plain data by its type.
    const changed = shortened(record as unknown as Json, '', cutting) as unknown as TrialRecord;
    if (cutting.left < 0) continue;
    const fitting = { ...changed, cuts: cutting.cuts };
    if (isLast || Buffer.byteLength(writeJson(fitting)) <= MOST_BYTES) return fitting;
  }
  return record;
}

interface Cutting extends Limit {
  /** Bytes that are left for what is still to come; below 0: the record is too long, and nothing more is looked at. */
  left: number;
  readonly cuts: Cut[];
}

function shortened(value: Json, at: string, cutting: Cutting): Json {
  cutting.left--;
  if (cutting.left < 0) return null;
  if (typeof value === 'string') return shortText(value, at, cutting);
  if (isJsonArray(value)) return shortList(value, at, cutting);
  // JSON text forgets the sign of 0, so a record has none.
  if (value === 0) return 0;
  if (!isJsonObject(value)) return value;
  const entries: [string, Json][] = [];
  for (const [key, entry] of Object.entries(value)) {
    cutting.left -= key.length;
    if (cutting.left < 0) break;
    entries.push([key, shortened(entry, `${at}/${pointerPart(key)}`, cutting)]);
  }
  return Object.fromEntries(entries);
}

function shortList(list: readonly Json[], at: string, cutting: Cutting): Json {
  const { length } = list;
  const most = Math.min(length, cutting.entries);
  if (most < length) cutting.cuts.push({ at, entries: length });
  const short: Json[] = [];
  for (let i = 0; i < most && cutting.left >= 0; i++) short.push(shortened(list[i] as Json, `${at}/${i}`, cutting));
  return short;
}

function shortText(text: string, at: string, cutting: Cutting): string {
  const shown = hideCredentials(text.toWellFormed());
  // Texts of a few letters are words that readers go by, such as a status.
  const isShort = shown.length <= cutting.characters || shown.length <= 64;
  cutting.left -= isShort ? shown.length : cutting.characters;
  if (isShort || cutting.left < 0) return shown;
  cutting.cuts.push({ at, bytes: Buffer.byteLength(shown), sha256: createHash('sha256').update(shown).digest('hex') });
  return `${shown.slice(0, cutting.characters).toWellFormed()}…`;
}

/** As JSON pointers write a key (RFC 6901). */
function pointerPart(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
