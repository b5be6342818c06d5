import { answerText } from '../../checks/invariants/answer-text.ts';
import type { Outcome } from '../../types/trial.ts';

/** What a workflow answered: the reply that it shaped, else its final value; null: it did not complete. */
export function outcomeAnswer({ status, response, finalValue }: Outcome): string | null {
  return status === 'completed' ? (response?.body ?? answerText(finalValue)) : null;
}
