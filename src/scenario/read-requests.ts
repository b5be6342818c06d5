import type { DenialExpectation, Occurrence, RequestExpectation, RequestTest } from '../types/expected-request.ts';
import type { JsonObject } from '../types/json.ts';
import { numberAt, tableAt, tablesAs, textAt, valueAt } from '../workflow/raw-data.ts';
import { present, readHttpMatch, readProcessMatch } from './read-matches.ts';

/** What `[expected]` says about requests that left the workflow, in the order http, processes, mcp. */
export function readRequests(expected: JsonObject): readonly RequestExpectation[] {
  const read = (key: string, test: (table: JsonObject) => RequestTest): readonly RequestExpectation[] =>
    tablesAs(expected, key, (table) => ({ ...test(table), count: readCount(table) }));
  return [...read('http', httpTest), ...read('processes', processTest), ...read('mcp', mcpTest)];
}

/** The steps of `sequence`. */
export function readSequence(expected: JsonObject): readonly RequestTest[] {
  return tablesAs(expected, 'sequence', (table) => {
    if (valueAt(table, 'http') !== undefined) return httpTest(tableAt(table, 'http'));
    if (valueAt(table, 'process') !== undefined) return processTest(tableAt(table, 'process'));
    return mcpTest(tableAt(table, 'mcp'));
  });
}

/** One of `denials`. */
export function readDenial(table: JsonObject): DenialExpectation {
  return {
    ...nodeOf(table),
    ...present('contains', textAt(table, 'contains')),
    ...present('matches', textAt(table, 'matches')),
    count: readCount(table),
  };
}

function httpTest(table: JsonObject): RequestTest {
  return { port: 'http', ...nodeOf(table), match: readHttpMatch(table, table) };
}

function processTest(table: JsonObject): RequestTest {
  return { port: 'process', ...nodeOf(table), match: readProcessMatch(table) };
}

function mcpTest(table: JsonObject): RequestTest {
  return {
    port: 'mcp',
    ...nodeOf(table),
    match: {
      ...present('server', textAt(table, 'server')),
      ...present('tool', textAt(table, 'tool')),
      ...present('resource', textAt(table, 'resource')),
      ...present('args', valueAt(table, 'args')),
    },
  };
}

function nodeOf(table: JsonObject): { readonly node?: string } {
  return present('node', textAt(table, 'node'));
}

function readCount(table: JsonObject): Occurrence {
  const exact = numberAt(table, 'count');
  if (exact !== undefined) return { atLeast: exact, atMost: exact };
  const atMost = numberAt(table, 'at_most') ?? null;
  return { atLeast: numberAt(table, 'at_least') ?? (atMost === null ? 1 : 0), atMost };
}
