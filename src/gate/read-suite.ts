import { boundedMeanInterval } from '../stats/bounded-mean-interval.ts';
import { ratioInterval } from '../stats/ratio-interval.ts';
import { stratifiedRateInterval } from '../stats/stratified-rate-interval.ts';
import type { CellNames, Gate, GateSide } from '../types/gate.ts';
import type { SuiteReport } from '../types/report.ts';
import { exactOf, isSampled, type ScenarioReport } from '../types/scenario-report.ts';
import type { Ends } from './compare.ts';
import type { GateMetric } from './gate-metrics.ts';
import { counted, grouped } from './gate-text.ts';
import { enumeratedValue, meanValue, plainValue, quotientValue, UNBOUNDED } from './gate-value.ts';
import { endsOf, horizonOf } from './pass-metric.ts';
import {
  between,
  certain,
  knownTrials,
  noExact,
  type NoReading,
  noSuccess,
  type Reading,
  readScenario,
} from './read-scenario.ts';
import { spentTrials, suiteCost } from './suite-cost.ts';

/** A cell of a matrix, as a gate reads it. */
export interface JudgedCell {
  readonly report: ScenarioReport;
  readonly names: CellNames;
}

/** What gates read of a run. */
export interface Judged extends Pick<SuiteReport, 'scenarios' | 'coverage' | 'partial'> {
  /** Cells of matrices, which count as scenarios; absent: there are none. */
  readonly cells?: readonly JudgedCell[];
}

/**
 * Reads the gate's metric of the suite: rates are means over scenarios (one that did not load counts 0), counts and
 * counters are sums, cost per success is all tokens over all passes, so that scenarios weigh by their trials.
 */
export function readSuite(
  gate: Gate,
  metric: GateMetric,
  report: Judged,
  noun: 'scenario' | 'cell' = 'scenario',
): Reading | NoReading {
  const { source } = metric;
  if (source.from === 'coverage') return readCoverage(source.by, report);
  const { scenarios, partial } = report;
  if (scenarios.length === 0) return { verdict: 'insufficient', why: `has no ${noun}` };
  if (metric.isRate) return readMeanRate(gate, metric, report, noun);
  const loaded = scenarios.filter((scenario) => scenario.verdict !== 'load_error');
  const bad = scenarios.length - loaded.length;
  if (bad > 0) return { verdict: 'fail', why: `has ${bad} scenario${bad === 1 ? '' : 's'} that did not load` };
  const open = loaded.find((one) => one.sampler === 'exhaustive' && exactOf(one) === null);
  if (open !== undefined) return { verdict: 'insufficient', why: `has a scenario that ${noExact(open)}: ${open.name}` };
  if (source.from === 'cost_per_success') return readCost(gate, report, noun);
  const enumerated = loaded.find((one) => exactOf(one) !== null);
  if (enumerated !== undefined) {
    const why = `has a scenario whose answers are enumerated, so that it has no trials to count in: ${enumerated.name}`;
    return { verdict: 'insufficient', why };
  }
  if (source.from === 'counter' && source.per === 'trial') return readPerTrial(source.counter, report, noun);
  const readings = loaded.map((scenario) => readScenario(gate, metric, scenario, partial));
  const known = readings.filter((reading): reading is Reading => 'basis' in reading);
  const sum = (pick: (reading: Reading) => number): number =>
    known.reduce((total, reading) => total + pick(reading), 0);
  const high = known.length < readings.length ? Number.POSITIVE_INFINITY : sum((reading) => reading.high.named.number);
  return between(
    quotientValue(
      sum(({ low }) => low.named.number),
      1,
    ),
    Number.isFinite(high) ? quotientValue(high, 1) : UNBOUNDED,
    over(scenarios.length, noun),
    sum(({ value, low }) => value ?? low.named.number),
  );
}

function readCoverage(by: 'observed' | 'tags', { coverage, partial, scenarios }: Judged): Reading | NoReading {
  if (coverage.total === 0) return { verdict: 'insufficient', why: 'has no capability to cover' };
  const covered = by === 'observed' ? coverage.observed.length : coverage.byTags.length;
  // Trials that were lost can only have seen more.
  const lost = partial || scenarios.some(({ trials }) => trials.broken > 0);
  const value = quotientValue(covered, coverage.total);
  return between(value, lost ? plainValue(1) : value, `${covered} of ${coverage.total} capabilities`);
}

/** What one scenario adds to a mean, if its trials without a result fail, and if they pass. */
interface Part {
  readonly low: Ends['named'];
  readonly high: Ends['named'];
  readonly value: number;
  /** Groups of trials behind it; see `stratifiedRateInterval`. */
  readonly groups: number;
}

function readMeanRate(
  gate: Gate,
  metric: GateMetric,
  { scenarios, partial }: Judged,
  noun: string,
): Reading | NoReading {
  const parts: Part[] = [];
  for (const scenario of scenarios) {
    const part = readPart(gate, metric, scenario, partial);
    if ('why' in part) return { verdict: 'insufficient', why: `has a ${noun} that ${part.why}: ${scenario.name}` };
    parts.push(part);
  }
  const count = `mean of ${counted(parts.length, noun)}`;
  const { side } = gate;
  const [only] = scenarios;
  if (side.kind === 'point') {
    const value = parts.reduce((sum, part) => sum + part.value, 0) / parts.length;
    return between(meanValue(parts.map(({ low }) => low)), meanValue(parts.map(({ high }) => high)), count, value);
  }
  // A single scenario is the suite.
  if (parts.length === 1 && only !== undefined && only.verdict !== 'load_error' && side.about === 'these') {
    return readScenario(gate, metric, only, partial);
  }
  const [low, high] = (['low', 'high'] as const).map((end) => boundsOf(parts, end, side));
  if (low === undefined || high === undefined) return { verdict: 'insufficient', why: 'has no scenario' };
  const basis = side.about === 'these' ? count : `${count}, as a sample of ${noun}s like them`;
  const isSettled = low.named.number === high.named.number;
  return { value: isSettled ? low.named.number : null, low, high, basis };
}

function readPart(gate: Gate, metric: GateMetric, scenario: ScenarioReport, partial: boolean): Part | NoReading {
  if (scenario.verdict === 'load_error') {
    return { low: quotientValue(0, 1), high: quotientValue(0, 1), value: 0, groups: Number.POSITIVE_INFINITY };
  }
  const reading = readScenario({ ...gate, side: { kind: 'point' } }, metric, scenario, partial);
  if ('why' in reading) return reading;
  const { all } = knownTrials(scenario, partial);
  const isExact = exactOf(scenario) !== null;
  const groups = isExact ? Number.POSITIVE_INFINITY : Math.floor(all / horizonOf(gate.metric, gate.k, all));
  return {
    low: reading.low.named,
    high: reading.high.named,
    value: reading.value ?? reading.low.named.number,
    groups,
  };
}

/** The ends never fall as a trial more passes, so unknown trials that fail and that pass bound them. */
function boundsOf(
  parts: readonly Part[],
  end: 'low' | 'high',
  side: Exclude<GateSide, { kind: 'point' }>,
): Ends | undefined {
  const interval =
    side.about === 'these'
      ? stratifiedRateInterval(
          parts.map((part) => ({ value: part[end].number, groups: part.groups })),
          side.level,
        )
      : boundedMeanInterval(
          parts.map((part) => part[end].number),
          side.level,
        );
  return interval === null ? undefined : endsOf(side.kind, interval);
}

function readCost(gate: Gate, { scenarios, partial }: Judged, noun: string): Reading | NoReading {
  const unknown = scenarios.reduce((sum, scenario) => sum + knownTrials(scenario, partial).unknown, 0);
  const spent = spentTrials(scenarios, TOKEN_PRICES);
  const passed = spent.reduce((sum, one) => sum + one.passed, 0);
  const tokens = spent.reduce((sum, one) => sum + one.cost, 0);
  if (passed === 0) return noSuccess(unknown);
  const isCounted = spent.every(({ isExact }) => isExact !== true);
  const basis = isCounted
    ? `${grouped(tokens)} tokens, ${counted(passed, 'trial')} passed`
    : `over ${counted(scenarios.length, noun)}, some of them enumerated`;
  const { side } = gate;
  const quotient = (of: number): Ends['named'] =>
    isCounted ? quotientValue(tokens, of) : enumeratedValue(tokens / of);
  if (side.kind === 'point') {
    if (unknown === 0) return certain(quotient(passed), basis);
    return between(quotient(passed + unknown), UNBOUNDED, basis, tokens / passed);
  }
  if (unknown > 0) return { verdict: 'insufficient', why: 'has trials of unknown result' };
  if (side.about === 'population') {
    const interval = ratioInterval(spent, side.level)?.interval ?? null;
    if (interval === null) return { verdict: 'insufficient', why: `needs a second ${noun} for an interval` };
    return bounded(endsOf(side.kind, interval), `${basis}, as a sample of ${noun}s like them`);
  }
  const { interval, reason } = suiteCost(scenarios, { confidence: side.level });
  if (interval === null) return { verdict: 'insufficient', why: NO_INTERVAL[reason ?? 'one_trial'] };
  const note = reason === 'none_failed' ? '; no trial failed, so a failure may cost anything' : '';
  return bounded(endsOf(side.kind, interval), `${basis}${note}`);
}

const TOKEN_PRICES = { input: 1e6, output: 1e6 };

const NO_INTERVAL = {
  not_run: 'did not run',
  none_passed: 'has no trial that passed, so no cost per success',
  none_failed: 'has no trial that failed',
  one_trial: 'needs a second trial for an interval',
  stop_early: 'stopped when it was settled, so that costs lean towards the verdict',
} as const;

function bounded(ends: Ends, basis: string): Reading {
  const { number } = ends.named;
  return { value: Number.isFinite(number) ? number : null, low: ends, high: ends, basis };
}

function readPerTrial(
  counter: keyof SuiteReport['summary']['total'],
  { scenarios, partial }: Judged,
  noun: string,
): Reading | NoReading {
  const known = scenarios.map((scenario) => knownTrials(scenario, partial));
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
  const ran = sum(known.map((trials) => trials.ran));
  if (ran === 0) return { verdict: 'insufficient', why: 'did not run' };
  const total = sum(scenarios.map((one) => (isSampled(one) ? one.cost.total[counter] : 0)));
  const basis = over(scenarios.length, noun);
  if (known.every(({ unknown }) => unknown === 0)) return certain(quotientValue(total, ran), basis);
  return between(quotientValue(total, sum(known.map(({ all }) => all))), UNBOUNDED, basis, total / ran);
}

function over(count: number, noun: string): string {
  return `over ${count} ${noun}${count === 1 ? '' : 's'}`;
}
