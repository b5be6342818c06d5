import type { AnswerFacts, Turn } from '../types/record.ts';
import { textOf } from './message-text.ts';

/** An answer with what was asked. */
export interface AnsweredTurn {
  /** Position of the answer among the turns. */
  readonly at: number;
  /** The last prompt before it, as it was declared; null: there was none. */
  readonly prompt: string | null;
  /** Null: there is no whole answer. */
  readonly text: string | null;
  readonly answer: AnswerFacts;
}

/** The answers among turns, in order. */
export function answeredTurns(turns: readonly Turn[]): readonly AnsweredTurn[] {
  const answered: AnsweredTurn[] = [];
  let prompt: string | null = null;
  for (const [at, { role, parts, intended, answer }] of turns.entries()) {
    if (role === 'user') prompt = intended ?? textOf(parts);
    if (answer !== null) answered.push({ at, prompt, text: answer.problem === null ? textOf(parts) : null, answer });
  }
  return answered;
}
