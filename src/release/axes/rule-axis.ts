import { plural } from '../../text/format-number.ts';
import type { AxisResult } from '../../types/release/eval-body.ts';
import type { Axis } from '../../types/release/release-rules.ts';
import type { TriedScenario } from '../evidence.ts';
import { axisResult, insufficient } from './axis-result.ts';
import { judgeRules } from './judge-rules.ts';

/** An axis that is judged by its rules alone; without any, nothing was looked at. */
export function ruleAxis(
  axis: Extract<Axis, 'trajectory' | 'faithfulness'>,
  rules: readonly string[],
  { scenarios, isAdvisory }: { readonly scenarios: readonly TriedScenario[]; readonly isAdvisory: boolean },
): AxisResult {
  if (rules.length === 0) {
    const missing = insufficient(
      'NO_RULE',
      `No rule says which scenarios show it. Name them under ${axis} in [release.tiers].`,
    );
    return axisResult([missing], { evidence: [], isAdvisory });
  }
  const { reasons, tells } = judgeRules(rules, scenarios);
  return axisResult(reasons, { evidence: [plural(rules.length, 'rule')], tells, isAdvisory });
}
