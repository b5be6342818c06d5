import { formatCount, plural } from '../../text/format-number.ts';
import { meetsBar } from '../../gate/meets-bar.ts';
import { lowestCount } from '../../gate/passing-counts.ts';
import type { AxisReason, EvalBody, EvalScenario } from '../../types/release/eval-body.ts';
import { isGating } from '../axes/outcome-axis.ts';
import type { Change } from './change.ts';
import { trialsOf } from '../count-trials.ts';
import { named } from './change-texts.ts';
import { ruleChanges } from './rule-changes.ts';

/** What the outcome still needs: its rules, the bar of each scenario, other suites, errors, and what was never run. */
export function outcomeChanges({ axes, rules, scenarios, audit }: EvalBody): readonly Change[] {
  const gating = scenarios.filter(isGating);
  const { reasons } = axes.outcome;
  return [
    ...ruleChanges(rules.outcome, scenarios, rules),
    ...reasons.flatMap((reason) => otherChange(reason, { gating, audit, rules, reasons })),
  ];
}

interface Material extends Pick<EvalBody, 'audit' | 'rules'> {
  readonly gating: readonly EvalScenario[];
  readonly reasons: readonly AxisReason[];
}

/** Of a reason that is no rule. */
function otherChange(
  { code, verdict, message: reason }: AxisReason,
  { gating, audit, rules, reasons }: Material,
): readonly Change[] {
  if (verdict === 'pass') return [];
  const shared = { verdict, code, reason };
  switch (code) {
    case 'SCENARIO_BAR': {
      const below = gating.filter(
        (one) => trialsOf(one) > 0 && !meetsBar(one.passed + one.errors, trialsOf(one), one.minPassRate),
      );
      return [{ ...shared, change: `More trials must pass: ${named(below.map(shortfall))}.`, trials: null }];
    }
    case 'ERRORS_DECIDE':
    case 'ERROR_RATE':
      return [{ ...shared, ...afterErrors(gating) }];
    case 'FEW_TRIALS': {
      const few = gating.filter(({ planned, isRecorded }) => isRecorded !== true && planned < rules.trials);
      const change = `Run ${named(few.map(({ name }) => name))} again, ${plural(rules.trials, 'trial')} each.`;
      return [{ ...shared, change, trials: few.length * rules.trials }];
    }
    case 'PARTIAL': {
      const missing = gating.reduce((sum, one) => sum + one.planned - trialsOf(one), 0);
      return [
        {
          ...shared,
          change: `Let the run end: ${plural(missing, 'trial')} were planned and not run.`,
          trials: missing,
        },
      ];
    }
    case 'TRIVIAL':
    case 'GOLD_FAILS': {
      const first = reasons.find((one) => one.code === code);
      const names = code === 'TRIVIAL' ? audit.trivially : audit.goldFails;
      const what =
        code === 'TRIVIAL'
          ? 'ask for something that doing nothing does not give'
          : 'accept the answers that are held to be right';
      // Several subjects pass the same scenarios, which are run again once.
      const trials = reason === first?.message ? names.length * rules.trials : 0;
      return [{ ...shared, change: `Make ${named(names)} ${what}.`, trials }];
    }
    case 'RESULT':
      return [{ ...shared, change: `${reason} It must pass, or be no part of this release.`, trials: null }];
    case 'RULE':
    case 'NO_EVIDENCE':
    case 'SAME_TRIALS':
      return [];
    default:
      return [{ ...shared, change: reason, trials: null }];
  }
}

function shortfall(scenario: EvalScenario): string {
  const { name, passed, minPassRate, firstFailures } = scenario;
  const all = trialsOf(scenario);
  const needed = lowestCount(all, (count) => meetsBar(count, all, minPassRate));
  const [first] = firstFailures;
  const where = first === undefined ? '' : `, trial ${first} fails first`;
  return `${name} (${formatCount(passed)} of ${formatCount(all)}, needs ${formatCount(needed)}${where})`;
}

/** Errors say nothing, so the same trials must be run again. */
export function afterErrors(scenarios: readonly EvalScenario[]): Pick<Change, 'change' | 'trials'> {
  const open = scenarios.filter(({ errors }) => errors > 0);
  const trials = open.reduce((sum, { errors }) => sum + errors, 0);
  const unrun = scenarios.filter((one) => trialsOf(one) === 0);
  const missing = unrun.reduce((sum, { planned }) => sum + planned, 0);
  const parts = [
    ...(trials === 0
      ? []
      : [`remove what broke ${plural(trials, 'trial')} of ${named(open.map(({ name }) => name))}, and run them again`]),
    ...(missing === 0 ? [] : [`run ${named(unrun.map(({ name }) => name))}`]),
  ];
  const text = parts.join('; ');
  return { change: `${text.charAt(0).toUpperCase()}${text.slice(1)}.`, trials: trials + missing };
}
