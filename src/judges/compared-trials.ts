import type { MessagePart } from '../types/message.ts';
import type { TrialRecord, Turn } from '../types/record.ts';
import { textOf } from '../values/message-text.ts';

/** Two records of one task: the trial, and what it is compared with. */
export interface ComparedTrials {
  readonly trial: TrialRecord;
  readonly other: TrialRecord;
}

/**
 * A trial beside the same trial, as if it had ended with the answer that it is compared with: all that was said and done stays in both, so that nothing but the
 * answer tells them apart. What the subject thought before it answered is left out of both. Where it said nothing, the
 * other answer stands where its own would.
 */
export function comparedTrials(record: TrialRecord, answer: string): ComparedTrials {
  const { turns } = record;
  const last = turns.findLastIndex(
    ({ role, parts }) => role === 'assistant' && parts.some(({ kind }) => kind === 'text'),
  );
  const own = turns[last];
  const said: MessagePart = { kind: 'text', text: answer };
  const other: Turn = { role: 'assistant', parts: [said], intended: null, answer: null };
  if (own === undefined) return { trial: record, other: { ...record, turns: [...turns, other] } };
  const silent = own.parts.filter(({ kind }) => kind !== 'text' && kind !== 'reasoning');
  const spoken = own.parts.filter(({ kind }) => kind !== 'reasoning');
  return {
    trial: endingWith(record, last, { ...own, parts: spoken }),
    other: endingWith(record, last, { ...other, parts: [said, ...silent] }),
  };
}

/** Two trials of one task, without what either subject thought: not every one tells it, and longer is not better. */
export function besideTrial(record: TrialRecord, other: TrialRecord): ComparedTrials {
  return { trial: withoutThoughts(record), other: withoutThoughts(other) };
}

function withoutThoughts(record: TrialRecord): TrialRecord {
  const turns = record.turns.map((turn) => ({ ...turn, parts: turn.parts.filter(({ kind }) => kind !== 'reasoning') }));
  return { ...record, turns };
}

/** The trial with another turn. The call of a model that gave an answer repeats it, and so must say the same. */
function endingWith(record: TrialRecord, at: number, turn: Turn): TrialRecord {
  const { turns, calls } = record;
  const text = textOf(turn.parts);
  return {
    ...record,
    turns: turns.with(at, turn),
    calls: calls?.map((call) => (call.port === 'model' && call.turn === at ? { ...call, result: text } : call)) ?? null,
  };
}
