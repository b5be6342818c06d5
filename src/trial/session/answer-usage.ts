import type { AgentSays, DialogueEvent } from '../../sessions/agent-moves.ts';
import type { LedgerLine, TrialRecord } from '../../types/record.ts';

type Usage = NonNullable<AgentSays['usage']>;

/** What one answer took. */
export interface AnswerUsage {
  /** Null: it does not tell its tokens, and only its calls were seen. */
  readonly usage: Usage | null;
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

/** What the answers of a session took together, as far as any of them tells: one that tells nothing has asked no model. */
export function tokenCounts(usages: readonly AnswerUsage[]): TrialRecord['counters'] {
  if (usages.length === 0) return {};
  const llmCalls = usages.reduce((sum, { modelCalls }) => sum + modelCalls, 0);
  const tokens = usages.flatMap(({ usage }) => (usage === null ? [] : [usage]));
  if (tokens.length === 0) return { llmCalls };
  const [promptTokens, completionTokens] = [sumOf(tokens, 'promptTokens'), sumOf(tokens, 'completionTokens')];
  return { llmCalls, promptTokens, completionTokens, llmTokens: promptTokens + completionTokens };
}

function sumOf(usages: readonly Usage[], name: keyof Usage): number {
  return usages.reduce((sum, usage) => sum + usage[name], 0);
}
