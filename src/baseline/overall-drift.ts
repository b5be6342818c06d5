import { normalTwoSided } from '../stats/normal-tail.ts';
import { rateChange } from '../stats/paired-difference.ts';
import { signFlip } from '../stats/sign-flip.ts';
import { errorAtFall, stratifiedDifference } from '../stats/stratified-difference.ts';
import { stratifiedTest } from '../stats/stratified-test.ts';
import type { DriftLevels, OverallDrift, ScenarioDrift } from '../types/reports/drift.ts';
import type { Compared, Sample } from './compare-scenario.ts';
import type { ComparedScenario } from './compared-run.ts';
import { independentFloor, pairedFloor } from './noise-floor.ts';
import type { PairedScenarios } from './pair-scenarios.ts';
import { suiteTokenChange, tokenDrift } from './token-drift.ts';

export interface OverallDriftInput {
  readonly both: PairedScenarios['both'];
  readonly compared: readonly Compared[];
  /** In the same order. */
  readonly scenarios: readonly ScenarioDrift[];
  readonly levels: DriftLevels;
  readonly margin: number | null;
  readonly tokenTolerance: number;
}

/** The suite as a whole, over scenarios of both runs: each counts once, however many trials it has. */
export function overallDrift({
  both,
  compared,
  scenarios,
  levels,
  margin,
  tokenTolerance,
}: OverallDriftInput): OverallDrift {
  const samples = compared.flatMap(({ sample }) => sample ?? []);
  const drawn = samples.filter(({ stratum }) => stratum.kind !== 'exact');
  const differences = scenarios.flatMap(({ difference }) => (difference === null ? [] : [difference]));
  const change = stratifiedDifference(samples.map(({ stratum }) => stratum));
  const tested = scenarios.filter(({ test }) => test === 'mcnemar' || test === 'fisher');
  const floors = tested.flatMap(({ noiseFloor }) => (noiseFloor === null ? [] : [noiseFloor])).sort((a, b) => a - b);
  const tokens = suiteTokenChange(
    compared.map((one) => one.tokens),
    tokenTolerance,
  );
  return {
    scenarios: scenarios.length,
    ...(margin === null ? judgeChange(drawn, scenarios, levels.suite) : judgeMargin(samples, margin, levels.suite)),
    before: meanOf(scenarios.flatMap(({ before }) => before.passRate ?? [])),
    after: meanOf(scenarios.flatMap(({ after }) => after.passRate ?? [])),
    difference: change?.mean ?? null,
    interval: change?.interval ?? null,
    population: populationOf(differences),
    // A single scenario is the suite.
    tokens: (scenarios.length === 1 ? scenarios[0]?.tokens : null) ?? tokenDrift(tokens, tokens.p, levels.suiteTokens),
    costPerSuccess: {
      before: costPerSuccess(both.map(({ before }) => before)),
      after: costPerSuccess(both.map(({ after }) => after)),
    },
    noiseFloor: {
      median: floors[Math.floor((floors.length - 1) / 2)] ?? null,
      worst: floors.at(-1) ?? null,
      blind: tested.length - floors.length,
      suite: drawn.length < 2 ? null : suiteFloor(drawn, levels.suite),
    },
  };
}

type Judgement = Pick<OverallDrift, 'status' | 'test' | 'p'>;

/** Whether the scenarios in which chance plays a part changed, more than chance explains. */
function judgeChange(drawn: readonly Sample[], scenarios: readonly ScenarioDrift[], level: number): Judgement {
  if (drawn.length < 2) return { status: worstStatus(scenarios), test: null, p: null };
  const strata = drawn.map(({ stratum }) => stratum);
  const result = stratifiedTest(strata, { seed: 0, level: level / 2 });
  if (result === null) return { status: 'undecided', test: null, p: null };
  const { p, worse, better } = result;
  const status = p > level ? 'unchanged' : worse < better ? 'regressed' : 'improved';
  return { status, test: 'permutation', p };
}

/** A single scenario is the suite; of several that chance plays no part in, each speaks for itself. */
function worstStatus(scenarios: readonly ScenarioDrift[]): ScenarioDrift['status'] {
  const order = ['regressed', 'undecided', 'unchanged', 'improved'] as const;
  return order.find((status) => scenarios.some((one) => one.status === status)) ?? 'undecided';
}

/**
 * Whether the mean fell by more than the margin: surely, surely not, or open (release-gate F-09). It surely did not where
 * that is so even with the spread of trials that had fallen by the margin.
 */
function judgeMargin(samples: readonly Sample[], margin: number, level: number): Judgement {
  const strata = samples.map(({ stratum }) => stratum);
  const change = stratifiedDifference(strata, 1 - level);
  if (change === null) return { status: 'undecided', test: null, p: null };
  const { mean, error, interval } = change;
  const [low, high] = interval;
  const spread = mean > -margin ? Math.max(error, errorAtFall(strata, margin)) : error;
  const p = spread === 0 ? null : normalTwoSided((mean + margin) / spread);
  const isKept = p === null ? mean >= -margin : mean > -margin && p <= level;
  const status = high < -margin ? 'regressed' : !isKept ? 'undecided' : low > 0 ? 'improved' : 'unchanged';
  return { status, test: 'non_inferiority', p };
}

function populationOf(differences: readonly number[]): OverallDrift['population'] {
  const interval = rateChange(differences)?.interval ?? null;
  const p = signFlip(differences, { seed: 0 })?.p ?? null;
  return interval === null || p === null ? null : { interval, p };
}

/** As if all trials were those of one scenario: the suite's test sees at least as much, because scenarios differ. */
function suiteFloor(drawn: readonly Sample[], level: number): number | null {
  const before = {
    trials: drawn.reduce((sum, sample) => sum + sample.before.trials, 0),
    passed: drawn.reduce((sum, sample) => sum + sample.before.passed, 0),
  };
  if (drawn.every(({ sameAnswers }) => sameAnswers)) return pairedFloor(before, level);
  const trials = drawn.reduce((sum, sample) => sum + sample.trials, 0);
  return independentFloor(before, trials, level);
}

function meanOf(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Tokens of all trials over passing ones; null when none passed, or where a run does not say what it spent. */
function costPerSuccess(scenarios: readonly ComparedScenario[]): number | null {
  let tokens = 0;
  let passed = 0;
  for (const scenario of scenarios) {
    if (scenario.tokens === null && scenario.trials > 0) return null;
    tokens += scenario.tokens?.total ?? 0;
    passed += scenario.passed;
  }
  return passed === 0 ? null : tokens / passed;
}
