import type { Json, JsonObject } from '../types/json.ts';
import type { Preference } from '../types/judges/judge.ts';
import type { Expected, PromptExpectation, RespondExpectation } from '../types/scenarios/expected.ts';
import type { CodeCheck } from '../types/scenarios/code-check.ts';
import { COUNTER_KEYS, COUNTERS, type CounterName } from '../types/trial.ts';
import { numberAt, tableAt, tablesAs, textAt, textsAt } from '../workflow/raw-data.ts';
import { readFaithful } from '../checks/faithful/read-faithful.ts';
import { mapValues, present } from './read-matches.ts';
import { readDenial, readRequests, readSequence } from './read-requests.ts';
import { readValues, type SchemaOf } from './read-values.ts';

/** The expectations of a checked scenario; one value expectation per test. `checks`: those that are code. */
export function readExpected(data: JsonObject, schemaOf: SchemaOf, checks: readonly CodeCheck[] = []): Expected {
  const expected = tableAt(data, 'expected');
  const { respond } = expected;
  const requests = readRequests(expected);
  const sequence = readSequence(expected);
  const denials = tablesAs(expected, 'denials', readDenial);
  const judges = textsAt(expected, 'judges');
  // Key by key: V8 is slow to make an object of spread parts and slow to read it, and every file has one.
  const read = {} as { -readonly [K in keyof Expected]: Expected[K] };
  for (const [name, key] of TEXTS) {
    const text = textAt(expected, key);
    if (text !== undefined) read[name] = text;
  }
  const path = textsAt(expected, 'path');
  // An empty path asserts nothing, as in the reference.
  if (path.length > 0) read.path = path;
  read.pathExact = expected.path_exact === true;
  read.forbiddenNodes = textsAt(expected, 'forbidden_nodes');
  read.branches = readBranches(tableAt(expected, 'branches'));
  read.min = readBounds(expected, 'min');
  read.max = readBounds(expected, 'max');
  read.values = readValues(expected, schemaOf);
  if (respond !== undefined) read.respond = respond === 'none' ? 'none' : readRespond(tableAt(expected, 'respond'));
  read.prompts = tablesAs(expected, 'prompts', readPrompt);
  if (requests.length > 0) read.requests = requests;
  if (sequence.length > 0) read.sequence = sequence;
  if (denials.length > 0) read.denials = denials;
  if (checks.length > 0) read.checks = checks;
  if (judges.length > 0) read.judges = [...new Set(judges)];
  const prefers = tablesAs(expected, 'prefers', readPreference);
  if (prefers.length > 0) read.prefers = prefers;
  const { faithful } = readFaithful(expected);
  if (faithful !== undefined) read.faithful = faithful;
  read.files = readFiles(tableAt(expected, 'files'));
  return read;
}

const TEXTS = [
  ['status', 'status'],
  ['stoppedBy', 'stopped_by'],
  ['lastNode', 'last_node'],
  ['erroredNode', 'errored_node'],
  ['reasonContains', 'reason_contains'],
  ['reasonEquals', 'reason_equals'],
  ['reasonMatches', 'reason_matches'],
] as const;

/** One of `prefers`. */
export function readPreference(table: JsonObject): Preference {
  return {
    judge: textAt(table, 'judge') ?? '',
    over: textAt(table, 'over') ?? '',
    ...(table.ties === true && { ties: true }),
  };
}

function readBranches(table: JsonObject): Expected['branches'] {
  return Object.entries(table).flatMap(([node, labels]) => {
    const list: readonly Json[] = Array.isArray(labels) ? labels : [labels];
    return list.flatMap((branch) => (typeof branch === 'string' ? [{ node, branch }] : []));
  });
}

function readBounds(expected: JsonObject, side: 'min' | 'max'): Expected['min'] {
  const bounds: Partial<Record<CounterName, number>> = {};
  for (const counter of COUNTERS) {
    const bound = numberAt(expected, COUNTER_KEYS[counter][side]);
    if (bound !== undefined) bounds[counter] = bound;
  }
  return bounds;
}

function readFiles(files: JsonObject): Expected['files'] {
  return {
    exist: textsAt(files, 'exist'),
    absent: textsAt(files, 'absent'),
    contain: mapValues(tableAt(files, 'contain'), String),
  };
}

function readRespond(table: JsonObject): RespondExpectation {
  return {
    ...present('status', numberAt(table, 'status')),
    ...present('contentType', textAt(table, 'content_type')),
    ...present('body', textAt(table, 'body')),
    ...present('bodyContains', textAt(table, 'body_contains')),
    ...present('bodyMatches', textAt(table, 'body_matches')),
  };
}

function readPrompt(table: JsonObject): PromptExpectation {
  return {
    ...present('node', textAt(table, 'node')),
    ...present('call', numberAt(table, 'call')),
    ...present('contains', textAt(table, 'contains')),
    ...present('notContains', textAt(table, 'not_contains')),
    ...present('matches', textAt(table, 'matches')),
  };
}
