import { plural } from '../../text/format-number.ts';
import { PasskError } from '../../errors.ts';
import type { EvalBody } from '../../types/release/eval-body.ts';
import type { EvalResult } from '../../types/release/eval-result.ts';
import {
  RELEASE_EXPLANATION_SCHEMA,
  type ReleaseChange,
  type ReleaseExplanation,
} from '../../types/release/release-explanation.ts';
import { AXES, type Axis } from '../../types/release/release-rules.ts';
import type { Change } from './change.ts';
import { trialsOf } from '../count-trials.ts';
import { costChanges } from './cost-changes.ts';
import { governanceChanges } from './governance-changes.ts';
import { outcomeChanges } from './outcome-changes.ts';
import { ruleChanges } from './rule-changes.ts';
import { safetyChanges } from './safety-changes.ts';
import { candidateText } from '../release-texts.ts';

/**
 * What would have to change for a release to pass, and what that costs in trials: a pure function of the record. Whether
 * the record holds is for `verifyRelease` to say. Throws `INPUT` for rules of a record that are none, and for numbers that
 * cannot be.
 */
export function explainRelease({ body, bodyHash }: Pick<EvalResult, 'body' | 'bodyHash'>): ReleaseExplanation {
  const { candidate, tier, verdict } = body;
  const changes = allChanges(body);
  return {
    schema: RELEASE_EXPLANATION_SCHEMA,
    bodyHash,
    candidate: candidateText(candidate),
    tier,
    verdict,
    changes,
    trials: changes.reduce((sum, { isAdvisory, trials }) => sum + (isAdvisory ? 0 : (trials ?? 0)), 0),
    usdPerTrial: usdPerTrial(body),
  };
}

function allChanges(body: EvalBody): readonly ReleaseChange[] {
  try {
    return [
      ...AXES.flatMap((axis) => {
        const { isAdvisory } = body.axes[axis];
        return changesOf(axis, body).map((change) => ({ axis, isAdvisory, ...change }));
      }),
      ...governanceChanges(body).map((change) => ({ axis: 'governance' as const, isAdvisory: false, ...change })),
    ];
  } catch (cause) {
    // Statistics refuse counts that contradict each other, which only a record that somebody changed holds.
    if (!(cause instanceof RangeError)) throw cause;
    throw new PasskError('INPUT', 'The numbers of the record contradict each other.', {
      hint: 'See what does not hold with: passk release verify RECORD.',
      cause,
    });
  }
}

function changesOf(axis: Axis, body: EvalBody): readonly Change[] {
  switch (axis) {
    case 'outcome':
      return outcomeChanges(body);
    case 'trajectory':
    case 'faithfulness':
      return body.rules[axis].length === 0
        ? withoutRule(axis, body)
        : ruleChanges(body.rules[axis], body.scenarios, body.rules);
    case 'cost':
      return costChanges(body);
    case 'safety':
      return safetyChanges(body);
  }
}

function withoutRule(axis: 'trajectory' | 'faithfulness', { axes, tier, rules }: EvalBody): readonly Change[] {
  const [reason] = axes[axis].reasons;
  if (reason === undefined || reason.verdict === 'pass') return [];
  const { verdict, code, message } = reason;
  const change = `Name the scenarios that show it, as ${axis} = ["scenario(NAME).pass_rate >= 0.9"] under [release.tiers.${tier}]: ${plural(rules.trials, 'trial')} of each that is new.`;
  return [{ verdict, code, reason: message, change, trials: 0 }];
}

/** Null: a line has no price, or nothing was run. */
function usdPerTrial({ scenarios }: EvalBody): number | null {
  let [nanoUsd, trials] = [0n, 0];
  for (const scenario of scenarios) {
    if (scenario.nanoUsd === null || !/^\d{1,30}$/.test(scenario.nanoUsd)) return null;
    nanoUsd += BigInt(scenario.nanoUsd);
    trials += trialsOf(scenario);
  }
  return trials === 0 ? null : Number(nanoUsd) / 1e9 / trials;
}
