import { ratioInterval } from '../stats/ratio-interval.ts';
import { scenarioRateInterval } from '../stats/scenario-rate-interval.ts';
import type { Gate } from '../types/gate.ts';
import type { SuiteReport } from '../types/report.ts';
import type { GateMetric } from './gate-metrics.ts';
import { counted, grouped } from './gate-text.ts';
import { knownTrials, type NoReading, noSuccess, type Reading, readScenario } from './read-scenario.ts';

/** The parts of a report that gates read. */
export type Judged = Pick<SuiteReport, 'scenarios' | 'coverage' | 'partial'>;

/**
 * Reads the gate's metric of the suite: rates are means over scenarios (one that did not load counts 0), counts and
 * counters are sums, cost per success is all tokens over all passes. Intervals take scenarios as a sample.
 */
export function readSuite(gate: Gate, metric: GateMetric, report: Judged): Reading | NoReading {
  const { source } = metric;
  if (source.from === 'coverage') return readCoverage(source.by, report);
  const { scenarios, partial } = report;
  if (scenarios.length === 0) return { verdict: 'insufficient', why: 'has no scenario' };
  const enumerated = scenarios.find(({ sampler, verdict }) => sampler === 'exhaustive' && verdict !== 'load_error');
  if (source.from !== 'exact' && enumerated !== undefined) {
    const why = `has a scenario whose answers are enumerated, not sampled: ${enumerated.name}`;
    return { verdict: 'insufficient', why };
  }
  if (metric.isRate) return readMeanRate(gate, metric, report);
  const loaded = scenarios.filter((scenario) => scenario.verdict !== 'load_error');
  const bad = scenarios.length - loaded.length;
  if (bad > 0) return { verdict: 'fail', why: `has ${bad} scenario${bad === 1 ? '' : 's'} that did not load` };
  if (source.from === 'cost_per_success') return readCost(gate, report);
  if (source.from === 'counter' && source.per === 'trial') return readPerTrial(source.counter, report);
  const readings = loaded.map((scenario) => readScenario(gate, metric, scenario, partial));
  const known = readings.filter((reading): reading is Reading => 'basis' in reading);
  const sum = (pick: (reading: Reading) => number): number =>
    known.reduce((total, reading) => total + pick(reading), 0);
  return {
    value: sum(({ value, low }) => value ?? low),
    low: sum(({ low }) => low),
    high: known.length < readings.length ? Number.POSITIVE_INFINITY : sum(({ high }) => high),
    basis: overScenarios(scenarios.length),
  };
}

function readCoverage(by: 'observed' | 'tags', { coverage, partial, scenarios }: Judged): Reading | NoReading {
  if (coverage.total === 0) return { verdict: 'insufficient', why: 'has no capability to cover' };
  const covered = by === 'observed' ? coverage.observed.length : coverage.byTags.length;
  const value = covered / coverage.total;
  // Trials that were lost can only have seen more.
  const lost = partial || scenarios.some(({ trials }) => trials.broken > 0);
  return { value, low: value, high: lost ? 1 : value, basis: `${covered} of ${coverage.total} capabilities` };
}

function readMeanRate(gate: Gate, metric: GateMetric, { scenarios, partial }: Judged): Reading | NoReading {
  const points: Reading[] = [];
  for (const scenario of scenarios) {
    const reading =
      scenario.verdict === 'load_error'
        ? { value: 0, low: 0, high: 0, basis: '' }
        : readScenario({ ...gate, side: { kind: 'point' } }, metric, scenario, partial);
    if ('why' in reading)
      return { verdict: 'insufficient', why: `has a scenario that ${reading.why}: ${scenario.name}` };
    points.push(reading);
  }
  const mean = (pick: (reading: Reading) => number): number =>
    points.reduce((total, reading) => total + pick(reading), 0) / points.length;
  const basis = `mean of ${points.length} scenario${points.length === 1 ? '' : 's'}`;
  if (gate.side.kind === 'point') {
    return {
      value: mean(({ value, low }) => value ?? low),
      low: mean(({ low }) => low),
      high: mean(({ high }) => high),
      basis,
    };
  }
  const interval = scenarioRateInterval(
    points.map(({ value, low }) => value ?? low),
    gate.side.level,
  );
  const end = interval?.interval[gate.side.kind === 'lower' ? 0 : 1] ?? null;
  const settled = end !== null && points.every(({ low, high }) => low === high);
  // Each unknown trial moves both the mean and the spread: no end is sure.
  return { value: end, low: settled ? end : 0, high: settled ? end : 1, basis };
}

function readCost(gate: Gate, { scenarios, partial }: Judged): Reading | NoReading {
  const spendings = scenarios.map(({ cost, trials }) => ({ cost: cost.total.llmTokens, passed: trials.passed }));
  const unknown = scenarios.reduce((sum, scenario) => sum + knownTrials(scenario, partial).unknown, 0);
  const passed = spendings.reduce((sum, spending) => sum + spending.passed, 0);
  const tokens = spendings.reduce((sum, spending) => sum + spending.cost, 0);
  if (passed === 0) return noSuccess(unknown);
  const basis = `${grouped(tokens)} tokens, ${counted(passed, 'trial')} passed`;
  if (gate.side.kind === 'point') {
    const value = tokens / passed;
    if (unknown === 0) return { value, low: value, high: value, basis };
    return { value, low: tokens / (passed + unknown), high: Number.POSITIVE_INFINITY, basis };
  }
  const interval = unknown > 0 ? null : (ratioInterval(spendings, gate.side.level)?.interval ?? null);
  if (interval === null) {
    const why = unknown > 0 ? 'has trials of unknown result' : 'needs a second scenario for an interval';
    return { verdict: 'insufficient', why };
  }
  const end = gate.side.kind === 'lower' ? interval[0] : interval[1];
  const bound = end ?? Number.POSITIVE_INFINITY;
  return { value: end, low: bound, high: bound, basis };
}

function readPerTrial(
  counter: keyof SuiteReport['summary']['total'],
  { scenarios, partial }: Judged,
): Reading | NoReading {
  const known = scenarios.map((scenario) => knownTrials(scenario, partial));
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
  const ran = sum(known.map((trials) => trials.ran));
  if (ran === 0) return { verdict: 'insufficient', why: 'did not run' };
  const total = sum(scenarios.map(({ cost }) => cost.total[counter]));
  const basis = overScenarios(scenarios.length);
  if (known.every(({ unknown }) => unknown === 0))
    return { value: total / ran, low: total / ran, high: total / ran, basis };
  return { value: total / ran, low: total / sum(known.map(({ all }) => all)), high: Number.POSITIVE_INFINITY, basis };
}

function overScenarios(count: number): string {
  return `over ${count} scenario${count === 1 ? '' : 's'}`;
}
