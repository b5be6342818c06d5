import type { Json, JsonObject } from '../types/json.ts';
import type { CounterName, Expected, PromptExpectation, RespondExpectation } from '../types/scenario.ts';
import { numberAt, tableAt, tablesAt, textAt, textsAt, valueAt } from '../workflow/raw-data.ts';
import { COUNTER_KEYS } from './expected-schema.ts';
import { mapValues, present } from './read-matches.ts';
import { readDenial, readRequests, readSequence } from './read-requests.ts';
import { readValues, type SchemaOf } from './read-values.ts';

/** The expectations of a checked scenario; one value expectation per test. */
export function readExpected(data: JsonObject, schemaOf: SchemaOf): Expected {
  const expected = tableAt(data, 'expected');
  const respond = valueAt(expected, 'respond');
  const files = tableAt(expected, 'files');
  const path = textsAt(expected, 'path');
  const requests = readRequests(expected);
  const sequence = readSequence(expected);
  const denials = tablesAt(expected, 'denials').map(({ table }) => readDenial(table));
  return {
    ...present('status', textAt(expected, 'status')),
    ...present('stoppedBy', textAt(expected, 'stopped_by')),
    ...present('lastNode', textAt(expected, 'last_node')),
    ...present('erroredNode', textAt(expected, 'errored_node')),
    ...present('reasonContains', textAt(expected, 'reason_contains')),
    ...present('reasonEquals', textAt(expected, 'reason_equals')),
    ...present('reasonMatches', textAt(expected, 'reason_matches')),
    // An empty path asserts nothing, as in the reference.
    ...(path.length > 0 ? { path } : {}),
    pathExact: valueAt(expected, 'path_exact') === true,
    forbiddenNodes: textsAt(expected, 'forbidden_nodes'),
    branches: readBranches(tableAt(expected, 'branches')),
    min: readBounds(expected, 'min'),
    max: readBounds(expected, 'max'),
    values: readValues(expected, schemaOf),
    ...(respond === undefined
      ? {}
      : { respond: respond === 'none' ? 'none' : readRespond(tableAt(expected, 'respond')) }),
    prompts: tablesAt(expected, 'prompts').map(({ table }) => readPrompt(table)),
    ...(requests.length > 0 ? { requests } : {}),
    ...(sequence.length > 0 ? { sequence } : {}),
    ...(denials.length > 0 ? { denials } : {}),
    files: {
      exist: textsAt(files, 'exist'),
      absent: textsAt(files, 'absent'),
      contain: mapValues(tableAt(files, 'contain'), String),
    },
  };
}

function readBranches(table: JsonObject): Expected['branches'] {
  return Object.entries(table).flatMap(([node, labels]) => {
    const list: readonly Json[] = Array.isArray(labels) ? labels : [labels];
    return list.flatMap((branch) => (typeof branch === 'string' ? [{ node, branch }] : []));
  });
}

function readBounds(expected: JsonObject, side: 'min' | 'max'): Readonly<Partial<Record<CounterName, number>>> {
  const bounds: Partial<Record<CounterName, number>> = {};
  for (const [counter, , minKey, maxKey] of COUNTER_KEYS) {
    const bound = numberAt(expected, side === 'min' ? minKey : maxKey);
    if (bound !== undefined) bounds[counter] = bound;
  }
  return bounds;
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
