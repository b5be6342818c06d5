import { RE2JS } from 're2js';
import { isTable } from '../source/json-schema.ts';
import type { Pointer } from '../source/toml-positions.ts';
import type { Json, JsonObject } from '../types/json.ts';
import { tableAt, tablesAt, textAt, valueAt } from '../workflow/raw-data.ts';
import type { Report } from '../workflow/report.ts';
import type { RegistryView } from './registry-view.ts';

/** Patterns must be patterns, and URLs such that a request can go there. */
export function checkPatterns(data: JsonObject, registry: RegistryView, report: Report): void {
  const expected = tableAt(data, 'expected');
  const world = tableAt(data, 'world');
  for (const [table, at] of placesOf(expected, world)) {
    for (const key of ['matches', 'body_matches', 'reason_matches', 'url_matches']) {
      tell(textAt(table, key), [...at, key], report);
    }
    for (const key of ['query', 'headers', 'args', 'args_contain'])
      checkTexts(valueAt(table, key), [...at, key], report);
    checkUrl(table, at, registry, report);
  }
}

type Place = readonly [table: JsonObject, at: Pointer];

function placesOf(expected: JsonObject, world: JsonObject): readonly Place[] {
  const within = (table: JsonObject, base: Pointer, key: string): readonly Place[] =>
    tablesAt(table, key).map(({ index, table: inner }) => [inner, [...base, key, index]]);
  const sequence = within(expected, ['expected'], 'sequence').flatMap(([step, at]) =>
    // Arguments of tools are data: nothing in them is a pattern.
    ['http', 'process'].map((key): Place => [tableAt(step, key), [...at, key]]),
  );
  const http = within(world, ['world'], 'http');
  return [
    [expected, ['expected']],
    [tableAt(expected, 'final'), ['expected', 'final']],
    [tableAt(expected, 'respond'), ['expected', 'respond']],
    ...['values', 'prompts', 'http', 'processes', 'denials'].flatMap((key) => within(expected, ['expected'], key)),
    ...sequence,
    // The headers of a mock are those of its reply.
    ...http.map(([{ headers, ...mock }, at]): Place => [mock, at]),
    ...http.map(([mock, at]): Place => [tableAt(mock, 'request'), [...at, 'request']]),
    ...within(world, ['world'], 'processes'),
  ];
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
  if (isTable(value)) tell(textAt(value, 'matches'), [...at, 'matches'], report);
}

function tell(pattern: string | undefined, at: Pointer, report: Report): void {
  const problem = pattern === undefined ? null : patternProblem(pattern);
  if (problem === null) return;
  report({
    code: 'bad_pattern',
    message: `This is not a pattern: ${problem}.`,
    at,
    hint: 'Patterns are written in RE2 syntax, which has no look-around and no back-references.',
  });
}

function patternProblem(pattern: string): string | null {
  try {
    RE2JS.compile(pattern);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
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
