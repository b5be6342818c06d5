import { hintFor } from '../text/did-you-mean.ts';
import { isTable } from '../source/json-schema.ts';
import type { Pointer } from '../source/place-tree.ts';
import { CAPABILITIES } from '../types/capability.ts';
import type { Json, JsonObject } from '../types/json.ts';
import { numberAt, tableAt, tablesAt, textsAt, valueAt } from '../workflow/raw-data.ts';
import type { Report } from '../workflow/report.ts';
import { checkFaithful } from '../checks/faithful/check-faithful.ts';
import { checkPatterns } from './check-patterns.ts';
import { tellIdleTests } from './idle-tests.ts';
import { COUNTER_KEYS } from '../types/trial.ts';
import { VALUE_TESTS } from '../types/value-test.ts';
import type { RegistryView } from './registry-view.ts';
import { exactJsonIn } from '../values/json-in.ts';

/** Keys that make several scenarios of one file, what they hold, whose files can have them, and what each scenario is made for. */
const MANY = [
  ['cases', 'cases', 'a scenario', 'case'],
  ['ladder', 'a ladder', 'a scenario or of tasks', 'rung'],
  ['matrix', 'a matrix', 'a scenario', 'combination'],
] as const;

/** What the schema cannot say about a scenario's own keys: those that exclude, contradict or say nothing. */
export function checkKeys(data: JsonObject, registry: RegistryView, report: Report): void {
  if (valueAt(data, 'timeout_secs') !== undefined && valueAt(data, 'timeout_ms') !== undefined) {
    report({
      code: 'conflicting_keys',
      message: 'The scenario has both timeout_secs and timeout_ms.',
      at: ['timeout_ms'],
      part: 'key',
      hint: 'Keep one of them.',
    });
  }
  for (const [key, what, whose, one] of MANY) {
    if (valueAt(data, key) === undefined) continue;
    report({
      code: 'unsupported_key',
      message: `Only a file of ${whose} can have ${what}.`,
      at: [key],
      part: 'key',
      hint: `In code, make a scenario for each ${one}.`,
    });
  }
  checkWorkflowKeys(data, report);
  checkCapabilities(data, [], report);
  const expected = tableAt(data, 'expected');
  checkPatterns(data, registry, report);
  for (const list of COUNTED) checkCounts(expected, list, ['expected'], report);
  checkJsonTexts(expected, report);
  checkBounds(expected, report);
  checkFaithful(tableAt(expected, 'faithful'), { at: ['expected', 'faithful'], report });
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

const CAPABILITY_WORDS: readonly string[] = CAPABILITIES;

/** True for a word that is among the assurance capabilities. */
export function isCapability(word: string): boolean {
  return CAPABILITY_WORDS.includes(word);
}

/** Words of a table's `capabilities` that are none. */
export function checkCapabilities(data: JsonObject, at: Pointer, report: Report): void {
  for (const [position, capability] of textsAt(data, 'capabilities').entries()) {
    if (isCapability(capability)) continue;
    report({
      code: 'unknown_capability',
      severity: 'warning',
      message: `There is no capability "${capability}".`,
      at: [...at, 'capabilities', position],
      hint: () => `${hintFor(capability, CAPABILITY_WORDS, 'capabilities')} Words of your own belong in tags.`,
    });
  }
}

/** Bounds on the entries of a list of requests or denials that contradict each other or say nothing. */
export function checkCounts(expected: JsonObject, list: string, place: Pointer, report: Report): void {
  for (const { index, table } of tablesAt(expected, list)) {
    const [exact, least, most] = ['count', 'at_least', 'at_most'].map((key) => numberAt(table, key));
    const at = [...place, list, index];
    if (exact !== undefined && (least !== undefined || most !== undefined)) {
      report({
        code: 'conflicting_keys',
        message: 'This entry has count beside at_least or at_most.',
        at: [...at, 'count'],
        part: 'key',
        hint: 'Keep count, or the bounds.',
      });
    } else if (least !== undefined && most !== undefined && least > most) {
      report({
        code: 'impossible_expectation',
        severity: 'warning',
        message: `Nothing can happen at least ${least} and at most ${most} times.`,
        at: [...at, 'at_least'],
        hint: 'Lower at_least, or raise at_most.',
      });
    } else if (least === 0 && most === undefined) {
      report({
        code: 'asserts_nothing',
        severity: 'warning',
        message: 'At least 0 asserts nothing.',
        at: [...at, 'at_least'],
        hint: 'Write count = 0 or at_most = 0 where it must not happen.',
      });
    }
  }
}

/** Lists of `[expected]` whose entries are counted. */
const COUNTED = ['http', 'processes', 'mcp', 'denials'];

function checkJsonTexts(expected: JsonObject, report: Report): void {
  const places: (readonly [value: Json | undefined, at: Pointer])[] = [
    [tableAt(expected, 'final').equals_json, ['expected', 'final', 'equals_json']],
    ...tablesAt(expected, 'values').map(
      ({ index, table }) => [table.equals_json, ['expected', 'values', index, 'equals_json']] as const,
    ),
  ];
  for (const [value, at] of places) {
    if (typeof value !== 'string' || exactJsonIn(value) !== undefined) continue;
    report({
      code: 'bad_json',
      message: 'This is not JSON.',
      at,
      hint: 'Write a JSON value as text, such as equals_json = "null".',
    });
  }
}

function checkBounds(expected: JsonObject, report: Report): void {
  for (const { key, min: minKey, max: maxKey } of Object.values(COUNTER_KEYS)) {
    const min = numberAt(expected, minKey);
    const max = numberAt(expected, maxKey);
    if (min === 0) {
      report({
        code: 'asserts_nothing',
        severity: 'warning',
        message: `\`${minKey} = 0\` asserts nothing: no trial has less.`,
        at: ['expected', minKey],
        hint: `Write ${maxKey} = 0 where there must be none.`,
      });
    }
    if (min === undefined || max === undefined || min <= max) continue;
    report({
      code: 'impossible_expectation',
      severity: 'warning',
      message: `No trial can have at least ${min} and at most ${max} of ${key}.`,
      at: ['expected', minKey],
      hint: `Lower ${minKey}, or raise ${maxKey}.`,
    });
  }
}

const PROMPT_TESTS = ['contains', 'not_contains', 'matches'];

function checkAsserts(expected: JsonObject, report: Report): void {
  const silent = (at: Pointer, what: string, hint: string) =>
    report({ code: 'asserts_nothing', severity: 'warning', message: `${what} asserts nothing.`, at, hint });
  if (!assertsSomething(expected)) {
    silent(['expected'], 'The scenario', 'Say in [expected] what must hold, such as status = "completed".');
    return;
  }
  const testsHint = `Add one of ${VALUE_TESTS.join(', ')}.`;
  if (valueAt(expected, 'final') !== undefined && !hasAny(tableAt(expected, 'final'), VALUE_TESTS)) {
    silent(['expected', 'final'], 'This table', testsHint);
  }
  for (const { index, table } of tablesAt(expected, 'values')) {
    if (!hasAny(table, VALUE_TESTS)) silent(['expected', 'values', index], 'This table', testsHint);
    tellIdleTests(table, ['expected', 'values', index], report);
  }
  for (const key of ['final', 'respond']) tellIdleTests(tableAt(expected, key), ['expected', key], report);
  for (const { index, table } of tablesAt(expected, 'prompts')) {
    tellIdleTests(table, ['expected', 'prompts', index], report);
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
        return isTable(value) && hasAny(value, VALUE_TESTS);
      case 'values':
        return tablesAt(expected, key).some(({ table }) => hasAny(table, VALUE_TESTS));
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
