import type { Json } from '../types/json.ts';
import type { Keyword, Rule } from './rule.ts';
import type { SchemaCheck } from './schema-check.ts';

/** The value fits another schema, which may be one of those around this one. */
export function reference(target: () => Rule): Keyword {
  return {
    holds: (value, check, own) => check.fitsToo(target(), value, own),
    explain: (value, at, list) => list.explain(target(), value, at),
  };
}

export function allOf(rules: readonly Rule[]): Keyword {
  return {
    // Those after one that does not fit need not be looked at.
    holds: (value, check, own) => rules.every((rule) => check.fitsToo(rule, value, own)),
    explain: (value, at, list) => {
      for (const rule of rules) if (!list.check.fits(rule, value)) list.explain(rule, value, at);
    },
  };
}

export function anyOf(rules: readonly Rule[]): Keyword {
  return {
    holds: (value, check, own) => {
      if (own === null) return rules.some((rule) => check.fits(rule, value));
      // Each one that fits counts for what is evaluated.
      return rules.filter((rule) => check.fitsToo(rule, value, own)).length > 0;
    },
    explain: (value, at, list) => {
      for (const rule of rules) list.explain(rule, value, at);
      list.add(at, 'must match a schema in anyOf');
    },
  };
}

export function oneOf(rules: readonly Rule[]): Keyword {
  const fitting = (value: Json, check: SchemaCheck) => rules.filter((rule) => check.fits(rule, value));
  return {
    holds: (value, check, own) => {
      const [first, ...others] = fitting(value, check);
      return first !== undefined && others.length === 0 && check.fitsToo(first, value, own);
    },
    explain: (value, at, list) => {
      if (fitting(value, list.check).length === 0) for (const rule of rules) list.explain(rule, value, at);
      list.add(at, 'must match exactly one schema in oneOf');
    },
  };
}

export function not(rule: Rule): Keyword {
  return {
    holds: (value, check) => !check.fits(rule, value),
    explain: (_, at, list) => list.add(at, 'must not be valid'),
  };
}

/** `branches`: what the value must fit where it fits `test`, and where it does not; null: nothing. */
export function condition(test: Rule, branches: readonly [yes: Rule | null, no: Rule | null]): Keyword {
  const branch = (fits: boolean) => branches[fits ? 0 : 1];
  return {
    holds: (value, check, own) => {
      const next = branch(check.fitsToo(test, value, own));
      return next === null || check.fitsToo(next, value, own);
    },
    explain: (value, at, list) => {
      const fits = list.check.fits(test, value);
      const next = branch(fits);
      if (next !== null) list.explain(next, value, at);
      list.add(at, `must match "${fits ? 'then' : 'else'}" schema`);
    },
  };
}

/** What `true` and `false` stand for. */
export function constant(isValid: boolean): Keyword {
  return {
    holds: () => isValid,
    explain: (_, at, list) => list.addFallback(at, 'schema is false'),
  };
}
