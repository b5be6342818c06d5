import type { AnswerFacts, Call, TrialRecord, Turn } from '../../types/record.ts';
import type { FailureDetail, RecordedTrace } from '../../types/scenarios/failure-report.ts';
import { isRecord } from '../../values/is-json.ts';
import { jsonIn } from '../../values/json-in.ts';

/** True: JSON text of a `FailureDetail` of this trial, as far as reports rely on it. */
export function isDetailOf(text: string, trial: number): boolean {
  const parsed: unknown = jsonIn(text);
  if (typeof parsed !== 'object' || parsed === null) return false;
  const detail: { readonly [K in keyof FailureDetail]?: unknown } = parsed;
  return (
    detail.trial === trial &&
    (detail.verdict === 'failed' || detail.verdict === 'broken') &&
    Array.isArray(detail.findings) &&
    detail.findings.every((finding: unknown) => typeof finding === 'object' && finding !== null) &&
    isTexts(detail.path) &&
    [detail.status, detail.stoppedBy, detail.reason, detail.brokenBy].every(isTextOrNull) &&
    (detail.fired === undefined || isTexts(detail.fired)) &&
    (detail.trace === undefined || isRecorded(detail.trace)) &&
    (detail.record === undefined || isShownRecord(detail.record))
  );
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((text: unknown) => typeof text === 'string');
}

function isRecorded(trace: unknown): boolean {
  if (typeof trace !== 'object' || trace === null) return false;
  const { events, omitted }: { readonly [K in keyof RecordedTrace]?: unknown } = trace;
  return (
    typeof omitted === 'number' &&
    Array.isArray(events) &&
    events.every((event: unknown) => typeof event === 'object' && event !== null)
  );
}

type Unknown<T> = { readonly [K in keyof T]?: unknown };

function isShownRecord(record: unknown): boolean {
  if (!isRecord(record)) return false;
  const { turns, calls }: Unknown<TrialRecord> = record;
  return (
    Array.isArray(turns) && turns.every(isTurn) && (calls === null || (Array.isArray(calls) && calls.every(isCall)))
  );
}

function isTurn(turn: unknown): boolean {
  if (!isRecord(turn)) return false;
  const { role, parts, intended, answer }: Unknown<Turn> = turn;
  return (
    typeof role === 'string' &&
    Array.isArray(parts) &&
    parts.every((part) => isRecord(part) && (part.kind !== 'text' || typeof part.text === 'string')) &&
    isTextOrNull(intended) &&
    (answer === null || isAnswer(answer))
  );
}

function isAnswer(answer: unknown): boolean {
  if (!isRecord(answer)) return false;
  const { problem, asked, struckBy, showsCalls, latencyMs, tokens }: Unknown<AnswerFacts> = answer;
  return (
    isTextOrNull(problem) &&
    typeof asked === 'boolean' &&
    isTexts(struckBy) &&
    typeof showsCalls === 'boolean' &&
    [latencyMs, tokens].every((measured) => measured === null || typeof measured === 'number')
  );
}

function isCall(call: unknown): boolean {
  if (!isRecord(call)) return false;
  const { port, names, turn, struckBy }: Unknown<Call> = call;
  return typeof port === 'string' && isTexts(names) && typeof turn === 'number' && isTexts(struckBy);
}

function isTextOrNull(value: unknown): boolean {
  return value === null || typeof value === 'string';
}

/** True: positions of checks, ascending, joined with commas. */
export function isClassKey(key: string, checks: number): boolean {
  if (key === '') return true;
  let last = -1;
  for (const part of key.split(',')) {
    const check = Number(part);
    if (String(check) !== part || !Number.isInteger(check) || check <= last || check >= checks) return false;
    last = check;
  }
  return true;
}
