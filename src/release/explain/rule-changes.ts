import { formatCount, plural } from '../../text/format-number.ts';
import { describePlanned } from '../../gate/describe-planned.ts';
import { judgePasses, type PassCounts } from '../../gate/judge-passes.ts';
import type { Gate } from '../../types/reports/gate.ts';
import type { EvalScenario } from '../../types/release/eval-body.ts';
import type { TierRules } from '../../types/release/release-rules.ts';
import { askedOf, releaseGate, sameTrials } from '../axes/judge-rules.ts';
import type { Change } from './change.ts';
import { percent } from '../release-texts.ts';
import { trialsOf } from '../count-trials.ts';
import { named } from './change-texts.ts';
import { passes, shareToPass, trialsAtRates, trialsIfAllPass } from './needed-trials.ts';

/** What the rules of an axis still need, each judged again from the counts of the record. */
export function ruleChanges(
  texts: readonly string[],
  scenarios: readonly EvalScenario[],
  { trials: planned }: Pick<TierRules, 'trials'>,
): readonly Change[] {
  return texts.flatMap((text): readonly Change[] => {
    const gate = releaseGate(text);
    const { inScope, constant } = askedOf(gate, scenarios);
    const counts = inScope.map((one) => ({ trials: trialsOf(one), passed: one.passed, errors: one.errors }));
    if (inScope.length === 0 && constant.length > 0) {
      const names = named(constant.map(({ name }) => name));
      const change = `Let something vary in ${names}: try what it asks with --live, or an agent, or give its turns variants.`;
      return [
        { verdict: 'insufficient', code: 'SAME_TRIALS', reason: sameTrials(gate, constant), change, trials: null },
      ];
    }
    const { verdict, reason } = judgePasses(gate, counts);
    if (verdict === 'pass') return [];
    if (inScope.length === 0) {
      const change = `Add a scenario that "${text}" is asked of: ${plural(planned, 'trial')} of each.`;
      return [{ verdict, code: 'NO_EVIDENCE', reason, change, trials: planned }];
    }
    const outlook = verdict === 'fail' ? failing(gate, inScope, counts) : thin(gate, inScope, counts);
    return [{ verdict, code: 'RULE', reason, ...outlook }];
  });
}

/** The change where the evidence decides against the candidate: it must become better. */
function failing(gate: Gate, inScope: readonly EvalScenario[], counts: readonly PassCounts[]): Outlook {
  const share = shareToPass(gate, counts);
  if (share === null) {
    const perfect = trialsIfAllPass(gate, counts);
    const least = perfect === null ? ', or another rule' : `, and ${plural(perfect, 'trial')} of each even if all pass`;
    return { change: `${quoted(gate)} needs a better candidate${least}.`, trials: null };
  }
  const worse = inScope
    .filter(({ passed, ...one }) => passed < share * trialsOf({ passed, ...one }))
    .sort((a, b) => rateOf(a) - rateOf(b));
  const change = `${quoted(gate)} holds once no scenario passes less than ${percent(share)} of its trials: improve ${named(worse.map((one) => `${one.name} (${percent(rateOf(one))})`))}.`;
  return { change, trials: null };
}

/** The change where there are too few trials, or where errors could decide. */
function thin(gate: Gate, inScope: readonly EvalScenario[], counts: readonly PassCounts[]): Outlook {
  const errors = counts.reduce((sum, one) => sum + one.errors, 0);
  if (
    errors > 0 &&
    passes(
      gate,
      counts.map(({ trials, passed, errors: own }) => ({ trials, passed: passed + own, errors: 0 })),
    )
  ) {
    const change = `${quoted(gate)} holds if the ${plural(errors, 'trial')} that ended in errors pass: remove the cause and run them again.`;
    return { change, trials: errors };
  }
  const needed = trialsAtRates(gate, counts);
  if (needed !== null) {
    const more = counts.reduce((sum, { trials }) => sum + Math.max(0, needed - trials), 0);
    const change = `${quoted(gate)} needs ${plural(needed, 'trial')} of each of ${plural(inScope.length, 'scenario')}, if pass rates stay as they are.${surely(gate, inScope)}`;
    return { change, trials: more };
  }
  const perfect = trialsIfAllPass(gate, counts);
  const least = perfect === null ? '' : ` ${formatCount(perfect)} of each would do if all passed.`;
  return {
    change: `${quoted(gate)} cannot be shown at the pass rates so far, with any number of trials.${least}`,
    trials: null,
  };
}

type Outlook = Pick<Change, 'change' | 'trials'>;

/** The trials that `passk plan` asks for, where a chance to pass follows from the pass rate. */
function surely(gate: Gate, inScope: readonly EvalScenario[]): string {
  const planned = inScope.map((one) => ({ name: one.name, trials: trialsOf(one), suite: one.suite }));
  const needed = describePlanned(gate, planned)?.needed ?? null;
  if (needed === null) return '';
  return ` To tell a pass rate of ${percent(needed.good)} from ${percent(needed.bad)}, plan ${formatCount(needed.trials)} of each.`;
}

function rateOf(scenario: EvalScenario): number {
  const trials = trialsOf(scenario);
  return trials === 0 ? 0 : scenario.passed / trials;
}

function quoted({ text }: Gate): string {
  return `"${text}"`;
}
