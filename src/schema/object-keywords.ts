import { didYouMean } from '../text/did-you-mean.ts';
import type { Json, JsonObject } from '../types/json.ts';
import { isJsonObject } from '../values/is-json.ts';
import type { Checking, Evaluated, Explaining, Keyword, Rule } from './rule.ts';
import { under, type Violation, violation } from './violation.ts';

/** Schemas of properties, by name. */
export type NamedRules = ReadonlyMap<string, Rule>;

/** A schema of the properties whose names match a pattern. */
export interface PatternRule {
  readonly pattern: string;
  readonly matches: (key: string) => boolean;
  readonly rule: Rule;
}

/** Which keys an object has. */
export interface KeyRules {
  readonly required: readonly string[];
  readonly declared: NamedRules;
  readonly patterns: readonly PatternRule[];
  /** Of the values of keys that are neither declared nor named by a pattern; null: nothing is said of them. */
  readonly additional: Rule | null;
  /** No key may be additional. */
  readonly isClosed: boolean;
}

/** `required` and `additionalProperties` at once: a misspelt key is one problem, not a missing and an unknown one. */
export function keys({ required, declared, patterns, additional, isClosed }: KeyRules): Keyword {
  const names = [...declared.keys()];
  const matching = patterns.map(({ pattern }) => pattern);
  const isDeclared = (key: string) => declared.has(key) || patterns.some(({ matches }) => matches(key));
  return onObject({
    holds: (value, check, evaluated) => {
      check.count(required.length);
      if (!required.every((name) => Object.hasOwn(value, name))) return false;
      return additional === null || keysFit(value, check, evaluated, (key) => (isDeclared(key) ? null : additional));
    },
    explain: (value, explanation) => {
      const meant = new Set<string>();
      const wrong = additional === null ? [] : Object.keys(value).filter((key) => !isDeclared(key));
      const found = explanation.each(wrong, (key) => {
        if (!isClosed) return inside(value, key, additional, explanation);
        const guess = meantKey(key, value, names, explanation.check);
        if (guess !== null) meant.add(guess);
        const broken = { keyword: 'additionalProperties', key, declared: names, matching, meant: guess } as const;
        return under(key, [violation(value[key] as Json, broken, 'key')]);
      });
      const missing = required.filter((key) => !Object.hasOwn(value, key) && !meant.has(key));
      return [...found, ...missing.map((key) => missingKey(key, value, declared.get(key)))];
    },
  });
}

/** Properties that must be there, or schemas that the object must fit, when a property is there. */
export function dependencies(named: readonly (readonly [string, Rule | readonly string[]])[]): Keyword {
  const isMet = (value: JsonObject, check: Checking, evaluated: Evaluated | null, needed: Rule | readonly string[]) =>
    'keywords' in needed ? check.fitsToo(needed, value, evaluated) : needed.every((name) => Object.hasOwn(value, name));
  return onObject({
    holds: (value, check, evaluated) => {
      check.count(named.length);
      return named.every(([name, needed]) => !Object.hasOwn(value, name) || isMet(value, check, evaluated, needed));
    },
    explain: (value, explanation) =>
      explanation.each(named, ([name, needed]) => {
        if (!Object.hasOwn(value, name)) return [];
        if ('keywords' in needed) return explanation.violations(needed, value);
        const missing = needed.filter((key) => !Object.hasOwn(value, key));
        return missing.map((key) => violation(value, { keyword: 'required', key, allowed: [], beside: name }));
      }),
  });
}

export function properties(named: NamedRules): Keyword {
  const entries = [...named];
  return onObject({
    holds: (value, check, evaluated) => {
      check.count(entries.length);
      return entries.every(([name, rule]) => {
        if (!Object.hasOwn(value, name)) return true;
        if (!check.fits(rule, value[name] as Json)) return false;
        evaluated?.keys.add(name);
        return true;
      });
    },
    explain: (value, explanation) =>
      explanation.each(named, ([name, rule]) =>
        Object.hasOwn(value, name) ? inside(value, name, rule, explanation) : [],
      ),
  });
}

export function patternProperties(patterns: readonly PatternRule[]): Keyword {
  return onObject({
    holds: (value, check, evaluated) =>
      patterns.every(({ matches, rule }) =>
        keysFit(value, check, evaluated, (key) => {
          check.count(1 + (key.length >> 4));
          return matches(key) ? rule : null;
        }),
      ),
    explain: (value, explanation) =>
      explanation.each(Object.keys(value), (key) =>
        explanation.each(patterns, ({ matches, rule }) => (matches(key) ? inside(value, key, rule, explanation) : [])),
      ),
  });
}

export function propertyNames(rule: Rule): Keyword {
  return onObject({
    holds: (value, check) => {
      const names = Object.keys(value);
      check.count(names.length);
      return names.every((key) => check.fits(rule, key));
    },
    explain: (value, explanation) =>
      explanation.each(Object.keys(value), (key) => {
        const why = explanation.violations(rule, key);
        if (why.length === 0) return [];
        return under(key, [violation(value[key] as Json, { keyword: 'propertyNames', why }, 'key')]);
      }),
  });
}

export function propertyCount(keyword: 'minProperties' | 'maxProperties', limit: number): Keyword {
  return onObject({
    holds: (value, check) => {
      const count = Object.keys(value).length;
      check.count(count);
      return keyword === 'minProperties' ? count >= limit : count <= limit;
    },
    explain: (value) => [violation(value, { keyword, limit })],
  });
}

/** Properties that no other keyword has evaluated. Comes after all of them. */
export function unevaluatedProperties(rule: Rule): Keyword {
  return onObject({
    explains: 'last',
    holds: (value, check, evaluated) =>
      keysFit(value, check, evaluated, (key) => (evaluated?.keys.has(key) === true ? null : rule)),
    explain: (value, explanation, evaluated) => {
      const wrong = Object.keys(value).filter((key) => evaluated?.keys.has(key) !== true);
      return explanation.each(wrong, (key) => inside(value, key, rule, explanation));
    },
  });
}

interface OnObject extends Pick<Keyword, 'explains'> {
  holds(value: JsonObject, check: Checking, evaluated: Evaluated | null): boolean;
  explain(value: JsonObject, explanation: Explaining, evaluated: Evaluated | null): readonly Violation[];
}

function onObject({ holds, explain, ...how }: OnObject): Keyword {
  return {
    ...how,
    holds: (value, check, evaluated) => !isJsonObject(value) || holds(value, check, evaluated),
    explain: (value, explanation, evaluated) => explain(value as JsonObject, explanation, evaluated),
  };
}

/** Whether the value of each key fits the rule for the key; keys without one are no concern of the keyword. */
function keysFit(
  value: JsonObject,
  check: Checking,
  evaluated: Evaluated | null,
  ruleFor: (key: string) => Rule | null,
): boolean {
  const names = Object.keys(value);
  check.count(names.length);
  return names.every((key) => {
    const rule = ruleFor(key);
    if (rule === null) return true;
    if (!check.fits(rule, value[key] as Json)) return false;
    evaluated?.keys.add(key);
    return true;
  });
}

function inside(value: JsonObject, key: string, rule: Rule | null, explanation: Explaining): readonly Violation[] {
  const inner = value[key] as Json;
  // Most values fit: to explain one takes longer than to check it.
  if (rule === null || explanation.check.fits(rule, inner)) return [];
  return under(key, explanation.violations(rule, inner));
}

function missingKey(key: string, value: JsonObject, rule: Rule | undefined): Violation {
  const missing = violation(value, { keyword: 'required', key, allowed: [] });
  const description = rule?.outline.description;
  return description === undefined ? missing : { ...missing, description };
}

/** The declared key that was probably misspelt; one that is there already was not meant again. */
function meantKey(key: string, value: JsonObject, declared: readonly string[], check: Checking): string | null {
  const absent = declared.filter((name) => !Object.hasOwn(value, name));
  check.count(absent.length * (1 + key.length));
  return didYouMean(key, absent);
}
