import type { Pointer } from '../../source/place-tree.ts';
import { hintFor } from '../../text/did-you-mean.ts';
import type { AgentTarget } from '../../types/agent.ts';
import type { JsonObject } from '../../types/json.ts';
import { numberAt, tableAt, textAt, textsAt, valueAt } from '../../workflow/raw-data.ts';
import { requiredText } from '../../workflow/required-values.ts';
import { namedCode } from '../../scenario/objects/named-code.ts';
import { callableAt, keyName, readAgentModule, tellSecrets } from './agent-parts.ts';
import { AGENT_TYPES } from './agent-schema.ts';
import type { Reading } from './reading.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const DEFAULT_TIMEOUT_MS = 30_000;

/** What an agent is and how it is called; null when it cannot be called as it is described, which is reported. */
export function readTarget(table: JsonObject, at: Pointer, reading: Reading): AgentTarget | null {
  const code = namedCode(reading.document, [...at, 'function'], reading.places);
  if (code !== null) return readFunction(table, at, { code, reading });
  tellSecrets(table, at, reading);
  switch (typeOf(table)) {
    case 'http':
      return readHttp(table, at, reading);
    case 'command':
      return readCommand(table, at, reading);
    case 'module':
      return readAgentModule(table, at, reading);
    case 'python':
      return readPython(table, { at, reading, langchain: false });
    case 'langchain':
      return readPython(table, { at, reading, langchain: true });
  }
}

/** What `type` says, else what the keys say that only one type has. */
export function typeOf(table: JsonObject): (typeof AGENT_TYPES)[number] {
  const written = textAt(table, 'type');
  const type = AGENT_TYPES.find((word) => word === written);
  if (type !== undefined) return type;
  const has = (key: string): boolean => valueAt(table, key) !== undefined;
  if (has('endpoint')) return 'http';
  return (['command', 'module', 'python'] as const).find(has) ?? 'http';
}

/** Keys that say who answers. */
const ANSWERERS = ['type', 'endpoint', 'command', 'module', 'python'];

function readFunction(
  table: JsonObject,
  at: Pointer,
  { code, reading: { report } }: { readonly code: string; readonly reading: Reading },
): AgentTarget {
  const other = ANSWERERS.find((key) => valueAt(table, key) !== undefined);
  if (other !== undefined) {
    report({
      code: 'conflicting_keys',
      message: `The agent is a function of the program, and "${keyName(at, other)}" names another one.`,
      at: [...at, other],
      hint: 'Keep one of them.',
    });
  }
  return { kind: 'function', code };
}

function readHttp(table: JsonObject, at: Pointer, { report }: Reading): AgentTarget {
  const url = requiredText(table, 'endpoint', at, report, 'Write the URL of the agent.');
  if (url !== '' && !/^(?:https?:\/\/|\$)/i.test(url)) {
    report({
      code: 'bad_value',
      message: `"${keyName(at, 'endpoint')}" is no URL: ${JSON.stringify(url)}.`,
      at: [...at, 'endpoint'],
      hint: 'Write it with http:// or https:// in front; a Python agent has type = "python".',
    });
  }
  const method = (textAt(table, 'method') ?? 'POST').toUpperCase();
  if (!METHODS.includes(method)) {
    report({
      code: 'not_allowed',
      message: `"${keyName(at, 'method')}" cannot be "${textAt(table, 'method') ?? ''}".`,
      at: [...at, 'method'],
      hint: hintFor(method, METHODS, 'methods'),
    });
  }
  return {
    kind: 'http',
    url,
    method,
    headers: textMap(table, 'headers'),
    query: textMap(table, 'query_params'),
    requestTemplate: textAt(table, 'request_template') ?? null,
    responsePath: textAt(table, 'response_path') ?? null,
    parseStructuredInput: valueAt(table, 'parse_structured_input') !== false,
  };
}

function readCommand(table: JsonObject, at: Pointer, { report }: Reading): AgentTarget | null {
  const command = textsAt(table, 'command');
  if (command[0] !== undefined && command[0] !== '') return { kind: 'command', command };
  report({
    code: 'missing_key',
    message: `The agent needs a program: "${keyName(at, 'command')}" names it and its arguments.`,
    at: valueAt(table, 'command') === undefined ? at : [...at, 'command'],
    hint: 'Write it so: command = ["node", "agent.js"].',
  });
  return null;
}

function readPython(
  table: JsonObject,
  { at, reading, langchain }: { readonly at: Pointer; readonly reading: Reading; readonly langchain: boolean },
): AgentTarget | null {
  const key = valueAt(table, 'python') === undefined ? 'endpoint' : 'python';
  const callable = callableAt(table, key, at, reading);
  return callable === null
    ? null
    : { kind: 'python', ...callable, langchain, inputKey: textAt(table, 'input_key') ?? null };
}

/** Milliseconds of one call, retries included. */
export function callTimeoutMs(table: JsonObject): number {
  return numberAt(table, 'timeout_ms') ?? numberAt(table, 'timeout') ?? DEFAULT_TIMEOUT_MS;
}

/** Tells a time limit that stands there twice. */
export function checkTimeouts(table: JsonObject, at: Pointer, { report }: Reading): void {
  if (valueAt(table, 'timeout') === undefined || valueAt(table, 'timeout_ms') === undefined) return;
  report({
    code: 'conflicting_keys',
    message: 'The agent has both timeout and timeout_ms.',
    at: [...at, 'timeout_ms'],
    part: 'key',
    hint: 'Keep one of them.',
  });
}

/** The texts of a table, by their keys. */
export function textMap(table: JsonObject, key: string): Readonly<Record<string, string>> {
  const entries = Object.entries(tableAt(table, key));
  return Object.fromEntries(entries.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])));
}
