import { passHatK } from '../stats/pass-hat-k.ts';
import type { ScenarioReport, SuiteReport } from '../types/report.ts';

/** What a matcher tells Vitest. */
export interface MatcherResult {
  readonly pass: boolean;
  readonly message: () => string;
}

/** `expect(report).toPass()`: the gate of a suite's report passed, or a scenario cleared its bar. */
export function toPass(received: unknown): MatcherResult {
  if (isSuiteReport(received)) {
    const { verdict, reasons } = received.gate;
    return result(verdict === 'pass', `the gate ${VERBS[verdict]}`, reasons);
  }
  const scenario = scenarioOf(received, 'toPass');
  const failed = scenario.checks.map((check) => `${check.check}: failed in ${check.failed} trials`);
  return result(scenario.verdict === 'passed', `${scenario.name}: ${scenario.verdict}, ${rateOf(scenario)}`, failed);
}

/** `expect(scenario).toHoldPassK(8, 0.95)`: the unbiased chance that k runs in a row succeed is at least this. */
export function toHoldPassK(received: unknown, k: number, atLeast: number): MatcherResult {
  const scenario = scenarioOf(received, 'toHoldPassK');
  const { executed, passed } = scenario.trials;
  const chance = passHatK(executed, passed, k);
  if (chance === null) return result(false, `${scenario.name}: ${executed} trials cannot tell pass^${k}`, []);
  return result(
    chance + SLACK >= atLeast,
    `${scenario.name}: pass^${k} is ${chance}, expected at least ${atLeast}`,
    [],
  );
}

/** `expect(scenario).toHavePassRate(0.9)`: at least this share of trials passed. */
export function toHavePassRate(received: unknown, atLeast: number): MatcherResult {
  const scenario = scenarioOf(received, 'toHavePassRate');
  const passes = scenario.passRate !== null && scenario.passRate + SLACK >= atLeast;
  return result(passes, `${scenario.name}: ${rateOf(scenario)}, expected at least ${atLeast}`, []);
}

/** `expect(scenario).toCostAtMost(200)`: tokens of all trials over passing trials; fails when none passed. */
export function toCostAtMost(received: unknown, tokens: number): MatcherResult {
  const [name, cost] = isSuiteReport(received)
    ? ['suite', received.summary.costPerSuccess]
    : [scenarioOf(received, 'toCostAtMost').name, scenarioOf(received, 'toCostAtMost').cost.perSuccess];
  if (cost === null) return result(false, `${name}: no trial passed, so nothing has a cost per success`, []);
  return result(cost <= tokens + SLACK, `${name}: ${cost} tokens per success, expected at most ${tokens}`, []);
}

const SLACK = 1e-9;
const VERBS = { pass: 'passed', fail: 'failed', insufficient: 'is undecided' } as const;

function result(pass: boolean, fact: string, reasons: readonly string[]): MatcherResult {
  return { pass, message: () => [`${pass ? 'Expected otherwise, but ' : ''}${fact}.`, ...reasons].join('\n') };
}

function rateOf({ passRate, trials, exact }: ScenarioReport): string {
  if (exact !== undefined) return `the exact pass rate is ${exact.passRate}`;
  return `${trials.passed} of ${trials.executed + trials.deduplicated} trials passed${passRate === null ? '' : ` (${passRate})`}`;
}

function isSuiteReport(value: unknown): value is SuiteReport {
  return hasFields(value) && typeof value['schema'] === 'string' && value['schema'].startsWith('passk-report/');
}

function scenarioOf(value: unknown, matcher: string): ScenarioReport {
  if (hasFields(value) && typeof value['verdict'] === 'string' && hasFields(value['trials'])) {
    return value as unknown as ScenarioReport;
  }
  throw new TypeError(`${matcher} takes a scenario of a passk report, such as report.scenarios[0].`);
}

function hasFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
