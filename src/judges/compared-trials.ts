import type { MessagePart } from '../types/message.ts';
import type { TrialRecord, Turn } from '../types/record.ts';
import { textOf } from '../values/message-text.ts';

/** Two records that differ in nothing but the last answer. */
export interface ComparedTrials {
  readonly trial: TrialRecord;
  /** The same trial, as if it had ended with the other answer. */
  readonly other: TrialRecord;
}

/**
 * A trial beside an answer that it is compared with: all that was said and done stays in both, so that nothing but the
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
