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
  const { min, max } = readBounds(expected);
  const requests = readRequests(expected);
  const sequence = readSequence(expected);
  const denials = tablesAs(expected, 'denials', readDenial);
  // Filled key by key: an object that begins with a spread part takes fifty times as long to make, in every file.
  const found = {} as Building<Expected>;
  putTexts(found, expected);
  found.pathExact = expected.path_exact === true;
  found.forbiddenNodes = textsAt(expected, 'forbidden_nodes');
  found.branches = readBranches(tableAt(expected, 'branches'));
  found.min = min;
  found.max = max;
  found.values = readValues(expected, schemaOf);
  if (respond !== undefined) found.respond = respond === 'none' ? 'none' : readRespond(tableAt(expected, 'respond'));
  found.prompts = tablesAs(expected, 'prompts', readPrompt);
  if (requests.length > 0) found.requests = requests;
  if (sequence.length > 0) found.sequence = sequence;
  if (denials.length > 0) found.denials = denials;
  found.files = readFiles(expected);
  return found;
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

function putTexts(found: Building<Expected>, expected: JsonObject): void {
  for (const [name, key] of TEXTS) {
    const text = textAt(expected, key);
    if (text !== undefined) found[name] = text;
  }
  const path = textsAt(expected, 'path');
  // An empty path asserts nothing, as in the reference.
  if (path.length > 0) found.path = path;
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
  let min: Bounds = NO_ENTRIES;
  let max: Bounds = NO_ENTRIES;
  // Most scenarios bound one or two counters, which stand in the order of all.
  for (const place of boundedIn(expected)) {
    const bound = COUNTER_KEYS[place];
    if (bound === undefined) continue;
    const [counter, , minKey, maxKey] = bound;
    const least = numberAt(expected, minKey);
    const most = numberAt(expected, maxKey);
    if (least !== undefined) min = withBound(min, counter, least);
    if (most !== undefined) max = withBound(max, counter, most);
  }
  return { min, max };
}

/** The same bounds but for the shared ones of nothing, which become bounds of their own. */
function withBound(bounds: Bounds, counter: CounterName, value: number): Bounds {
  const own = bounds === NO_ENTRIES ? {} : bounds;
  own[counter] = value;
  return own;
}

const PLACES: ReadonlyMap<string, number> = new Map(
  COUNTER_KEYS.flatMap(([, , minKey, maxKey], place) => [
    [minKey, place],
    [maxKey, place],
  ]),
);

function boundedIn(expected: JsonObject): readonly number[] {
  const places: number[] = [];
  let isInOrder = true;
  // Data inherits nothing that this loop would see.
  for (const key in expected) {
    const place = PLACES.get(key);
    if (place === undefined) continue;
    isInOrder &&= place >= (places.at(-1) ?? 0);
    places.push(place);
  }
  return isInOrder ? places : places.sort((a, b) => a - b);
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
