import { parse, TomlDate, TomlError } from 'smol-toml';
import type { Issue, Location } from '../types/issue.ts';
import type { Json, JsonObject } from '../types/json.ts';
import { locationAt, offsetOf } from './location-at.ts';
import type { SourceFile } from './source-file.ts';
import { dateTimeText } from './toml-date-time.ts';
import { type Pointer, type Range, type TomlPositions, tomlPositions } from './toml-positions.ts';
import { scanToml } from './toml-scan.ts';

/** Data and the places in the source it came from. */
export interface SourceDocument {
  readonly source: SourceFile;
  readonly data: JsonObject;
  /** The place of a value (or its key); of its nearest ancestor when there is no such value. */
  locate(pointer: Pointer, part?: 'key' | 'value'): Location;
  /** The same as offsets in the text of `source`. */
  range(pointer: Pointer, part?: 'key' | 'value'): Range;
}

/** What parsing one text gave. */
export type ParseResult =
  | { readonly ok: true; readonly document: SourceDocument }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** Tables and arrays inside each other, counted from the document. */
export const MAX_NESTING = 100;

/** Parses TOML 1.1 into plain JSON data: date-times become tagged tables, `inf` and `nan` null. Throws nothing. */
export function parseToml(source: SourceFile): ParseResult {
  const { tooDeepAt } = scanToml(source.text, { depth: MAX_NESTING, stringLength: Infinity });
  if (tooDeepAt !== null) return { ok: false, issues: [tooDeep(locationAt(source, tooDeepAt))] };
  let parsed: unknown;
  try {
    parsed = parse(source.text, { integersAsBigInt: 'asNeeded', unsafeKeyBehaviour: 'keep' });
  } catch (error) {
    return { ok: false, issues: [syntaxIssue(source, error)] };
  }
  let positions: TomlPositions | undefined;
  const range = (pointer: Pointer, part: 'key' | 'value' = 'value'): Range => {
    positions ??= tomlPositions(source.text);
    return positions.range(pointer, part);
  };
  const locate = (pointer: Pointer, part: 'key' | 'value' = 'value'): Location =>
    locationAt(source, ...range(pointer, part));
  const issues: Issue[] = [];
  const data = toTable(parsed, [], { source, range, locate, issues });
  if (issues.length > 0) return { ok: false, issues };
  return { ok: true, document: { source, data, locate, range } };
}

interface Conversion {
  readonly source: SourceFile;
  readonly range: SourceDocument['range'];
  readonly locate: SourceDocument['locate'];
  readonly issues: Issue[];
}

/** Problems of one text that are listed before the rest is left out. */
const MAX_VALUE_ISSUES = 20;

function toTable(value: unknown, pointer: Pointer, conversion: Conversion): JsonObject {
  // Ordinary objects: what a worker receives has their prototype too, so both sides see the same.
  const table: Record<string, Json> = {};
  for (const [key, inner] of Object.entries(value as object)) {
    const at = [...pointer, key];
    if (key === '__proto__') report(conversion, at, unsafeKey(conversion.locate(at, 'key')));
    else table[key] = toJson(inner, at, conversion);
  }
  return table;
}

function toJson(value: unknown, pointer: Pointer, conversion: Conversion): Json {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      return Number.isFinite(value) ? value : null;
    case 'bigint':
      return report(conversion, pointer, integerTooLarge(value, conversion.locate(pointer)));
  }
  if (value instanceof TomlDate) return toDateTime(pointer, conversion);
  if (pointer.length > MAX_NESTING) return report(conversion, pointer, tooDeep(conversion.locate(pointer, 'key')));
  if (Array.isArray(value)) return value.map((inner, index) => toJson(inner, [...pointer, index], conversion));
  return toTable(value, pointer, conversion);
}

function toDateTime(pointer: Pointer, conversion: Conversion): Json {
  const written = conversion.source.text.slice(...conversion.range(pointer));
  const text = dateTimeText(written);
  if (text !== null) return { [DATE_TIME_KEY]: text };
  const message = `There is no date or time "${written}".`;
  const hint = 'Write a day that the month has, or quote it to make it a string.';
  return report(conversion, pointer, {
    code: 'bad_value',
    severity: 'error',
    message,
    at: conversion.locate(pointer),
    hint,
  });
}

/** The one key of a table that stands for a TOML date-time, as the reference engine spells it. */
export const DATE_TIME_KEY = '$__toml_private_datetime';

function report(conversion: Conversion, _pointer: Pointer, issue: Issue): null {
  if (conversion.issues.length < MAX_VALUE_ISSUES) conversion.issues.push(issue);
  return null;
}

function tooDeep(at: Location): Issue {
  const message = `Nesting is deeper than ${MAX_NESTING} levels.`;
  return { code: 'too_deep', severity: 'error', message, at, hint: 'Flatten the data, or keep it as a string.' };
}

function unsafeKey(at: Location): Issue {
  const message = 'The key "__proto__" is not allowed.';
  return { code: 'unsafe_key', severity: 'error', message, at, hint: 'Choose another name for the key.' };
}

function integerTooLarge(value: bigint, at: Location): Issue {
  const message = `The integer ${value} is beyond 2^53 and would lose digits.`;
  const hint = `Stay between -${Number.MAX_SAFE_INTEGER} and ${Number.MAX_SAFE_INTEGER}, or quote it to make it a string.`;
  return { code: 'integer_too_large', severity: 'error', message, at, hint };
}

function syntaxIssue(source: SourceFile, error: unknown): Issue {
  if (!(error instanceof TomlError)) {
    const message = `The text cannot be parsed: ${error instanceof Error ? error.message : String(error)}.`;
    return { code: 'toml_syntax', severity: 'error', message, at: locationAt(source, 0) };
  }
  // The parser's message carries a prefix and its own code frame.
  const reason = error.message.replace(/^Invalid TOML document: /, '').split('\n', 1)[0] ?? '';
  const at = locationAt(source, offsetOf(source, error.line, error.column));
  return { code: 'toml_syntax', severity: 'error', message: `This is not valid TOML: ${reason}.`, at };
}
