import { formatCount } from '../text/format-number.ts';
import type { CanaryPlan } from '../types/canary/canary-plan.ts';
import type { CanaryCriterion, CanaryMeasure, CanaryReasonCode } from '../types/canary/canary-report.ts';
import type { CanaryStage } from './canary-stage.ts';
import { criteriaOf } from './judge-stage.ts';

/** What a measure is called. */
export const MEASURE_NAMES: Readonly<Record<CanaryMeasure, string>> = {
  pass_rate: 'pass rate',
  pass_hat_k: 'pass^k',
  drop: 'drop against the baseline',
  cost_per_success: 'cost per success',
  slow: 'slow answers',
  errors: 'errors of the harness',
};

/** A number of a measure: dollars with four digits, rates with three. */
export function measured(measure: CanaryMeasure, value: number | null): string {
  if (value === null) return 'unknown';
  return measure === 'cost_per_success' ? `$${value.toPrecision(3)}` : value.toFixed(4).replace(/0{1,2}$/, '');
}

/** A criterion in words: what was measured, between which bounds, and against what. */
export function criterionText({ measure, value, low, high, bar, outcomes }: CanaryCriterion): string {
  const limit = `${measure === 'pass_rate' || measure === 'pass_hat_k' ? 'floor' : 'ceiling'} ${measured(measure, bar)}`;
  if (value === null) return `${MEASURE_NAMES[measure]}: nothing tells of it yet; ${limit}`;
  const bounds = `[${measured(measure, low)}, ${high === null ? '…' : measured(measure, high)}]`;
  return `${MEASURE_NAMES[measure]} ${measured(measure, value)} ${bounds} of ${formatCount(outcomes)}, ${limit}`;
}

/** Why a candidate is taken back. */
export function canaryMessage(code: CanaryReasonCode, stage: CanaryStage, plan: CanaryPlan): string {
  const { rules, tally } = stage;
  const at = rules.percent === 0 ? 'in the shadow' : `at ${rules.percent} %`;
  switch (code) {
    case 'VIOLATION':
      return `The candidate violated safety ${at}; ${plan.maxViolations} are borne.`;
    case 'RUNAWAY_COST':
      return `One outcome ${at} cost more than $${plan.maxCostPerOutcome}.`;
    case 'MAX_HOLD':
      return `After ${formatCount(tally.candidate.outcomes)} outcomes and ${stage.hours().toFixed(1)} hours ${at} nobody can tell: ${waitingTexts(stage, plan).join(' ')}`;
    case 'CANARY_REQUIRED':
      return 'A stage is missing.';
    default: {
      const broken = criteriaOf(tally, rules, plan).find(({ state }) => state === 'broken');
      return broken === undefined ? `A bar is broken ${at}.` : `${sentence(criterionText(broken))} ${at}.`;
    }
  }
}

/** What keeps a stage from being promoted, one sentence each. */
export function waitingTexts(stage: CanaryStage, plan: CanaryPlan): readonly string[] {
  const criteria = criteriaOf(stage.tally, stage.rules, plan);
  return stage.waiting().map((name) => {
    const { judged, unpriced } = stage.tally.candidate;
    if (name === 'outcomes') return `${formatCount(judged)} of ${formatCount(stage.rules.minOutcomes)} outcomes.`;
    if (name === 'hours') return `${stage.hours().toFixed(1)} of ${stage.rules.minHours} hours.`;
    if (name === 'cost_per_success' && unpriced > 0) return `${formatCount(unpriced)} outcomes have no cost.`;
    if (name === 'slow' && stage.tally.untimed > 0)
      return `${formatCount(stage.tally.untimed)} outcomes have no latency.`;
    const criterion = criteria.find(({ measure }) => measure === name);
    const text = criterion === undefined ? `${name}.` : `${sentence(criterionText(criterion))}.`;
    const { unread } = stage.tally;
    if (name !== 'errors' || unread === 0) return text;
    return `${text} ${unread} of them ${unread === 1 ? 'is a line' : 'are lines'} that cannot be read.`;
  });
}

function sentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

/** What a stage is called. */
export function stageName(percent: number): string {
  return percent === 0 ? 'shadow' : `at ${percent} % of traffic`;
}
