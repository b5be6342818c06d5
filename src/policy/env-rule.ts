import type { Policy } from '../types/policy.ts';
import { compileNamePatterns } from './name-pattern.ts';
import type { EnvQuestion } from './policy-question.ts';
import { BoundedMemo } from './bounded-memo.ts';
import { visibleText } from '../text/visible-text.ts';

/** What all compiled families have in common. */
export interface FamilyRule {
  /** Patterns that can never match, and why. */
  readonly problems: readonly string[];
}

export interface EnvRule extends FamilyRule {
  decide(question: EnvQuestion): string | null;
}

/** `[policy.env]`: which variables may be read. */
export function envRule(policy: Policy['env']): EnvRule {
  const keys = compileNamePatterns(policy.readKeys);
  const memo = new BoundedMemo<string | null>();
  return {
    problems: keys.problems,
    decide: ({ key }) => {
      const hit = memo.get(key);
      if (hit !== undefined) return hit;
      if (keys.matches(key)) return memo.set(key, null);
      const shown = visibleText(key);
      const text = `read_env \`${shown}\`: env var \`${shown}\` is not in the allowlist (${keys.count} configured)`;
      return memo.set(key, text);
    },
  };
}
