import type { AgentAnswer } from '../../types/agent.ts';
import type { Json, JsonObject } from '../../types/json.ts';
import { isJsonObject } from '../../values/is-json.ts';
import type { TrialView } from '../check.ts';
import { showText } from '../show-value.ts';
import type { Given } from './given.ts';

/**
 * What an agent gave for each prompt of the trial, in order: the answers of the `AgentRun` that is the run's final value.
 * Never empty: where there is no such value, or no answer in it, one entry says so.
 */
export function agentGiven(view: TrialView): readonly Given[] {
  const answers = answersIn(view);
  if (answers === null) return [nothing(view)];
  return answers.map(({ prompt, asked, struck, text, error, latencyMs, calls, baseline, ...used }) => ({
    prompt,
    asked,
    struck,
    text: error === null ? text : null,
    problem: error,
    latencyMs,
    tokens: used.tokens,
    promptTokens: used.promptTokens,
    completionTokens: used.completionTokens,
    calls: calls?.flatMap(({ port, names }) => (port === 'tool' ? [names] : [])) ?? null,
    // An agent has neither a policy of ours nor endings of a workflow.
    denials: null,
    stoppedBy: null,
    baseline,
  }));
}

function answersIn({ status, finalValue }: TrialView): readonly AgentAnswer[] | null {
  if (status !== 'completed' || !isRun(finalValue)) return null;
  const { answers } = finalValue;
  return answers.length > 0 && answers.every(isAnswer) ? (answers as unknown as readonly AgentAnswer[]) : null;
}

function isRun(value: Json): value is JsonObject & { readonly answers: readonly Json[] } {
  return isJsonObject(value) && Array.isArray(value['answers']);
}

function isAnswer(value: Json): boolean {
  return isJsonObject(value) && typeof value['prompt'] === 'string' && typeof value['text'] === 'string';
}

function nothing({ status, reason, struck }: TrialView): Given {
  const ending = `the run ended as ${status}`;
  return {
    prompt: null,
    asked: true,
    struck,
    text: null,
    problem: reason === null ? `${ending} without answers of an agent` : `${ending}: ${showText(reason)}`,
    latencyMs: null,
    tokens: null,
    promptTokens: null,
    completionTokens: null,
    calls: null,
    denials: null,
    stoppedBy: null,
    baseline: null,
  };
}
