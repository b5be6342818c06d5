import { isTable } from '../source/json-schema.ts';
import type { Json, JsonObject } from '../types/json.ts';
import type { BodyMatch, HttpMatch, ProcessMatch, TextMatch } from '../types/mock.ts';
import { tableAt, textAt, textsAt, valueAt } from '../workflow/raw-data.ts';

/** Tests of HTTP requests: `target` holds method, URL and query, `content` headers and body. */
export function readHttpMatch(target: JsonObject, content: JsonObject): HttpMatch {
  const method = textAt(target, 'method');
  const methods = method === undefined ? textsAt(target, 'method') : [method];
  const query = valueAt(target, 'query');
  return {
    methods: methods.includes('*') ? [] : methods.map((word) => word.toUpperCase()),
    ...present('url', textAt(target, 'url')),
    ...present('urlMatches', textAt(target, 'url_matches')),
    ...(isTable(query) ? { query: mapValues(query, (value) => listOf(value).map(readText)) } : {}),
    headers: mapValues(tableAt(content, 'headers'), readText),
    body: readBody(content),
  };
}

/** Tests of runs of programs. */
export function readProcessMatch(table: JsonObject): ProcessMatch {
  const args = valueAt(table, 'args');
  return {
    ...present('command', textAt(table, 'command')),
    ...(args === undefined ? {} : { args: listOf(args).map(readText) }),
    argsContain: listOf(valueAt(table, 'args_contain') ?? []).map(readText),
  };
}

/** The same keys with other values; keys are data of the author, never a prototype's. */
export function mapValues<T>(table: JsonObject, read: (value: Json) => T): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(table).map(([key, value]) => [key, read(value)]));
}

/** A key with its value, or nothing where there is no value. */
export function present<K extends string, V>(key: K, value: V | undefined): { readonly [P in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [P in K]?: V });
}

function readBody(content: JsonObject): BodyMatch {
  return {
    ...present('equals', textAt(content, 'body')),
    ...present('contains', textAt(content, 'body_contains')),
    ...present('matches', textAt(content, 'body_matches')),
    ...present('json', valueAt(content, 'body_json')),
  };
}

/** A test of one text. */
export function readText(value: Json): TextMatch {
  if (!isTable(value)) return String(value);
  return { ...present('contains', textAt(value, 'contains')), ...present('matches', textAt(value, 'matches')) };
}

function listOf(value: Json): readonly Json[] {
  return Array.isArray(value) ? value : [value];
}
