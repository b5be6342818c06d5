import { binomialBetween } from '../stats/binomial.ts';
import type { CountRange } from '../stats/curtailment.ts';
import { trialsNeeded, type WantedErrors } from '../stats/trials-needed.ts';
import type { Gate, GateChance, GateDescription } from '../types/reports/gate.ts';
import { asksWhole } from './gate-scope.ts';
import { characteristicSentences, neededSentence, passingSentence } from './gate-sentences.ts';
import { metricToRate } from './pass-metric.ts';
import { dependsOnPasses, passingCounts } from './passing-counts.ts';

export interface GatePlan {
  /** Trials of each scenario. */
  readonly trials: number;
  /** Scenarios and cells the gate is asked of; 1 when absent. */
  readonly scenarios?: number;
}

/** Highest chance of each wrong verdict unless the user wants others. */
export const USUAL_ERROR = 0.05;

/**
 * What the gate can tell with the planned trials: which results pass, how often workflows of several true pass rates
 * pass, and the trials for wanted error rates. Exact binomial chances of independent trials; where an answer depends on
 * more than the pass rate (cost, coverage, spread over scenarios) it says so. `wanted: null` leaves out the trials needed.
 */
export function describeGate(
  gate: Gate,
  { trials, scenarios = 1 }: GatePlan,
  wanted: Partial<WantedErrors> | null = {},
): GateDescription {
  const counts = countsOf(gate, scenarios);
  const shared = { gate, trials, scenarios };
  if (counts === null) {
    const sentences = [`${gate.text}: ${whyUnknown(gate)}, so no chance to pass follows from the pass rate alone.`];
    return { ...shared, passing: null, characteristic: [], needed: null, sentences };
  }
  const { passing, judgedTrials } = counts;
  const range = passing(trials);
  const characteristic = ratesAround(barRate(gate)).map(
    (rate): GateChance => ({ rate, chance: chance(range, judgedTrials(trials), rate) }),
  );
  const errors = wanted === null || isIdle(range, judgedTrials(trials)) ? null : ratesToTell(gate, wanted);
  const needed =
    errors === null ? null : trialsNeeded((count, rate) => chance(passing(count), judgedTrials(count), rate), errors);
  const need = needed === null || errors === null ? null : { ...needed, bad: errors.bad, good: errors.good };
  return {
    ...shared,
    passing: range,
    characteristic,
    needed: need,
    sentences: [
      passingSentence(gate, range, trials, judgedTrials(trials)),
      ...(range === null || isIdle(range, judgedTrials(trials))
        ? []
        : characteristicSentences(gate, characteristic, scenarios)),
      ...(errors === null ? [] : [neededSentence(gate, errors, need)]),
    ],
  };
}

/** A scenario's own bar, or the rule without one that every trial must pass, as a gate. */
export function barGate(minPassRate: number | null): Gate {
  const value = minPassRate ?? 1;
  return {
    text: minPassRate === null ? 'every trial passes' : `min_pass_rate = ${value}`,
    metric: 'pass_rate',
    k: null,
    scope: { kind: 'every' },
    side: { kind: 'point' },
    operator: '>=',
    value,
  };
}

interface Counts {
  /** Passing pass counts for so many trials of each scenario. */
  readonly passing: (trials: number) => CountRange | null;
  /** Trials that those counts are of. */
  readonly judgedTrials: (trials: number) => number;
}

/** Null where the verdict is not a matter of one pass count. */
function countsOf(gate: Gate, scenarios: number): Counts | null {
  if (!dependsOnPasses(gate)) return null;
  if (!asksWhole(gate.scope)) {
    return { passing: (trials) => passingCounts(gate, trials), judgedTrials: (trials) => trials };
  }
  // The mean pass rate of scenarios with equally many trials is that of all trials together.
  if (gate.metric !== 'pass_rate' || gate.side.kind !== 'point') return null;
  return {
    passing: (trials) => passingCounts(gate, trials * scenarios),
    judgedTrials: (trials) => trials * scenarios,
  };
}

/** True when every result passes. */
function isIdle(range: CountRange | null, trials: number): boolean {
  return range !== null && range[0] === 0 && range[1] === trials;
}

function whyUnknown(gate: Gate): string {
  if (dependsOnPasses(gate)) return 'it depends on how scenarios differ';
  return 'it does not judge passes';
}

function chance(range: CountRange | null, trials: number, rate: number): number {
  return range === null ? 0 : binomialBetween(trials, rate, range[0], range[1]);
}

/** The bar as a true pass rate. */
function barRate({ metric, k, value }: Gate): number {
  if (metric === 'strict_pass_k') return 1;
  return metricToRate(metric, k ?? 1, Math.min(1, Math.max(0, value)));
}

/** Twice as many failures as the bar allows, half as many, and so on: 0.90, 0.925, 0.95, 0.975, 0.99 around 0.95. */
function ratesAround(bar: number): readonly number[] {
  if (bar === 1) return [0.9, 0.95, 0.99, 0.999, 1];
  const bad = badRate(bar);
  return [bad, (bad + bar) / 2, bar, (1 + bar) / 2, 1 - (1 - bar) / 5].map(round);
}

/** A pass rate that a bar should keep out: about twice as many failures as it allows. */
export function badRate(bar: number): number {
  return round(Math.max(2 * bar - 1, bar / 2));
}

/** A pass rate that a bar should let through: half as many failures as it allows. */
export function goodRate(bar: number): number {
  return round((1 + bar) / 2);
}

/** The rates that a gate should tell apart, and how surely; null unless it asks for enough passes. */
export function ratesToTell(gate: Gate, wanted: Partial<WantedErrors>): WantedErrors | null {
  if (gate.operator !== '>=' && gate.operator !== '>') return null;
  const bar = barRate(gate);
  const isStrict = bar === 1;
  // A lower bound is there to keep out what is below the bar, and the bar itself.
  const bad = gate.side.kind === 'lower' ? bar : isStrict ? 0.99 : badRate(bar);
  const errors = {
    bad: wanted.bad ?? round(bad),
    falsePass: wanted.falsePass ?? USUAL_ERROR,
    good: wanted.good ?? (isStrict ? 1 : goodRate(bar)),
    falseFail: wanted.falseFail ?? USUAL_ERROR,
  };
  return errors.bad < errors.good ? errors : null;
}

/** A rate to be shown: three digits of its distance from 1. */
function round(rate: number): number {
  return Number((1 - Number((1 - rate).toPrecision(3))).toFixed(12));
}
