import type { Expected } from '../../types/scenario.ts';
import type { Invariant } from '../../types/invariant.ts';
import type { PlainCheck, TrialView } from '../check.ts';
import type { CheckParts } from '../make-check.ts';
import { showText } from '../show-value.ts';
import { agentGiven } from './agent-given.ts';
import { compileRule, type RuleTools } from './compile-rule.ts';
import type { Given, Rule } from './given.ts';
import { OutcomeGiven } from './outcome-given.ts';

/**
 * `invariants`: one check for each, named by its id. It holds when every answer of the trial obeys; what it shows is the
 * first answer that does not. `negate` turns a rule around, whichever it is. Two things never count as obeyed, negated or
 * not: no answer, for rules about the answer, and what cannot be told, such as tokens that nobody counted.
 */
export function invariantChecks(
  { of, list }: NonNullable<Expected['invariants']>,
  { canRespond, ...tools }: InvariantTools,
): readonly CheckParts[] {
  const givenIn = of === 'agent' ? agentGiven : outcomeGiven();
  return list.map((invariant) => {
    const rule = compileRule(invariant, tools);
    const check = invariantCheck(invariant, rule, givenIn);
    if (of === 'agent') return check;
    const { mostTokens } = rule;
    return {
      ...check,
      // A reply may be shaped anywhere on the way.
      ...(rule.onEnding && canRespond === false && { onEnding: true }),
      ...(mostTokens !== undefined && { plain: tokenBound(mostTokens, invariant.negate) }),
    };
  });
}

export interface InvariantTools extends RuleTools {
  /** False: no node of the workflow shapes a reply, so that the final value is the answer. Absent: one may. */
  readonly canRespond?: boolean;
}

function tokenBound(most: number, negate: boolean): PlainCheck {
  const counter = 'llmTokens';
  const [low, high] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  // Tokens are whole.
  if (negate) return { kind: 'bound', counter, least: Math.floor(most) + 1, most: high };
  return { kind: 'bound', counter, least: low, most };
}

/** The one answer of a workflow, always in the same object. */
function outcomeGiven(): (view: TrialView) => readonly Given[] {
  const given = new OutcomeGiven();
  const list = [given];
  return (view) => {
    given.of(view);
    return list;
  };
}

function invariantCheck(
  { id, negate }: Invariant,
  rule: Rule,
  givenIn: (view: TrialView) => readonly Given[],
): CheckParts {
  const obeys = (given: Given): boolean => {
    if (rule.onAnswer && given.text === null) return false;
    const holds = rule.holds(given);
    return holds !== null && holds !== negate;
  };
  const shown = (view: TrialView): Given => {
    const all = givenIn(view);
    // There is always one.
    return all.find((given) => !obeys(given)) ?? (all[0] as Given);
  };
  const isMissing = (given: Given): boolean => rule.onAnswer && given.text === null;
  return {
    name: id,
    ...(rule.needs === undefined ? {} : { needs: rule.needs }),
    at: (view) => shown(view).prompt,
    expected: rule.expected,
    wanted: negate ? rule.wantedNot : rule.wanted,
    holds: (view) => {
      const all = givenIn(view);
      for (let at = 0; at < all.length; at++) if (!obeys(all[at] as Given)) return false;
      return true;
    },
    got: (view) => {
      const given = shown(view);
      return isMissing(given) ? null : rule.got(given);
    },
    saw: (view) => {
      const given = shown(view);
      const seen = isMissing(given) ? `no answer: ${given.problem ?? 'nothing was said'}` : rule.saw(given);
      return given.prompt === null ? seen : `${seen} (prompt ${showText(given.prompt)})`;
    },
  };
}
