import { firstNames } from '../../text/first-names.ts';
import { plural } from '../../text/format-number.ts';
import { meetsBar } from '../../gate/meets-bar.ts';
import type { AxisReason, AxisResult, EvalBody } from '../../types/release/eval-body.ts';
import type { SuiteName } from '../../types/release/origin.ts';
import type { TierRules } from '../../types/release/release-rules.ts';
import type { TriedScenario } from '../evidence.ts';
import { percent } from '../release-texts.ts';
import { auditEvidence, auditReasons } from './audit-reasons.ts';
import { axisResult, fail, insufficient } from './axis-result.ts';
import { judgeRules } from './judge-rules.ts';
import { resultReason } from './result-reason.ts';

/** Names in one sentence. */
const MOST_NAMES = 5;

/** Whether the subject does what it is for: the rules of the tier, each scenario's own bar, and results of other suites. */
export function outcomeAxis(
  scenarios: readonly TriedScenario[],
  rules: TierRules,
  { results, audit, partial }: Pick<EvalBody, 'results' | 'audit' | 'partial'>,
): AxisResult {
  const gating = scenarios.filter(isGating);
  const deciding = results.filter(isGating);
  const judged = judgeRules(rules.outcome, scenarios);
  const reasons = [
    ...judged.reasons,
    ...barReasons(gating),
    ...deciding.flatMap(resultReason),
    ...fewReason(gating, rules.trials),
    ...errorReason(gating, rules.maxErrorRate),
    ...auditReasons(audit, rules),
    ...(partial ? [insufficient('PARTIAL', 'Not all of its trials were run, or could be read.')] : []),
  ];
  const trials = gating.reduce((sum, one) => sum + one.trials.length, 0);
  return axisResult(reasons, {
    evidence: [
      `${plural(gating.length, 'scenario')} of validation and regression, ${plural(trials, 'trial')}`,
      auditEvidence(audit),
      ...(deciding.length === 0 ? [] : [`${plural(deciding.length, 'result')} of other suites`]),
    ],
    tells: judged.tells,
  });
}

/** Whether the scenario decides if the candidate does its work: it says so, or says nothing. */
export function isGating({ suite }: { readonly suite?: SuiteName | undefined }): boolean {
  return suite === undefined || suite === 'validation' || suite === 'regression';
}

/** Scenarios below their own bars, and scenarios whose broken trials decide whether they are. */
function barReasons(scenarios: readonly TriedScenario[]): readonly AxisReason[] {
  const below: string[] = [];
  const open: string[] = [];
  for (const { name, passed, errors, trials, minPassRate } of scenarios) {
    if (trials.length === 0) open.push(name);
    else if (!meetsBar(passed + errors, trials.length, minPassRate)) below.push(name);
    else if (!meetsBar(passed, trials.length, minPassRate)) open.push(name);
  }
  return [
    ...(below.length === 0 ? [] : [fail('SCENARIO_BAR', `${named(below)} below their own bars.`)]),
    ...(open.length === 0
      ? []
      : [insufficient('ERRORS_DECIDE', `Errors decide whether ${named(open)} reach their bars.`)]),
  ];
}

/** Scenarios of records of a lower tier, which asked for fewer trials. Of recorded runs there are no more. */
function fewReason(scenarios: readonly TriedScenario[], least: number): readonly AxisReason[] {
  const few = scenarios.filter(({ planned, isRecorded }) => isRecorded !== true && planned < least);
  if (few.length === 0) return [];
  const message = `The tier asks for ${plural(least, 'trial')}, and ${named(few.map(({ name }) => name))} had fewer.`;
  return [insufficient('FEW_TRIALS', message)];
}

function errorReason(scenarios: readonly TriedScenario[], most: number): readonly AxisReason[] {
  const trials = scenarios.reduce((sum, one) => sum + one.trials.length, 0);
  const errors = scenarios.reduce((sum, one) => sum + one.errors, 0);
  if (trials === 0 || errors / trials <= most) return [];
  const message = `${errors} of ${plural(trials, 'trial')} ended in errors; at most ${percent(most)} may.`;
  return [insufficient('ERROR_RATE', message)];
}

function named(names: readonly string[]): string {
  const quoted = names.map((name) => `"${name}"`);
  return `${plural(names.length, 'scenario')} (${firstNames(quoted, MOST_NAMES)})`;
}
