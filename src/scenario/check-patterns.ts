import { isTable } from '../source/json-schema.ts';
import type { Pointer } from '../source/place-tree.ts';
import type { Json, JsonObject } from '../types/json.ts';
import { tableAt, tablesAt, textAt, valueAt } from '../workflow/raw-data.ts';
import type { Report } from '../workflow/report.ts';
import { linearSearch } from '../values/linear-search.ts';
import { messageOf } from '../values/message-of.ts';
import { isTooMuchWork } from '../values/work.ts';
import type { RegistryView } from './registry-view.ts';

/** Patterns must be patterns, and URLs such that a request can go there. */
export function checkPatterns(data: JsonObject, registry: RegistryView, report: Report): void {
  const expected = tableAt(data, 'expected');
  const world = tableAt(data, 'world');
  for (const [table, at] of placesOf(expected, world)) {
    for (const key of PATTERNS) {
      const pattern = textAt(table, key);
      if (pattern !== undefined) checkPattern(pattern, [...at, key], report);
    }
    for (const key of TEXTS) {
      const texts = valueAt(table, key);
      if (texts !== undefined) checkTexts(texts, [...at, key], report);
    }
    checkUrl(table, at, registry, report);
  }
}

const PATTERNS = ['matches', 'body_matches', 'reason_matches', 'url_matches'] as const;
const TEXTS = ['query', 'headers', 'args', 'args_contain'] as const;

type Place = readonly [table: JsonObject, at: Pointer];

function placesOf(expected: JsonObject, world: JsonObject): readonly Place[] {
  const places: Place[] = [[expected, ['expected']]];
  for (const key of ['final', 'respond']) {
    if (valueAt(expected, key) !== undefined) places.push([tableAt(expected, key), ['expected', key]]);
  }
  for (const key of ['values', 'prompts', 'http', 'processes', 'denials']) {
    for (const { index, table } of tablesAt(expected, key)) places.push([table, ['expected', key, index]]);
  }
  for (const { index, table: step } of tablesAt(expected, 'sequence')) {
    // Arguments of tools are data: nothing in them is a pattern.
    for (const key of ['http', 'process']) places.push([tableAt(step, key), ['expected', 'sequence', index, key]]);
  }
  const mocks = tablesAt(world, 'http');
  // The headers of a mock are those of its reply.
  for (const { index, table } of mocks) {
    const { headers, ...mock } = table;
    places.push([mock, ['world', 'http', index]]);
  }
  for (const { index, table } of mocks) {
    places.push([tableAt(table, 'request'), ['world', 'http', index, 'request']]);
  }
  for (const { index, table } of tablesAt(world, 'processes')) places.push([table, ['world', 'processes', index]]);
  return places;
}

/** Patterns among tests of texts: of one text, of a list, or by name. */
function checkTexts(value: Json | undefined, at: Pointer, report: Report): void {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) tellText(item, [...at, index], report);
    return;
  }
  if (!isTable(value)) return;
  for (const [name, inner] of Object.entries(value)) {
    if (Array.isArray(inner)) checkTexts(inner, [...at, name], report);
    else tellText(inner, [...at, name], report);
  }
}

function tellText(value: Json, at: Pointer, report: Report): void {
  const pattern = isTable(value) ? textAt(value, 'matches') : undefined;
  if (pattern !== undefined) checkPattern(pattern, [...at, 'matches'], report);
}

/** True: it is a pattern. Tells of a text that is none. */
export function checkPattern(pattern: string, at: Pointer, report: Report): boolean {
  const problem = patternProblem(pattern);
  if (problem === null) return true;
  report({
    code: 'bad_pattern',
    message: `This is not a pattern: ${problem}.`,
    at,
    hint: 'Patterns are written in RE2 syntax, which has no look-around and no back-references.',
  });
  return false;
}

/** True: it is a pattern. */
export function isPattern(pattern: string): boolean {
  return patternProblem(pattern) === null;
}

function patternProblem(pattern: string): string | null {
  try {
    linearSearch(pattern);
    return null;
  } catch (error) {
    if (isTooMuchWork(error)) throw error;
    return messageOf(error);
  }
}

function checkUrl(table: JsonObject, at: Pointer, registry: RegistryView, report: Report): void {
  const url = textAt(table, 'url');
  if (url === undefined) return;
  const problem = registry.urlProblem?.(url) ?? null;
  if (problem !== null) {
    report({
      code: 'useless_pattern',
      severity: 'warning',
      message: `No request fits this url: ${problem}.`,
      at: [...at, 'url'],
      hint: 'Write http:// or https://, a host, and a path in which * stands for anything; url_matches takes a pattern.',
    });
  } else if (url.includes('?') && valueAt(table, 'query') !== undefined) {
    report({
      code: 'useless_pattern',
      severity: 'warning',
      message: 'No request fits this url: beside query it is compared without a query of its own.',
      at: [...at, 'url'],
      hint: 'Move all parameters into query.',
    });
  }
}
