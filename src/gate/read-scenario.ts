import { type ExactReport, neverFails } from '../types/exact.ts';
import type { Gate } from '../types/gate.ts';
import {
  type EnumeratedScenario,
  failuresOf,
  isSampled,
  type SampledScenario,
  type ScenarioReport,
} from '../types/scenario-report.ts';
import type { Ends } from './compare.ts';
import type { ExactNumber, GateMetric } from './gate-metrics.ts';
import { counted, grouped } from './gate-text.ts';
import { enumeratedValue, plainValue, quotientValue, UNBOUNDED } from './gate-value.ts';
import { passMetric, rateToMetric } from './pass-metric.ts';

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
export interface Known {
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

/** The trials of a scenario as a gate counts them; only where a run or the scenario stopped early are some missing. */
export function knownTrials(scenario: ScenarioReport, partial: boolean): Known {
  const { requested, passed, failed, broken } = scenario.trials;
  const ran = passed + failed + broken;
  const stopped = isSampled(scenario) && scenario.stopEarly !== undefined;
  const missing = partial || stopped ? Math.max(0, requested - ran) : 0;
  return { passed, failed, broken, missing, ran, all: ran + missing, unknown: broken + missing };
}

/** The gate's metric of one scenario. */
export function readScenario(
  gate: Gate,
  metric: GateMetric,
  scenario: ScenarioReport,
  partial: boolean,
): Reading | NoReading {
  if (scenario.verdict === 'load_error') {
    const problems = scenario.loadErrors.length;
    return { verdict: 'fail', why: `did not load (${problems} problem${problems === 1 ? '' : 's'})` };
  }
  if (scenario.verdict === 'not_run') return { verdict: 'insufficient', why: 'did not run' };
  if (metric.source.from === 'exact') {
    if (scenario.sampler !== 'exhaustive') return { verdict: 'insufficient', why: NOT_ENUMERATED };
    if (scenario.exact === null) return { verdict: 'insufficient', why: noExact(scenario) };
    return readExact(metric.source.of, gate.k, scenario.exact);
  }
  if (scenario.sampler === 'exhaustive') return readEnumerated(gate, metric, scenario);
  const known = knownTrials(scenario, partial);
  const { source } = metric;
  switch (source.from) {
    case 'passes':
      return readPasses(gate, known, scenario.stopEarly !== undefined);
    case 'trials':
      return readCount(source.count, scenario, known);
    case 'counter': {
      const total = scenario.cost.total[source.counter];
      return source.per === 'total' ? readCounter(total, 1, 1, known) : readCounter(total, known.ran, known.all, known);
    }
    case 'cost_per_success':
      return readCostPerSuccess(scenario.cost.total.llmTokens, known);
    case 'coverage':
      return { verdict: 'insufficient', why: 'has no coverage of its own' };
    case 'cells':
      return { verdict: 'insufficient', why: 'has no cells' };
  }
}

/** A number that is what it is whatever other trials give. */
export function certain(named: Ends['named'], basis: string): Reading {
  const ends = { named, other: null };
  return { value: named.number, low: ends, high: ends, basis };
}

/** Of enumerated answers every rate and mean is exact, so that the ends of its interval are the number itself. */
function readEnumerated(gate: Gate, { source }: GateMetric, scenario: EnumeratedScenario): Reading | NoReading {
  const { exact } = scenario;
  if (exact === null) return { verdict: 'insufficient', why: noExact(scenario) };
  switch (source.from) {
    case 'passes': {
      if (gate.metric === 'pass_rate') return readExact('pass_rate', null, exact);
      if (gate.metric === 'pass^') return readExact('pass^', gate.k, exact);
      if (gate.metric === 'strict_pass_k') return certain(plainValue(neverFails(exact) ? 1 : 0), basisOf(exact));
      const value = rateToMetric('pass@', gate.k ?? 1, exact.passRate);
      return certain(enumeratedValue(value, gate.k ?? 1), basisOf(exact));
    }
    case 'cost_per_success':
      return readExact('cost_per_success', null, exact);
    case 'counter':
      if (source.per === 'trial') return readExact(source.counter, null, exact);
      return { verdict: 'insufficient', why: NO_TOTALS };
    default:
      return { verdict: 'insufficient', why: NO_TOTALS };
  }
}

const NO_TOTALS = 'has no trials to count in, because its answers are enumerated';

function basisOf({ leaves }: ExactReport): string {
  return `exact, over ${counted(leaves, 'sequence')} of answers`;
}

function readExact(of: ExactNumber, k: number | null, exact: ExactReport): Reading | NoReading {
  const { brokenRate } = exact;
  const basis = basisOf(exact);
  if (of === 'pass_rate' || of === 'pass^') {
    const low = enumeratedValue(exactPassHat(exact, k ?? 1), k ?? 1);
    // Trials that break may do either.
    const best = Math.min(1, exact.passRate + brokenRate) ** (k ?? 1);
    const high = brokenRate === 0 ? low : enumeratedValue(best, k ?? 1);
    return { value: low.number, low: { named: low, other: null }, high: { named: high, other: null }, basis };
  }
  if (brokenRate > 0) return { verdict: 'insufficient', why: 'has sequences of answers that break the harness' };
  const value = of === 'cost_per_success' ? exact.costPerSuccess : exact.counters[of];
  return value === null ? noSuccess(0) : certain(enumeratedValue(value), basis);
}

const NOT_ENUMERATED = 'is sampled, so it has no exact numbers; sampler = "exhaustive" enumerates it';

/** Why a scenario that was to be enumerated has no exact numbers. */
export function noExact(scenario: ScenarioReport): string {
  if (scenario.verdict === 'not_run') return 'did not run';
  const failures = failuresOf(scenario);
  const cause = failures[0]?.brokenBy ?? '';
  return `could not be enumerated${cause === '' ? '' : `: ${cause.replace(/\.$/, '')}`}`;
}

/** The chance that k independent trials all pass; beyond the listed k with a relative error of (k + 1) · 2^-53. */
function exactPassHat({ passRate, passHatK }: ExactReport, k: number): number {
  return passHatK.find((listed) => listed.k === k)?.value ?? passRate ** k;
}

function readPasses(gate: Gate, { passed, ran, all, unknown }: Known, stopped: boolean): Reading | NoReading {
  const low = passMetric(gate, passed, all);
  const high = passMetric(gate, passed + unknown, all);
  if (low === null || high === null) {
    return { verdict: 'insufficient', why: `ran ${ran} of the ${gate.k} trials that ${gate.metric}${gate.k} needs` };
  }
  const basis = `${grouped(passed)} of ${grouped(ran)} trials passed`;
  // Settled although too few trials ran: pass@8 of 7 trials, one of which passed, and an eighth to come.
  if (low.named.number === high.named.number) return { value: low.named.number, low, high, basis };
  // An interval of trials that were stopped for what they gave would not hold.
  const hidden = stopped && gate.side.kind !== 'point';
  return { value: hidden ? null : (passMetric(gate, passed, ran)?.named.number ?? null), low, high, basis };
}

function readCount(count: 'failed' | 'broken' | 'dead_ends', scenario: SampledScenario, known: Known): Reading {
  const value = count === 'dead_ends' ? (scenario.stoppedBy.dead_end ?? 0) : known[count];
  const more = count === 'broken' ? known.missing : known.unknown;
  return between(quotientValue(value, 1), quotientValue(value + more, 1), `of ${grouped(known.ran)} trials`);
}

/** A number that trials without a result can only change within these. */
export function between(low: Ends['named'], high: Ends['named'], basis: string, value = low.number): Reading {
  return { value, low: { named: low, other: null }, high: { named: high, other: null }, basis };
}

/** Counters of trials that broke or did not run are unknown; they can only add. */
function readCounter(total: number, over: number, overAll: number, { ran, unknown }: Known): Reading {
  const basis = `over ${counted(ran, 'trial')}`;
  if (unknown === 0) return certain(quotientValue(total, over), basis);
  return between(quotientValue(total, overAll), UNBOUNDED, basis, total / over);
}

function readCostPerSuccess(tokens: number, { passed, ran, unknown }: Known): Reading | NoReading {
  if (passed === 0) return noSuccess(unknown);
  const basis = `${grouped(tokens)} tokens, ${grouped(passed)} of ${grouped(ran)} trials passed`;
  if (unknown === 0) return certain(quotientValue(tokens, passed), basis);
  return between(quotientValue(tokens, passed + unknown), UNBOUNDED, basis, tokens / passed);
}

/** Cost per success where nothing passed: it does not exist, which fails, unless a trial may still pass. */
export function noSuccess(unknown: number): NoReading {
  const why = 'has no trial that passed, so no cost per success';
  return unknown === 0 ? { verdict: 'fail', why } : { verdict: 'insufficient', why: `${why} yet` };
}
