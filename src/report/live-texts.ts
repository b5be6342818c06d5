import type { LiveModelReport, LiveReport } from '../types/live-report.ts';
import type { SuiteReport } from '../types/report.ts';
import { formatCount, plural } from './format-number.ts';

/** What the calls to real models came to, in words and numbers for tables. Names are as they came: escape them. */
export interface LiveTexts {
  readonly headline: readonly string[];
  /** What to know before the numbers are trusted; sentences. */
  readonly notes: readonly string[];
  readonly rows: readonly LiveTextRow[];
}

export interface LiveTextRow {
  readonly scenario: string;
  /** Provider, model, and the name that nodes use. */
  readonly model: string;
  /** One for each of `LIVE_COLUMNS`. */
  readonly numbers: readonly string[];
}

export const LIVE_COLUMNS = [
  'calls',
  'retries',
  'no answer',
  'prompt tokens',
  'cached',
  'completion tokens',
  'reasoning',
  'not told',
  'cost',
] as const;

export function liveTexts(live: LiveReport, cassette: SuiteReport['timing']['cassette']): LiveTexts {
  const { models, costUsd } = live;
  const sum = (of: (model: LiveModelReport) => number): number => models.reduce((total, model) => total + of(model), 0);
  return {
    headline: [
      plural(
        sum(({ calls }) => calls),
        'call',
      ),
      plural(
        sum(({ promptTokens, completionTokens }) => promptTokens + completionTokens),
        'token',
      ),
      costUsd === null ? 'no price known' : formatCost(costUsd),
    ],
    notes: [...budgetNotes(live), ...unknownNotes(live), repeatNote(cassette)],
    rows: models.map(textRow),
  };
}

/** Dollars and cents, and two digits of what is less than a cent. */
export function formatCost(usd: number): string {
  return usd > 0 && usd < 0.01 ? `$${usd.toPrecision(2)}` : `$${usd.toFixed(2)}`;
}

function textRow(model: LiveModelReport): LiveTextRow {
  const { calls, retries, failures, promptTokens, cachedTokens, completionTokens, reasoningTokens } = model;
  const counts = [calls, retries, failures, promptTokens, cachedTokens, completionTokens, reasoningTokens];
  return {
    scenario: model.scenario,
    model: `${model.provider} ${model.model} as ${model.backend}`,
    numbers: [
      ...[...counts, model.unknownUsage].map(formatCount),
      model.costUsd === null ? 'unknown' : formatCost(model.costUsd),
    ],
  };
}

function budgetNotes({ stoppedBy }: LiveReport): readonly string[] {
  return stoppedBy === 'budget' ? ['The budget was used up, so the run was stopped before its end.'] : [];
}

function unknownNotes({ unknownUsage, models, costUsd }: LiveReport): readonly string[] {
  const unpriced = models.filter((model) => model.costUsd === null).length;
  return [
    ...(unknownUsage === 0
      ? []
      : [`The provider did not tell the tokens of ${plural(unknownUsage, 'request')}: all sums lack them.`]),
    ...(unpriced === 0 || costUsd === null
      ? []
      : [`The cost lacks ${plural(unpriced, 'row')} whose model has no price.`]),
  ];
}

/** Whether and how the same answers can be had again. */
export function repeatNote(cassette: SuiteReport['timing']['cassette']): string {
  if (cassette?.mode === 'replay') {
    return `All answers are from the cassette ${cassette.name}; calls and costs are those of its recording.`;
  }
  const note = 'Trials of real models are not repeatable: the same command gets other answers.';
  return cassette === undefined ? note : `${note} These are in the cassette ${cassette.name}, for --replay.`;
}
