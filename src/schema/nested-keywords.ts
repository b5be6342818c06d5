import type { Json, JsonObject } from '../types/json.ts';
import { isJsonArray, isJsonObject } from '../values/is-json.ts';
import type { Evaluated, Keyword, Rule } from './rule.ts';
import type { SchemaCheck } from './schema-check.ts';
import { inside, type ViolationList } from './violation-list.ts';

/** A schema by the name of the property it is for. */
export type NamedRules = readonly (readonly [name: string, rule: Rule])[];

type Holds<V> = (value: V, check: SchemaCheck, own: Evaluated | null) => boolean;
type Explain<V> = (value: V, at: string, list: ViolationList) => void;

export function required(names: readonly string[]): Keyword {
  const missing = (value: JsonObject): readonly string[] => names.filter((name) => !Object.hasOwn(value, name));
  return onObject(
    (value, check) => {
      check.count(names.length);
      return names.every((name) => Object.hasOwn(value, name));
    },
    (value, at, list) => list.add(at, `must have required properties ${missing(value).join(', ')}`),
  );
}

/** A schema with a test of the names of the properties it is for. */
export type PatternRules = readonly (readonly [names: (key: string) => boolean, rule: Rule])[];

/** `declared`: properties that have a schema of their own; `patterns`: the same, by their names. */
export function additionalProperties(rule: Rule, declared: ReadonlySet<string>, patterns: PatternRules): Keyword {
  const isDeclared = (key: string) => declared.has(key) || patterns.some(([names]) => names(key));
  return onObject(
    (value, check, own) =>
      everyKey(value, check, (key) => {
        if (isDeclared(key)) return true;
        if (!check.fits(rule, value[key] as Json)) return false;
        own?.keys.add(key);
        return true;
      }),
    (value, at, list) => {
      const wrong = Object.keys(value).filter((key) => !isDeclared(key) && !list.check.fits(rule, value[key] as Json));
      for (const key of wrong) list.explain(rule, value[key] as Json, inside(at, key));
      list.add(at, `must not have additional properties: ${wrong.join(', ')}`);
    },
  );
}

/** Properties that must be there, or schemas that the object must fit, when a property is there. */
export function dependencies(named: readonly (readonly [string, Rule | readonly string[]])[]): Keyword {
  const isMet = (value: JsonObject, check: SchemaCheck, own: Evaluated | null, needed: Rule | readonly string[]) =>
    'keywords' in needed ? check.fitsToo(needed, value, own) : needed.every((name) => Object.hasOwn(value, name));
  return onObject(
    (value, check, own) => {
      check.count(named.length);
      return named.every(([name, needed]) => !Object.hasOwn(value, name) || isMet(value, check, own, needed));
    },
    (value, at, list) => {
      for (const [name, needed] of named) {
        if (!Object.hasOwn(value, name) || isMet(value, list.check, null, needed)) continue;
        if ('keywords' in needed) list.explain(needed, value, at);
        else list.add(at, `must have properties ${needed.join(', ')} when property ${name} is present`);
      }
    },
  );
}

export function properties(named: NamedRules): Keyword {
  return onObject(
    (value, check, own) => {
      check.count(named.length);
      return named.every(([name, rule]) => {
        if (!Object.hasOwn(value, name)) return true;
        if (!check.fits(rule, value[name] as Json)) return false;
        own?.keys.add(name);
        return true;
      });
    },
    (value, at, list) => {
      for (const [name, rule] of named) {
        if (list.isFull) return;
        if (!Object.hasOwn(value, name) || list.check.fits(rule, value[name] as Json)) continue;
        list.explain(rule, value[name] as Json, inside(at, name));
      }
    },
  );
}

export function patternProperties(patterns: PatternRules): Keyword {
  return onObject(
    (value, check, own) =>
      everyKey(value, check, (key) =>
        patterns.every(([names, rule]) => {
          check.count(1 + (key.length >> 4));
          if (!names(key)) return true;
          if (!check.fits(rule, value[key] as Json)) return false;
          own?.keys.add(key);
          return true;
        }),
      ),
    (value, at, list) => {
      for (const [key, inner] of Object.entries(value)) {
        for (const [names, rule] of patterns) {
          if (list.isFull) return;
          if (names(key) && !list.check.fits(rule, inner)) list.explain(rule, inner, inside(at, key));
        }
      }
    },
  );
}

export function propertyNames(rule: Rule): Keyword {
  return onObject(
    (value, check) => everyKey(value, check, (key) => check.fits(rule, key)),
    (value, at, list) => {
      const wrong = Object.keys(value).filter((key) => !list.check.fits(rule, key));
      for (const key of wrong) list.explain(rule, key, inside(at, key));
      list.add(at, `property names ${wrong.join(', ')} are invalid`);
    },
  );
}

export function propertyCount(least: number, most: number): Keyword {
  return onObject(
    (value, check) => {
      const count = Object.keys(value).length;
      check.count(count);
      return count >= least && count <= most;
    },
    (value, at, list) => {
      if (Object.keys(value).length < least) list.add(at, `must not have fewer than ${least} properties`);
      else list.add(at, `must not have more than ${most} properties`);
    },
  );
}

/** `rules`: by position; `rest`: of all items after those; null: nothing is said of them. */
export function items(rules: readonly Rule[], rest: Rule | null): Keyword {
  const ruleAt = (index: number): Rule | null => rules[index] ?? rest;
  return onArray(
    (value, check, own) => {
      const end = rest === null ? Math.min(value.length, rules.length) : value.length;
      for (let index = 0; index < end; index++) {
        const rule = ruleAt(index);
        if (rule !== null && !check.fits(rule, value[index] as Json)) return false;
        own?.items.add(index);
      }
      return true;
    },
    (value, at, list) => {
      for (const [index, item] of value.entries()) {
        const rule = ruleAt(index);
        if (list.isFull || rule === null) return;
        if (!list.check.fits(rule, item)) list.explain(rule, item, inside(at, index));
      }
    },
  );
}

/** So many items fit `rule`, at least and at most. */
export function contains(rule: Rule, least: number, most: number): Keyword {
  return onArray(
    (value, check, own) => {
      let count = 0;
      for (const [index, item] of value.entries()) {
        if (!check.fits(rule, item)) continue;
        count++;
        own?.items.add(index);
      }
      return count >= least && count <= most;
    },
    (_, at, list) => {
      if (most < Number.POSITIVE_INFINITY) list.add(at, `must contain ${least} to ${most} valid items`);
      else list.add(at, `must contain at least ${least} valid item${least === 1 ? '' : 's'}`);
    },
  );
}

export function itemCount(least: number, most: number): Keyword {
  return onArray(
    ({ length }) => length >= least && length <= most,
    ({ length }, at, list) => {
      if (length < least) list.add(at, `must not have fewer than ${least} items`);
      else list.add(at, `must not have more than ${most} items`);
    },
  );
}

/** Properties that no other keyword has evaluated. Comes after all of them. */
export function unevaluatedProperties(rule: Rule): Keyword {
  return onObject(
    (value, check, own) =>
      everyKey(value, check, (key) => {
        if (own?.keys.has(key) === true) return true;
        if (!check.fits(rule, value[key] as Json)) return false;
        own?.keys.add(key);
        return true;
      }),
    (_, at, list) => list.add(at, 'must not have unevaluated properties'),
  );
}

/** Items that no other keyword has evaluated. Comes after all of them. */
export function unevaluatedItems(rule: Rule): Keyword {
  return onArray(
    (value, check, own) =>
      value.every((item, index) => {
        if (own?.items.has(index) === true) return true;
        if (!check.fits(rule, item)) return false;
        own?.items.add(index);
        return true;
      }),
    (_, at, list) => list.add(at, 'must not have unevaluated items'),
  );
}

function onObject(holds: Holds<JsonObject>, explain: Explain<JsonObject>): Keyword {
  return {
    holds: (value, check, own) => !isJsonObject(value) || holds(value, check, own),
    explain: (value, at, list) => explain(value as JsonObject, at, list),
  };
}

function onArray(holds: Holds<readonly Json[]>, explain: Explain<readonly Json[]>): Keyword {
  return {
    holds: (value, check, own) => !isJsonArray(value) || holds(value, check, own),
    explain: (value, at, list) => explain(value as readonly Json[], at, list),
  };
}

function everyKey(value: JsonObject, check: SchemaCheck, holds: (key: string) => boolean): boolean {
  const keys = Object.keys(value);
  check.count(keys.length);
  return keys.every(holds);
}
