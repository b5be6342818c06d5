import type { Json, JsonObject } from '../types/json.ts';
import type { CounterName, Expected, PromptExpectation, RespondExpectation } from '../types/scenario.ts';
import { NO_ENTRIES, NO_ITEMS } from '../values/empty.ts';
import { numberAt, tableAt, tablesAs, textAt, textsAt } from '../workflow/raw-data.ts';
import { COUNTER_KEYS } from './expected-schema.ts';
import { mapValues, present } from './read-matches.ts';
import { readDenial, readRequests, readSequence } from './read-requests.ts';
import { readValues, type SchemaOf } from './read-values.ts';

/** The expectations of a checked scenario; one value expectation per test. */
export function readExpected(data: JsonObject, schemaOf: SchemaOf): Expected {
  const expected = tableAt(data, 'expected');
  const { respond } = expected;
  // Keys are put in one by one: most scenarios have few of them, and parts spread into each other would cost as if all were there.
  const { min, max } = readBounds(expected);
  const outcome: Building<Omit<Expected, 'prompts' | 'files'>> = {
    ...readTexts(expected),
    pathExact: expected.path_exact === true,
    forbiddenNodes: textsAt(expected, 'forbidden_nodes'),
    branches: readBranches(tableAt(expected, 'branches')),
    min,
    max,
    values: readValues(expected, schemaOf),
  };
  if (respond !== undefined) outcome.respond = respond === 'none' ? 'none' : readRespond(tableAt(expected, 'respond'));
  const traffic: Building<Omit<Expected, 'files'>> = { ...outcome, prompts: tablesAs(expected, 'prompts', readPrompt) };
  const requests = readRequests(expected);
  const sequence = readSequence(expected);
  const denials = tablesAs(expected, 'denials', readDenial);
  if (requests.length > 0) traffic.requests = requests;
  if (sequence.length > 0) traffic.sequence = sequence;
  if (denials.length > 0) traffic.denials = denials;
  return { ...traffic, files: readFiles(expected) };
}

type Building<T> = { -readonly [K in keyof T]: T[K] };

const TEXTS = [
  ['status', 'status'],
  ['stoppedBy', 'stopped_by'],
  ['lastNode', 'last_node'],
  ['erroredNode', 'errored_node'],
  ['reasonContains', 'reason_contains'],
  ['reasonEquals', 'reason_equals'],
  ['reasonMatches', 'reason_matches'],
] as const;

function readTexts(expected: JsonObject): Pick<Expected, (typeof TEXTS)[number][0] | 'path'> {
  const found: Building<ReturnType<typeof readTexts>> = {};
  for (const [name, key] of TEXTS) {
    const text = textAt(expected, key);
    if (text !== undefined) found[name] = text;
  }
  const path = textsAt(expected, 'path');
  // An empty path asserts nothing, as in the reference.
  if (path.length > 0) found.path = path;
  return found;
}

function readBranches(table: JsonObject): Expected['branches'] {
  const branches = Object.entries(table).flatMap(([node, labels]) => {
    const list: readonly Json[] = Array.isArray(labels) ? labels : [labels];
    return list.flatMap((branch) => (typeof branch === 'string' ? [{ node, branch }] : []));
  });
  return branches.length > 0 ? branches : NO_ITEMS;
}

type Bounds = Partial<Record<CounterName, number>>;

function readBounds(expected: JsonObject): Pick<Expected, 'min' | 'max'> {
  const min: Bounds = {};
  const max: Bounds = {};
  // Most scenarios bound one or two counters, which stand in the order of all.
  for (const place of boundedIn(expected)) {
    const bound = COUNTER_KEYS[place];
    if (bound === undefined) continue;
    const [counter, , minKey, maxKey] = bound;
    const least = numberAt(expected, minKey);
    const most = numberAt(expected, maxKey);
    if (least !== undefined) min[counter] = least;
    if (most !== undefined) max[counter] = most;
  }
  return { min, max };
}

const PLACES: ReadonlyMap<string, number> = new Map(
  COUNTER_KEYS.flatMap(([, , minKey, maxKey], place) => [
    [minKey, place],
    [maxKey, place],
  ]),
);

function boundedIn(expected: JsonObject): readonly number[] {
  const places: number[] = [];
  for (const key of Object.keys(expected)) {
    const place = PLACES.get(key);
    if (place !== undefined) places.push(place);
  }
  return places.sort((a, b) => a - b);
}

function readFiles(expected: JsonObject): Expected['files'] {
  if (expected.files === undefined) return NO_FILES;
  const files = tableAt(expected, 'files');
  return {
    exist: textsAt(files, 'exist'),
    absent: textsAt(files, 'absent'),
    contain: mapValues(tableAt(files, 'contain'), String),
  };
}

const NO_FILES: Expected['files'] = Object.freeze({ exist: NO_ITEMS, absent: NO_ITEMS, contain: NO_ENTRIES });

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
