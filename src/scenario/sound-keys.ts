import { isTable } from '../source/json-schema.ts';
import type { Json, JsonObject } from '../types/json.ts';
import { numberAt, tableAt, textsAt } from '../workflow/raw-data.ts';
import { isCapability } from './check-keys.ts';
import { COUNTER_KEYS } from './expected-schema.ts';

/**
 * True only of scenarios about whose own keys no rule of `checkKeys` has anything to say, found with one look at each;
 * false also of all that have keys which some rule looks into.
 */
export function areKeysSound(data: JsonObject): boolean {
  if (data.timeout_secs !== undefined && data.timeout_ms !== undefined) return false;
  const { inline, path } = tableAt(data, 'workflow');
  if ((inline === undefined) === (path === undefined)) return false;
  for (const capability of textsAt(data, 'capabilities')) if (!isCapability(capability)) return false;
  const world = tableAt(data, 'world');
  if (world.http !== undefined || world.processes !== undefined) return false;
  return areExpectationsSound(tableAt(data, 'expected'));
}

function areExpectationsSound(expected: JsonObject): boolean {
  let assertsSomething = false;
  for (const key of Object.keys(expected)) {
    if (!PLAIN.has(key)) return false;
    assertsSomething ||= !isEmptyList(expected[key]);
    if (key.startsWith('min_') && isAbove(expected, key)) return false;
  }
  return assertsSomething;
}

/** Keys of `[expected]` that no rule looks into, but for what bounds say of each other. */
const PLAIN: ReadonlySet<string> = new Set([
  ...['status', 'stopped_by', 'last_node', 'errored_node', 'reason_contains', 'reason_equals', 'path'],
  ...['forbidden_nodes', ...COUNTER_KEYS.flatMap(([, , minKey, maxKey]) => [minKey, maxKey])],
]);

function isAbove(expected: JsonObject, minKey: string): boolean {
  const min = numberAt(expected, minKey);
  const max = numberAt(expected, `max_${minKey.slice('min_'.length)}`);
  return min !== undefined && max !== undefined && min > max;
}

function isEmptyList(value: Json | undefined): boolean {
  return typeof value === 'object' && (value === null || Object.keys(value).length === 0);
}

/** True only of scenarios about whose turns and faults `checkTurns` has nothing to say. */
export function areTurnsSound(data: JsonObject): boolean {
  if (data.faults !== undefined) return false;
  const { turns } = tableAt(data, 'intel');
  if (turns === undefined) return true;
  if (!Array.isArray(turns)) return false;
  for (const turn of turns as readonly Json[]) if (!isTurnSound(turn)) return false;
  return true;
}

function isTurnSound(turn: Json): boolean {
  if (!isTable(turn) || turn.id !== undefined || turn.repeat !== undefined || turn.fault !== undefined) return false;
  const { variants } = turn;
  if (variants === undefined) return true;
  if (!Array.isArray(variants)) return false;
  for (const variant of variants as readonly Json[]) if (!isTable(variant) || variant.fault !== undefined) return false;
  if (variants.length === 0) return true;
  return turn.content === undefined && turn.prompt_tokens === undefined && turn.completion_tokens === undefined;
}
