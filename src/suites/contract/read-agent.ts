import type { Pointer } from '../../source/place-tree.ts';
import type { Agent, AgentProxy } from '../../types/agent.ts';
import type { JsonObject } from '../../types/json.ts';
import { numberAt, tableAt, textAt, valueAt } from '../../workflow/raw-data.ts';
import { readReset } from './agent-parts.ts';
import { callTimeoutMs, checkTimeouts, readTarget, textMap } from './read-target.ts';
import type { Reading } from './reading.ts';

const AT: Pointer = ['agent'];
/** What the reference always uses. */
export const DEFAULT_RETRIES = 2;

/** The subject under `[agent]`; null when it cannot be called as it is described, which is reported. */
export function readAgent(reading: Reading): Agent | null {
  const { data } = reading.document;
  const table = tableAt(data, 'agent');
  const target = readTarget(table, AT, reading);
  const reset = readReset(table, AT, reading);
  checkTimeouts(table, AT, reading);
  checkStateless(table, reading);
  if (target === null) return null;
  const isStateless = valueAt(table, 'stateless') === true;
  return {
    target,
    timeoutMs: callTimeoutMs(table),
    retries: numberAt(table, 'retries') ?? numberAt(tableAt(data, 'advanced'), 'retries') ?? DEFAULT_RETRIES,
    reset: isStateless ? null : reset,
    atOnce: isStateless ? atOnceIn(table, data) : null,
    isolation: textAt(table, 'isolation') === 'trial' ? 'trial' : 'cell',
    proxy: readProxy(table, reading),
  };
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
export const DEFAULT_CONCURRENCY = 10;

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
