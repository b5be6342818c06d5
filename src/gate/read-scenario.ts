import { formatCount, plural } from '../text/format-number.ts';
import { type ExactReport, neverFails } from '../types/reports/exact.ts';
import type { Gate } from '../types/reports/gate.ts';
import {
  type EnumeratedScenario,
  failuresOf,
  isSampled,
  ratedTrials,
  type SampledScenario,
  type ScenarioReport,
} from '../types/reports/scenario-report.ts';
import type { RecordingReport } from '../types/recording.ts';
import { meanOfParts } from './mean-of-parts.ts';
import { between, certain, type TrialTotals, type NoReading, type Reading, readPasses } from './reading.ts';
import { judgesOf, readJudged } from './read-judged.ts';
import { taskParts } from './task-parts.ts';
import type { ExactNumber, GateMetric } from './gate-metrics.ts';
import { enumeratedValue, plainValue, quotientValue, UNBOUNDED } from './gate-value.ts';
import { rateToMetric } from './pass-metric.ts';

/**
 * The trials of a scenario as a gate counts them. Some are missing where the run or the scenario stopped early: at a signal,
 * a budget, by `bail`, or because it was settled.
 */
export function trialTotals(scenario: ScenarioReport): TrialTotals {
  const { requested, passed, failed } = scenario.trials;
  const { ran, broken } = ratedTrials(scenario);
  const missing = Math.max(0, requested - passed - failed - scenario.trials.broken);
  const counts = { passed, failed, broken, missing, ran, all: ran + missing, unknown: broken + missing };
  // Errors of recorded trials are what the user says they are.
  const policy = isSampled(scenario) ? scenario.recording?.errors.policy : undefined;
  if (policy === 'fail') return { ...counts, failed: failed + broken, broken: 0, unknown: missing };
  if (policy === 'exclude')
    return { ...counts, broken: 0, ran: ran - broken, all: counts.all - broken, unknown: missing };
  return counts;
}

/** The gate's metric of one scenario. */
export function readScenario(gate: Gate, metric: GateMetric, scenario: ScenarioReport): Reading | NoReading {
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
  const totals = trialTotals(scenario);
  const { source } = metric;
  if (totals.all === 0 && source.from !== 'passes') return { verdict: 'insufficient', why: 'has no trial that counts' };
  const judges = judgesOf(scenario);
  if (judges !== null && restsOnPasses(source)) return { verdict: 'insufficient', why: NOT_CORRECTED };
  switch (source.from) {
    case 'passes':
      if (judges !== null && !isOfAlikeTrials(gate, scenario)) return { verdict: 'insufficient', why: SEVERAL_TASKS };
      if (judges !== null) return readJudged(gate, judges, totals);
      if (scenario.recording !== undefined) return readTasks(gate, scenario.recording);
      return readPasses(gate, totals, scenario.stopEarly !== undefined);
    case 'trials':
      return readCount(source.count, scenario, totals);
    case 'counter': {
      const total = scenario.cost.total[source.counter];
      if (total === null) return notTold(gate.metric);
      return source.per === 'total'
        ? readCounter(total, 1, 1, totals)
        : readCounter(total, totals.ran, totals.all, totals);
    }
    case 'cost_per_success':
      return scenario.cost.total.llmTokens === null
        ? notTold('tokens')
        : readCostPerSuccess(scenario.cost.total.llmTokens, totals);
    case 'coverage':
      return { verdict: 'insufficient', why: 'has no coverage of its own' };
    case 'attacks':
      return { verdict: 'insufficient', why: 'has no rate of its own under attack' };
    case 'cells':
      return { verdict: 'insufficient', why: 'has no cells' };
  }
}

/** Runs of several tasks are not alike: no interval of their rate knows that, and no power of it is a pass^k. */
function isOfAlikeTrials({ metric, side }: Gate, { recording }: SampledScenario): boolean {
  return recording === undefined || recording.tasks < 2 || (metric === 'pass_rate' && side.kind === 'point');
}

const SEVERAL_TASKS =
  'has a judge and runs of several tasks, of which only the plain pass_rate is corrected for what it gets wrong';
const NOT_CORRECTED = 'has a judge, and only rates of passing are corrected for what it gets wrong';

/** True: the number would count what a judge passed or failed as it stands. */
function restsOnPasses(source: GateMetric['source']): boolean {
  return source.from === 'cost_per_success' || (source.from === 'trials' && source.count === 'failed');
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
  return `exact, over ${plural(leaves, 'sequence')} of answers`;
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

/** A rate of recorded trials is a mean over tasks. */
function readTasks(gate: Gate, recording: RecordingReport): Reading | NoReading {
  const parts = taskParts(gate, recording);
  return 'why' in parts ? parts : meanOfParts(parts, gate.side, 'task');
}

function readCount(
  count: 'failed' | 'broken' | 'dead_ends',
  scenario: SampledScenario,
  totals: TrialTotals,
): Reading | NoReading {
  // Whoever recorded a trial did not say how its workflow ended.
  if (count === 'dead_ends' && scenario.recording !== undefined) return notTold(count);
  // Rates leave out what a simulated user spoilt; it is broken all the same.
  const spoilt = count === 'broken' ? (scenario.session?.user?.leftOut ?? 0) : 0;
  const value = count === 'dead_ends' ? (scenario.stoppedBy.dead_end ?? 0) : totals[count] + spoilt;
  const more = count === 'broken' ? totals.missing : totals.unknown;
  return between(quotientValue(value, 1), quotientValue(value + more, 1), `of ${formatCount(totals.ran)} trials`);
}

/** Recorded trials, and agents outside of passk, do not tell every counter. */
export function notTold(what: string): NoReading {
  return { verdict: 'insufficient', why: `has trials that do not tell their ${what}` };
}

/** Counters of trials that broke or did not run are unknown; they can only add. */
function readCounter(total: number, over: number, overAll: number, { ran, unknown }: TrialTotals): Reading {
  const basis = `over ${plural(ran, 'trial')}`;
  if (unknown === 0) return certain(quotientValue(total, over), basis);
  return between(quotientValue(total, overAll), UNBOUNDED, basis, total / over);
}

function readCostPerSuccess(tokens: number, { passed, ran, unknown }: TrialTotals): Reading | NoReading {
  if (passed === 0) return noSuccess(unknown);
  const basis = `${formatCount(tokens)} tokens, ${formatCount(passed)} of ${formatCount(ran)} trials passed`;
  if (unknown === 0) return certain(quotientValue(tokens, passed), basis);
  return between(quotientValue(tokens, passed + unknown), UNBOUNDED, basis, tokens / passed);
}

/** Cost per success where nothing passed: it does not exist, which fails, unless a trial may still pass. */
export function noSuccess(unknown: number): NoReading {
  const why = 'has no trial that passed, so no cost per success';
  return unknown === 0 ? { verdict: 'fail', why } : { verdict: 'insufficient', why: `${why} yet` };
}
