import { type Arm, ARMS, type CanaryOutcome } from '../types/canary/outcome.ts';
import type { RefusalCode } from '../types/canary/canary-report.ts';
import { isDay, momentOf } from '../text/moment.ts';
import { isRecord } from '../values/is-json.ts';
import { jsonIn } from '../values/json-in.ts';
import { repeatedKey } from '../values/repeated-key.ts';

/** Longest text of a field. */
const LONGEST = 500;

/** The outcome in a line of JSON, or why it cannot be counted. Keys beyond those of an outcome are left alone. */
export function readOutcome(line: string): CanaryOutcome | RefusalCode {
  const value = jsonIn(line);
  if (!isRecord(value)) return 'not_json';
  if (repeatedKey(line) !== null) return 'bad_field';
  const id = textOf(value['id']);
  if (id === undefined || id === null || id === '') return id === undefined ? 'bad_field' : 'no_id';
  const at = textOf(value['at']);
  const atMs = timeOf(at);
  if (atMs === null) return at === null || at === '' ? 'no_time' : 'bad_field';
  const arm = ARMS.find((one) => one === value['arm']);
  if (arm === undefined) return value['arm'] === undefined || value['arm'] === null ? 'no_arm' : 'bad_field';
  const version = textOf(value['version']);
  if (version === undefined) return 'bad_field';
  if (version === null || version === '') return 'no_version';
  const [error, violation, key] = [saidOf(value['error']), saidOf(value['violation']), textOf(value['key'])];
  const [costUsd, latencyMs] = [amountOf(value['cost_usd']), amountOf(value['latency_ms'])];
  const percent = amountOf(value['percent']);
  const { passed } = value;
  const isVerdict = typeof passed === 'boolean';
  if (!isVerdict && passed !== undefined && passed !== null) return 'bad_field';
  if (error === undefined || violation === undefined || key === undefined) return 'bad_field';
  if (costUsd === undefined || latencyMs === undefined || percent === undefined) return 'bad_field';
  if (!isVerdict && error === null) return 'no_verdict';
  return {
    id,
    atMs,
    arm,
    version,
    passed: isVerdict && error === null ? passed : null,
    violation,
    costUsd,
    latencyMs,
    key,
    percent,
  };
}

/** What can be made out of a line that is no outcome; null: that is not known. */
export interface UnreadOutcome extends Pick<CanaryOutcome, 'percent' | 'violation'> {
  readonly id: string | null;
  readonly atMs: number | null;
  readonly arm: Arm | null;
  readonly version: string | null;
}

/** What a line says of an outcome that `readOutcome` refuses. A violation in any form is one. */
export function readUnread(line: string): UnreadOutcome {
  const parsed = jsonIn(line);
  const value = isRecord(parsed) ? parsed : {};
  const atMs = timeOf(textOf(value['at']));
  const said = saidOf(value['violation']);
  // A number is no violation: 0 may say that there is none.
  const isUnreadable = said === undefined && typeof value['violation'] !== 'number';
  return {
    id: textOf(value['id']) ?? null,
    atMs,
    arm: ARMS.find((one) => one === value['arm']) ?? null,
    version: textOf(value['version']) || null,
    violation: isUnreadable ? 'not said' : (said ?? null),
    percent: amountOf(value['percent']) ?? null,
  };
}

/** Null: it is no time. A day alone is none. */
function timeOf(at: string | null | undefined): number | null {
  return typeof at === 'string' && !isDay(at) ? momentOf(at) : null;
}

/** Null: there is none; undefined: it is no text that a field may have. */
function textOf(value: unknown): string | null | undefined {
  if (value === undefined || value === null) return null;
  return typeof value === 'string' && value.length <= LONGEST ? value : undefined;
}

/** A text, or true for one that nobody wrote down; false and '' say that there is none. */
function saidOf(value: unknown): string | null | undefined {
  if (value === true) return 'not said';
  if (value === false || value === '') return null;
  return textOf(value);
}

function amountOf(value: unknown): number | null | undefined {
  if (value === undefined || value === null) return null;
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}
