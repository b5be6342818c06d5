import type { Json } from '../types/json.ts';
import { closestBranch } from './closest-branch.ts';
import type { Checking, Keyword, Rule } from './rule.ts';
import { violation } from './violation.ts';

/** The value fits another schema, which may be one of those around this one. */
export function reference(target: () => Rule): Keyword {
  return {
    holds: (value, check, evaluated) => check.fitsToo(target(), value, evaluated),
    explain: (value, explanation) => explanation.violations(target(), value),
  };
}

export function allOf(rules: readonly Rule[]): Keyword {
  return {
    // Those after one that does not fit need not be looked at.
    holds: (value, check, evaluated) => rules.every((rule) => check.fitsToo(rule, value, evaluated)),
    explain: (value, explanation) => explanation.each(rules, (rule) => explanation.violations(rule, value)),
  };
}

export function anyOf(rules: readonly Rule[]): Keyword {
  return {
    holds: (value, check, evaluated) => {
      if (evaluated === null) return rules.some((rule) => check.fits(rule, value));
      // Each one that fits counts for what is evaluated.
      return rules.filter((rule) => check.fitsToo(rule, value, evaluated)).length > 0;
    },
    explain: (value, explanation) => closestBranch(rules, value, explanation),
  };
}

export function oneOf(rules: readonly Rule[]): Keyword {
  const fitting = (value: Json, check: Checking) => rules.filter((rule) => check.fits(rule, value));
  return {
    holds: (value, check, evaluated) => {
      const [first, ...others] = fitting(value, check);
      return first !== undefined && others.length === 0 && check.fitsToo(first, value, evaluated);
    },
    explain: (value, explanation) => {
      const { length } = fitting(value, explanation.check);
      if (length === 0) return closestBranch(rules, value, explanation);
      return [violation(value, { keyword: 'oneOf', fitting: length })];
    },
  };
}

export function not(rule: Rule): Keyword {
  return {
    holds: (value, check) => !check.fits(rule, value),
    explain: (value) => [violation(value, { keyword: 'not' })],
  };
}

/** `branches`: what the value must fit where it fits `test`, and where it does not; null: nothing. */
export function condition(test: Rule, branches: readonly [yes: Rule | null, no: Rule | null]): Keyword {
  const branch = (fits: boolean) => branches[fits ? 0 : 1];
  return {
    holds: (value, check, evaluated) => {
      const next = branch(check.fitsToo(test, value, evaluated));
      return next === null || check.fitsToo(next, value, evaluated);
    },
    explain: (value, explanation) => {
      const next = branch(explanation.check.fits(test, value));
      return next === null ? [] : explanation.violations(next, value);
    },
  };
}

/** What `true` and `false` stand for. */
export function constant(isValid: boolean): Keyword {
  return {
    holds: () => isValid,
    explain: (value) => [violation(value, { keyword: 'false' }, 'key')],
  };
}
