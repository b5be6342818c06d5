import { answerText } from '../checks/invariants/answer-text.ts';
import type { PartTrial } from '../contract/part-result.ts';
import type { AgentAnswer } from '../types/agent.ts';
import type { Json } from '../types/json.ts';
import type { ScenarioPlan } from '../types/plan.ts';
import type { Outcome } from '../types/trial.ts';
import { hideCredentials } from '../text/hide-credentials.ts';

/** What was answered to each prompt of a part, as its invariants saw it. */
export function partAnswers({ scenario }: ScenarioPlan, outcome: Outcome): PartTrial['answers'] {
  const { contract, expected } = scenario;
  if (contract === undefined) return [];
  if (expected.invariants?.of === 'agent') return agentAnswers(outcome.finalValue);
  const text = outcomeAnswer(outcome);
  return contract.prompts.map((prompt) => ({ prompt, text: text === null ? null : hideCredentials(text) }));
}

/** What a run answered: the reply that it shaped, else its final value; null: it did not complete. */
export function outcomeAnswer({ status, response, finalValue }: Outcome): string | null {
  if (status !== 'completed') return null;
  return response?.body ?? answerText(finalValue);
}

function agentAnswers(value: Json): PartTrial['answers'] {
  if (typeof value !== 'object' || value === null || !('answers' in value) || !Array.isArray(value.answers)) return [];
  // Made by the agent's function; a trial whose value is another one has no answers.
  const answers = value.answers as unknown as readonly AgentAnswer[];
  return answers.map(({ prompt, text, error }) => ({ prompt, text: error === null ? hideCredentials(text) : null }));
}
