import { hideCredentials } from '../../text/hide-credentials.ts';
import type { TokenUsage } from '../../types/message.ts';
import type { LedgerLine, TrialRecord } from '../../types/record.ts';
import type { TrialResult } from '../../types/trial.ts';
import type { TrialRow } from '../../types/rows/trial-row.ts';

/** A recorded trial with its verdict, and where it comes from. */
export interface JudgedTrial {
  readonly set: string;
  readonly format: string;
  readonly result: Pick<TrialResult, 'verdict' | 'brokenBy'>;
  readonly record: TrialRecord;
}

/** A recorded trial as a row. Sums are null where a part of them is not told. */
export function trialRow({ set, format, result, record }: JudgedTrial): TrialRow {
  const { trial, recording, ledger, counters } = record;
  const { verdict, brokenBy } = result;
  const isError = verdict === 'broken';
  const [deciding] = recording?.scores ?? [];
  const nanoUsd = sumOf(ledger.map((line) => line.nanoUsd));
  const tokens = (part: keyof TokenUsage): number | null =>
    sumOf(modelLines(ledger).map(({ usage }) => usage?.[part] ?? null));
  return {
    set,
    task: recording?.task ?? null,
    attempt: recording?.attempt ?? null,
    trial,
    id: recording?.id ?? null,
    verdict: isError ? 'error' : verdict,
    passed: isError ? null : verdict === 'passed',
    error: isError ? hideCredentials(brokenBy ?? 'It does not say why.') : null,
    score: typeof deciding?.value === 'number' ? deciding.value : null,
    scores: (recording?.scores ?? []).map(({ name, value, passed }) => ({ name, value, passed })),
    cost_usd: nanoUsd === null ? null : nanoUsd / 1e9,
    prompt_tokens: tokens('promptTokens'),
    completion_tokens: tokens('completionTokens'),
    cached_tokens: tokens('cachedTokens'),
    cache_write_tokens: tokens('cacheWriteTokens'),
    reasoning_tokens: tokens('reasoningTokens'),
    duration_ms: recording?.durationMs ?? null,
    model_calls: counters.llmCalls ?? null,
    tool_calls: counters.toolCalls ?? null,
    format,
    file: recording?.at.files[0] ?? null,
    byte: recording?.at.byte ?? null,
    crossed: recording?.crossed ?? null,
  };
}

/** Lines of models; those that tell no tokens beside others that do are prices alone. */
function modelLines(ledger: readonly LedgerLine[]): readonly LedgerLine[] {
  const lines = ledger.filter(({ kind }) => kind === 'model');
  const counted = lines.filter(({ usage }) => usage !== null);
  return counted.length > 0 ? counted : lines;
}

/** Null: there is nothing, or a part of it is not told. */
function sumOf(values: readonly (number | null)[]): number | null {
  let sum = 0;
  for (const value of values) {
    if (value === null) return null;
    sum += value;
  }
  return values.length === 0 ? null : sum;
}
