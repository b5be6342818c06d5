import { TomlDate } from 'smol-toml';
import type { Issue, Location } from '../types/issue.ts';
import type { Json, JsonObject } from '../types/json.ts';
import { locationAt } from './location-at.ts';
import type { SourceFile } from './source-file.ts';
import { DATE_TIME_KEY, dateTimeText } from './toml-date-time.ts';
import type { TomlPositions } from './toml-positions.ts';
import type { Pointer } from './place-tree.ts';

/** Tables and arrays inside each other, counted from the document. */
export const MAX_NESTING = 100;

/** Problems of one text that are listed; the rest would be more of the same. */
const MAX_ISSUES = 20;

/**
 * What the parser gave as plain JSON, and what cannot be: unsafe keys, impossible dates, deep nesting. `isDeep`: as many
 * tables and arrays stand inside each other as may.
 */
export function tomlToJson(
  parsed: object,
  source: SourceFile,
  positions: () => TomlPositions,
): { readonly data: JsonObject; readonly issues: readonly Issue[]; readonly isDeep: boolean } {
  const issues: Issue[] = [];
  let isDeep = false;
  const locate = (pointer: Pointer, part: 'key' | 'value'): Location =>
    locationAt(source, ...positions().range(pointer, part));
  const refuse = (issue: () => Issue): null => {
    if (issues.length < MAX_ISSUES) issues.push(issue());
    return null;
  };

  function toTable(value: object, up: Way | null): JsonObject {
    const table: Record<string, Json> = {};
    // The parser's tables inherit nothing that this loop would see.
    for (const key in value) {
      if (key === '__proto__') refuse(() => unsafeKey(locate(pointerOf({ up, step: key }), 'key')));
      else table[key] = toJson(value[key as keyof typeof value], up, key);
    }
    return table;
  }

  function toJson(value: unknown, up: Way | null, step: string | number): Json {
    if (typeof value === 'string' || typeof value === 'boolean' || typeof value === 'bigint') return value;
    if (typeof value === 'number') return Number.isFinite(value) ? value : null;
    const way = { up, step, depth: (up?.depth ?? 0) + 1 };
    if (value instanceof TomlDate) return toDateTime(value, pointerOf(way));
    if (way.depth >= MAX_NESTING) isDeep = true;
    if (way.depth > MAX_NESTING) return refuse(() => tooDeep(locate(pointerOf(way), 'key')));
    if (Array.isArray(value)) return value.map((inner, index) => toJson(inner, way, index));
    return typeof value === 'object' && value !== null ? toTable(value, way) : null;
  }

  function toDateTime(value: TomlDate, pointer: Pointer): Json {
    const { failedAt, range } = positions();
    const token = failedAt === null ? range(pointer, 'value') : dateTokenAround(source.text, failedAt);
    const text = dateTimeText(source.text.slice(...token));
    if (text !== null) return { [DATE_TIME_KEY]: text };
    // Where a text ends that cannot be mapped for another reason, the parser's own reading has to do.
    if (token[0] === token[1]) return { [DATE_TIME_KEY]: dateTimeText(value.toISOString()) ?? '' };
    const issue = impossibleDate(source.text.slice(...token), locationAt(source, ...token));
    // The mapping stops at the first impossible one, which is therefore met again at every other date.
    return issues.some((other) => other.message === issue.message) ? null : refuse(() => issue);
  }

  const data = toTable(parsed, null);
  return { data, issues, isDeep };
}

/** The way to a value, step by step upwards: only a problem needs it as a pointer. */
interface Way {
  readonly up: Way | null;
  readonly step: string | number;
  readonly depth: number;
}

function pointerOf({ up, step }: Pick<Way, 'up' | 'step'>): Pointer {
  return up === null ? [step] : [...pointerOf(up), step];
}

/** The problem of data that is nested too deeply. */
export function tooDeep(at: Location): Issue {
  const message = `Nesting is deeper than ${MAX_NESTING} levels.`;
  return { code: 'too_deep', severity: 'error', message, at, hint: 'Flatten the data, or keep it as a string.' };
}

/** The problem of a key that could reach a prototype. */
export function unsafeKey(at: Location): Issue {
  const message = 'The key "__proto__" is not allowed.';
  return { code: 'unsafe_key', severity: 'error', message, at, hint: 'Choose another name for the key.' };
}

/** The problem of an integer that JavaScript cannot hold exactly. */
export function integerTooLarge(value: bigint, at: Location): Issue {
  const message = `The integer ${value} is beyond 2^53 and would lose digits.`;
  const limit = Number.MAX_SAFE_INTEGER;
  const hint = `Stay between -${limit} and ${limit}, or quote it to make it a string.`;
  return { code: 'integer_too_large', severity: 'error', message, at, hint };
}

function impossibleDate(written: string, at: Location): Issue {
  const message = `There is no date or time ${written}.`;
  const hint = 'Write a day that the month has, or quote it to make it a string.';
  return { code: 'bad_value', severity: 'error', message, at, hint };
}

function dateTokenAround(text: string, offset: number): readonly [number, number] {
  const isPart = (at: number): boolean => /[\d:.TtZz+-]/.test(text.charAt(at));
  let start = offset;
  while (start > 0 && isPart(start - 1)) start--;
  let end = offset;
  while (isPart(end)) end++;
  return [start, end];
}
