import { logBinomialChance } from '../stats/binomial.ts';
import { confidenceSequence } from '../stats/confidence-sequence.ts';
import { ratioSequence, sideOfRatio } from '../stats/sequences/ratio-sequence.ts';
import type { CanaryPlan, CanaryStageRules } from '../types/canary/canary-plan.ts';
import type { CanaryCriterion, CanaryMeasure, CriterionState } from '../types/canary/canary-report.ts';
import type { StageTally } from './stage-tally.ts';

type Levels = Pick<CanaryPlan, 'level' | 'maxCostPerOutcome'>;

/**
 * Where each measure of a stage stands against its bar, by bounds that hold at all looks together: only that, without the
 * bounds themselves, which take longer. `decision`: what cannot change what a look comes to may be called open.
 */
export function standings(
  tally: StageTally,
  rules: CanaryStageRules,
  { level, maxCostPerOutcome }: Levels,
  asks: 'all' | 'decision' = 'all',
): readonly (readonly [CanaryMeasure, CriterionState])[] {
  const { candidate } = tally;
  const states: [CanaryMeasure, CriterionState][] = [
    ['pass_rate', aboveFloor(candidate.judged, candidate.passed, { bar: rules.minPassRate, level })],
  ];
  if (rules.minPassHatK !== null) {
    states.push(['pass_hat_k', aboveFloor(tally.runs, tally.fullRuns, { bar: rules.minPassHatK, level })]);
  }
  if (rules.maxCostPerSuccess !== null && maxCostPerOutcome !== null) {
    const side = sideOfRatio(tally.costs, {
      ratio: rules.maxCostPerSuccess,
      mostCost: maxCostPerOutcome,
      confidence: level,
    });
    // What nobody prices may cost anything.
    const isMet = side === 'below' && candidate.unpriced === 0;
    states.push(['cost_per_success', side === 'above' ? 'broken' : isMet ? 'met' : 'open']);
  }
  if (rules.maxLatencyMs !== null) {
    const timed = candidate.judged - tally.untimed;
    // The share of those that are not slow must be above its floor.
    const state = aboveFloor(timed, timed - tally.slow, { bar: 1 - rules.maxSlow, level });
    states.push(['slow', state === 'met' && tally.untimed > 0 ? 'open' : state]);
  }
  const { errors, outcomes } = errorsOf(tally);
  // An error says nothing of the candidate, so that too many keep it where it is. A product would round: 0.29 · 100 < 29.
  states.push(['errors', outcomes > 0 && errors / outcomes <= rules.maxErrorRate ? 'met' : 'open']);
  // Its bounds are looked for, which takes long: not where a look has nothing to learn from them.
  if (rules.maxDrop !== null && (asks === 'all' || isDropOfUse(tally, states, rules.maxDrop))) {
    states.push(['drop', against(dropBounds(tally, level), rules.maxDrop)]);
  } else if (rules.maxDrop !== null) states.push(['drop', 'open']);
  return states;
}

/** False where a drop cannot be broken, as the rates stand, and something else keeps the stage open. */
function isDropOfUse(
  { candidate, baseline }: StageTally,
  others: readonly (readonly [CanaryMeasure, CriterionState])[],
  most: number,
): boolean {
  const drop = baseline.passed / baseline.judged - candidate.passed / candidate.judged;
  return drop > most || others.every(([, state]) => state === 'met');
}

/** The same with values and bounds, for people. */
export function criteriaOf(tally: StageTally, rules: CanaryStageRules, levels: Levels): readonly CanaryCriterion[] {
  return standings(tally, rules, levels).map(([measure, state]) => ({
    measure,
    state,
    bar: BAR_OF[measure](rules),
    isExtrapolated: measure === 'pass_hat_k' && tally.mixesKinds,
    ...boundsOf(measure, tally, levels),
  }));
}

const BAR_OF: Readonly<Record<CanaryMeasure, (rules: CanaryStageRules) => number>> = {
  pass_rate: ({ minPassRate }) => minPassRate,
  pass_hat_k: ({ minPassHatK }) => minPassHatK ?? 0,
  drop: ({ maxDrop }) => maxDrop ?? 0,
  cost_per_success: ({ maxCostPerSuccess }) => maxCostPerSuccess ?? 0,
  slow: ({ maxSlow }) => maxSlow,
  errors: ({ maxErrorRate }) => maxErrorRate,
};

type Bounds = Pick<CanaryCriterion, 'value' | 'low' | 'high' | 'outcomes'>;

function boundsOf(measure: CanaryMeasure, tally: StageTally, { level, maxCostPerOutcome }: Levels): Bounds {
  const { candidate, baseline, costs } = tally;
  switch (measure) {
    case 'pass_rate':
      return rateOf(candidate.judged, candidate.passed, level);
    case 'pass_hat_k':
      return rateOf(tally.runs, tally.fullRuns, level);
    case 'drop': {
      const bounds = dropBounds(tally, level);
      return {
        value: bounds === null ? null : baseline.passed / baseline.judged - candidate.passed / candidate.judged,
        low: bounds?.[0] ?? null,
        high: bounds?.[1] ?? null,
        outcomes: candidate.judged + baseline.judged,
      };
    }
    case 'cost_per_success': {
      const bounds = ratioSequence(costs, { mostCost: maxCostPerOutcome ?? 0, confidence: level });
      return {
        value: costs.passed === 0 ? null : costs.cost / costs.passed,
        low: bounds?.[0] ?? null,
        high: bounds?.[1] ?? null,
        outcomes: costs.outcomes,
      };
    }
    case 'slow':
      return rateOf(candidate.judged - tally.untimed, tally.slow, level);
    case 'errors':
      return rateOf(errorsOf(tally).outcomes, errorsOf(tally).errors, level);
  }
}

/** What cannot be read may be a failure, so that it counts as an error does. */
function errorsOf({ candidate, baseline, unread }: StageTally): { readonly errors: number; readonly outcomes: number } {
  return {
    errors: candidate.errors + baseline.errors + unread,
    outcomes: candidate.outcomes + baseline.outcomes + unread,
  };
}

function rateOf(trials: number, passed: number, level: number): Bounds {
  const bounds = confidenceSequence(trials, passed, level);
  return {
    value: trials === 0 ? null : passed / trials,
    low: bounds?.[0] ?? null,
    high: bounds?.[1] ?? null,
    outcomes: trials,
  };
}

/**
 * Whether the confidence sequence of a rate lies above a bar or below it. A rate is inside while its binomial chance is above
 * α / (trials + 1), as in `confidenceSequence`; to ask that of the bar is much cheaper than to look for the ends.
 */
function aboveFloor(
  trials: number,
  passed: number,
  { bar, level }: { readonly bar: number; readonly level: number },
): CriterionState {
  if (bar <= 0) return 'met';
  if (trials === 0) return 'open';
  const isInside = logBinomialChance(trials, bar, passed) > Math.log(1 - level) - Math.log(trials + 1);
  if (isInside) return 'open';
  return passed > bar * trials ? 'met' : 'broken';
}

/** By how much the baseline passes more often: each arm has half of what the bounds may err. */
function dropBounds({ candidate, baseline }: StageTally, level: number): readonly [number, number] | null {
  const each = 1 - (1 - level) / 2;
  const before = confidenceSequence(baseline.judged, baseline.passed, each);
  const after = confidenceSequence(candidate.judged, candidate.passed, each);
  return before === null || after === null ? null : [before[0] - after[1], before[1] - after[0]];
}

function against(bounds: readonly [number, number] | null, most: number): CriterionState {
  if (bounds === null) return 'open';
  if (bounds[1] <= most) return 'met';
  return bounds[0] > most ? 'broken' : 'open';
}
