import type { LiveModelReport, LiveReport } from '../../types/reports/live-report.ts';
import type { SuiteReport } from '../../types/reports/report.ts';
import { formatCount, plural } from '../format-number.ts';
import { formatCost, repeatNote, toldText, unknownNotes } from '../words/live-texts.ts';
import { plainText } from '../plain-text.ts';
import type { FigureRow, Panel } from './panel.ts';

const LONGEST_NOTE = 600;

/**
 * The real models that each scenario asked, with calls, tokens and cost. `cassette`: it recorded the answers, or gave
 * them.
 */
export function livePanel(live: LiveReport, cassette: SuiteReport['timing']['cassette']): Panel {
  const { models, costUsd, unknownUsage } = live;
  const sum = (of: (model: LiveModelReport) => number): number => models.reduce((total, model) => total + of(model), 0);
  const calls = sum((model) => model.calls);
  const reused = sum((model) => model.reused);
  const tokens = sum(({ promptTokens, completionTokens }) => promptTokens + completionTokens);
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
        corners: ['scenario', 'model'],
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
        rows: models.map(modelRow),
      },
      {
        type: 'notes',
        tone: 'plain',
        sentences: [plainText(repeatNote(cassette, calls === 0 && reused > 0), LONGEST_NOTE)],
      },
    ],
  };
}

function modelRow(model: LiveModelReport): FigureRow {
  const { scenario, backend, provider, calls, reused, retries, failures, costUsd } = model;
  const { promptTokens, cachedTokens, completionTokens, reasoningTokens, unknownUsage } = model;
  const name = `${provider} ${model.model} as ${backend}`;
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
