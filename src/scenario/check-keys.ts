import { RE2JS } from 're2js';
import { hintFor } from '../source/did-you-mean.ts';
import { isTable } from '../source/json-schema.ts';
import type { Pointer } from '../source/toml-positions.ts';
import { CAPABILITIES } from '../types/capability.ts';
import type { Json, JsonObject } from '../types/json.ts';
import { numberAt, tableAt, tablesAt, textsAt, valueAt } from '../workflow/raw-data.ts';
import type { Report } from '../workflow/report.ts';
import { COUNTER_KEYS } from './expected-schema.ts';

/** What the schema cannot say about a scenario's own keys: those that exclude, contradict or say nothing. */
export function checkKeys(data: JsonObject, report: Report): void {
  if (valueAt(data, 'timeout_secs') !== undefined && valueAt(data, 'timeout_ms') !== undefined) {
    report({
      code: 'conflicting_keys',
      message: 'The scenario has both timeout_secs and timeout_ms.',
      at: ['timeout_ms'],
      part: 'key',
      hint: 'Keep one of them.',
    });
  }
  checkWorkflowKeys(data, report);
  checkCapabilities(data, report);
  const expected = tableAt(data, 'expected');
  checkPatterns(expected, report);
  checkBounds(expected, report);
  checkAsserts(expected, report);
}

function checkWorkflowKeys(data: JsonObject, report: Report): void {
  if (valueAt(data, 'workflow') === undefined) return;
  const { inline, path } = tableAt(data, 'workflow');
  if (inline === undefined && path === undefined) {
    report({
      code: 'missing_key',
      message: 'The scenario has no workflow: "workflow" needs inline or path.',
      at: ['workflow'],
      hint: 'Write the workflow as inline text, or name its file with path.',
    });
  } else if (inline !== undefined && path !== undefined) {
    report({
      code: 'ignored_key',
      severity: 'warning',
      message: 'The workflow is given inline, so its path is ignored.',
      at: ['workflow', 'path'],
      part: 'key',
      hint: 'Keep one of them.',
    });
  }
}

function checkCapabilities(data: JsonObject, report: Report): void {
  const known = CAPABILITIES.map(([id]) => id as string);
  for (const [position, capability] of textsAt(data, 'capabilities').entries()) {
    if (known.includes(capability)) continue;
    report({
      code: 'unknown_capability',
      severity: 'warning',
      message: `There is no capability "${capability}".`,
      at: ['capabilities', position],
      hint: () => `${hintFor(capability, known, 'capabilities')} Words of your own belong in tags.`,
    });
  }
}

function checkPatterns(expected: JsonObject, report: Report): void {
  const places: (readonly [value: Json | undefined, at: Pointer])[] = [
    [tableAt(expected, 'final').matches, ['expected', 'final', 'matches']],
    [tableAt(expected, 'respond').body_matches, ['expected', 'respond', 'body_matches']],
  ];
  for (const list of ['values', 'prompts']) {
    for (const { index, table } of tablesAt(expected, list)) {
      places.push([table.matches, ['expected', list, index, 'matches']]);
    }
  }
  for (const [value, at] of places) {
    const problem = typeof value === 'string' ? patternProblem(value) : null;
    if (problem === null) continue;
    report({
      code: 'bad_pattern',
      message: `This is not a pattern: ${problem}.`,
      at,
      hint: 'Patterns are written in RE2 syntax, which has no look-around and no back-references.',
    });
  }
}

function patternProblem(pattern: string): string | null {
  try {
    RE2JS.compile(pattern);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function checkBounds(expected: JsonObject, report: Report): void {
  for (const [, key] of COUNTER_KEYS) {
    const min = numberAt(expected, `min_${key}`);
    const max = numberAt(expected, `max_${key}`);
    if (min === undefined || max === undefined || min <= max) continue;
    report({
      code: 'impossible_expectation',
      severity: 'warning',
      message: `No trial can have at least ${min} and at most ${max} of ${key}.`,
      at: ['expected', `min_${key}`],
      hint: `Lower min_${key}, or raise max_${key}.`,
    });
  }
}

const TESTS = ['equals', 'contains', 'matches', 'exists', 'schema'];
const PROMPT_TESTS = ['contains', 'not_contains', 'matches'];

function checkAsserts(expected: JsonObject, report: Report): void {
  const silent = (at: Pointer, what: string, hint: string) =>
    report({ code: 'asserts_nothing', severity: 'warning', message: `${what} asserts nothing.`, at, hint });
  if (!assertsSomething(expected)) {
    silent(['expected'], 'The scenario', 'Say in [expected] what must hold, such as status = "completed".');
    return;
  }
  const testsHint = `Add one of ${TESTS.join(', ')}.`;
  if (valueAt(expected, 'final') !== undefined && !hasAny(tableAt(expected, 'final'), TESTS)) {
    silent(['expected', 'final'], 'This table', testsHint);
  }
  for (const { index, table } of tablesAt(expected, 'values')) {
    if (!hasAny(table, TESTS)) silent(['expected', 'values', index], 'This table', testsHint);
  }
  for (const { index, table } of tablesAt(expected, 'prompts')) {
    if (hasAny(table, PROMPT_TESTS)) continue;
    silent(['expected', 'prompts', index], 'This table', `Add one of ${PROMPT_TESTS.join(', ')}.`);
  }
  if (valueAt(expected, 'path_exact') === true && textsAt(expected, 'path').length === 0) {
    silent(['expected', 'path_exact'], 'path_exact without a path', 'List the nodes in path.');
  }
}

function assertsSomething(expected: JsonObject): boolean {
  return Object.entries(expected).some(([key, value]) => {
    switch (key) {
      case 'path_exact':
        return false;
      case 'final':
        return isTable(value) && hasAny(value, TESTS);
      case 'values':
        return tablesAt(expected, key).some(({ table }) => hasAny(table, TESTS));
      case 'prompts':
        return tablesAt(expected, key).some(({ table }) => hasAny(table, PROMPT_TESTS));
      case 'files':
      case 'branches':
        return isTable(value) && Object.values(value).some((inner) => !isEmpty(inner));
      default:
        return !isEmpty(value);
    }
  });
}

function hasAny(table: JsonObject, keys: readonly string[]): boolean {
  return keys.some((key) => valueAt(table, key) !== undefined);
}

function isEmpty(value: Json): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.keys(value).length === 0;
}
