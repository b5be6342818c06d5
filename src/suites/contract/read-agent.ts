import { hintFor } from '../../text/did-you-mean.ts';
import type { Pointer } from '../../source/place-tree.ts';
import type { Agent, AgentProxy, AgentTarget } from '../../types/agent.ts';
import type { JsonObject } from '../../types/json.ts';
import { numberAt, tableAt, textAt, textsAt, valueAt } from '../../workflow/raw-data.ts';
import { AGENT_TYPES } from './agent-schema.ts';
import { callableAt, readAgentModule, readReset } from './agent-parts.ts';
import { requiredText } from '../../workflow/required-values.ts';
import type { Reading } from './reading.ts';

const AT: Pointer = ['agent'];
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const DEFAULT_TIMEOUT_MS = 30_000;
/** What the reference always uses. */
const DEFAULT_RETRIES = 2;

/** The subject under `[agent]`; null when it cannot be called as it is described, which is reported. */
export function readAgent(reading: Reading): Agent | null {
  const { data } = reading.document;
  const table = tableAt(data, 'agent');
  const target = readTarget(table, reading);
  const reset = readReset(table, AT, reading);
  checkTimeouts(table, reading);
  checkStateless(table, reading);
  if (target === null) return null;
  const isStateless = valueAt(table, 'stateless') === true;
  return {
    target,
    timeoutMs: numberAt(table, 'timeout_ms') ?? numberAt(table, 'timeout') ?? DEFAULT_TIMEOUT_MS,
    retries: numberAt(table, 'retries') ?? numberAt(tableAt(data, 'advanced'), 'retries') ?? DEFAULT_RETRIES,
    reset: isStateless ? null : reset,
    atOnce: isStateless ? atOnceIn(table, data) : null,
    isolation: textAt(table, 'isolation') === 'trial' ? 'trial' : 'cell',
    proxy: readProxy(table, reading),
  };
}

function readTarget(table: JsonObject, reading: Reading): AgentTarget | null {
  switch (typeOf(table)) {
    case 'http':
      return readHttp(table, reading);
    case 'command':
      return readCommand(table, reading);
    case 'module':
      return readAgentModule(table, AT, reading);
    case 'python':
      return readPython(table, reading, false);
    case 'langchain':
      return readPython(table, reading, true);
  }
}

/** What `type` says, else what the keys say that only one type has. */
function typeOf(table: JsonObject): (typeof AGENT_TYPES)[number] {
  const written = textAt(table, 'type');
  const type = AGENT_TYPES.find((word) => word === written);
  if (type !== undefined) return type;
  const has = (key: string): boolean => valueAt(table, key) !== undefined;
  if (has('endpoint')) return 'http';
  return (['command', 'module', 'python'] as const).find(has) ?? 'http';
}

function readHttp(table: JsonObject, { report }: Reading): AgentTarget {
  const url = requiredText(table, 'endpoint', AT, report, 'Write the URL of the agent.');
  if (url !== '' && !/^(?:https?:\/\/|\$)/i.test(url)) {
    report({
      code: 'bad_value',
      message: `"agent.endpoint" is no URL: ${JSON.stringify(url)}.`,
      at: [...AT, 'endpoint'],
      hint: 'Write it with http:// or https:// in front; a Python agent has type = "python".',
    });
  }
  const method = (textAt(table, 'method') ?? 'POST').toUpperCase();
  if (!METHODS.includes(method)) {
    report({
      code: 'not_allowed',
      message: `"agent.method" cannot be "${textAt(table, 'method') ?? ''}".`,
      at: [...AT, 'method'],
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

function readCommand(table: JsonObject, { report }: Reading): AgentTarget | null {
  const command = textsAt(table, 'command');
  if (command[0] !== undefined && command[0] !== '') return { kind: 'command', command };
  report({
    code: 'missing_key',
    message: 'The agent needs a program: "agent.command" names it and its arguments.',
    at: valueAt(table, 'command') === undefined ? AT : [...AT, 'command'],
    hint: 'Write it so: command = ["node", "agent.js"].',
  });
  return null;
}

function readPython(table: JsonObject, reading: Reading, langchain: boolean): AgentTarget | null {
  const key = valueAt(table, 'python') === undefined ? 'endpoint' : 'python';
  const callable = callableAt(table, key, AT, reading);
  return callable === null ? null : { kind: 'python', ...callable, langchain };
}

function readProxy(table: JsonObject, { report }: Reading): AgentProxy | null {
  const port = numberAt(table, 'proxy_port');
  const upstream = textAt(table, 'upstream');
  const tools = textMap(table, 'proxy_tools');
  const isAsked = port !== undefined || upstream !== undefined || Object.keys(tools).length > 0;
  const places: readonly (readonly [string, Pointer])[] = [
    ...(upstream === undefined ? [] : [[upstream, [...AT, 'upstream']] as const]),
    ...Object.entries(tools).map(([name, url]) => [url, [...AT, 'proxy_tools', name]] as const),
  ];
  for (const [url, at] of places) {
    if (/^https?:\/\//i.test(url) && URL.canParse(url)) continue;
    report({
      code: 'bad_value',
      message: `"${at.join('.')}" is no URL: ${JSON.stringify(url)}.`,
      at,
      hint: 'Write it with http:// or https:// in front.',
    });
  }
  return isAsked ? { port: port ?? 0, upstream: upstream ?? null, tools } : null;
}

/** What the reference asks at a time. */
const DEFAULT_CONCURRENCY = 10;

function atOnceIn(table: JsonObject, data: JsonObject): number {
  const written = numberAt(table, 'concurrency') ?? numberAt(tableAt(data, 'advanced'), 'concurrency');
  return Math.max(1, written ?? DEFAULT_CONCURRENCY);
}

/** Keys that say nothing, of which the reader might think otherwise. */
function checkStateless(table: JsonObject, { report }: Reading): void {
  const isStateless = valueAt(table, 'stateless') === true;
  const idle = isStateless ? ['reset_endpoint', 'reset_function', 'isolation'] : ['concurrency'];
  for (const key of idle) {
    if (valueAt(table, key) === undefined) continue;
    report({
      code: 'ignored_key',
      severity: 'warning',
      message: isStateless
        ? `"agent.${key}" has no effect: an agent that is stateless is never reset.`
        : '"agent.concurrency" has no effect: an agent that may keep state is asked one thing at a time.',
      at: [...AT, key],
      part: 'key',
      hint: isStateless ? 'Keep one of the two.' : 'Say stateless = true where it keeps nothing from call to call.',
    });
  }
}

function textMap(table: JsonObject, key: string): Readonly<Record<string, string>> {
  const entries = Object.entries(tableAt(table, key));
  return Object.fromEntries(entries.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])));
}

function checkTimeouts(table: JsonObject, { report }: Reading): void {
  if (valueAt(table, 'timeout') === undefined || valueAt(table, 'timeout_ms') === undefined) return;
  report({
    code: 'conflicting_keys',
    message: 'The agent has both timeout and timeout_ms.',
    at: [...AT, 'timeout_ms'],
    part: 'key',
    hint: 'Keep one of them.',
  });
}
