import { plural } from '../../text/format-number.ts';
import type { LedgerSum } from '../../types/record.ts';
import type { SuiteReport } from '../../types/reports/report.ts';
import { isSampled, type SampledScenario, suiteOf } from '../../types/reports/scenario-report.ts';
import { isGating } from '../axes/outcome-axis.ts';
import type { Spending } from './spending.ts';

/**
 * The tokens and calls of the trials in a JSON report. Without a ledger its sums are those of a model and a tool called `*`,
 * and what it does not hold has no price.
 */
export function reportSpending({ scenarios, results, partial, live }: SuiteReport): Spending {
  const sampled = scenarios.filter(isSampled);
  const gating = sampled.filter((scenario) => isGating({ suite: suiteOf(scenario) }));
  const summed = gating.filter(({ ledger }) => ledger === undefined).length;
  const others = results.length + scenarios.length - sampled.length;
  return {
    kind: 'report',
    cases: gating.map((scenario) => {
      const { name, trials, cost, ledger } = scenario;
      return {
        name,
        trials: trials.passed + trials.failed + trials.broken,
        passed: trials.passed,
        retries: cost.total.retries ?? 0,
        lines: ledger === undefined ? linesOf(scenario) : withModels(ledger, scenario),
      };
    }),
    roles: (live?.models ?? []).map(({ backend, model }) => ({ role: backend, model })),
    notes: [
      ...(summed === 0
        ? []
        : [
            `Of ${plural(summed, 'scenario')} the report tells no models and no cached tokens: all tokens are those of the model "*", and none is cached. A run with --ledger tells them.`,
          ]),
      ...(others === 0 ? [] : [`${plural(others, 'result')} without trials of their own are left out.`]),
      ...(partial ? ['The run ended before all of its trials.'] : []),
    ],
  };
}

/** A ledger without a line of a model says nothing of models, where tokens do or might. */
function withModels(ledger: readonly LedgerSum[], scenario: SampledScenario): readonly LedgerSum[] {
  if (ledger.some(({ kind }) => kind === 'model')) return ledger;
  return [...ledger, ...linesOf(scenario).filter(({ kind }) => kind === 'model')];
}

function linesOf({ cost: { total }, trials }: SampledScenario): readonly LedgerSum[] {
  const { llmCalls, promptTokens, completionTokens, toolCalls } = total;
  const each = { name: '*', attempt: 1, nanoUsd: null, trials: trials.passed + trials.failed + trials.broken };
  const isTold = promptTokens !== null && completionTokens !== null;
  const usage = isTold
    ? { promptTokens, completionTokens, cachedTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 }
    : null;
  const asks = !isTold || promptTokens + completionTokens > 0 || llmCalls !== 0;
  return [
    ...(asks ? [{ kind: 'model' as const, ...each, units: llmCalls ?? 0, usage }] : []),
    ...(toolCalls === null || toolCalls === 0
      ? []
      : [{ kind: 'tool' as const, ...each, units: toolCalls, usage: null }]),
  ];
}
