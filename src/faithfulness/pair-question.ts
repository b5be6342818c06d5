import { unreadable, type UnreadableVerdict } from '../judges/answer-objects.ts';
import type { JudgeQuestion } from '../judges/judge-prompt.ts';
import type { Message } from '../types/message.ts';

/** The question to a model that scores pairs: how far each context supports each claim. */
export function scoringQuestion(claims: readonly string[], contexts: readonly string[]): JudgeQuestion {
  const says = (texts: readonly string[]): Message => ({
    role: 'user',
    parts: texts.map((text) => ({ kind: 'text', text })),
  });
  return { ok: true, mark: '', messages: [says(claims), says(contexts)] };
}

export type PairReading =
  | {
      readonly ok: true;
      /** Of each claim with the context that supports it best, from 0 to 1. */
      readonly scores: readonly number[];
    }
  | UnreadableVerdict;

/** What such a model answered: `{ scores }`, a row for each claim and in it a score for each context, or an error. */
export function readPairScores(text: string, claims: number, contexts: number): PairReading {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return unreadable('no_verdict', 'The answer is no JSON.');
  }
  const rows = typeof value === 'object' && value !== null && 'scores' in value ? value.scores : null;
  const isWhole =
    Array.isArray(rows) &&
    rows.length === claims &&
    rows.every((row) => Array.isArray(row) && row.length === contexts && row.every(isScore));
  if (!isWhole || contexts === 0) {
    return unreadable('wrong_value', `The answer has no score from 0 to 1 for each of ${claims} × ${contexts} pairs.`);
  }
  return { ok: true, scores: (rows as readonly (readonly number[])[]).map((row) => Math.max(...row)) };
}

function isScore(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value <= 1;
}
