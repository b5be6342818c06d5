import { answerText } from '../checks/invariants/answer-text.ts';
import type { PartTrial } from '../suites/contract/part-result.ts';
import type { ScenarioPlan } from '../types/plan.ts';
import type { TrialRecord } from '../types/record.ts';
import type { Outcome } from '../types/trial.ts';
import { hideCredentials } from '../text/hide-credentials.ts';
import { answeredTurns } from '../values/answered-turns.ts';

/** What was answered to each prompt of a trial. */
export function recordAnswers({ turns }: TrialRecord): PartTrial['answers'] {
  return answeredTurns(turns).map(({ prompt, text }) => ({ prompt: prompt ?? '', text }));
}

/** What a workflow answered to the prompt of a part, as its invariants saw it. */
export function outcomeAnswers({ scenario }: ScenarioPlan, outcome: Outcome): PartTrial['answers'] {
  const { part } = scenario;
  if (part === undefined) return [];
  const text = outcomeAnswer(outcome);
  return part.prompts.map((prompt) => ({ prompt, text: text === null ? null : hideCredentials(text) }));
}

/** What a run answered: the reply that it shaped, else its final value; null: it did not complete. */
export function outcomeAnswer({ status, response, finalValue }: Outcome): string | null {
  if (status !== 'completed') return null;
  return response?.body ?? answerText(finalValue);
}
