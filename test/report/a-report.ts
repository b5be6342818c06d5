import type { Finding } from '../../src/types/reports/finding.ts';
import { REPORT_SCHEMA, type SuiteReport } from '../../src/types/reports/report.ts';
import {
  type EnumeratedScenario,
  isSampled,
  type NotRunScenario,
  type SampledScenario,
  type ScenarioReport,
  type UnloadedScenario,
} from '../../src/types/reports/scenario-report.ts';
import type { BrokenCause } from '../../src/types/scenarios/broken-cause.ts';
import type { FailureReport } from '../../src/types/scenarios/failure-report.ts';
import { COUNTERS, type CounterName } from '../../src/types/trial.ts';
import { suitePassHatK } from '../../src/suite/fold/fold-pass-hat-k.ts';
import { listedKs, passHatK as passHatKOf } from '../../src/stats/pass-hat-k.ts';
import { trialRatioInterval } from '../../src/stats/trial-ratio-interval.ts';
import { wilsonInterval } from '../../src/stats/wilson.ts';

/** Counters that are 0 but for these. */
export function counters(values: Partial<Record<CounterName, number>> = {}): Record<CounterName, number> {
  const zeros = Object.fromEntries(COUNTERS.map((name) => [name, 0])) as Record<CounterName, number>;
  return { ...zeros, ...values };
}

export interface Numbers {
  readonly passed?: number;
  readonly failed?: number;
  readonly broken?: number;
  readonly requested?: number;
  /** Tokens of each trial; each has one model call. */
  readonly tokens?: number;
}

/** A scenario of `passed` trials that pass and `failed` that do not, 128 tokens each. */
export function aScenario(
  { passed = 8, failed = 0, broken = 0, requested = passed + failed + broken, tokens = 128 }: Numbers = {},
  overrides: Partial<SampledScenario> = {},
): SampledScenario {
  const ran = passed + failed + broken;
  const each = { llmCalls: 1, llmTokens: tokens, promptTokens: tokens - 8, completionTokens: 8, nodeExecutions: 3 };
  const times = (factor: number): Partial<Record<CounterName, number>> =>
    Object.fromEntries(Object.entries(each).map(([name, value]) => [name, value * factor]));
  return {
    name: 'llm-route',
    file: 'corpus/conformance/llm-route.toml',
    description: null,
    tags: [],
    capabilities: ['llm_infer', 'switch'],
    verdict: passed === ran ? 'passed' : 'failed',
    pure: true,
    seed: 0,
    sampler: 'seeded',
    trials: { requested, executed: ran, deduplicated: 0, passed, failed, broken },
    passRate: passed / ran,
    passRateInterval: wilsonInterval(ran, passed) ?? [0, 1],
    strictPassK: passed === ran ? 1 : 0,
    passHatK: listedKs(ran).map((k) => ({ k, value: passHatKOf(ran, passed, k) ?? 0 })),
    minPassRate: null,
    cost: {
      first: counters(each),
      mean: counters(each),
      total: counters(times(ran)),
      deviation: ran < 2 ? null : 0,
      perSuccess: passed === 0 ? null : (tokens * ran) / passed,
      perSuccessInterval: trialRatioInterval([
        { cost: tokens * ran, variance: ran < 2 ? null : 0, trials: ran, passed },
      ]),
    },
    statuses: { completed: passed + failed, failed: 0, timed_out: 0, paused: 0, errored: 0 },
    stoppedBy: { terminate: passed, ...(failed > 0 ? { dead_end: failed } : {}) },
    virtualMs: { mean: 0, max: 0 },
    checks: [],
    failureClasses: [],
    failures: [],
    nodes: [{ node: 'classify', type: 'llm_infer', visits: ran }],
    edges: [{ from: 'classify', to: 'route', when: null, visits: ran }],
    ...(broken > 0 && { brokenCauses: [causeOf(broken, overrides.failures)] }),
    turns: [{ turn: '0', served: [ran] }],
    observed: ['switch', 'llm_infer'],
    reasons: {},
    ...overrides,
  };
}

function causeOf(count: number, failures: readonly FailureReport[] = []): BrokenCause {
  const lowest = failures.find(({ verdict }) => verdict === 'broken');
  return { cause: lowest?.brokenBy ?? 'The worker ended.', count, lowestTrial: lowest?.trial ?? 0 };
}

/** A scenario that the run did not reach. */
export function anIdleScenario(
  { requested = 8 }: Pick<Numbers, 'requested'> = {},
  overrides: Partial<NotRunScenario> = {},
): NotRunScenario {
  const { name, file, description, tags, capabilities, pure, seed, sampler, minPassRate } = aScenario();
  return {
    name,
    file,
    verdict: 'not_run',
    capabilities,
    seed,
    sampler,
    trials: { requested, executed: 0, deduplicated: 0, passed: 0, failed: 0, broken: 0 },
    description,
    tags,
    pure,
    minPassRate,
    ...overrides,
  };
}

/** A scenario whose answers were enumerated: so many pass, each trial takes these tokens. */
export function anExactScenario(
  { passRate = 0.9, tokens = 100 }: { readonly passRate?: number; readonly tokens?: number } = {},
  overrides: Partial<EnumeratedScenario> = {},
): EnumeratedScenario {
  const { nodes, edges, observed } = aScenario();
  const perSuccess = passRate === 0 ? null : tokens / passRate;
  return {
    ...anIdleScenario({ requested: 0 }),
    verdict: passRate === 1 ? 'passed' : 'failed',
    sampler: 'exhaustive',
    failures: [],
    observed,
    nodes,
    edges,
    exact: {
      leaves: 4,
      passRate,
      passRateFraction: null,
      brokenRate: 0,
      passHatK: listedKs(1024)
        .filter((k) => k <= 64 || Number.isInteger(Math.log2(k)))
        .map((k) => ({ k, value: passRate ** k })),
      costPerSuccess: perSuccess,
      callsPerSuccess: passRate === 0 ? null : 1 / passRate,
      counters: counters({ llmCalls: 1, llmTokens: tokens, promptTokens: tokens }),
      statuses: { completed: 1, failed: 0, timed_out: 0, paused: 0, errored: 0 },
      checks: [],
      failing: [],
      failingSequences: passRate === 1 ? 0 : 1,
    },
    ...overrides,
  };
}

/** A failed check on the last node. */
export function aFinding(overrides: Partial<Finding> = {}): Finding {
  return {
    check: 'last_node',
    verdict: 'fail',
    expected: 'done_alpha',
    got: 'route',
    message: 'last_node: expected done_alpha, got route',
    ...overrides,
  };
}

/** A failing trial of `classify`. */
export function aFailure(overrides: Partial<FailureReport> = {}): FailureReport {
  const { status = 'completed' } = overrides;
  return {
    trial: 1,
    verdict: 'failed',
    findings: [aFinding()],
    path: ['classify', 'route'],
    status,
    stoppedBy: status === 'completed' ? 'dead_end' : status === 'errored' ? 'error' : null,
    reason: null,
    brokenBy: null,
    replay: 'passk trace corpus/reliability/classify.toml --trial 1 --seed 0',
    ...overrides,
  };
}

/** `classify`: 5 of 8 trials pass, 3 dead-end. */
export function aFailingScenario(overrides: Partial<SampledScenario> = {}): SampledScenario {
  return aScenario(
    { passed: 5, failed: 3, tokens: 100 },
    {
      name: 'classify',
      file: 'corpus/reliability/classify.toml',
      checks: [{ check: 'last_node', failed: 3 }],
      failureClasses: [{ checks: ['last_node'], count: 3, lowestTrial: 1 }],
      failures: [aFailure()],
      ...overrides,
    },
  );
}

/** A file that did not load, with one problem. */
export function aLoadError(overrides: Partial<UnloadedScenario> = {}): UnloadedScenario {
  return {
    name: 'corpus/broken.toml',
    file: 'corpus/broken.toml',
    verdict: 'load_error',
    capabilities: [],
    seed: 0,
    sampler: 'seeded',
    trials: { requested: 1, executed: 0, deduplicated: 0, passed: 0, failed: 0, broken: 0 },
    loadErrors: [
      {
        code: 'unknown_key',
        severity: 'error',
        message: 'Unknown key "statuz" in [expected].',
        at: {
          file: 'corpus/broken.toml',
          line: 14,
          column: 1,
          endColumn: 7,
          frame: '  13 | [expected]\n  14 | statuz = "completed"\n     | ^^^^^^',
        },
        hint: 'Did you mean "status"?',
      },
    ],
    ...overrides,
  };
}

/** A report over these scenarios whose sums are given, not computed: folding has its own tests. */
export function aReport(overrides: Partial<SuiteReport> = {}): SuiteReport {
  const scenarios = overrides.scenarios ?? [aScenario()];
  const sum = (pick: (scenario: ScenarioReport) => number): number =>
    scenarios.reduce((total, scenario) => total + pick(scenario), 0);
  const sampled = scenarios.filter(isSampled);
  const sumSampled = (pick: (scenario: SampledScenario) => number): number =>
    sampled.reduce((total, scenario) => total + pick(scenario), 0);
  const all = (
    pick: (scenario: SampledScenario) => Record<CounterName, number | null> | null,
  ): Record<CounterName, number> =>
    counters(Object.fromEntries(COUNTERS.map((name) => [name, sumSampled((scenario) => pick(scenario)?.[name] ?? 0)])));
  const passed = sum(({ trials }) => trials.passed);
  const total = all(({ cost }) => cost.total);
  const passHatK = suitePassHatK(scenarios);
  return {
    schema: REPORT_SCHEMA,
    passk: '0.1.0',
    seed: 0,
    partial: false,
    summary: {
      scenarios: scenarios.length,
      passed: scenarios.filter(({ verdict }) => verdict === 'passed').length,
      failed: scenarios.filter(({ verdict }) => verdict === 'failed').length,
      notRun: scenarios.filter(({ verdict }) => verdict === 'not_run').length,
      loadErrors: scenarios.filter(({ verdict }) => verdict === 'load_error').length,
      trials: {
        requested: sum(({ trials }) => trials.requested),
        executed: sum(({ trials }) => trials.executed),
        deduplicated: 0,
        passed,
        failed: sum(({ trials }) => trials.failed),
        broken: sum(({ trials }) => trials.broken),
      },
      meanStrictPassK: sumSampled(({ strictPassK }) => strictPassK) / scenarios.length,
      meanPassRate: passHatK[0]?.value ?? null,
      passHatK,
      total,
      first: all(({ cost }) => cost.first),
      costPerSuccess: passed === 0 ? null : total.llmTokens / passed,
      reasons: {},
    },
    scenarios,
    results: [],
    coverage: {
      total: 37,
      observed: ['switch', 'llm_infer'],
      claimed: [],
      uncovered: ['condition', 'merge', 'fail', 'pause_for_approval', 'terminate', 'respond', 'parse_json'],
      unknown: [],
      fraction: 2 / 37,
      byTags: ['switch', 'llm_infer'],
    },
    security: {
      scenarios: 0,
      observed: 0,
      trials: 0,
      broken: 0,
      denials: 0,
      succeeded: 0,
      successRate: null,
      reasons: { successRate: 'no_scenario' },
    },
    gate: { verdict: 'pass', minPassRate: null, reasons: [], violations: [], expressions: [] },
    notices: [],
    timing: {
      startedAt: '2000-01-01T00:00:00.000Z',
      durationMs: 1234,
      trialsPerSecond: 1_234_567,
      workers: 2,
      executor: 'workers',
      host: { platform: 'linux', cores: 2, node: '20.20.2' },
    },
    ...overrides,
  };
}
