import type { TrialRecord } from '../types/record.ts';
import { COMPLETED, newRecord, promptTurn } from '../values/blank-record.ts';
import { textParts } from '../values/message-text.ts';

export interface AnsweredFacts {
  readonly prompt: string;
  readonly answer: string;
  /** What the answer was made from; absent: nobody says. */
  readonly contexts?: readonly string[];
  readonly trial?: number;
}

/** A trial of which nothing is known but what was asked, what was answered, and from what. */
export function answeredRecord({ prompt, answer, contexts, trial = 0 }: AnsweredFacts): TrialRecord {
  return newRecord({
    trial,
    ending: COMPLETED,
    turns: [promptTurn(prompt), { role: 'assistant', parts: textParts(answer), intended: null, answer: null }],
    calls: [],
    ...(contexts !== undefined && { documents: contexts.map((text) => ({ source: null, text })) }),
  });
}
