import { judgeGate } from '../gate/judge-gate.ts';
import { rateTexts } from '../text/format-rate.ts';
import type { Gate, GateJudgement, GateScope } from '../types/reports/gate.ts';
import type { SuiteReport } from '../types/reports/report.ts';
import { exactOf, isSampled, type ScenarioReport } from '../types/reports/scenario-report.ts';

/** What a matcher tells Vitest. */
export interface MatcherResult {
  readonly pass: boolean;
  readonly message: () => string;
}

/** The part of a matcher's `this` that these need. */
export interface MatcherState {
  /** True after `.not`. */
  readonly isNot?: boolean;
}

/** `expect(report).toPass()`: the gate of a suite's report passed, or a scenario cleared its bar. */
export function toPass(this: MatcherState, received: unknown): MatcherResult {
  if (isSuiteReport(received)) {
    const { verdict, reasons } = received.gate;
    const ofResults = received.results.flatMap((one) => one.reasons.map((why) => `${one.name}: ${why}`));
    return judged(this, verdict, [`the gate ${VERBS[verdict]}.`, ...reasons, ...ofResults]);
  }
  const scenario = scenarioOf(received, 'toPass');
  const chances = exactOf(scenario)?.checks ?? [];
  const counts = isSampled(scenario) ? scenario.checks : [];
  const failed = [
    ...chances.map(({ check, chance }) => `${check}: fails with a chance of ${rateTexts(chance).join('')}`),
    ...counts.map((one) => `${one.check}: failed in ${one.failed} trials`),
  ];
  const verdict = SCENARIO_VERDICTS[scenario.verdict];
  const word = verdict === 'insufficient' ? 'undecided' : scenario.verdict;
  return judged(this, verdict, [`${scenario.name}: ${word}, ${rateOf(scenario)}.`, ...failed]);
}

/** `expect(scenario).toHoldPassK(8, 0.95)`: the unbiased chance that k runs in a row succeed is at least this. */
export function toHoldPassK(this: MatcherState, received: unknown, k: number, atLeast: number): MatcherResult {
  const scenario = scenarioOf(received, 'toHoldPassK');
  assertNumber('toHoldPassK', 'a whole number from 1 for k', k, Number.isSafeInteger(k) && k >= 1);
  assertRate('toHoldPassK', atLeast);
  return byGate(this, scenario, { metric: 'pass^', k, operator: '>=', value: atLeast });
}

/** `expect(scenario).toHavePassRate(0.9)`: at least this share of trials passed. */
export function toHavePassRate(this: MatcherState, received: unknown, atLeast: number): MatcherResult {
  const scenario = scenarioOf(received, 'toHavePassRate');
  assertRate('toHavePassRate', atLeast);
  return byGate(this, scenario, { metric: 'pass_rate', k: null, operator: '>=', value: atLeast });
}

/** `expect(scenario).toCostAtMost(200)`: tokens of all trials over passing trials; fails when none passed. */
export function toCostAtMost(this: MatcherState, received: unknown, tokens: number): MatcherResult {
  const subject = isSuiteReport(received) ? received : scenarioOf(received, 'toCostAtMost');
  assertNumber('toCostAtMost', 'a number of tokens from 0', tokens, tokens >= 0 && Number.isFinite(tokens));
  return byGate(this, subject, { metric: 'cost_per_success', k: null, operator: '<=', value: tokens });
}

/** A matcher says what the gate with the same words says, to the same bit. */
function byGate(
  state: MatcherState,
  received: ScenarioReport | SuiteReport,
  expected: Pick<Gate, 'metric' | 'k' | 'operator' | 'value'>,
): MatcherResult {
  const gate = (scope: GateScope): Gate => ({ ...expected, text: '', scope, side: { kind: 'point' } });
  const { verdict, reason } = isSuiteReport(received)
    ? judgeGate(gate({ kind: 'suite' }), received)
    : judgeGate(gate({ kind: 'scenario', name: received.name }), {
        scenarios: [received],
        coverage: NO_COVERAGE,
        // Of a scenario alone nobody knows; where none is missing it makes no difference.
        partial: true,
      });
  return judged(state, verdict, [reason]);
}

const NO_COVERAGE: SuiteReport['coverage'] = {
  total: 0,
  observed: [],
  claimed: [],
  uncovered: [],
  unknown: [],
  fraction: 0,
  byTags: [],
};
const SCENARIO_VERDICTS = {
  passed: 'pass',
  failed: 'fail',
  insufficient: 'insufficient',
  not_run: 'fail',
  load_error: 'fail',
} as const;
const VERBS = { pass: 'passed', fail: 'failed', insufficient: 'is undecided' } as const;

/** What is undecided satisfies no expectation, nor its opposite. */
function judged(
  { isNot = false }: MatcherState,
  verdict: GateJudgement['verdict'],
  lines: readonly string[],
): MatcherResult {
  const pass = verdict === 'insufficient' ? isNot : verdict === 'pass';
  const lead =
    verdict === 'pass' ? 'Expected otherwise, but ' : verdict === 'insufficient' ? 'Not enough evidence: ' : '';
  return { pass, message: () => `${lead}${lines.join('\n')}` };
}

function rateOf(scenario: ScenarioReport): string {
  const exact = exactOf(scenario);
  if (exact !== null) return `the exact pass rate is ${rateTexts(exact.passRate).join('')}`;
  const { passed, failed, broken } = scenario.trials;
  const rate = isSampled(scenario) ? ` (${rateTexts(scenario.passRate).join('')})` : '';
  return `${passed} of ${passed + failed + broken} trials passed${rate}`;
}

function assertRate(matcher: string, rate: number): void {
  const meant = rate > 1 && rate <= 100 ? `; for ${rate} % write ${rate / 100}` : '';
  assertNumber(matcher, 'a rate from 0 to 1', rate, rate >= 0 && rate <= 1, meant);
}

function assertNumber(matcher: string, wanted: string, value: number, isFine: boolean, meant = ''): void {
  if (!isFine) throw new RangeError(`${matcher} takes ${wanted}, not ${value}${meant}.`);
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
