import type { Json, JsonObject } from '../../types/json.ts';
import type { Call, TrialRecord, Turn } from '../../types/record.ts';
import type { ToolCall } from '../../types/session.ts';
import type { RecordedAnswer } from '../../types/sessions/recorded-tools.ts';
import { isJsonArray, isJsonObject } from '../../values/is-json.ts';
import { textOf } from '../../values/message-text.ts';
import { withoutNulls } from '../../values/without-nulls.ts';

/** Why a trace is not imported, in the order in which they are looked for. */
export const REFUSALS = [
  'unreadable',
  'no_id',
  'not_consented',
  'incomplete',
  'clock_went_back',
  'no_messages',
  'not_text',
  'begins_with_agent',
  'unanswered',
  'unseen_arguments',
  'call_without_result',
  'too_large',
  'does_not_replay',
] as const;
export type Refusal = (typeof REFUSALS)[number];

/** A message of the user, and what the agent did on it. */
export interface DraftStep {
  readonly user: string;
  readonly calls: readonly ToolCall[];
  readonly says: string;
}

/** A recorded conversation that can be held again. */
export interface TraceDraft {
  readonly traceId: string;
  readonly format: string;
  readonly task: string;
  /** What the source says came of it; null: nobody judged it. */
  readonly passed: boolean | null;
  readonly system: string | null;
  readonly steps: readonly DraftStep[];
  readonly answers: readonly RecordedAnswer[];
}

export interface RefusedTrace {
  readonly reason: Refusal;
  /** In words; may quote the trace. */
  readonly why: string;
}

/** What of a recorded trial can be held again as a session, or why nothing can. Pure. */
export function traceDraft(record: TrialRecord, format: string): TraceDraft | RefusedTrace {
  const { recording, ending, turns, claimed } = record;
  const calls = record.calls ?? [];
  if (recording === undefined || ending.status === 'broken') {
    return refused('unreadable', ending.status === 'broken' ? ending.reason : 'It is no recorded trace.');
  }
  const { id, unsaid, task } = recording;
  if (id === null || id === '') return refused('no_id', 'It has no id, by which it could be told from others.');
  if (record.cuts.length > 0) return refused('incomplete', 'Parts of it were cut to keep it short.');
  const gap = unsaid['calls'] ?? (turns.length === 0 ? undefined : unsaid['messages']);
  if (gap !== undefined) return refused('incomplete', `Of its steps, ${gap}.`);
  if (unsaid['order'] !== undefined) return refused('clock_went_back', `Of its steps, ${unsaid['order']}.`);
  const spoken = turns.filter(({ role }) => role === 'user' || role === 'assistant');
  if (spoken.length === 0) return refused('no_messages', unsaid['messages'] ?? 'It tells nothing of what was said.');
  if (turns.some(({ parts }) => parts.some(({ kind }) => kind === 'media'))) {
    return refused('not_text', 'It has images, sounds or documents, which no scrubber looks into.');
  }
  if (spoken[0]?.role !== 'user') return refused('begins_with_agent', 'Its first message is not the user’s.');
  const unseen = calls.find(({ args }) => args !== null && !isJsonObject(args));
  if (unseen !== undefined) {
    return refused('unseen_arguments', `The arguments of a call of ${nameOf(unseen)} are no object.`);
  }
  const silent = calls.find((call) => !hasResult(call, turns));
  if (silent !== undefined) return refused('call_without_result', `A call of ${nameOf(silent)} has no result.`);
  if (calls.some(({ args, result }) => isUnsafe(args) || isUnsafe(result))) {
    return refused('unreadable', 'It has keys such as __proto__, or is nested deeper than 100 times.');
  }
  if (calls.some((call) => hasNullEntry(argsOf(call)))) {
    return refused(
      'unreadable',
      'A list in the arguments of a call has null in it, which session files have no word for.',
    );
  }
  const steps = stepsOf(turns, calls);
  if (steps.some(({ says }) => says === '')) {
    return refused('unanswered', 'It is half a conversation: a message of the user has no answer in words.');
  }
  const systems = turns.filter(({ role }) => role === 'system').map(({ parts }) => textOf(parts));
  return {
    traceId: id,
    format,
    task,
    passed: claimed === null ? null : claimed.verdict === 'pass',
    system: systems.length === 0 ? null : [...new Set(systems)].join('\n\n'),
    steps,
    answers: calls.map((call) => ({
      tool: nameOf(call),
      args: argsOf(call),
      result: call.problem === null ? call.result : null,
      problem: call.problem,
    })),
  };
}

export function isRefused(draft: TraceDraft | RefusedTrace): draft is RefusedTrace {
  return 'reason' in draft;
}

function refused(reason: Refusal, why: string): RefusedTrace {
  return { reason, why };
}

function nameOf({ names }: Call): string {
  return names[0] ?? '';
}

function argsOf({ args }: Call): JsonObject {
  return isJsonObject(args) ? withoutNulls(args) : {};
}

/** A result may be null, where a message says so; else nothing was told of it. */
function hasResult({ names, result, problem }: Call, turns: readonly Turn[]): boolean {
  if (result !== null || problem !== null) return true;
  return turns.some(({ parts }) =>
    parts.some((part) => part.kind === 'tool_result' && part.name === names[0] && part.result === null),
  );
}

const DEEPEST = 100;

function hasNullEntry(value: Json): boolean {
  if (isJsonArray(value)) return value.some((entry) => entry === null || hasNullEntry(entry));
  return isJsonObject(value) && Object.values(value).some((entry) => hasNullEntry(entry));
}

/** Keys that no file may have, and values that nest too deep. */
function isUnsafe(value: Json, depth = 0): boolean {
  if (depth > DEEPEST) return true;
  if (isJsonArray(value)) return value.some((entry) => isUnsafe(entry, depth + 1));
  if (!isJsonObject(value)) return false;
  return Object.entries(value).some(
    ([key, entry]) => ['__proto__', 'constructor', 'prototype'].includes(key) || isUnsafe(entry, depth + 1),
  );
}

/** Messages of the user in their order, each with the calls that messages show behind it; calls that none shows come last. */
function stepsOf(turns: readonly Turn[], calls: readonly Call[]): readonly DraftStep[] {
  const steps: { user: string; calls: ToolCall[]; says: string }[] = [];
  const left = [...calls];
  for (const { role, parts } of turns) {
    const last = steps.at(-1);
    const text = textOf(parts);
    if (role === 'user') {
      // What a user writes before anybody answers is one message.
      if (last !== undefined && last.says === '' && last.calls.length === 0) last.user += `\n\n${text}`;
      else steps.push({ user: text, calls: [], says: '' });
      continue;
    }
    if (role !== 'assistant' || last === undefined) continue;
    for (const part of parts) {
      if (part.kind !== 'tool_call') continue;
      const at = left.findIndex((call) => nameOf(call) === part.name);
      const [call] = at < 0 ? [] : left.splice(at, 1);
      if (call !== undefined) last.calls.push({ name: nameOf(call), args: argsOf(call) });
    }
    if (text !== '') last.says = last.says === '' ? text : `${last.says}\n\n${text}`;
  }
  steps.at(-1)?.calls.push(...left.map((call) => ({ name: nameOf(call), args: argsOf(call) })));
  return steps;
}
