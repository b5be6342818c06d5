import { formatCount, plural } from '../text/format-number.ts';
import { ratioInterval } from '../stats/ratio-interval.ts';
import type { CellNames, Gate } from '../types/reports/gate.ts';
import type { SuiteReport } from '../types/reports/report.ts';
import { exactOf, isSampled, type ScenarioReport } from '../types/reports/scenario-report.ts';
import { mixesUsers } from '../types/sessions/mixes-users.ts';
import type { Ends } from './compare.ts';
import type { GateMetric } from './gate-metrics.ts';
import { enumeratedValue, plainValue, quotientValue, UNBOUNDED } from './gate-value.ts';
import { endsOf, horizonOf } from './pass-metric.ts';
import { isAboutThese, type MeanPart, meanOfParts } from './mean-of-parts.ts';
import { between, certain, type NoReading, type Reading } from './reading.ts';
import { readAttacks } from './read-attacks.ts';
import { judgesOf } from './read-judged.ts';
import { trialTotals, noExact, noSuccess, notTold, readScenario } from './read-scenario.ts';
import { recordingOf, taskParts } from './task-parts.ts';
import { spentTrials, suiteCost } from './suite-cost.ts';

/** Metrics of many trials in a row: who plays the user changes what they mean. */
const INSEPARABLE: ReadonlySet<string> = new Set(['pass^', 'strict_pass_k']);

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
  const { scenarios } = report;
  if (scenarios.length === 0) return { verdict: 'insufficient', why: `has no ${noun}` };
  if (source.from === 'attacks') return readAttacks(gate, source.count, report);
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
  if (source.from === 'counter' && source.per === 'trial')
    return readPerTrial(gate, source.counter, { ...report, noun });
  const readings = loaded.map((scenario) => readScenario(gate, metric, scenario));
  const values = readings.filter((reading): reading is Reading => 'basis' in reading);
  const sum = (pick: (reading: Reading) => number): number =>
    values.reduce((total, reading) => total + pick(reading), 0);
  const high = values.length < readings.length ? Number.POSITIVE_INFINITY : sum((reading) => reading.high.named.number);
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
  const lost = partial || scenarios.some((one) => one.verdict === 'not_run' || trialTotals(one).unknown > 0);
  const value = quotientValue(covered, coverage.total);
  return between(value, lost ? plainValue(1) : value, `${covered} of ${coverage.total} capabilities`);
}

function readMeanRate(gate: Gate, metric: GateMetric, { scenarios }: Judged, noun: string): Reading | NoReading {
  if (INSEPARABLE.has(metric.name) && mixesUsers(scenarios)) {
    const name = metric.name === 'pass^' ? 'pass^k' : metric.name;
    const why = `has users that follow scripts and users that a model plays, and no ${name} is one of both`;
    return { verdict: 'insufficient', why };
  }
  const parts: MeanPart[] = [];
  for (const scenario of scenarios) {
    const scenarioParts = readParts(gate, metric, scenario);
    if ('why' in scenarioParts)
      return { verdict: 'insufficient', why: `has a ${noun} that ${scenarioParts.why}: ${scenario.name}` };
    for (const part of scenarioParts) parts.push(part);
  }
  // A single scenario is the suite.
  const [only] = scenarios;
  const judged = scenarios.find((scenario) => judgesOf(scenario) !== null);
  if (judged !== undefined && gate.side.kind !== 'point' && (scenarios.length > 1 || !isAboutThese(gate.side))) {
    const why = `has a ${noun} with a judge, and no interval of a mean knows how wrong a judge may be: ${judged.name}`;
    return { verdict: 'insufficient', why };
  }
  if (scenarios.length === 1 && only !== undefined && only.verdict !== 'load_error' && isAboutThese(gate.side)) {
    return readScenario(gate, metric, only);
  }
  const areTasks = scenarios.some((scenario) => recordingOf(scenario) !== undefined);
  return meanOfParts(parts, gate.side, areTasks ? 'task' : noun);
}

/** A scenario is one part of the mean, a recording as many as it has tasks. */
function readParts(gate: Gate, metric: GateMetric, scenario: ScenarioReport): readonly MeanPart[] | NoReading {
  const recording = recordingOf(scenario);
  if (recording !== undefined) return taskParts(gate, recording);
  const part = readPart(gate, metric, scenario);
  return 'why' in part ? part : [part];
}

function readPart(gate: Gate, metric: GateMetric, scenario: ScenarioReport): MeanPart | NoReading {
  if (scenario.verdict === 'load_error') {
    return { low: quotientValue(0, 1), high: quotientValue(0, 1), value: 0, groups: Number.POSITIVE_INFINITY };
  }
  const reading = readScenario({ ...gate, side: { kind: 'point' } }, metric, scenario);
  if ('why' in reading) return reading;
  const { all } = trialTotals(scenario);
  const isExact = exactOf(scenario) !== null;
  const groups = isExact ? Number.POSITIVE_INFINITY : Math.floor(all / horizonOf(gate.metric, gate.k, all));
  return {
    low: reading.low.named,
    high: reading.high.named,
    value: reading.value ?? reading.low.named.number,
    groups,
  };
}

function readCost(gate: Gate, { scenarios }: Judged, noun: string): Reading | NoReading {
  const judged = scenarios.find((scenario) => judgesOf(scenario) !== null);
  if (judged !== undefined) {
    return {
      verdict: 'insufficient',
      why: `has a ${noun} with a judge, whose passes are not corrected: ${judged.name}`,
    };
  }
  if (scenarios.some((one) => isSampled(one) && one.cost.total.llmTokens === null)) return notTold('tokens');
  const unknown = scenarios.reduce((sum, scenario) => sum + trialTotals(scenario).unknown, 0);
  const spent = spentTrials(scenarios, TOKEN_PRICES);
  const passed = spent.reduce((sum, one) => sum + one.passed, 0);
  const tokens = spent.reduce((sum, one) => sum + one.cost, 0);
  if (passed === 0) return noSuccess(unknown);
  const isCounted = spent.every(({ isExact }) => isExact !== true);
  const basis = isCounted
    ? `${formatCount(tokens)} tokens, ${plural(passed, 'trial')} passed`
    : `over ${plural(scenarios.length, noun)}, some of them enumerated`;
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
    if (interval === null) {
      const alike = `has ${noun}s in which a success costs the same, which does not say what it costs in others`;
      return { verdict: 'insufficient', why: spent.length < 2 ? `needs a second ${noun} for an interval` : alike };
    }
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
  not_told: 'has trials that do not tell their tokens',
  stop_early: 'stopped when it was settled, so that costs lean towards the verdict',
} as const;

function bounded(ends: Ends, basis: string): Reading {
  const { number } = ends.named;
  return { value: Number.isFinite(number) ? number : null, low: ends, high: ends, basis };
}

function readPerTrial(
  { metric }: Gate,
  counter: keyof SuiteReport['summary']['total'],
  { scenarios, noun }: Pick<Judged, 'scenarios'> & { readonly noun: string },
): Reading | NoReading {
  const scenarioTotals = scenarios.map((scenario) => trialTotals(scenario));
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
  const ran = sum(scenarioTotals.map((trials) => trials.ran));
  if (ran === 0) return { verdict: 'insufficient', why: 'did not run' };
  const totals = scenarios.map((one) => (isSampled(one) ? one.cost.total[counter] : 0));
  const numbers = totals.filter((one): one is number => one !== null);
  if (numbers.length < totals.length) return notTold(metric);
  const total = sum(numbers);
  const basis = over(scenarios.length, noun);
  if (scenarioTotals.every(({ unknown }) => unknown === 0)) return certain(quotientValue(total, ran), basis);
  return between(quotientValue(total, sum(scenarioTotals.map(({ all }) => all))), UNBOUNDED, basis, total / ran);
}

function over(count: number, noun: string): string {
  return `over ${count} ${noun}${count === 1 ? '' : 's'}`;
}
