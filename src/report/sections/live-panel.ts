import type { LiveModelReport, LiveReport } from '../../types/reports/live-report.ts';
import type { SuiteReport } from '../../types/reports/report.ts';
import { groupBy } from '../../values/group-by.ts';
import { formatCount, plural } from '../../text/format-number.ts';
import { formatCost, repeatNote, toldText, unknownNotes } from '../words/live-texts.ts';
import { plainText } from '../plain-text.ts';
import type { FigureRow, Panel } from './panel.ts';

const LONGEST_NOTE = 600;
/** Where more scenarios than this asked one model, a row sums them up. */
const MOST_SINGLE = 3;

/**
 * The real models that each scenario, or test of a model (`noun`), asked, with calls, tokens and cost. `cassette`: it
 * recorded the answers, or gave them.
 */
export function livePanel(
  live: LiveReport,
  cassette: SuiteReport['timing']['cassette'],
  noun: 'scenario' | 'test',
): Panel {
  const { models, costUsd, unknownUsage } = live;
  const { calls, reused, promptTokens, completionTokens } = countsOf(models);
  const tokens = promptTokens + completionTokens;
  return {
    title: 'Live models',
    isTitled: true,
    mark: null,
    headline: [
      plural(calls, 'call'),
      ...(reused === 0 ? [] : [`${plural(reused, 'answer')} reused`]),
      toldText(tokens, plural(tokens, 'token'), unknownUsage, 'tokens'),
      costUsd === null ? 'no price known' : toldText(costUsd, formatCost(costUsd), unknownUsage, 'cost'),
    ],
    isTelling: true,
    isTrouble: false,
    blocks: [
      { type: 'notes', tone: 'noticed', sentences: unknownNotes(live) },
      {
        type: 'figures',
        corners: [noun, 'model'],
        headers: [
          'calls',
          'reused',
          'retries',
          'no answer',
          'prompt tokens',
          'cached',
          'completion tokens',
          'reasoning',
          'not told',
          'cost',
        ],
        rows: modelRows(models, noun),
      },
      {
        type: 'notes',
        tone: 'plain',
        sentences: [plainText(repeatNote(cassette, calls === 0 && reused > 0), LONGEST_NOTE)],
      },
    ],
  };
}

/** First the sums of models that many scenarios asked, then a row for each scenario. */
function modelRows(models: readonly LiveModelReport[], noun: string): readonly FigureRow[] {
  const byModel = groupBy(models, nameOf);
  const summed = [...byModel.values()].filter((rows) => rows.length > MOST_SINGLE);
  const isSummed = new Set(summed.flat());
  return [
    ...summed.map((rows) => modelRow(sumOf(rows, plural(rows.length, noun)))),
    ...models.map((model): FigureRow => ({ ...modelRow(model), ...(isSummed.has(model) && { isSummed: true }) })),
  ];
}

/** One model of a provider under one name. */
function nameOf({ provider, model, backend }: LiveModelReport): string {
  return `${provider} ${model} as ${backend}`;
}

/** The counts of all rows together. */
function countsOf(rows: readonly LiveModelReport[]) {
  const sum = (of: (row: LiveModelReport) => number): number => rows.reduce((total, row) => total + of(row), 0);
  return {
    calls: sum((row) => row.calls),
    reused: sum((row) => row.reused),
    retries: sum((row) => row.retries),
    failures: sum((row) => row.failures),
    promptTokens: sum((row) => row.promptTokens),
    completionTokens: sum((row) => row.completionTokens),
    cachedTokens: sum((row) => row.cachedTokens),
    reasoningTokens: sum((row) => row.reasoningTokens),
    unknownUsage: sum((row) => row.unknownUsage),
  };
}

/** The costs of rows of one model are all known, or none is. */
function sumOf(rows: readonly LiveModelReport[], scenario: string): LiveModelReport {
  const [first] = rows as readonly [LiveModelReport];
  const costUsd = rows.some((row) => row.costUsd === null)
    ? null
    : rows.reduce((total, row) => total + (row.costUsd ?? 0), 0);
  return { ...first, ...countsOf(rows), scenario, costUsd };
}

function modelRow(model: LiveModelReport): FigureRow {
  const { scenario, calls, reused, retries, failures, costUsd } = model;
  const { promptTokens, cachedTokens, completionTokens, reasoningTokens, unknownUsage } = model;
  const name = nameOf(model);
  const counts = [
    calls,
    reused,
    retries,
    failures,
    promptTokens,
    cachedTokens,
    completionTokens,
    reasoningTokens,
    unknownUsage,
  ];
  const tokens = `${formatCount(promptTokens)} + ${formatCount(completionTokens)} tokens`;
  const cost = costUsd === null ? 'unknown' : toldText(costUsd, formatCost(costUsd), unknownUsage, 'cost');
  const parts = [
    name,
    plural(calls, 'call'),
    toldText(promptTokens + completionTokens, tokens, unknownUsage, 'tokens'),
  ];
  if (reused > 0) parts.push(`${plural(reused, 'answer')} reused`);
  if (cachedTokens > 0) parts.push(`${formatCount(cachedTokens)} cached`);
  if (reasoningTokens > 0) parts.push(`${formatCount(reasoningTokens)} of reasoning`);
  if (retries > 0) parts.push(plural(retries, 'retry', 'retries'));
  if (failures > 0) parts.push(`${formatCount(failures)} without an answer`);
  if (costUsd !== null) parts.push(cost);
  return {
    names: [scenario, name],
    cells: [...counts.map(formatCount), cost],
    parts,
  };
}
