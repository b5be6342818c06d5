import type { AgentSays, DialogueEvent } from '../../sessions/agent-moves.ts';
import type { LedgerLine, TrialRecord } from '../../types/record.ts';

/** What one answer took. */
export interface AnswerUsage {
  /** Null: it does not tell its tokens, and only its calls were seen. */
  readonly usage: NonNullable<AgentSays['usage']> | null;
  /** '': unknown. */
  readonly model: string;
  readonly modelCalls: number;
  /** Tries at the answer, this one included. */
  readonly attempt: number;
}

/** Of the answers of which anything is known. */
export function usagesIn(events: readonly DialogueEvent[]): readonly AnswerUsage[] {
  const usages: AnswerUsage[] = [];
  let attempt = 0;
  for (const event of events) {
    if (event.kind === 'user') attempt = 0;
    if (event.kind !== 'agent' && event.kind !== 'draft') continue;
    attempt++;
    const { usage = null, model = '', modelCalls } = event;
    if (usage !== null || modelCalls !== undefined) {
      usages.push({ usage, model, modelCalls: modelCalls ?? 1, attempt });
    }
  }
  return usages;
}

export function modelLine({ model, modelCalls, attempt, usage }: AnswerUsage): LedgerLine {
  return {
    kind: 'model',
    name: model || 'model',
    attempt,
    units: modelCalls,
    usage: usage && { ...usage, cachedTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 },
    nanoUsd: null,
  };
}

/** {}: nothing is known of any answer; without tokens: a model was asked that did not tell them. */
export function tokenCounts(usages: readonly AnswerUsage[]): TrialRecord['counters'] {
  if (usages.length === 0) return {};
  const llmCalls = usages.reduce((sum, { modelCalls }) => sum + modelCalls, 0);
  if (usages.some(({ usage, modelCalls }) => usage === null && modelCalls > 0)) return { llmCalls };
  const paid = usages.flatMap(({ usage }) => usage ?? []);
  const sum = (name: 'promptTokens' | 'completionTokens'): number => paid.reduce((total, one) => total + one[name], 0);
  const [promptTokens, completionTokens] = [sum('promptTokens'), sum('completionTokens')];
  return { llmCalls, promptTokens, completionTokens, llmTokens: promptTokens + completionTokens };
}
