import { draw, hashText, STREAM } from '../src/random/draw.ts';
import type { Json, JsonObject } from '../src/types/json.ts';
import type { SeedWords } from '../src/types/plan.ts';
import type { ErrorCategory } from '../src/types/trial.ts';
import type { Retry, Workflow } from '../src/types/workflow.ts';

/** 3.3: the node a walk begins at. */
export function entryOf({ startNodes, nodes, edges }: Workflow, start: string | undefined): string {
  const chosen = start === undefined ? startNodes[0] : startNodes.find(({ name }) => name === start);
  const root = nodes.find(({ id }) => edges.every(({ to }) => to !== id));
  const entry = chosen?.entryNode ?? root?.id;
  if (entry === undefined) throw new Error(`start ${start} leads nowhere`);
  return entry;
}

/** 3.4: the entry `trigger` of a new context. */
export function triggerOf(kind: string, payload: Json): Json {
  return isObject(payload) ? { kind, ...payload } : { kind, input: payload };
}

/** 3.4: what a context path's segments after the first lead to. */
export function lookUpPath(root: Json | undefined, segments: readonly string[]): Json | undefined {
  let found = root;
  for (const segment of segments) {
    if (Array.isArray(found)) found = /^\+?[0-9]+$/.test(segment) ? (found[Number(segment)] as Json) : undefined;
    else if (isObject(found)) found = Object.hasOwn(found, segment) ? found[segment] : undefined;
    else return undefined;
  }
  return found;
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Where a retry is decided; its jitter is drawn for exactly this place. */
export interface RetryPlace {
  /** The name of the walk. */
  readonly walk: string;
  readonly node: string;
  readonly visit: number;
  readonly attempt: number;
}

/** 5.6: how long to wait before the next attempt; null: there is none. */
export function retryWaitUs(
  retry: Retry | undefined,
  category: ErrorCategory,
  { walk, node, visit, attempt }: RetryPlace,
  { trial, plan }: { readonly trial: number; readonly plan: { readonly words: SeedWords } },
): number | null {
  if (retry === undefined || category === 'policy') return null;
  if (attempt >= Math.max(1, retry.maxAttempts)) return null;
  if (retry.on === 'transient' && category !== 'tool' && category !== 'intelligence' && category !== 'mcp') return null;
  const waitUs = retry.backoffMs * 1000 * attempt;
  const jitter = Math.min(Math.max(retry.jitter, 0), 0.5);
  if (jitter === 0) return waitUs;
  const drawn = draw(plan.words, trial, STREAM.jitter, hashText(`${walk}:${node}`), visit * 1024 + attempt);
  return Math.round(waitUs * (1 - jitter + 2 * jitter * (drawn / 2 ** 32)));
}

const PREFIXES: Readonly<Record<ErrorCategory, string>> = {
  config: 'configuration error: ',
  workflow: 'workflow `NAME`: ',
  policy: 'policy violation: ',
  capability: 'capability unavailable: ',
  tool: 'tool `TYPE` failed: ',
  intelligence: 'intelligence call failed: ',
  mcp: 'mcp: ',
  schema: 'schema validation failed: ',
  timeout: 'timeout after ',
  io: 'io error: ',
  json: 'json error: ',
};

/** 5.7: an error's text with its category's prefix. */
export function fullText(category: ErrorCategory, message: string, type: string, workflow: string): string {
  const prefix = PREFIXES[category].replace('NAME', () => workflow).replace('TYPE', () => type);
  return prefix + message;
}

/** 5.6: a wait as error texts show it. */
export function shortDuration(us: number): string {
  if (us === 0) return '0ns';
  if (us < 1_000) return `${us}µs`;
  return us < 1_000_000 ? `${us / 1_000}ms` : `${us / 1_000_000}s`;
}
