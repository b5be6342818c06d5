import { formatCount } from '../text/format-number.ts';
import type { Gate } from '../types/reports/gate.ts';
import type { Ends } from './compare.ts';
import { passMetric } from './pass-metric.ts';

/** What a gate compares, and what it could be. */
export interface Reading {
  /** From the trials that ran; null when it does not exist. */
  readonly value: number | null;
  /** Least and greatest it can be once every trial is known; infinite where nothing bounds it. */
  readonly low: Ends;
  readonly high: Ends;
  /** Where the number comes from, to stand in brackets. */
  readonly basis: string;
}

/** A scenario for which the gate compares nothing, and what that means. */
export interface NoReading {
  readonly verdict: 'fail' | 'insufficient';
  readonly why: string;
}

/** Trials of one scenario, those of unknown result apart. */
export interface TrialTotals {
  readonly passed: number;
  readonly failed: number;
  readonly broken: number;
  /** Requested and not run. */
  readonly missing: number;
  readonly ran: number;
  /** Ran or missing. */
  readonly all: number;
  /** Broken or missing. */
  readonly unknown: number;
}

/** A number that is what it is whatever other trials give. */
export function certain(named: Ends['named'], basis: string): Reading {
  const ends = { named, other: null };
  return { value: named.number, low: ends, high: ends, basis };
}

/** A number that trials without a result can only change within these. */
export function between(low: Ends['named'], high: Ends['named'], basis: string, value = low.number): Reading {
  return { value, low: { named: low, other: null }, high: { named: high, other: null }, basis };
}

/** The trials of one scenario, or of one task. */
export function readPasses(
  gate: Gate,
  { passed, ran, all, unknown }: TrialTotals,
  stopped: boolean,
): Reading | NoReading {
  const low = passMetric(gate, passed, all);
  const high = passMetric(gate, passed + unknown, all);
  if (low === null || high === null) {
    return { verdict: 'insufficient', why: `ran ${ran} of the ${gate.k} trials that ${gate.metric}${gate.k} needs` };
  }
  const basis = `${formatCount(passed)} of ${formatCount(ran)} trials passed`;
  // Settled although too few trials ran: pass@8 of 7 trials, one of which passed, and an eighth to come.
  if (low.named.number === high.named.number) return { value: low.named.number, low, high, basis };
  // An interval of trials that were stopped for what they gave would not hold.
  const hidden = stopped && gate.side.kind !== 'point';
  return { value: hidden ? null : (passMetric(gate, passed, ran)?.named.number ?? null), low, high, basis };
}
